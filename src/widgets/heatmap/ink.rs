//! One number of a map: its colour, and what is written into its cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::Scale;
use super::layout::Layout;
use crate::autograd::Nature;
use crate::typeset::number::short;
use crate::widgets::big;
use crate::widgets::lines::{put, width};
use crate::widgets::theme::Theme;

/// How numbers of one kind become colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    /// What kind.
    pub nature: Nature,
    /// Where the colours begin and end.
    pub scale: Scale,
}

/// What one cell says.
pub(super) struct Drawn {
    pub value: f32,
    pub blocked: bool,
    /// Whether it is pointed out.
    pub bold: bool,
}

impl Ink {
    /// The style of a number, or of a blocked one.
    pub fn style(&self, x: f32, blocked: bool, theme: &Theme) -> Style {
        let diverging = matches!(self.scale, Scale::AroundZero(_));
        let strength = self.scale.strength(x);
        match self.nature {
            _ if x.is_nan() => theme.bad,
            _ if blocked => theme.blocked,
            Nature::Mask => theme.open,
            Nature::Ids => theme.series[x.abs() as usize % theme.series.len()],
            _ if diverging && x < 0.0 => theme.negative.style(strength),
            _ if diverging => theme.positive.style(strength),
            _ => theme.share.style(strength),
        }
    }

    /// Fills one cell and writes what it says; returns its style.
    pub(super) fn cell(
        &self,
        layout: &Layout,
        cell: Drawn,
        (x, y): (usize, usize),
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) -> Style {
        let Drawn { value, blocked, .. } = cell;
        let strength = self.scale.strength(value);
        let mut style = self.style(value, blocked, theme);
        if style.bg.is_some() {
            for line in 0..layout.high {
                put(buf, area, x, y + line, &" ".repeat(layout.wide), style);
            }
        }
        if cell.bold {
            style = style.add_modifier(Modifier::BOLD);
        }
        let (from, room) = layout.number_at();
        if let Some(form) = layout
            .form
            .filter(|_| layout.large && value.is_finite() && !blocked)
        {
            let text = form.text(value);
            let x = x + (layout.wide - big::width(&text).min(layout.wide)) / 2;
            big::draw(&text, (x, y + 1), style, area, buf, theme);
            return style;
        }
        let y = y + (layout.high - 1) / 2;
        let fills = theme.share.fills();
        let text = match (&layout.form, self.nature) {
            _ if blocked => theme.glyphs().blocked.to_owned(),
            (_, Nature::Mask) if fills => String::new(),
            (_, Nature::Mask) => {
                theme.glyphs().shades[5].repeat(layout.wide.saturating_sub(1).clamp(1, 2))
            }
            (Some(form), _) => form.text(value),
            (None, _) if !value.is_finite() => short(value, room),
            (None, _) if fills => String::new(),
            (None, _) => self.shades(value, strength, layout.wide, theme),
        };
        let text = theme.words(&text);
        let text = if width(&text) > room {
            short(value, room)
        } else {
            text
        };
        let inner = match layout.form {
            Some(_) => from + room - width(&text),
            None if fills => (layout.wide - width(&text).min(layout.wide)).div_ceil(2),
            None => 0,
        };
        put(buf, area, x + inner, y, &text, style);
        if !fills && layout.form.is_some() && !blocked && self.nature != Nature::Ids && from > 0 {
            let shade = theme.glyphs().shades[level(strength)];
            put(buf, area, x + from - 1, y, shade, style);
        }
        style
    }

    /// A cell without colour and number: how strong it is, and whether it is below 0.
    fn shades(&self, value: f32, strength: f32, wide: usize, theme: &Theme) -> String {
        let glyphs = theme.glyphs();
        if self.nature == Nature::Ids {
            return short(value, wide);
        }
        let shade = glyphs.shades[level(strength)];
        let first = if value < 0.0 && level(strength) > 0 {
            glyphs.minus
        } else {
            shade
        };
        // A column stays free between two cells that are wide enough for it.
        let after = wide.saturating_sub(1 + usize::from(wide > 2));
        format!("{first}{}", shade.repeat(after))
    }
}

/// Which of the six shades a strength gets.
pub fn level(strength: f32) -> usize {
    if strength <= 0.02 {
        0
    } else {
        1 + ((strength * 5.0) as usize).min(4)
    }
}
