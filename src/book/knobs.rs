//! Knobs that a page tells its reader to turn, and the values at which the page shows the run.

use crate::lesson::Knob;
use crate::lesson::knob::Range;

/// Maximum number of values shown per knob, and of knobs per page.
const VALUES: usize = 7;
const KNOBS: usize = 4;

/// Values that need the reader's own training run. A book must not depend on files of the machine that builds it.
const NEEDS_OWN_TRAINING: [&str; 2] = ["yours", "back"];

/// A knob that a page turns, with its values in order, each spelled as in commands.
#[derive(Clone)]
pub struct Slider {
    pub knob: &'static Knob,
    pub values: Vec<String>,
    /// Values that are always shown: those that the text names, and the current one.
    pub must: Vec<String>,
}

impl Slider {
    /// A knob for which no value is named.
    pub fn new(knob: &'static Knob) -> Self {
        Self {
            knob,
            values: Vec::new(),
            must: Vec::new(),
        }
    }

    /// A knob that is set to `value`.
    pub fn to(knob: &'static Knob, value: &str) -> Self {
        let values = knob.accept(value).into_iter().collect();
        Self {
            values,
            ..Self::new(knob)
        }
    }

    /// Drops the stops for which `refused` returns true, unless they must be shown, and fills up with others.
    pub fn without(&self, mut refused: impl FnMut(&str) -> bool) -> Self {
        let stops = stops(self.knob).into_iter();
        let possible = stops.filter(|stop| self.must.contains(stop) || !refused(stop));
        Self {
            values: thinned(self.knob, possible.collect(), &self.must),
            ..self.clone()
        }
    }
}

/// Each knob once, with the values of all its marks.
pub fn merged(marked: impl IntoIterator<Item = Slider>) -> Vec<Slider> {
    let mut all: Vec<Slider> = Vec::new();
    for slider in marked {
        let mut known = all.iter_mut();
        match known.find(|other| other.knob.name == slider.knob.name) {
            Some(other) => other.values.extend(slider.values),
            None => all.push(slider),
        }
    }
    all
}

/// Knobs as a figure shows them: their stops and the named values, without those that only a person can supply.
pub fn shown(
    named: impl IntoIterator<Item = Slider>,
    standing: impl Fn(&str) -> String,
) -> Vec<Slider> {
    let mut all = merged(named);
    for slider in &mut all {
        let here = standing(slider.knob.name);
        slider.must = slider.values.drain(..).chain([here]).collect();
        slider.values = thinned(slider.knob, stops(slider.knob), &slider.must);
    }
    for slider in &mut all {
        slider
            .values
            .retain(|value| !NEEDS_OWN_TRAINING.contains(&value.as_str()));
    }
    all.retain(|slider| slider.values.len() > 1 && !NEEDS_OWN_TRAINING.contains(&slider.knob.name));
    all.truncate(KNOBS);
    all
}

/// Stops of the knob, without those that need the reader's own training run.
fn stops(knob: &Knob) -> Vec<String> {
    let all = knob.stops();
    let all = all.iter().filter_map(|stop| knob.accept(stop).ok());
    all.filter(|stop| !NEEDS_OWN_TRAINING.contains(&stop.as_str()))
        .collect()
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

    #[test]
    fn its_values_are_the_stops_and_what_is_named() {
        let sliders = shown(
            vec![Slider::to(&KNOBS[0], "3"), Slider::new(&KNOBS[2])],
            |knob| {
                let standing = if knob == "kind" { "encoder" } else { "8" };
                standing.to_owned()
            },
        );
        assert_eq!(sliders[1].values, ["encoder", "decoder"]);
        assert_eq!(sliders[0].values, ["1", "2", "3", "4", "8"]);
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
    fn a_knob_that_is_marked_twice_is_one_control_with_both_values() {
        let heads = |value| Slider::to(&KNOBS[0], value);
        let once = merged([heads("3"), Slider::new(&KNOBS[2]), heads("5")]);
        assert_eq!(once.len(), 2);
        assert_eq!(once[0].values, ["3", "5"]);
    }

    #[test]
    fn refused_slider_values_are_replaced_by_possible_ones() {
        let sliders = shown(vec![Slider::to(&KNOBS[0], "3")], |_| "8".to_owned());
        let fits = sliders[0].without(|value| value == "2" || value == "3");
        assert_eq!(fits.values, ["1", "3", "4", "8"], "3 is named");
    }
}
