//! The map of the learner's model: which function is called by which, and which of them are the learner's.

use super::milestones::MILESTONES;
use crate::lesson::exercise::Exercise;
use crate::lesson::exercise::report::{Card, Role as Look};
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::progress::{Done, Progress, sum};

/// The place of an exercise's function.
pub struct Role {
    /// The exercise.
    pub name: &'static str,
    /// How deep it lies: it is called by the last one above that is less deep.
    pub depth: usize,
    /// What it does there.
    pub does: &'static str,
}

const fn role(name: &'static str, depth: usize, does: &'static str) -> Role {
    Role { name, depth, does }
}

/// The parts of the map, each with its functions, the outer ones first.
pub static ROLES: [(&str, &[Role]); 3] = [
    (
        "Translating: `mine translate`",
        &[
            role("beam_step", 0, "chooses tokens from the log-probabilities"),
            role("pass", 0, "a forward pass for each token"),
            role("subsequent_mask", 1, "the decoder's mask over the future"),
            role("scale_embeddings", 1, "ids to vectors, source and target"),
            role("positional_encoding", 1, "added to both"),
            role("encoder_layer", 1, "each layer of the encoder"),
            role("decoder_layer", 1, "each layer of the decoder"),
            role("residual", 2, "around every sublayer of both"),
            role("layer_norm", 3, "before every sublayer, and on top"),
            role(
                "multi_head_attention",
                3,
                "self-attention and cross-attention",
            ),
            role("attention", 4, "all heads of one layer"),
            role("feed_forward", 3, "every position by itself"),
            role("next_words", 1, "vectors to log-probabilities"),
        ],
    ),
    (
        "Training: `mine train`, with the layers above",
        &[
            role("cut_batches", 0, "which sentences make a batch"),
            role("copy_batch", 0, "the source and both masks"),
            role("shift", 0, "what the decoder reads and must predict"),
            role(
                "smoothed_targets",
                0,
                "the target distributions of the loss",
            ),
            role(
                "softmax_backward",
                0,
                "the gradient through attention's softmax",
            ),
            role("adam_step", 0, "moves the weights"),
        ],
    ),
    (
        "Checked by themselves",
        &[
            role(
                "three_uses",
                0,
                "the layers call multi-head attention themselves",
            ),
            role(
                "byte_pairs",
                0,
                "the built-in models have their tokens already",
            ),
            role("alignment", 0, "needs the true alignment"),
            role("bleu", 0, "needs references"),
            role("attention_cost", 0, "counts, and changes no number"),
            role("rms_norm", 0, "the built-in models use layer norm"),
        ],
    ),
];

/// Whose function stands in a place, and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The reference: there is no file, or it is the starter.
    Reference,
    /// The learner's, and the check passed on the file as it is.
    Passing,
    /// The learner's, and the check failed on the file as it is.
    Failing,
    /// The learner's, and this file was not checked.
    Unchecked,
}

/// One exercise's place as it is now.
pub struct Status {
    /// Its lesson.
    pub lesson: usize,
    /// The exercise.
    pub exercise: &'static Exercise,
    /// Whose function it is.
    pub state: State,
}

impl Status {
    /// Whether the learner's function runs.
    pub fn is_own(&self) -> bool {
        self.state != State::Reference
    }
}

/// Where each of `exercises`, given with lesson number and name, stands.
pub fn statuses(
    exercises: impl Iterator<Item = (usize, &'static str, &'static Exercise)>,
    workbook: Option<&Workbook>,
    progress: &Progress,
) -> Vec<Status> {
    exercises
        .map(|(lesson, name, exercise)| {
            let written = workbook.filter(|book| book.is_written(exercise));
            let text = written.and_then(|book| book.text(exercise));
            Status {
                lesson,
                exercise,
                state: text.map_or(State::Reference, |text| {
                    state(&text, &progress.lesson(name))
                }),
            }
        })
        .collect()
}

fn state(text: &str, done: &Done) -> State {
    let same = done.checked.as_ref() == Some(&sum(text));
    match (same, done.failing) {
        (false, _) => State::Unchecked,
        (true, true) => State::Failing,
        (true, false) => State::Passing,
    }
}

/// The whole map, what was reached, and what to do next.
pub fn card(statuses: &[Status], progress: &Progress) -> Card {
    let mut card = Card::default();
    let own = statuses.iter().filter(|s| s.is_own()).count();
    let passing = statuses.iter().filter(|s| s.state == State::Passing);
    card.title(format!(
        "Your model: {own} of {} functions are yours, {} of them pass",
        statuses.len(),
        passing.count()
    ));
    card.dim(
        "The references run in the other places. A function stands below the one that calls it.",
    );
    for (title, roles) in &ROLES {
        card.gap();
        card.title(title);
        for role in *roles {
            if let Some(status) = statuses.iter().find(|s| s.exercise.name == role.name) {
                let (look, line) = line(role, status);
                card.push(look, line);
            }
        }
    }
    card.gap();
    card.title("Milestones");
    for milestone in &MILESTONES {
        match progress.milestones().get(milestone.id) {
            Some(figures) => card.push(Look::Good, format!("★ {}: {figures}", milestone.title)),
            None => card.dim(format!("☆ {}: {}", milestone.title, milestone.how)),
        }
    }
    card.gap();
    next(&mut card, statuses);
    card
}

