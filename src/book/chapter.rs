//! A lesson as a chapter: its text with figures, questions, callouts and source, then its quiz and exercises.

use std::fmt::Write as _;

use anyhow::anyhow;

use super::{figure, formulas, front, links, questions};
use crate::curriculum;
use crate::lesson::page::{self, Page, StageBlock};
use crate::lesson::session::{Session, parse_cell};
use crate::lesson::{FrontEnd, Lesson, Mark, for_front_end, marks, quiz, source};
use crate::widgets::html::Offers;
use crate::widgets::html::live::Place;

mod exercises;

pub use exercises::solutions;
use exercises::task;

/// The course's own callouts, in addition to mdBook's five kinds.
const CALLOUTS: [(&str, &str, &str); 3] = [
    ("[!DIFFERS]", "differs", "Differs"),
    ("[!TRY]", "try", "Try it"),
    ("[!BREAK]", "break", "Break it"),
];

/// Returns the Markdown of a lesson's chapter.
pub fn markdown(lesson: &'static Lesson) -> anyhow::Result<String> {
    let at_lesson = |e: String| anyhow!("lessons/{}/lesson.md: {e}", lesson.folder);
    let text = page::without_claims(&for_front_end(lesson.text, FrontEnd::Book));
    let pages = page::parse(&format!("lessons/{}/lesson.md", lesson.folder), &text)?;
    let mut writer = Writer {
        session: Session::new(lesson),
        questions: pages
            .iter()
            .flat_map(|p| p.predictions().cloned())
            .collect::<Vec<_>>()
            .into_iter(),
        figures: 0,
        knows_leaks: false,
        out: place(lesson),
    };
    writer.session.keep_runs(figure::CACHED_CELLS);
    for (at, (text, page)) in page::split(&text).into_iter().zip(&pages).enumerate() {
        writer.knows_leaks = lesson.knows_leaks(at);
        writer.session.name_leak(writer.knows_leaks);
        writer.page(text, page.stage()).map_err(at_lesson)?;
        if page.id == page::START {
            writer.core_path();
        }
        writer.next_on_core_path(page);
    }
    writer.add_end().map_err(at_lesson)?;
    formulas::as_mathml(&links::linked(&writer.out, lesson.number)).map_err(at_lesson)
}

/// Which lesson this is, above its title.
fn place(lesson: &Lesson) -> String {
    let path = curriculum::core_path();
    let own = path
        .steps
        .iter()
        .filter(|step| step.lesson.name == lesson.name);
    let core: u32 = own.map(|step| step.minutes).sum();
    let core = match core {
        0 => String::new(),
        core => format!(" · core path {core} minutes"),
    };
    format!(
        "<p class=\"tt-lesson\">Lesson {:02} · {} · {} minutes in all{core}</p>\n\n",
        lesson.number, lesson.title, lesson.minutes
    )
}

struct Writer {
    session: Session,
    questions: std::vec::IntoIter<page::Predict>,
    /// Number of figures so far.
    figures: usize,
    /// True if the reader of this page knows what a leak is.
    knows_leaks: bool,
    out: String,
}

