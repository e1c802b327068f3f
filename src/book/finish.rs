//! What mdBook's pages lack: a description of each chapter, and a link that skips the navigation.

use crate::curriculum::LESSONS;
use crate::widgets::svg::escape;

/// Opening tag of the text in a page of mdBook.
const MAIN: &str = "<main>";

const SKIP: &str = "<a class=\"tt-to-text\" href=\"#text\">Skip to the text</a>";

/// Finishes the page with this file name. Pages without a text, such as the table of contents, stay as they are.
pub fn page(name: &str, html: &str) -> String {
    let Some((before, text)) = html.split_once(MAIN) else {
        return html.to_owned();
    };
    let before = with_description(before, name);
    let before = match before.split_once("<body>") {
        Some((head, rest)) => format!("{head}<body>\n{SKIP}{rest}"),
        None => before,
    };
    format!("{before}<main id=\"text\" tabindex=\"-1\">{text}")
}

/// Replaces the book's description by what a reader gains from the lesson.
fn with_description(head: &str, name: &str) -> String {
    let folder = name.strip_suffix(".html").unwrap_or(name);
    let lesson = LESSONS.iter().find(|lesson| lesson.folder == folder);
    let (Some(lesson), Some((start, rest))) =
        (lesson, head.split_once("<meta name=\"description\""))
    else {
        return head.to_owned();
    };
    let Some((_, end)) = rest.split_once('>') else {
        return head.to_owned();
    };
    let own = escape(&format!("{}. {}", lesson.title, lesson.gains));
    format!("{start}<meta name=\"description\" content=\"{own}\">{end}")
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
    fn a_page_without_a_text_stays_as_it_is() {
        assert_eq!(
            page("toc.html", "<body><ol></ol></body>"),
            "<body><ol></ol></body>"
        );
    }
}
