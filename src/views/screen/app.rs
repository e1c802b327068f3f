//! State of the walkthrough. `update` changes it, `view` draws it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::screen::key::KeyEvent;
use ratatui::layout::Rect;

mod open;
mod opening;
mod places;
mod sentence;
mod station;

pub use open::{Lines, OpenLesson, PageVisit, ViewState, WrapKey, WrappedPage};
pub use opening::Opening;
pub use station::{Station, lesson_index};

use super::clock::Playing;
use super::entries;
use super::layout::ScreenSize;
pub use super::overlay::{Choice, GradientCard, Hunting, Judging, Overlay, TermCard};
pub use super::pointer::{Card, Pane, Target, VisibleLines};
use crate::curriculum::{self, LESSONS, PLAYGROUND};
use crate::lesson::core_path::Step;
use crate::lesson::page::Predict;
use crate::lesson::picture::{Job, Status, Steered};
use crate::lesson::progress::{Progress, today};
use crate::lesson::session::Focus;
use crate::lesson::walk::{Questions, Walk};
use crate::lesson::{Body, Lesson, work};
use crate::widgets::prose::ProseStyle;
use crate::widgets::theme::Theme;

/// Time after which the screen says that a run is being computed; shown earlier, the message would only flicker.
const SLOW: Duration = Duration::from_millis(100);

/// Entire state of the screen.
pub struct App {
    /// The learner's progress in all lessons.
    pub progress: Progress,
    /// The open lesson; `None` in the list of lessons.
    pub open_lesson: Option<OpenLesson>,
    /// The lesson being opened.
    pub opening: Option<Opening>,
    /// The list of lessons.
    pub list: LessonList,
    /// Work started in a lesson that continues after the lesson is left.
    pub live: Option<Arc<dyn Steered>>,
    /// Message to the learner, shown until the next key.
    pub notice: Option<String>,
    /// True if the page of an experiment was left, so that the experiment must stop.
    pub stop_job: bool,
    /// Overlay in place of the text pane.
    pub overlay: Option<Overlay>,
    /// First line shown of the overlay's text.
    pub overlay_line: usize,
    /// Group of commands that the help lists.
    pub help_group: Option<usize>,
    /// Overlay that the help covers, to which closing the help returns.
    pub covered_overlay: Option<Overlay>,
    /// The learner's file for the open exercise, if known.
    pub file: Option<PathBuf>,
    /// Animation on the stage.
    pub playing: Option<Playing>,
    /// The terminal, and how to draw on it.
    pub display: Display,
    /// True once the program is to end.
    pub quit: bool,
    /// What keys do while a run is being computed.
    pub waiting: Waiting,
    /// The answer being judged.
    pub judging: Option<Judging>,
    /// The case of the hunt that is open or was left.
    pub hunting: Option<Hunting>,
    /// What the last frame showed.
    pub last_frame: LastFrame,
}

/// State of the list of lessons.
#[derive(Default)]
pub struct LessonList {
    /// Entry selected.
    pub chosen: Station,
    /// Digits of a lesson's number typed so far.
    pub digits: String,
    /// True if a number has just opened its lesson; an Enter that follows belongs to the number.
    pub opened: bool,
    /// Whether `q` was pressed; pressing it again ends the program.
    pub ending: bool,
}

/// The terminal, and how to draw on it.
pub struct Display {
    /// Size of the screen, in columns and rows.
    pub size: (u16, u16),
    /// Colour theme.
    pub theme: Theme,
    /// True if animations are disabled.
    pub still: bool,
    /// True while the program captures the mouse.
    pub mouse: bool,
}

/// Keys, and the run that they wait for.
#[derive(Default)]
pub struct Waiting {
    /// Longest time that a key waits for a run of the stage; `None` for no limit. A slower run is picked up by
    /// [`take_computed`](super::update::take_computed).
    pub patience: Option<Duration>,
    /// Keys waiting for the run being computed.
    pub queued: VecDeque<KeyEvent>,
}

/// What the mouse and the keys that scroll need to know of the last frame, which `view` records.
#[derive(Default)]
pub struct LastFrame {
    /// Mouse targets; where several overlap, the last is on top.
    pub targets: RefCell<Vec<(Rect, Target)>>,
    /// Part of the scrollable text that was visible.
    pub shown: Cell<VisibleLines>,
}

