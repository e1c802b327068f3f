//! The lessons as an mdBook: prose, running source, formulas as MathML, stages as SVG pictures.
//!
//! Everything is written out, so that stock `mdbook build` needs no preprocessor and the pages ask
//! for nothing outside themselves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, anyhow};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::curriculum::LESSONS;
use crate::data::output::Files;
use crate::lesson::page::{self, Predict, StageBlock};
use crate::lesson::session::Session;
use crate::lesson::{Body, Lesson, glossary, quiz, source};
use crate::tensor::shared;
use crate::tui::command;
use crate::widgets::stage;
use crate::widgets::svg::{escape, svg};
use crate::widgets::theme::Theme;

mod formulas;
mod manifest;

use manifest::Manifest;

const CONFIG: &str = include_str!("../book/book.toml");
const STYLE: &str = include_str!("../book/theme/tutor.css");
const INTRODUCTION: &str = include_str!("../book/introduction.md");

/// The size of a stage's picture, in characters.
const PICTURE: (u16, u16) = (92, 26);

/// A book's files, by their paths in its folder.
type Pages = BTreeMap<String, Vec<u8>>;

/// Writes the book into `folder`: book.toml, SUMMARY.md, a chapter a lesson, pictures; with `html` also what mdBook
/// makes of them, into its folder `book`.
///
/// What is not as this program wrote it there stays, and then nothing is written, unless `force` is given.
pub fn write(folder: &Path, html: bool, force: bool) -> anyhow::Result<()> {
    let mut files = frame();
    // The chapters take minutes to draw, so what is in the way of the rest is said before.
    let before = Manifest::read(folder);
    let own = |name: &str, bytes: &[u8]| before.knows(name, bytes);
    Files::new(folder, contents(&files), &own, force)?;
    files.insert("src/glossary.md".to_owned(), glossary()?.into());
    for pages in chapters()? {
        files.extend(pages);
    }
    if html {
        files.extend(built(&files)?);
    }
    put(folder, &files, force)
}

/// The chapters with their pictures, in the lessons' order, drawn side by side: no lesson knows another.
fn chapters() -> anyhow::Result<Vec<Pages>> {
    let drawn = Mutex::new(BTreeMap::new());
    // The later lessons train models, so they begin first.
    shared(LESSONS.into_iter().rev().collect(), |lesson| {
        let mut files = Pages::new();
        let text = chapter(lesson, &mut files);
        let pages = text.map(|text| {
            files.insert(format!("src/{}.md", lesson.folder), text.into());
            files
        });
        let mut drawn = drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.insert(lesson.number, pages);
    });
    let drawn = drawn.into_inner().unwrap_or_else(PoisonError::into_inner);
    drawn.into_values().collect()
}

