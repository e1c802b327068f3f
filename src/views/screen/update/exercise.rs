//! The exercises of the open lesson: their list, the selected one, and its hints.

use super::super::app::{App, Overlay};
use super::Effect;
use crate::curriculum;
use crate::lesson::exercise::bench::Event;
use crate::lesson::exercise::report::Card;
use crate::lesson::exercise::runner::Report;
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::mine::{self, ReachedMilestone};
use crate::lesson::{Exercise, Lesson};

/// The exercises of the open lesson.
fn exercises(app: &App) -> Vec<&'static Exercise> {
    let open = app.open_lesson.as_ref();
    open.map_or_else(Vec::new, |open| open.walk.lesson().exercises().collect())
}

/// Opens the lesson's exercise, or a list if it has several; a notice says so if it has none.
pub(super) fn ask(app: &mut App) -> Option<Effect> {
    let all = exercises(app);
    if all.len() < 2 {
        return open_current(app, Effect::Watch);
    }
    let current = app.open_lesson.as_ref()?.exercise;
    let first_open = || {
        all.iter()
            .position(|e| !e.done(&app.progress).solved)
            .unwrap_or_default()
    };
    let opened = matches!(app.overlay, Some(Overlay::Exercise(_)));
    let at = all
        .iter()
        .position(|e| opened && current.is_some_and(|current| current.name == e.name));
    app.show(Overlay::Exercises(at.unwrap_or_else(first_open)));
    // The list closes the card that it replaces; a check of another lesson goes on.
    opened.then_some(Effect::Unwatch)
}

/// Moves the selection in the list of exercises.
pub(super) fn choose(app: &mut App, by: isize) {
    let last = exercises(app).len().saturating_sub(1);
    if let Some(Overlay::Exercises(at)) = &mut app.overlay {
        *at = at.saturating_add_signed(by).min(last);
    }
}

/// Opens the exercise at index `n` of the list, or the selected one.
pub(super) fn open(app: &mut App, n: Option<usize>) -> Option<Effect> {
    let Some(Overlay::Exercises(chosen)) = &app.overlay else {
        return None;
    };
    let all = exercises(app);
    let Some(exercise) = all.get(n.unwrap_or(*chosen)) else {
        app.notice = Some(format!("There are {} exercises here.", all.len()));
        return None;
    };
    app.open_lesson.as_mut()?.exercise = Some(exercise);
    open_current(app, Effect::Watch)
}

/// The exercise selected in the list, or else the one opened last.
fn selected(app: &App) -> Option<&'static Exercise> {
    match app.overlay {
        Some(Overlay::Exercises(at)) => exercises(app).get(at).copied(),
        _ => app.open_lesson.as_ref()?.exercise,
    }
}

/// Opens the editor on the exercise selected in the list, or else on the one opened last.
pub(super) fn edit(app: &mut App) -> Option<Effect> {
    let exercise = selected(app);
    app.open_lesson.as_mut()?.exercise = exercise;
    open_current(app, Effect::Editor)
}

/// Begins the exercise selected in the list, or else the one opened last, at its next tier. A file in which the learner
/// has written stays as it is.
pub(super) fn change_tier(app: &mut App) -> Option<Effect> {
    let Some(exercise) = selected(app) else {
        app.notice = app.open_lesson.as_ref()?.walk.lesson().exercise().err();
        return None;
    };
    match Workbook::find() {
        Ok(book) => begin_at_next_tier(app, exercise, &book),
        Err(sentence) => {
            app.notice = Some(sentence);
            None
        }
    }
}