impl App {
    /// Creates the walkthrough at its list of lessons, or in `lesson`.
    pub fn new(
        lesson: Option<&'static Lesson>,
        theme: Theme,
        progress: Progress,
        notice: Option<String>,
    ) -> Self {
        let mut app = Self {
            progress,
            open_lesson: None,
            opening: None,
            live: None,
            list: LessonList::default(),
            notice,
            stop_job: false,
            overlay: None,
            overlay_line: 0,
            help_group: None,
            covered_overlay: None,
            file: None,
            playing: None,
            display: Display {
                size: (80, 24),
                theme,
                still: true,
                mouse: true,
            },
            quit: false,
            waiting: Waiting::default(),
            judging: None,
            hunting: None,
            last_frame: LastFrame::default(),
        };
        app.choose_next();
        if let Some(lesson) = lesson {
            app.open(lesson);
        }
        app
    }

    /// Focuses a pane of the open lesson and selects the current view in the run's list.
    pub fn focus(&mut self, pane: Pane) {
        let Some(open) = &mut self.open_lesson else {
            return;
        };
        if pane == Pane::Why && open.pane != pane {
            open.entry = entries::looked_at(&open.walk.session);
        }
        open.pane = pane;
    }

    /// Targets at a screen position, the topmost last.
    pub fn pointed_at(&self, column: u16, row: u16) -> Vec<(Rect, Target)> {
        let targets = self.last_frame.targets.borrow();
        let hit = targets
            .iter()
            .filter(|(rect, _)| rect.contains((column, row).into()));
        hit.copied().collect()
    }

    /// Animates how the current result is computed, if its operation has an animation and the stage is visible.
    pub fn play_movement(&mut self) {
        let seen = self.sees_stage() && self.unanswered().is_none();
        let open = self
            .open_lesson
            .as_ref()
            .filter(|open| seen && open.page.job.is_none());
        self.playing = open.and_then(|open| Playing::of(&open.walk.session));
    }

    /// True if the stage is visible.
    fn sees_stage(&self) -> bool {
        let beside = !self.shows_one_pane();
        let alone = |open: &OpenLesson| open.full || open.pane == Pane::Stage;
        let open = self.open_lesson.as_ref();
        open.is_some_and(|open| beside || (self.overlay.is_none() && alone(open)))
    }

    /// Records a mouse target.
    pub fn mark(&self, rect: Rect, target: Target) {
        self.last_frame.targets.borrow_mut().push((rect, target));
    }

    /// The work in progress, if any.
    pub fn working(&self) -> Option<&Arc<dyn Steered>> {
        self.live
            .as_ref()
            .filter(|work| work.status() != Status::Idle)
    }

    /// True while a gradient check is running for the screen.
    pub fn is_checking_gradient(&self) -> bool {
        let Some(Overlay::GradientCheck(card)) = &self.overlay else {
            return false;
        };
        card.request.is_ok() && card.result.as_ref().is_none_or(|result| !result.done)
    }

    /// Opens an overlay at its first line, in place of any other.
    pub fn show(&mut self, overlay: Overlay) {
        if let Some(Overlay::Ask(questions)) = self.overlay.replace(overlay) {
            self.put_away_quiz(questions);
        }
        self.overlay_line = 0;
    }

    /// Closes the overlay.
    pub fn close_overlay(&mut self) {
        if let Some(Overlay::Ask(questions)) = self.overlay.take() {
            self.put_away_quiz(questions);
        }
    }

    /// Keeps a quiz that is left before its end; it is continued when it is opened again.
    pub fn put_away_quiz(&mut self, questions: Questions) {
        if let Some(open) = &mut self.open_lesson
            && questions.quiz
        {
            open.quiz = (!questions.is_over()).then_some(questions);
        }
    }

