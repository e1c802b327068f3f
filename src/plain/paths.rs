//! The list of what there is to read, and the ways from page to page: along the core path or through a lesson.

use super::{PlainLesson, Prompt, term, terms};
use crate::curriculum::{self, LESSONS, Next, PARTS};
use crate::lesson::progress::Progress;
use crate::lesson::walk::{Turn, Walk};
use crate::lesson::{FrontEnd, Lesson};

/// Shows the core path and the lessons, and returns what was chosen; `None` to quit.
pub(super) fn choose(prompt: &mut Prompt<'_>, progress: &Progress) -> anyhow::Result<Option<Next>> {
    let path = curriculum::core_path();
    prompt.say(&format!(
        "The core path, to a translator that you have trained, in about {} hours:",
        (path.minutes() + 30) / 60
    ))?;
    for (n, part) in path.parts.iter().enumerate() {
        let pages = path.pages(part);
        let minutes: u32 = pages.iter().map(|step| step.minutes).sum();
        let read = pages.iter().filter(|step| step.is_read(progress)).count();
        let read = match read {
            0 => String::new(),
            read if read == pages.len() => ", read".to_owned(),
            read => format!(", {read} of {} pages read", pages.len()),
        };
        prompt.say(&format!(
            "  core {n} {} ({minutes} minutes{read})",
            part.title
        ))?;
    }
    prompt.say("The lessons, with all their pages:")?;
    for (name, from, to) in PARTS {
        let of = LESSONS.iter().map(|lesson| &***lesson);
        let of: Vec<&Lesson> = of
            .filter(|lesson| (from..=to).contains(&lesson.number))
            .collect();
        let minutes: usize = of.iter().map(|lesson| lesson.minutes as usize).sum();
        prompt.say(&format!("{name} ({minutes} minutes)"))?;
        for lesson in of {
            prompt.say(&format!(
                "  {} {} ({} minutes{})",
                lesson.number,
                lesson.title,
                lesson.minutes,
                reached(lesson, progress)
            ))?;
        }
    }
    prompt.say("Beside them, in a shell: transformer-tutor hunt, to find the fault in someone else's model.")?;
    loop {
        let ask = "core for the core path, a lesson's number for all its pages, or q to quit";
        let Some(line) = prompt.ask(ask)? else {
            return Ok(None);
        };
        match line.as_str() {
            "q" | "quit" => return Ok(None),
            "" | "n" | "next" => return Ok(Some(Next::Step(path.place(progress)))),
            "h" | "help" | "?" => prompt.say(
                "core or Return goes on along the core path; a lesson's number opens all its pages; term NAME explains a term; q quits.",
            )?,
            "terms" | "glossary" => prompt.say(&terms())?,
            word if word.starts_with("term ") => prompt.say(&term(word[5..].trim()))?,
            "core" => return Ok(Some(Next::Step(path.place(progress)))),
            word if word.starts_with("core ") => match part(word[5..].trim(), progress) {
                Ok(step) => return Ok(Some(Next::Step(step))),
                Err(sentence) => prompt.refuse(&sentence)?,
            },
            word => match curriculum::find(word) {
                Ok(lesson) => return Ok(Some(Next::Lesson(lesson))),
                Err(_) => prompt.refuse(&format!(
                    "There is no lesson \"{word}\". Type core, a lesson's number, 0 to {}, or q.",
                    LESSONS.len() - 1
                ))?,
            },
        }
    }
}

/// The learner's progress in a lesson: `, read`, `, begun`, or nothing.
fn reached(lesson: &Lesson, progress: &Progress) -> &'static str {
    let done = progress.lesson(lesson.name);
    if done.pages.len() >= lesson.page_count() {
        ", read"
    } else if done.is_begun() {
        ", begun"
    } else {
        ""
    }
}

/// Place on the core path where the learner goes on in the part with this number, or a message that there is none.
fn part(number: &str, progress: &Progress) -> Result<usize, String> {
    let path = curriculum::core_path();
    let part = number.parse().ok().and_then(|n: usize| path.parts.get(n));
    let part = part.ok_or_else(|| {
        let last = path.parts.len().saturating_sub(1);
        format!("There is no part \"{number}\" of the core path; they go from 0 to {last}.")
    })?;
    Ok(path.place_in(part, progress))
}

/// The walk that goes on there.
pub(super) fn entered(next: &Next, progress: &Progress) -> Result<Walk, String> {
    let path = curriculum::core_path();
    match next {
        Next::Lesson(lesson) => Walk::new(lesson, progress, FrontEnd::Plain, None),
        Next::Step(step) => {
            let step = &path.steps[*step];
            let mut walk = Walk::at(step.lesson, Some(&step.page), FrontEnd::Plain, None)?;
            walk.core = Some(path);
            Ok(walk)
        }
    }
}

