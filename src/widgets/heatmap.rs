//! Heat maps: a matrix, or the last two axes of a larger tensor, with magnitude drawn twice, by
//! colour and by glyph.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::lines::{Chunk, clip, put, width};
use super::theme::Theme;
use crate::autograd::Nature;
use crate::tensor::Tensor;
use crate::typeset::number::{ascii, fixed, short};

mod layout;
mod range;

use layout::{Cells, Layout};
pub use range::Range;

/// The numbers of a tensor, or of its difference to another, and which of them are blocked.
#[derive(Clone)]
pub struct Values {
    values: Tensor,
    minus: Option<Tensor>,
    /// A tensor of the same shape whose cells tell which are blocked, and what they then hold.
    blocked: Option<(Tensor, f32)>,
}

impl Values {
    /// The numbers of `values`; scores near −1e9 count as blocked.
    pub fn of(values: &Tensor) -> Self {
        Self {
            values: values.clone(),
            minus: None,
            blocked: Some((values.clone(), f32::NEG_INFINITY)),
        }
    }

    /// Their difference to `other`, of the same shape.
    #[must_use]
    pub fn minus(mut self, other: &Tensor) -> Self {
        self.minus = Some(other.clone());
        self
    }

    /// Cells are blocked where `scores`, of the same shape, holds `fill` or something near −1e9.
    #[must_use]
    pub fn blocked_by(mut self, scores: &Tensor, fill: f32) -> Self {
        self.blocked = Some((scores.clone(), fill));
        self
    }

    /// No cell is blocked, whatever it holds.
    #[must_use]
    pub fn all_open(mut self) -> Self {
        self.blocked = None;
        self
    }

    /// The number at a row-major position.
    pub fn at(&self, at: usize) -> f32 {
        let x = self.values.data()[at];
        self.minus.as_ref().map_or(x, |minus| x - minus.data()[at])
    }

    /// Whether the cell at a row-major position is blocked.
    pub fn is_blocked(&self, at: usize) -> bool {
        let scores = self.blocked.as_ref();
        scores.is_some_and(|(scores, fill)| is_blocked(scores.data()[at], *fill))
    }

    /// The shape.
    pub fn shape(&self) -> &[usize] {
        self.values.shape()
    }

    /// Whether these are the very same numbers in memory.
    fn is(&self, other: &Self) -> bool {
        let same =
            |a: &Tensor, b: &Tensor| a.data().as_ptr() == b.data().as_ptr() && a.len() == b.len();
        let both = |a: Option<&Tensor>, b: Option<&Tensor>| match (a, b) {
            (Some(a), Some(b)) => same(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let fill = |v: &Self| v.blocked.as_ref().map(|(_, fill)| fill.to_bits());
        let scores = |v: &Self| v.blocked.as_ref().map(|(scores, _)| scores.clone());
        same(&self.values, &other.values)
            && both(self.minus.as_ref(), other.minus.as_ref())
            && fill(self) == fill(other)
            && both(scores(self).as_ref(), scores(other).as_ref())
    }
}

/// What an axis is called and the words on it.
#[derive(Clone, Default)]
pub struct Axis<'a> {
    /// Its letter or name.
    pub name: String,
    /// The word at a position, where there is one.
    pub word: Option<&'a dyn Fn(usize) -> Option<&'a str>>,
}

impl Axis<'_> {
    /// The word at a position, or the position.
    pub fn label(&self, position: usize) -> String {
        self.words(position)
            .map_or_else(|| position.to_string(), ToOwned::to_owned)
    }

    /// The word at a position.
    pub fn words(&self, position: usize) -> Option<&str> {
        self.word
            .and_then(|word| word(position))
            .filter(|w| !w.is_empty())
    }
}

/// What the letter of an axis stands for.
pub fn meaning(axis: &str) -> &str {
    match axis {
        "b" => "batch",
        "h" => "head",
        "t" => "target",
        "s" => "source",
        "d" => "model",
        "k" => "key",
        "v" => "vocabulary",
        "p" => "position",
        "f" => "feed-forward",
        other => other,
    }
}

