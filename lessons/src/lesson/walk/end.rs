//! The card at the end of a lesson: what the learner can do now, how the questions went, what is left.

use super::Walk;
use crate::lesson::page::{Page, Predict, unmarked};
use crate::lesson::progress::{Done, Progress};
use crate::lesson::{Lesson, own_words};

/// A front end's names for the ways to continue: its keys or its commands.
pub struct EndLabels {
    /// The quiz.
    pub quiz: &'static str,
    /// The question to answer in one's own words.
    pub own_words: &'static str,
    /// The exercise.
    pub exercise: &'static str,
    /// The next lesson.
    pub next: &'static str,
}

/// What follows at the end of a lesson.
#[derive(Clone, Copy, Default)]
pub struct NextSteps {
    /// The lesson that follows on the learner's path, if any.
    pub next: Option<&'static Lesson>,
    /// True if the core path ends with this lesson and all of it has been read.
    pub completes_core: bool,
    /// Number of questions of earlier lessons with which the quiz begins.
    pub reviewed: usize,
}

/// Number of questions asked, answered, and right at the first try.
fn score<'a>(done: &Done, asked: impl Iterator<Item = &'a Predict>) -> (usize, usize, usize) {
    let tried: Vec<Option<bool>> = asked.map(|q| done.answers.get(&q.id).copied()).collect();
    let right = tried.iter().filter(|right| **right == Some(true)).count();
    (tried.len(), tried.iter().flatten().count(), right)
}

/// Invitation to a quiz of `all` questions, after `reviewed` questions of earlier lessons.
fn invitation(quiz: &str, all: usize, reviewed: usize) -> String {
    let own = match all {
        1 => "one question".to_owned(),
        n => format!("{n} questions"),
    };
    let again = match reviewed {
        0 => String::new(),
        1 => ", and one again from an earlier lesson".to_owned(),
        n => format!(", and {n} again from earlier lessons"),
    };
    format!("{quiz}: {own} about this lesson{again}.")
}

impl Walk {
    /// The card at the lesson's end, one paragraph per item.
    pub fn end(&self, progress: &Progress, onward: NextSteps, ways: &EndLabels) -> String {
        let (lesson, done) = (self.lesson(), progress.lesson(self.lesson().name));
        let mut card = vec![format!("This was the last page of “{}”.", lesson.title)];
        let core = progress.is_core() && lesson.is_core();
        let gains = if core {
            lesson.gains_of_core()
        } else {
            lesson.gains
        };
        card.push(gains.to_owned());
        let walked = |page: &&Page| !core || lesson.is_core_page(page);
        let pages = self.pages.iter().filter(walked);
        let (all, tried, right) = score(&done, pages.flat_map(Page::predictions));
        if tried > 0 {
            let left = match all - tried {
                0 => String::new(),
                n => format!(" {n} not answered yet."),
            };
            card.push(format!(
                "Predictions: {right} of {tried} right at the first try.{left}"
            ));
        }
        let questions = self.own_questions(progress).unwrap_or_default();
        let (all, tried, right) = score(&done, questions.iter());
        match (all, tried) {
            (0, _) => {}
            (_, 0) => card.push(invitation(ways.quiz, all, onward.reviewed)),
            (_, tried) if tried < all => card.push(format!(
                "Quiz: {tried} of {all} answered, {right} right at the first try. {} for the others.",
                ways.quiz
            )),
            _ => card.push(format!("Quiz: {right} of {all} right at the first try.")),
        }
        match (lesson.own_words, done.explained) {
            (None, _) => {}
            (Some(_), Some(explained)) => card.push(own_words::score(&explained.points)),
            (Some(open), None) => card.push(format!(
                "{} to answer in your own words: {}",
                ways.own_words,
                unmarked(open.ask)
            )),
        }
        for exercise in lesson.exercises() {
            let (name, effort) = (exercise.name, exercise.effort());
            card.push(if exercise.done(progress).solved {
                format!("Exercise: {name} is yours.")
            } else {
                format!("{}: write {name} yourself ({effort}).", ways.exercise)
            });
        }
        if onward.completes_core {
            card.push(
                "You have walked the whole core path. The other lessons and pages go deeper, in any order."
                    .to_owned(),
            );
        }
        if let Some(next) = onward.next {
            let minutes = if core {
                next.core_minutes()
            } else {
                next.minutes
            };
            let (key, heading) = (ways.next, next.heading());
            card.push(format!("{key}: go on with {heading}, {minutes} minutes."));
        }
        card.join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::LESSONS;
    use crate::lesson::FrontEnd;
    use crate::lesson::progress::Explanation;

    const WAYS: EndLabels = EndLabels {
        quiz: "z",
        own_words: "O",
        exercise: "x",
        next: "n",
    };

    #[test]
    fn on_the_core_path_it_promises_only_what_the_core_pages_teach() {
        let mut progress = Progress::default();
        progress.set_core(true);
        let walk = Walk::new(LESSONS[7], &progress, FrontEnd::Screen, None).unwrap();
        let card = walk.end(&progress, NextSteps::default(), &WAYS);
        assert!(card.contains(LESSONS[7].core_gains.unwrap()), "{card}");
        assert!(!card.contains(LESSONS[7].gains), "{card}");
    }

    #[test]
    fn it_says_what_was_right_what_is_left_and_where_to_go_on() {
        let mut progress = Progress::default();
        let walk = Walk::new(LESSONS[3], &progress, FrontEnd::Screen, None).unwrap();
        let next = NextSteps {
            next: Some(LESSONS[5]),
            reviewed: 2,
            ..NextSteps::default()
        };
        let card = walk.end(&progress, next, &WAYS);
        assert!(card.contains(LESSONS[3].gains), "{card}");
        assert!(
            card.contains("x: write attention yourself (core, about "),
            "{card}"
        );
        assert!(
            card.contains("n: go on with 05 Multi-head attention"),
            "{card}"
        );
        assert!(!card.contains("Predictions"), "{card}");
        assert!(!card.contains("core path"), "{card}");
        let ask = LESSONS[3].own_words.unwrap().ask;
        let own_words = format!("O to answer in your own words: {ask}");
        assert!(card.contains(&own_words), "{card}");
        let quiz = "z: 6 questions about this lesson, and 2 again from earlier lessons.";
        assert!(card.contains(quiz), "{card}");
        let ids: Vec<String> = walk
            .pages
            .iter()
            .flat_map(Page::predictions)
            .map(|q| q.id.clone())
            .collect();
        let done = progress.lesson_mut("attention");
        done.answers.insert(ids[0].clone(), true);
        done.answers.insert(ids[1].clone(), false);
        done.answers.insert("equal-context-rows".to_owned(), true);
        done.solved = true;
        done.explained = Some(Explanation {
            text: "Similar keys get most of the weight.".to_owned(),
            points: [true, false, true],
            ..Explanation::default()
        });
        let finished = NextSteps {
            completes_core: true,
            ..NextSteps::default()
        };
        let card = walk.end(&progress, finished, &WAYS);
        assert!(card.contains("walked the whole core path"), "{card}");
        assert!(card.contains("Predictions: 1 of 2 right"), "{card}");
        let quiz = "Quiz: 1 of 6 answered, 1 right at the first try. z for the others.";
        assert!(card.contains(quiz), "{card}");
        assert!(card.contains("attention is yours"), "{card}");
        assert!(card.contains("has 2 of the 3 points"), "{card}");
        assert!(!card.contains("go on with"), "{card}");
    }
}
