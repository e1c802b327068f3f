//! A learner's way through a lesson: its pages, the stage as each page arranges it, and questions with their score. The
//! screen and plain mode share this type; their requests to the stage are [`Intent`]s.

use std::sync::Arc;
use std::time::Duration;

use super::page::{self, Page, Predict, PredictOption};
use super::picture::{Status, Steered};
use super::progress::{Progress, Recall};
use super::session::{Focus, Session};
use super::{FrontEnd, Knob, Lesson, Settings, for_front_end, knob, marks, models};

mod end;
mod fold;
mod intent;

pub use end::Ways;
pub use intent::{Intent, parse_cell, parse_index};

/// Name of the lesson that translates live.
pub const TOUR: &str = "tour";

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
        let mut session = Session::new(lesson);
        if let Some(patience) = patience {
            session.be_patient_for(patience);
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
    /// optional ones, or those that are not on the core path if the learner walks that. The open
    /// page counts as unread unless all others of its kind have been read.
    pub fn left(&self, progress: &Progress) -> (usize, usize) {
        let (lesson, done) = (self.lesson(), progress.lesson(self.lesson().name));
        let core = progress.is_core() && lesson.is_core();
        let beside = |page: &Page| match core {
            true => !lesson.is_core_page(page),
            false => page.is_optional(),
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
    /// keys that the page presses next, which the front end then presses. `Err` says why the stage cannot be arranged.
    pub fn turn_to(&mut self, page: usize, progress: &mut Progress) -> Result<String, String> {
        self.page = page.min(self.pages.len().saturating_sub(1));
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
        let (lesson, settings) = (self.lesson(), self.session.asked());
        let mut marked = self.marked[self.page].knobs.iter().copied();
        let mut knobs = lesson.knobs.iter();
        let turned = marked.find(|knob| lesson.matters(settings, knob.name));
        let first = knobs.find(|knob| match lesson.shows_sentence(settings) {
            true => knob.name == knob::SCENE[1],
            false => lesson.matters(settings, knob.name),
        });
        turned.or(first).map_or("", |knob| knob.name)
    }

    /// Number of blocks shown: text after an unanswered question would give the answer away.
    pub fn blocks_shown(&self, progress: &Progress) -> usize {
        let done = progress.lesson(self.lesson().name);
        self.page()
            .shown(|question| done.answers.contains_key(&question.id))
    }

    /// The first unanswered question of the page.
    pub fn unanswered(&self, progress: &Progress) -> Option<&Predict> {
        let done = progress.lesson(self.lesson().name);
        let mut asked = self.page().predictions();
        asked.find(|question| !done.answers.contains_key(&question.id))
    }

    /// All questions of the page.
    pub fn predictions(&self) -> Asked {
        let questions = self.page().predictions().cloned();
        Asked::new(questions.map(|question| (question, None)).collect(), false)
    }

    /// The questions at the lesson's end, after [`REVIEWED`] from those of `earlier` lessons that the learner has
    /// answered: first what was wrong last time, then what was asked longest ago. `Err` says what is wrong with them.
    pub fn quiz(&self, earlier: &[&'static Lesson], progress: &Progress) -> Result<Asked, String> {
        let mut known = Vec::new();
        for lesson in earlier.iter().rev() {
            let done = progress.lesson(lesson.name);
            if done.answers.is_empty() {
                continue;
            }
            for question in lesson.questions(self.front_end)? {
                let Some(&first) = done.answers.get(&question.id) else {
                    continue;
                };
                let last = done.recalled.get(&question.id);
                let last = last.map_or((first, 0), |recall| (recall.right, recall.day));
                known.push((last, question, *lesson));
            }
        }
        // The sort is stable: of equals, the questions of the latest lesson come first.
        known.sort_by_key(|(last, ..)| *last);
        let reviewed = known.into_iter().take(REVIEWED);
        let reviewed = reviewed.map(|(_, question, lesson)| (question, Some(lesson)));
        let own = self.questions(progress)?.into_iter();
        let questions = reviewed.chain(own.map(|question| (question, None)));
        Ok(Asked::new(questions.collect(), true))
    }

    /// The lesson's questions; only those that the core path prepares for, if the learner walks that.
    fn questions(&self, progress: &Progress) -> Result<Vec<Predict>, String> {
        let mut questions = self.lesson().questions(self.front_end)?;
        if let Some(prepared) = self.lesson().core_quiz.filter(|_| progress.is_core()) {
            questions.retain(|question| prepared.contains(&&*question.id));
        }
        Ok(questions)
    }

    /// Prepares the judgement of option number `n` of the current question, see [`Session::judge`].
    pub fn judge(&self, asked: &Asked, option: &PredictOption) -> Result<Judge, String> {
        Ok(match asked.review() {
            Some(lesson) => Box::new(lesson.judge(asked.question(), option)?),
            None => Box::new(self.session.judge(asked.question(), option)?),
        })
    }

    /// Names of the knobs that the page's marks set or turn.
    pub fn knobs_named(&self) -> impl Iterator<Item = &'static str> {
        self.marked[self.page].knobs.iter().map(|knob| knob.name)
    }

    /// Keys of the screen that the page's marks refer to.
    pub fn keys_named(&self) -> &[String] {
        &self.marked[self.page].keys
    }

    /// Whether this is the tour, whose own stage translates the learner's sentence.
    pub fn is_tour(&self) -> bool {
        self.lesson().name == TOUR
    }

    /// Shows the translation of `sentence`, or of the playground's current one. `Err` says why the stage cannot
    /// translate it.
    pub fn translate(&mut self, sentence: Option<&str>) -> Result<(), String> {
        let set = sentence.map_or(Ok(()), |sentence| self.session.set("sentence", sentence));
        if set.is_ok() {
            self.session.set_focus(Focus::Picture(0));
        }
        set
    }

    /// Sets the playground's knobs to match a stage with the settings `from`: its sentence and model, or the run in
    /// training. `Err` says what could not be carried over.
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

/// Judgement of an answer, which may take a while.
pub type Judge = Box<dyn FnOnce() -> Result<bool, String> + Send>;

/// Number of questions from earlier lessons with which a quiz begins.
const REVIEWED: usize = 2;

/// Questions asked one after another, each until the right option is chosen.
pub struct Asked {
    /// Each with the earlier lesson that it comes from, if it does.
    questions: Vec<(Predict, Option<&'static Lesson>)>,
    at: usize,
    /// Options tried so far, each with whether it is right.
    tried: Vec<(usize, bool)>,
    /// The option selected with the arrow keys.
    chosen: Option<usize>,
    right: usize,
    /// Whether these are the questions at the lesson's end.
    pub quiz: bool,
}

impl Asked {
    fn new(questions: Vec<(Predict, Option<&'static Lesson>)>, quiz: bool) -> Self {
        Self {
            questions,
            at: 0,
            tried: Vec::new(),
            chosen: None,
            right: 0,
            quiz,
        }
    }

    /// Whether there is no question at all.
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }

    /// Number of questions.
    pub fn len(&self) -> usize {
        self.questions.len()
    }

    /// Number of the current question, from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The current question.
    pub fn question(&self) -> &Predict {
        &self.questions[self.at].0
    }

    /// The earlier lesson that the current question reviews.
    pub fn review(&self) -> Option<&'static Lesson> {
        self.questions[self.at].1
    }

    /// `Review of 04 Scaled dot-product attention`, if the current question comes from an earlier lesson.
    pub fn heading(&self) -> Option<String> {
        let lesson = self.review()?;
        Some(format!("Review of {}", lesson.heading()))
    }

    /// Options tried for the current question, each with whether it is right.
    pub fn tried(&self) -> &[(usize, bool)] {
        &self.tried
    }

    /// Whether the current question has been answered correctly.
    pub fn is_settled(&self) -> bool {
        self.tried.iter().any(|(_, right)| *right)
    }

    /// Option number `n` (from 0), if it can still be chosen.
    pub fn option(&self, n: usize) -> Option<&PredictOption> {
        let free = !self.is_settled() && self.tried.iter().all(|(tried, _)| *tried != n);
        self.question().options.get(n).filter(|_| free)
    }

    /// Records that option number `n` was tried on `day` and whether it is `right`. Only the first try counts for the
    /// progress in the question's lesson; `open` is the name of the open one.
    pub fn enter(
        &mut self,
        n: usize,
        right: bool,
        (open, day): (&str, u64),
        progress: &mut Progress,
    ) {
        if self.tried.is_empty() {
            self.right += usize::from(right);
            let of = self.review().map_or(open, |lesson| lesson.name);
            let done = progress.within_lesson_mut(open, of);
            let id = &self.question().id;
            done.answers.entry(id.clone()).or_insert(right);
            if self.quiz {
                done.recalled.insert(id.clone(), Recall { day, right });
            }
        }
        self.tried.push((n, right));
        self.chosen = None;
    }

    /// The selected option, not yet submitted.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    /// Selects the next remaining option or, if `by` is negative, the previous one.
    pub fn choose(&mut self, by: isize) {
        let free: Vec<usize> = (0..self.question().options.len())
            .filter(|&n| self.option(n).is_some())
            .collect();
        let place = self.chosen.and_then(|n| free.iter().position(|&f| f == n));
        let next = match place {
            Some(place) => place.saturating_add_signed(by),
            None if by > 0 => 0,
            None => usize::MAX,
        };
        self.chosen = free.get(next.min(free.len().wrapping_sub(1))).copied();
    }

    /// Selects option number `n`, from 0, if it can still be chosen.
    pub fn choose_option(&mut self, n: usize) {
        if self.option(n).is_some() {
            self.chosen = Some(n);
        }
    }

    /// Moves on to the next question; false if this one is unanswered or was the last.
    pub fn go_on(&mut self) -> bool {
        let more = self.is_settled() && self.at + 1 < self.questions.len();
        if more {
            (self.at, self.tried, self.chosen) = (self.at + 1, Vec::new(), None);
        }
        more
    }

    /// `3 of 5 right at the first try.`
    pub fn score(&self) -> String {
        format!("{} of {} right at the first try.", self.right, self.len())
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
    fn a_question_counts_by_its_first_try_and_goes_on_when_it_is_settled() {
        let mut progress = Progress::default();
        let mut asked = walk(&progress).quiz(&[], &progress).unwrap();
        let here = ("attention", 20_000);
        asked.enter(1, false, here, &mut progress);
        assert!(asked.option(1).is_none() && asked.option(0).is_some());
        assert!(!asked.go_on(), "it is open");
        asked.enter(0, true, here, &mut progress);
        assert!(asked.option(2).is_none(), "it is settled");
        let done = progress.lesson("attention");
        assert!(!done.answers[&asked.question().id]);
        let wrong = Recall {
            day: 20_000,
            right: false,
        };
        assert_eq!(done.recalled[&asked.question().id], wrong);
        assert!(asked.go_on() && asked.at() == 1 && asked.tried().is_empty());
        asked.enter(0, true, here, &mut progress);
        assert_eq!(
            asked.score(),
            format!("1 of {} right at the first try.", asked.len())
        );
    }

    #[test]
    fn a_quiz_begins_with_what_was_wrong_and_then_with_what_was_asked_longest_ago() {
        let mut progress = Progress::default();
        let earlier = &curriculum::before(curriculum::LESSONS[4])[1..];
        let reviewed = |progress: &Progress| {
            let asked = walk(progress).quiz(earlier, progress).unwrap();
            let all = asked.questions.iter();
            let of = |(question, lesson): &(Predict, Option<&Lesson>)| {
                Some((lesson.as_ref()?.name.to_owned(), question.id.clone()))
            };
            (all.map_while(of).collect::<Vec<_>>(), asked)
        };
        assert!(
            reviewed(&progress).0.is_empty(),
            "nothing has been answered"
        );
        let ids: Vec<Vec<String>> = earlier
            .iter()
            .map(|lesson| {
                let questions = lesson.questions(FrontEnd::Screen).unwrap();
                questions.into_iter().map(|q| q.id).collect()
            })
            .collect();
        let answer = |progress: &mut Progress, lesson: usize, n: usize, day, right| {
            let done = progress.lesson_mut(earlier[lesson].name);
            let id = ids[lesson][n].clone();
            done.answers.entry(id.clone()).or_insert(right);
            done.recalled.insert(id.clone(), Recall { day, right });
            (earlier[lesson].name.to_owned(), id)
        };
        let old = answer(&mut progress, 0, 0, 1, true);
        let wrong = answer(&mut progress, 1, 1, 9, false);
        answer(&mut progress, 2, 0, 8, true);
        let (first, mut asked) = reviewed(&progress);
        assert_eq!(first, [wrong.clone(), old.clone()]);
        assert!(asked.heading().unwrap().starts_with("Review of 02 "));
        // Answered correctly now, it is not due any more.
        let right = asked.question().options.iter().position(|option| {
            let judge = walk(&progress).judge(&asked, option).unwrap();
            judge().unwrap()
        });
        asked.enter(right.unwrap(), true, ("attention", 10), &mut progress);
        assert_eq!(progress.last(), Some("attention"));
        assert_eq!(reviewed(&progress).0[0], old);
        assert!(
            !progress.lesson(&wrong.0).answers[&wrong.1],
            "the first try counts"
        );
    }

    #[test]
    fn what_follows_a_question_is_shown_when_it_was_answered() {
        let mut progress = Progress::default();
        let mut walk = walk(&progress);
        let asks = |page: &Page| page.predictions().next().is_some();
        let page = walk.pages.iter().position(asks).unwrap();
        walk.turn_to(page, &mut progress).unwrap();
        let before = walk.blocks_shown(&progress);
        assert!(walk.unanswered(&progress).is_some() && before < walk.page().blocks.len());
        let mut asked = walk.predictions();
        loop {
            asked.enter(0, true, ("attention", 20_000), &mut progress);
            if !asked.go_on() {
                break;
            }
        }
        assert!(walk.unanswered(&progress).is_none());
        assert_eq!(walk.blocks_shown(&progress), walk.page().blocks.len());
    }
}
