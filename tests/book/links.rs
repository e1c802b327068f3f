//! The pages as mdBook builds them: every link leads somewhere, nothing loads from outside, and the search finds no
//! answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use tempfile::TempDir;
use transformer_tutor::lesson::page;
use transformer_tutor::{book, curriculum};

use super::CHAPTERS;
use super::html::{attribute, tags};

/// The book with the chapters that are quick to build, and a page of headings in place of every other chapter.
fn build_html() -> book::Pages {
    let mut pages = book::static_files();
    pages.extend(book::surrounding_pages().unwrap());
    for lesson in curriculum::LESSONS {
        let text = match CHAPTERS.get(lesson.name) {
            Some(text) => text.clone(),
            None => {
                let more = lesson.more.iter();
                let more = more.map(|e| format!("\n## {0} {{#exercise-{0}}}\n", e.name));
                let more: String = more.collect();
                // The core path leads to the lesson's pages.
                let ids = page::ids(lesson.text).into_iter().skip(1);
                let pages: String = ids.map(|id| format!("\n## {id} {{#{id}}}\n")).collect();
                format!(
                    "# {}\n{pages}\n## Exercise {{#exercise}}\n{more}",
                    lesson.title
                )
            }
        };
        pages.insert(format!("src/{}.md", lesson.folder), text.into());
    }
    book::build_html(&pages).unwrap()
}

/// [`build_html`], as files in a temporary folder.
pub fn laid_out() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in build_html() {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

#[test]
fn every_link_leads_somewhere_and_nothing_outside_is_loaded() {
    let files = build_html();
    let pages: BTreeMap<&str, &str> = files
        .iter()
        .filter(|(name, _)| name.ends_with(".html"))
        .map(|(name, bytes)| {
            (
                name.strip_prefix("book/").unwrap(),
                std::str::from_utf8(bytes).unwrap(),
            )
        })
        .collect();
    let anchors: BTreeMap<&str, BTreeSet<&str>> = pages
        .iter()
        .map(|(name, page)| {
            (
                *name,
                tags(page)
                    .into_iter()
                    .filter_map(|tag| attribute(tag, "id"))
                    .collect(),
            )
        })
        .collect();
    let mut followed = 0;
    for (name, page) in &pages {
        for tag in tags(page) {
            if tag.starts_with("<a ") {
                let Some(link) = attribute(tag, "href") else {
                    continue;
                };
                // A link may also ask something of a figure.
                if ["https://", "http://", "#do:"]
                    .iter()
                    .any(|to| link.starts_with(to))
                {
                    continue;
                }
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let file = if file.is_empty() { *name } else { file };
                let known = anchors.get(file);
                assert!(
                    known.is_some() || files.contains_key(&format!("book/{file}")),
                    "{name}: {link}"
                );
                let exists = anchor.is_empty() || known.is_some_and(|ids| ids.contains(anchor));
                // print.html contains all chapters, and mdBook gives their headings new ids there.
                assert!(exists || *name == "print.html", "{name}: {link}");
                followed += 1;
            } else {
                for source in ["src", "href", "poster", "action"] {
                    let outside = attribute(tag, source)
                        .is_some_and(|to| to.contains("//") && !to.starts_with("data:"));
                    assert!(!outside, "{name}: {tag}");
                }
            }
        }
    }
    assert!(followed > 200, "{followed}");
    let chapter = pages["03-attention.html"];
    assert!(
        chapter.contains("<math")
            && chapter.contains("tutor")
            && chapter.contains("<figure class=\"tt")
    );
    let index = files
        .iter()
        .find(|(name, _)| name.contains("searchindex") && name.ends_with(".js"));
    let index = String::from_utf8_lossy(index.expect("there is a search index").1);
    assert!(
        index.contains("padded") && !index.contains("cannot be left"),
        "answers are not searched"
    );
}

#[test]
fn the_parts_of_the_course_and_every_lesson_are_in_the_table_of_contents() {
    let summary = String::from_utf8(book::static_files()["src/SUMMARY.md"].clone()).unwrap();
    let (lessons, _) = summary.split_once("\n# Reference\n").unwrap();
    // The tour, lesson 00, comes before the numbered chapters.
    assert_eq!(
        lessons.matches("- [").count(),
        curriculum::LESSONS.len() - 1
    );
    assert!(summary.contains("\n[The tour](00-tour.md)\n"));
    assert!(summary.contains("\n# The pieces\n") && summary.contains("(bibliography.md)"));
}

#[test]
fn every_page_of_the_reference_is_exported_and_linked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/reference");
    let summary = String::from_utf8(book::static_files()["src/SUMMARY.md"].clone()).unwrap();
    let (_, reference) = summary.split_once("\n# Reference\n").unwrap();
    let pages = book::surrounding_pages().unwrap();
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let title = text.lines().next().unwrap().strip_prefix("# ");
        let title = title.unwrap_or_else(|| panic!("{name} begins without a title"));
        assert!(
            reference.contains(&format!("\n- [{title}]({name})\n")),
            "{name} is missing from the table of contents: {reference}"
        );
        let chapter = std::str::from_utf8(&pages[&format!("src/{name}")]).unwrap();
        assert!(chapter.starts_with(&format!("# {title}\n")), "{name}");
        // The book's pages are all in one folder.
        assert!(!chapter.contains("](../"), "{name}");
        names.insert(name);
    }
    assert_eq!(reference.matches("\n- [").count(), names.len());
    assert!(
        ["promises.md", "internals.md", "measurements.md"]
            .iter()
            .all(|name| names.contains(*name))
    );
}
