//! The card at the end of a lesson or of a part of the core path: what the learner can do now, how the questions went,
//! what is left.

use super::Walk;
use crate::lesson::core_path::Step;
use crate::lesson::own_words;
use crate::lesson::page::{Page, unmarked};
use crate::lesson::progress::Progress;

/// A front end's names for the ways to continue: its keys or its commands.
pub struct EndLabels {
    /// The quiz.
    pub quiz: &'static str,
    /// The question to answer in one's own words.
    pub own_words: &'static str,
    /// The exercise.
    pub exercise: &'static str,
    /// The hunt.
    pub hunt: &'static str,
    /// The way on.
    pub next: &'static str,
}

/// What follows at the end of a lesson, or of a part of the core path.
#[derive(Clone, Default)]
pub struct NextSteps {
    /// Where the learner goes on, in words: `go on with 05 Multi-head attention, 50 minutes`.
    pub next: Option<String>,
    /// True if the core path ends here and all of it has been read.
    pub completes_core: bool,
    /// Number of questions of earlier lessons with which the quiz begins.
    pub reviewed: usize,
}

/// Number of questions asked, answered, and right at the first try. Each is given by its lesson and id.
fn score<'a>(
    progress: &Progress,
    asked: impl Iterator<Item = (&'a str, &'a str)>,
) -> (usize, usize, usize) {
    let first = |(lesson, id)| progress.lesson(lesson).answers.get(id).copied();
    let tried: Vec<Option<bool>> = asked.map(first).collect();
    let right = tried.iter().filter(|right| **right == Some(true)).count();
    (tried.len(), tried.iter().flatten().count(), right)
}

/// Invitation to a quiz of `all` questions, after `reviewed` questions of earlier lessons.
fn invitation(quiz: &str, what: &str, all: usize, reviewed: usize) -> String {
    let own = match all {
        1 => "one question".to_owned(),
        n => format!("{n} questions"),
    };
    let again = match reviewed {
        0 => String::new(),
        1 => ", and one again from an earlier lesson".to_owned(),
        n => format!(", and {n} again from earlier lessons"),
    };
    format!("{quiz}: {own} about this {what}{again}.")
}

impl Walk {
    /// The card at the end of the lesson, or of the part of the core path, one paragraph per item.
    pub fn end(&self, progress: &Progress, onward: &NextSteps, ways: &EndLabels) -> String {
        let (lesson, done) = (self.lesson(), progress.lesson(self.lesson().name));
        let core = self.core_part(progress);
        let (title, gains, what) = match core {
            Some((_, part)) => (&*part.title, &*part.gains, "part"),
            None => (lesson.title, lesson.gains, "lesson"),
        };
        let mut card = vec![format!("This was the last page of “{title}”.")];
        card.push(gains.to_owned());
        let predictions: Vec<(&str, &str)> = match core {
            Some((core, part)) => {
                let steps = core.pages(part).iter();
                let of = |step: &'static Step| {
                    let ids = step.lesson.prediction_ids(&step.page).into_iter();
                    ids.map(|id| (step.lesson.name, id))
                };
                steps.flat_map(of).collect()
            }
            None => {
                let asked = self.pages.iter().flat_map(Page::predictions);
                asked.map(|asked| (lesson.name, &*asked.id)).collect()
            }
        };
        let (all, tried, right) = score(progress, predictions.into_iter());
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
        let asked = questions.iter().map(|question| {
            let of = question.of.map_or(lesson.name, |lesson| lesson.name);
            (of, &*question.predict.id)
        });
        let (all, tried, right) = score(progress, asked);
        match (all, tried) {
            (0, _) => {}
            (_, 0) => card.push(invitation(ways.quiz, what, all, onward.reviewed)),
            (_, tried) if tried < all => card.push(format!(
                "Quiz: {tried} of {all} answered, {right} right at the first try. {} for the others.",
                ways.quiz
            )),
            _ => card.push(format!("Quiz: {right} of {all} right at the first try.")),
        }
        // A later part may teach what the lesson's own question and its exercises need.
        let goes_on = core.is_some_and(|(core, part)| {
            let mut later = core.steps[part.steps.end..].iter();
            later.any(|step| step.lesson.name == lesson.name)
        });
        match (lesson.own_words.filter(|_| !goes_on), done.explained) {
            (None, _) => {}
            (Some(_), Some(explained)) => card.push(own_words::score(&explained.points)),
            (Some(open), None) => card.push(format!(
                "{} to answer in your own words: {}",
                ways.own_words,
                unmarked(open.ask)
            )),
        }
        for exercise in lesson.exercises().filter(|_| !goes_on) {
            let (name, effort) = (exercise.name, exercise.effort());
            card.push(if exercise.done(progress).solved {
                format!("Exercise: {name} is yours.")
            } else {
                format!("{}: write {name} yourself ({effort}).", ways.exercise)
            });
        }
        if self.is_tour() {
            card.push(format!(
                "{}: the hunt. A translator like this one hides a fault, and you find it. Your first case needs nothing beyond the tour and lessons 01 to 05.",
                ways.hunt
            ));
        }
        if onward.completes_core {
            card.push(
                "You have walked the whole core path. The other lessons and pages go deeper, in any order."
                    .to_owned(),
            );
        }
        if let Some(next) = &onward.next {
            card.push(format!("{}: {next}.", ways.next));
        }
        card.join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::{self, LESSONS};
    use crate::lesson::FrontEnd;
    use crate::lesson::progress::Explanation;
    use crate::testing::assert_contains;

