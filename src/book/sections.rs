//! Rewriting of references to pages: the program's pages are sections of a chapter here.

/// Replaces `page 2` with the title of that page, and every other "page" with "section". `titles` are those of the
/// lesson's pages in order; the first page has the chapter's own.
pub fn named(text: &str, titles: &[String]) -> String {
    outside(text, |part| {
        let mut out = part.to_owned();
        for (at, title) in titles.iter().enumerate().rev() {
            let page = format!("page {}", at + 1);
            let (on, name) = match at {
                0 => ("at", "the beginning of this chapter".to_owned()),
                _ => ("in", format!("the section “{title}”")),
            };
            out = whole(&out, &format!("on {page}"), &format!("{on} {name}"));
            out = whole(&out, &page, &name);
        }
        sections(&out)
    })
}

/// Replaces every "page" with "section".
pub fn said(text: &str) -> String {
    outside(text, sections)
}

fn sections(part: &str) -> String {
    let words = [
        ("on this page", "in this section"),
        ("On the next pages", "In the next sections"),
        ("On the next page", "In the next section"),
        ("on the next page", "in the next section"),
        ("On the last two pages", "In the last two sections"),
        ("on every page", "in every section"),
        ("on an optional page", "in an optional section"),
        ("on the page", "in the section"),
        ("pages", "sections"),
        ("page", "section"),
    ];
    let words = words.iter();
    words.fold(part.to_owned(), |part, (page, section)| {
        whole(&part, page, section)
    })
}

/// Changes the text outside backticks.
fn outside(text: &str, change: impl Fn(&str) -> String) -> String {
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => change(part),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Replaces `page` where it is not part of a longer word or address.
fn whole(text: &str, page: &str, section: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(page) {
        let end = at + page.len();
        let joins = |c: char| c.is_alphanumeric() || "/_-#=".contains(c);
        let joined =
            rest[..at].chars().next_back().is_some_and(joins) || rest[end..].starts_with(joins);
        out += &rest[..at];
        out += if joined { page } else { section };
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_a_section_and_a_number_its_title() {
        let titles = ["The tour", "Ask why"].map(ToOwned::to_owned);
        for (text, book) in [
            (
                "The network of page 2 shows it.",
                "The network of the section “Ask why” shows it.",
            ),
            (
                "It wrote the translation on page 1.",
                "It wrote the translation at the beginning of this chapter.",
            ),
            (
                "An optional page, and `page 2`.",
                "An optional section, and `page 2`.",
            ),
            (
                "On the next pages, set it.",
                "In the next sections, set it.",
            ),
            ("see [a](http://x/page/1)", "see [a](http://x/page/1)"),
            ("the homepage", "the homepage"),
        ] {
            assert_eq!(named(text, &titles), book);
        }
    }
}