fn line(role: &Role, status: &Status) -> (Look, String) {
    let (mark, look, says) = match status.state {
        State::Passing => ("█", Look::Good, "yours, passes"),
        State::Failing => ("✗", Look::Bad, "yours, fails"),
        State::Unchecked => ("▒", Look::Note, "yours, not checked as it is now"),
        State::Reference => ("·", Look::Dim, "reference"),
    };
    let name = format!("{}{}", "  ".repeat(role.depth), role.name);
    let lesson = status.lesson;
    // Set in columns: what does not fit is cut by whoever draws, the words that matter stand first.
    let line = format!("{mark} {lesson:02} {name:<31} {says:<15} {}", role.does);
    (look, line)
}

/// What to do next: check, mend, write, and then let it translate.
fn next(card: &mut Card, statuses: &[Status]) {
    let first = |state: State| statuses.iter().find(|s| s.state == state);
    let run = |what: &str| format!("Next: cargo run -- {what}");
    if let Some(status) = first(State::Failing) {
        let name = status.exercise.name;
        return card.push(Look::Note, run(&format!("exercise check {name}")));
    }
    if first(State::Unchecked).is_some() {
        return card.push(Look::Note, run("exercise check --all"));
    }
    match first(State::Reference) {
        Some(status) => {
            card.push(
                Look::Note,
                run(&format!("exercise start {}", status.exercise.name)),
            );
            if statuses.iter().any(Status::is_own) {
                card.text("What you have written runs already: cargo run -- mine translate");
            }
        }
        None => card.push(Look::Note, run("mine translate")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Parts;
    use super::*;
    use crate::curriculum::exercises;
    use crate::lesson::progress::Progress;

    #[test]
    fn every_exercise_stands_once_on_the_map_and_every_part_where_it_runs() {
        let roles = || {
            ROLES
                .iter()
                .flat_map(|(_, roles)| roles.iter().map(|r| r.name))
        };
        for (_, _, exercise) in exercises() {
            assert_eq!(roles().filter(|name| *name == exercise.name).count(), 1);
        }
        assert_eq!(roles().count(), exercises().count());
        let apart = ROLES[2].1.iter().map(|role| role.name);
        let apart: Vec<_> = apart.collect();
        for (_, _, exercise) in exercises() {
            let is_part = Parts::NAMES.contains(&exercise.name);
            assert_ne!(is_part, apart.contains(&exercise.name), "{}", exercise.name);
        }
    }

    #[test]
    fn a_file_is_judged_as_it_is_now() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let workbook = Workbook::at(folder.path());
        let mut progress = Progress::default();
        let state = |progress: &Progress| {
            let all = statuses(exercises(), Some(&workbook), progress);
            let found = all.into_iter().find(|s| s.exercise.name == "attention");
            found.expect("it has a place").state
        };
        assert_eq!(state(&progress), State::Reference);
        let (_, name, exercise) = exercises()
            .find(|e| e.2.name == "attention")
            .expect("it is one");
        workbook.begin(exercise).expect("the folder can be written");
        assert_eq!(
            state(&progress),
            State::Reference,
            "the starter is not written"
        );
        std::fs::write(workbook.path(exercise), "// mine\n").expect("a file");
        assert_eq!(state(&progress), State::Unchecked);
        let done = progress.lesson_mut(name);
        (done.checked, done.failing) = (Some(sum("// mine\n")), true);
        assert_eq!(state(&progress), State::Failing);
        progress.lesson_mut(name).failing = false;
        assert_eq!(state(&progress), State::Passing);
        std::fs::write(workbook.path(exercise), "// changed\n").expect("a file");
        assert_eq!(state(&progress), State::Unchecked);
    }

    #[test]
    fn the_map_of_an_empty_folder_says_what_to_write_first() {
        let all = statuses(exercises(), None, &Progress::default());
        let text = card(&all, &Progress::default()).plain();
        assert!(
            text.starts_with("Your model: 0 of 25 functions are yours"),
            "{text}"
        );
        assert!(
            text.ends_with("Next: cargo run -- exercise start scale_embeddings\n"),
            "{text}"
        );
        let at = |name: &str| text.find(name).unwrap_or_else(|| panic!("{name}: {text}"));
        assert!(at("encoder_layer") < at("  multi_head_attention"));
        assert!(at("  multi_head_attention") < at("      attention"));
    }
}
