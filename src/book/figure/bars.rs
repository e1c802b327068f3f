//! Bar charts: each row has a label, a bar and a value.

use crate::lesson::Bar;
use crate::widgets::svg::escape;

/// Number of steps in a bar's length, each with its own CSS class.
const STEPS: f64 = 50.0;

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
        let steps = (share(bar.value) * STEPS).round() as usize;
        // Some bars use the magnitude as their length and show the sign only in the number.
        let negative = bar.value < 0.0 || bar.note.starts_with(['-', '−']);
        let sign = if log {
            " dot"
        } else if negative {
            " neg"
        } else {
            ""
        };
        let note = if bar.note.is_empty() {
            super::cells::text(bar.value as f32)
        } else {
            bar.note.clone()
        };
        // Short labels leave more room for the bars.
        let short = match bar.label.chars().count() {
            ..=22 => " class=\"short\"",
            23..=40 => " class=\"middling\"",
            _ => "",
        };
        out += &format!(
            "<tr><th scope=\"row\"{short}>{}{}</th><td class=\"tt-length\"><span class=\"tt-bar{sign} w{steps}\"></span></td><td class=\"tt-value{}\">{}</td></tr>",
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
