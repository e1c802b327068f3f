//! Opening of a lesson, whose stage must run once before it can be shown. A run slower than a key may wait is
//! computed on its own thread; meanwhile the screen stays as it was and keys are queued.

use std::time::Duration;

use super::{App, Station, lesson_index};
use crate::curriculum;
use crate::lesson::awaited::Awaited;
use crate::lesson::page;
use crate::lesson::walk::Walk;
use crate::lesson::{FrontEnd, Lesson};

/// A lesson being opened.
pub struct Opening {
    lesson: &'static Lesson,
    walk: Awaited<Walk>,
}

impl Opening {
    /// Time taken so far.
    pub fn elapsed(&self) -> Duration {
        self.walk.elapsed()
    }

    /// Message for the screen.
    pub fn words(&self) -> String {
        format!(
            "Opening lesson {:02}, {}: its first run is being computed. Esc cancels.",
            self.lesson.number, self.lesson.title
        )
    }
}

impl App {
    /// Opens a lesson where the learner stopped: at once, or once its first run is computed if that takes longer
    /// than a key may wait.
    pub fn open(&mut self, lesson: &'static Lesson) {
        self.open_at(lesson, None, self.waiting.patience);
    }

    /// Opens an entry of the list: a part of the core path where the learner goes on in it, or a lesson.
    pub fn open_station(&mut self, station: Station) {
        let path = curriculum::core_path();
        match station {
            Station::Part(part) => {
                let step = path.place_in(&path.parts[part], &self.progress);
                self.open_step(step, self.waiting.patience);
            }
            Station::Lesson(place) => self.open(curriculum::LESSONS[place]),
        }
    }

    /// Opens a page of the core path, which the learner follows from then on. A page of the open lesson is turned to;
    /// another lesson is opened as by [`App::open_at`].
    pub fn open_step(&mut self, step: usize, wait: Option<Duration>) {
        let path = curriculum::core_path();
        let Some(step) = path.steps.get(step) else {
            return;
        };
        let page = step.page_number();
        let open = self.open_lesson.as_mut();
        match open.filter(|open| open.walk.lesson().name == step.lesson.name) {
            Some(open) => {
                open.walk.core = Some(path);
                self.opening = None;
                self.close_overlay();
                self.turn_to(page);
            }
            None => self.begin(step.lesson, Some(page), true, wait),
        }
    }

    /// Follows the core path from the open page on, if the learner was there last.
    pub fn follow_core(&mut self) {
        let path = curriculum::core_path();
        let open = self
            .open_lesson
            .as_mut()
            .filter(|_| self.progress.is_core());
        if let Some(open) = open
            && let Some(step) = path.find(open.walk.lesson(), &open.walk.page().id)
            && step == path.place(&self.progress)
        {
            open.walk.core = Some(path);
        }
    }

    /// Opens a lesson where the learner stopped, or at a page. If its first run takes longer than `wait`,
    /// [`App::take_opened`] opens it later and the screen stays as it is until then. Without `wait` it is open when
    /// this returns, or [`App::notice`] says why not.
    pub fn open_at(
        &mut self,
        lesson: &'static Lesson,
        page: Option<usize>,
        wait: Option<Duration>,
    ) {
        self.begin(lesson, page, false, wait);
    }

    /// Opens a lesson, along the core path or as such.
    pub fn begin(
        &mut self,
        lesson: &'static Lesson,
        page: Option<usize>,
        core: bool,
        wait: Option<Duration>,
    ) {
        self.opening = None;
        let patience = self.waiting.patience;
        let page = match page {
            Some(page) => page::ids(lesson.text).into_iter().nth(page),
            None => Walk::resumes_at(lesson, &self.progress),
        };
        let walk = move || {
            let mut walk = Walk::at(lesson, page.as_deref(), FrontEnd::Screen, patience)?;
            walk.core = core.then(curriculum::core_path);
            Ok(walk)
        };
        let Some(wait) = wait else {
            return self.enter(walk());
        };
        let walk = Awaited::begin(walk);
        match walk.within(wait) {
            Some(walk) => self.enter(walk),
            None => {
                // The part stays selected while its page is being opened.
                if !core {
                    let place = lesson_index(lesson.name).map(Station::Lesson);
                    self.list.chosen = place.unwrap_or(self.list.chosen);
                }
                self.opening = Some(Opening { lesson, walk });
            }
        }
    }

    /// Enters the lesson being opened if its first run is done; `true` if there is something new to see.
    pub fn take_opened(&mut self) -> bool {
        let opening = self.opening.as_ref();
        let Some(walk) = opening.and_then(|opening| opening.walk.within(Duration::ZERO)) else {
            return false;
        };
        (self.opening, self.notice) = (None, None);
        self.enter(walk);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::update::{Message, take_computed, update};
    use crate::clock::Instant;
    use std::thread;

    use super::*;
    use crate::curriculum;
    use crate::lesson::progress::Progress;
    use crate::screen::key::{KeyCode, KeyEvent, KeyModifiers};
    use crate::widgets::theme::Theme;

    fn press(app: &mut App, code: KeyCode) {
        update(app, Message::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// An app that never waits, in the list of lessons, with one selected whose first run takes a second.
    fn hurried() -> App {
        let mut app = App::new(None, Theme::mono(), Progress::default(), None);
        app.waiting.patience = Some(Duration::ZERO);
        app.list.chosen = Station::Lesson(lesson_index("looking-inside").unwrap());
        app
    }

    #[track_caller]
    fn wait(app: &mut App) {
        let end = Instant::now() + Duration::from_secs(60);
        while app.is_computing() {
            take_computed(app);
            assert!(Instant::now() < end, "the lesson never came");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_lesson_that_takes_its_time_is_entered_when_it_is_there_and_keys_wait_for_it() {
        let mut app = hurried();
        press(&mut app, KeyCode::Enter);
        assert!(
            app.open_lesson.is_none() && app.is_computing(),
            "the list stays"
        );
        press(&mut app, KeyCode::Char('n'));
        let notice = app.notice.clone().unwrap_or_default();
        assert!(
            notice.starts_with("The lesson is still opening"),
            "{notice}"
        );
        press(&mut app, KeyCode::Tab);
        assert_eq!(app.waiting.queued.len(), 1, "no page is turned unseen");
        wait(&mut app);
        let open = app.open_lesson.as_ref().expect("the lesson is open");
        assert_eq!(open.walk.lesson().name, "looking-inside");
        assert_eq!(open.walk.page, 0);
        assert!(app.notice.is_none());
        assert!(app.waiting.queued.is_empty() && open.pane != super::super::Pane::Read);
    }

    #[test]
    fn cancelling_an_opening_lesson_stays_in_the_list() {
        for key in [KeyCode::Esc, KeyCode::Char('q')] {
            let mut app = hurried();
            press(&mut app, KeyCode::Enter);
            press(&mut app, KeyCode::Tab);
            press(&mut app, key);
            assert!(app.opening.is_none() && app.waiting.queued.is_empty());
            assert!(!app.quit && !app.list.ending && app.notice.is_some());
            take_computed(&mut app);
            assert!(app.open_lesson.is_none());
        }
    }

    #[test]
    fn a_page_that_was_found_is_open_as_soon_as_its_lesson_is() {
        let mut app = hurried();
        let lesson = curriculum::find("decoding").unwrap();
        app.open_at(lesson, Some(3), Some(Duration::ZERO));
        wait(&mut app);
        assert_eq!(app.open_lesson.as_ref().map(|open| open.walk.page), Some(3));
    }
}
