//! Named colour roles, and the glyphs that convey the same without colour.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

use crate::typeset::ascii;
use crate::typeset::sanitize::{clean, is_clean};

mod glyphs;
mod ramp;

pub use glyphs::Glyphs;
use glyphs::{ASCII, UNICODE};
pub use ramp::{Ramp, Rgb};

/// A style for each role in the drawings. Glyphs carry every meaning too, so a theme without colour loses nothing.
#[derive(Clone, Debug)]
pub struct Theme {
    /// Plain text.
    pub text: Style,
    /// Background of the whole screen; `None` for the terminal's own.
    pub ground: Option<Rgb>,
    /// Less important text.
    pub dim: Style,
    /// Titles and names.
    pub title: Style,
    /// The cursor and the current choice.
    pub cursor: Style,
    /// Correct, without leaks, passed.
    pub good: Style,
    /// Wrong, leaking, failed.
    pub bad: Style,
    /// Anything that needs attention.
    pub note: Style,
    /// Marks around cells that contributed to the one being explained.
    pub operand: Style,
    /// Positive values, from weak to strong.
    pub positive: Ramp,
    /// Negative values.
    pub negative: Ramp,
    /// Shares of a whole, and lengths.
    pub share: Ramp,
    /// A mask's 1: the position may be seen.
    pub open: Style,
    /// A mask's 0, and the scores that it blocks.
    pub blocked: Style,
    /// Colours that token ids cycle through, and the lines of a chart.
    pub series: [Style; 6],
    /// Whether only ASCII may be drawn.
    pub ascii: bool,
    /// Whether charts use braille dots, eight to a character instead of one.
    pub braille: bool,
}

const BOLD: Modifier = Modifier::BOLD;

