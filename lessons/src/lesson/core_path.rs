//! The core path, from `lessons/core.toml`: the shortest way to a trained translator. Its parts take pages of several
//! lessons, in an order of their own.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::Lesson;
use super::knob::did_you_mean;
use super::page;
use super::progress::Progress;

/// The file in the folder of the lessons.
pub const FILE: &str = "core.toml";

/// The core path.
#[derive(Default)]
pub struct CorePath {
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// The pages of all parts, in order.
    pub steps: Vec<Step>,
    /// What is wrong with the file, if anything; the path is then empty.
    pub wrong: Option<String>,
}

/// A part of the core path.
pub struct Part {
    pub title: String,
    /// What the learner can do after it, in one sentence.
    pub gains: String,
    /// Places of its pages in [`CorePath::steps`].
    pub steps: Range<usize>,
    /// The questions at its end: lesson and id.
    pub quiz: Vec<(&'static Lesson, String)>,
}

/// A page of the core path.
pub struct Step {
    /// Number of its part, from 0.
    pub part: usize,
    pub lesson: &'static Lesson,
    /// Id of the page.
    pub page: String,
    /// Estimated time in minutes.
    pub minutes: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    part: Vec<PartWords>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartWords {
    title: Spanned<String>,
    gains: String,
    pages: Vec<Spanned<(String, String, u32)>>,
    #[serde(default)]
    quiz: Vec<Spanned<(String, String)>>,
}

impl CorePath {
    /// Reads the path through `lessons` from the text of `core.toml`. If that is wrong, the path is empty and
    /// [`CorePath::wrong`] says why.
    pub fn read(text: &str, lessons: &[&'static Lesson]) -> Self {
        read(text, lessons).unwrap_or_else(|wrong| Self {
            wrong: Some(wrong),
            ..Self::default()
        })
    }

    /// Place of a page of a lesson on the path.
    pub fn find(&self, lesson: &Lesson, page: &str) -> Option<usize> {
        let mut steps = self.steps.iter();
        steps.position(|step| step.lesson.name == lesson.name && step.page == page)
    }

    /// The part to which the page at `step` belongs.
    pub fn part_of(&self, step: usize) -> &Part {
        &self.parts[self.steps[step].part]
    }

    /// The pages of a part.
    pub fn pages(&self, part: &Part) -> &[Step] {
        &self.steps[part.steps.clone()]
    }

    /// Estimated time in minutes for all of it.
    pub fn minutes(&self) -> u32 {
        self.steps.iter().map(|step| step.minutes).sum()
    }

    /// The pages that it takes of a lesson.
    pub fn of_lesson(&self, lesson: &Lesson) -> impl Iterator<Item = &Step> {
        let name = lesson.name;
        self.steps.iter().filter(move |s| s.lesson.name == name)
    }

    /// Where the learner goes on: at the page of the path that was open last or, if the path has lost that, at the
    /// first one not read.
    pub fn place(&self, progress: &Progress) -> usize {
        let open = self.steps.iter();
        let mut open =
            open.map(|step| progress.core_page() == Some((step.lesson.name, step.page.as_str())));
        let unread = || self.steps.iter().position(|step| !step.is_read(progress));
        open.position(|open| open).or_else(unread).unwrap_or(0)
    }

    /// Where the learner goes on in a part: where they are, or at its first page not read.
    pub fn place_in(&self, part: &Part, progress: &Progress) -> usize {
        let place = self.place(progress);
        if part.steps.contains(&place) {
            return place;
        }
        let mut steps = part.steps.clone();
        let unread = steps.find(|step| !self.steps[*step].is_read(progress));
        unread.unwrap_or(part.steps.start)
    }

    /// True if all of its pages have been read.
    pub fn is_read(&self, progress: &Progress) -> bool {
        self.steps.iter().all(|step| step.is_read(progress))
    }

    /// Number of predictions on its pages that have not been answered.
    pub fn predictions_open(&self, progress: &Progress) -> usize {
        let open = self.steps.iter().flat_map(|step| {
            let done = progress.lesson(step.lesson.name);
            let ids = step.lesson.prediction_ids(&step.page).into_iter();
            ids.filter(move |id| !done.answers.contains_key(*id))
        });
        open.count()
    }
}

impl Step {
    /// True if the page has been read.
    pub fn is_read(&self, progress: &Progress) -> bool {
        progress.has_read(self.lesson.name, &self.page)
    }

