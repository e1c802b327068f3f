//! Named roles of colour.

use ratatui::style::{Color, Modifier, Style};

/// A style for each role that the drawings know. Glyphs carry every meaning too, so a theme without
/// colour loses nothing.
#[derive(Clone, Debug)]
pub struct Theme {
    /// Plain text.
    pub text: Style,
    /// What is less important.
    pub dim: Style,
    /// Titles and names.
    pub title: Style,
    /// The cursor and what is chosen.
    pub cursor: Style,
    /// What is right, tight, passed.
    pub good: Style,
    /// What is wrong, leaks, failed.
    pub bad: Style,
    /// What asks for attention.
    pub note: Style,
}

impl Theme {
    /// The 16 ANSI names over the terminal's own background.
    pub fn ansi() -> Self {
        let plain = Style::new();
        Self {
            text: plain,
            dim: plain.add_modifier(Modifier::DIM),
            title: plain.add_modifier(Modifier::BOLD),
            cursor: plain.add_modifier(Modifier::REVERSED),
            good: plain.fg(Color::Green),
            bad: plain.fg(Color::Red),
            note: plain.fg(Color::Yellow),
        }
    }
}