/// Everything that a heat map draws.
pub struct Heat<'a> {
    /// The numbers.
    pub values: Values,
    /// Decides ramp and glyphs.
    pub nature: Nature,
    /// Of the second-last axis.
    pub rows: Axis<'a>,
    /// Of the last axis.
    pub columns: Axis<'a>,
    /// The cell looked at, in the whole tensor.
    pub cursor: &'a [usize],
    /// Cells of the whole tensor to point out.
    pub operands: Vec<Vec<usize>>,
}

impl<'a> Heat<'a> {
    /// The rows and columns of the slice.
    pub fn size(&self) -> (usize, usize) {
        match *self.values.shape() {
            [] => (1, 1),
            [n] => (1, n),
            [.., rows, columns] => (rows, columns),
        }
    }

    /// The cursor's indices before the last two.
    pub fn leading(&self) -> &[usize] {
        &self.cursor[..self
            .values
            .shape()
            .len()
            .saturating_sub(2)
            .min(self.cursor.len())]
    }

    /// The row-major position of the slice's first cell.
    fn base(&self) -> usize {
        let shape = self.values.shape();
        let (rows, columns) = self.size();
        let leading = self.leading().iter().zip(shape);
        leading.fold(0, |at, (i, n)| at * n + i) * rows * columns
    }

    /// The cursor's row and column in the slice.
    pub fn place(&self) -> (usize, usize) {
        match *self.cursor {
            [] => (0, 0),
            [column] => (0, column),
            [.., row, column] => (row, column),
        }
    }

    /// The number of a cell of the slice, and whether it is blocked.
    pub fn cell(&self, row: usize, column: usize) -> (f32, bool) {
        let at = self.base() + row * self.size().1 + column;
        let blocked = match self.nature {
            Nature::Mask => self.values.at(at) == 0.0,
            Nature::Ids => false,
            _ => self.values.is_blocked(at),
        };
        (self.values.at(at), blocked)
    }

    /// The range of the whole tensor.
    pub fn range(&self) -> Range {
        Range::of(&self.values)
    }

    /// How strongly a number is drawn, from 0 to 1: its share of the range to the power 0.65, because
    /// most numbers of a bell curve lie far below its largest one and would all look alike.
    fn strength(&self, x: f32, range: &Range) -> f32 {
        let bound = range.bound();
        if bound > 0.0 {
            (x.abs() / bound).min(1.0).powf(0.65)
        } else {
            0.0
        }
    }

    /// Draws column words, row words, cells and, for probabilities, sums; keeps the cursor visible.
    ///
    /// Cells carry numbers where all columns then fit, and are two to four columns of shade where not.
    pub fn draw(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        if self.values.shape().contains(&0) {
            put(buf, area, 0, 0, "no cells", theme.dim);
            return;
        }
        let range = self.range();
        let layout = Layout::new(self, area, &range, theme);
        self.draw_labels(&layout, area, buf, theme);
        let place = self.place();
        for line in 0..layout.lines {
            for slot in 0..layout.slots {
                let Some((row, column)) = layout.cell(self, line, slot) else {
                    continue;
                };
                let x = layout.gutter + slot * layout.wide;
                let y = layout.head + line;
                let mark = if (row, column) == place {
                    Mark::Here
                } else if self.is_operand(row, column) {
                    Mark::Operand
                } else {
                    Mark::None
                };
                self.draw_cell(
                    &layout,
                    (row, column),
                    mark,
                    &range,
                    |text, at, style| {
                        put(buf, area, x + at, y, text, style);
                    },
                    theme,
                );
            }
        }
        self.draw_sums(&layout, area, buf, theme);
    }

    fn is_operand(&self, row: usize, column: usize) -> bool {
        let leading = self.leading();
        self.operands.iter().any(|index| match &index[..] {
            [] => true,
            [only] => *only == column,
            [front @ .., r, c] => (*r, *c) == (row, column) && front == leading,
        })
    }

