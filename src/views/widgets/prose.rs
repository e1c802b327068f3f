//! Lesson text as styled lines for a pane, and as plain text for pipes and screen readers.
//!
//! Lines are wrapped for one width; keep them and slice the visible part.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;

use super::code::Role;
use super::theme::Theme;
use crate::lesson::page::{Block, CalloutKind, Inline};
use crate::typeset::ascii;

mod blocks;
mod fold;
mod inline;
mod need;
mod table;
mod writer;

/// Styles by role. The default uses the 16 ANSI colours on the terminal's own background.
#[derive(Debug, Clone, PartialEq)]
pub struct ProseStyle {
    pub text: Style,
    pub strong: Style,
    pub emph: Style,
    pub heading: Style,
    pub code: Style,
    pub math: Style,
    pub link: Style,
    pub caption: Style,
    pub table_header: Style,
    /// Table borders, rules and the bar beside quotations.
    pub rule: Style,
    pub bullet: Style,
    pub callout: CalloutStyle,
    pub syntax: SyntaxStyle,
    pub highlighting: Highlighting,
    /// Whether only ASCII may be drawn, in which case formulas are written in words.
    pub ascii: bool,
    /// Names of the switches that are on, as the text says beside their keys.
    pub on: Vec<&'static str>,
}

/// When code is highlighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Highlighting {
    /// Only if the result is ready, for drawing. See [`super::code::finished`].
    WhenReady,
    /// At once, however long it takes, for the book and for snapshots.
    Now,
    Never,
}

impl Default for ProseStyle {
    fn default() -> Self {
        let plain = Style::new();
        Self {
            text: plain,
            strong: plain.add_modifier(Modifier::BOLD),
            emph: plain.add_modifier(Modifier::ITALIC),
            heading: plain.fg(Color::Cyan).add_modifier(Modifier::BOLD),
            code: plain.fg(Color::Cyan),
            math: plain.fg(Color::Magenta),
            link: plain.add_modifier(Modifier::UNDERLINED),
            caption: plain.fg(Color::DarkGray),
            table_header: plain.add_modifier(Modifier::BOLD),
            rule: plain.fg(Color::DarkGray),
            bullet: plain.fg(Color::Cyan),
            callout: CalloutStyle::default(),
            syntax: SyntaxStyle::default(),
            highlighting: Highlighting::WhenReady,
            ascii: false,
            on: Vec::new(),
        }
    }
}

impl ProseStyle {
    /// Replaces characters that may not be drawn.
    pub fn words(&self, text: &str) -> String {
        ascii::drawable(text, self.ascii)
    }

    /// Restores ⊙ in a spoken formula, which writes it as `(.)`, unless only ASCII may be drawn.
    fn circled(&self, formula: &str) -> String {
        if self.ascii {
            formula.to_owned()
        } else {
            formula.replace("(.)", "⊙")
        }
    }

    /// Styles in the colours of a theme, and its choice of characters.
    pub fn of(theme: &Theme) -> Self {
        let base = Self {
            ascii: theme.ascii,
            ..Self::default()
        };
        if !theme.is_coloured() {
            return Self {
                heading: base.heading.patch(theme.title),
                syntax: SyntaxStyle::plain(),
                callout: CalloutStyle::plain(),
                ..base
            };
        }
        if theme.ground.is_none() {
            return base;
        }
        let [first, second, third, fourth, _, sixth] = theme.series;
        let strong = theme.title.add_modifier(Modifier::BOLD);
        Self {
            text: theme.text,
            strong,
            emph: theme.text.add_modifier(Modifier::ITALIC),
            heading: first.add_modifier(Modifier::BOLD),
            code: sixth,
            math: third,
            link: theme.text.add_modifier(Modifier::UNDERLINED),
            caption: theme.dim,
            table_header: strong,
            rule: theme.dim,
            bullet: first,
            callout: CalloutStyle {
                note: first,
                tip: theme.good,
                differs: theme.note,
                breaking: theme.bad,
            },
            syntax: SyntaxStyle {
                plain: theme.text,
                keyword: third,
                type_name: second,
                function: first,
                macro_name: sixth,
                string: fourth,
                number: second,
                comment: theme.dim,
                attribute: sixth,
            },
            ..base
        }
    }
}

/// Styles for the bar and title of callouts.
#[derive(Debug, Clone, PartialEq)]
pub struct CalloutStyle {
    /// Notes and important points.
    pub note: Style,
    /// Tips and things to try.
    pub tip: Style,
    /// Warnings, and differences between the code and a source.
    pub differs: Style,
    /// Cautions, and things to break.
    pub breaking: Style,
}

