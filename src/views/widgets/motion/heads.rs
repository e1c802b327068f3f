//! Animation of the columns of a matrix splitting into heads, and joining again.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Canvas;
use super::strip::write;
use super::time::{between, eased};
use crate::autograd::Nature;
use crate::tensor::Tensor;
use crate::widgets::heatmap::{Ink, Range, Scale, Values};
use crate::widgets::lines::{clip, put, width};
use crate::widgets::theme::Theme;

/// Arrangement of all heads' columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// One matrix, `[tokens, heads · columns]`.
    Joined,
    /// The same with a gap after each head's columns: `[tokens, heads, columns]`.
    Parted,
    /// One matrix per head, stacked vertically: `[heads, tokens, columns]`.
    Stacked,
}

/// A change from one arrangement to another.
pub struct Heads {
    /// `[tokens, heads, columns]` in either arrangement.
    values: Tensor,
    ink: Ink,
    from: Arrangement,
    to: Arrangement,
    /// One word per token; empty if there are none.
    words: Vec<String>,
}

/// The part that fits on the screen.
#[derive(Clone, Copy, Debug)]
struct Visible {
    gutter: usize,
    tokens: usize,
    heads: usize,
    columns: usize,
    /// Width of a number on the screen.
    wide: usize,
}

/// Columns between two heads that are side by side.
const GAP: usize = 2;

impl Heads {
    /// Creates the animation; `values` is `[tokens, heads, columns]`.
    pub fn new(values: Tensor, from: Arrangement, to: Arrangement, words: Vec<String>) -> Self {
        let range = Range::of(&Values::of(&values));
        Self {
            ink: Ink {
                nature: Nature::Signed,
                scale: Scale::of(Nature::Signed, &range),
            },
            values,
            from,
            to,
            words,
        }
    }

    pub(super) fn caption(&self) -> String {
        let [heads, columns] = [self.values.shape()[1], self.values.shape()[2]];
        let all = heads * columns;
        match (self.from, self.to) {
            (Arrangement::Joined, _) => format!(
                "The {all} columns of each token part into {heads} heads of {columns} columns. No number changes."
            ),
            (_, Arrangement::Stacked) => format!(
                "Each of the {heads} heads becomes a matrix of its own, with {columns} columns for each token. No number changes."
            ),
            (Arrangement::Stacked, _) => format!(
                "The {heads} heads stand side by side again: each token has {heads} × {columns} columns. No number changes."
            ),
            (Arrangement::Parted, _) => format!(
                "The {heads} heads of {columns} columns join into {all} columns for each token. No number changes."
            ),
        }
    }

    fn visible(&self, area: Rect) -> Option<Visible> {
        let &[tokens, heads, columns] = self.values.shape() else {
            return None;
        };
        let longest = self.words.iter().map(|word| width(word)).max().unwrap_or(2);
        let gutter = longest.min(10) + 1;
        // The last line tells what has been left out.
        let (across, down) = (
            usize::from(area.width),
            usize::from(area.height).saturating_sub(1),
        );
        // One title line per head, with two tokens below it.
        let heads = heads
            .min(down / 3)
            .min(across.checked_sub(gutter)? / (3 + GAP));
        if heads == 0 {
            return None;
        }
        let tokens = tokens.min(down / heads - 1);
        let available = across - gutter - (heads - 1) * GAP;
        let wide = if available / heads >= 2 * columns.min(4) {
            2
        } else {
            1
        };
        let columns = columns.min(available / heads / wide);
        (columns > 0 && tokens > 0).then_some(Visible {
            gutter,
            tokens,
            heads,
            columns,
            wide,
        })
    }

