//! Named roles of colour, and the glyphs that say the same without it.

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
    /// Cells that went into the one asked about.
    pub operand: Style,
    /// Numbers above 0, from weak to strong.
    pub positive: Ramp,
    /// Numbers below 0.
    pub negative: Ramp,
    /// Shares of a whole, and lengths.
    pub share: Ramp,
    /// A mask's 1: may be seen.
    pub open: Style,
    /// A mask's 0, and the scores that it blocks.
    pub blocked: Style,
    /// Token ids by turns, and the lines of a chart.
    pub series: [Style; 6],
    /// Whether only ASCII may be drawn.
    pub ascii: bool,
    /// Whether charts may use braille dots, which many fonts and screen readers lack.
    pub braille: bool,
}

/// Styles from weak to strong.
#[derive(Clone, Debug)]
pub enum Ramp {
    /// One style for each strength, over the terminal's own background.
    Steps(&'static [(Color, Modifier)]),
    /// Backgrounds blended between these, with a foreground that stands out from them.
    Blend(&'static [Rgb]),
}

/// Red, green, blue.
pub type Rgb = (u8, u8, u8);

/// The marks of a drawing, in Unicode or ASCII.
#[derive(Debug)]
pub struct Glyphs {
    /// From nothing to full.
    pub shades: [&'static str; 6],
    /// A blocked cell.
    pub blocked: &'static str,
    /// A number below 0.
    pub minus: &'static str,
    /// The cell under the cursor.
    pub here: &'static str,
    /// A cell that went into the one asked about.
    pub operand: &'static str,
    /// Less, more: around the knob that turning turns.
    pub turn: (&'static str, &'static str),
    /// A lamp.
    pub lamp: &'static str,
    /// Something was left out.
    pub more: &'static str,
    /// Made from.
    pub from: &'static str,
    /// Leads on to.
    pub next: &'static str,
    /// Downwards.
    pub down: &'static str,
    /// Multiplied by.
    pub times: &'static str,
    /// A sum.
    pub sum: &'static str,
    /// A difference.
    pub delta: &'static str,
    /// A bar, by eighths of a column.
    pub eighths: &'static [&'static str],
    /// The axes of a chart: upright, level, corner.
    pub axes: [&'static str; 3],
}

const UNICODE: Glyphs = Glyphs {
    shades: [" ", "·", "░", "▒", "▓", "█"],
    blocked: "×",
    minus: "−",
    here: "◂",
    operand: "•",
    turn: ("◂", "▸"),
    lamp: "●",
    more: "…",
    from: "←",
    next: "→",
    down: "↓",
    times: "×",
    sum: "Σ",
    delta: "Δ",
    eighths: &["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    axes: ["│", "─", "└"],
};

const ASCII: Glyphs = Glyphs {
    shades: [" ", ".", ":", "=", "#", "@"],
    blocked: "x",
    minus: "-",
    here: "<",
    operand: "*",
    turn: ("<", ">"),
    lamp: "*",
    more: "..",
    from: "<-",
    next: "->",
    down: "v",
    times: "*",
    sum: "S",
    delta: "diff",
    eighths: &["#"],
    axes: ["|", "-", "+"],
};

const BOLD: Modifier = Modifier::BOLD;
const NONE: Modifier = Modifier::empty();

impl Theme {
    /// The names that [`Theme::by_name`] knows.
    pub const NAMES: [&'static str; 5] = ["ansi", "dark", "light", "colour-blind", "mono"];

    /// The theme of that name.
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

    /// The 16 ANSI names over the terminal's own background.
    pub fn ansi() -> Self {
        let plain = Style::new();
        Self {
            text: plain,
            dim: plain.fg(Color::DarkGray),
            title: plain.add_modifier(BOLD),
            cursor: plain.add_modifier(Modifier::REVERSED | BOLD),
            good: plain.fg(Color::Green),
            bad: plain.fg(Color::Red),
            note: plain.fg(Color::Yellow),
            operand: plain.fg(Color::Black).bg(Color::Yellow),
            positive: Ramp::Steps(&[
                (Color::Red, NONE),
                (Color::Red, NONE),
                (Color::Red, NONE),
                (Color::LightRed, NONE),
                (Color::LightRed, BOLD),
            ]),
            negative: Ramp::Steps(&[
                (Color::Cyan, NONE),
                (Color::Cyan, NONE),
                (Color::Cyan, NONE),
                (Color::Cyan, NONE),
                (Color::Cyan, BOLD),
            ]),
            share: Ramp::Steps(&[
                (Color::Green, NONE),
                (Color::Green, NONE),
                (Color::Green, NONE),
                (Color::Green, NONE),
                (Color::Green, BOLD),
            ]),
            open: plain.fg(Color::Green),
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
            braille: false,
        }
    }

    /// True colour on a dark background.
    pub fn true_dark() -> Self {
        let fg = |r, g, b| Style::new().fg(Color::Rgb(r, g, b));
        Self {
            text: fg(222, 222, 226),
            dim: fg(134, 138, 150),
            title: fg(255, 255, 255).add_modifier(BOLD),
            cursor: fg(16, 16, 20)
                .bg(Color::Rgb(255, 226, 110))
                .add_modifier(BOLD),
            good: fg(126, 211, 135),
            bad: fg(255, 122, 110),
            note: fg(240, 198, 116),
            operand: fg(16, 16, 20).bg(Color::Rgb(206, 160, 255)),
            positive: Ramp::Blend(&[(30, 31, 38), (92, 42, 44), (168, 62, 52), (242, 118, 84)]),
            negative: Ramp::Blend(&[(30, 31, 38), (32, 56, 104), (46, 96, 176), (110, 168, 250)]),
            share: Ramp::Blend(&[
                (30, 31, 38),
                (34, 66, 92),
                (34, 120, 122),
                (88, 184, 110),
                (246, 228, 92),
            ]),
            open: fg(120, 200, 140),
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
            braille: false,
        }
    }

    /// True colour on a light background.
    pub fn true_light() -> Self {
        let fg = |r, g, b| Style::new().fg(Color::Rgb(r, g, b));
        Self {
            text: fg(36, 38, 44),
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
            open: fg(70, 150, 94),
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
            braille: false,
        }
    }

    /// True colour in blue and orange on a dark background, told apart with any kind of colour sight.
    pub fn colour_blind() -> Self {
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
            open: fg(86, 180, 233),
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

    /// No colour at all: glyphs and modifiers say everything.
    pub fn mono() -> Self {
        let plain = Style::new();
        let ramp = || {
            Ramp::Steps(&[
                (Color::Reset, NONE),
                (Color::Reset, NONE),
                (Color::Reset, NONE),
                (Color::Reset, NONE),
                (Color::Reset, BOLD),
            ])
        };
        Self {
            text: plain,
            dim: plain,
            title: plain.add_modifier(BOLD),
            cursor: plain.add_modifier(Modifier::REVERSED | BOLD),
            good: plain,
            bad: plain.add_modifier(BOLD),
            note: plain.add_modifier(Modifier::UNDERLINED),
            operand: plain.add_modifier(Modifier::UNDERLINED | BOLD),
            positive: ramp(),
            negative: ramp(),
            share: ramp(),
            open: plain,
            blocked: plain,
            series: [plain; 6],
            ascii: false,
            braille: false,
        }
    }

    /// The same theme in ASCII.
    #[must_use]
    pub fn in_ascii(mut self) -> Self {
        self.ascii = true;
        self
    }

    /// The marks to draw with.
    pub fn glyphs(&self) -> &'static Glyphs {
        if self.ascii { &ASCII } else { &UNICODE }
    }

    /// Whether lines of a chart differ by colour.
    pub fn is_coloured(&self) -> bool {
        self.series[0] != self.series[1]
    }

    /// Words of our own (never a lesson's) in the glyphs that may be drawn.
    pub fn words(&self, text: &str) -> String {
        if !self.ascii {
            return text.to_owned();
        }
        let plain = |c: char| match c {
            '−' | '–' => "-".to_owned(),
            '…' => "..".to_owned(),
            '×' => "*".to_owned(),
            '←' => "<-".to_owned(),
            '→' => "->".to_owned(),
            '·' | '•' => "-".to_owned(),
            '∞' => "inf".to_owned(),
            '√' => "sqrt ".to_owned(),
            'Σ' => "sum".to_owned(),
            c => c.to_string(),
        };
        text.chars().map(plain).collect()
    }
}

impl Ramp {
    /// The style of `strength`, from 0 (nothing) to 1.
    pub fn style(&self, strength: f32) -> Style {
        let strength = if strength.is_finite() {
            strength.clamp(0.0, 1.0)
        } else {
            0.0
        };
        match self {
            Self::Steps(steps) => {
                let step = (strength * steps.len() as f32) as usize;
                let (colour, modifier) = steps[step.min(steps.len() - 1)];
                Style::new().fg(colour).add_modifier(modifier)
            }
            Self::Blend(stops) => {
                let ground = blend(stops, strength);
                let ink = if luminance(ground) > 0.45 {
                    (14, 14, 18)
                } else {
                    (244, 244, 246)
                };
                Style::new().fg(colour(ink)).bg(colour(ground))
            }
        }
    }

    /// The style of a glyph that repeats what the colour says: quieter than a number would be.
    pub fn quiet(&self, strength: f32) -> Style {
        let style = self.style(strength);
        match (style.fg, style.bg) {
            (Some(Color::Rgb(r, g, b)), Some(Color::Rgb(x, y, z))) => {
                style.fg(colour(blend(&[(x, y, z), (r, g, b)], 0.38)))
            }
            _ => style,
        }
    }

    /// The strongest colour as a foreground, for bars and lines.
    pub fn ink(&self) -> Style {
        match self {
            Self::Steps(_) => self.style(1.0),
            Self::Blend(stops) => Style::new().fg(colour(blend(stops, 0.85))),
        }
    }
}

fn colour((r, g, b): Rgb) -> Color {
    Color::Rgb(r, g, b)
}

fn blend(stops: &[Rgb], share: f32) -> Rgb {
    let place = share * (stops.len() - 1) as f32;
    let first = (place as usize).min(stops.len().saturating_sub(2));
    let part = place - first as f32;
    let (a, b) = (stops[first], stops[(first + 1).min(stops.len() - 1)]);
    let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part).round() as u8;
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// From 0 (black) to 1 (white), as the eye weighs the three colours (Rec. 709).
fn luminance((r, g, b): Rgb) -> f32 {
    (0.2126 * f32::from(r) + 0.7152 * f32::from(g) + 0.0722 * f32::from(b)) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn ink_stands_out_from_its_ground_at_every_strength() {
        for theme in [
            Theme::true_dark(),
            Theme::true_light(),
            Theme::colour_blind(),
        ] {
            for ramp in [&theme.positive, &theme.negative, &theme.share] {
                for percent in 0..=100 {
                    let style = ramp.style(percent as f32 / 100.0);
                    let (Some(Color::Rgb(r, g, b)), Some(Color::Rgb(x, y, z))) =
                        (style.fg, style.bg)
                    else {
                        panic!("a blended ramp has both colours");
                    };
                    let apart = (luminance((r, g, b)) - luminance((x, y, z))).abs();
                    assert!(apart > 0.38, "{percent} %: {apart}");
                }
            }
        }
    }
}
