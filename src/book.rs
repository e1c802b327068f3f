//! The lessons as an mdBook: prose, running source, formulas as MathML, stages as SVG pictures.
//!
//! Everything is written out, so that stock `mdbook build` needs no preprocessor and the pages ask
//! for nothing outside themselves.

use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, anyhow};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::curriculum::LESSONS;
use crate::lesson::page::{self, Predict, StageBlock};
use crate::lesson::session::Session;
use crate::lesson::{Body, Lesson, quiz, source};
use crate::tui::command;
use crate::widgets::stage;
use crate::widgets::svg::{escape, svg};
use crate::widgets::theme::Theme;

mod formulas;

const CONFIG: &str = include_str!("../book/book.toml");
const STYLE: &str = include_str!("../book/theme/tutor.css");
const INTRODUCTION: &str = include_str!("../book/introduction.md");

/// The size of a stage's picture, in characters.
const PICTURE: (u16, u16) = (92, 26);

/// Writes the book into `folder`: book.toml, SUMMARY.md, a chapter a lesson, pictures.
pub fn write(folder: &Path) -> anyhow::Result<()> {
    let src = folder.join("src");
    fs::create_dir_all(src.join("images"))
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    fs::create_dir_all(folder.join("theme"))?;
    let put = |path: &Path, text: &str| {
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    put(&folder.join("book.toml"), CONFIG)?;
    put(&folder.join("theme/tutor.css"), STYLE)?;
    put(&src.join("introduction.md"), INTRODUCTION)?;
    let mut summary = "# Summary\n\n[How to use this book](introduction.md)\n\n".to_owned();
    for lesson in LESSONS {
        let name = lesson.folder();
        let _ = writeln!(summary, "- [{}]({name}.md)", lesson.title);
        let chapter = chapter(lesson, &src)?;
        put(&src.join(format!("{name}.md")), &chapter)?;
    }
    put(&src.join("SUMMARY.md"), &summary)
}

/// Builds the HTML of a book that [`write`] wrote, into its folder `book`.
pub fn html(folder: &Path) -> anyhow::Result<()> {
    let book = mdbook_driver::MDBook::load(folder).map_err(|e| anyhow!("{e:#}"))?;
    book.build().map_err(|e| anyhow!("{e:#}"))
}

/// A fenced block of a chapter.
struct Fence<'a> {
    language: &'a str,
    body: String,
}

fn chapter(lesson: &'static Lesson, src: &Path) -> anyhow::Result<String> {
    let place = |e: String| anyhow!("lessons/{}/lesson.md: {e}", lesson.folder());
    let pages = page::parse(
        &format!("lessons/{}/lesson.md", lesson.folder()),
        lesson.text,
    )?;
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
                let name = format!("{}-{pictures}", lesson.folder());
                out += &figure(&mut session, block, &name, src).map_err(place)?;
            }
            "predict" => {
                let question = questions
                    .next()
                    .ok_or_else(|| place("a prediction was not read".to_owned()))?;
                out += &asked(&session, question).map_err(place)?;
            }
            _ => {
                let folder = format!("lessons/{}", lesson.folder());
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
    let exercise = lesson.exercise().map_err(place)?;
    let _ = write!(
        out,
        "\n## Exercise: `{0}`\n\n{1}\n\nBegin with `cargo run -- exercise start {0}`, edit `exercises/{0}.rs`, and check it with \
         `cargo test --test {0}` or, on every save, `cargo run -- exercise watch {0}`.\n\n```rust\n{2}\n```\n",
        exercise.name,
        exercise.task,
        exercise.starter.trim_end()
    );
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

/// Puts the stage as the block asks, draws it into a file, and returns the Markdown that shows it.
fn figure(
    session: &mut Session,
    block: &StageBlock,
    name: &str,
    src: &Path,
) -> Result<String, String> {
    session.arrange(block)?;
    command::press(session, block.press.as_deref().unwrap_or(""))?;
    let area = Rect::new(0, 0, PICTURE.0, PICTURE.1);
    let mut buf = Buffer::empty(area);
    let theme = Theme::true_light();
    let job = match session.picture().map(|p| (&p.body, &p.title)) {
        Some((Body::Job(job), title)) => {
            Some(((job.run)(&mut |_| ControlFlow::Continue(())), title.clone()))
        }
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
    fs::write(
        src.join(format!("images/{name}.svg")),
        svg(&buf, &title, &said, false),
    )
    .map_err(|e| format!("{name}.svg: {e}"))?;
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
