//! The lessons as an mdBook: prose, running source, formulas as MathML, and interactive figures made from the runs
//! themselves.
//!
//! Everything is written out, so that stock `mdbook build` needs no preprocessor and the pages load nothing from
//! elsewhere.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, anyhow};

use crate::curriculum::LESSONS;
use crate::data::output::Files;
use crate::data::scratch;
use crate::lesson::{Lesson, memo};
use crate::tensor::shared;
use crate::tensor::threads::lock;

mod card;
mod chapter;
mod figure;
mod finish;
mod formulas;
mod front;
mod links;
mod live;
mod manifest;
mod program;
mod questions;
mod reference;
mod search;

pub use live::page;
use manifest::Manifest;

const CONFIG: &str = include_str!("../book/book.toml");
const STYLE: &str = include_str!("../book/theme/tutor.css");
const MATH_FONT: &[u8] = include_bytes!("../book/theme/stix-two-math.woff2");
const MATH_LICENSE: &str = include_str!("../book/theme/stix-two-math.LICENSE.txt");
/// The faces of the text, by their paths in the book's folder.
const FACES: [(&str, &[u8]); 4] = [
    (
        "src/fonts/course-serif.woff2",
        include_bytes!("../book/theme/course-serif.woff2"),
    ),
    (
        "src/fonts/course-serif-italic.woff2",
        include_bytes!("../book/theme/course-serif-italic.woff2"),
    ),
    (
        "src/fonts/course-sans.woff2",
        include_bytes!("../book/theme/course-sans.woff2"),
    ),
    (
        "src/fonts/course-code.woff2",
        include_bytes!("../book/theme/course-code.woff2"),
    ),
];
const FACES_LICENSE: &str = include_str!("../book/theme/course-fonts.LICENSE.txt");
const ICON: &str = include_str!("../book/theme/favicon.svg");
const HEAD: &str = include_str!("../book/theme/head.hbs");
/// Size in bytes of the result cache while a book is built. It must be large enough that no chapter has to repeat a
/// training run whose results another chapter evicted. Results are counted as if they shared nothing; the process uses
/// about half of this.
const CACHE_BYTES: usize = 768 << 20;

/// Lessons whose chapters take longest to build, because they train or translate a lot; slowest first.
const LONG: [&str; 8] = [
    "decoding",
    "training",
    "copy-task",
    "looking-inside",
    "graduation",
    "residuals",
    "generator",
    "three-uses",
];

/// Files of a book, by their paths in its folder.
pub type Pages = BTreeMap<String, Vec<u8>>;

/// Callback for short progress messages, called on any thread.
pub type OnProgress<'a> = dyn Fn(&str) + Sync + 'a;

/// How [`write()`] writes a book.
#[derive(Clone, Copy)]
pub struct Options {
    /// True to write mdBook's output too, into the subfolder `book`.
    pub html: bool,
    /// True to replace files that this program did not write, or that were edited since.
    pub force: bool,
}

/// Writes the book into `folder`: book.toml, SUMMARY.md and a chapter per lesson.
///
/// If a file is in the way that may not be replaced, nothing is written. `tell` receives progress messages.
pub fn write(folder: &Path, options: Options, tell: &OnProgress<'_>) -> anyhow::Result<()> {
    let Options { html, force } = options;
    let mut files = static_files();
    // The chapters take minutes to draw, so check first that the other files can be written.
    let before = Manifest::read(folder);
    let own = |name: &str, bytes: &[u8]| before.knows(name, bytes);
    Files::new(folder, contents(&files), &own, force)?;
    files.extend(surrounding_pages()?);
    files.extend(chapters_telling(&LESSONS.map(|lesson| &**lesson), tell)?);
    if html {
        tell("building the HTML");
        files.extend(build_html(&files)?);
    }
    write_pages(folder, &files, force)
}

