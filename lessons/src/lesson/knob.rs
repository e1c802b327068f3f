//! The settings and mistakes of a stage, and their current values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

mod typed;

use super::flaw::Flaw;
use crate::expr::{self, Env, Select};

pub use typed::{both, parsed};

/// The knob that selects the scene: a lesson's own stage, or the trained model.
pub const SCENE: &str = "scene";

/// Value of [`SCENE`] for the sentence in the trained model.
pub const RUNNING: &str = "sentence";

/// Value of [`SCENE`] for the reader's own small translator.
pub const SO_FAR: &str = "so-far";

/// The knob with the text that the trained model reads.
pub const TEXT: &str = "text";

/// The knob that chooses the parts of the reader's own small translator.
pub const PARTS: &str = "parts";

/// Knobs that show the trained model beside a lesson's own stage. They are not part of any lesson's knob struct.
pub const OF_THE_TRAINED_MODEL: [&str; 3] = [SCENE, TEXT, PARTS];

/// One setting of a stage. The footer, the help, the book and `show --set` all read this.
#[derive(Clone, Copy)]
pub struct Knob {
    /// Name in commands: `d_model`.
    pub name: &'static str,
    /// Short description of what it does.
    pub about: &'static str,
    /// Values it accepts.
    pub range: Range,
    /// Initial value.
    pub default: &'static str,
    /// Expression over the other knobs that gives the actual value when 0 means "automatic": `512 / heads`.
    pub auto: Option<&'static str>,
}

/// Values that a knob accepts.
#[derive(Clone, Copy)]
pub enum Range {
    /// Integers from `least` to `most`; turning the knob goes through `stops`.
    Whole {
        least: usize,
        most: usize,
        stops: &'static [usize],
    },
    /// Numbers from `least` to `most`; turning the knob goes through `stops`.
    Real {
        least: f64,
        most: f64,
        stops: &'static [f64],
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any non-empty line of at most `most` characters; turning the knob goes through `stops`.
    Text {
        most: usize,
        stops: &'static [&'static str],
    },
}

impl Knob {
    /// The value in its canonical spelling. The error explains what the value could be.
    pub fn accept(&self, value: &str) -> Result<String, String> {
        match &self.range {
            Range::Whole { least, most, .. } => match value.parse::<usize>() {
                Ok(n) if (*least..=*most).contains(&n) => Ok(n.to_string()),
                _ => Err(format!(
                    "{} goes from {least} to {most} in whole steps, not {value}",
                    self.name
                )),
            },
            Range::Real { least, most, .. } => match value.parse::<f64>() {
                Ok(x) if x >= *least && x <= *most => Ok(x.to_string()),
                _ => Err(format!(
                    "{} goes from {least} to {most}, not {value}",
                    self.name
                )),
            },
            Range::Text { most, .. } => {
                let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
                match line.chars().count() {
                    n if (1..=*most).contains(&n) => Ok(line),
                    n => Err(format!(
                        "{} is a line of 1 to {most} characters, not of {n}",
                        self.name
                    )),
                }
            }
            Range::Choice(all) if all.contains(&value) => Ok(value.to_owned()),
            Range::Choice(all) => Err(format!(
                "{} can be {}, not {value}{}",
                self.name,
                all.join(", "),
                did_you_mean(value, all.iter().copied())
            )),
        }
    }

    /// The values that turning the knob goes through.
    pub fn stops(&self) -> Vec<String> {
        match &self.range {
            Range::Whole { stops, .. } => stops.iter().map(ToString::to_string).collect(),
            Range::Real { stops, .. } => stops.iter().map(ToString::to_string).collect(),
            Range::Choice(all) | Range::Text { stops: all, .. } => {
                all.iter().map(ToString::to_string).collect()
            }
        }
    }

    /// The stop `by` places from `value` (which may lie between two), limited to the first and last of `stops`.
    pub fn turn(stops: &[String], value: &str, by: isize) -> String {
        let numbers: Option<Vec<f64>> = stops.iter().map(|s| s.parse().ok()).collect();
        let at = match (numbers, value.parse::<f64>()) {
            (Some(numbers), Ok(x)) if by > 0 => numbers
                .iter()
                .rposition(|&n| n <= x)
                .map_or(-1, |i| i as isize),
            (Some(numbers), Ok(x)) => numbers
                .iter()
                .position(|&n| n >= x)
                .unwrap_or(numbers.len()) as isize,
            _ => stops
                .iter()
                .position(|s| s == value)
                .map_or(0, |i| i as isize),
        };
        let last = stops.len() as isize - 1;
        stops[(at + by).clamp(0, last) as usize].clone()
    }
}