/// The terms as a chapter, each under a heading of its own.
fn glossary() -> anyhow::Result<String> {
    let mut out =
        "# Glossary\n\nThe terms of the course. Papers and other people's code use the same.\n"
            .to_owned();
    for term in glossary::terms() {
        let _ = write!(
            out,
            "\n## {}\n\n{}\n",
            term.name.replace('<', "\\<"),
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

fn put(folder: &Path, files: &Pages, force: bool) -> anyhow::Result<()> {
    let before = Manifest::read(folder);
    let during = before.clone().and(files).text();
    let after = before.clone().settled(files).text();
    let own = |name: &str, bytes: &[u8]| before.knows(name, bytes);
    let manifest = |text| Files::new(folder, [(manifest::NAME, text)], &own, force);
    // All is looked at before anything is written. The manifest knows the new pages before they are there, so that
    // one who breaks off leaves no page of ours that looks like somebody's.
    let (begin, pages) = (
        manifest(during.as_bytes())?,
        Files::new(folder, contents(files), &own, force)?,
    );
    begin.write()?;
    pages.write()?;
    manifest(after.as_bytes())?.write()?;
    Ok(())
}

fn contents(pages: &Pages) -> impl Iterator<Item = (&str, &[u8])> {
    pages
        .iter()
        .map(|(name, bytes)| (name.as_str(), &bytes[..]))
}

/// What a book has beside its chapters.
fn frame() -> Pages {
    let mut summary = "# Summary\n\n[How to use this book](introduction.md)\n\n".to_owned();
    for lesson in LESSONS {
        let _ = writeln!(summary, "- [{}]({}.md)", lesson.title, lesson.folder);
    }
    summary += "\n[Glossary](glossary.md)\n";
    let files = [
        ("book.toml", CONFIG),
        ("theme/tutor.css", STYLE),
        ("src/introduction.md", INTRODUCTION),
        ("src/SUMMARY.md", &summary),
    ];
    files
        .map(|(name, text)| (name.to_owned(), text.into()))
        .into()
}

/// What mdBook makes of the pages. It clears the folder that it writes into, so it gets one of its own.
fn built(pages: &Pages) -> anyhow::Result<Pages> {
    let place = tempfile::tempdir().context("there is no room to build the book")?;
    let root = place.path();
    Files::new(root, contents(pages), &|_, _| true, true)?.write()?;
    let book = mdbook_driver::MDBook::load(root).map_err(|e| anyhow!("{e:#}"))?;
    book.build().map_err(|e| anyhow!("{e:#}"))?;
    let mut files = Pages::new();
    gather(&root.join("book"), "book", &mut files)?;
    Ok(files)
}

/// The files below `folder`, whose path in the book is `name`.
fn gather(folder: &Path, name: &str, files: &mut Pages) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let last = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{name}/{last}");
        if path.is_dir() {
            gather(&path, &name, files)?;
        } else {
            files.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}

/// A fenced block of a chapter.
struct Fence<'a> {
    language: &'a str,
    body: String,
}

fn chapter(lesson: &'static Lesson, files: &mut Pages) -> anyhow::Result<String> {
    let place = |e: String| anyhow!("lessons/{}/lesson.md: {e}", lesson.folder);
    let pages = lesson.pages()?;
    let mut stages = pages.iter().filter_map(|p| p.stage());
    let mut questions = pages.iter().flat_map(|p| p.predictions());
    let mut session = Session::new(lesson);
    let text = page::without_claims(lesson.text);
    let mut out = String::new();
    let mut lines = text.lines();
    let mut pictures = 0;
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            let _ = writeln!(out, "{}", callout(line));
            continue;
        };
        let body: Vec<&str> = lines
            .by_ref()
            .take_while(|l| !l.starts_with("```"))
            .collect();
        let fence = Fence {
            language: language.trim(),
            body: body.join("\n"),
        };
        match fence.language {
            "stage" => {
                let block = stages
                    .next()
                    .ok_or_else(|| place("a stage block was not read".to_owned()))?;
                pictures += 1;
                let name = format!("{}-{pictures}", lesson.folder);
                out += &figure(&mut session, block, &name, files).map_err(place)?;
            }
            "predict" => {
                let question = questions
                    .next()
                    .ok_or_else(|| place("a prediction was not read".to_owned()))?;
                out += &asked(&session, question).map_err(place)?;
            }
            _ => {
                let folder = format!("lessons/{}", lesson.folder);
                let (code, from) =
                    source::expand(&source::Embedded, &folder, &fence.body).map_err(place)?;
                let _ = writeln!(out, "```{}\n{}\n```", fence.language, code.trim_end());
                if let Some(from) = from {
                    let _ = writeln!(out, "\n<p class=\"place\">{from}</p>\n");
                }
            }
        }
    }
    let questions = quiz::parse(lesson.quiz).map_err(place)?;
    out += "\n## Questions\n\n";
    for question in &questions {
        out += &asked(&session, question).map_err(place)?;
    }
    if let Some(exercise) = &lesson.exercise {
        let _ = write!(
            out,
            "\n## Exercise: `{0}`\n\n{1}\n\nBegin with `cargo run -- exercise start {0}`, edit `exercises/{0}.rs`, and check it with \
         `cargo test --test {0}` or, on every save, `cargo run -- exercise watch {0}`.\n\n```rust\n{2}\n```\n",
            exercise.name,
            exercise.task,
            exercise.starter.trim_end()
        );
    }
    formulas::as_mathml(&out).map_err(place)
}

/// mdBook knows five kinds of callouts; ours become quotes that begin with their word.
fn callout(line: &str) -> String {
    for (mark, word) in [
        ("[!DIFFERS]", "Differs."),
        ("[!TRY]", "Try it."),
        ("[!BREAK]", "Break it."),
    ] {
        if let Some(rest) = line.strip_prefix("> ").and_then(|l| l.strip_prefix(mark)) {
            return format!("> **{word}**{rest}  ");
        }
    }
    line.to_owned()
}