/// Builds the chapters of the given lessons.
pub fn chapters(lessons: &[&'static Lesson]) -> anyhow::Result<Pages> {
    chapters_telling(lessons, &|_| {})
}

/// Builds the chapters of the given lessons in parallel; lessons are independent of each other.
fn chapters_telling(lessons: &[&'static Lesson], tell: &OnProgress<'_>) -> anyhow::Result<Pages> {
    memo::make_room(CACHE_BYTES);
    let drawn = Mutex::new(Vec::new());
    // Start with the longest, so that none is still running on one thread at the end.
    let mut order = lessons.to_vec();
    let long = |lesson: &Lesson| LONG.iter().position(|name| *name == lesson.name);
    order.sort_by_key(|lesson| (long(lesson).unwrap_or(LONG.len()), Reverse(lesson.number)));
    shared(order, |lesson| {
        let begun = Instant::now();
        let text = chapter::markdown(lesson);
        let took = begun.elapsed().as_secs_f64();
        let mut drawn = lock(&drawn);
        let done = drawn.len() + 1;
        tell(&format!(
            "{done} of {} chapters: {:02} {}, {took:.1} s",
            lessons.len(),
            lesson.number,
            lesson.title
        ));
        drawn.push(text.map(|text| (format!("src/{}.md", lesson.folder), text.into_bytes())));
    });
    let drawn = drawn.into_inner().unwrap_or_else(PoisonError::into_inner);
    drawn.into_iter().collect()
}

/// The introduction, the core path, playground, glossary, solutions, the whole program and the reference pages, which surround the
/// lessons.
pub fn surrounding_pages() -> anyhow::Result<Pages> {
    let mut files = text_files([
        ("src/introduction.md", &front::introduction()?),
        ("src/about.md", &front::about()?),
        ("src/core.md", &front::core_path()?),
        ("src/playground.md", &live::chapter()?),
        ("src/glossary.md", &front::glossary()?),
        ("src/solutions.md", &chapter::solutions()?),
        ("src/program.md", &program::markdown()?),
    ]);
    for page in reference::pages() {
        files.insert(format!("src/{}", page.file), page.markdown()?.into_bytes());
    }
    Ok(files)
}

fn text_files<const N: usize>(files: [(&str, &str); N]) -> Pages {
    files
        .map(|(name, text)| (name.to_owned(), text.into()))
        .into()
}

/// Writes the pages and the manifest that lists them: atomically if the folder holds nothing else. Next to a reader's
/// own files they are written one by one, and an interrupted build can be continued.
pub fn write_pages(folder: &Path, files: &Pages, force: bool) -> anyhow::Result<()> {
    let before = Manifest::read(folder);
    let during = before.clone().and(files).text();
    let after = before.clone().settled(files).text();
    let own = |name: &str, bytes: &[u8]| before.knows(name, bytes);
    let all = contents(files).chain([(manifest::NAME, after.as_bytes())]);
    let all = Files::new(folder, all, &own, force)?;
    if all.is_alone() {
        return Ok(all.write()?);
    }
    let manifest = |text| Files::new(folder, [(manifest::NAME, text)], &own, force);
    // Everything is checked before anything is written. The manifest lists the new pages before they exist, so that
    // an interrupted build leaves no page of ours that looks like the reader's.
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

/// Files of a book besides its chapters that need no run.
pub fn static_files() -> Pages {
    let mut files = text_files([
        ("book.toml", CONFIG),
        ("theme/tutor.css", STYLE),
        ("theme/favicon.svg", ICON),
        ("theme/head.hbs", HEAD),
        // mdBook leaves its own faces out of a book that has such a file.
        (
            "theme/fonts/fonts.css",
            "/* The faces are those of tutor.css. */\n",
        ),
        // mdBook copies files other than Markdown to where the style sheet expects them.
        ("src/fonts/stix-two-math.LICENSE.txt", MATH_LICENSE),
        ("src/fonts/course-fonts.LICENSE.txt", FACES_LICENSE),
        ("src/bibliography.md", &front::bibliography()),
        ("src/SUMMARY.md", &front::summary()),
    ]);
    files.insert("src/fonts/stix-two-math.woff2".to_owned(), MATH_FONT.into());
    files.extend(card::png().map(|png| ("src/card.png".to_owned(), png)));
    files.extend(FACES.map(|(name, face)| (name.to_owned(), face.to_vec())));
    files.extend(text_files(live::SCRIPTS));
    files.extend(live::files());
    files
}

/// Builds the HTML with mdBook. mdBook clears its output folder, so it gets a temporary one.
pub fn build_html(pages: &Pages) -> anyhow::Result<Pages> {
    let scratch_folder = scratch::folder_in(&std::env::temp_dir());
    let scratch_folder = scratch_folder.context("there is no room to build the book")?;
    // Below it, because a write replaces the folder that it fills, and with it the lock that keeps other programs away.
    let root = &scratch_folder.path().join("sources");
    Files::new(root, contents(pages), &|_, _| true, true)?.write()?;
    let book = mdbook_driver::MDBook::load(root).map_err(|e| anyhow!("{e:#}"))?;
    book.build().map_err(|e| anyhow!("{e:#}"))?;
    let mut files = Pages::new();
    gather(&root.join("book"), "book", &mut files)?;
    for (name, bytes) in &mut files {
        let file = name.strip_prefix("book/").unwrap_or(name);
        if let Ok(html) = str::from_utf8(bytes)
            && file.ends_with(".html")
        {
            *bytes = finish::page(file, html).into_bytes();
        } else if file.starts_with("toc-")
            && let Ok(script) = str::from_utf8(bytes)
        {
            *bytes = finish::contents(script).into_bytes();
        }
    }
    let index = files.iter().find_map(|(name, bytes)| {
        let script = str::from_utf8(bytes).ok()?;
        name.starts_with("book/searchindex-")
            .then(|| Some((name.clone(), search::index(script, &files)?)))?
    });
    let (name, index) = index.ok_or_else(|| anyhow!("mdBook's search index has changed"))?;
    files.insert(name, index.into_bytes());
    Ok(files)
}

/// Collects the files below `folder`, whose path in the book is `name`.
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
    fn every_chapter_that_takes_long_is_a_lesson() {
        for name in LONG {
            assert!(LESSONS.iter().any(|lesson| lesson.name == name), "{name}");
        }
    }

    #[test]
    fn a_book_is_written_anew_over_itself_and_never_over_what_a_reader_changed() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        let old = files([("book.toml", "1"), ("src/a.md", "1"), ("book/a.html", "1")]);
        let new = files([("book.toml", "1"), ("src/a.md", "2"), ("book/a.html", "2")]);
        write_pages(folder, &old, false).unwrap();
        write_pages(folder, &new, false).unwrap();
        assert_eq!(text(folder, "src/a.md"), "2");
        // One page edited by the reader is enough to leave everything untouched.
        fs::write(folder.join("src/a.md"), "edited").unwrap();
        fs::write(folder.join("book/mine.html"), "mine").unwrap();
        let refused = write_pages(folder, &old, false).unwrap_err().to_string();
        assert!(
            refused.contains("since: src/a.md; nothing was written"),
            "{refused}"
        );
        assert_eq!(text(folder, "book/a.html"), "2");
        write_pages(folder, &old, true).unwrap();
        assert_eq!(text(folder, "src/a.md"), "1");
        assert_eq!(text(folder, "book/mine.html"), "mine");
        write_pages(folder, &new, false).unwrap();
    }

    #[test]
    fn somebodys_book_is_not_written_over() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        for name in ["book.toml", manifest::NAME] {
            fs::write(folder.join(name), "somebody's").unwrap();
            let refused = write_pages(folder, &files([("book.toml", "1")]), false).unwrap_err();
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
        write_pages(folder, &old, false).unwrap();
        // The manifest and one page are written, then the power fails.
        let during = Manifest::read(folder).and(&new).text();
        fs::write(folder.join(manifest::NAME), during).unwrap();
        fs::write(folder.join("a"), "2").unwrap();
        write_pages(folder, &new, false).unwrap();
        assert_eq!(text(folder, "b"), "2");
    }
}