/// A classic mistake: a switch of the stage and, if the exercise can recognise it, its diagnosis.
pub struct Mistake {
    /// Name in commands: `no-scale`.
    pub name: &'static str,
    /// Name on the screen: `forget the √d_k`.
    pub title: &'static str,
    /// What to watch while it is on.
    pub watch: &'static str,
    /// A claim (see `lesson::claim`) that is false (0) for the sound run and true for the broken one, or `fails` if the
    /// broken run ends in an error.
    pub effect: &'static str,
    /// Settings under which `effect` is tested, beyond the defaults: `("init", "xavier")`.
    pub settings: &'static [(&'static str, &'static str)],
    /// Hint of the exercise for a learner who made it; empty if the exercise has no such mistake.
    pub hint: &'static str,
    /// How it breaks the trained model as well; `None` if it breaks only the lesson's own experiment.
    pub flaw: Option<Flaw>,
}

impl Mistake {
    /// The shared scene that it breaks, if it breaks nothing in the lesson's own experiment: its settings name the scene.
    pub fn only_in(&self) -> Option<&'static str> {
        let mut settings = self.settings.iter();
        let scene = settings.find(|(knob, _)| *knob == SCENE);
        scene.map(|(_, scene)| *scene)
    }

    /// What to watch, and marks for the settings that show it best, where `settings` differ from them.
    pub fn advice(&self, settings: &Settings) -> String {
        let others = self.settings.iter();
        let others: Vec<String> = others
            .filter(|(knob, value)| settings.text(knob) != *value)
            .map(|(knob, value)| format!("[{knob}](<set:{knob}={value}>)"))
            .collect();
        if others.is_empty() {
            self.watch.to_owned()
        } else {
            format!(
                "{} Try it after changing {}.",
                self.watch,
                others.join(" and ")
            )
        }
    }
}

/// Current value of every knob and switch of a stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    values: BTreeMap<&'static str, String>,
    mistakes: BTreeSet<&'static str>,
}

impl Settings {
    /// Every knob at its default and no mistake on.
    pub fn defaults(knobs: &'static [Knob]) -> Self {
        let values = knobs
            .iter()
            .map(|k| (k.name, k.default.to_owned()))
            .collect();
        Self {
            values,
            mistakes: BTreeSet::new(),
        }
    }

    /// Sets a knob by name. `Err` names the nearest knob, or the accepted values.
    pub fn set(&mut self, knobs: &'static [Knob], name: &str, value: &str) -> Result<(), String> {
        let knob = find_knob(knobs, name)?;
        self.values.insert(knob.name, knob.accept(value)?);
        Ok(())
    }

    /// Switches a mistake on or off by name. `Err` names the nearest one.
    pub fn switch(&mut self, all: &'static [Mistake], name: &str, on: bool) -> Result<(), String> {
        let Some(mistake) = all.iter().find(|m| m.name == name) else {
            let names = all.iter().map(|m| m.name);
            return Err(format!(
                "there is no mistake '{name}'{}; there are {}",
                did_you_mean(name, names.clone()),
                names.collect::<Vec<_>>().join(", ")
            ));
        };
        if on {
            self.mistakes.insert(mistake.name);
        } else {
            self.mistakes.remove(mistake.name);
        }
        Ok(())
    }

    /// True if the mistake `name` is on.
    pub fn broken(&self, name: &str) -> bool {
        self.mistakes.contains(name)
    }

    /// Checks that at most one of the mistakes `exclusive`, which exclude each other, is on. The error explains how to
    /// resolve it.
    pub fn at_most_one(&self, exclusive: impl Iterator<Item = &'static str>) -> Result<(), String> {
        let on: Vec<&str> = exclusive.filter(|name| self.broken(name)).collect();
        match on[..] {
            [one, other, ..] => Err(conflict(one, other)),
            _ => Ok(()),
        }
    }

    /// Names of the mistakes that are on.
    pub fn mistakes(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.mistakes.iter().copied()
    }

    /// A copy with every mistake off.
    #[must_use]
    pub fn sound(&self) -> Self {
        Self {
            values: self.values.clone(),
            mistakes: BTreeSet::new(),
        }
    }

    /// A copy without the knobs `names`.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let mut kept = self.clone();
        kept.values.retain(|name, _| !names.contains(name));
        kept
    }

    /// The value of a knob. Panics if the stage has no such knob.
    #[track_caller]
    pub fn text(&self, name: &str) -> &str {
        self.values
            .get(name)
            .unwrap_or_else(|| panic!("this stage has no knob '{name}'"))
    }

    /// The value of an integer knob.
    #[track_caller]
    pub fn integer(&self, name: &str) -> usize {
        self.text(name)
            .parse()
            .unwrap_or_else(|_| panic!("'{name}' is not a whole number"))
    }

    /// The value of a real-valued knob.
    #[track_caller]
    pub fn real(&self, name: &str) -> f64 {
        self.text(name)
            .parse()
            .unwrap_or_else(|_| panic!("'{name}' is not a number"))
    }

    /// The value of a knob for display: `auto (64)` if it is 0 and the knob is computed from others.
    pub fn display(&self, knob: &Knob) -> String {
        let value = self.text(knob.name);
        let auto = knob.auto.filter(|_| value == "0");
        let auto = auto.and_then(|of| expr::number(of, &Others(self)).ok());
        auto.map_or_else(|| value.to_owned(), |x| format!("auto ({})", x.floor()))
    }

    /// Every knob with its value, in order of name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values
            .iter()
            .map(|(&name, value)| (name, value.as_str()))
    }
}