    /// Enters a lesson whose stage has run.
    pub(super) fn enter(&mut self, walk: Result<Walk, String>) {
        let walk = match walk {
            Ok(walk) => walk,
            Err(sentence) => {
                self.notice = Some(sentence);
                return;
            }
        };
        let (lesson, page) = (walk.lesson(), walk.page);
        self.list.chosen = Station::of(&walk).unwrap_or(self.list.chosen);
        self.open_lesson = Some(OpenLesson {
            walk,
            pane: Pane::Read,
            full: false,
            entry: 0,
            page: PageVisit::default(),
            begun: None,
            quiz: None,
            exercise: lesson.exercise.as_ref(),
            covered_lesson: None,
            wrapped: RefCell::new(None),
        });
        self.overlay = None;
        self.turn_to(page);
        let plays = self.plays();
        if let Some(open) = self.open_lesson.as_mut().filter(|_| plays) {
            open.walk.session.set_focus(Focus::Picture(0));
        }
        self.begin_with_picture();
    }

    /// Where one pane is visible at a time, begins the tour with its picture: a translation that writes itself.
    pub fn begin_with_picture(&mut self) {
        let small = self.screen_size() <= ScreenSize::One;
        let open = self.open_lesson.as_mut().filter(|_| small);
        if let Some(open) = open.filter(|open| open.walk.is_tour() && open.walk.page == 0) {
            open.pane = Pane::Stage;
        }
    }

    /// Selects what to continue with: on the core path the part that is open, else the lesson opened last; the one after
    /// it if all of its pages were read.
    pub fn choose_next(&mut self) {
        let path = curriculum::core_path();
        let last = self.progress.last();
        let open = self.progress.core_page();
        let follows =
            self.progress.is_core() && open.is_none_or(|(lesson, _)| last == Some(lesson));
        if (last.is_none() || follows) && !path.steps.is_empty() {
            let part = path.steps[path.place(&self.progress)].part;
            let read = |step: &Step| step.is_read(&self.progress);
            let finished = path.pages(&path.parts[part]).iter().all(read);
            let next = if finished { part + 1 } else { part };
            self.list.chosen = Station::Part(next.min(path.parts.len() - 1));
        } else if let Some(last) = last.and_then(lesson_index) {
            let finished = self.has_read(LESSONS[last]) && last + 1 < LESSONS.len();
            self.list.chosen = Station::Lesson(if finished { last + 1 } else { last });
        }
    }

    /// Lets time pass; true if the open page counts as read from now on.
    pub fn pass(&mut self, time: Duration) -> bool {
        let open = self.open_lesson.as_mut();
        open.is_some_and(|open| open.walk.pass(time, &mut self.progress))
    }

    /// True if the learner has read every page of a lesson.
    pub fn has_read(&self, lesson: &Lesson) -> bool {
        self.progress.lesson(lesson.name).pages.len() >= lesson.page_count()
    }

    /// True if the playground is open.
    pub fn plays(&self) -> bool {
        let open = self.open_lesson.as_ref();
        open.is_some_and(|open| std::ptr::eq(open.walk.session.lesson(), &raw const **PLAYGROUND))
    }

    /// Goes to a page and sets up its stage.
    pub fn turn_to(&mut self, page: usize) {
        let Some(open) = &mut self.open_lesson else {
            return;
        };
        open.pane = Pane::Read;
        open.page = PageVisit::default();
        self.last_frame.shown.take();
        self.stop_job = true;
        let last = self.progress.last().map(str::to_owned);
        let pressed = open.walk.turn_to(page, &mut self.progress);
        // On the next start, continue in the course, not in the playground.
        let beside = std::ptr::eq(open.walk.lesson(), &raw const **PLAYGROUND);
        if let Some(last) = last.filter(|_| beside) {
            self.progress.lesson_mut(&last);
        }
        let pressed = pressed.and_then(|keys| {
            if open.walk.session.is_computing() {
                open.page.keys = keys;
                Ok(())
            } else {
                crate::command::press(&mut open.walk.session, &keys)
            }
        });
        self.notice = pressed.err().or(self.notice.take());
    }

    /// True while a lesson's first run, another run, or an answer is being computed.
    pub fn is_computing(&self) -> bool {
        let hunts = matches!(self.hunting, Some(Hunting::Busy(_)));
        hunts || self.judging.is_some() || self.awaits_run()
    }

    /// True while a run is being computed, a lesson's first or another.
    pub fn awaits_run(&self) -> bool {
        let open = self.open_lesson.as_ref();
        self.opening.is_some() || open.is_some_and(|open| open.walk.session.is_computing())
    }