    /// Writes one cell through `write(text, column, style)`.
    fn draw_cell(
        &self,
        layout: &Layout,
        (row, column): (usize, usize),
        mark: Mark,
        range: &Range,
        mut write: impl FnMut(&str, usize, Style),
        theme: &Theme,
    ) {
        let glyphs = theme.glyphs();
        let (x, blocked) = self.cell(row, column);
        let strength = self.strength(x, range);
        let shade = glyphs.shades[level(strength)];
        let (quiet, loud) = self.styles(x, blocked, strength, theme);
        let (quiet, loud) = match mark {
            Mark::Here => (theme.cursor, theme.cursor),
            Mark::Operand => (theme.operand, theme.operand),
            Mark::None => (quiet, loud),
        };
        let body = layout.wide - layout.gap;
        let text = match (&layout.cells, self.nature) {
            _ if x.is_nan() => short(x, body),
            (_, Nature::Mask) if blocked => glyphs.blocked.to_owned(),
            (_, Nature::Mask) => glyphs.shades[5].repeat(body.min(2)),
            _ if blocked => glyphs.blocked.to_owned(),
            (
                Cells::Numbers {
                    digits,
                    decimals,
                    bare,
                    scale,
                },
                _,
            ) => {
                let mut number = fixed(x * scale, *decimals);
                if *bare && let Some(at) = number.find("0.").filter(|&at| at == 0 || at == 3) {
                    number.remove(at);
                }
                if self.nature != Nature::Ids {
                    write(shade, 0, quiet);
                }
                let filled = if mark == Mark::None && quiet.bg.is_some() {
                    layout.wide
                } else {
                    body
                };
                write(&" ".repeat(filled - layout.shade), layout.shade, loud);
                let from = body - (*digits).min(width(&number)).min(body);
                let number = if theme.ascii { ascii(&number) } else { number };
                write(&number, from, loud);
                if mark == Mark::Operand && !theme.is_coloured() {
                    write(glyphs.operand, 0, loud);
                }
                return;
            }
            (Cells::Shades, Nature::Ids) => short(x, body),
            (Cells::Shades, _) => {
                let second = if x < 0.0 && level(strength) > 0 {
                    glyphs.minus
                } else {
                    shade
                };
                format!("{second}{shade}")
            }
        };
        let text = clip(&text, body, "");
        let numbers = matches!(layout.cells, Cells::Numbers { .. });
        let from = if numbers { body - width(&text) } else { 0 };
        // A ground fills the gap too, so that neighbours meet.
        let filled = if mark == Mark::None && quiet.bg.is_some() {
            layout.wide
        } else {
            body
        };
        let pad = " ".repeat(from);
        write(&format!("{:<filled$}", pad + &text), 0, quiet);
        if mark == Mark::Here && !numbers {
            write(glyphs.here, body - 1, loud);
        } else if mark == Mark::Operand && !numbers {
            write(glyphs.operand, body - 1, loud);
        }
    }

    /// The style of a cell's glyph, and of its number.
    fn styles(&self, x: f32, blocked: bool, strength: f32, theme: &Theme) -> (Style, Style) {
        if x.is_nan() {
            return (theme.bad, theme.bad);
        }
        let ramp = match self.nature {
            _ if blocked => return (theme.blocked, theme.blocked),
            Nature::Mask => return (theme.open, theme.open),
            Nature::Ids => {
                let style = theme.series[x.abs() as usize % theme.series.len()];
                return (style, style);
            }
            Nature::Probability => &theme.share,
            Nature::Signed if x < 0.0 => &theme.negative,
            Nature::Signed => &theme.positive,
        };
        (ramp.quiet(strength), ramp.style(strength))
    }