/// The other knobs, as the environment of an `auto` expression.
struct Others<'a>(&'a Settings);

impl Env for Others<'_> {
    fn get(&self, name: &str, _: Option<&[Select]>) -> Result<Vec<f64>, String> {
        let value = self.0.values.get(name).and_then(|value| value.parse().ok());
        value.map_or_else(
            || Err(format!("no knob {name} is a number")),
            |x| Ok(vec![x]),
        )
    }

    fn shape(&self, name: &str) -> Result<Vec<usize>, String> {
        Err(format!("{name} is not a tensor"))
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let knobs = self.iter().map(|(name, value)| format!("{name}={value}"));
        let mistakes = self.mistakes().map(|name| format!("break={name}"));
        write!(f, "{}", knobs.chain(mistakes).collect::<Vec<_>>().join(" "))
    }
}

/// The knob `name` of `knobs`. `Err` names the nearest one.
pub fn find_knob(knobs: &'static [Knob], name: &str) -> Result<&'static Knob, String> {
    knobs.iter().find(|k| k.name == name).ok_or_else(|| {
        let names = knobs.iter().map(|k| k.name);
        format!(
            "there is no knob '{name}'{}; the knobs are {}",
            did_you_mean(name, names.clone()),
            names.collect::<Vec<_>>().join(", ")
        )
    })
}

fn conflict(one: &str, other: &str) -> String {
    format!("{one} and {other} take the same place: switch one of them off first.")
}

/// `; did you mean 'x'?` for the nearest of `known`, or an empty string if none is near.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    // No name is this long, and the comparison takes time proportional to the product of the lengths.
    if word.len() > 100 {
        return String::new();
    }
    let lower = word.to_lowercase();
    let distance = |name: &str| strsim::osa_distance(&lower, &name.to_lowercase());
    let nearest = known.map(|name| (distance(name), name)).min();
    match nearest {
        // As rustc suggests names: with more letters wrong, the nearest name is another word.
        Some((far, name)) if far <= word.chars().count().max(3) / 3 => {
            format!("; did you mean '{name}'?")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static KNOBS: [Knob; 2] = [
        Knob {
            name: "heads",
            about: "heads",
            range: Range::Whole {
                least: 1,
                most: 16,
                stops: &[1, 2, 4, 8, 16],
            },
            auto: None,
            default: "8",
        },
        Knob {
            name: "init",
            about: "init",
            range: Range::Choice(&["xavier", "normal"]),
            default: "xavier",
            auto: None,
        },
    ];

    #[test]
    fn turning_goes_from_stop_to_stop_and_holds_at_the_ends() {
        assert_eq!(Knob::turn(&KNOBS[0].stops(), "8", 1), "16");
        assert_eq!(Knob::turn(&KNOBS[0].stops(), "16", 1), "16");
        assert_eq!(Knob::turn(&KNOBS[0].stops(), "7", 1), "8");
        assert_eq!(Knob::turn(&KNOBS[0].stops(), "7", -1), "4");
        assert_eq!(Knob::turn(&KNOBS[0].stops(), "1", -1), "1");
        assert_eq!(Knob::turn(&KNOBS[1].stops(), "xavier", 1), "normal");
    }

    #[test]
    fn a_text_may_be_any_line_and_turning_leaves_it_for_the_stops() {
        let knob = Knob {
            name: "sentence",
            about: "sentence",
            range: Range::Text {
                most: 12,
                stops: &["a dog", "a cat"],
            },
            default: "a dog",
            auto: None,
        };
        assert_eq!(
            knob.accept("  my  own\nline "),
            Ok("my own line".to_owned())
        );
        assert_eq!(
            knob.accept(" "),
            Err("sentence is a line of 1 to 12 characters, not of 0".to_owned())
        );
        assert!(knob.accept("thirteen long").is_err());
        assert_eq!(Knob::turn(&knob.stops(), "a dog", 1), "a cat");
        assert_eq!(Knob::turn(&knob.stops(), "my own line", 1), "a cat");
    }

    #[test]
    fn unknown_knobs_and_values_out_of_range_are_explained() {
        let mut settings = Settings::defaults(&KNOBS);
        let mut error = |name, value| settings.set(&KNOBS, name, value).unwrap_err();
        assert_eq!(
            error("head", "8"),
            "there is no knob 'head'; did you mean 'heads'?; the knobs are heads, init"
        );
        assert_eq!(
            error("heads", "17"),
            "heads goes from 1 to 16 in whole steps, not 17"
        );
        assert_eq!(
            error("init", "xavir"),
            "init can be xavier, normal, not xavir; did you mean 'xavier'?"
        );
        assert_eq!(settings.to_string(), "heads=8 init=xavier");
    }
}
