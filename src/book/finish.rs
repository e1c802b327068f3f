//! What mdBook's pages lack: a description of each page, a link that skips the navigation, names of tables, and a choice
//! of themes that differ.

use crate::curriculum::{LESSONS, core_path};
use crate::lesson::core_path::Part;
use crate::widgets::svg::escape;

/// Opening tag of the text in a page of mdBook.
const MAIN: &str = "<main>";

/// Opening tag of a table of a Markdown text. Those of figures have a class.
const TABLE: &str = "<table>";

const SKIP: &str = "<a class=\"tt-to-text\" href=\"#text\">Skip to the text</a>";

/// Finishes the page with this file name. Pages without a text, such as the table of contents, stay as they are.
pub fn page(name: &str, html: &str) -> String {
    let Some((before, text)) = html.split_once(MAIN) else {
        return html.to_owned();
    };
    let before = with_description(before, name, text);
    let before = with_named_bar(&with_two_themes(before));
    let before = match before.split_once("<body>") {
        Some((head, rest)) => format!("{head}<body>\n{SKIP}{rest}"),
        None => before,
    };
    // A heading that is empty, or a formula, is none to screen readers.
    let text = with_named_tables(text).replace("<th></th>", "<td></td>");
    let text = text.replace("<th><math", "<th aria-label=\"formula\"><math");
    format!("{before}<main id=\"text\" tabindex=\"-1\">{text}")
}

/// Lists the parts of the core path, with their minutes, in mdBook's script of the contents.
pub fn contents(script: &str) -> String {
    const CORE: &str = "<a href=\"core.html\">The core path</a></span>";
    let path = core_path();
    let part = |(n, part): (usize, &Part)| {
        let minutes: u32 = path.pages(part).iter().map(|step| step.minutes).sum();
        let title = escape(&part.title).replace('\'', "&#39;");
        format!("<li><a href=\"core.html#part-{n}\">{title} <small>{minutes} min</small></a></li>")
    };
    let parts: String = path.parts.iter().enumerate().map(part).collect();
    script.replace(CORE, &format!("{CORE}<ol class=\"tt-core\">{parts}</ol>"))
}

/// Leaves out the themes that look like another one under the book's style sheet, and calls the dark one that.
fn with_two_themes(head: String) -> String {
    let item = |id: &str, name: &str| {
        format!(
            "<li role=\"none\"><button role=\"menuitem\" class=\"theme\" id=\"mdbook-theme-{id}\">{name}</button></li>"
        )
    };
    let same = [("rust", "Rust"), ("coal", "Coal"), ("ayu", "Ayu")];
    same.into_iter().fold(
        head.replace(&item("navy", "Navy"), &item("navy", "Dark")),
        |head, (id, name)| head.replace(&item(id, name), ""),
    )
}

/// Makes the bar above the page a landmark.
fn with_named_bar(head: &str) -> String {
    head.replace(
        "<div id=\"mdbook-menu-bar\"",
        "<div id=\"mdbook-menu-bar\" role=\"banner\"",
    )
}

/// Names each table after the heading above it, for screen readers.
fn with_named_tables(text: &str) -> String {
    let mut pieces = text.split(TABLE);
    let first = pieces.next().unwrap_or("");
    let mut heading = last_heading(first);
    let mut out = first.to_owned();
    for piece in pieces {
        out += &match heading {
            Some(id) => format!("<table aria-labelledby=\"{id}\">"),
            None => TABLE.to_owned(),
        };
        out += piece;
        heading = last_heading(piece).or(heading);
    }
    out
}

/// The anchor of the last heading.
fn last_heading(html: &str) -> Option<&str> {
    let begins = ["<h1 id=\"", "<h2 id=\"", "<h3 id=\""].into_iter();
    let ends = begins.filter_map(|begin| Some(html.rfind(begin)? + begin.len()));
    html[ends.max()?..].split('"').next()
}