    fn draw_labels(&self, layout: &Layout, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let glyphs = theme.glyphs();
        let (row, column) = self.place();
        let mut x = 0;
        let axis = |name: &str| {
            let meaning = meaning(name);
            if meaning == name {
                name.to_owned()
            } else {
                format!("{name} {meaning}")
            }
        };
        let (rows, columns) = self.size();
        let part = |first: usize, shown: usize, all: usize| {
            if shown < all {
                let dash = if theme.ascii { "-" } else { "–" };
                format!(" {first}{dash}{} of {all}", first + shown - 1)
            } else {
                String::new()
            }
        };
        if layout.head > 0 {
            let mut chunks = Vec::new();
            if rows > 1 {
                let text = format!(
                    "{} {}{}",
                    glyphs.down,
                    axis(&self.rows.name),
                    part(layout.first_row, layout.lines, rows)
                );
                chunks.push(Chunk::new(2, text, theme.dim));
            }
            let shown = if layout.folded { columns } else { layout.slots };
            let text = format!(
                "{} {}{}",
                glyphs.next,
                axis(&self.columns.name),
                part(layout.first_column, shown, columns)
            );
            chunks.push(Chunk::new(3, text, theme.dim));
            for (text, style) in super::lines::fit(chunks, area.width.into()) {
                x = put(buf, area, x, 0, &text, style);
            }
        }
        let chosen = theme
            .title
            .add_modifier(ratatui::style::Modifier::UNDERLINED);
        for line in 0..layout.lines {
            let (label, here) = if layout.folded {
                let first = line * layout.slots;
                (
                    first.to_string(),
                    (first..first + layout.slots).contains(&column),
                )
            } else {
                (
                    self.rows.label(layout.first_row + line),
                    layout.first_row + line == row,
                )
            };
            if layout.gutter > 1 {
                let label = clip(&label, layout.gutter - 1, glyphs.more);
                let from = layout.gutter - 1 - width(&label);
                put(
                    buf,
                    area,
                    from,
                    layout.head + line,
                    &label,
                    if here { chosen } else { theme.dim },
                );
            }
        }
        if layout.words == 0 || layout.folded {
            return;
        }
        let body = layout.wide - layout.gap;
        for slot in 0..layout.slots {
            let at = layout.first_column + slot;
            let here = at == column;
            let style = if here { chosen } else { theme.dim };
            let x = layout.gutter + slot * layout.wide;
            if layout.words > 1 {
                let letters: Vec<char> =
                    self.columns.label(at).chars().take(layout.words).collect();
                let top = 1 + layout.words - letters.len();
                for (i, letter) in letters.iter().enumerate() {
                    put(buf, area, x, top + i, &letter.to_string(), style);
                }
            } else if here || at.is_multiple_of(layout.every) {
                // The cursor's own label pushes its neighbours away.
                let cursor_slot = column.saturating_sub(layout.first_column);
                if !here && layout.every > 1 && slot.abs_diff(cursor_slot) < layout.every {
                    continue;
                }
                let label = self.columns.label(at);
                let room = layout.wide * layout.every;
                let label = clip(
                    &label,
                    room.saturating_sub(1).max(layout.wide.min(2)),
                    glyphs.more,
                );
                let numbers = matches!(layout.cells, Cells::Numbers { .. });
                let from = if numbers {
                    body.saturating_sub(width(&label))
                } else {
                    0
                };
                put(buf, area, x + from, 1, &label, style);
            }
        }
    }

    fn draw_sums(&self, layout: &Layout, area: Rect, buf: &mut Buffer, theme: &Theme) {
        if layout.sums == 0 {
            return;
        }
        let (rows, columns) = self.size();
        let x = layout.gutter + layout.slots * layout.wide + 1;
        put(
            buf,
            area,
            x,
            layout.head.saturating_sub(1),
            theme.glyphs().sum,
            theme.dim,
        );
        for line in 0..layout.lines {
            let row = layout.first_row + line;
            let sum: f32 = (0..columns).map(|column| self.cell(row, column).0).sum();
            put(
                buf,
                area,
                x,
                layout.head + line,
                &short_sum(sum),
                theme.text,
            );
        }
        if !layout.column_sums {
            return;
        }
        let y = layout.head + layout.lines;
        let body = layout.wide - layout.gap;
        if layout.gutter > 1 {
            let sum = theme.glyphs().sum;
            put(buf, area, layout.gutter - 1 - width(sum), y, sum, theme.dim);
        }
        for slot in 0..layout.slots {
            let column = layout.first_column + slot;
            let sum: f32 = (0..rows).map(|row| self.cell(row, column).0).sum();
            let text = short(sum, body.min(4));
            let from = body - width(&text);
            put(
                buf,
                area,
                layout.gutter + slot * layout.wide + from,
                y,
                &text,
                theme.dim,
            );
        }
    }

