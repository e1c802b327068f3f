//! Knobs that a page tells its reader to turn, and the values at which the page shows the run.

use crate::lesson::Knob;
use crate::lesson::knob::Range;

/// Maximum number of values shown per knob, and of knobs per page.
const VALUES: usize = 7;
const KNOBS: usize = 4;

/// Maximum distance in words between a verb such as "turn" and a knob that is not in backticks.
const WORDS: usize = 6;

/// Values that need the reader's own training. A book must not depend on files of the machine that makes it.
const OWN: [&str; 2] = ["yours", "back"];

/// A knob that a page turns, with its values in order, each spelled as in commands.
#[derive(Clone)]
pub struct Turned {
    pub knob: &'static Knob,
    pub values: Vec<String>,
    /// Values that are always shown: those that the text names, and the current one.
    pub must: Vec<String>,
}

impl Turned {
    /// Leaves out the stops that the run refuses, as `refused` reports, and fills up with others.
    pub fn without(&self, mut refused: impl FnMut(&str) -> bool) -> Self {
        let stops = stops(self.knob).into_iter();
        let possible = stops.filter(|stop| self.must.contains(stop) || !refused(stop));
        Self {
            values: thinned(self.knob, possible.collect(), &self.must),
            ..self.clone()
        }
    }
}

/// Knobs that a text tells its reader to turn, in the order of mention, each with the values named.
pub fn named(text: &str, knobs: &'static [Knob]) -> Vec<Turned> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found: Vec<Turned> = Vec::new();
    // Number of words since this sentence's last verb of turning.
    let mut told: Option<usize> = None;
    for (at, word) in words.iter().enumerate() {
        let plain = word.replace(['`', '*'], "");
        let bare = plain.trim_matches(|c: char| !(c.is_alphanumeric() || "_=.-".contains(c)));
        let bare = bare.trim_end_matches('.');
        let (name, set) = bare
            .split_once('=')
            .map_or((bare, None), |(n, v)| (n, Some(v)));
        // In "a set of links", "set" is a noun.
        let noun = matches!(bare, "set" | "turn")
            && at.checked_sub(1).is_some_and(|before| {
                [
                    "a", "A", "the", "The", "one", "each", "Each", "training", "first",
                ]
                .contains(&words[before])
            });
        let verb = !noun && ["Turn", "turn", "Set", "set", "knob", "knobs", "Knob"].contains(&bare);
        told = if verb {
            Some(0)
        } else {
            told.map(|ago| ago + 1)
        };
        let quoted = word.contains('`');
        let near = told.is_some_and(|ago| ago > 0 && (quoted || ago <= WORDS));
        if let Some(knob) = knobs.iter().find(|knob| knob.name == name).filter(|_| near) {
            let to = words[at + 1..]
                .iter()
                .take(5)
                .position(|word| *word == "to");
            let to = to
                .filter(|_| to_is_its(&words[at..]))
                .and_then(|to| value(words.get(at + to + 2..)?));
            let set = set.map(ToOwned::to_owned);
            let value = set.or(to).and_then(|value| knob.accept(&value).ok());
            match found.iter_mut().find(|turned| turned.knob.name == name) {
                Some(turned) => turned.values.extend(value),
                None => found.push(Turned {
                    knob,
                    values: value.into_iter().collect(),
                    must: Vec::new(),
                }),
            }
        }
        if word.ends_with(['.', '?', '!']) || word.ends_with(".`") {
            told = None;
        } else if word.ends_with(':') {
            // What follows describes the effect, where a knob counts only in backticks.
            told = told.map(|ago| ago + WORDS);
        }
    }
    found
}

/// Value at the start of the words: a single word, or everything between two backticks.
fn value(words: &[&str]) -> Option<String> {
    match words.first()?.strip_prefix('`') {
        Some(_) => Some(words.join(" ").split('`').nth(1)?.to_owned()),
        None => Some(words[0].trim_matches([',', '.', ';', ':']).to_owned()),
    }
}

/// True if a following `to` belongs to the first word: no sentence begins and no other name occurs between them.
fn to_is_its(words: &[&str]) -> bool {
    let between = words.iter().take_while(|word| **word != "to");
    between.clone().all(|word| !word.ends_with(['.', ':']))
        && between.filter(|w| w.starts_with('`')).count() <= 3
}

/// Knobs as a figure shows them: their stops and the named values, without those that only a person can supply.
pub fn shown(named: Vec<Turned>, standing: impl Fn(&str) -> String) -> Vec<Turned> {
    let mut all: Vec<Turned> = Vec::new();
    for turned in named {
        match all
            .iter_mut()
            .find(|other| other.knob.name == turned.knob.name)
        {
            Some(other) => other.values.extend(turned.values),
            None => all.push(turned),
        }
    }
    for turned in &mut all {
        let here = standing(turned.knob.name);
        turned.must = turned.values.drain(..).chain([here]).collect();
        turned.values = thinned(turned.knob, stops(turned.knob), &turned.must);
    }
    for turned in &mut all {
        turned.values.retain(|value| !OWN.contains(&value.as_str()));
    }
    all.retain(|turned| turned.values.len() > 1 && !OWN.contains(&turned.knob.name));
    all.truncate(KNOBS);
    all
}

