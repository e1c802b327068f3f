//! The questions of a page or of the quiz, with the learner's attempts and score.

use super::Walk;
use crate::lesson::Lesson;
use crate::lesson::page::{Predict, PredictOption};
use crate::lesson::progress::{Progress, Recall};
use crate::lesson::session::Intent;

/// Judgement of an answer, which may take a while.
pub type Judge = Box<dyn FnOnce() -> Result<bool, String> + Send>;

/// Number of questions from earlier lessons with which a quiz begins.
const REVIEWED: usize = 2;

/// Questions asked one after another, each until the right option is chosen.
pub struct Questions {
    all: Vec<Question>,
    /// Number of the current question.
    at: usize,
    /// Options of the current question tried so far, each with whether it is right.
    tried: Vec<(usize, bool)>,
    /// The option selected with the arrow keys.
    chosen: Option<usize>,
    /// Number of questions answered correctly at the first attempt.
    right: usize,
    /// True for the questions at the lesson's end.
    pub quiz: bool,
}

/// A question, and where it comes from.
pub(super) struct Question {
    pub(super) predict: Predict,
    /// Its lesson, if that is not the open one.
    pub(super) of: Option<&'static Lesson>,
    /// True if it reviews an earlier lesson.
    review: bool,
}

impl Question {
    /// A question of the open lesson.
    fn own(predict: Predict) -> Self {
        Self {
            predict,
            of: None,
            review: false,
        }
    }
}

/// An attempt at the current question.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// Number of the chosen option, from 0.
    pub option: usize,
    /// True if it is the right one.
    pub right: bool,
    /// Day of the attempt, see [`today`](crate::lesson::progress::today).
    pub day: u64,
}

impl Questions {
    fn new(all: Vec<Question>, quiz: bool) -> Self {
        Self {
            all,
            at: 0,
            tried: Vec::new(),
            chosen: None,
            right: 0,
            quiz,
        }
    }

    /// True if there is no question at all.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Number of questions.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Number of the current question, from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The current question.
    pub fn question(&self) -> &Predict {
        &self.all[self.at].predict
    }

    /// The current question's lesson, if that is not the open one.
    fn of(&self) -> Option<&'static Lesson> {
        self.all[self.at].of
    }

    /// Place of the current question in the quiz: `quiz 3/7`, and `quiz 1/7: again from 03 Scaled dot-product
    /// attention` if it comes from an earlier lesson.
    pub fn place(&self) -> String {
        let place = format!("quiz {}/{}", self.at + 1, self.len());
        match self.of().filter(|_| self.all[self.at].review) {
            Some(lesson) => format!("{place}: again from {}", lesson.heading()),
            None => place,
        }
    }

    /// Options tried for the current question, each with whether it is right.
    pub fn tried(&self) -> &[(usize, bool)] {
        &self.tried
    }

    /// True if the current question has been answered correctly.
    pub fn is_settled(&self) -> bool {
        self.tried.iter().any(|(_, right)| *right)
    }

    /// Option number `n` (from 0), if it can still be chosen.
    pub fn option(&self, n: usize) -> Option<&PredictOption> {
        let free = !self.is_settled() && self.tried.iter().all(|(tried, _)| *tried != n);
        self.question().options.get(n).filter(|_| free)
    }

    /// Records an attempt. Only the first one counts for the progress in the question's lesson; `open` is the name of the
    /// open lesson.
    pub fn enter(&mut self, attempt: Attempt, open: &str, progress: &mut Progress) {
        let Attempt { option, right, day } = attempt;
        if self.tried.is_empty() {
            self.right += usize::from(right);
            let of = self.of().map_or(open, |lesson| lesson.name);
            let done = progress.within_lesson_mut(open, of);
            let id = &self.question().id;
            done.answers.entry(id.clone()).or_insert(right);
            if self.quiz {
                done.recalled.insert(
                    id.clone(),
                    Recall {
                        day,
                        right,
                        ..Recall::default()
                    },
                );
            }
        }
        self.tried.push((option, right));
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
        let index = self.chosen.and_then(|n| free.iter().position(|&f| f == n));
        let next = match index {
            Some(index) => index.saturating_add_signed(by),
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
        let more = self.is_settled() && self.at + 1 < self.all.len();
        if more {
            (self.at, self.tried, self.chosen) = (self.at + 1, Vec::new(), None);
        }
        more
    }

    /// True if the last question has been answered correctly.
    pub fn is_over(&self) -> bool {
        self.is_settled() && self.at + 1 == self.all.len()
    }

    /// `3 of 5 right at the first try.`
    pub fn score(&self) -> String {
        format!("{} of {} right at the first try.", self.right, self.len())
    }
}

