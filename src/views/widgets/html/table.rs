//! Tables of words and numbers.

use crate::typeset::number::grouped;
use crate::widgets::svg::escape;

/// Returns the table in its own scrolling box.
pub fn html(header: &[String], rows: &[Vec<String>]) -> String {
    let mut out = "<div class=\"tt-scroll\"><table class=\"tt-rows\"><thead><tr>".to_owned();
    // A column is numeric only as a whole: among names, a number is a name.
    let numbers = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        let mut shown = cells.filter(|cell| !is_missing(cell)).peekable();
        shown.peek().is_some() && shown.all(|cell| is_number(cell))
    };
    let wide = rows.iter().map(Vec::len).max().unwrap_or(0);
    let numeric: Vec<bool> = (0..wide.max(header.len())).map(numbers).collect();
    let class = |at: usize| if numeric[at] { " class=\"num\"" } else { "" };
    for (at, word) in header.iter().enumerate() {
        let class = class(at);
        out += &if word.is_empty() {
            "<td></td>".to_owned()
        } else {
            format!("<th scope=\"col\"{class}>{}</th>", escape(word))
        };
    }
    out += "</tr></thead><tbody>";
    for row in rows {
        out += "<tr>";
        for (at, cell) in row.iter().enumerate() {
            let class = class(at);
            let pad = super::indent(cell);
            let text = escape(&with_separators(cell.trim()));
            let text = if numeric[at] {
                text.replacen('-', "−", usize::from(text.starts_with('-')))
            } else {
                text
            };
            out += &match at {
                // An empty row heading becomes an ordinary cell.
                0 if text.is_empty() => "<td></td>".to_owned(),
                0 => format!("<th scope=\"row\"{class}>{pad}{text}</th>"),
                _ => format!("<td{class}>{text}</td>"),
            };
        }
        out += "</tr>";
    }
    out + "</tbody></table></div>"
}

/// Adds thousands separators to a large whole number, as the prose does.
fn with_separators(text: &str) -> String {
    let whole = text.len() > 4 && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(n) if whole => grouped(n),
        _ => text.to_owned(),
    }
}

/// True if a cell marks a missing number.
fn is_missing(cell: &str) -> bool {
    ["", "-", "–", "none"].contains(&cell.trim())
}

/// True if a cell holds one number, with or without a unit sign after it: `1,024`, `-7.5e-3`, `72.9 %`.
fn is_number(text: &str) -> bool {
    let mut parts = text.split_whitespace();
    let number = |part: &str| {
        let digits = part.trim_start_matches(['−', '-', '+', '×']);
        digits == "∞"
            || digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                && digits.contains(|c: char| c.is_ascii_digit())
                && digits
                    .chars()
                    .all(|c| c.is_ascii_digit() || "−-+.,e%×".contains(c))
    };
    parts.next().is_some_and(number) && parts.all(|part| ["%", "×"].contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_is_a_number_and_words_and_lists_are_none() {
        for number in [
            "1,024", "-7.5e-3", "72.9 %", "+0.010", "−2", ".25", "×4", "−∞",
        ] {
            assert!(is_number(number), "{number}");
        }
        for word in ["-e 0.25", "1 10 3 4", "", "-", "e", "30, 8, 11", "%", "."] {
            assert!(!is_number(word), "{word}");
        }
    }

    #[test]
    fn a_column_stands_to_the_right_as_a_whole_or_not_at_all() {
        let table = |cells: [&str; 3]| {
            let rows = cells.map(|cell| vec!["row".to_owned(), cell.to_owned()]);
            let header = ["", "x"].map(ToOwned::to_owned);
            html(&header, &rows).matches("class=\"num\"").count()
        };
        assert_eq!(
            table(["1", "none", "2.5"]),
            4,
            "the heading and three cells"
        );
        assert_eq!(table(["1", "the", "."]), 0);
        assert_eq!(table(["-", "", "none"]), 0);
    }
}
