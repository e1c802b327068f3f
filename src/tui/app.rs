//! The state of the walkthrough. `update` changes it, `view` draws it.

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
pub use super::overlay::{Choice, Judging, Overlay, Slope, TermCard};
pub use super::pointer::{Pane, Shown, Target};
use crate::curriculum::{LESSONS, PLAYGROUND};
use crate::lesson::page::Predict;
use crate::lesson::picture::{Job, Progress as JobProgress};
use crate::lesson::picture::{Status, Steered};
use crate::lesson::progress::Progress;
use crate::lesson::session::Focus;
use crate::lesson::walk::Walk;
use crate::lesson::{Body, Exercise, Lesson, MOST, work};
use crate::widgets::prose::ProseStyle;
use crate::widgets::theme::Theme;

/// From when on the screen says that a run is being computed: before, the word would only flicker.
const SLOW: Duration = Duration::from_millis(100);

/// Everything that the screen shows.
pub struct App {
    /// What was done in all lessons.
    pub progress: Progress,
    /// The lesson that is open; the list of lessons while there is none.
    pub room: Option<Room>,
    /// The lesson that is being opened.
    pub opening: Option<Opening>,
    /// The lesson chosen in the list.
    pub chosen: usize,
    /// The digits of a lesson's number, as far as they are typed in the list.
    pub digits: String,
    /// Whether `q` was pressed in the list of lessons: once more ends the program.
    pub ending: bool,
    /// Work that was begun in a lesson and outlives leaving it.
    pub live: Option<Arc<dyn Steered>>,
    /// A sentence for the learner, until the next key.
    pub notice: Option<String>,
    /// Whether a page was left, with the experiment that ran there.
    pub left: bool,
    /// What borrows the text pane.
    pub overlay: Option<Overlay>,
    /// The learner's file of the exercise that is open, where that is known.
    pub file: Option<PathBuf>,
    /// The movement on the stage.
    pub playing: Option<Playing>,
    /// Whether nothing moves: each result stands there at once.
    pub still: bool,
    /// The colours.
    pub theme: Theme,
    /// Whether the program has the mouse.
    pub mouse: bool,
    /// Whether the program ends.
    pub quit: bool,
    /// The size of the screen, in columns and rows.
    pub size: (u16, u16),
    /// How long a key may wait for a run of the stage; `None` as long as it takes. What takes longer comes in by
    /// [`take_computed`](super::update::take_computed).
    pub patience: Option<Duration>,
    /// Keys that wait for the run that is being computed.
    pub queued: VecDeque<KeyEvent>,
    /// The answer that is being judged.
    pub judging: Option<Judging>,
    /// What the last frame drew where, for the mouse; of several at one place the last was drawn on top.
    pub targets: RefCell<Vec<(Rect, Target)>>,
    /// How much of the text that can be scrolled the last frame showed.
    pub shown: Cell<Shown>,
}

/// A learner in a lesson.
pub struct Room {
    /// The stage and the pages.
    pub walk: Walk,
    /// The pane that the arrows move in.
    pub pane: Pane,
    /// Whether the stage has the whole screen.
    pub full: bool,
    /// The place chosen in the list of the run.
    pub entry: usize,
    /// The place of the symbol that is pointed at next.
    pub symbol: usize,
    /// The place of the page's term whose card is opened next.
    pub term: usize,
    /// The term of the symbol that was pointed at last, until another key asks for a term.
    pub pointed: Option<usize>,
    /// The first line of text shown.
    pub scroll: usize,
    /// Whether the page's question was opened since the page was: going on then leaves it for later.
    pub met: bool,
    /// Keys that the page presses as soon as the run that is being computed is there.
    pub keys: String,
    /// What a picture that begins by itself was begun for last: the page, and how knobs and switches stood.
    pub begun: Option<(usize, String)>,
    /// The experiment that runs, or its end.
    pub job: Option<(usize, JobProgress)>,
    /// The exercise that was opened last; at first the core one, where the lesson has one.
    pub exercise: Option<&'static Exercise>,
    /// The lesson that the playground was opened from, as it was left.
    pub behind: Option<Box<Room>>,
    /// The page's lines, wrapped for a width once.
    pub wrapped: RefCell<Option<Wrapped>>,
}

