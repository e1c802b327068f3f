//! Links of a chapter: from the first use of a term to the glossary, and from a cited source to the bibliography.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::lesson::glossary::{self, terms};
use crate::widgets::svg::escape;

const BIBLIOGRAPHY: &str = include_str!("../../book/bibliography.md");

/// Names, beside those of the glossary, that also have other meanings: the memory of a machine, the head of a page.
const AMBIGUOUS: [&str; 5] = ["memory", "shape", "head", "weight", "leak"];

/// A name that a text may use for a term: the name, the term's number, and the lesson that teaches it.
struct Name {
    name: &'static str,
    term: usize,
    lesson: usize,
}

/// All unambiguous names, longest first.
static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let mut names = Vec::new();
    for (number, term) in terms().iter().enumerate() {
        for name in term.names() {
            let plain = name
                .chars()
                .all(|c| c.is_alphanumeric() || " -_".contains(c));
            let lower = &*name.to_lowercase();
            if plain
                && !AMBIGUOUS
                    .iter()
                    .chain(&glossary::AMBIGUOUS)
                    .any(|n| *n == lower)
            {
                names.push(Name {
                    name,
                    term: number,
                    lesson: term.lesson,
                });
            }
        }
    }
    names.sort_by_key(|name| std::cmp::Reverse(name.name.len()));
    names
});

/// Anchor of a term in the glossary: its name in lower case, with hyphens for spaces and without punctuation.
pub fn anchor(name: &str) -> String {
    let letters = name
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    let joined = letters.map(|c| {
        if c == ' ' {
            '-'
        } else {
            c.to_ascii_lowercase()
        }
    });
    joined.collect()
}

/// Adds links to the Markdown of a lesson. `lesson` is its number: terms that it teaches are not linked.
pub fn linked(markdown: &str, lesson: usize) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_GFM;
    let mut edits: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let mut used = BTreeSet::new();
    // Number of enclosing headings, links, tables and listings.
    let mut apart = 0;
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if let Tag::Link { dest_url, .. } = &tag
                    && let Some(offset) = markdown[range.clone()].rfind(&format!("]({dest_url})"))
                    && let Some(entry) = entry(dest_url)
                {
                    let from = range.start + offset + 2;
                    let to = format!("bibliography.md#{}", entry.id);
                    edits.push((from..from + dest_url.len(), to));
                }
                apart += usize::from(is_apart(&tag.to_end()));
            }
            Event::End(tag) => apart -= usize::from(is_apart(&tag)),
            Event::Text(text) if apart == 0 && markdown[range.clone()] == *text => {
                edits.extend(
                    uses(&text, lesson, &mut used)
                        .into_iter()
                        .map(|(at, to)| (range.start + at.start..range.start + at.end, to)),
                );
            }
            _ => {}
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::new();
    let mut done = 0;
    for (range, to) in edits {
        out += &markdown[done..range.start];
        out += &to;
        done = range.end;
    }
    out + &markdown[done..]
}

fn is_apart(tag: &TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Heading(_) | TagEnd::Link | TagEnd::Table | TagEnd::CodeBlock | TagEnd::Image
    )
}

/// First uses of terms in a piece of text, with the link that replaces each.
fn uses(
    text: &str,
    lesson: usize,
    used: &mut BTreeSet<usize>,
) -> Vec<(std::ops::Range<usize>, String)> {
    let inside = |c: char| c.is_alphanumeric() || "-_".contains(c);
    let mut links = Vec::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let at = text.len() - rest.len();
        let mut end = at + c.len_utf8();
        if !inside(before) && inside(c) {
            let meant = NAMES.iter().find_map(|name| {
                let called = rest.get(..name.name.len())?;
                let whole = called.eq_ignore_ascii_case(name.name);
                let after = rest[name.name.len()..].strip_prefix('s');
                let after = after.unwrap_or(&rest[name.name.len()..]);
                (whole && !after.starts_with(inside)).then_some((name, rest.len() - after.len()))
            });
            if let Some((name, length)) = meant {
                end = at + length;
                if name.lesson != lesson && used.insert(name.term) {
                    let link = format!(
                        "<a class=\"tt-term\" href=\"glossary.html#{}\">{}</a>",
                        anchor(&terms()[name.term].name),
                        escape(&text[at..end])
                    );
                    links.push((at..end, link));
                }
            }
        }
        before = text[at..end].chars().next_back().unwrap_or(' ');
        rest = &text[end..];
    }
    links
}

