//! State of the walkthrough. `update` changes it, `view` draws it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use ratatui::text::Line;

mod opening;

pub use opening::Opening;

use super::clock::Playing;
use super::entries;
use super::layout::{Run, Tier, places};
pub use super::overlay::{Choice, Hunting, Judging, Overlay, Slope, TermCard};
pub use super::pointer::{Pane, Shown, Target};
use crate::curriculum::{self, LESSONS, PLAYGROUND};
use crate::lesson::page::Predict;
use crate::lesson::picture::{Job, Progress as JobProgress};
use crate::lesson::picture::{Status, Steered};
use crate::lesson::progress::{Progress, today};
use crate::lesson::session::Focus;
use crate::lesson::walk::Walk;
use crate::lesson::{Body, Exercise, Lesson, MOST, work};
use crate::widgets::prose::ProseStyle;
use crate::widgets::theme::Theme;

/// Time after which the screen says that a run is being computed; shown earlier, the message would only flicker.
const SLOW: Duration = Duration::from_millis(100);

/// Entire state of the screen.
pub struct App {
    /// The learner's progress in all lessons.
    pub progress: Progress,
    /// The open lesson; `None` in the list of lessons.
    pub room: Option<Room>,
    /// The lesson being opened.
    pub opening: Option<Opening>,
    /// Lesson selected in the list.
    pub chosen: usize,
    /// Digits of a lesson's number typed so far in the list.
    pub digits: String,
    /// Whether `q` was pressed in the list of lessons; pressing it again ends the program.
    pub ending: bool,
    /// Work started in a lesson that continues after the lesson is left.
    pub live: Option<Arc<dyn Steered>>,
    /// Message to the learner, shown until the next key.
    pub notice: Option<String>,
    /// Whether a page was left, so that its experiment must stop.
    pub left: bool,
    /// Overlay in place of the text pane.
    pub overlay: Option<Overlay>,
    /// First line shown of the overlay's text.
    pub overlay_line: usize,
    /// The learner's file for the open exercise, if known.
    pub file: Option<PathBuf>,
    /// Animation on the stage.
    pub playing: Option<Playing>,
    /// True if animations are disabled.
    pub still: bool,
    /// Colour theme.
    pub theme: Theme,
    /// True while the program captures the mouse.
    pub mouse: bool,
    /// True once the program is to end.
    pub quit: bool,
    /// Size of the screen, in columns and rows.
    pub size: (u16, u16),
    /// Longest time that a key waits for a run of the stage; `None` for no limit. A slower run is picked up by
    /// [`take_computed`](super::update::take_computed).
    pub patience: Option<Duration>,
    /// Keys waiting for the run being computed.
    pub queued: VecDeque<KeyEvent>,
    /// The answer being judged.
    pub judging: Option<Judging>,
    /// The case of the hunt that is open or was left.
    pub hunting: Option<Hunting>,
    /// Mouse targets of the last frame; where several overlap, the last is on top.
    pub targets: RefCell<Vec<(Rect, Target)>>,
    /// Part of the scrollable text shown by the last frame.
    pub shown: Cell<Shown>,
}

/// An open lesson.
pub struct Room {
    /// Stage and pages of the lesson.
    pub walk: Walk,
    /// Pane that has the focus.
    pub pane: Pane,
    /// True if the stage fills the screen.
    pub full: bool,
    /// True once the learner has asked for the run: its steps, pictures, knobs and mistakes are listed.
    pub explores: bool,
    /// True once a knob has been turned on this page: all knobs are shown.
    pub turned: bool,
    /// Entry selected in the run's list.
    pub entry: usize,
    /// Index of the symbol to point at next.
    pub symbol: usize,
    /// Index of the page's term whose card opens next.
    pub term: usize,
    /// Term of the last symbol pointed at, until a key asks for a term.
    pub pointed: Option<usize>,
    /// First line of text shown.
    pub scroll: usize,
    /// What the learner saw when asking where a cell came from, or what a box of a map holds: Esc leads back there.
    pub asked_from: Option<AskedFrom>,
    /// Whether the page's question has been opened on this visit; going on then leaves it for later.
    pub met: bool,
    /// Keys that the page presses once the current run is computed.
    pub keys: String,
    /// Page and settings for which an automatic animation was last started.
    pub begun: Option<(usize, String)>,
    /// The running experiment, or its result.
    pub job: Option<(usize, JobProgress)>,
    /// Exercise opened last; initially the core one, if the lesson has one.
    pub exercise: Option<&'static Exercise>,
    /// Lesson from which the playground was opened, as it was left.
    pub behind: Option<Box<Room>>,
    /// Cache of the page's wrapped lines.
    pub wrapped: RefCell<Option<Wrapped>>,
}