/// A page's lines, each with the symbols of its formulas: the columns, and the place in
/// [`of_page`](crate::lesson::symbols::of_page).
pub type Lines = Vec<(Line<'static>, Vec<(Range<u16>, usize)>)>;

/// A page's lines, and what they were wrapped for: its number, the blocks shown, how many
/// exercises' code is folded, the width, and how much was highlighted.
pub type Wrapped = ((usize, usize, usize, u16, usize), Lines);

impl App {
    /// The walkthrough at its list of lessons, or in `lesson`.
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
            file: None,
            playing: None,
            still: true,
            theme,
            mouse: true,
            quit: false,
            size: (80, 24),
            patience: None,
            judging: None,
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

    /// How much the screen has room for.
    pub fn tier(&self) -> Tier {
        Tier::of(self.size)
    }

    /// The columns of what is read: the text, or what has its place.
    pub fn text_columns(&self) -> usize {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let read = self
            .room
            .as_ref()
            .and_then(|_| places(area, Run::Strip).read);
        usize::from(read.map_or(area.width, |pane| pane.width)).saturating_sub(4)
    }

    /// Goes to a pane of the open lesson; the list of the run then begins at what is looked at.
    pub fn focus(&mut self, pane: Pane) {
        let Some(room) = &mut self.room else { return };
        if pane == Pane::Why && room.pane != pane {
            room.entry = entries::looked_at(&room.walk.session);
        }
        room.pane = pane;
    }

    /// What stands at a place of the screen, the topmost last.
    pub fn pointed_at(&self, column: u16, row: u16) -> Vec<(Rect, Target)> {
        let targets = self.targets.borrow();
        let hit = targets
            .iter()
            .filter(|(rect, _)| rect.contains((column, row).into()));
        hit.copied().collect()
    }

    /// Lets the result that is looked at come about before the learner's eyes, where its operation has a movement and
    /// the stage is on the screen.
    pub fn play_movement(&mut self) {
        let seen = self.sees_stage() && self.unanswered().is_none();
        let room = self.room.as_ref().filter(|room| seen && room.job.is_none());
        self.playing = room.and_then(|room| Playing::of(&room.walk.session));
    }

    /// Whether the stage has a place on the screen.
    fn sees_stage(&self) -> bool {
        let beside = self.tier() >= Tier::Two;
        let alone = |room: &Room| room.full || room.pane == Pane::Stage;
        let room = self.room.as_ref();
        room.is_some_and(|room| beside || (self.overlay.is_none() && alone(room)))
    }

    /// Remembers what is drawn where, for the mouse.
    pub fn mark(&self, rect: Rect, target: Target) {
        self.targets.borrow_mut().push((rect, target));
    }

    /// The work that goes on, if any does.
    pub fn working(&self) -> Option<&Arc<dyn Steered>> {
        self.live
            .as_ref()
            .filter(|work| work.status() != Status::Idle)
    }

    /// Whether a slope is being worked out for the screen.
    pub fn waits_for_slope(&self) -> bool {
        let Some(Overlay::Slope(slope, _)) = &self.overlay else {
            return false;
        };
        slope.asked.is_ok() && slope.found.as_ref().is_none_or(|found| !found.done)
    }

    /// Opens a lesson where the learner stopped: at once, or as soon as its first run is there, if that takes longer
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
            entry: 0,
            symbol: 0,
            term: 0,
            pointed: None,
            scroll: 0,
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

    /// Chooses in the list where the learner goes on: the lesson that was open last, or the one after it once all of
    /// its pages were read.
    pub fn choose_next(&mut self) {
        let Some(last) = self.progress.last().and_then(place) else {
            return;
        };
        let read = self.has_read(LESSONS[last]) && last + 1 < LESSONS.len();
        self.chosen = if read { last + 1 } else { last };
    }

    /// Whether the learner has seen every page of a lesson.
    pub fn has_read(&self, lesson: &Lesson) -> bool {
        self.progress.lesson(lesson.name).pages.len() >= lesson.page_count()
    }

    /// Whether the playground is open.
    pub fn plays(&self) -> bool {
        let open = self.room.as_ref();
        open.is_some_and(|room| std::ptr::eq(room.walk.session.lesson(), &raw const **PLAYGROUND))
    }

    /// Translates a sentence: in the tour where that is open, else in the playground.
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
        // Where one pane is seen at a time, it is the translation.
        if self.tier() <= Tier::One && self.notice.is_none() {
            self.focus(Pane::Stage);
        }
    }

    /// Translates the sentence that was typed; one that cannot be stays, with why.
    pub fn translate_typed(&mut self) -> bool {
        let Some(Overlay::Sentence(typed)) = &self.overlay else {
            return false;
        };
        let (sentence, count) = (typed.text(), typed.count());
        self.notice = match sentence.trim() {
            "" => Some("Type a German sentence first; Esc closes this.".to_owned()),
            _ if count > MOST => Some(format!(
                "A sentence has {MOST} characters at the most; this one has {count}."
            )),
            sentence => {
                self.overlay = None;
                self.translate(sentence);
                return true;
            }
        };
        false
    }

    /// Opens the playground, if it is not open yet, with this sentence; else with what the lesson shows: its
    /// sentence and its model, or the run that trains. Going back leads to the lesson as it was left.
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

    /// Goes to a page, and puts the stage as it asks.
    pub fn turn_to(&mut self, page: usize) {
        let Some(room) = &mut self.room else { return };
        room.scroll = 0;
        room.met = false;
        room.symbol = 0;
        room.term = 0;
        room.pointed = None;
        self.shown.take();
        room.job = None;
        self.left = true;
        room.keys.clear();
        let last = self.progress.last().map(str::to_owned);
        let pressed = room.walk.turn_to(page, &mut self.progress);
        // Who comes back goes on in the course, not in what stands beside it.
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

    /// Whether a lesson's first run, another run, or an answer is being computed.
    pub fn is_computing(&self) -> bool {
        self.judging.is_some() || self.awaits_run()
    }

    /// Whether a run is being computed, a lesson's first or another.
    pub fn awaits_run(&self) -> bool {
        let room = self.room.as_ref();
        self.opening.is_some() || room.is_some_and(|room| room.walk.session.is_computing())
    }

    /// How long a run, a lesson's first or another, has been computed that is still to come.
    fn run_for(&self) -> Duration {
        let room = self.room.as_ref();
        let run = room.map_or(Duration::ZERO, |room| room.walk.session.computing_for());
        let first = self.opening.as_ref().map_or(Duration::ZERO, Opening::taken);
        run.max(first)
    }

    /// Whether it takes so long that the screen says so.
    pub fn is_slow(&self) -> bool {
        self.judging.is_some() || self.run_for() >= SLOW
    }

    /// How far what is computed is, where it takes so long that the screen says so: `42 %` where that is known, else the
    /// seconds that it has taken; empty in its first second.
    pub fn how_far(&self) -> Option<String> {
        if !self.is_slow() {
            return None;
        }
        let run = self.run_for();
        let judged = (self.judging.as_ref()).map_or(Duration::ZERO, |j| j.found.taken());
        let seconds = run.max(judged).as_secs();
        Some(match (work::share(), seconds) {
            (_, 0) => String::new(),
            (Some(share), _) => format!("{:.0} %", 100.0 * share),
            (None, seconds) => format!("{seconds} s"),
        })
    }

    /// How many blocks of the page are shown: what follows an unanswered question would give the answer.
    pub fn blocks_shown(&self) -> usize {
        let room = self.room.as_ref();
        room.map_or(0, |room| room.walk.blocks_shown(&self.progress))
    }

    /// The first question of the page that was not answered yet. An answer, right or wrong, speaks of what the stage
    /// shows: from then on it is seen.
    pub fn unanswered(&self) -> Option<&Predict> {
        if let Some(Overlay::Ask(asked)) = &self.overlay
            && !asked.quiz
            && asked.tried().is_empty()
        {
            return Some(asked.question());
        }
        self.room.as_ref()?.walk.unanswered(&self.progress)
    }

    /// Whether the page's question still hides the stage, and then says what to do.
    pub fn asks_first(&mut self) -> bool {
        let hidden = self.unanswered().is_some();
        if hidden {
            let words = "Predict first: press p to answer; then the stage shows.";
            self.notice = Some(words.to_owned());
        }
        hidden
    }

    /// Opens the questions of the page, all of them, or of the quiz.
    pub fn ask(&mut self, in_quiz: bool) {
        let Some(room) = &mut self.room else { return };
        room.met |= !in_quiz;
        let asked = match in_quiz {
            true => room.walk.quiz(),
            false => Ok(room.walk.predictions()),
        };
        match asked {
            Ok(asked) if asked.is_empty() => {
                self.notice = Some("This page asks nothing; z opens the lesson's quiz.".to_owned());
            }
            Ok(asked) => self.overlay = Some(Overlay::Ask(asked)),
            Err(e) => self.notice = Some(e),
        }
    }

    /// The drawing that begins by itself as soon as it is looked at: one that has a pace. Once for each page and each
    /// setting of the stage.
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

    /// The style of the text.
    pub fn prose(&self) -> ProseStyle {
        ProseStyle::of(&self.theme)
    }
}

/// The place of a lesson in the list.
pub(super) fn place(name: &str) -> Option<usize> {
    LESSONS.iter().position(|lesson| lesson.name == name)
}
