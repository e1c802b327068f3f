//! Colour ramps from weak to strong, evenly spaced in lightness.

use ratatui::style::{Color, Style};

mod palette;

/// Styles from weak to strong.
#[derive(Clone, Debug)]
pub enum Ramp {
    /// No colour: glyphs show how strong a value is.
    Glyphs,
    /// Backgrounds of the 16 ANSI colours, each with a readable ink.
    Grounds(&'static [(Color, Color)]),
    /// Backgrounds interpolated between these colours, whose lightness rises or falls throughout.
    Blend(&'static [Rgb]),
    /// Backgrounds from the 256-colour palette, by number.
    Palette(Vec<u8>),
}

/// Red, green, blue.
pub type Rgb = (u8, u8, u8);

impl Ramp {
    /// Whether the ramp fills the background of a cell, so that no glyph need repeat it.
    pub fn fills(&self) -> bool {
        !matches!(self, Self::Glyphs)
    }

    /// Strengths shown in the ramp's legend, from weak to strong: one per step.
    pub fn steps(&self) -> Vec<f32> {
        let middle = |n: usize| (0..n).map(|i| (i as f32 + 0.5) / n as f32).collect();
        match self {
            Self::Glyphs => middle(5),
            Self::Grounds(steps) => middle(steps.len()),
            Self::Blend(_) => (0..8).map(|i| i as f32 / 7.0).collect(),
            Self::Palette(steps) => middle(steps.len()),
        }
    }

    /// The ramp in the 256-colour palette.
    #[must_use]
    pub fn in_256(&self) -> Self {
        match self {
            Self::Blend(stops) => Self::Palette(palette::ramp(stops)),
            other => other.clone(),
        }
    }

    /// Style of a `strength` from 0 (nothing) to 1: a background, and an ink readable on it.
    pub fn style(&self, strength: f32) -> Style {
        let strength = if strength.is_finite() {
            strength.clamp(0.0, 1.0)
        } else {
            0.0
        };
        match self {
            Self::Glyphs => Style::new(),
            Self::Grounds(steps) => {
                let step = (strength * steps.len() as f32) as usize;
                let (ground, ink) = steps[step.min(steps.len() - 1)];
                Style::new().fg(ink).bg(ground)
            }
            Self::Blend(stops) => {
                let ground = blend(stops, strength);
                Style::new().fg(ink_on(ground)).bg(colour(ground))
            }
            Self::Palette(steps) => {
                let step = (strength * steps.len() as f32) as usize;
                let ground = steps[step.min(steps.len() - 1)];
                let ink = ink_on(palette::rgb(ground));
                Style::new().fg(ink).bg(Color::Indexed(ground))
            }
        }
    }

    /// A strong colour of the ramp as a foreground, for bars and lines.
    pub fn ink(&self) -> Style {
        match self {
            Self::Glyphs => Style::new(),
            Self::Grounds(steps) => Style::new().fg(steps[steps.len() - 2].0),
            Self::Blend(stops) => Style::new().fg(colour(blend(stops, 0.8))),
            Self::Palette(steps) => Style::new().fg(Color::Indexed(steps[steps.len() * 4 / 5])),
        }
    }
}

/// A readable ink for a background.
fn ink_on(ground: Rgb) -> Color {
    colour(if luminance(ground) > 0.45 {
        (14, 14, 18)
    } else {
        (244, 244, 246)
    })
}

/// An RGB colour of the terminal.
pub fn colour((r, g, b): Rgb) -> Color {
    Color::Rgb(r, g, b)
}

/// The colour at `share` of the way from the first to the last stop, by lightness, so that equal steps of `share` look
/// equally far apart.
fn blend(stops: &[Rgb], share: f32) -> Rgb {
    let stops: Vec<[f32; 3]> = stops.iter().map(|&stop| oklab(stop)).collect();
    let (first, last) = (stops[0][0], stops[stops.len() - 1][0]);
    rgb(at_lightness(&stops, first + (last - first) * share))
}

/// The colour with this lightness, the first coordinate, on the path through the stops.
fn at_lightness(stops: &[[f32; 3]], light: f32) -> [f32; 3] {
    let last = stops.len() - 1;
    let rises = stops[last][0] > stops[0][0];
    let within = |i: &usize| (stops[i + 1][0] >= light) == rises;
    let first = (0..last).find(within).unwrap_or(last - 1);
    let (a, b) = (stops[first], stops[first + 1]);
    let part = ((light - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0);
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * part)
}

/// Converts sRGB to linear light, from 0 to 1.
fn linear((r, g, b): Rgb) -> [f32; 3] {
    [r, g, b].map(|c| {
        let c = f32::from(c) / 255.0;
        if c <= 0.040_45 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    })
}

/// Converts to Björn Ottosson's OKLab: lightness from 0 to 1, green to red, blue to yellow.
fn oklab(colour: Rgb) -> [f32; 3] {
    let [r, g, b] = linear(colour);
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

fn rgb([light, a, b]: [f32; 3]) -> Rgb {
    let l = (light + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (light - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (light - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let byte = |c: f32| {
        let c = c.clamp(0.0, 1.0);
        let c = if c <= 0.003_130_8 {
            12.92 * c
        } else {
            1.055 * c.powf(1.0 / 2.4) - 0.055
        };
        (c * 255.0).round() as u8
    };
    (
        byte(4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s),
        byte(-1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s),
        byte(-0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s),
    )
}

/// Luminance from 0 (black) to 1 (white), with the weights of the three colours from Rec. 709.
pub fn luminance((r, g, b): Rgb) -> f32 {
    (0.2126 * f32::from(r) + 0.7152 * f32::from(g) + 0.0722 * f32::from(b)) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::theme::Theme;

    fn ramps() -> impl Iterator<Item = (&'static str, &'static [Rgb])> {
        ["dark", "light", "colour-blind"]
            .into_iter()
            .flat_map(|name| {
                let theme = Theme::by_name(name).unwrap();
                [theme.positive, theme.negative, theme.share].map(|ramp| match ramp {
                    Ramp::Blend(stops) => (name, stops),
                    other => panic!("{name}: {other:?}"),
                })
            })
    }

    #[test]
    fn equal_steps_of_strength_are_equal_steps_of_lightness() {
        for (name, stops) in ramps() {
            let light = |percent: usize| oklab(blend(stops, percent as f32 / 100.0))[0];
            let whole = light(100) - light(0);
            assert!(whole.abs() > 0.4, "{name}: only {whole}");
            for percent in (0..100).step_by(10) {
                let step = (light(percent + 10) - light(percent)) / whole;
                assert!((step - 0.1).abs() < 0.02, "{name} {percent} %: {step}");
            }
        }
    }

    #[test]
    fn the_strongest_is_furthest_from_the_ground_that_is_painted() {
        for (name, stops) in ramps() {
            let ground = Theme::by_name(name).unwrap().ground.unwrap();
            let far = |percent: usize| {
                let light = oklab(blend(stops, percent as f32 / 100.0))[0];
                (light - oklab(ground)[0]).abs()
            };
            assert!((0..100).all(|p| far(p) <= far(p + 1) + 0.005), "{name}");
        }
    }

    #[test]
    fn a_colour_comes_back_from_its_lightness_and_hue() {
        for colour in [(0, 0, 0), (255, 255, 255), (30, 84, 172), (246, 228, 92)] {
            assert_eq!(rgb(oklab(colour)), colour);
        }
    }

    #[test]
    fn ink_stands_out_from_its_ground_at_every_strength() {
        for (name, stops) in ramps() {
            for percent in 0..=100 {
                let style = Ramp::Blend(stops).style(percent as f32 / 100.0);
                let (Some(Color::Rgb(r, g, b)), Some(Color::Rgb(x, y, z))) = (style.fg, style.bg)
                else {
                    panic!("a blended ramp has both colours");
                };
                let apart = (luminance((r, g, b)) - luminance((x, y, z))).abs();
                assert!(apart > 0.38, "{name} {percent} %: {apart}");
            }
        }
    }
}
