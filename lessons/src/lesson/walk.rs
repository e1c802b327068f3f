//! A learner's way through a lesson: its pages, the stage as each page arranges it, and questions with their score. The
//! screen and plain mode share this type; their requests to the stage are [`Intent`](super::session::Intent)s.

use std::sync::Arc;
use std::time::Duration;

use super::page::{self, Page};
use super::picture::{Status, Steered};
use super::progress::Progress;
use super::session::{Focus, Session};
use super::{FrontEnd, Knob, Lesson, ModelPart, Settings, for_front_end, knob, marks, models};

mod end;
mod fold;
mod questions;

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
    /// What each page's marks refer to.
    marked: Vec<Marked>,
    /// The front end for which the text is written.
    front_end: FrontEnd,
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
            marked: page::split(&text).into_iter().map(marked).collect(),
            front_end,
        })
    }

    /// The lesson.
    pub fn lesson(&self) -> &'static Lesson {
        self.session.lesson()
    }

    /// The page that is open.
    pub fn page(&self) -> &Page {
        &self.pages[self.page]
    }

    /// What is left of the lesson: minutes for its required pages, and the number of unread pages beside them: the
    /// optional ones, or those that are not on the core path if the learner walks that. The open page counts as unread
    /// unless all others of its kind have been read.
    pub fn left(&self, progress: &Progress) -> (usize, usize) {
        let (lesson, done) = (self.lesson(), progress.lesson(self.lesson().name));
        let core = progress.is_core() && lesson.is_core();
        let beside = |page: &Page| {
            if core {
                !lesson.is_core_page(page)
            } else {
                page.is_optional()
            }
        };
        let unread = |page: &&Page| !done.pages.contains(&page.id);
        let open = self.page();
        let pages = |optional: bool| {
            let of_kind = self.pages.iter().filter(move |p| beside(p) == optional);
            let left = of_kind.clone().filter(unread).count();
            // If all pages of this kind are read, the open one is finished too.
            let here = usize::from(left > 0 && beside(open) == optional && !unread(&open));
            (left + here, of_kind.count())
        };
        let ((left, all), (optional, _)) = (pages(false), pages(true));
        let minutes = if core {
            lesson.core_minutes()
        } else {
            lesson.minutes
        };
        (minutes as usize * left / all.max(1), optional)
    }

    /// Number of the open page, from 1, and of how many: on the core path, of its pages, unless the open page is not one
    /// of them.
    pub fn page_of(&self, progress: &Progress) -> (usize, usize) {
        let lesson = self.lesson();
        let core = progress.is_core() && lesson.is_core() && lesson.is_core_page(self.page());
        if !core {
            return (self.page + 1, self.pages.len());
        }
        let of_path = |page: &&Page| lesson.is_core_page(page);
        let up_to_here = self.pages[..=self.page].iter().filter(of_path).count();
        (up_to_here, self.pages.iter().filter(of_path).count())
    }

    /// Number of the page that follows, or precedes it if `by` is negative; on the core path alone, if the learner walks
    /// that. After the last page it is the number of pages.
    pub fn next_page(&self, by: isize, progress: &Progress) -> usize {
        let core = progress.is_core() && self.lesson().is_core();
        let passes = |page: &Page| !core || self.lesson().is_core_page(page);
        let mut page = self.page;
        loop {
            let next = page.saturating_add_signed(by.signum());
            if next == page || next >= self.pages.len() || passes(&self.pages[next]) {
                return next.min(self.pages.len());
            }
            page = next;
        }
    }

    /// Opens page number `page`, or the last one, records it as read, and arranges the stage as it asks. Returns the
    /// keys that the page presses next, which the front end then presses. The error explains why the stage cannot be
    /// arranged.
    pub fn turn_to(&mut self, page: usize, progress: &mut Progress) -> Result<String, String> {
        self.page = page.min(self.pages.len().saturating_sub(1));
        self.session.name_leak(self.lesson().knows_leaks(self.page));
        let id = self.page().id.clone();
        let done = progress.lesson_mut(self.lesson().name);
        done.pages.insert(id.clone());
        done.stopped_at = Some(id);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    fn walk(progress: &Progress) -> Walk {
        Walk::new(
            curriculum::find("attention").unwrap(),
            progress,
            FrontEnd::Screen,
            None,
        )
        .unwrap()
    }

    #[test]
    fn the_minutes_left_are_those_of_the_main_road_and_optional_pages_are_counted_apart() {
        let mut progress = Progress::default();
        let mut walk = walk(&progress);
        let optional = walk.pages.iter().filter(|page| page.is_optional()).count();
        let main = walk.pages.len() - optional;
        assert!(optional > 0 && main > 2);
        let minutes = walk.lesson().minutes as usize;
        walk.turn_to(0, &mut progress).unwrap();
        assert_eq!(walk.left(&progress), (minutes, optional));
        walk.turn_to(1, &mut progress).unwrap();
        assert_eq!(walk.left(&progress).0, minutes * (main - 1) / main);
        for page in 0..main {
            assert!(!walk.pages[page].is_optional(), "they stand at the end");
            walk.turn_to(page, &mut progress).unwrap();
        }
        assert_eq!(walk.left(&progress), (0, optional));
        walk.turn_to(main, &mut progress).unwrap();
        assert_eq!(walk.left(&progress).0, 0);
    }

    #[test]
    fn the_core_path_passes_over_other_pages() {
        let mut progress = Progress::default();
        let mut walk = walk(&progress);
        let lesson = walk.lesson();
        let walked = |walk: &mut Walk, progress: &mut Progress| {
            let mut ids = Vec::new();
            walk.turn_to(0, progress).unwrap();
            loop {
                ids.push(walk.page().id.clone());
                match walk.next_page(1, progress) {
                    next if next == walk.pages.len() => return ids,
                    next => drop(walk.turn_to(next, progress).unwrap()),
                }
            }
        };
        assert_eq!(walked(&mut walk, &mut progress).len(), walk.pages.len());
        progress.set_core(true);
        let core = walked(&mut walk, &mut progress);
        let expected = walk.pages.iter().filter(|page| lesson.is_core_page(page));
        assert_eq!(
            core,
            expected.map(|page| page.id.clone()).collect::<Vec<_>>()
        );
        assert_eq!(core, lesson.core_page_ids());
        let pages = walk.pages.iter().filter(|page| lesson.is_core_page(page));
        let asked: Vec<&str> = pages
            .flat_map(|page| page.predictions())
            .map(|p| &*p.id)
            .collect();
        assert_eq!(asked, lesson.core_prediction_ids());
        assert!(core.len() > 4 && core.len() < walk.pages.len());
        let masks = curriculum::find("masks").unwrap();
        assert!(masks.core_minutes() < masks.minutes);
        let back = walk.next_page(-1, &progress);
        assert_eq!(walk.pages[back].id, core[core.len() - 2]);
    }

    #[test]
    fn a_page_that_was_opened_is_read_and_is_where_the_learner_goes_on() {
        let mut progress = Progress::default();
        let mut first = walk(&progress);
        assert_eq!(first.page, 0);
        first.turn_to(2, &mut progress).unwrap();
        first.turn_to(1000, &mut progress).unwrap();
        let done = progress.lesson("attention");
        assert_eq!(done.pages.len(), 2);
        let again = walk(&progress);
        assert_eq!(
            (again.page, again.page + 1),
            (first.page, again.pages.len())
        );
        progress.lesson_mut("attention").stopped_at = Some("gone".to_owned());
        assert_eq!(walk(&progress).page, 0, "the lesson has lost that page");
    }

    #[test]
    fn a_leak_is_named_from_the_page_on_that_explains_it() {
        let mut progress = Progress::default();
        let mut walk = walk(&progress);
        let named: Vec<bool> = (0..walk.pages.len())
            .map(|page| {
                walk.turn_to(page, &mut progress).unwrap();
                walk.session.set("scene", "experiment").unwrap();
                walk.session.leak().is_some()
            })
            .collect();
        let explained = walk.lesson().page_number("blocked-keys-get-nothing");
        assert_eq!(named.iter().position(|named| *named), explained);
        assert!(curriculum::find("masks").unwrap().knows_leaks(0));
    }

    #[test]
    fn a_lesson_that_begins_with_the_trained_model_opens_with_its_run() {
        let progress = Progress::default();
        let shown = walk(&progress).session.settings().text("scene").to_owned();
        assert_eq!(shown, "sentence", "the first page shows the trained model");
    }

    #[test]
    fn the_brackets_turn_the_knob_that_the_page_speaks_of() {
        let mut progress = Progress::default();
        let lesson = curriculum::find("subwords").unwrap();
        let mut walk = Walk::new(lesson, &progress, FrontEnd::Screen, None).unwrap();
        let speaks = |page: &Page| page.words().contains("Turn limit");
        let page = walk.pages.iter().position(speaks).unwrap();
        walk.turn_to(page, &mut progress).unwrap();
        let chosen = |walk: &Walk| walk.lesson().knobs[walk.session.knob()].name;
        assert_eq!(chosen(&walk), "limit");
        // The first page shows the running sentence, where only the text has an effect.
        walk.turn_to(0, &mut progress).unwrap();
        assert_eq!(chosen(&walk), "text");
        walk.session.set("scene", "experiment").unwrap();
        assert_eq!(chosen(&walk), lesson.knobs[0].name);
        // The tour explains how to choose its knob, and begins with the sentence.
        let mut tour = Walk::new(
            curriculum::find("tour").unwrap(),
            &progress,
            FrontEnd::Screen,
            None,
        )
        .unwrap();
        tour.turn_to(1, &mut progress).unwrap();
        assert!(tour.page().words().contains("knob step"));
        assert_eq!(chosen(&tour), tour.lesson().knobs[0].name);
    }

    #[test]
    fn the_questions_of_a_page_open_at_the_first_one_without_an_answer() {
        let mut progress = Progress::default();
        let lesson = curriculum::find("training").unwrap();
        let mut walk = Walk::new(lesson, &progress, FrontEnd::Screen, None).unwrap();
        let asks_twice = |page: &Page| page.predictions().count() > 1;
        walk.page = walk.pages.iter().position(asks_twice).unwrap();
        let ids: Vec<String> = walk.page().predictions().map(|q| q.id.clone()).collect();
        let opens = |progress: &Progress| walk.open_predictions(progress).question().id.clone();
        assert_eq!(opens(&progress), ids[0]);
        let answers = &mut progress.lesson_mut("training").answers;
        answers.insert(ids[0].clone(), false);
        assert_eq!(opens(&progress), ids[1]);
    }

    #[test]
    fn text_after_a_question_appears_once_it_is_answered() {
        let mut progress = Progress::default();
        let mut walk = walk(&progress);
        let asks = |page: &Page| page.predictions().next().is_some();
        let page = walk.pages.iter().position(asks).unwrap();
        walk.turn_to(page, &mut progress).unwrap();
        let before = walk.blocks_shown(&progress);
        assert!(walk.unanswered(&progress).is_some() && before < walk.page().blocks.len());
        let mut questions = walk.predictions();
        let right = Attempt {
            option: 0,
            right: true,
            day: 20_000,
        };
        loop {
            questions.enter(right, "attention", &mut progress);
            if !questions.go_on() {
                break;
            }
        }
        assert!(walk.unanswered(&progress).is_none());
        assert_eq!(walk.blocks_shown(&progress), walk.page().blocks.len());
    }
}
