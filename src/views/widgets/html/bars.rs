//! Bar charts: each row has a label, a bar and a value.

use super::inline;
use crate::lesson::Bar;
use crate::widgets::svg::escape;

/// Returns the bars as rows of a table. On a logarithmic scale they are dots, because a length would mislead.
pub fn html(unit: &str, bars: &[Bar], log: bool) -> String {
    let most = bars
        .iter()
        .map(|bar| bar.value.abs())
        .filter(|v| v.is_finite());
    let most = most.fold(0.0_f64, f64::max);
    let positive = bars
        .iter()
        .map(|bar| bar.value.abs())
        .filter(|v| v.is_finite() && *v > 0.0);
    let least = positive.fold(f64::INFINITY, f64::min);
    let share = |value: f64| -> f64 {
        let size = value.abs();
        if !size.is_finite() || most <= 0.0 || size == 0.0 {
            return 0.0;
        }
        if log && least < most {
            0.08 + 0.92 * (size / least).ln() / (most / least).ln()
        } else {
            size / most
        }
    };
    let mut out = "<div class=\"tt-scroll\"><table class=\"tt-bars\">".to_owned();
    let scale = if log { ", on a logarithmic scale" } else { "" };
    if !unit.is_empty() || log {
        out += &format!("<caption>{}{scale}</caption>", escape(unit));
    }
    out += "<tbody>";
    for bar in bars {
        // Some bars use the magnitude as their length and show the sign only in the number.
        let negative = bar.value < 0.0 || bar.note.starts_with(['-', '−']);
        let length = 100.0 * share(bar.value);
        let drawn = if log {
            dot(length)
        } else {
            rect(length, negative)
        };
        let note = if bar.note.is_empty() {
            super::cells::text(bar.value as f32)
        } else {
            inline::typeset(&bar.note)
        };
        // Short labels leave more room for the bars.
        let short = match bar.label.chars().count() {
            ..=22 => " class=\"short\"",
            23..=40 => " class=\"middling\"",
            _ => "",
        };
        out += &format!(
            "<tr><th scope=\"row\"{short}>{}{}</th><td class=\"tt-length\">{drawn}</td><td class=\"tt-value{}\">{}</td></tr>",
            super::indent(&bar.label),
            escape(bar.label.trim()),
            if note.chars().count() > 12 {
                " long"
            } else {
                ""
            },
            escape(&note)
        );
    }
    out + "</tbody></table></div>"
}

/// A bar that is `length` per cent as long as its column. SVG takes lengths as attributes, which a strict content
/// security policy allows.
fn rect(length: f64, is_negative: bool) -> String {
    let class = if is_negative { "tt-bar neg" } else { "tt-bar" };
    format!(
        "<svg class=\"{class}\" aria-hidden=\"true\"><rect width=\"{length:.2}%\" height=\"100%\"/></svg>"
    )
}

/// A dot at `length` per cent of its column.
fn dot(length: f64) -> String {
    format!(
        "<svg class=\"tt-bar dot\" aria-hidden=\"true\"><line x2=\"{length:.2}%\" y1=\"50%\" y2=\"50%\"/><circle cx=\"{length:.2}%\" cy=\"50%\" r=\"5\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share_of_the_largest() {
        let bars = [("a", -12.0), ("b", -0.14), ("c", -0.115), ("d", 0.0)]
            .map(|(label, value)| Bar::new(label, value, ""));
        let lengths: Vec<String> = html("", &bars, false)
            .split("<rect width=\"")
            .skip(1)
            .map(|part| part.split('%').next().unwrap().to_owned())
            .collect();
        assert_eq!(lengths, ["100.00", "1.17", "0.96", "0.00"]);
    }
}