/// Panes and stage of an open lesson at one moment.
pub struct AskedFrom {
    /// Pane that had the focus.
    pub pane: Pane,
    /// What the stage showed.
    pub focus: Focus,
    /// The cursor on the stage.
    pub cursor: Vec<usize>,
}

/// A page's lines, each with its formulas' symbols: their columns, and their index in
/// [`of_page`](crate::lesson::symbols::of_page).
pub type Lines = Vec<(Line<'static>, Vec<(Range<u16>, usize)>)>;

/// A page's lines, preceded by what they depend on: page number, blocks shown, number of
/// exercises with folded code, width, and how much was highlighted.
pub type Wrapped = ((usize, usize, usize, u16, usize), Lines);

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
            room: None,
            opening: None,
            live: None,
            chosen: 0,
            digits: String::new(),
            ending: false,
            notice,
            left: false,
            overlay: None,
            overlay_line: 0,
            file: None,
            playing: None,
            still: true,
            theme,
            mouse: true,
            quit: false,
            size: (80, 24),
            patience: None,
            judging: None,
            hunting: None,
            queued: VecDeque::new(),
            targets: RefCell::default(),
            shown: Cell::default(),
        };
        app.choose_next();
        if let Some(lesson) = lesson {
            app.open(lesson);
        }
        app
    }

    /// Layout tier of the screen.
    pub fn tier(&self) -> Tier {
        Tier::of(self.size)
    }

    /// Width of the text, or of what takes its place, in columns.
    pub fn text_columns(&self) -> usize {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let read = self
            .room
            .as_ref()
            .and_then(|_| places(area, Run::Strip).read);
        usize::from(read.map_or(area.width, |pane| pane.width)).saturating_sub(4)
    }

    /// Focuses a pane of the open lesson and selects the current view in the run's list.
    pub fn focus(&mut self, pane: Pane) {
        let Some(room) = &mut self.room else { return };
        if pane == Pane::Why && room.pane != pane {
            room.entry = entries::looked_at(&room.walk.session);
        }
        room.pane = pane;
    }

    /// Targets at a screen position, the topmost last.
    pub fn pointed_at(&self, column: u16, row: u16) -> Vec<(Rect, Target)> {
        let targets = self.targets.borrow();
        let hit = targets
            .iter()
            .filter(|(rect, _)| rect.contains((column, row).into()));
        hit.copied().collect()
    }

    /// Animates how the current result is computed, if its operation has an animation and the stage is visible.
    pub fn play_movement(&mut self) {
        let seen = self.sees_stage() && self.unanswered().is_none();
        let room = self.room.as_ref().filter(|room| seen && room.job.is_none());
        self.playing = room.and_then(|room| Playing::of(&room.walk.session));
    }

    /// True if the stage is visible.
    fn sees_stage(&self) -> bool {
        let beside = self.tier() >= Tier::Two;
        let alone = |room: &Room| room.full || room.pane == Pane::Stage;
        let room = self.room.as_ref();
        room.is_some_and(|room| beside || (self.overlay.is_none() && alone(room)))
    }

    /// Records a mouse target.
    pub fn mark(&self, rect: Rect, target: Target) {
        self.targets.borrow_mut().push((rect, target));
    }

    /// The work in progress, if any.
    pub fn working(&self) -> Option<&Arc<dyn Steered>> {
        self.live
            .as_ref()
            .filter(|work| work.status() != Status::Idle)
    }

    /// True while a slope is being computed for the screen.
    pub fn waits_for_slope(&self) -> bool {
        let Some(Overlay::Slope(slope)) = &self.overlay else {
            return false;
        };
        slope.question.is_ok() && slope.result.as_ref().is_none_or(|result| !result.done)
    }

    /// Opens an overlay at its first line, in place of any other.
    pub fn show(&mut self, overlay: Overlay) {
        self.overlay = Some(overlay);
        self.overlay_line = 0;
    }

    /// Opens a lesson where the learner stopped: at once, or once its first run is computed if that takes longer
    /// than a key may wait.
    pub fn open(&mut self, lesson: &'static Lesson) {
        self.open_at(lesson, None, self.patience);
    }

    /// Enters a lesson whose stage has run, at a page or where the learner stopped.
    pub(super) fn enter(&mut self, walk: Result<Walk, String>, page: Option<usize>) {
        let walk = match walk {
            Ok(walk) => walk,
            Err(sentence) => {
                self.notice = Some(sentence);
                return;
            }
        };
        let (lesson, page) = (walk.lesson(), page.unwrap_or(walk.page));
        self.chosen = place(lesson.name).unwrap_or(self.chosen);
        self.room = Some(Room {
            walk,
            pane: Pane::Read,
            full: false,
            explores: false,
            turned: false,
            entry: 0,
            symbol: 0,
            term: 0,
            pointed: None,
            scroll: 0,
            asked_from: None,
            met: false,
            keys: String::new(),
            begun: None,
            job: None,
            exercise: lesson.exercise.as_ref(),
            behind: None,
            wrapped: RefCell::new(None),
        });
        self.overlay = None;
        self.turn_to(page);
        let plays = self.plays();
        if let Some(room) = self.room.as_mut().filter(|_| plays) {
            room.walk.session.set_focus(Focus::Picture(0));
        }
    }

    /// Selects the lesson to continue with: the last one opened, or the next one if all of its pages were read.
    pub fn choose_next(&mut self) {
        let Some(last) = self.progress.last().and_then(place) else {
            return;
        };
        let read = self.has_read(LESSONS[last]) && last + 1 < LESSONS.len();
        self.chosen = if read { last + 1 } else { last };
    }

    /// True if the learner has seen every page of a lesson.
    pub fn has_read(&self, lesson: &Lesson) -> bool {
        let done = self.progress.lesson(lesson.name);
        if self.progress.is_core() && lesson.is_core() {
            let core = lesson.core_page_ids();
            return core.iter().all(|id| done.pages.contains(id));
        }
        done.pages.len() >= lesson.page_count()
    }

    /// True if the playground is open.
    pub fn plays(&self) -> bool {
        let open = self.room.as_ref();
        open.is_some_and(|room| std::ptr::eq(room.walk.session.lesson(), &raw const **PLAYGROUND))
    }

    /// Translates a sentence: in the tour if that is open, else in the playground.
    pub fn translate(&mut self, sentence: &str) {
        match &mut self.room {
            Some(room) if room.walk.is_tour() => {
                // A page that still asks a question hides its picture: the first one shows the translation.
                if self.unanswered().is_some() {
                    self.turn_to(0);
                }
                let Some(room) = &mut self.room else { return };
                (room.job, room.begun) = (None, None);
                self.notice = room.walk.translate(Some(sentence)).err();
            }
            _ => self.play(Some(sentence)),
        }
        // If only one pane is visible, show the translation.
        if self.tier() <= Tier::One && self.notice.is_none() {
            self.focus(Pane::Stage);
        }
    }

    /// Translates the typed sentence; if that fails, the sentence stays, with the reason.
    pub fn translate_typed(&mut self) -> bool {
        let Some(Overlay::Sentence(typed)) = &self.overlay else {
            return false;
        };
        let (sentence, count) = (typed.text(), typed.count());
        self.notice = match sentence.trim() {
            "" => Some("Type a German sentence first; Esc closes this.".to_owned()),
            _ if count > MOST => Some(format!(
                "A sentence has {MOST} characters at most; this one has {count}."
            )),
            sentence => {
                self.overlay = None;
                self.translate(sentence);
                return true;
            }
        };
        false
    }

    /// Opens the playground, if it is not open yet, with this sentence or else with what the lesson shows: its
    /// sentence and model, or the training run. Going back leads to the lesson as it was left.
    pub fn play(&mut self, sentence: Option<&str>) {
        if !self.plays() {
            let mut behind = self.room.take();
            if let Some(room) = &mut behind {
                room.job = None;
            }
            self.open_at(PLAYGROUND, None, None);
            let Some(room) = &mut self.room else {
                self.room = behind;
                return;
            };
            let shown = behind.as_ref().map(|room| room.walk.session.settings());
            let carried = room.walk.carry(shown, self.live.as_ref());
            self.notice = carried.err().or(self.notice.take());
            room.behind = behind.map(Box::new);
        }
        if let (Some(room), Some(sentence)) = (&mut self.room, sentence) {
            self.notice = room.walk.translate(Some(sentence)).err();
        }
    }

    /// Goes to a page and sets up its stage.
    pub fn turn_to(&mut self, page: usize) {
        let Some(room) = &mut self.room else { return };
        room.scroll = 0;
        room.pane = Pane::Read;
        room.explores = false;
        room.turned = false;
        room.met = false;
        room.asked_from = None;
        room.symbol = 0;
        room.term = 0;
        room.pointed = None;
        self.shown.take();
        room.job = None;
        self.left = true;
        room.keys.clear();
        let last = self.progress.last().map(str::to_owned);
        let pressed = room.walk.turn_to(page, &mut self.progress);
        // On the next start, continue in the course, not in the playground.
        let beside = std::ptr::eq(room.walk.lesson(), &raw const **PLAYGROUND);
        if let Some(last) = last.filter(|_| beside) {
            self.progress.lesson_mut(&last);
        }
        let pressed = pressed.and_then(|keys| match room.walk.session.is_computing() {
            true => {
                room.keys = keys;
                Ok(())
            }
            false => super::command::press(&mut room.walk.session, &keys),
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
        let room = self.room.as_ref();
        self.opening.is_some() || room.is_some_and(|room| room.walk.session.is_computing())
    }

    /// Time that the run in progress has taken so far.
    fn run_for(&self) -> Duration {
        let room = self.room.as_ref();
        let run = room.map_or(Duration::ZERO, |room| room.walk.session.computing_for());
        let first = self.opening.as_ref().map_or(Duration::ZERO, Opening::taken);
        run.max(first)
    }

    /// True if the computation is slow enough for the screen to say so.
    pub fn is_slow(&self) -> bool {
        self.judging.is_some() || self.run_for() >= SLOW
    }

    /// Progress of a slow computation: `42 %` if known, else the seconds taken; empty in the first second.
    pub fn how_far(&self) -> Option<String> {
        if !self.is_slow() {
            return None;
        }
        let run = self.run_for();
        let judged = (self.judging.as_ref()).map_or(Duration::ZERO, |j| j.verdict.taken());
        let seconds = run.max(judged).as_secs();
        Some(match (work::share(), seconds) {
            (_, 0) => String::new(),
            (Some(share), _) => format!("{:.0} %", 100.0 * share),
            (None, seconds) => format!("{seconds} s"),
        })
    }

    /// Number of the page's blocks shown; those after an unanswered question would give the answer away.
    pub fn blocks_shown(&self) -> usize {
        let room = self.room.as_ref();
        room.map_or(0, |room| room.walk.blocks_shown(&self.progress))
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
        self.room.as_ref()?.walk.unanswered(&self.progress)
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

    /// Opens all questions of the page or of the quiz.
    pub fn ask(&mut self, in_quiz: bool) {
        let Some(room) = &mut self.room else { return };
        room.met |= !in_quiz;
        let asked = match in_quiz {
            true => {
                let earlier = curriculum::before(room.walk.lesson());
                room.walk.quiz(&earlier, &self.progress, today())
            }
            false => Ok(room.walk.open_predictions(&self.progress)),
        };
        match asked {
            Ok(asked) if asked.is_empty() => {
                self.notice = Some("This page asks nothing; z opens the lesson's quiz.".to_owned());
            }
            Ok(asked) => self.show(Overlay::Ask(asked)),
            Err(e) => self.notice = Some(e),
        }
    }

    /// Animated drawing that starts as soon as it is shown, once for each page and setting of the stage.
    pub fn begins(&mut self) -> Option<Job> {
        let room = self.room.as_mut()?;
        let session = &room.walk.session;
        let Some(Body::Job(job)) = session.picture().map(|p| &p.body) else {
            return None;
        };
        let now = Some((room.walk.page, session.settings().to_string()));
        if job.pace.is_zero() || session.is_computing() || room.begun == now {
            return None;
        }
        let job = job.clone();
        (room.begun, room.job) = (now, None);
        Some(job)
    }

    /// Style of the text.
    pub fn prose(&self) -> ProseStyle {
        ProseStyle::of(&self.theme)
    }
}

/// Index of a lesson in the list.
pub(super) fn place(name: &str) -> Option<usize> {
    LESSONS.iter().position(|lesson| lesson.name == name)
}