/// Stops of the knob, without those that only a person can supply.
fn stops(knob: &Knob) -> Vec<String> {
    let all = knob.stops();
    let all = all.iter().filter_map(|stop| knob.accept(stop).ok());
    all.filter(|stop| !OWN.contains(&stop.as_str())).collect()
}

/// Merges `stops` and `must`, in order; if there are too many, stops are dropped evenly.
fn thinned(knob: &Knob, mut stops: Vec<String>, must: &[String]) -> Vec<String> {
    let every = stops.len().saturating_sub(1).div_ceil(VALUES - 1).max(1);
    let last = stops.len().saturating_sub(1);
    let kept =
        |at: usize, stop: &String| at.is_multiple_of(every) || at == last || must.contains(stop);
    let mut at = 0;
    stops.retain(|stop| {
        at += 1;
        kept(at - 1, stop)
    });
    for value in must {
        if !stops.contains(value) {
            stops.push(value.clone());
        }
    }
    if is_numeric(knob) {
        let number = |value: &String| value.parse::<f64>().unwrap_or(f64::NAN);
        stops.sort_by(|a, b| number(a).total_cmp(&number(b)));
    }
    stops
}

/// True if the values are numbers, so that a slider can go through them.
pub fn is_numeric(knob: &Knob) -> bool {
    match knob.range {
        Range::Whole { .. } | Range::Real { .. } => true,
        Range::Choice(all) => all.iter().all(|value| value.parse::<f64>().is_ok()),
        Range::Text { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static KNOBS: [Knob; 4] = [
        knob(
            "heads",
            Range::Whole {
                least: 1,
                most: 64,
                stops: &[1, 2, 4, 8],
            },
            "8",
        ),
        knob(
            "seed",
            Range::Whole {
                least: 0,
                most: 99,
                stops: &[0, 1],
            },
            "0",
        ),
        knob("kind", Range::Choice(&["encoder", "decoder"]), "encoder"),
        knob(
            "rate",
            Range::Real {
                least: 0.0,
                most: 1.0,
                stops: &[0.1, 0.5],
            },
            "0.1",
        ),
    ];

    const fn knob(name: &'static str, range: Range, default: &'static str) -> Knob {
        Knob {
            name,
            about: "",
            range,
            default,
            auto: None,
        }
    }

    fn said(text: &str) -> Vec<String> {
        let word = |turned: Turned| format!("{}:{}", turned.knob.name, turned.values.join(","));
        named(text, &KNOBS).into_iter().map(word).collect()
    }

    #[test]
    fn a_text_names_the_knobs_that_it_turns() {
        assert_eq!(
            said("Turn the knob heads: it stays. At 7 it fails."),
            ["heads:"]
        );
        assert_eq!(said("Turn `kind` to decoder. Look."), ["kind:decoder"]);
        assert_eq!(
            said("Set `kind` to `decoder`, then look."),
            ["kind:decoder"]
        );
        let words: Vec<&str> = "`The colder sea.` Then look".split(' ').collect();
        assert_eq!(value(&words).as_deref(), Some("The colder sea."));
        assert_eq!(
            said("Turn the knob `kind` to encoder: the heads read. Set it: `seed` too."),
            ["kind:encoder", "seed:"]
        );
        assert_eq!(
            said("Choose the knob `heads` and turn it to 3: fine."),
            ["heads:3"]
        );
        assert_eq!(
            said("Start it. Then turn heads and rate. The knob seed shows chance."),
            ["heads:", "rate:", "seed:"]
        );
        assert_eq!(said("Then turn up `rate=0.7` and look."), ["rate:0.7"]);
        assert_eq!(
            said("It is a set of heads. Each turn shows a seed."),
            [] as [&str; 0]
        );
        assert_eq!(
            said("Eight heads and one seed. Each turn adds one. A kind of rate."),
            [] as [&str; 0]
        );
    }

    #[test]
    fn its_values_are_the_stops_and_what_is_named() {
        let turned = shown(named("Turn `heads` to 3. Turn `kind`.", &KNOBS), |knob| {
            let standing = if knob == "kind" { "encoder" } else { "8" };
            standing.to_owned()
        });
        assert_eq!(turned[1].values, ["encoder", "decoder"]);
        assert_eq!(turned[0].values, ["1", "2", "3", "4", "8"]);
        static MANY: [usize; 21] = [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
        ];
        static LONG: Knob = knob(
            "at",
            Range::Whole {
                least: 0,
                most: 20,
                stops: &MANY,
            },
            "0",
        );
        let values = thinned(&LONG, stops(&LONG), &["7".to_owned()]);
        assert_eq!(values, ["0", "4", "7", "8", "12", "16", "20"]);
    }

    #[test]
    fn what_a_run_refuses_gives_its_place_to_what_it_does_not() {
        let turned = shown(named("Turn `heads` to 3.", &KNOBS), |_| "8".to_owned());
        let fits = turned[0].without(|value| value == "2" || value == "3");
        assert_eq!(fits.values, ["1", "3", "4", "8"], "3 is named");
    }
}