impl Writer {
    fn lesson(&self) -> &'static Lesson {
        self.session.lesson()
    }

    /// Writes which of the chapter's pages are on the core path, part by part.
    fn core_path(&mut self) {
        let (path, lesson) = (curriculum::core_path(), self.lesson());
        let mut parts = Vec::new();
        for (n, part) in path.parts.iter().enumerate() {
            let pages = path.pages(part).iter();
            let pages = pages.filter(|step| step.lesson.name == lesson.name);
            let minutes: u32 = pages.clone().map(|step| step.minutes).sum();
            let links: Vec<String> = pages.map(front::core_link).collect();
            if !links.is_empty() {
                parts.push(format!(
                    "**Core path**, [{}](core.md#part-{n}) ({minutes} minutes): {}.",
                    part.title,
                    links.join(" · ")
                ));
            }
        }
        if !parts.is_empty() {
            let parts = parts.join("\n\n");
            let _ = writeln!(
                self.out,
                "\n<div class=\"tt-callout tt-note\">\n\n{parts}\n\n</div>\n"
            );
        }
    }

    /// Writes, below a page of the core path, which page follows on it.
    fn next_on_core_path(&mut self, page: &Page) {
        let (path, lesson) = (curriculum::core_path(), self.lesson());
        let next = path
            .find(lesson, &page.id)
            .map(|step| &path.steps[step + 1..]);
        if let Some([next, ..]) = next {
            let _ = writeln!(
                self.out,
                "\n<div class=\"tt-next\">\n\nNext on the core path: {}\n\n</div>\n",
                front::core_link(next)
            );
        }
    }

    /// Writes the page `text`, whose stage block is `stage`.
    fn page(&mut self, text: &str, stage: Option<&StageBlock>) -> Result<(), String> {
        // The sentence is typed into the page's own figure if it takes one.
        let own = text.replace("(do:play)", "(turn:sentence)");
        let has_own = stage.is_some() && self.lesson().knob("sentence").is_ok();
        let text = if has_own { &own } else { text };
        let parts = parts(text);
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Fence("stage", _) => {
                    let block = stage.ok_or("a stage block was not read")?;
                    self.figure(text, block)?;
                }
                Part::Fence("predict", _) => {
                    let question = self.questions.next().ok_or("a prediction was not read")?;
                    self.out += &questions::form(&self.session, &question)?;
                }
                Part::Fence(language, body) => {
                    self.out += &listing(self.lesson(), language, body)?;
                }
                Part::Quote(text) => self.quote(text),
                Part::Line(line) => {
                    let next = parts.get(at + 1);
                    let heads = line.starts_with('|')
                        && matches!(next, Some(Part::Line(next)) if next.starts_with("|-"));
                    let mut text = self.lesson().says(line, FrontEnd::Book);
                    if heads {
                        // Table headings need text for screen readers.
                        text = text.replacen("| |", "| <span class=\"tt-sr\">case</span> |", 1);
                    }
                    let _ = writeln!(self.out, "{text}");
                }
            }
        }
        Ok(())
    }

    /// Writes the figure of a page whose whole text is `text`.
    fn figure(&mut self, text: &str, block: &StageBlock) -> Result<(), String> {
        let lesson = self.lesson();
        let (mut offers, columns) = offered(text, lesson, block.show.as_deref());
        // A translation is read before anything else of its run is chosen.
        if offers.knobs.contains_key("sentence") && block.show.as_deref() == Some("translation") {
            offers.knobs.retain(|name, _| name == "sentence");
        }
        let place = Place {
            lesson: lesson.name.to_owned(),
            block: StageBlock {
                caption: None,
                line: 0,
                ..block.clone()
            },
            knows_leaks: self.knows_leaks,
            offers,
            columns,
        };
        self.figures += 1;
        let id = format!("figure-{:02}-{}", lesson.number, self.figures);
        let caption = block.caption.as_deref().unwrap_or_default();
        let figure = figure::html(&mut self.session, &place, caption, &id)?;
        let _ = writeln!(self.out, "\n{figure}");
        Ok(())
    }

    fn quote(&mut self, text: &str) {
        let own = CALLOUTS.iter().find(|(mark, ..)| text.starts_with(mark));
        let content = self.lesson().says(text, FrontEnd::Book);
        match own {
            // A plain quotation, or a callout of one of mdBook's own kinds.
            None => {
                for line in content.lines() {
                    let _ = writeln!(self.out, "> {line}");
                }
                self.out.push('\n');
            }
            Some((mark, class, title)) => {
                let content = content.strip_prefix(mark).unwrap_or(&content).trim();
                let _ = writeln!(
                    self.out,
                    "<div class=\"tt-callout tt-{class}\">\n\n**{title}.** {content}\n\n</div>\n"
                );
            }
        }
    }

    fn add_end(&mut self) -> Result<(), String> {
        let lesson = self.lesson();
        let questions = quiz::parse(lesson.quiz)?;
        if !questions.is_empty() {
            self.out += "\n## Questions {#questions}\n\n";
        }
        for question in &questions {
            self.out += &questions::form(&self.session, question)?;
        }
        if let Some(open) = &lesson.own_words {
            self.out += &questions::own_words(lesson, open)?;
        }
        for exercise in lesson.exercises() {
            self.out += &task(lesson, exercise);
        }
        let _ = write!(
            self.out,
            "\nThe program can do more with this lesson: `transformer-tutor --lesson {}`.\n",
            lesson.name
        );
        Ok(())
    }
}