impl Walk {
    /// The first unanswered question of the page.
    pub fn unanswered(&self, progress: &Progress) -> Option<&Predict> {
        let done = progress.lesson(self.lesson().name);
        let mut questions = self.page().predictions();
        questions.find(|question| !done.answers.contains_key(&question.id))
    }

    /// All questions of the page.
    pub fn predictions(&self) -> Questions {
        let own = self.page().predictions().cloned();
        Questions::new(own.map(Question::own).collect(), false)
    }

    /// All questions of the page, at the first one without an answer.
    pub fn open_predictions(&self, progress: &Progress) -> Questions {
        let mut questions = self.predictions();
        if let Some(open) = self.unanswered(progress) {
            let at = questions.all.iter().position(|q| q.predict.id == open.id);
            questions.at = at.unwrap_or(0);
        }
        questions
    }

    /// The questions at the end of the lesson, or of the part of the core path, preceded by at most [`REVIEWED`]
    /// questions of `earlier` lessons, see `reviews`. The error explains what is wrong with them.
    pub fn quiz(
        &self,
        earlier: &[&'static Lesson],
        progress: &Progress,
        today: u64,
    ) -> Result<Questions, String> {
        let mut all = self.reviews(earlier, progress, today)?;
        all.extend(self.own_questions(progress)?);
        Ok(Questions::new(all, true))
    }

    /// Number of questions of `earlier` lessons with which the quiz begins today.
    pub fn reviewed(&self, earlier: &[&'static Lesson], progress: &Progress, today: u64) -> usize {
        self.reviews(earlier, progress, today)
            .map_or(0, |reviews| reviews.len())
    }

    /// Questions of `earlier` lessons that the learner has answered: those answered wrongly last time first, then those
    /// asked longest ago. A question answered correctly today (see [`today`](crate::lesson::progress::today)) is not
    /// repeated.
    fn reviews(
        &self,
        earlier: &[&'static Lesson],
        progress: &Progress,
        today: u64,
    ) -> Result<Vec<Question>, String> {
        let mut known = Vec::new();
        for lesson in earlier.iter().rev() {
            let done = progress.lesson(lesson.name);
            if done.answers.is_empty() {
                continue;
            }
            for predict in lesson.questions(self.front_end)? {
                let Some(&first) = done.answers.get(&predict.id) else {
                    continue;
                };
                let last = done.recalled.get(&predict.id);
                let last = last.map_or((first, 0), |recall| (recall.right, recall.day));
                if last == (true, today) {
                    continue;
                }
                let question = Question {
                    predict,
                    of: Some(*lesson),
                    review: true,
                };
                known.push((last, question));
            }
        }
        // The sort is stable: of equals, the questions of the latest lesson come first.
        known.sort_by_key(|(last, ..)| *last);
        let reviewed = known.into_iter().take(REVIEWED);
        Ok(reviewed.map(|(_, question)| question).collect())
    }

    /// The questions at the end of the lesson, or of the part of the core path.
    pub(super) fn own_questions(&self, progress: &Progress) -> Result<Vec<Question>, String> {
        let Some(part) = self.part(progress) else {
            let questions = self.lesson().questions(self.front_end)?;
            return Ok(questions.into_iter().map(Question::own).collect());
        };
        let mut all = Vec::new();
        for (lesson, id) in &part.quiz {
            let questions = lesson.questions(self.front_end)?;
            all.extend(
                questions
                    .into_iter()
                    .filter(|q| q.id == *id)
                    .map(|q| Question {
                        of: Some(*lesson).filter(|lesson| lesson.name != self.lesson().name),
                        ..Question::own(q)
                    }),
            );
        }
        Ok(all)
    }

    /// Switches on the mistake that the right answer to `question` is about, if the open lesson has it. The error explains
    /// why it cannot be.
    pub fn show_answer(&mut self, question: &Predict) -> Result<(), String> {
        match &question.breaks {
            Some(mistake)
                if self.lesson().switch_number(mistake).is_some()
                    && !self.session.requested().broken(mistake) =>
            {
                self.session.act(&Intent::BreakNamed(mistake.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Prepares the judgement of an option of the current question, see `Session::judge`.
    pub fn judge(&self, questions: &Questions, option: &PredictOption) -> Result<Judge, String> {
        let question = questions.question();
        Ok(match questions.of() {
            Some(lesson) => Box::new(lesson.judge(question, option)?),
            None => Box::new(self.session.judge(question, option)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::lesson::FrontEnd;

    fn walk(progress: &Progress) -> Walk {
        let lesson = curriculum::find("attention").unwrap();
        Walk::new(lesson, progress, FrontEnd::Screen, None).unwrap()
    }

    #[test]
    fn a_question_counts_by_its_first_try_and_goes_on_when_it_is_settled() {
        let mut progress = Progress::default();
        let mut questions = walk(&progress).quiz(&[], &progress, 20_000).unwrap();
        let attempt = |option, right| Attempt {
            option,
            right,
            day: 20_000,
        };
        questions.enter(attempt(1, false), "attention", &mut progress);
        assert!(questions.option(1).is_none() && questions.option(0).is_some());
        assert!(!questions.go_on(), "it is open");
        questions.enter(attempt(0, true), "attention", &mut progress);
        assert!(questions.option(2).is_none(), "it is settled");
        let done = progress.lesson("attention");
        assert!(!done.answers[&questions.question().id]);
        let wrong = Recall {
            day: 20_000,
            right: false,
            ..Recall::default()
        };
        assert_eq!(done.recalled[&questions.question().id], wrong);
        assert!(questions.go_on() && questions.at() == 1 && questions.tried().is_empty());
        questions.enter(attempt(0, true), "attention", &mut progress);
        assert_eq!(
            questions.score(),
            format!("1 of {} right at the first try.", questions.len())
        );
    }

    #[test]
    fn a_quiz_begins_with_what_was_wrong_and_then_with_what_was_asked_longest_ago() {
        let mut progress = Progress::default();
        let earlier: Vec<&'static Lesson> =
            (curriculum::LESSONS[1..4].iter()).map(|l| &***l).collect();
        let earlier = &earlier[..];
        let reviewed = |progress: &Progress| {
            let questions = walk(progress).quiz(earlier, progress, 10).unwrap();
            let of = |question: &Question| {
                Some((
                    question.of.filter(|_| question.review)?.name.to_owned(),
                    question.predict.id.clone(),
                ))
            };
            (
                questions.all.iter().map_while(of).collect::<Vec<_>>(),
                questions,
            )
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
            done.recalled.insert(
                id.clone(),
                Recall {
                    day,
                    right,
                    ..Recall::default()
                },
            );
            (earlier[lesson].name.to_owned(), id)
        };
        let old = answer(&mut progress, 0, 0, 1, true);
        let wrong = answer(&mut progress, 1, 1, 9, false);
        let right_on_day_8 = answer(&mut progress, 2, 0, 8, true);
        let (first, mut questions) = reviewed(&progress);
        assert_eq!(first, [wrong.clone(), old.clone()]);
        let same_day = walk(&progress).quiz(earlier, &progress, 8).unwrap();
        let repeated = |id: &str| {
            let mut reviews = same_day.all.iter().filter(|asked| asked.review);
            reviews.any(|asked| asked.predict.id == id)
        };
        assert!(repeated(&old.1) && !repeated(&right_on_day_8.1));
        assert_eq!(walk(&progress).reviewed(earlier, &progress, 10), 2);
        let place = format!("quiz 1/{}: again from 02 ", questions.len());
        assert!(questions.place().starts_with(&place));
        // Answered correctly now, it is not due any more.
        let right = questions.question().options.iter().position(|option| {
            let judge = walk(&progress).judge(&questions, option).unwrap();
            judge().unwrap()
        });
        let attempt = Attempt {
            option: right.unwrap(),
            right: true,
            day: 10,
        };
        questions.enter(attempt, "attention", &mut progress);
        assert_eq!(progress.last(), Some("attention"));
        assert_eq!(reviewed(&progress).0[0], old);
        assert!(
            !progress.lesson(&wrong.0).answers[&wrong.1],
            "the first try counts"
        );
    }
}