    pub(super) fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        let area = canvas.full_area();
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                buf[(x, y)].reset();
            }
        }
        let Some(shown) = self.visible(area) else {
            return;
        };
        let t = eased(progress, 0.2, 0.8);
        for token in 0..shown.tokens {
            for head in 0..shown.heads {
                self.token(shown, (token, head), t, area, buf, canvas.theme);
            }
        }
        self.left_out(shown, area, buf, canvas.theme);
        for head in 0..shown.heads {
            self.title(shown, head, progress, area, buf, canvas.theme);
        }
    }

    /// Draws one token's columns of one head, with the token's word at the left edge.
    fn token(
        &self,
        shown: Visible,
        (token, head): (usize, usize),
        t: f32,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let (from, to) = [self.from, self.to]
            .map(|how| how.token_position(shown, head, token))
            .into();
        let (x, y) = (between(from.0, to.0, t), between(from.1, to.1, t));
        for column in 0..shown.columns {
            let value = self.values.at(&[token, head, column]);
            let style = self.ink.style(value, false, theme);
            let text = if theme.positive.fills() {
                " ".repeat(shown.wide)
            } else {
                let level = (self.ink.scale.strength(value) * 5.0).round() as usize;
                theme.glyphs().shades[level.min(5)].repeat(shown.wide)
            };
            let place = Rect {
                x: area.x + x as u16 + (column * shown.wide) as u16,
                y: area.y + y as u16,
                width: shown.wide as u16,
                height: 1,
            };
            write(&text, place, style, area, buf);
        }
        let word = self
            .words
            .get(token)
            .cloned()
            .unwrap_or_else(|| token.to_string());
        let leads = x == shown.gutter as i32;
        if leads {
            let word = clip(&word, shown.gutter - 1, theme.glyphs().more);
            put(buf, area, 0, y as usize, &word, theme.text);
        }
    }

    /// Writes `shown: 7 of 8 heads, 2 of 8 tokens, 6 of 32 columns of each` in the last line, unless everything is shown.
    fn left_out(&self, shown: Visible, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let &[tokens, heads, columns] = self.values.shape() else {
            return;
        };
        let parts = [
            (shown.heads, heads, "heads"),
            (shown.tokens, tokens, "tokens"),
            (shown.columns, columns, "columns of each"),
        ];
        let less = parts.iter().filter(|(some, all, _)| some < all);
        let less = less.map(|(some, all, what)| format!("{some} of {all} {what}"));
        let less: Vec<String> = less.collect();
        if !less.is_empty() {
            let line = format!("shown: {}", less.join(", "));
            let line = clip(&line, area.width.into(), theme.glyphs().more);
            put(buf, area, 0, usize::from(area.height) - 1, &line, theme.dim);
        }
    }

    /// Writes `head 3` above the head's columns.
    fn title(
        &self,
        shown: Visible,
        head: usize,
        progress: f32,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let at = if progress < 0.5 { self.from } else { self.to };
        let still = !(0.2..0.8).contains(&progress);
        if at == Arrangement::Joined || !still {
            return;
        }
        let (x, y) = at.token_position(shown, head, 0);
        let available = shown.columns * shown.wide + GAP - 1;
        let names = [format!("head {head}"), format!("h{head}")];
        if let Some(name) = names.iter().find(|name| width(name) <= available) {
            put(buf, area, x as usize, y as usize - 1, name, theme.note);
        }
    }
}

impl Arrangement {
    /// Position of the first column of a head's token.
    fn token_position(self, shown: Visible, head: usize, token: usize) -> (i32, i32) {
        let columns = shown.columns * shown.wide;
        let (x, y) = match self {
            Self::Joined => (head * columns, token + 1),
            Self::Parted => (head * (columns + GAP), token + 1),
            Self::Stacked => (0, head * (shown.tokens + 1) + token + 1),
        };
        ((shown.gutter + x) as i32, y as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_heads_have_room_side_by_side_and_one_below_another() {
        let values = Tensor::from_fn(&[9, 8, 32], |i| i[1] as f32 - i[0] as f32);
        let heads = Heads::new(
            values,
            Arrangement::Parted,
            Arrangement::Stacked,
            Vec::new(),
        );
        for (wide, high) in [(66, 30), (38, 18), (56, 14), (120, 50)] {
            let area = Rect::new(0, 0, wide, high);
            let shown = heads.visible(area).unwrap();
            let (head, token) = (shown.heads - 1, shown.tokens - 1);
            for how in [
                Arrangement::Joined,
                Arrangement::Parted,
                Arrangement::Stacked,
            ] {
                let (x, y) = how.token_position(shown, head, token);
                let right = x as usize + shown.columns * shown.wide;
                assert!(
                    right <= wide.into() && (y as u16) < high,
                    "{how:?} {wide}×{high}: {shown:?}"
                );
            }
        }
    }
}
