//! LaTeX formulas as text: two-dimensional for a pane, one row for a sentence, ASCII for plain mode, MathML for the book.
//!
//! [`pulldown_latex`] reads the formula; [`tree`] keeps what its events mean, and the three writers below
//! ([`display`], [`inline`](mod@row), [`spoken`](mod@spoken)) draw the same tree.

use std::fmt;

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Event, Parser, Storage};

mod boxes;
mod display;
mod node;
mod row;
mod spacing;
mod spoken;
mod symbols;
mod tree;

pub use boxes::Box2d;

/// Longest formula accepted, in bytes.
const MAX_BYTES: usize = 8 * 1024;
/// Maximum number of parser events in a formula.
const MAX_EVENTS: usize = 20_000;
/// Maximum number of commands in a formula. The parser recurses on `\frac1\frac1…`, using about 10 KB of stack a step
/// in a development build: 200 of them overflow a thread's 2 MiB.
const MAX_COMMANDS: usize = 120;

/// Error of a formula that can't be drawn: the parser's message and the formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormulaError {
    pub message: String,
    pub tex: String,
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start: String = self.tex.chars().take(60).collect();
        let more = if start.len() < self.tex.len() {
            "…"
        } else {
            ""
        };
        write!(f, "{} in the formula `{start}{more}`", self.message)
    }
}

impl std::error::Error for FormulaError {}

/// Sets a formula in two dimensions. Every row is `width` columns wide; text continues on the row `baseline`.
pub fn layout(tex: &str) -> Result<Box2d, FormulaError> {
    Ok(display::set(&parse(tex)?))
}

/// Sets a formula in two dimensions on at most `width` columns, breaking it into lines at wide spaces, then before
/// relations, then before binary operators. `None` if a part is still too wide; [`inline`] can be wrapped anywhere.
pub fn layout_within(tex: &str, width: usize) -> Result<Option<Vec<Box2d>>, FormulaError> {
    Ok(display::set_within(&parse(tex)?, width))
}

/// Sets a formula on exactly one row.
pub fn inline(tex: &str) -> Result<String, FormulaError> {
    Ok(row::set(&parse(tex)?))
}

/// Writes a formula on one line without symbols, for plain mode: `softmax((Q K^T)/sqrt(d_k)) V`.
/// Words inside `\text` keep their script; everything else is ASCII.
pub fn spoken(tex: &str) -> Result<String, FormulaError> {
    Ok(spoken::say(&parse(tex)?))
}

/// Writes a formula as a MathML `<math>` element that keeps the TeX as an annotation.
pub fn mathml(tex: &str, display: bool) -> Result<String, FormulaError> {
    let storage = Storage::new();
    let events = events(tex, &storage)?;
    // Refuse the same formulas everywhere, so that a lesson that builds as a book also runs in a terminal.
    tree::build(&events).map_err(|message| error(tex, message))?;
    let config = RenderConfig {
        display_mode: if display {
            DisplayMode::Block
        } else {
            DisplayMode::Inline
        },
        annotation: Some(tex),
        ..RenderConfig::default()
    };
    let mut out = String::new();
    let events = events.into_iter().map(Ok::<_, std::convert::Infallible>);
    pulldown_latex::push_mathml(&mut out, events, config).map_err(|e| error(tex, e.to_string()))?;
    Ok(out)
}

fn parse(tex: &str) -> Result<node::Node, FormulaError> {
    let storage = Storage::new();
    let events = events(tex, &storage)?;
    tree::build(&events).map_err(|message| error(tex, message))
}

fn events<'a>(tex: &'a str, storage: &'a Storage) -> Result<Vec<Event<'a>>, FormulaError> {
    if tex.len() > MAX_BYTES {
        return Err(error(
            tex,
            format!("{} bytes, more than the {MAX_BYTES} allowed", tex.len()),
        ));
    }
    check_commands(tex)?;
    let mut events = Vec::new();
    for event in Parser::new(tex, storage) {
        if events.len() == MAX_EVENTS {
            return Err(error(tex, format!("more than {MAX_EVENTS} symbols")));
        }
        events.push(event.map_err(|e| {
            // The source holds only the reason; Display adds a drawing of several lines around it.
            error(
                tex,
                std::error::Error::source(&e)
                    .map_or_else(|| e.to_string(), |reason| reason.to_string()),
            )
        })?);
    }
    Ok(events)
}

/// Refuses formulas that could exhaust the parser's stack: those with too many commands, or with definitions, which can
/// multiply them.
fn check_commands(tex: &str) -> Result<(), FormulaError> {
    const DEFINITIONS: [&str; 9] = [
        "def",
        "edef",
        "gdef",
        "xdef",
        "let",
        "futurelet",
        "newcommand",
        "renewcommand",
        "providecommand",
    ];
    // Text before the first backslash is no command.
    let commands = tex.split('\\').skip(1);
    if commands.clone().count() > MAX_COMMANDS {
        return Err(error(tex, format!("more than {MAX_COMMANDS} commands")));
    }
    for command in commands {
        let name = command
            .split(|c: char| !c.is_ascii_alphabetic())
            .next()
            .unwrap_or("");
        if DEFINITIONS.contains(&name) {
            return Err(error(
                tex,
                format!("\\{name} is not allowed: a formula stands for itself"),
            ));
        }
    }
    Ok(())
}

fn error(tex: &str, message: String) -> FormulaError {
    FormulaError {
        message,
        tex: tex.to_string(),
    }
}

#[cfg(test)]
mod tests;
