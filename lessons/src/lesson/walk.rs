//! A learner's way through a lesson: its pages, the stage as each page arranges it, and questions with their score. The
//! screen and plain mode share this type; their requests to the stage are [`Intent`](super::session::Intent)s.

use std::sync::Arc;
use std::time::Duration;

use super::core_path::{CorePath, Part};
use super::page::{self, Page};
use super::picture::{Status, Steered};
use super::progress::Progress;
use super::session::{Focus, Session};
use super::{FrontEnd, Knob, Lesson, ModelPart, Settings, for_front_end, knob, marks, models};

mod end;
mod fold;
mod questions;
#[cfg(test)]
mod tests;

pub use end::{EndLabels, NextSteps};
pub use questions::{Attempt, Judge, Questions};

/// Name of the lesson that translates live.
pub const TOUR: &str = "tour";

/// Maximum number of cells in the runs that are kept for a reader who turns a knob back: 32 MB.
const KEPT_CELLS: usize = 8 << 20;

/// What the marks of a page refer to, in the order of the text.
#[derive(Default)]
struct Marked {
    /// Knobs that they set or turn.
    knobs: Vec<&'static Knob>,
    /// Keys of the screen that do what they say.
    keys: Vec<String>,
}

impl Marked {
    fn of(page: &str, lesson: &'static Lesson) -> Self {
        let mut marked = Self::default();
        for mark in marks(page).filter_map(|(_, mark)| mark.ok()) {
            let knob = mark.knob().and_then(|name| lesson.knob(name).ok());
            marked.knobs.extend(knob);
            marked.keys.extend(mark.key(lesson));
        }
        marked
    }
}

/// A learner at a page of a lesson.
pub struct Walk {
    /// The stage and what the learner has set.
    pub session: Session,
    /// Pages of the text.
    pub pages: Vec<Page>,
    /// Number of the open page, from 0.
    pub page: usize,
    /// How long the page has been open.
    open_for: Duration,
    /// What each page's marks refer to.
    marked: Vec<Marked>,
    /// The front end for which the text is written.
    front_end: FrontEnd,
    /// The core path, if the learner follows that rather than the lesson's own order.
    pub core: Option<&'static CorePath>,
}

/// Where the next page is, or the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// In the open lesson: the page's number.
    Page(usize),
    /// On the core path: the page's place there.
    Step(usize),
    /// There is none: the lesson, or the part of the core path, ends here.
    End,
    /// There is none: it begins here.
    Start,
}

impl Walk {
    /// The lesson at the page where the learner stopped; call [`Walk::turn_to`] to open the page. Runs of the stage are
    /// waited for at most `patience`, if given.
    pub fn new(
        lesson: &'static Lesson,
        progress: &Progress,
        front_end: FrontEnd,
        patience: Option<Duration>,
    ) -> Result<Self, String> {
        let stopped = Self::resumes_at(lesson, progress);
        Self::at(lesson, stopped.as_deref(), front_end, patience)
    }

    /// Id of the page to open: where the learner stopped, or `None` for the first page if the lesson was read to its
    /// end.
    pub fn resumes_at(lesson: &Lesson, progress: &Progress) -> Option<String> {
        let done = progress.lesson(lesson.name);
        let count = lesson.page_count();
        let last = |id: &String| lesson.page_number(id) == count.checked_sub(1);
        let finished = done.pages.len() >= count;
        done.stopped_at.filter(|id| !(finished && last(id)))
    }

    /// [`Walk::new`] at the page with the id `stopped`; `None` is the first page.
    pub fn at(
        lesson: &'static Lesson,
        stopped: Option<&str>,
        front_end: FrontEnd,
        patience: Option<Duration>,
    ) -> Result<Self, String> {
        let pages = lesson.pages_for(front_end).map_err(|e| e.to_string())?;
        // A page that the lesson no longer has is the first one.
        let page = stopped.and_then(|id| lesson.page_number(id)).unwrap_or(0);
        let text = for_front_end(lesson.text, front_end);
        let marked = |page| Marked::of(page, lesson);
        let mut session = Session::for_page(lesson, pages.get(page).and_then(Page::stage));
        session.keep_runs(KEPT_CELLS);
        if let Some(patience) = patience {
            session.set_patience(patience);
        }
        Ok(Self {
            session,
            pages,
            page,
            open_for: Duration::ZERO,
            marked: page::split(&text).into_iter().map(marked).collect(),
            front_end,
            core: None,
        })
    }

