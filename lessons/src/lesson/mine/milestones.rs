//! Milestones of the learner's model, each reached once and kept with the figures of that run.

use std::sync::LazyLock;

use serde::Deserialize;
use unicode_width::UnicodeWidthStr;

use super::order::{Figure, Trained, Translated};
use super::roles::{ROLES, training, translating};
use super::status::{State, Status};
use crate::lesson::exercise::report::{Card, Role};
use crate::lesson::progress::Progress;

/// A milestone of the learner's model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Milestone {
    /// Key in the progress file.
    pub id: String,
    /// Lesson whose function completes it.
    pub lesson: usize,
    /// What has been achieved.
    pub title: String,
    /// How to reach it.
    pub how: String,
    #[serde(default)]
    needs: Vec<String>,
    all_of: Option<Process>,
    #[serde(default)]
    except: Vec<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Process {
    Translating,
    Training,
}

impl Milestone {
    /// Functions that the learner must have written.
    fn needs(&self) -> Vec<&str> {
        let all: Vec<&str> = match self.all_of {
            Some(Process::Translating) => translating().collect(),
            Some(Process::Training) => training().collect(),
            None => self.needs.iter().map(String::as_str).collect(),
        };
        let kept = |name: &&str| !self.except.iter().any(|left| left == name);
        all.into_iter().filter(kept).collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    milestone: Vec<Milestone>,
}

/// The milestones, in the order of the lessons.
pub static MILESTONES: LazyLock<Vec<Milestone>> = LazyLock::new(|| {
    let file: Result<File, _> = toml::from_str(include_str!("milestones.toml"));
    file.unwrap_or_else(|e| panic!("milestones.toml: {e}"))
        .milestone
});

/// What the function of the exercise `name` does in the learner's model, and the next milestone that needs it.
pub fn makes_possible(name: &str, progress: &Progress) -> Option<String> {
    let role = ROLES
        .iter()
        .flat_map(|(_, roles)| roles)
        .find(|role| role.name == name)?;
    let reached = progress.milestones();
    let mut open = MILESTONES
        .iter()
        .filter(|milestone| !reached.contains_key(&milestone.id));
    let next = open.find(|milestone| milestone.needs().contains(&name));
    let star = next.map_or_else(String::new, |next| {
        format!(" It is needed for ☆ {}: {}.", next.title, next.how)
    });
    Some(format!("In your model: {}.{star}", role.does))
}

/// Largest deviation of log-probabilities from the reference's; rounding in a different order of operations causes far
/// less.
pub const CLOSE: f32 = 1e-3;

/// Minimum share of tokens copied correctly by a model that has learned to copy. After 240 steps the references copy 92
/// %; a different rounding order changes that by a few percentage points, and an untrained model copies 12 %.
const COPIES: f64 = 0.8;

/// A milestone reached for the first time, with its figures.
pub type ReachedMilestone = (&'static Milestone, String);

fn reach(
    progress: &mut Progress,
    id: &str,
    own: &dyn Fn(&str) -> bool,
    figures: impl FnOnce() -> Option<String>,
) -> Option<ReachedMilestone> {
    let milestone = MILESTONES.iter().find(|m| m.id == id)?;
    if !milestone.needs().into_iter().all(own) {
        return None;
    }
    let figures = figures()?;
    let new = progress.reach(id, &figures);
    new.then_some((milestone, figures))
}

/// Milestones reached by passing checks.
pub fn after_check(statuses: &[Status], progress: &mut Progress) -> Vec<ReachedMilestone> {
    let passes = |name: &str| {
        let status = statuses.iter().find(|s| s.exercise.name == name);
        status.is_some_and(|s| s.state == State::Passing)
    };
    let attends = reach(progress, "attends", &passes, || {
        Some("it gives the reference's weights, contexts and gradients".to_owned())
    });
    let encodes = reach(progress, "encodes", &passes, || {
        Some("eight of your functions, from ids to the memory".to_owned())
    });
    attends.into_iter().chain(encodes).collect()
}

/// Milestones reached by a translation with the functions `own`.
pub fn after_translation(
    own: &[&str],
    translated: &Translated,
    progress: &mut Progress,
) -> Vec<ReachedMilestone> {
    let ran = |name: &str| {
        own.contains(&name) && translated.calls.get(name).is_some_and(|&calls| calls > 0)
    };
    let Some(line) = translated.lines.first() else {
        return vec![];
    };
    let close = line.difference.filter(|far| *far <= CLOSE);
    let equals = reach(progress, "equals", &ran, || {
        Some(match close? {
            0.0 => "every log-probability to the last bit".to_owned(),
            far => format!("the log-probabilities differ by {far:.0e} at most, which is rounding"),
        })
    });
    let same = close.is_some() && line.own.ids == line.reference.ids;
    let translates = reach(progress, "translates", &ran, || {
        same.then(|| format!("“{}” became “{}”", line.source, line.own.text))
    });
    let greedy = line
        .greedy
        .as_ref()
        .filter(|[own, reference]| own == reference);
    let alone = reach(progress, "borrows-nothing", &ran, || {
        let [own, _] = greedy.filter(|_| same)?;
        Some(format!(
            "beam search and greedy decoding, the latter: “{own}”"
        ))
    });
    equals.into_iter().chain(translates).chain(alone).collect()
}

/// Milestones reached by a training run with the functions `own`.
pub fn after_training(
    own: &[&str],
    trained: &Trained,
    progress: &mut Progress,
) -> Vec<ReachedMilestone> {
    let ran =
        |name: &str| own.contains(&name) && trained.calls.get(name).is_some_and(|&calls| calls > 0);
    let (first, last) = (trained.losses.first(), trained.losses.last());
    let falls = first.zip(last).filter(|(first, last)| last < first);
    let whole = trained.losses.len() == trained.reference.len();
    let flows = reach(progress, "flows", &ran, || {
        let (first, last) = falls.filter(|_| whole && trained.without_gradient.is_empty())?;
        Some(format!(
            "every parameter has one, and the loss fell from {first:.2} to {last:.2}"
        ))
    });
    let copied = || {
        let (right, steps) = (trained.right[0], trained.losses.len());
        let says = format!(
            "{:.0} % of new sentences' tokens after {steps} steps",
            100.0 * right
        );
        let agree = trained.figures.iter().all(Figure::agrees);
        (right >= COPIES && agree).then_some(says)
    };
    let copies = reach(progress, "copies", &ran, copied);
    let trains = reach(progress, "trains", &ran, copied);
    flows.into_iter().chain(copies).chain(trains).collect()
}

/// Milestone reached by a capstone whose tests all pass.
pub fn after_capstone(progress: &mut Progress) -> Vec<ReachedMilestone> {
    let figures = || Some("it translates, and it learns to copy".to_owned());
    let reached = reach(progress, "empty-file", &|_| true, figures);
    reached.into_iter().collect()
}

/// Cards for the milestones reached, each in a frame.
pub fn ceremony(reached: &[ReachedMilestone]) -> Card {
    let mut card = Card::default();
    for (milestone, figures) in reached {
        let lines = [
            format!("★ {}", milestone.title),
            format!("  {figures}"),
            match milestone.needs().len() {
                0 => format!("  lesson {:02} · nothing borrowed", milestone.lesson),
                own => format!(
                    "  lesson {:02} · functions of yours that it needs: {own}",
                    milestone.lesson
                ),
            },
        ];
        let room = lines.iter().map(|line| line.width()).max().unwrap_or(0);
        let edge = "─".repeat(room + 2);
        card.push(Role::Good, format!("╭{edge}╮"));
        for line in &lines {
            let rest = " ".repeat(room - line.width());
            card.push(Role::Good, format!("│ {line}{rest} │"));
        }
        card.push(Role::Good, format!("╰{edge}╯"));
        card.gap();
    }
    card
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::mine::{Line, Parts, Translation};

    fn milestone(id: &str) -> &'static Milestone {
        let mut all = MILESTONES.iter();
        all.find(|milestone| milestone.id == id)
            .unwrap_or_else(|| panic!("there is no milestone {id}"))
    }

    fn translated(difference: f32) -> Translated {
        let translation = Translation {
            text: "the dog sleeps".to_owned(),
            ids: vec![4, 5, 6],
            log_prob: Some(-0.5),
        };
        Translated {
            lines: vec![Line {
                source: "Der Hund schläft".to_owned(),
                own: translation.clone(),
                reference: translation,
                difference: Some(difference),
                by_part: vec![],
                greedy: Some(["the dog".to_owned(), "the dog".to_owned()]),
            }],
            calls: Parts::NAMES
                .iter()
                .map(|name| ((*name).to_owned(), 1))
                .collect(),
        }
    }

    #[test]
    fn a_milestone_is_reached_once_and_by_functions_of_ones_own_that_ran() {
        let mut progress = Progress::default();
        let ids = |reached: Vec<ReachedMilestone>| {
            reached
                .iter()
                .map(|(m, _)| m.id.as_str())
                .collect::<Vec<_>>()
        };
        let mut asked = |own: &[&str], outcome: &Translated| {
            ids(after_translation(own, outcome, &mut progress))
        };
        assert!(asked(&["attention"], &translated(0.0)).is_empty());
        assert!(asked(Parts::NAMES, &translated(0.1)).is_empty());
        let mut without = translated(0.0);
        without.calls.insert("attention".to_owned(), 0);
        let model = milestone("equals").needs();
        assert!(asked(Parts::NAMES, &without).is_empty());
        assert_eq!(asked(&model, &translated(0.0)), ["equals"]);
        assert_eq!(
            asked(Parts::NAMES, &translated(0.0)),
            ["translates", "borrows-nothing"]
        );
        assert!(asked(Parts::NAMES, &translated(0.0)).is_empty());
    }

    #[test]
    fn training_with_nothing_borrowed_needs_every_function_that_it_calls() {
        let mut progress = Progress::default();
        let needed = milestone("trains").needs();
        let trained = Trained {
            losses: vec![2.5, 0.1],
            reference: vec![2.5, 0.1],
            right: [0.9, 0.9],
            calls: needed.iter().map(|name| ((*name).to_owned(), 1)).collect(),
            ..Trained::default()
        };
        let mut asked = |own: &[&str]| {
            let reached = after_training(own, &trained, &mut progress);
            reached
                .iter()
                .map(|(m, _)| m.id.as_str())
                .collect::<Vec<_>>()
        };
        let (_, without_the_last) = needed.split_last().expect("it is not empty");
        assert_eq!(asked(without_the_last), ["flows", "copies"]);
        assert_eq!(asked(&needed), ["trains"]);
    }

    #[test]
    fn every_need_is_a_part() {
        for milestone in &*MILESTONES {
            assert!(
                milestone
                    .needs()
                    .iter()
                    .all(|name| Parts::NAMES.contains(name))
            );
        }
    }
}
