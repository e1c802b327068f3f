//! A lesson as a chapter: its text with figures, questions, callouts and source, then its quiz and exercises.

use std::fmt::Write as _;

use anyhow::anyhow;

use super::figure::{self, Drawn, FigureOverrides, FigureRequest};
use super::knobs::Slider;
use super::{formulas, front, links, live, questions};
use crate::curriculum::{self, LESSONS};
use crate::lesson::page::{self, Page, StageBlock};
use crate::lesson::session::Session;
use crate::lesson::{FrontEnd, Lesson, Mark, for_front_end, marks, quiz, source};

mod exercises;
mod figure_links;
mod requests;

pub use exercises::solutions;
use exercises::task;
use requests::Request;

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
        figures: Vec::new(),
        shown: None,
        drawing: String::new(),
        heads: false,
        out: String::new(),
    };
    writer.session.keep_runs(figure::CACHED_CELLS);
    for (at, (text, page)) in page::split(&text).into_iter().zip(&pages).enumerate() {
        writer.session.name_leak(lesson.knows_leaks(at));
        writer.page(text, page.stage()).map_err(at_lesson)?;
        if page.id == page::START {
            writer.core_path();
        }
        writer.next_on_core_path(page);
    }
    writer.add_end().map_err(at_lesson)?;
    let text = figure_links::resolved(&writer.out, &writer.figures);
    formulas::as_mathml(&links::linked(&text, lesson.number)).map_err(at_lesson)
}

struct Writer {
    session: Session,
    questions: std::vec::IntoIter<page::Predict>,
    figures: Vec<Drawn>,
    /// Stage block of the most recent figure that has one.
    shown: Option<StageBlock>,
    /// Drawing of the previous figure.
    drawing: String,
    /// True if the page steps from head to head, so that its figures show all of them.
    heads: bool,
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
                "\n*Next on the core path:* {}\n",
                front::core_link(next)
            );
        }
    }

    /// Writes the page `text`, whose stage block is `stage`.
    fn page(&mut self, text: &str, stage: Option<&StageBlock>) -> Result<(), String> {
        let parts = parts(text);
        let page_figure = stage.map(|stage| self.requested_by_page(&parts, stage));
        let page_figure = page_figure.unwrap_or_default();
        self.heads = marks(text).any(|(_, mark)| is_action(&mark, "other"));
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Fence(language, body) => self.fence(language, body, stage, &page_figure)?,
                Part::Quote(text) => self.quote(text, stage.is_some()),
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
                    self.add_translation_box(line);
                    self.draw_requested(line, stage.is_some());
                }
            }
        }
        Ok(())
    }

    /// Collects the mistakes, settings and columns that the page's text and the figure's caption mark and that the
    /// page's own figure covers.
    fn requested_by_page(&self, parts: &[Part<'_>], stage: &StageBlock) -> PageFigure {
        let lesson = self.lesson();
        let show = stage.show.as_deref();
        let mut page_figure = PageFigure::default();
        let caption = stage.caption.as_deref().map(|caption| (caption, true));
        let text = parts.iter().filter_map(|part| match part {
            Part::Quote(text) => Some((text.as_str(), false)),
            Part::Line(line) => Some((*line, false)),
            Part::Fence(..) => None,
        });
        for (text, is_caption) in caption.into_iter().chain(text) {
            for request in Request::of(text, lesson) {
                if request.target.is_none() {
                    page_figure
                        .sliders
                        .extend(request.settings_as_sliders(lesson));
                }
                // Marks in a caption belong to its own figure, even if they name a different tensor.
                if is_caption || request.is_for_page(lesson, show) {
                    page_figure.mistakes.extend(&request.mistakes);
                    page_figure.sliders.extend(request.sliders);
                    page_figure
                        .columns
                        .extend(request.target.and_then(|target| target.at.last().copied()));
                }
            }
        }
        page_figure.mistakes.sort_unstable();
        page_figure.mistakes.dedup();
        page_figure
    }

    fn fence(
        &mut self,
        language: &str,
        body: &str,
        stage: Option<&StageBlock>,
        page_figure: &PageFigure,
    ) -> Result<(), String> {
        match language {
            "stage" => {
                let block = stage.ok_or("a stage block was not read")?;
                let shown = FigureOverrides {
                    mistakes: &page_figure.mistakes,
                    knobs: &page_figure.sliders,
                    columns: &page_figure.columns,
                    ..FigureOverrides::default()
                };
                self.figure(block, &shown)?;
                self.shown = Some(block.clone());
                self.draw_requested(block.caption.as_deref().unwrap_or_default(), true);
            }
            "predict" => {
                let question = self.questions.next().ok_or("a prediction was not read")?;
                self.out += &questions::form(&self.session, &question)?;
            }
            _ => {
                self.out += &listing(self.lesson(), language, body)?;
            }
        }
        Ok(())
    }

    fn figure(&mut self, block: &StageBlock, shown: &FigureOverrides<'_>) -> Result<(), String> {
        let caption = self.caption(block, shown);
        let wanted = FigureRequest {
            block,
            overrides: *shown,
            heads: self.heads,
            earlier: &self.figures,
            before: shown.show.map(|_| self.drawing.as_str()),
            caption,
            id: format!(
                "figure-{:02}-{}",
                self.lesson().number,
                self.figures.len() + 1
            ),
        };
        let figure = figure::html(&mut self.session, &wanted)?;
        let start = self.out.len();
        let _ = writeln!(self.out, "\n{}", figure.html);
        let place = start..self.out.len();
        self.figures
            .extend(figure.drawn.map(|drawn| Drawn { place, ..drawn }));
        self.drawing = figure.drawing;
        Ok(())
    }

    fn quote(&mut self, text: &str, has_stage: bool) {
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
        self.add_translation_box(text);
        self.draw_requested(text, has_stage);
    }

    /// Below a text that asks for a sentence of the reader's, writes the box that translates it.
    fn add_translation_box(&mut self, text: &str) {
        if marks(text).any(|(_, mark)| is_action(&mark, "play")) {
            let _ = writeln!(self.out, "\n{}", live::html());
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
        self.out += &neighbours(lesson);
        Ok(())
    }
}

/// What a page's own figure offers in addition to its stage block.
#[derive(Default)]
struct PageFigure {
    mistakes: Vec<usize>,
    sliders: Vec<Slider>,
    columns: Vec<usize>,
}

/// True if a mark stands for the command `name`, such as `other`, which steps through the heads of a tensor.
fn is_action(mark: &Result<Mark<'_>, String>, name: &str) -> bool {
    matches!(mark, Ok(Mark::Do(action)) if action.name == name)
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

/// Link to the next lesson, or an empty string if there is none.
fn neighbours(lesson: &Lesson) -> String {
    let next = LESSONS
        .iter()
        .find(|other| other.number == lesson.number + 1);
    match next.filter(|_| lesson.is_numbered()) {
        Some(next) => format!("\nNext: [{}]({}.md).\n", next.heading(), next.folder),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