/// Puts the stage as the block asks, draws it as one of the book's files, and returns the Markdown that shows it.
fn figure(
    session: &mut Session,
    block: &StageBlock,
    name: &str,
    files: &mut Pages,
) -> Result<String, String> {
    session.arrange(block)?;
    command::press(session, block.press.as_deref().unwrap_or(""))?;
    let area = Rect::new(0, 0, PICTURE.0, PICTURE.1);
    let mut buf = Buffer::empty(area);
    let theme = Theme::true_light();
    let job = match session.picture().map(|p| (&p.body, &p.title)) {
        Some((Body::Job(job), title)) => Some((job.end(), title.clone())),
        _ => None,
    };
    let said = match &job {
        Some((end, title)) => {
            stage::draw_body(
                &end.body,
                &end.says,
                title,
                stage::Shown::default(),
                area,
                &mut buf,
                &theme,
            );
            stage::describe_body(&end.body, &end.says, stage::Shown::default())
        }
        None => {
            stage::draw(session, area, &mut buf, &theme);
            stage::describe(session)
        }
    };
    let caption = page::without_claims(block.caption.as_deref().unwrap_or(""));
    let title = session
        .step()
        .map(|s| s.name.clone())
        .or(session.picture().map(|p| p.title.clone()))
        .unwrap_or_default();
    let picture = svg(&buf, &title, &said, false);
    files.insert(format!("src/images/{name}.svg"), picture.into());
    let alt = escape(said.lines().take(3).collect::<Vec<_>>().join(" ").trim());
    Ok(format!(
        "<figure class=\"stage\"><img src=\"images/{name}.svg\" alt=\"{alt}\"><figcaption>{}</figcaption></figure>\n\n\
         <details class=\"said\"><summary>In words</summary><pre>{}</pre></details>\n",
        escape(&caption),
        // An empty line would end the block of HTML.
        escape(said.trim_end()).replace("\n\n", "\n")
    ))
}

/// A question with its answer folded away; which option is right, the engine says now.
fn asked(session: &Session, question: &Predict) -> Result<String, String> {
    let mut out = format!("\n**{}**\n\n", question.ask);
    for (i, option) in question.options.iter().enumerate() {
        let _ = writeln!(out, "{}. {}", i + 1, option.text);
    }
    out += "\n<details class=\"answer\"><summary>Answer</summary>\n\n";
    for (i, option) in question.options.iter().enumerate() {
        let verdict = if session.answers(question, option)? {
            "right"
        } else {
            "wrong"
        };
        let _ = writeln!(out, "- {} is {verdict}: {}", i + 1, option.why);
    }
    out += "\n</details>\n\n";
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files<const N: usize>(all: [(&str, &str); N]) -> Pages {
        all.map(|(name, text)| (name.to_owned(), text.into()))
            .into()
    }

    fn text(folder: &Path, name: &str) -> String {
        fs::read_to_string(folder.join(name)).unwrap()
    }

    #[test]
    fn a_book_is_written_anew_over_itself_and_never_over_what_a_reader_changed() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        let old = files([("book.toml", "1"), ("src/a.md", "1"), ("book/a.html", "1")]);
        let new = files([("book.toml", "1"), ("src/a.md", "2"), ("book/a.html", "2")]);
        put(folder, &old, false).unwrap();
        put(folder, &new, false).unwrap();
        assert_eq!(text(folder, "src/a.md"), "2");
        // One page of the reader's is enough to leave everything.
        fs::write(folder.join("src/a.md"), "edited").unwrap();
        fs::write(folder.join("book/mine.html"), "mine").unwrap();
        let refused = put(folder, &old, false).unwrap_err().to_string();
        assert!(
            refused.contains("since: src/a.md; nothing was written"),
            "{refused}"
        );
        assert_eq!(text(folder, "book/a.html"), "2");
        put(folder, &old, true).unwrap();
        assert_eq!(text(folder, "src/a.md"), "1");
        assert_eq!(text(folder, "book/mine.html"), "mine");
        put(folder, &new, false).unwrap();
    }

    #[test]
    fn somebodys_book_is_not_written_over() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        for name in ["book.toml", manifest::NAME] {
            fs::write(folder.join(name), "somebody's").unwrap();
            let refused = put(folder, &files([("book.toml", "1")]), false).unwrap_err();
            assert!(refused.to_string().contains(name), "{refused}");
            assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
            fs::remove_file(folder.join(name)).unwrap();
        }
    }

    #[test]
    fn one_who_broke_off_goes_on() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        let (old, new) = (
            files([("a", "1"), ("b", "1")]),
            files([("a", "2"), ("b", "2")]),
        );
        put(folder, &old, false).unwrap();
        // The manifest and one page are written, then the power fails.
        let during = Manifest::read(folder).and(&new).text();
        fs::write(folder.join(manifest::NAME), during).unwrap();
        fs::write(folder.join("a"), "2").unwrap();
        put(folder, &new, false).unwrap();
        assert_eq!(text(folder, "b"), "2");
    }
}
