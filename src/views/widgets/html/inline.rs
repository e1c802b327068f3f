//! Single paragraphs of Markdown as HTML, for captions, questions and the responses to choices.

use crate::lesson::page::{self, Inline};
use crate::typeset::formula::mathml;
use crate::widgets::svg::escape;

/// Converts one paragraph of Markdown to HTML. Fails if the Markdown or one of its formulas is invalid.
pub fn html(markdown: &str) -> Result<String, String> {
    let inlines = page::parse_inline(markdown).map_err(|e| e.to_string())?;
    of(&inlines)
}

/// Plain text with curly quotes, apostrophes and true minus signs, as mdBook sets the text of a chapter.
pub fn typeset(text: &str) -> String {
    typeset_after(None, text)
}

/// The same for a text that continues after the character `before`.
fn typeset_after(mut before: Option<char>, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let opens = before.is_none_or(|c| c.is_whitespace() || "([{“‘—–/".contains(c));
        let is_sign = opens && chars.peek().is_some_and(char::is_ascii_digit);
        // A token that is an apostrophe stays one.
        let is_quoted = before == Some('“') && chars.peek().is_some_and(|c| "\"”".contains(*c));
        let set = match c {
            '\'' if is_quoted => c,
            '"' if opens => '“',
            '"' => '”',
            '\'' if opens => '‘',
            '\'' => '’',
            '-' if is_sign => '−',
            _ => c,
        };
        out.push(set);
        before = Some(set);
    }
    out
}

fn of(inlines: &[Inline]) -> Result<String, String> {
    let mut out = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) => {
                let marks = [
                    (text.style.strong, "strong"),
                    (text.style.emph, "em"),
                    (text.style.strike, "del"),
                ];
                let on: Vec<&str> = marks.iter().filter(|m| m.0).map(|m| m.1).collect();
                out.extend(on.iter().map(|mark| format!("<{mark}>")));
                // A quote or an apostrophe right after code or a formula closes.
                let before = out.chars().next_back().filter(|_| on.is_empty());
                out += &escape(&typeset_after(before, &text.text));
                out.extend(on.iter().rev().map(|mark| format!("</{mark}>")));
            }
            Inline::Code(text) => out += &format!("<code>{}</code>", escape(&text.text)),
            Inline::Math(tex) => {
                let set = mathml(tex, false).map_err(|e| format!("{tex}: {e}"))?;
                out += &set.replace('\n', " ");
            }
            Inline::Link { text, url } => {
                out += &format!("<a href=\"{}\">{}</a>", escape(url), of(text)?);
            }
            Inline::Break => out.push(' '),
            Inline::FootnoteRef(_) | Inline::Claim(_) => {}
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_become_curly_and_signs_minus() {
        assert_eq!(
            typeset("Row \"is\" isn't -1, (\"a\"), 10-20 or well-known."),
            "Row “is” isn’t −1, (“a”), 10-20 or well-known."
        );
        assert_eq!(typeset("\"don\", \"'\" and \"-t\""), "“don”, “'” and “-t”");
        assert_eq!(html("`x`'s \"mean\"").unwrap(), "<code>x</code>’s “mean”");
        assert_eq!(html("`\"x\"`").unwrap(), "<code>&quot;x&quot;</code>");
    }
}