    /// Number of the page in its lesson, from 0.
    pub fn page_number(&self) -> usize {
        self.lesson.page_number(&self.page).unwrap_or(0)
    }
}

/// Reads the file, all of whose pages and questions must exist. The error names the line.
fn read(text: &str, lessons: &[&'static Lesson]) -> Result<CorePath, String> {
    let words: File = toml::from_str(text).map_err(|e| format!("lessons/{FILE}: {e}"))?;
    let at = |at: usize, what: String| {
        let line = text[..at].matches('\n').count() + 1;
        format!("lessons/{FILE}:{line}: {what}")
    };
    let named = |name: &str| {
        let found = lessons.iter().find(|lesson| lesson.name == name).copied();
        let near = || did_you_mean(name, lessons.iter().map(|lesson| lesson.name));
        found.ok_or_else(|| format!("there is no lesson '{name}'{}", near()))
    };
    let mut path = CorePath::default();
    for part in words.part {
        let from = path.steps.len();
        for entry in part.pages {
            let start = entry.span().start;
            let (lesson, page, minutes) = entry.into_inner();
            let lesson = named(&lesson).map_err(|e| at(start, e))?;
            check_page(&path, lesson, &page, minutes).map_err(|e| at(start, e))?;
            path.steps.push(Step {
                part: path.parts.len(),
                lesson,
                page,
                minutes,
            });
        }
        let steps = from..path.steps.len();
        if steps.is_empty() {
            let what = format!("the part '{}' has no pages", part.title.get_ref());
            return Err(at(part.title.span().start, what));
        }
        let question = |entry: Spanned<(String, String)>| {
            let start = entry.span().start;
            let (lesson, id) = entry.into_inner();
            let lesson = named(&lesson).map_err(|e| at(start, e))?;
            let ids = lesson.question_ids();
            if ids.contains(&id) {
                return Ok((lesson, id));
            }
            let near = did_you_mean(&id, ids.iter().map(String::as_str));
            let what = format!("the quiz of {} has no question '{id}'{near}", lesson.name);
            Err(at(start, what))
        };
        let quiz = part.quiz.into_iter().map(question);
        path.parts.push(Part {
            title: part.title.into_inner(),
            gains: part.gains,
            steps,
            quiz: quiz.collect::<Result<_, _>>()?,
        });
    }
    Ok(path)
}

/// Checks a page that is to follow on the path.
fn check_page(path: &CorePath, lesson: &Lesson, id: &str, minutes: u32) -> Result<(), String> {
    let name = lesson.name;
    let Some(number) = lesson.page_number(id) else {
        let ids = page::ids(lesson.text);
        let near = did_you_mean(id, ids.iter().map(String::as_str));
        return Err(format!("the lesson {name} has no page '{id}'{near}"));
    };
    if page::is_optional(page::split(lesson.text)[number]) {
        return Err(format!(
            "the page {id} of {name} is optional; take \"Optional\" from its title, or the page from this list"
        ));
    }
    if path.find(lesson, id).is_some() {
        return Err(format!("the page {id} of {name} is on the path already"));
    }
    if minutes == 0 {
        return Err(format!("the page {id} of {name} takes at least 1 minute"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::{self, LESSONS};
    use crate::testing::{assert_contains, assert_starts_with};

    fn read(text: &str) -> CorePath {
        CorePath::read(text, &LESSONS.map(|lesson| &**lesson))
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let part = |pages: &str, quiz: &str| {
            read(&format!(
                "[[part]]\ntitle = 'One'\ngains = 'Nothing.'\npages = [\n    {pages}\n]\nquiz = [{quiz}]\n"
            ))
        };
        for (pages, quiz, says) in [
            (
                "['atention', 'start', 1]",
                "",
                "5: there is no lesson 'atention'; did you mean 'attention'",
            ),
            (
                "['attention', 'strat', 1]",
                "",
                "5: the lesson attention has no page 'strat'",
            ),
            (
                "['attention', 'start', 0]",
                "",
                "5: the page start of attention takes at least",
            ),
            (
                "['attention', 'start', 1],\n['attention', 'start', 1]",
                "",
                "6: the page start of attention is on the path already",
            ),
            (
                "['tour', 'start', 1]",
                "['tour', 'why']",
                "7: the quiz of tour has no question 'why'",
            ),
            ("", "", "2: the part 'One' has no pages"),
        ] {
            let path = part(pages, quiz);
            let wrong = path.wrong.unwrap_or_default();
            assert_starts_with(&wrong, &format!("lessons/core.toml:{says}"));
            assert!(path.steps.is_empty());
        }
        let wrong = read("[[part]]\ntitel = 'One'").wrong.unwrap_or_default();
        assert_contains(&wrong, "line 2");
        assert_contains(&wrong, "titel");
    }

    #[test]
    fn the_learner_goes_on_where_they_were_or_at_the_first_page_not_read() {
        let path = curriculum::core_path();
        let mut progress = Progress::default();
        assert_eq!(path.place(&progress), 0);
        let read = |progress: &mut Progress, step: usize| {
            let Step { lesson, page, .. } = &path.steps[step];
            progress.lesson_mut(lesson.name).pages.insert(page.clone());
        };
        read(&mut progress, 0);
        read(&mut progress, 2);
        assert_eq!(path.place(&progress), 1);
        let second = &path.parts[1];
        assert_eq!(path.place_in(second, &progress), second.steps.start);
        read(&mut progress, second.steps.start);
        assert_eq!(path.place_in(second, &progress), second.steps.start + 1);
        let at = &path.steps[second.steps.end - 1];
        progress.stand_at(at.lesson.name, &at.page);
        assert_eq!(path.place(&progress), second.steps.end - 1);
        assert_eq!(path.place_in(second, &progress), second.steps.end - 1);
        // The path no longer has that page.
        progress.stand_at("attention", "gone");
        assert_eq!(path.place(&progress), 1);
    }
}