    /// `range −2.1 … 3.4`, how many cells are blocked, and what the glyphs mean.
    pub fn caption(&self, room: usize, theme: &Theme) -> super::lines::Line {
        let range = self.range();
        let glyphs = theme.glyphs();
        let mut chunks = Vec::new();
        let number = |x| theme.words(&short(x, 8));
        if range.least <= range.most {
            let text = format!(
                "{} {} {}",
                number(range.least),
                glyphs.more,
                number(range.most)
            );
            chunks.push(Chunk::new(9, "range ", theme.dim).and(text, theme.text));
        }
        if let Some(scale) = layout::scale(self, &range) {
            // Before all others: without their unit the cells' numbers would be read as they stand.
            let text = format!("unit {}", number(1.0 / scale));
            chunks.push(Chunk::new(10, text, theme.note));
        }
        if range.strange > 0 {
            chunks.push(Chunk::new(
                8,
                format!("{} not finite", range.strange),
                theme.bad,
            ));
        }
        if self.nature != Nature::Mask && self.nature != Nature::Ids && range.bound() > 0.0 {
            let mut legend = Chunk {
                spans: Vec::new(),
                keep: 3,
            };
            if self.nature == Nature::Signed && range.least < 0.0 {
                for level in (1..6).rev() {
                    let style = theme.negative.quiet(level as f32 / 5.0);
                    legend = legend.and(format!("{}{}", glyphs.minus, glyphs.shades[level]), style);
                }
                legend = legend.and(" 0 ", theme.dim);
            }
            let ramp = if self.nature == Nature::Signed {
                &theme.positive
            } else {
                &theme.share
            };
            for level in 1..6 {
                legend = legend.and(
                    glyphs.shades[level].repeat(2),
                    ramp.quiet(level as f32 / 5.0),
                );
            }
            chunks.push(legend);
        }
        let blocked = if self.nature == Nature::Mask {
            self.values
                .values
                .data()
                .iter()
                .take(1 << 20)
                .filter(|&&x| x == 0.0)
                .count()
        } else {
            range.blocked
        };
        if blocked > 0 && self.values.values.len() <= 1 << 20 {
            let text = format!(
                "{} blocked {blocked} of {}",
                glyphs.blocked,
                self.values.values.len()
            );
            chunks.push(Chunk::new(2, text, theme.dim));
        }
        super::lines::fit(chunks, room)
    }

    /// The words of the cursor's row and column: `row "dog" → column "Hund"`; empty without words.
    pub fn words_at_cursor(&self, theme: &Theme) -> String {
        let (row, column) = self.place();
        let row = self.rows.words(row).map(|w| format!("row \"{w}\""));
        let column = self
            .columns
            .words(column)
            .map(|w| format!("column \"{w}\""));
        let arrow = format!(" {} ", theme.glyphs().next);
        row.into_iter()
            .chain(column)
            .collect::<Vec<_>>()
            .join(&arrow)
    }

    /// The number under the cursor, and whether it is blocked. `None` in an empty tensor.
    pub fn value_at_cursor(&self) -> Option<(f32, bool)> {
        if self.values.shape().contains(&0) {
            return None;
        }
        let (row, column) = self.place();
        Some(self.cell(row, column))
    }

    /// The cell drawn at a place of `area`, for the mouse: its index in the whole tensor.
    pub fn index_at(&self, area: Rect, x: u16, y: u16, theme: &Theme) -> Option<Vec<usize>> {
        if area.is_empty() || self.values.shape().contains(&0) {
            return None;
        }
        let layout = Layout::new(self, area, &self.range(), theme);
        let x = usize::from(x.checked_sub(area.x)?).checked_sub(layout.gutter)?;
        let line = usize::from(y.checked_sub(area.y)?).checked_sub(layout.head)?;
        let slot = x / layout.wide;
        if line >= layout.lines || slot >= layout.slots {
            return None;
        }
        let (row, column) = layout.cell(self, line, slot)?;
        Some(match self.values.shape().len() {
            0 => Vec::new(),
            1 => vec![column],
            _ => [self.leading(), &[row, column]].concat(),
        })
    }
}

/// Whether a score is what masks write into blocked cells: their fill, −1e9 give or take a score, −∞.
fn is_blocked(score: f32, fill: f32) -> bool {
    score == fill || score <= -1e8
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Here,
    Operand,
}

/// Which of the six shades a share of the range gets.
fn level(strength: f32) -> usize {
    if strength <= 0.02 {
        0
    } else {
        1 + ((strength * 5.0) as usize).min(4)
    }
}

/// A sum with two decimals: 1.00 proves which axis the softmax went along.
fn short_sum(sum: f32) -> String {
    if sum.abs() < 99.5 {
        fixed(sum, 2)
    } else {
        short(sum, 5)
    }
}
