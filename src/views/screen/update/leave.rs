//! Going on to the next page, closing what is open, leaving a lesson, ending the program.

use super::super::app::{App, OpenLesson, Overlay, Pane, TermCard};
use super::super::layout::{ScreenSize, Split};
use super::stage::{live, steer};
use super::{Effect, KeyReply, act, explain, hunt, scroll};
use crate::command::Action;
use crate::curriculum::{self, Next};
use crate::lesson::Body;
use crate::lesson::picture::{Progress as JobProgress, Status, Steer};
use crate::lesson::walk::{EndLabels, Turn};

/// The keys that lead on from the end of a lesson.
const WAYS: EndLabels = EndLabels {
    quiz: "Press z",
    own_words: "Press \" (the quotation mark)",
    exercise: "Press x",
    hunt: "Press C",
    next: "Press n",
};

/// Handles the answer to the question whether the program may end while work is in progress.
pub(super) fn leave(app: &mut App, key: &str) -> Option<Effect> {
    match key {
        "s" => {
            let work = app.live.clone()?;
            work.put_away();
            app.quit = true;
        }
        "x" => app.quit = true,
        "g" | "enter" => app.overlay = None,
        _ => {
            app.notice = Some("s saves and stops, x stops, g keeps training.".to_owned());
            return None;
        }
    }
    Some(Effect::Save)
}

/// Goes forward in the text (through the rest of the page, then to the next page), or back.
pub(super) fn page(app: &mut App, by: isize) -> Option<Effect> {
    if by > 0 && matches!(app.overlay, Some(Overlay::End(_))) {
        match curriculum::next(&app.open_lesson.as_ref()?.walk, &app.progress)? {
            Next::Lesson(lesson) => app.open(lesson),
            Next::Step(step) => app.open_step(step, app.waiting.patience),
        }
        return Some(Effect::Save);
    }
    if by > 0
        && let Some(Overlay::Ask(asked)) = &app.overlay
        && !asked.quiz
        && !asked.is_settled()
    {
        let (tried, id) = (!asked.tried().is_empty(), asked.question().id.clone());
        (app.overlay, app.judging) = (None, None);
        // A first answer has opened the rest of the page.
        if tried {
            app.read_on_after(&id);
            return None;
        }
        return turn_page(app, 1);
    }
    let shown = app.last_frame.shown.get();
    // A text above its picture is read card by card; elsewhere two lines stay in sight.
    let stay = match app.split_now() {
        Split::Above(_) => 0,
        _ => 2,
    };
    let rows = (shown.rows.saturating_sub(stay).max(1) as isize) * by.signum();
    if app.overlay.is_some() {
        scroll(app, rows);
        return None;
    }
    // Uncover the text, which may not have been read to its end.
    let pane = app.open_lesson.as_ref()?.pane;
    let alone = app.split() == Split::Tabs;
    if alone || (app.screen_size() == ScreenSize::Two && pane == Pane::Why) {
        app.focus(Pane::Read);
    }
    if by > 0 && alone && pane != Pane::Read {
        return None;
    }
    app.open_lesson.as_mut()?.full = false;
    // Keys may come faster than frames.
    let first = app.open_lesson.as_ref()?.page.scroll.min(shown.last());
    if (by > 0 && first < shown.last()) || (by < 0 && first > 0) {
        scroll(app, rows);
        return None;
    }
    turn_page(app, by)
}

/// Shows the card at the end of the open lesson.
pub(super) fn show_end(app: &mut App) {
    let Some(open) = &app.open_lesson else { return };
    let onward = curriculum::onward(&open.walk, &app.progress);
    let card = open.walk.end(&app.progress, &onward, &WAYS);
    app.show(Overlay::End(card));
}

