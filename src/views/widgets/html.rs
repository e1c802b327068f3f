//! Drawings as HTML, for the book and for the course in a page: what a session shows with its numbers as text, the
//! controls with which a reader changes it, and where a number came from.

use serde::Serialize;
use serde_json::{Value, json};

mod bars;
mod cells;
pub mod command;
mod controls;
mod curves;
mod diagram;
mod drawn;
mod heads;
pub mod inline;
pub mod live;
mod map;
mod plane;
mod table;
pub mod view;
mod why;

pub use controls::{Offers, html as controls_html};
pub use map::html as map_html;

/// Splits a text after each full stop, question or exclamation mark followed by a space. The pieces add up to the text.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut code = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        code ^= c == '`';
        let ends = matches!(c, '.' | '?' | '!') && !code;
        // A closing bracket at the end of a sentence belongs to it.
        let end = match chars.peek() {
            Some((_, ')')) if ends => at + 2,
            _ => at + 1,
        };
        if ends && text[end..].starts_with(' ') {
            all.push(&text[from..end]);
            from = end;
        }
    }
    if from < text.len() {
        all.push(&text[from..]);
    }
    all
}

/// Indentation of a label that begins with spaces because it is part of the row above.
fn indent(label: &str) -> String {
    let blanks = label.len() - label.trim_start_matches(' ').len();
    "\u{2003}".repeat(blanks / 2)
}

/// JSON of a number: whole numbers exactly, others with five digits if they are below 10 and with six otherwise; NaN and
/// infinities, which JSON lacks, as strings.
pub fn number(x: f32) -> Value {
    match x {
        _ if x.is_nan() => json!("NaN"),
        f32::INFINITY => json!("Infinity"),
        f32::NEG_INFINITY => json!("-Infinity"),
        _ if x.fract() == 0.0 && x.abs() < 1e9 => json!(x as i64),
        _ => {
            let decimals = if x.abs() < 10.0 { 4 } else { 5 };
            let short = format!("{x:.decimals$e}").parse::<f64>();
            json!(short.expect("a formatted number is one"))
        }
    }
}

/// JSON for embedding in a page, escaped so that it can't end the script element.
pub fn script(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).expect("its maps have strings as keys");
    json.replace('<', "\\u003c")
}