/// Replaces the book's description by the page's own: what a reader gains from a lesson, or else the beginning of the
/// text. Sites that show links as cards read it too, with the title.
fn with_description(head: &str, name: &str, text: &str) -> String {
    let folder = name.strip_suffix(".html").unwrap_or(name);
    let lesson = LESSONS.iter().find(|lesson| lesson.folder == folder);
    let own = match lesson {
        Some(lesson) => Some(format!("{}. {}", lesson.title, lesson.gains)),
        None => first_paragraph(text),
    };
    let (Some(own), Some((start, rest))) = (own, head.split_once("<meta name=\"description\""))
    else {
        return head.to_owned();
    };
    let Some((_, end)) = rest.split_once('>') else {
        return head.to_owned();
    };
    let own = escape(&own);
    let title = head
        .split_once("<title>")
        .and_then(|(_, rest)| rest.split_once("</title>"))
        .map_or("", |(title, _)| title);
    format!(
        "{start}<meta name=\"description\" content=\"{own}\"><meta property=\"og:type\" content=\"article\"><meta property=\"og:title\" content=\"{title}\"><meta property=\"og:description\" content=\"{own}\">{end}"
    )
}

/// The words of a page's first paragraph, without its tags and entities; `None` if it has none.
fn first_paragraph(html: &str) -> Option<String> {
    let (_, rest) = html.split_once("<p>")?;
    let (inside, _) = rest.split_once("</p>")?;
    let mut words = String::new();
    for piece in inside.split('<') {
        words += piece.split_once('>').map_or(piece, |(_, text)| text);
    }
    let words = words.replace("&quot;", "\"").replace("&#39;", "'");
    let plain = !words.trim().is_empty() && !words.contains('&');
    plain.then(|| words.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_has_a_description_of_its_own_and_a_link_to_its_text() {
        let html = "<head><meta name=\"description\" content=\"the book\"></head><body><nav></nav><main><p>a</p></main></body>";
        let done = page("03-attention.html", html);
        assert!(
            done.contains("content=\"Scaled dot-product attention. You can explain"),
            "{done}"
        );
        assert!(!done.contains("the book"), "{done}");
        assert!(done.contains(&format!("<body>\n{SKIP}<nav>")), "{done}");
        assert!(
            done.contains("<main id=\"text\" tabindex=\"-1\"><p>"),
            "{done}"
        );
    }

    #[test]
    fn a_page_that_is_no_lesson_is_described_by_its_first_paragraph() {
        let html = "<head><title>Speed</title><meta name=\"description\" content=\"the book\"></head><body><main><h1>S</h1><p>How <em>fast</em>\nit is.</p></main></body>";
        let done = page("speed.html", html);
        assert!(
            done.contains("<meta name=\"description\" content=\"How fast it is.\">"),
            "{done}"
        );
        assert!(done.contains("og:title\" content=\"Speed\">"), "{done}");
    }

    #[test]
    fn a_table_has_the_name_of_the_heading_above_it() {
        let html = format!(
            "<body><main><h1 id=\"a\">A</h1>{TABLE}1</table>{TABLE}2</table><h2 id=\"b\">B</h2>{TABLE}3</table></main></body>"
        );
        let done = page("speed.html", &html);
        let names = done.match_indices("aria-labelledby=\"");
        let names: Vec<&str> = names
            .map(|(at, begin)| &done[at + begin.len()..][..1])
            .collect();
        assert_eq!(names, ["a", "a", "b"], "{done}");
    }

    #[test]
    fn a_page_offers_a_light_and_a_dark_theme() {
        let item = |id: &str, name: &str| {
            format!(
                "<li role=\"none\"><button role=\"menuitem\" class=\"theme\" id=\"mdbook-theme-{id}\">{name}</button></li>"
            )
        };
        let html = format!(
            "<body>{}{}{}<main></main></body>",
            item("light", "Light"),
            item("coal", "Coal"),
            item("navy", "Navy")
        );
        let done = page("speed.html", &html);
        let both = format!("{}{}", item("light", "Light"), item("navy", "Dark"));
        assert!(done.contains(&both), "{done}");
    }

    #[test]
    fn the_contents_have_the_core_path_with_its_minutes() {
        let script = "'<li><span><a href=\"core.html\">The core path</a></span></li>'";
        let done = contents(script);
        assert!(
            done.contains("<a href=\"core.html#part-0\">The tour <small>"),
            "{done}"
        );
        assert_eq!(done.matches('\'').count(), 2);
    }

    #[test]
    fn a_page_without_a_text_stays_as_it_is() {
        assert_eq!(
            page("toc.html", "<body><ol></ol></body>"),
            "<body><ol></ol></body>"
        );
    }
}