    /// Time that the run in progress has taken so far.
    fn run_for(&self) -> Duration {
        let open = self.open_lesson.as_ref();
        let run = open.map_or(Duration::ZERO, |open| open.walk.session.computing_for());
        let first = self
            .opening
            .as_ref()
            .map_or(Duration::ZERO, Opening::elapsed);
        run.max(first)
    }

    /// True if the computation is slow enough for the screen to say so.
    pub(super) fn is_slow(&self) -> bool {
        self.judging.is_some() || self.run_for() >= SLOW
    }

    /// Progress of a slow computation: `42 %` if known, else the seconds taken; empty in the first second.
    pub fn how_far(&self) -> Option<String> {
        if !self.is_slow() {
            return None;
        }
        let run = self.run_for();
        let judged = (self.judging.as_ref()).map_or(Duration::ZERO, |j| j.verdict.elapsed());
        let seconds = run.max(judged).as_secs();
        Some(match (work::share(), seconds) {
            (_, 0) => String::new(),
            (Some(share), _) => format!("{:.0} %", 100.0 * share),
            (None, seconds) => format!("{seconds} s"),
        })
    }

    /// Number of the page's blocks shown; those after an unanswered question would give the answer away.
    pub fn blocks_shown(&self) -> usize {
        let open = self.open_lesson.as_ref();
        open.map_or(0, |open| open.walk.blocks_shown(&self.progress))
    }

    /// First unanswered question of the page. The response to an answer, right or wrong, refers to the stage, which
    /// is visible from then on.
    pub fn unanswered(&self) -> Option<&Predict> {
        if let Some(Overlay::Ask(asked)) = &self.overlay
            && !asked.quiz
            && asked.tried().is_empty()
        {
            return Some(asked.question());
        }
        self.open_lesson.as_ref()?.walk.unanswered(&self.progress)
    }

    /// True if the page's question still hides the stage; if so, tells the learner what to do.
    pub fn asks_first(&mut self) -> bool {
        let hidden = self.unanswered().is_some();
        if hidden {
            let words = "Predict first: press p to answer; then the stage shows.";
            self.notice = Some(words.to_owned());
        }
        hidden
    }

    /// Opens the questions of the page.
    pub fn ask_page(&mut self) {
        let Some(open) = &mut self.open_lesson else {
            return;
        };
        open.page.met = true;
        let questions = open.walk.open_predictions(&self.progress);
        self.ask(questions);
    }

    /// Opens the lesson's quiz, or continues it where it was left.
    pub fn ask_quiz(&mut self) {
        let Some(open) = &mut self.open_lesson else {
            return;
        };
        if let Some(mut left) = open.quiz.take() {
            left.go_on();
            return self.ask(left);
        }
        let earlier = curriculum::before(&open.walk, &self.progress);
        match open.walk.quiz(&earlier, &self.progress, today()) {
            Ok(questions) if questions.is_empty() => {
                self.notice = Some("There is no quiz here.".to_owned());
            }
            Ok(questions) => self.ask(questions),
            Err(e) => self.notice = Some(e),
        }
    }

    fn ask(&mut self, questions: Questions) {
        if questions.is_empty() {
            self.notice = Some("This page asks nothing; z opens the lesson's quiz.".to_owned());
        } else {
            self.show(Overlay::Ask(questions));
        }
    }

    /// Animated drawing that starts as soon as it is shown, once for each page and setting of the stage.
    pub fn begins(&mut self) -> Option<Job> {
        let open = self.open_lesson.as_mut()?;
        let session = &open.walk.session;
        let Some(Body::Job(job)) = session.picture().map(|p| &p.body) else {
            return None;
        };
        let now = Some((open.walk.page, session.settings().to_string()));
        if job.pace.is_zero() || session.is_computing() || open.begun == now {
            return None;
        }
        let job = job.clone();
        (open.begun, open.page.job) = (now, None);
        Some(job)
    }

    /// Style of the text, which knows the switches that are on.
    pub fn prose(&self) -> ProseStyle {
        let session = self.open_lesson.as_ref().map(|open| &open.walk.session);
        ProseStyle {
            on: session.map_or(Vec::new(), |s| s.requested().mistakes().collect()),
            ..ProseStyle::of(&self.display.theme)
        }
    }
}
