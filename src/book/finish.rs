//! What mdBook's pages lack: a description of each page, and a link that skips the navigation.

use crate::curriculum::{LESSONS, core_path};
use crate::lesson::Lesson;
use crate::lesson::core_path::Part;
use crate::widgets::svg::escape;

/// Opening tag of the text in a page of mdBook.
const MAIN: &str = "<main>";

const SKIP: &str = "<a class=\"tt-to-text\" href=\"#tt-text\">Skip to the text</a>";

/// Finishes the page with this file name. Pages without a text, such as the table of contents, stay as they are.
pub fn page(name: &str, html: &str) -> String {
    let Some((before, text)) = html.split_once(MAIN) else {
        return html.to_owned();
    };
    const BAR: &str = "<div id=\"mdbook-menu-bar\"";
    // The bar is a landmark, and its name no second title of the page.
    let before = with_description(before, name, text)
        .replace(BAR, &format!("{BAR} role=\"banner\""))
        .replace("<h1 class=\"menu-title\">", "<p class=\"menu-title\">")
        .replace("</h1>", "</p>");
    let before = match before.split_once("<body>") {
        Some((head, rest)) => format!("{head}<body>\n{SKIP}{rest}"),
        None => before,
    };
    // A heading that is empty, or a formula, is none to screen readers.
    let text = text.replace("<th></th>", "<td></td>");
    let text = text.replace("<th><math", "<th><span class=\"tt-sr\">formula</span><math");
    format!("{before}<main id=\"tt-text\" tabindex=\"-1\">{text}")
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

/// The lesson whose chapter has this file name.
pub fn lesson_at(name: &str) -> Option<&'static Lesson> {
    let folder = name.strip_suffix(".html")?;
    let mut all = LESSONS.iter().map(|lesson| &***lesson);
    all.find(|lesson| lesson.folder == folder)
}

/// Replaces the book's description by the page's own: what a reader gains from a lesson, or else the beginning of the
/// text. Sites that show links as cards read it too, with the title.
fn with_description(head: &str, name: &str, text: &str) -> String {
    let own = match lesson_at(name) {
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

/// The words of a page's first paragraph; `None` if it has none.
fn first_paragraph(html: &str) -> Option<String> {
    let (_, rest) = html.split_once("<p>")?;
    let (inside, _) = rest.split_once("</p>")?;
    Some(words(inside)).filter(|words| !words.is_empty())
}

/// The words of HTML, without its tags and entities.
pub fn words(html: &str) -> String {
    let mut words = String::new();
    for piece in html.split('<') {
        let (tag, after) = piece.split_once('>').unwrap_or(("", piece));
        // Tags within a line end no word.
        let is_block = ["p", "/p", "/math", "li", "td", "th", "div", "/div", "dt"].contains(&tag);
        words += if is_block { " " } else { "" };
        words += after;
    }
    let signs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let plain = |words: String, (from, to): &(&str, &str)| words.replace(from, to);
    let words = signs.iter().fold(words, plain);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
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
            done.contains("<main id=\"tt-text\" tabindex=\"-1\"><p>"),
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
