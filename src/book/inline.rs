//! Single paragraphs of Markdown as HTML, for captions, questions and the responses to choices.

use crate::lesson::page::{self, Inline};
use crate::typeset::formula::mathml;
use crate::widgets::svg::escape;

/// Converts one paragraph of Markdown to HTML. Fails if the Markdown or one of its formulas is invalid.
pub fn html(markdown: &str) -> Result<String, String> {
    let inlines = page::parse_inline(markdown).map_err(|e| e.to_string())?;
    of(&inlines)
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
                out += &escape(&text.text);
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
