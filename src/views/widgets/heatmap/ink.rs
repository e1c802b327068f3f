//! Colour and text of a single cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::Scale;
use super::layout::Layout;
use crate::autograd::Nature;
use crate::typeset::number::short;
use crate::widgets::lines::{put, width};
use crate::widgets::theme::Theme;

/// Mapping from values of one kind to colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    /// Kind of values.
    pub nature: Nature,
    /// Ends of the colour scale.
    pub scale: Scale,
}

/// Content of one cell.
pub(super) struct CellContent {
    pub value: f32,
    pub blocked: bool,
    /// Whether the cell is highlighted.
    pub bold: bool,
    /// Whether a dot stands for its number: a weight too small to matter.
    pub faint: bool,
}

impl Ink {
    /// Style of a value, or of a blocked cell.
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

    /// Fills one cell, writes its text, and returns its style.
    pub(super) fn cell(
        &self,
        layout: &Layout,
        cell: CellContent,
        (x, y): (usize, usize),
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) -> Style {
        let CellContent { value, blocked, .. } = cell;
        let strength = self.scale.strength(value);
        let mut style = self.style(value, blocked, theme);
        if let Some(ground) = style.bg {
            layout.fill_cell((x, y), ground, area, buf);
        }
        if cell.bold {
            style = style.add_modifier(Modifier::BOLD);
        }
        let (from, available) = layout.number_at();
        let y = y + layout.middle();
        let fills = theme.share.fills();
        let text = match (&layout.form, self.nature) {
            _ if blocked => theme.glyphs().blocked.to_owned(),
            (_, Nature::Mask) if fills => String::new(),
            (_, Nature::Mask) => {
                theme.glyphs().shades[5].repeat(layout.wide.saturating_sub(1).clamp(1, 2))
            }
            (Some(_), _) if cell.faint => {
                style = style.patch(theme.dim);
                theme.glyphs().shades[1].to_owned()
            }
            (Some(form), _) => form.text(value),
            (None, _) if !value.is_finite() => short(value, available),
            (None, _) if fills => String::new(),
            (None, _) => self.shades(value, strength, layout.wide, theme),
        };
        let text = theme.words(&text);
        let text = if width(&text) > available {
            short(value, available)
        } else {
            text
        };
        let inner = match layout.form {
            Some(_) if cell.faint => layout.wide / 2,
            Some(_) => from + available - width(&text),
            None if fills => (layout.wide - width(&text).min(layout.wide)).div_ceil(2),
            None => 0,
        };
        put(buf, area, x + inner, y, &text, style);
        // Without colour, a glyph before the number shows how strong it is, if that is worth seeing.
        if !fills && layout.form.is_some() && !blocked && self.nature != Nature::Ids && from > 0 {
            let shade = match strength {
                0.2.. => theme.glyphs().shades[level(strength)],
                _ => " ",
            };
            put(buf, area, x + from - 1, y, shade, style);
        }
        style
    }

    /// Text of a cell with neither colour nor number: a glyph for its strength, and a sign if it is negative.
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
        // Cells that are wide enough leave a blank column between them.
        let after = wide.saturating_sub(1 + usize::from(wide > 2));
        format!("{first}{}", shade.repeat(after))
    }
}

/// Index of the shade for a strength, from 0 to 5.
pub fn level(strength: f32) -> usize {
    if strength <= 0.02 {
        0
    } else {
        1 + ((strength * 5.0) as usize).min(4)
    }
}
