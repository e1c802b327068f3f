//! The appendix: every page of `book/reference` as a chapter after the lessons.
//!
//! The pages are written to be read in the repository too, so their links name files there. A link to a lesson, to the
//! glossary or to the bibliography becomes a link to its chapter; a link to any other file becomes plain text.

use anyhow::{anyhow, bail};
use include_dir::{Dir, include_dir};
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::formulas;
use crate::curriculum::LESSONS;

// The compiler notices a changed page on its own, but a new one only when this crate is recompiled.
static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/book/reference");

/// Order of the chapters: first what users look up, then what maintainers do. Pages not listed follow by name.
const ORDER: [&str; 9] = [
    "commands.md",
    "translator.md",
    "formats.md",
    "variants.md",
    "speed.md",
    "promises.md",
    "internals.md",
    "decisions.md",
    "measurements.md",
];

/// Chapters around the lessons, by their file names in the built book.
const AROUND: [&str; 8] = [
    "introduction.md",
    "about.md",
    "core.md",
    "playground.md",
    "glossary.md",
    "solutions.md",
    "program.md",
    "bibliography.md",
];

/// A page of the reference.
pub struct Page {
    /// File name in `book/reference`, and in the book.
    pub file: &'static str,
    /// Text of the first heading.
    pub title: &'static str,
    /// Markdown as written.
    pub text: &'static str,
}

impl Page {
    /// Markdown of the chapter: links lead to chapters, and formulas are MathML.
    pub fn markdown(&self) -> anyhow::Result<String> {
        let at_page = |e: String| anyhow!("book/reference/{}: {e}", self.file);
        let text = linked(self.text).map_err(|e| at_page(e.to_string()))?;
        formulas::as_mathml(&text).map_err(at_page)
    }
}

/// The pages in the order of their chapters.
pub fn pages() -> Vec<Page> {
    let mut pages: Vec<Page> = FOLDER
        .files()
        .filter_map(|file| {
            let name = file.path().to_str().filter(|name| name.ends_with(".md"))?;
            let text = file.contents_utf8()?;
            let title = text.lines().find_map(|line| line.strip_prefix("# "));
            Some(Page {
                file: name,
                title: title.unwrap_or(name),
                text,
            })
        })
        .collect();
    let rank = |file: &str| ORDER.iter().position(|listed| *listed == file);
    pages.sort_by_key(|page| (rank(page.file).unwrap_or(ORDER.len()), page.file));
    pages
}

/// Rewrites the links in the Markdown as links within the book.
fn linked(markdown: &str) -> anyhow::Result<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_GFM;
    let mut out = String::new();
    let mut done = 0;
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. }) = event else {
            continue;
        };
        let whole = &markdown[range.clone()];
        let Some(text) = whole.strip_suffix(&format!("]({dest_url})")) else {
            if whole.starts_with('<') {
                continue;
            }
            bail!("write this link as [text](target): {whole}");
        };
        out += &markdown[done..range.start];
        out += &match target(&dest_url)? {
            Some(target) => format!("{text}]({target})"),
            None => text[1..].to_owned(),
        };
        done = range.end;
    }
    out += &markdown[done..];
    Ok(out)
}

/// Returns where a reference page's link leads in the book; `None` if it names a file that the book doesn't have.
fn target(link: &str) -> anyhow::Result<Option<String>> {
    if link.contains("://") || link.starts_with('#') || link.starts_with("mailto:") {
        return Ok(Some(link.to_owned()));
    }
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, format!("#{anchor}")),
        None => (link, String::new()),
    };
    let lesson = |folder: &str| LESSONS.iter().any(|lesson| lesson.folder == folder);
    let chapter = match file.strip_prefix("../../") {
        Some("lessons/glossary.toml") => "glossary.md".to_owned(),
        Some(outside) => {
            let folder = outside.strip_prefix("lessons/").unwrap_or("");
            let folder = folder.trim_end_matches("/lesson.md").trim_end_matches('/');
            if !lesson(folder) {
                return Ok(None);
            }
            format!("{folder}.md")
        }
        None => file.strip_prefix("../").unwrap_or(file).to_owned(),
    };
    let known = AROUND.contains(&chapter.as_str())
        || FOLDER.get_file(&chapter).is_some()
        || chapter.strip_suffix(".md").is_some_and(lesson);
    if !known {
        bail!("the link {link} leads to no page of the book and no file of the repository");
    }
    Ok(Some(chapter + &anchor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_the_repository_become_links_of_the_book() {
        let text = "[a](promises.md), [b](../bibliography.md#adam-2014), \
                    [c](../../lessons/03-attention/lesson.md), [`d`](../../src/lib.rs), [e](https://x.y/z)";
        assert_eq!(
            linked(text).unwrap(),
            "[a](promises.md), [b](bibliography.md#adam-2014), [c](03-attention.md), `d`, [e](https://x.y/z)"
        );
        for wrong in [
            "[a](promise.md)",
            "[a](../promises.rs)",
            "[a](04-atention.md)",
        ] {
            assert!(linked(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_of_the_repository_that_a_page_links_exist() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("book/reference");
        for page in pages() {
            for link in page.text.split("](../../").skip(1) {
                let file = link.split([')', '#']).next().unwrap();
                let file = folder.join("../..").join(file);
                assert!(file.exists(), "{}: {}", page.file, file.display());
            }
        }
    }
}