impl Default for CalloutStyle {
    fn default() -> Self {
        let plain = Style::new();
        Self {
            note: plain.fg(Color::Blue),
            tip: plain.fg(Color::Green),
            differs: plain.fg(Color::Yellow),
            breaking: plain.fg(Color::Red),
        }
    }
}

impl CalloutStyle {
    /// Styles without colour, for which the words carry the meaning.
    pub fn plain() -> Self {
        let plain = Style::new();
        Self {
            note: plain,
            tip: plain,
            differs: plain,
            breaking: plain,
        }
    }

    pub fn of(&self, kind: CalloutKind) -> Style {
        match kind {
            CalloutKind::Note | CalloutKind::Important => self.note,
            CalloutKind::Tip | CalloutKind::Try => self.tip,
            CalloutKind::Warning | CalloutKind::Differs => self.differs,
            CalloutKind::Caution | CalloutKind::Break => self.breaking,
        }
    }
}

/// Styles for code, by role.
#[derive(Debug, Clone, PartialEq)]
pub struct SyntaxStyle {
    pub plain: Style,
    pub keyword: Style,
    pub type_name: Style,
    pub function: Style,
    pub macro_name: Style,
    pub string: Style,
    pub number: Style,
    pub comment: Style,
    pub attribute: Style,
}

impl Default for SyntaxStyle {
    fn default() -> Self {
        let plain = Style::new();
        Self {
            plain,
            keyword: plain.fg(Color::Magenta),
            type_name: plain.fg(Color::Yellow),
            function: plain.fg(Color::Blue),
            macro_name: plain.fg(Color::Cyan),
            string: plain.fg(Color::Green),
            number: plain.fg(Color::Red),
            comment: plain.fg(Color::DarkGray),
            attribute: plain.fg(Color::Cyan),
        }
    }
}

impl SyntaxStyle {
    /// Styles without colour.
    pub fn plain() -> Self {
        let plain = Style::new();
        Self {
            plain,
            keyword: plain,
            type_name: plain,
            function: plain,
            macro_name: plain,
            string: plain,
            number: plain,
            comment: plain,
            attribute: plain,
        }
    }

    pub fn of(&self, role: Role) -> Style {
        match role {
            Role::Plain => self.plain,
            Role::Keyword => self.keyword,
            Role::Type => self.type_name,
            Role::Function => self.function,
            Role::Macro => self.macro_name,
            Role::String => self.string,
            Role::Number => self.number,
            Role::Comment => self.comment,
            Role::Attribute => self.attribute,
        }
    }
}

/// Lays out blocks as lines of at most `width` columns, if that is at least 8. A stage shows only its caption and a
/// prediction nothing, because both are drawn elsewhere.
pub fn lines(blocks: &[Block], width: u16, style: &ProseStyle) -> Vec<Line<'static>> {
    writer::Writer {
        style,
        speech: false,
    }
    .blocks(blocks, usize::from(width.max(1)))
}

/// Smallest width in which no line of code, command or table of the blocks is broken.
pub fn needed_width(blocks: &[Block], style: &ProseStyle) -> usize {
    writer::Writer {
        style,
        speech: false,
    }
    .needed(blocks)
}

/// Lays out one paragraph, such as a question parsed by [`crate::lesson::page::parse_inline`], in styles based on
/// `base`.
pub fn paragraph(
    text: &[Inline],
    base: Style,
    width: u16,
    style: &ProseStyle,
) -> Vec<Line<'static>> {
    writer::Writer {
        style,
        speech: false,
    }
    .text(text, base, usize::from(width.max(1)))
}

/// Blocks as text without drawing characters and colours; formulas are written in words, and code is never cut. The
/// switches that are `on` are marked.
pub fn plain(blocks: &[Block], width: u16, on: impl IntoIterator<Item = &'static str>) -> String {
    let style = ProseStyle {
        highlighting: Highlighting::Never,
        on: on.into_iter().collect(),
        ..ProseStyle::default()
    };
    let lines = writer::Writer {
        style: &style,
        speech: true,
    }
    .blocks(blocks, usize::from(width.max(1)));
    lines
        .iter()
        .map(|line| format!("{}\n", line.to_string().trim_end()))
        .collect()
}

#[cfg(test)]
mod tests;