fn begin_at_next_tier(app: &mut App, exercise: &Exercise, book: &Workbook) -> Option<Effect> {
    let tier = exercise.tier(&app.progress).next();
    let (name, begins) = (exercise.name, tier.begins_with());
    let (notice, effect) = match book.begin_at(exercise, tier) {
        Err(sentence) => (sentence, None),
        Ok(_) if book.is_written(exercise) => {
            let file = Workbook::name(exercise);
            let reset = format!("exercise reset {name} --tier {tier}");
            (
                format!(
                    "{file} holds your work. To keep it under another name and begin anew: {reset}"
                ),
                None,
            )
        }
        Ok(_) => {
            exercise.choose(tier, &mut app.progress);
            (
                format!("{name} begins at the tier {tier}: {begins}."),
                Some(Effect::Save),
            )
        }
    };
    app.notice = Some(notice);
    effect
}

/// Shows the exercise opened last and the path of the learner's file; returns `effect` if there is one.
fn open_current(app: &mut App, effect: Effect) -> Option<Effect> {
    let open = app.open_lesson.as_ref()?;
    let Some(exercise) = open.exercise else {
        app.notice = open.walk.lesson().exercise().err();
        return None;
    };
    let book = Workbook::find().ok();
    app.file = book.map(|book| book.path(exercise));
    app.show(Overlay::Exercise(Card::default()));
    Some(effect)
}

/// Handles an event from the workbench of `exercise`. A result is recorded wherever the learner is by then; only this
/// exercise's card shows it, and elsewhere a notice does.
pub(super) fn on_event(
    app: &mut App,
    exercise: &'static Exercise,
    event: &Event,
) -> Option<Effect> {
    if let Some((lesson, card)) = card_of(app, exercise) {
        card.tell(lesson, exercise, event);
    }
    let Event::Checked(report) = event else {
        return None;
    };
    // Recording a result marks its lesson as the last one opened, which it may not be.
    let last = app.progress.last().map(str::to_owned);
    report.enter(exercise.done_mut(&mut app.progress));
    if let Some(last) = last {
        app.progress.lesson_mut(&last);
    }
    let reached = if report.passed() {
        mine::checked(curriculum::exercises(), &mut app.progress)
    } else {
        Vec::new()
    };
    match card_of(app, exercise) {
        Some((_, card)) => drop(card.lines.splice(0..0, mine::ceremony(&reached).lines)),
        None => app.notice = check_notice(exercise, report, &reached).or(app.notice.take()),
    }
    Some(Effect::Save)
}

/// Card of `exercise` with its lesson, while it is on the screen.
fn card_of<'a>(
    app: &'a mut App,
    exercise: &'static Exercise,
) -> Option<(&'static Lesson, &'a mut Card)> {
    let open = app.open_lesson.as_ref()?;
    let opened = open
        .exercise
        .is_some_and(|opened| std::ptr::eq(opened, exercise));
    let lesson = open.walk.lesson();
    match &mut app.overlay {
        Some(Overlay::Exercise(card)) if opened => Some((lesson, card)),
        _ => None,
    }
}

/// Notice about a check for a learner who is elsewhere; `None` if the exercise is still unwritten.
fn check_notice(
    exercise: &Exercise,
    report: &Report,
    reached: &[ReachedMilestone],
) -> Option<String> {
    if report.is_unwritten() {
        return None;
    }
    let name = exercise.name;
    let passed = if report.passed() {
        format!("{name} passes.")
    } else {
        format!("{name} does not pass yet; press x in its lesson to see why.")
    };
    let reached = reached
        .iter()
        .map(|(milestone, _)| format!("{}; X shows your model.", milestone.title));
    let sentences: Vec<_> = std::iter::once(passed).chain(reached).collect();
    Some(sentences.join(" "))
}