/// What a page's text offers to change at its figure, which shows `show`: every mistake that it names, and every knob
/// with the values that it names; and the columns of the cells that it names.
fn offered(text: &str, lesson: &Lesson, show: Option<&str>) -> (Offers, Vec<usize>) {
    let (mut offers, mut columns) = (Offers::default(), Vec::new());
    for (_, mark) in marks(text) {
        match mark {
            Ok(Mark::Break(name) | Mark::Mend(name))
                if lesson.switch_number(name).is_some()
                    && !offers.mistakes.iter().any(|known| known == name) =>
            {
                offers.mistakes.push(name.to_owned());
            }
            Ok(Mark::Turn(name)) if lesson.knob(name).is_ok() => {
                offers.knobs.entry(name.to_owned()).or_default();
            }
            Ok(Mark::Set { knob, value }) if lesson.knob(knob).is_ok() => {
                let values = offers.knobs.entry(knob.to_owned()).or_default();
                values.push(value.to_owned());
            }
            Ok(Mark::Look(cell) | Mark::Cell(cell)) => {
                let cell = parse_cell(cell)
                    .ok()
                    .filter(|(name, _)| Some(*name) == show);
                columns.extend(cell.and_then(|(_, index)| index.last().copied()));
            }
            _ => {}
        }
    }
    (offers, columns)
}

/// A part of a page's Markdown.
enum Part<'a> {
    /// A fenced block: its language and what is in it.
    Fence(&'a str, String),
    /// A callout or quote, without its marks at the margin.
    Quote(String),
    Line(&'a str),
}

/// The parts of a page, in order.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        parts.push(if let Some(language) = line.strip_prefix("```") {
            let body = rest.by_ref().take_while(|line| !line.starts_with("```"));
            Part::Fence(language.trim(), body.collect::<Vec<_>>().join("\n"))
        } else if line.starts_with('>') {
            let more = std::iter::from_fn(|| rest.next_if(|line| line.starts_with('>')));
            let lines = [line].into_iter().chain(more).map(|line| {
                let inner = &line[1..];
                inner.strip_prefix(' ').unwrap_or(inner)
            });
            Part::Quote(lines.collect::<Vec<_>>().join("\n"))
        } else {
            Part::Line(line)
        });
    }
    parts
}

/// Returns a code block with its source location. Code that gives away one of the lesson's exercises is folded, as in
/// the terminal.
fn listing(lesson: &Lesson, language: &str, body: &str) -> Result<String, String> {
    let folder = format!("lessons/{}", lesson.folder);
    let (code, from) = source::expand(&source::Embedded, &folder, body)?;
    let code = format!("```{language}\n{}\n```\n", code.trim_end());
    let Some(from) = from else {
        return Ok(code);
    };
    let place = format!("\n<p class=\"place\">{from}</p>\n\n");
    let mut all = lesson.exercises();
    Ok(match all.find(|e| e.is_given_away_at(&from)) {
        Some(exercise) => format!(
            "<details class=\"tt-folded\"><summary>The code of your exercise <code>{}</code>. Try to write it before you look.</summary>\n\n{code}{place}</details>\n\n",
            exercise.name
        ),
        None => code + &place,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::LESSONS;

    /// All listings of a lesson: first the folded ones, then the open ones.
    fn listings(lesson: &Lesson) -> (String, String) {
        let fences = lesson.text.split("\n```").skip(1).step_by(2);
        let code = fences.filter_map(|fence| fence.split_once('\n'));
        let code = code.filter(|(language, _)| !["stage", "predict"].contains(language));
        let all = code.map(|(language, body)| listing(lesson, language, body).unwrap());
        let (folded, open) = all.partition::<Vec<_>, _>(|listing| listing.contains("<details"));
        (folded.concat(), open.concat())
    }

    #[test]
    fn the_code_of_every_exercise_is_folded_in_its_chapter() {
        for (lesson, exercise) in LESSONS
            .iter()
            .flat_map(|l| l.exercises().map(move |e| (l, e)))
        {
            let (folded, open) = listings(lesson);
            let (code, _) = exercise.reference().unwrap();
            let (_, body) = code.split_once(") -> ").unwrap();
            let says =
                |line: &&str| line.len() > 24 && line.contains('(') && !line.starts_with("//");
            let lines: Vec<&str> = body.lines().skip(1).map(str::trim).filter(says).collect();
            assert!(!lines.is_empty(), "{}", lesson.name);
            for line in lines {
                assert!(!open.contains(line), "{} shows: {line}", lesson.name);
            }
            assert!(
                folded.contains("Try to write it before you look."),
                "{}",
                lesson.name
            );
        }
    }
}
