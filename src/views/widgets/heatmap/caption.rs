//! The caption of a heat map: the range of its values, and what its colours mean.

use ratatui::layout::Rect;

use super::form::factor;
use super::ink::level;
use super::{Heat, Range, Scale};
use crate::autograd::Nature;
use crate::typeset::number::alike;
use crate::widgets::lines::{Chunk, Line, fit};
use crate::widgets::theme::{Ramp, Theme};

/// Priority of the colour legend among the parts of the caption.
const COLOURS: u8 = 5;

impl Heat<'_> {
    /// The caption, such as `range −2.1 … 3.4  colour −3.4 ▇▇▇ 0 ▇▇▇ 3.4`, with the number of blocked cells. Where cells
    /// contain their numbers, these say more than the range and the colours.
    ///
    /// Takes two lines where one has no room for both the numbers and the colours.
    pub fn caption(&self, available: usize, theme: &Theme) -> Vec<Line> {
        let range = self.range();
        let mut chunks = Vec::new();
        let room = Rect::new(0, 0, available.min(1000) as u16, 100);
        let numbers = self.has_numbers(room, theme);
        let dot = theme.glyphs().shades[1];
        if numbers && self.is_faint(range.least, &range) {
            let words = format!("{dot} is less than .05");
            chunks.push(Chunk::new(3, words, theme.dim));
        }
        if range.least <= range.most && !numbers {
            let more = theme.glyphs().more;
            let text = if range.least == range.most {
                format!("all {}", number(range.least, theme))
            } else {
                let ends = alike(&[range.least, range.most]);
                theme.words(&format!("{} {more} {}", ends[0], ends[1]))
            };
            chunks.push(Chunk::new(9, "range ", theme.dim).and(text, theme.text));
        }
        if let Some(factor) = factor(self.nature, &range) {
            // The unit outranks everything else: without it the cells' numbers would be taken literally.
            let text = format!("unit {}", number(1.0 / factor, theme));
            chunks.push(Chunk::new(10, text, theme.note));
        }
        if range.strange > 0 {
            chunks.push(Chunk::new(
                8,
                format!("{} not finite", range.strange),
                theme.bad,
            ));
        }
        let coloured = !matches!(self.nature, Nature::Mask | Nature::Ids);
        if coloured && range.least < range.most && !numbers {
            chunks.extend(legend(self.scale(&range), theme));
        }
        if self.nature == Nature::Ids {
            chunks.push(Chunk::new(1, "equal ids have equal colours", theme.dim));
        }
        chunks.extend(self.blocked(&range, theme));
        let wide: usize = chunks
            .iter()
            .filter(|c| c.keep >= COLOURS)
            .map(|c| c.width() + 2)
            .sum();
        if wide <= available + 2 {
            return vec![fit(chunks, available)];
        }
        let (numbers, rest): (Vec<Chunk>, Vec<Chunk>) =
            chunks.into_iter().partition(|chunk| chunk.keep > COLOURS);
        vec![fit(numbers, available), fit(rest, available)]
    }

    /// Whether the first line of a two-line caption gives only the range. The line can then go, because the second
    /// shows the same ends or has a fixed scale.
    pub fn says_plain_range(&self) -> bool {
        let range = self.range();
        factor(self.nature, &range).is_none() && range.strange == 0
    }

    fn blocked(&self, range: &Range, theme: &Theme) -> Option<Chunk> {
        let values = &self.values.values;
        if values.len() > 1 << 20 {
            return None;
        }
        let blocked = match self.nature {
            Nature::Mask => values.data().iter().filter(|&&x| x == 0.0).count(),
            _ => range.blocked,
        };
        let mark = theme.glyphs().blocked;
        let text = format!("{mark} blocked {blocked} of {}", values.len());
        (blocked > 0).then(|| Chunk::new(2, text, theme.dim))
    }
}

/// The kind of scale, in words where there is room, and the colours from end to end.
fn legend(scale: Scale, theme: &Theme) -> Vec<Chunk> {
    let dim = theme.dim;
    let (mut colours, says) = match scale {
        Scale::Share => (Chunk::new(COLOURS, "colour 0 ", dim), "fixed scale"),
        Scale::AroundZero(bound) => {
            let from = format!("colour {} ", number(-bound, theme));
            (Chunk::new(COLOURS, from, dim), "around 0")
        }
        Scale::Between(least, _) => {
            let from = format!("colour {} ", number(least, theme));
            (Chunk::new(COLOURS, from, dim), "smallest to largest")
        }
    };
    let end = match scale {
        Scale::AroundZero(bound) => {
            colours = ramp(colours, &theme.negative, true, theme).and(" 0 ", dim);
            colours = ramp(colours, &theme.positive, false, theme);
            number(bound, theme)
        }
        Scale::Share => {
            colours = ramp(colours, &theme.share, false, theme);
            "1".to_owned()
        }
        Scale::Between(_, most) => {
            colours = ramp(colours, &theme.share, false, theme);
            number(most, theme)
        }
    };
    vec![
        colours.and(format!(" {end}"), dim),
        Chunk::new(1, says, dim),
    ]
}

/// Adds every step of a ramp, from weak to strong, or from strong to weak if `falling`.
fn ramp(mut chunk: Chunk, ramp: &Ramp, falling: bool, theme: &Theme) -> Chunk {
    let glyphs = theme.glyphs();
    let mut steps = ramp.steps();
    if falling {
        steps.reverse();
    }
    for strength in steps {
        let shade = glyphs.shades[level(strength)];
        let text = match (ramp.fills(), falling) {
            (true, _) => " ".to_owned(),
            (false, true) => format!("{}{shade}", glyphs.minus),
            (false, false) => shade.to_owned(),
        };
        chunk = chunk.and(text, ramp.style(strength));
    }
    chunk
}

fn number(x: f32, theme: &Theme) -> String {
    theme.words(&alike(&[x])[0])
}