/// Turns the page; going forwards, a question that has not been opened yet opens first.
fn turn_page(app: &mut App, by: isize) -> Option<Effect> {
    let open = app.open_lesson.as_ref()?;
    if by > 0 && !open.page.met && app.unanswered().is_some() {
        app.ask_page();
        app.notice.get_or_insert_with(|| {
            "This page asks first. A number answers; n leaves the question for later.".to_owned()
        });
        return None;
    }
    let skipped = by > 0 && app.unanswered().is_some();
    match open.walk.turn(by, &app.progress) {
        Turn::Start => {
            let words = "This is the first page. q leads to the other lessons.";
            app.notice = Some(words.to_owned());
            return None;
        }
        Turn::End => {
            show_end(app);
            return Some(Effect::Save);
        }
        Turn::Page(page) => app.turn_to(page),
        Turn::Step(step) => app.open_step(step, app.waiting.patience),
    }
    if skipped && app.notice.is_none() && app.opening.is_none() {
        let words = "The previous page has a question that is still open: N goes back, p asks it.";
        app.notice = Some(words.to_owned());
    }
    Some(Effect::Save)
}

/// Opens a page of the lesson in place of whatever covers the text.
pub(super) fn open_page(app: &mut App, page: usize) -> Option<Effect> {
    app.close_overlay();
    app.judging = None;
    app.focus(Pane::Read);
    app.open_lesson.as_mut()?.full = false;
    app.turn_to(page);
    Some(Effect::Save)
}

/// Opens the first page of the lesson, or of the part of the core path, or else its last page.
pub(super) fn open_end(app: &mut App, last: bool) -> Option<Effect> {
    let walk = &app.open_lesson.as_ref()?.walk;
    if let Some(part) = walk.part(&app.progress).filter(|_| walk.step().is_some()) {
        let step = if last {
            part.steps.end - 1
        } else {
            part.steps.start
        };
        app.open_step(step, app.waiting.patience);
        return Some(Effect::Save);
    }
    let page = if last {
        walk.pages.len().saturating_sub(1)
    } else {
        0
    };
    open_page(app, page)
}

/// Leads to the core path: at the page that is open, if the learner reads all pages and it is on the path, or else where
/// they left it. On the path, opens all pages of the lesson.
pub(super) fn core(app: &mut App) -> Option<Effect> {
    let path = curriculum::core_path();
    let follows = app.progress.is_core();
    let open = app.open_lesson.as_mut();
    let here = open.and_then(|open| {
        let step = path.find(open.walk.lesson(), &open.walk.page().id)?;
        Some((step, open))
    });
    match here {
        Some((_, open)) if open.walk.core.is_some() => {
            open.walk.core = None;
            app.progress.leave_core();
            app.notice =
                Some("All pages of this lesson are open. J goes back to the core path.".to_owned());
        }
        here => {
            let here = here.filter(|_| !follows).map(|(step, _)| step);
            let step = here.unwrap_or_else(|| path.place(&app.progress));
            app.notice = Some(format!(
                "You follow the core path, from “{}” on. J opens all pages of a lesson.",
                path.part_of(step).title
            ));
            app.open_step(step, app.waiting.patience);
        }
    }
    Some(Effect::Save)
}

/// Key that closes something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    /// Closes whatever is on top; pauses a training run in progress.
    Escape,
    /// Goes back to where the learner was; a training run in progress goes on.
    Q,
}