    const WAYS: EndLabels = EndLabels {
        quiz: "z",
        own_words: "O",
        exercise: "x",
        hunt: "C",
        next: "n",
    };

    #[test]
    fn at_the_end_of_a_part_of_the_core_path_it_speaks_of_that_part() {
        let (core, mut progress) = (curriculum::core_path(), Progress::default());
        let part = &core.parts[1];
        let last = &core.steps[part.steps.end - 1];
        let mut walk = Walk::new(last.lesson, &progress, FrontEnd::Screen, None).unwrap();
        walk.core = Some(core);
        walk.turn_to(last.page_number(), &mut progress).unwrap();
        let onward = curriculum::onward(&walk, &progress);
        let card = walk.end(&progress, &onward, &WAYS);
        assert!(card.starts_with(&format!("This was the last page of “{}”.", part.title)));
        assert!(card.contains(&part.gains), "{card}");
        let quiz = format!("z: {} questions about this part.", part.quiz.len());
        assert!(card.contains(&quiz), "{card}");
        let next = format!("n: go on with “{}”, ", core.parts[2].title);
        assert!(card.contains(&next), "{card}");
        let (lesson, id) = &part.quiz[0];
        progress
            .lesson_mut(lesson.name)
            .answers
            .insert(id.clone(), true);
        let card = walk.end(&progress, &onward, &WAYS);
        assert_contains(&card, &format!("Quiz: 1 of {} answered", part.quiz.len()));
    }

    #[test]
    fn it_says_what_was_right_what_is_left_and_where_to_go_on() {
        let mut progress = Progress::default();
        let walk = Walk::new(LESSONS[3], &progress, FrontEnd::Screen, None).unwrap();
        let next = NextSteps {
            next: Some("go on with the rest".to_owned()),
            reviewed: 2,
            ..NextSteps::default()
        };
        let card = walk.end(&progress, &next, &WAYS);
        assert!(card.contains(LESSONS[3].gains), "{card}");
        assert_contains(&card, "x: write attention yourself (core, about ");
        assert!(card.contains("n: go on with the rest."), "{card}");
        assert!(!card.contains("Predictions"), "{card}");
        assert!(!card.contains("core path"), "{card}");
        let ask = LESSONS[3].own_words.unwrap().ask;
        let own_words = format!("O to answer in your own words: {ask}");
        assert!(card.contains(&own_words), "{card}");
        let count = LESSONS[3].questions(FrontEnd::Screen).unwrap().len();
        let quiz =
            format!("z: {count} questions about this lesson, and 2 again from earlier lessons.");
        assert!(card.contains(&quiz), "{card}");
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
        let card = walk.end(&progress, &finished, &WAYS);
        assert!(card.contains("walked the whole core path"), "{card}");
        assert!(card.contains("Predictions: 1 of 2 right"), "{card}");
        let quiz =
            format!("Quiz: 1 of {count} answered, 1 right at the first try. z for the others.");
        assert!(card.contains(&quiz), "{card}");
        assert!(card.contains("attention is yours"), "{card}");
        assert!(card.contains("has 2 of the 3 points"), "{card}");
        assert!(!card.contains("go on with"), "{card}");
    }
}