/// Gives one more hint for the current exercise; after the last hint, the lesson shows the code.
pub(super) fn hint(app: &mut App) {
    let chosen = selected(app);
    let Some(open) = &mut app.open_lesson else {
        return;
    };
    open.exercise = chosen;
    let Some(exercise) = chosen else {
        app.notice = open.walk.lesson().exercise().err();
        return;
    };
    let done = exercise.done_mut(&mut app.progress);
    done.take_hint(exercise.hints.len());
    let hints = &exercise.hints[..done.hints];
    let words = hints
        .iter()
        .enumerate()
        .map(|(i, h)| format!("{}. {h}\n", i + 1))
        .collect::<Vec<_>>()
        .join("\n");
    let more = match (done.hints < exercise.hints.len(), done.sees_the_code()) {
        (true, _) => "\nH gives a plainer one.",
        (false, false) => "\nH gives up: the lesson then shows the code.",
        (false, true) => "\nThe lesson shows the code.",
    };
    let title = match exercises(app).len() {
        1 => "Hints".to_owned(),
        _ => format!("Hints for {}", exercise.name),
    };
    app.show(Overlay::Words(title, words + more));
}

#[cfg(test)]
mod tests {
    use super::super::{Message, act, update};
    use super::*;
    use crate::lesson::Tier;
    use crate::lesson::exercise::runner::{Phase, Verdict};
    use crate::lesson::progress::Progress;
    use crate::widgets::theme::Theme;

    fn app(lesson: &str) -> App {
        let lesson = curriculum::find(lesson).expect("it is a lesson");
        App::new(Some(lesson), Theme::mono(), Progress::default(), None)
    }

