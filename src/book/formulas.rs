//! Formulas of a chapter as MathML, which browsers render without scripts or network access.

use pulldown_cmark::{Event, Options, Parser};

use crate::typeset::formula::mathml;

/// Replaces every `$…$` and `$$…$$` in the Markdown; code is left as it is.
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
        if set.contains("&lt;m") {
            return Err(format!("{tex}: a sign became broken MathML"));
        }
        out += &markdown[done..range.start];
        // A line break would end the HTML block, and Markdown would read `\`, `|`, `*` and `_` as markup.
        let set = set
            .replace('\n', " ")
            .replace('\\', "&#92;")
            .replace('|', "&#124;")
            .replace('*', "&#42;")
            .replace('_', "&#95;");
        done = range.end;
        // Keep a following full stop from starting a line.
        let stops = markdown[done..]
            .chars()
            .take_while(|c| ".,;:?".contains(*c));
        let stops = stops.map(char::len_utf8).sum::<usize>();
        out += &if display || stops == 0 {
            set
        } else {
            let from = done;
            done += stops;
            format!(
                "<span class=\"tt-whole\">{set}{}</span>",
                &markdown[from..done]
            )
        };
    }
    out += &markdown[done..];
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of the book's font, from the list used to subset it.
    fn font() -> Vec<std::ops::RangeInclusive<u32>> {
        let list = include_str!("../../book/theme/stix-two-math.signs.txt");
        let lines = list.lines().filter(|line| !line.starts_with('#'));
        let code = |hex: &str| u32::from_str_radix(hex, 16).expect("a code point");
        let ranges = lines.flat_map(str::split_whitespace).map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            code(first)..=code(last)
        });
        ranges.collect()
    }

    #[test]
    fn the_books_font_has_every_sign_of_its_formulas() {
        let font = font();
        let mut texts: Vec<String> = crate::curriculum::LESSONS
            .iter()
            .map(|lesson| crate::lesson::page::without_claims(lesson.text))
            .collect();
        let terms = crate::lesson::glossary::terms().iter();
        texts.extend(terms.filter_map(|term| Some(format!("${}$", term.formula.as_ref()?))));
        let reference = crate::book::reference::pages().into_iter();
        texts.extend(reference.map(|page| page.text.to_owned()));
        let mut signs = 0;
        for text in &texts {
            let set = as_mathml(text).unwrap();
            for formula in set.split("<math").skip(1) {
                let formula = formula.split("</math>").next().unwrap();
                let words = formula
                    .split('>')
                    .skip(1)
                    .filter_map(|part| part.split('<').next());
                for sign in words.flat_map(str::chars) {
                    let known = font.iter().any(|range| range.contains(&u32::from(sign)));
                    assert!(known, "U+{:04X} {sign} in {formula}", u32::from(sign));
                    signs += 1;
                }
            }
        }
        assert!(signs > 1000, "{signs}");
    }

    #[test]
    fn formulas_become_mathml_and_code_stays() {
        let out = as_mathml("a $x^2$ and `$y$`\n\n```\n$z$\n```\n").unwrap();
        assert!(out.contains("<math") && !out.contains("$x"), "{out}");
        assert!(out.contains("`$y$`") && out.contains("\n$z$\n"), "{out}");
        let out = as_mathml(r"$\eta\,\|a\|$").unwrap();
        assert!(out.contains("&#92;eta&#92;,&#92;&#124;a"), "{out}");
        let out = as_mathml("of $x$. Then $y$ too").unwrap();
        assert!(out.contains("</math>.</span> Then <math"), "{out}");
    }
}
