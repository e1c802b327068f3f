//! Formulas of a chapter as MathML, which browsers set without any script or network.

use pulldown_cmark::{Event, Options, Parser};

use crate::typeset::formula::mathml;

/// The Markdown with every `$…$` and `$$…$$` replaced; code is left as it is.
pub fn as_mathml(markdown: &str) -> Result<String, String> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let mut out = String::new();
    let mut done = 0;
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        let (tex, display) = match &event {
            Event::InlineMath(tex) => (tex, false),
            Event::DisplayMath(tex) => (tex, true),
            _ => continue,
        };
        let set = mathml(tex, display).map_err(|e| format!("{tex}: {e}"))?;
        out += &markdown[done..range.start];
        // A line break inside would end the HTML, and Markdown would see marks in it.
        out += &set
            .replace('\n', " ")
            .replace('|', "&#124;")
            .replace('*', "&#42;")
            .replace('_', "&#95;");
        done = range.end;
    }
    out += &markdown[done..];
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_mathml_and_code_stays() {
        let out = as_mathml("a $x^2$ and `$y$`\n\n```\n$z$\n```\n").unwrap();
        assert!(out.contains("<math") && !out.contains("$x"), "{out}");
        assert!(out.contains("`$y$`") && out.contains("\n$z$\n"), "{out}");
    }
}