    fn opened(app: &App) -> &'static str {
        let open = app.open_lesson.as_ref().expect("a lesson is open");
        open.exercise.expect("it has one").name
    }

    #[test]
    fn a_lesson_with_several_exercises_asks_which_one_and_remembers_it() {
        let mut app = app("attention");
        assert_eq!(opened(&app), "attention", "the core one at first");
        ask(&mut app);
        assert!(matches!(app.overlay, Some(Overlay::Exercises(0))));
        choose(&mut app, 5);
        choose(&mut app, -1);
        assert!(matches!(open(&mut app, None), Some(Effect::Watch)));
        assert_eq!(opened(&app), "softmax");
        let file = app.file.clone().expect("the package is there");
        assert!(file.ends_with("exercises/softmax.rs"), "{file:?}");
        ask(&mut app);
        assert!(matches!(app.overlay, Some(Overlay::Exercises(0))));
        assert!(open(&mut app, Some(7)).is_none() && app.notice.is_some());
        open(&mut app, Some(1));
        assert_eq!(opened(&app), "attention");
    }

    #[test]
    fn the_list_begins_at_the_first_that_is_not_solved() {
        let mut app = app("attention");
        let (_, first) = curriculum::exercise("softmax").expect("it is one");
        first.done_mut(&mut app.progress).solved = true;
        ask(&mut app);
        assert!(matches!(app.overlay, Some(Overlay::Exercises(1))));
    }

    #[test]
    fn a_lesson_with_one_exercise_opens_it_and_one_without_says_so() {
        let mut one = app("masks");
        assert!(matches!(ask(&mut one), Some(Effect::Watch)));
        assert_eq!(opened(&one), "subsequent_mask");
        let mut none = app("tour");
        assert!(ask(&mut none).is_none() && none.notice.is_some());
    }

    fn solved(app: &App, name: &str) -> bool {
        let (_, exercise) = curriculum::exercise(name).expect("it is one");
        exercise.done(&app.progress).solved
    }

    #[test]
    fn an_exercise_changes_its_tier_until_something_is_written() {
        let mut app = app("masks");
        let (_, exercise) = curriculum::exercise("subsequent_mask").expect("it is one");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let book = Workbook::at(folder.path());
        let effect = begin_at_next_tier(&mut app, exercise, &book);
        assert!(matches!(effect, Some(Effect::Save)));
        assert_eq!(exercise.tier(&app.progress), Tier::Open);
        let notice = app.notice.take().expect("it says so");
        assert!(notice.ends_with("open: contract and example."), "{notice}");
        std::fs::write(book.path(exercise), "// work\n").expect("a file");
        assert!(begin_at_next_tier(&mut app, exercise, &book).is_none());
        assert_eq!(exercise.tier(&app.progress), Tier::Open);
        let notice = app.notice.expect("it says why");
        assert!(notice.ends_with("--tier blank"), "{notice}");
    }

    /// Message that a check of the exercise has passed.
    fn passed(name: &str) -> Message {
        let (_, exercise) = curriculum::exercise(name).expect("it is one");
        let report = Report {
            verdict: Verdict::Passed,
            warnings: Vec::new(),
            printed: String::new(),
            source: "fn attention() {}".to_owned(),
            begun: false,
            attempted: true,
            tier: Tier::Guided,
            seconds: 0.5,
        };
        Message::Exercise(exercise, Event::Checked(Box::new(report)))
    }

    /// The walkthrough in a lesson whose only exercise is being checked.
    fn checking(lesson: &str) -> App {
        let mut app = app(lesson);
        let effect = act(&mut app, super::super::Action::Exercise);
        assert!(matches!(effect, Some(Effect::Watch)));
        app
    }

    #[test]
    fn a_result_is_entered_for_the_exercise_that_was_checked() {
        let mut app = checking("masks");
        app.open(curriculum::find("multi-head").expect("it is a lesson"));
        assert_eq!(opened(&app), "multi_head_attention");
        let effect = update(&mut app, passed("subsequent_mask"));
        assert!(matches!(effect, Some(Effect::Save)));
        assert!(solved(&app, "subsequent_mask") && !solved(&app, "multi_head_attention"));
        assert!(
            app.notice
                .is_some_and(|notice| notice.starts_with("subsequent_mask passes"))
        );
        assert_eq!(
            app.progress.last(),
            Some("multi-head"),
            "where the learner is"
        );
    }

    #[test]
    fn the_card_shows_only_the_check_of_its_own_exercise() {
        let mut app = checking("masks");
        let lines = |app: &App| match &app.overlay {
            Some(Overlay::Exercise(card)) => (card.lines.len(), card.state.clone()),
            _ => panic!("the card is open"),
        };
        let (_, other) = curriculum::exercise("softmax").expect("it is one");
        update(
            &mut app,
            Message::Exercise(other, Event::Phase(Phase::Running)),
        );
        update(&mut app, passed("softmax"));
        assert_eq!(lines(&app), (0, String::new()));
        assert!(solved(&app, "softmax") && !solved(&app, "subsequent_mask"));
        update(&mut app, passed("subsequent_mask"));
        assert!(lines(&app).0 > 0 && solved(&app, "subsequent_mask"));
    }

    #[test]
    fn no_place_in_the_program_loses_a_result() {
        use super::super::Action;

        for exit in [
            &[Action::Play][..],
            &[Action::Map],
            &[Action::Full],
            &[Action::Help],
            &[Action::Palette],
            &[Action::Terms, Action::Close],
            &[Action::Hint, Action::Close],
        ] {
            let mut app = checking("masks");
            for action in exit {
                let effect = act(&mut app, *action);
                assert!(!matches!(effect, Some(Effect::Unwatch)), "{action:?}");
            }
            update(&mut app, passed("subsequent_mask"));
            assert!(solved(&app, "subsequent_mask"), "{exit:?}");
        }
    }

    #[test]
    fn closing_its_card_ends_a_check() {
        let mut app = checking("masks");
        let effect = act(&mut app, super::super::Action::Close);
        assert!(matches!(effect, Some(Effect::Unwatch)));
    }

    #[test]
    fn hints_are_counted_for_the_exercise_that_is_chosen() {
        let mut app = app("attention");
        ask(&mut app);
        hint(&mut app);
        let hints_of = |name: &str| {
            let (_, exercise) = curriculum::exercise(name).expect("it is one");
            exercise.done(&app.progress).hints
        };
        assert_eq!((hints_of("softmax"), hints_of("attention")), (1, 0));
    }
}