    /// The open page's place on the core path, if the learner follows that and the page is on it.
    pub fn step(&self) -> Option<usize> {
        self.core?.find(self.lesson(), &self.page().id)
    }

    /// The core path that the learner follows and the part that is open: that of the page or, beside the path, of the
    /// page from which they left.
    fn core_part(&self, progress: &Progress) -> Option<(&'static CorePath, &'static Part)> {
        let core = self.core.filter(|core| !core.steps.is_empty())?;
        let step = self.step().unwrap_or_else(|| core.place(progress));
        Some((core, core.part_of(step)))
    }

    /// The part of the core path that is open, if the learner follows that.
    pub fn part(&self, progress: &Progress) -> Option<&'static Part> {
        Some(self.core_part(progress)?.1)
    }

    /// The lesson.
    pub fn lesson(&self) -> &'static Lesson {
        self.session.lesson()
    }

    /// The page that is open.
    pub fn page(&self) -> &Page {
        &self.pages[self.page]
    }

    /// What is left of the lesson, or of the part of the core path: minutes for its required pages, and the number of
    /// unread pages of the lesson beside them.
    pub fn left(&self, progress: &Progress) -> (usize, usize) {
        let lesson = self.lesson();
        let unread = |page: &&Page| !progress.has_read(lesson.name, &page.id);
        if let Some((core, part)) = self.core_part(progress) {
            let steps = core.pages(part).iter();
            let minutes = steps.filter(|step| !step.is_read(progress));
            let beside = self.pages.iter().filter(unread);
            return (
                minutes.map(|step| step.minutes as usize).sum(),
                beside
                    .filter(|page| core.find(lesson, &page.id).is_none())
                    .count(),
            );
        }
        let (optional, main): (Vec<&Page>, Vec<&Page>) =
            self.pages.iter().partition(|page| page.is_optional());
        let left = |pages: &[&Page]| pages.iter().filter(|page| unread(page)).count();
        let minutes = lesson.minutes as usize * left(&main) / main.len().max(1);
        (minutes, left(&optional))
    }

    /// How long the page must be open to count as read: a fifth of what its words take, because nobody should wait for
    /// a page that they know.
    fn moment(&self) -> Duration {
        const WORDS_A_SECOND: f64 = 20.0;
        let words = self.page().words().split_whitespace().count();
        Duration::from_secs_f64(1.0 + words as f64 / WORDS_A_SECOND)
    }

    /// Lets `time` pass with the page open. It counts as read after a moment that its words need, or once its questions
    /// have been answered. True if it does so from now on.
    pub fn pass(&mut self, time: Duration, progress: &mut Progress) -> bool {
        self.open_for = self.open_for.saturating_add(time);
        let (name, page) = (self.lesson().name, self.page());
        if progress.has_read(name, &page.id) {
            return false;
        }
        let asks = page.predictions().next().is_some();
        let answered = asks && self.unanswered(progress).is_none();
        if !answered && self.open_for < self.moment() {
            return false;
        }
        progress.read(name, &page.id);
        true
    }

    /// The heading of what is open, the number of the open page in it, from 1, and of how many: of the part of the core
    /// path or, beside that, of the lesson.
    pub fn place(&self, progress: &Progress) -> (String, usize, usize) {
        match (self.step(), self.part(progress)) {
            (Some(step), Some(part)) => {
                let page = step - part.steps.start + 1;
                (part.title.clone(), page, part.steps.len())
            }
            _ => (self.lesson().heading(), self.page + 1, self.pages.len()),
        }
    }

    /// Where the next page is or, if `by` is negative, the previous one. From a page beside the core path, the next one
    /// is that from which the learner left it.
    pub fn turn(&self, by: isize, progress: &Progress) -> Turn {
        if let Some((core, part)) = self.core_part(progress) {
            return match self.step() {
                None => Turn::Step(core.place(progress)),
                Some(0) if by < 0 => Turn::Start,
                Some(step) if by < 0 => Turn::Step(step - 1),
                Some(step) if step + 1 == part.steps.end => Turn::End,
                Some(step) => Turn::Step(step + 1),
            };
        }
        match self.page.checked_add_signed(by.signum()) {
            None => Turn::Start,
            Some(page) if page >= self.pages.len() => Turn::End,
            Some(page) => Turn::Page(page),
        }
    }

    /// Opens page number `page`, or the last one, and arranges the stage as it asks. Returns the keys that the page presses
    /// next, which the front end then presses. The error explains why the stage cannot be arranged.
    pub fn turn_to(&mut self, page: usize, progress: &mut Progress) -> Result<String, String> {
        self.page = page.min(self.pages.len().saturating_sub(1));
        self.open_for = Duration::ZERO;
        self.session.name_leak(self.lesson().knows_leaks(self.page));
        let id = self.page().id.clone();
        progress.lesson_mut(self.lesson().name).stopped_at = Some(id.clone());
        if self.step().is_some() {
            progress.stand_at(self.lesson().name, &id);
        }
        let Some(block) = self.pages[self.page].stage() else {
            self.session.choose(self.knob());
            return Ok(String::new());
        };
        self.session.arrange(block)?;
        self.session.choose(self.knob());
        Ok(block.press.clone().unwrap_or_default())
    }

    /// The knob that the bracket keys turn when the page opens: the first one mentioned in the page's marks, else the
    /// running sentence's text in the trained model's scene, else the lesson's first knob with an effect.
    fn knob(&self) -> &'static str {
        let (lesson, settings) = (self.lesson(), self.session.requested());
        let mut marked = self.marked[self.page].knobs.iter().copied();
        let mut knobs = lesson.knobs.iter();
        let turned = marked.find(|knob| lesson.matters(settings, knob.name));
        let first = knobs.find(|knob| {
            if lesson.shows_sentence(settings) {
                knob.name == knob::TEXT
            } else {
                lesson.matters(settings, knob.name)
            }
        });
        turned.or(first).map_or("", |knob| knob.name)
    }

    /// Number of blocks shown: text after an unanswered question would give the answer away.
    pub fn blocks_shown(&self, progress: &Progress) -> usize {
        let done = progress.lesson(self.lesson().name);
        self.page()
            .shown(|question| done.answers.contains_key(&question.id))
    }

    /// Names of the knobs that the page's marks set or turn.
    pub fn knobs_named(&self) -> impl Iterator<Item = &'static str> {
        self.marked[self.page].knobs.iter().map(|knob| knob.name)
    }

    /// Keys of the screen that the page's marks refer to.
    pub fn keys_named(&self) -> &[String] {
        &self.marked[self.page].keys
    }

    /// The parts of the model that the open page is about, and those that the pages up to it have mentioned.
    pub fn model_parts(&self) -> (&'static [ModelPart], Vec<ModelPart>) {
        let lesson = self.lesson();
        if lesson.reveals.is_empty() {
            return (lesson.lights, ModelPart::ALL.to_vec());
        }
        let of = |page: &Page| {
            let mut reveals = lesson.reveals.iter();
            reveals
                .find(|(id, _)| *id == page.id)
                .map(|(_, parts)| *parts)
        };
        let so_far = self.pages[..=self.page].iter().filter_map(of).flatten();
        (
            of(self.page()).unwrap_or_default(),
            so_far.copied().collect(),
        )
    }

    /// True if this is the tour, whose own stage translates the learner's sentence.
    pub fn is_tour(&self) -> bool {
        self.lesson().name == TOUR
    }

    /// Shows the translation of `sentence`, or of the playground's current one. The error explains why the stage cannot
    /// translate it.
    pub fn translate(&mut self, sentence: Option<&str>) -> Result<(), String> {
        let set = sentence.map_or(Ok(()), |sentence| self.session.set("sentence", sentence));
        if set.is_ok() {
            self.session.set_focus(Focus::Picture(0));
        }
        set
    }

    /// Sets the playground's knobs to match a stage with the settings `from`: its sentence and model, or the run in
    /// training. The error explains what could not be carried over.
    pub fn carry(
        &mut self,
        from: Option<&Settings>,
        live: Option<&Arc<dyn Steered>>,
    ) -> Result<(), String> {
        let working = live.is_some_and(|work| work.status() != Status::Idle);
        let mut trouble = Ok(());
        for (knob, value) in models::carried(from, working) {
            trouble = self.session.set(knob, &value).and(trouble);
        }
        trouble
    }
}