/// Closes the topmost thing that is open, if any is.
fn closed(app: &mut App, key: Key) -> KeyReply {
    app.waiting.queued.clear();
    if app.opening.take().is_some() {
        app.notice = Some("Cancelled; the lesson stays closed.".to_owned());
        return KeyReply::Handled(None);
    }
    // The question stays: another answer can be chosen.
    if app.judging.take().is_some() && matches!(app.overlay, Some(Overlay::Ask(_))) {
        app.notice = Some("Cancelled; this answer was not entered.".to_owned());
        return KeyReply::Handled(None);
    }
    if matches!(app.overlay, Some(Overlay::Hunt)) && key == Key::Escape && hunt::back(app) {
        return KeyReply::Handled(None);
    }
    // From the end of a lesson, q leads to the other lessons at once.
    let leaves = key == Key::Q && matches!(app.overlay, Some(Overlay::End(_)));
    if let Some(closed) = app.overlay.take_if(|_| !leaves) {
        // Closing anything else lets a running check finish.
        return KeyReply::Handled(match closed {
            Overlay::Help => {
                app.overlay = app.covered_overlay.take();
                None
            }
            Overlay::Exercise(_) => Some(Effect::Unwatch),
            Overlay::Explain(explain) => explain::put_away(app, &explain),
            Overlay::Ask(questions) => {
                if !questions.quiz && !questions.tried().is_empty() {
                    app.read_on_after(&questions.question().id);
                }
                app.put_away_quiz(questions);
                None
            }
            Overlay::Term(TermCard { from, .. }) => {
                app.overlay = from.map(Overlay::Terms);
                None
            }
            _ => None,
        });
    }
    let Some(open) = &mut app.open_lesson else {
        return KeyReply::NotMine;
    };
    if open.walk.session.stop_computing() {
        app.notice = Some("Cancelled; the previous run stays.".to_owned());
        return KeyReply::Handled(None);
    }
    let working = live(app).is_some_and(|live| live.work.status() == Status::Working);
    if working && key == Key::Escape {
        steer(app, Steer::Pause);
        return KeyReply::Handled(None);
    }
    let Some(open) = &mut app.open_lesson else {
        return KeyReply::NotMine;
    };
    if return_to_question(open) {
        return KeyReply::Handled(None);
    }
    // An experiment that has ended, or that started on its own, is closed with the lesson.
    let by_itself = matches!(open.walk.session.picture().map(|p| &p.body), Some(Body::Job(job)) if !job.pace.is_zero());
    let runs = |(_, progress): &mut (usize, JobProgress)| progress.done < 1.0;
    if !by_itself && open.page.job.take_if(runs).is_some() {
        return KeyReply::Handled(Some(Effect::Stop));
    }
    if open.full {
        open.full = false;
        return KeyReply::Handled(None);
    }
    KeyReply::NotMine
}

/// Restores the pane in which the learner asked about a cell, because the cell's run has been replaced.
pub(super) fn end_of_question(open: &mut OpenLesson) {
    let from = open.page.return_to.take();
    open.pane = from.map_or(Pane::Stage, |from| from.pane);
}

/// Returns to the cell or the box from which the learner asked, with the panes as they were; `false` if nothing was
/// asked.
fn return_to_question(open: &mut OpenLesson) -> bool {
    let session = &mut open.walk.session;
    let asked = session.stop_asking();
    match open.page.return_to.take() {
        Some(from) => {
            open.pane = from.pane;
            if session.focus() != from.focus {
                session.set_focus(from.focus);
            }
            // Fails only if the run has changed meanwhile; then the cursor stays.
            let _ = session.put_cursor(&from.cursor);
            true
        }
        None if asked => {
            open.pane = Pane::Stage;
            true
        }
        None => false,
    }
}

pub(super) fn close(app: &mut App) -> Option<Effect> {
    if let KeyReply::Handled(effect) = closed(app, Key::Escape) {
        return effect;
    }
    match &mut app.open_lesson {
        Some(open) if open.pane != Pane::Read => open.pane = Pane::Read,
        Some(_) => app.notice = Some("Nothing is open; q goes back to the lessons.".to_owned()),
        None => app.notice = Some("Q ends the program.".to_owned()),
    }
    None
}

pub(super) fn back(app: &mut App) -> Option<Effect> {
    if let KeyReply::Handled(effect) = closed(app, Key::Q) {
        return effect;
    }
    let Some(open) = &mut app.open_lesson else {
        // One q too many, after the one that left a lesson, must not end the program.
        if app.list.ending {
            return act(app, Action::Quit);
        }
        app.list.ending = true;
        app.notice = Some("q once more ends the program; your place is kept.".to_owned());
        return None;
    };
    app.open_lesson = open.covered_lesson.take().map(|covered| *covered);
    app.overlay = None;
    if app.open_lesson.is_none() {
        app.choose_next();
    }
    Some(Effect::Save)
}

#[cfg(test)]
mod tests {
    use super::super::{Message, update};
    use super::*;
    use crate::lesson::progress::Progress;
    use crate::screen::app::Station;
    use crate::screen::key::{KeyCode, KeyEvent, KeyModifiers};
    use crate::widgets::theme::Theme;