/// An entry of the bibliography.
#[derive(Debug, PartialEq)]
pub struct Entry {
    /// Anchor of the entry.
    pub id: String,
    /// Address of the source.
    pub url: String,
}

/// Finds the bibliography's entry for the source at `url`.
pub fn entry(url: &str) -> Option<&'static Entry> {
    static ENTRIES: LazyLock<Vec<Entry>> =
        LazyLock::new(|| BIBLIOGRAPHY.lines().filter_map(read).collect());
    ENTRIES.iter().find(|entry| entry.url == url)
}

/// Parses an entry: `- Authors, year: [Title](url). What it is about.`
fn read(line: &str) -> Option<Entry> {
    let (whom, rest) = line.strip_prefix("- ")?.split_once(": [")?;
    let (title, rest) = rest.split_once("](")?;
    let (url, _) = rest.split_once(')')?;
    let year = whom.rsplit_once(", ").map(|(_, year)| year);
    let year = year.filter(|year| year.parse::<u32>().is_ok());
    let words: Vec<&str> = title.split_whitespace().take(4).chain(year).collect();
    Some(Entry {
        id: anchor(&words.join(" ")),
        url: url.to_owned(),
    })
}

/// Bibliography as a chapter: each entry has an anchor and lists the lessons that cite it.
pub fn bibliography(cited_in: impl Fn(&str) -> Vec<String>) -> String {
    let mut out = String::new();
    for line in BIBLIOGRAPHY.lines() {
        match read(line) {
            Some(entry) => {
                let lessons = cited_in(&entry.url);
                let cited = if lessons.is_empty() {
                    String::new()
                } else {
                    format!(" Cited in {}.", lessons.join(", "))
                };
                out += &format!("- <span id=\"{}\"></span>{}{cited}\n", entry.id, &line[2..]);
            }
            None => out += &format!("{line}\n"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::LESSONS;

    #[test]
    fn the_first_use_of_a_term_leads_to_the_glossary() {
        let text = linked(
            "Two dot products. A dot product, `softmax` and softmaxed.",
            1,
        );
        assert_eq!(
            text,
            "Two <a class=\"tt-term\" href=\"glossary.html#dot-product\">dot products</a>. A dot product, `softmax` and softmaxed."
        );
        let own = linked("# Loss\n\nSelf-attention and [a token](x.md), $x$.", 3);
        assert!(
            own.contains("# Loss\n") && own.contains("[a token](x.md)"),
            "{own}"
        );
        assert!(
            own.contains("#self-attention\">Self-attention</a>"),
            "{own}"
        );
        assert!(!linked("An attention weight.", 3).contains("<a"));
    }

    #[test]
    fn a_source_leads_to_its_entry() {
        let text = linked(
            "By [Kingma and Ba, 2014](https://arxiv.org/abs/1412.6980).",
            99,
        );
        assert_eq!(text, "By [Kingma and Ba, 2014](bibliography.md#adam-2014).");
    }

    #[test]
    fn every_source_of_a_lesson_is_in_the_bibliography_and_no_anchor_stands_twice() {
        for lesson in LESSONS {
            for part in lesson.text.split("](http").skip(1) {
                let url = format!("http{}", part.split(')').next().unwrap());
                let paper = ["arxiv.org", "aclanthology.org", "jmlr.org", "mlr.press"];
                let paper = paper.iter().any(|place| url.contains(place));
                assert!(!paper || entry(&url).is_some(), "{}: {url}", lesson.name);
            }
        }
        let mut ids: Vec<String> = BIBLIOGRAPHY
            .lines()
            .filter_map(read)
            .map(|e| e.id)
            .collect();
        let count = ids.len();
        assert_eq!(count, BIBLIOGRAPHY.matches("\n- ").count());
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count);
        let mut anchors: Vec<String> = terms().iter().map(|term| anchor(&term.name)).collect();
        anchors.sort();
        anchors.dedup();
        assert_eq!(anchors.len(), terms().len());
    }
}