impl PlainLesson<'_> {
    pub(super) fn turn(&mut self, turn: Turn, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        match turn {
            Turn::Page(page) => self.open(page, prompt),
            Turn::Step(step) => self.go(&Next::Step(step), prompt),
            Turn::Start | Turn::End => self.open(self.walk.page, prompt),
        }
    }

    /// Goes on at a page of the core path, or in another lesson.
    pub(super) fn go(&mut self, next: &Next, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        match entered(next, self.progress) {
            Ok(walk) => {
                // A quiz that was left before its end is that of the lesson, or of the part.
                self.quiz = None;
                self.walk = walk;
                self.open(self.walk.page, prompt)
            }
            Err(sentence) => prompt.refuse(&sentence),
        }
    }

    /// Goes to a part of the core path, or to where the learner is on it; from a page of it, opens all pages of the
    /// lesson.
    pub(super) fn core(&mut self, number: &str, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let path = curriculum::core_path();
        let here = path.find(self.walk.lesson(), &self.walk.page().id);
        if !number.is_empty() {
            return match part(number, self.progress) {
                Ok(step) => self.go(&Next::Step(step), prompt),
                Err(sentence) => prompt.refuse(&sentence),
            };
        }
        if self.walk.step().is_some() {
            self.walk.core = None;
            self.progress.leave_core();
            return prompt
                .say("All pages of this lesson are open; core goes back to the core path.");
        }
        let here = here.filter(|_| !self.progress.is_core());
        let step = here.unwrap_or_else(|| path.place(self.progress));
        prompt.say("You follow the core path; core opens all pages of a lesson again.")?;
        self.go(&Next::Step(step), prompt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::file::Answers;
    use crate::lesson::core_path::{Part, Step};

    /// The pages that a learner sees who begins there and types these lines: what stands above each.
    fn pages(next: Next, lines: &str, progress: &mut Progress) -> Vec<String> {
        let (mut input, mut out) = (lines.as_bytes(), Vec::new());
        let mut prompt = Prompt {
            answers: Answers::of(&mut input),
            out: &mut out,
            columns: None,
        };
        let mut at = PlainLesson::new(next, progress).unwrap();
        let _ = at.walk(&mut prompt).unwrap();
        let said = String::from_utf8(out).unwrap();
        let is_page = |line: &&str| line.contains(", page ") && line.contains(" of ");
        let lines = said.lines().filter(is_page);
        let above = lines.filter_map(|line| line.split_once(": "));
        above.map(|(above, _)| above.to_owned()).collect()
    }

    #[test]
    fn next_visits_every_page_of_the_core_path_in_its_order_and_nothing_else() {
        let (path, mut progress) = (curriculum::core_path(), Progress::default());
        let above = |part: &Part| {
            let (title, all) = (part.title.clone(), part.steps.len());
            (1..=all).map(move |page| format!("{title}, page {page} of {all}"))
        };
        let expected: Vec<String> = path.parts.iter().flat_map(above).collect();
        // A question is asked and left, which takes two more, and the end of each part takes one.
        let asks = |step: &Step| {
            let pages = step.lesson.pages().unwrap();
            let page = pages.iter().find(|page| page.id == step.page);
            page.unwrap().predictions().next().is_some()
        };
        let nexts = path.steps.iter().map(|step| if asks(step) { 3 } else { 1 });
        let lines = "next\n".repeat(nexts.sum::<usize>() + path.parts.len());
        assert_eq!(pages(Next::Step(0), &lines, &mut progress), expected);
        assert!(!path.is_read(&progress), "nobody reads so fast");
    }

    #[test]
    fn core_leads_back_from_a_lesson_and_to_a_part() {
        let (path, mut progress) = (curriculum::core_path(), Progress::default());
        progress.stand_at("embeddings", "words-become-ids");
        let adam = curriculum::find("adam").unwrap();
        let seen = pages(Next::Lesson(adam), "next\ncore\ncore 0\n", &mut progress);
        let of_adam = |page| format!("{}, page {page} of {}", adam.heading(), adam.page_count());
        assert_eq!(seen[..2], [of_adam(1), of_adam(2)]);
        assert!(seen[2].starts_with(&path.parts[1].title), "{}", seen[2]);
        assert!(seen[3].starts_with(&path.parts[0].title), "{}", seen[3]);
    }
}
