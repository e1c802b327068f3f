//! Front and back matter: the first page, the parts and the map, the core path, the table of contents, the
//! bibliography, the glossary.

use std::fmt::Write as _;

use anyhow::anyhow;

use super::{figure, formulas, links, live, reference};
use crate::curriculum::{self, LESSONS, PARTS};
use crate::lesson::core_path::Step;
use crate::lesson::glossary as terms;
use crate::lesson::page;
use crate::lesson::session::Session;
use crate::lesson::{Body, Lesson, SENTENCE};
use crate::widgets::html::map_html;

const INTRODUCTION: &str = include_str!("../../book/introduction.md");
const ABOUT: &str = include_str!("../../book/about.md");

/// Lessons numbered `from` to `to`, both included.
fn lessons(from: usize, to: usize) -> impl Iterator<Item = &'static Lesson> {
    let all = LESSONS.iter().map(|lesson| &***lesson);
    all.filter(move |lesson| (from..=to).contains(&lesson.number))
}

/// A part's heading in sentence case: `The pieces` for `THE PIECES`.
fn title(part: &str) -> String {
    let mut letters = part.chars();
    let first: String = letters.next().into_iter().collect();
    first + &letters.as_str().to_lowercase()
}

/// SUMMARY.md: the parts of the course, the reference, and the chapters around them.
///
/// The tour, lesson 00, comes before the numbered chapters, which mdBook counts from 1, so that a lesson has the same
/// number everywhere. The style sheet hides the numbers of the reference.
pub fn summary() -> String {
    let mut out =
        "# Summary\n\n[Translate](introduction.md)\n[The core path](core.md)\n[About this book](about.md)\n"
            .to_owned();
    for (part, from, to) in PARTS {
        if to == 0 {
            for tour in lessons(from, to) {
                let _ = writeln!(out, "[{}]({}.md)", tour.title, tour.folder);
            }
            out += "[Playground](playground.md)\n";
            continue;
        }
        let _ = write!(out, "\n# {}\n\n", title(part));
        for lesson in lessons(from, to) {
            let _ = writeln!(out, "- [{}]({}.md)", lesson.title, lesson.folder);
        }
    }
    out += "\n# Reference\n\n";
    for page in reference::pages() {
        let _ = writeln!(out, "- [{}]({})", page.title, page.file);
    }
    out + "\n---\n\n[Glossary](glossary.md)\n[Solutions](solutions.md)\n[A Transformer in one sitting](program.md)\n[Bibliography](bibliography.md)\n"
}

/// The first page: the translator at work, as the tour shows it.
pub fn introduction() -> anyhow::Result<String> {
    let mut place = live::of_the_tour("looked", SENTENCE);
    // The two buttons of the page are enough to begin with; the others are among the rest.
    place.offers.mistakes.clear();
    let translator = figure::html(&mut Session::new(LESSONS[0]), &place, "", "at-work")
        .map_err(|e| anyhow!("the tour: {e}"))?;
    let text = INTRODUCTION
        .replace("{{core_hours}}", &hours(curriculum::core_path().minutes()))
        .replace("{{translator}}", &translator);
    formulas::as_mathml(&text).map_err(|e| anyhow!("book/introduction.md: {e}"))
}

