//! The map of the learner's model: which function calls which, and which of them the learner has written.

use super::milestones::{MILESTONES, ReachedMilestone, after_check};
use super::roles::ROLES;
use super::status::{NumberedExercise, State, Status, statuses};
use crate::lesson::exercise::Kind;
use crate::lesson::exercise::report::{Card, Role as Look};
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::progress::Progress;
use crate::lesson::record;
use crate::lesson::started::program;

/// The map of the model in its present state.
pub fn map(exercises: impl Iterator<Item = NumberedExercise>, progress: &Progress) -> Card {
    let workbook = Workbook::find().ok();
    card(&statuses(exercises, workbook.as_ref(), progress), progress)
}

/// The map for a width of `columns`: what does not fit beside a function's name is left out, so that each has one line.
pub fn map_within(
    exercises: impl Iterator<Item = NumberedExercise>,
    progress: &Progress,
    columns: usize,
) -> Card {
    let workbook = Workbook::find().ok();
    let statuses = statuses(exercises, workbook.as_ref(), progress);
    card_within(&statuses, progress, columns)
}

/// Milestones newly reached through the checks passed so far.
pub fn checked(
    exercises: impl Iterator<Item = NumberedExercise>,
    progress: &mut Progress,
) -> Vec<ReachedMilestone> {
    let workbook = Workbook::find().ok();
    after_check(&statuses(exercises, workbook.as_ref(), progress), progress)
}

/// The whole map, the milestones, and what to do next.
pub fn card(statuses: &[Status], progress: &Progress) -> Card {
    card_within(statuses, progress, usize::MAX)
}

fn card_within(statuses: &[Status], progress: &Progress, columns: usize) -> Card {
    let mut card = Card::default();
    let (core, further): (Vec<_>, Vec<_>) = statuses
        .iter()
        .partition(|status| status.exercise.kind == Kind::Core);
    let own = core.iter().filter(|s| s.is_own()).count();
    let passing = core.iter().filter(|s| s.state == State::Passing);
    card.title(format!(
        "Your model: {own} of {} core functions are yours, {} of them pass",
        core.len(),
        passing.count()
    ));
    let (placed, further): (Vec<&Status>, Vec<&Status>) =
        further.into_iter().partition(|status| has_place(status));
    card.dim(format!(
        "So are {} of {} warm-ups and challenges in it. The references run in the other places. A function is below the \
         one that calls it.",
        placed.iter().filter(|status| status.is_own()).count(),
        placed.len()
    ));
    if columns < NARROW {
        card.dim("█ yours, passes   ✗ yours, fails");
        card.dim("▒ yours, unchecked   · reference");
    }
    for (title, roles) in &*ROLES {
        card.gap();
        card.title(title);
        for role in roles {
            if let Some(status) = statuses.iter().find(|s| s.exercise.name == role.name) {
                let name = format!("{}{}", "  ".repeat(role.depth), role.name);
                let (look, line) = line(&name, status, progress, role.does, columns);
                card.push(look, line);
            }
        }
    }
    card.gap();
    beside(&mut card, &further, progress, columns);
    card.gap();
    card.title("Milestones");
    for milestone in &*MILESTONES {
        match progress.milestones().get(&milestone.id) {
            Some(figures) => card.push(Look::Good, format!("★ {}: {figures}", milestone.title)),
            None => card.dim(format!("☆ {}: {}", milestone.title, milestone.how)),
        }
    }
    card.gap();
    card.title("Records");
    for level in record::LEVELS {
        let title = format!("Fewest looks in the hunt, level {level}");
        match record::best(level, progress) {
            Some(best) => card.push(Look::Good, format!("{title}: {best}")),
            None => card.dim(format!("{title}: `hunt`")),
        }
    }
    card.gap();
    next(&mut card, statuses);
    card
}

/// True if the exercise's function has a place on the map of the model.
fn has_place(status: &Status) -> bool {
    let mut roles = ROLES.iter().flat_map(|(_, roles)| roles.iter());
    roles.any(|role| role.name == status.exercise.name)
}

/// Appends the warm-ups and challenges that have no place in the model.
fn beside(card: &mut Card, further: &[&Status], progress: &Progress, columns: usize) {
    let own = further.iter().filter(|s| s.is_own()).count();
    let all = further.len();
    card.title(format!(
        "Warm-ups and challenges without a place in the model: {own} of {all} are yours"
    ));
    for status in further {
        let effort = status.exercise.effort();
        let (look, line) = line(status.exercise.name, status, progress, &effort, columns);
        card.push(look, line);
    }
}

/// Minimum width of a line that states the function's status; narrower lines have only a mark.
const NARROW: usize = 58;

/// Minimum width of a line that also says what the function does.
const WIDE: usize = 101;