impl Theme {
    /// Names that [`Theme::by_name`] accepts.
    pub const NAMES: [&'static str; 5] = ["ansi", "dark", "light", "colour-blind", "mono"];

    /// The theme with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "ansi" => Self::ansi(),
            "dark" => Self::true_dark(),
            "light" => Self::true_light(),
            "colour-blind" => Self::colour_blind(),
            "mono" => Self::mono(),
            _ => return None,
        })
    }

    /// Error message for an unknown theme name.
    pub fn unknown(name: &str) -> String {
        let near = crate::lesson::knob::did_you_mean(name, Self::NAMES.into_iter());
        let all = Self::NAMES.join(", ");
        format!("there is no theme '{name}'{near}; there are auto, {all}")
    }

    /// The 16 ANSI colours on the terminal's own background.
    pub fn ansi() -> Self {
        let plain = Style::new();
        Self {
            text: plain,
            ground: None,
            dim: plain.fg(Color::DarkGray),
            title: plain.add_modifier(BOLD),
            cursor: plain.add_modifier(Modifier::REVERSED | BOLD),
            good: plain.fg(Color::Green),
            bad: plain.fg(Color::Red),
            note: plain.fg(Color::Yellow),
            operand: plain.fg(Color::Black).bg(Color::Yellow),
            positive: Ramp::Grounds(&[
                (Color::Reset, Color::Reset),
                (Color::Yellow, Color::Black),
                (Color::LightYellow, Color::Black),
            ]),
            negative: Ramp::Grounds(&[
                (Color::Reset, Color::Reset),
                (Color::Blue, Color::White),
                (Color::LightBlue, Color::Black),
            ]),
            share: Ramp::Grounds(&[
                (Color::Reset, Color::Reset),
                (Color::Cyan, Color::Black),
                (Color::LightCyan, Color::Black),
            ]),
            open: plain.fg(Color::Black).bg(Color::Green),
            blocked: plain.fg(Color::DarkGray),
            series: [
                Color::Cyan,
                Color::Yellow,
                Color::Magenta,
                Color::Green,
                Color::Red,
                Color::Blue,
            ]
            .map(|colour| plain.fg(colour)),
            ascii: false,
            braille: true,
        }
    }

    /// True colour on a dark background.
    pub fn true_dark() -> Self {
        let fg = |r, g, b| Style::new().fg(Color::Rgb(r, g, b));
        Self {
            text: fg(222, 222, 226),
            ground: Some((22, 23, 28)),
            dim: fg(134, 138, 150),
            title: fg(255, 255, 255).add_modifier(BOLD),
            cursor: fg(16, 16, 20)
                .bg(Color::Rgb(255, 226, 110))
                .add_modifier(BOLD),
            good: fg(126, 211, 135),
            bad: fg(255, 122, 110),
            note: fg(240, 198, 116),
            operand: fg(16, 16, 20).bg(Color::Rgb(206, 160, 255)),
            positive: Ramp::Blend(&[(25, 26, 31), (78, 54, 28), (138, 92, 40), (190, 132, 62)]),
            negative: Ramp::Blend(&[(25, 26, 31), (32, 48, 84), (52, 90, 152), (100, 146, 220)]),
            share: Ramp::Blend(&[(25, 26, 31), (27, 78, 80), (43, 127, 125), (124, 208, 196)]),
            open: fg(14, 14, 18).bg(Color::Rgb(104, 182, 124)),
            blocked: fg(104, 106, 118).bg(Color::Rgb(24, 25, 30)),
            series: [
                fg(102, 178, 255),
                fg(255, 176, 92),
                fg(206, 140, 255),
                fg(126, 211, 135),
                fg(255, 122, 140),
                fg(120, 220, 220),
            ],
            ascii: false,
            braille: true,
        }
    }

    /// True colour on a light background.
    pub fn true_light() -> Self {
        let fg = |r, g, b| Style::new().fg(Color::Rgb(r, g, b));
        Self {
            text: fg(36, 38, 44),
            ground: Some((252, 252, 250)),
            dim: fg(112, 116, 128),
            title: fg(0, 0, 0).add_modifier(BOLD),
            cursor: fg(255, 255, 255)
                .bg(Color::Rgb(30, 34, 44))
                .add_modifier(BOLD),
            good: fg(22, 120, 52),
            bad: fg(190, 32, 32),
            note: fg(150, 98, 0),
            operand: fg(255, 255, 255).bg(Color::Rgb(128, 70, 190)),
            positive: Ramp::Blend(&[
                (246, 246, 244),
                (252, 214, 196),
                (240, 138, 106),
                (190, 44, 34),
            ]),
            negative: Ramp::Blend(&[
                (246, 246, 244),
                (204, 222, 246),
                (116, 166, 226),
                (30, 84, 172),
            ]),
            share: Ramp::Blend(&[
                (246, 246, 244),
                (196, 228, 208),
                (92, 180, 158),
                (14, 92, 104),
            ]),
            open: fg(14, 14, 18).bg(Color::Rgb(120, 196, 142)),
            blocked: fg(150, 152, 160).bg(Color::Rgb(236, 236, 234)),
            series: [
                fg(24, 98, 190),
                fg(196, 96, 0),
                fg(130, 60, 190),
                fg(22, 120, 52),
                fg(190, 32, 70),
                fg(0, 120, 130),
            ],
            ascii: false,
            braille: true,
        }
    }

    /// True colour on a dark background in blue and orange, which people with any colour vision can tell apart.
    fn colour_blind() -> Self {
        let fg = |r, g, b| Style::new().fg(Color::Rgb(r, g, b));
        Self {
            good: fg(86, 180, 233),
            bad: fg(230, 159, 0).add_modifier(BOLD),
            note: fg(240, 228, 66),
            operand: fg(16, 16, 20).bg(Color::Rgb(240, 228, 66)),
            cursor: fg(16, 16, 20)
                .bg(Color::Rgb(255, 255, 255))
                .add_modifier(BOLD),
            positive: Ramp::Blend(&[(30, 31, 38), (94, 62, 16), (176, 112, 8), (250, 178, 46)]),
            negative: Ramp::Blend(&[(30, 31, 38), (18, 60, 100), (14, 106, 168), (98, 190, 244)]),
            share: Ramp::Blend(&[
                (30, 31, 38),
                (0, 66, 106),
                (74, 112, 142),
                (190, 170, 110),
                (252, 220, 90),
            ]),
            open: fg(14, 14, 18).bg(Color::Rgb(86, 180, 233)),
            // Okabe and Ito's colours.
            series: [
                fg(86, 180, 233),
                fg(230, 159, 0),
                fg(240, 228, 66),
                fg(0, 158, 115),
                fg(213, 94, 0),
                fg(204, 121, 167),
            ],
            ..Self::true_dark()
        }
    }

    /// No colour at all: glyphs and modifiers carry every meaning.
    pub fn mono() -> Self {
        let plain = Style::new();
        Self {
            text: plain,
            ground: None,
            dim: plain,
            title: plain.add_modifier(BOLD),
            cursor: plain.add_modifier(Modifier::REVERSED | BOLD),
            good: plain,
            bad: plain.add_modifier(BOLD),
            note: plain.add_modifier(Modifier::UNDERLINED),
            operand: plain.add_modifier(Modifier::UNDERLINED | BOLD),
            positive: Ramp::Glyphs,
            negative: Ramp::Glyphs,
            share: Ramp::Glyphs,
            open: plain,
            blocked: plain,
            series: [plain; 6],
            ascii: false,
            braille: true,
        }
    }

    /// The theme for a terminal with 256 colours: ramps use only colours of that palette.
    #[must_use]
    pub fn in_256(mut self) -> Self {
        for ramp in [&mut self.positive, &mut self.negative, &mut self.share] {
            *ramp = ramp.in_256();
        }
        self
    }

    /// The theme in ASCII.
    #[must_use]
    pub fn in_ascii(mut self) -> Self {
        self.ascii = true;
        self
    }

    /// Glyphs to draw with.
    pub fn glyphs(&self) -> &'static Glyphs {
        if self.ascii { &ASCII } else { &UNICODE }
    }

    /// Whether the lines of a chart differ by colour.
    pub fn is_coloured(&self) -> bool {
        self.series[0] != self.series[1]
    }

    /// Whether pictures in this theme have a dark page. A coloured theme with no background counts as dark, because its
    /// colours are made for dark terminals.
    pub fn is_dark(&self) -> bool {
        self.ground
            .map_or(self.is_coloured(), |ground| ramp::luminance(ground) < 0.5)
    }

    /// Finishes a drawing: fills the background, replaces characters that need Unicode, and drops invisible characters
    /// in outside text, which could join the contents of neighbouring cells.
    pub fn finish(&self, buf: &mut Buffer) {
        let ground = self.ground.map(ramp::colour);
        for cell in &mut buf.content {
            if let Some(ground) = ground {
                if cell.bg == Color::Reset {
                    cell.bg = ground;
                }
                if cell.fg == Color::Reset {
                    cell.fg = self.text.fg.unwrap_or(Color::Reset);
                }
            }
            if !is_clean(cell.symbol()) {
                let visible = clean(cell.symbol());
                cell.set_symbol(if visible.is_empty() { " " } else { &visible });
            }
            if self.ascii
                && let Some(letter) = ascii::one_column(cell.symbol())
            {
                cell.set_char(letter);
            }
        }
    }

    /// Replaces characters that may not be drawn.
    pub fn words(&self, text: &str) -> String {
        ascii::drawable(text, self.ascii)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_drawing_has_no_invisible_character_and_every_cell_in_its_place() {
        let area = ratatui::layout::Rect::new(0, 0, 30, 1);
        let mut buf = Buffer::empty(area);
        let text = "m\u{200d}odel क्\u{200d}ष a\u{fe0f} \u{3164}|👩\u{200d}👩|";
        buf.set_string(0, 0, text, Style::new());
        let bar = |buf: &Buffer| buf.content.iter().rposition(|cell| cell.symbol() == "|");
        let before = bar(&buf);
        Theme::mono().finish(&mut buf);
        let drawn: String = buf.content.iter().map(|cell| cell.symbol()).collect();
        assert!(drawn.contains("model क्ष"), "{drawn}");
        assert!(drawn.contains("👩\u{200d}👩"), "{drawn}");
        assert!(!drawn.contains(['\u{fe0f}', '\u{3164}']), "{drawn}");
        assert_eq!(bar(&buf), before);
    }

    #[test]
    fn every_name_has_its_theme() {
        assert!(
            Theme::NAMES
                .iter()
                .all(|name| Theme::by_name(name).is_some())
        );
        assert!(Theme::by_name("sepia").is_none());
    }

    #[test]
    fn a_theme_without_colour_uses_none() {
        let theme = Theme::mono();
        let ramps = [&theme.positive, &theme.negative, &theme.share];
        let strengths = ramps
            .iter()
            .flat_map(|r| [0.0, 0.5, 1.0].map(|s| r.style(s)));
        let roles = [
            theme.text,
            theme.bad,
            theme.cursor,
            theme.operand,
            theme.open,
        ];
        for style in strengths.chain(roles).chain(theme.series) {
            assert!(matches!(style.fg, None | Some(Color::Reset)) && style.bg.is_none());
        }
    }
}