/// What the book is, with the model's map and the parts of the course.
pub fn about() -> anyhow::Result<String> {
    let mut parts = String::new();
    for (part, from, to) in PARTS {
        let minutes: u32 = lessons(from, to).map(|lesson| lesson.minutes).sum();
        let _ = write!(parts, "\n### {} ({})\n\n", title(part), hours(minutes));
        for lesson in lessons(from, to) {
            let _ = writeln!(
                parts,
                "{}. [{}]({}.md), {} minutes. {}",
                lesson.number, lesson.title, lesson.folder, lesson.minutes, lesson.gains
            );
        }
    }
    let tour = Session::new(LESSONS[0]);
    let mut pictures = tour.run().pictures.iter();
    let map = pictures.find_map(|picture| match &picture.body {
        Body::Map(map) => Some(map_html(map, None)),
        _ => None,
    });
    let map = map.ok_or_else(|| anyhow!("the tour has no map"))?;
    let minutes: u32 = LESSONS.iter().map(|lesson| lesson.minutes).sum();
    let text = ABOUT
        .replace("{{hours}}", &hours(minutes))
        .replace("{{core_hours}}", &hours(curriculum::core_path().minutes()))
        .replace("{{map}}", &format!("<figure class=\"tt tt-map\" id=\"map\"><div class=\"tt-body\">{map}</div><figcaption>The trained model of this course, with the shape of each result for one sentence. Each box leads to its lesson. Tokens enter at the bottom. The encoder, on the left, reads the source; the decoder, on the right, writes the translation. The line between them is the encoder’s result, which every cross-attention reads.</figcaption></figure>"))
        .replace("{{parts}}", parts.trim());
    formulas::as_mathml(&text).map_err(|e| anyhow!("book/about.md: {e}"))
}

/// Link to a page of the core path.
pub fn core_link(step: &Step) -> String {
    let title = step.lesson.page_title(&step.page).unwrap_or_default();
    match &*step.page {
        page::START => format!("[{title}]({}.md)", step.lesson.folder),
        id => format!("[{title}]({}.md#{id})", step.lesson.folder),
    }
}

/// The chapter with the core path: its parts, and their pages in order.
pub fn core_path() -> anyhow::Result<String> {
    let path = curriculum::core_path();
    let mut out = format!(
        "# The core path\n\nThis is the shortest way to a translator that you have trained, in about {}. A part may take pages of several chapters, and below each of these pages is a link to the next one. Everything else in the chapters goes deeper, in any order.\n",
        hours(path.minutes())
    );
    for (n, part) in path.parts.iter().enumerate() {
        let minutes: u32 = path.pages(part).iter().map(|step| step.minutes).sum();
        let _ = write!(
            out,
            "\n## {} {{#part-{n}}}\n\n{minutes} minutes. {}\n\n",
            part.title, part.gains
        );
        for step in path.pages(part) {
            let _ = writeln!(out, "1. {}", core_link(step));
        }
    }
    formulas::as_mathml(&out).map_err(|e| anyhow!("lessons/core.toml: {e}"))
}

fn hours(minutes: u32) -> String {
    match minutes {
        0..90 => format!("{minutes} minutes"),
        _ => format!("{} hours", (minutes + 30) / 60),
    }
}

/// Bibliography chapter: the sources, each with the lessons that cite it.
pub fn bibliography() -> String {
    links::bibliography(|url| {
        let link = format!("]({url})");
        let citing = LESSONS.iter().filter(|lesson| lesson.text.contains(&link));
        citing
            .map(|lesson| format!("[{:02}]({}.md)", lesson.number, lesson.folder))
            .collect()
    })
}

/// Glossary chapter: the terms, each under its own heading.
pub fn glossary() -> anyhow::Result<String> {
    let mut out =
        "# Glossary\n\nThe terms of the course. Papers and other people's code use the same.\n"
            .to_owned();
    for term in terms::terms() {
        let _ = write!(
            out,
            "\n## {} {{#{}}}\n\n{}\n",
            term.name.replace('<', "\\<"),
            links::anchor(&term.name),
            term.means
        );
        if let Some(tex) = &term.formula {
            let _ = write!(out, "\n$$ {tex} $$\n");
        }
        if !term.also.is_empty() {
            let also = term.also.join(", ").replace('<', "\\<");
            let _ = write!(out, "\nAlso called: {also}.\n");
        }
        let lesson = LESSONS.iter().find(|lesson| lesson.number == term.lesson);
        if let Some(lesson) = lesson {
            let _ = write!(
                out,
                "\nTaught in [{}]({}.md).\n",
                lesson.heading(),
                lesson.folder
            );
        }
    }
    formulas::as_mathml(&out).map_err(|e| anyhow!("lessons/glossary.toml: {e}"))
}