fn line(
    name: &str,
    status: &Status,
    progress: &Progress,
    more: &str,
    columns: usize,
) -> (Look, String) {
    let beyond = status.exercise.done(progress).solved_beyond();
    let (mark, look, says) = match (status.state, beyond) {
        (State::Passing, Some(tier)) => ("█", Look::Good, format!("yours, passes ({tier})")),
        (State::Passing, None) => ("█", Look::Good, "yours, passes".to_owned()),
        (State::Failing, _) => ("✗", Look::Bad, "yours, fails".to_owned()),
        (State::Unchecked, _) => ("▒", Look::Note, "yours, unchecked".to_owned()),
        (State::Reference, _) => ("·", Look::Dim, "reference".to_owned()),
    };
    let lesson = status.lesson;
    let line = match columns {
        n if n < NARROW => format!("{mark} {lesson:02} {name}"),
        n if n < WIDE => format!("{mark} {lesson:02} {name:<31} {says}"),
        _ => format!("{mark} {lesson:02} {name:<31} {says:<21}  {more}"),
    };
    (look, line)
}

/// Appends what to do next: check, fix, write, and then translate.
fn next(card: &mut Card, statuses: &[Status]) {
    let first = |state: State| statuses.iter().find(|s| s.state == state);
    let program = program();
    let run = |what: &str| format!("Next: {program} {what}");
    if let Some(status) = first(State::Failing) {
        let name = status.exercise.name;
        return card.push(Look::Note, run(&format!("exercise check {name}")));
    }
    if first(State::Unchecked).is_some() {
        return card.push(Look::Note, run("exercise check --all"));
    }
    let mut core = statuses.iter().filter(|s| s.exercise.kind == Kind::Core);
    match core.find(|s| s.state == State::Reference) {
        Some(status) => {
            card.push(
                Look::Note,
                run(&format!("exercise start {}", status.exercise.name)),
            );
            if statuses.iter().any(Status::is_own) {
                card.text(format!(
                    "What you have written runs already: {program} mine translate"
                ));
            }
        }
        None => {
            card.push(Look::Note, run("mine translate"));
            card.text(format!(
                "Take your model with you, as a crate: {program} mine eject my-model"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Parts;
    use super::*;
    use crate::curriculum::exercises;
    use crate::lesson::Tier;
    use crate::testing::{assert_ends_with, assert_starts_with};

    #[test]
    fn every_core_exercise_and_every_part_is_on_the_map_once_where_it_runs() {
        let exercises = || {
            exercises().filter(|(_, _, e)| e.kind == Kind::Core || Parts::NAMES.contains(&e.name))
        };
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
    fn a_further_exercise_says_its_kind_and_minutes_and_is_counted_apart() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let workbook = Workbook::at(folder.path());
        let further: Vec<_> = exercises()
            .filter(|(_, _, e)| e.kind != Kind::Core && !Parts::NAMES.contains(&e.name))
            .collect();
        let (_, _, first) = further[0];
        workbook
            .begin(first, Tier::Guided)
            .expect("the folder can be written");
        std::fs::write(workbook.path(first), "// mine\n").expect("a file");
        let all = statuses(exercises(), Some(&workbook), &Progress::default());
        let text = card(&all, &Progress::default()).plain();
        let count = format!("in the model: 1 of {} are yours", further.len());
        assert!(text.contains(&count), "{text}");
        assert!(text.starts_with("Your model: 0 of 25 core functions are yours"));
        for (_, _, exercise) in further {
            let mut lines = text.lines().filter(|line| line.contains(exercise.name));
            let shown = lines.any(|line| line.ends_with(&exercise.effort()));
            assert!(shown, "{}: {text}", exercise.name);
        }
    }

    #[test]
    fn every_function_has_one_line_in_a_narrow_place_too() {
        let all = statuses(exercises(), None, &Progress::default());
        for columns in [36, 48, 56, 90, 120] {
            let text = card_within(&all, &Progress::default(), columns).plain();
            let lines = text.lines().filter(|line| line.starts_with("· "));
            let widths: Vec<usize> = lines.map(|line| line.chars().count()).collect();
            assert_eq!(widths.len(), all.len());
            assert!(
                widths.iter().all(|wide| *wide <= columns),
                "{columns}: {text}"
            );
        }
    }

    #[test]
    fn the_map_of_an_empty_folder_says_what_to_write_first() {
        let all = statuses(exercises(), None, &Progress::default());
        let text = card(&all, &Progress::default()).plain();
        assert_starts_with(&text, "Your model: 0 of 25 core functions are yours");
        assert_ends_with(
            &text,
            &format!("Next: {} exercise start scale_embeddings\n", program()),
        );
        let at = |name: &str| text.find(name).unwrap_or_else(|| panic!("{name}: {text}"));
        assert!(at("encoder_layer") < at("  multi_head_attention"));
        assert!(at("  multi_head_attention") < at("      attention"));
    }
}