    fn app() -> App {
        App::new(None, Theme::mono(), Progress::default(), None)
    }

    fn press(app: &mut App, key: char) {
        let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
        update(app, Message::Key(key));
    }

    /// Lesson and id of the open page, whose questions then count as answered.
    fn open_page_of(app: &mut App) -> (&'static str, String) {
        let walk = &app.open_lesson.as_ref().expect("a lesson is open").walk;
        let (lesson, page) = (walk.lesson().name, walk.page().id.clone());
        let ids: Vec<String> = walk.page().predictions().map(|q| q.id.clone()).collect();
        let done = app.progress.lesson_mut(lesson);
        done.answers.extend(ids.into_iter().map(|id| (id, true)));
        (lesson, page)
    }

    #[test]
    fn n_visits_every_page_of_the_core_path_in_its_order_and_nothing_else() {
        let (mut app, path) = (app(), curriculum::core_path());
        app.open_station(Station::Part(0));
        for (at, step) in path.steps.iter().enumerate() {
            let here = open_page_of(&mut app);
            assert_eq!(here, (step.lesson.name, step.page.clone()), "step {at}");
            press(&mut app, 'n');
            let ends = at + 1 == path.part_of(at).steps.end;
            assert_eq!(
                matches!(app.overlay, Some(Overlay::End(_))),
                ends,
                "{here:?}"
            );
            if ends {
                press(&mut app, 'n');
            }
        }
        assert!(!path.is_read(&app.progress), "nobody reads so fast");
        // It ends there, and N goes back in the same order.
        assert!(matches!(app.overlay, Some(Overlay::End(_))));
        press(&mut app, 'q');
        app.open_station(Station::Part(1));
        let first = app
            .progress
            .core_page()
            .map(|(lesson, page)| (lesson.to_owned(), page.to_owned()));
        press(&mut app, 'N');
        let before = &path.steps[path.parts[1].steps.start - 1];
        assert_eq!(
            open_page_of(&mut app),
            (before.lesson.name, before.page.clone())
        );
        press(&mut app, 'n');
        press(&mut app, 'n');
        let (lesson, page) = open_page_of(&mut app);
        assert_eq!(Some((lesson.to_owned(), page)), first);
    }

    #[test]
    fn one_key_leads_back_to_the_core_path_from_a_page_or_a_lesson_beside_it() {
        let (mut app, path) = (app(), curriculum::core_path());
        let left = (path.steps.iter()).position(|step| step.lesson.name == "embeddings");
        let left = left.unwrap() + 2;
        app.open_step(left, None);
        let place = open_page_of(&mut app);
        let walk = &app.open_lesson.as_ref().unwrap().walk;
        let beside =
            |page: &crate::lesson::page::Page| path.find(walk.lesson(), &page.id).is_none();
        let beside = walk.pages.iter().position(beside).unwrap();
        for key in ['n', 'J'] {
            open_page(&mut app, beside);
            assert_ne!(open_page_of(&mut app), place);
            press(&mut app, key);
            assert_eq!(open_page_of(&mut app), place, "{key}");
        }
        // From a lesson that was opened as such, J leads back at once and n at its end.
        let other = &path.steps[path.steps.len() - 1].lesson;
        app.open(other);
        press(&mut app, 'n');
        let pages: Vec<String> = crate::lesson::page::ids(other.text);
        assert_eq!(open_page_of(&mut app), (other.name, pages[1].clone()));
        press(&mut app, 'J');
        assert_eq!(open_page_of(&mut app), place);
        app.open(other);
        open_page(&mut app, pages.len() - 1);
        open_page_of(&mut app);
        press(&mut app, 'n');
        assert!(matches!(app.overlay, Some(Overlay::End(_))));
        press(&mut app, 'n');
        assert_eq!(open_page_of(&mut app), place);
        // On the path, J opens all pages, and then n goes on in the lesson's order.
        press(&mut app, 'J');
        assert!(!app.progress.is_core());
        press(&mut app, 'J');
        assert!(app.progress.is_core());
        assert_eq!(open_page_of(&mut app), place);
    }
}
