//! Layout of a heat map in its area.

use ratatui::layout::Rect;

use super::form::Form;
use super::{Heat, Range};
use crate::autograd::Nature;
use crate::widgets::big;
use crate::widgets::lines::width;
use crate::widgets::theme::Theme;

/// Maps with at most this many numbers draw them in large digits.
const FEW: usize = 3;
/// Maximum number of lines for staggered column words.
pub const STAGGERED: usize = 3;
/// Maximum number of lines for staggered column words where no row of cells is lost to them.
const COMB: usize = 14;

/// Style of the column labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// No labels, for lack of room.
    None,
    /// Words staggered over this many lines.
    Lines(usize),
    /// Only the words that fit whole, in this many lines, including the cursor's.
    Some(usize),
    /// A number above every n-th column.
    Every(usize),
}

impl Labels {
    /// Number of lines that the labels take.
    pub fn lines(self) -> usize {
        match self {
            Self::None => 0,
            Self::Lines(n) | Self::Some(n) => n,
            Self::Every(_) => 1,
        }
    }

    /// Whether every column has its word, or is labelled by number.
    pub fn are_whole(self) -> bool {
        matches!(self, Self::Lines(_) | Self::Every(_))
    }
}

/// Arrangement of a heat map's rows and columns on the screen.
pub struct Layout {
    /// Format of the numbers in the cells; `None` where they do not fit.
    pub form: Option<Form>,
    /// Width of a cell, in columns.
    pub wide: usize,
    /// Height of a cell, in lines.
    pub high: usize,
    /// Width of the row words with a blank after them.
    pub gutter: usize,
    /// Number of lines above the first cell.
    pub head: usize,
    /// Style of the column labels.
    pub labels: Labels,
    /// Number of lines of cells shown.
    pub lines: usize,
    /// Number of columns of cells shown.
    pub slots: usize,
    /// First row shown.
    pub first_row: usize,
    /// First column shown.
    pub first_column: usize,
    /// Width of the row sums; 0 where they are not shown.
    pub sums: usize,
    /// Whether column sums are shown.
    pub column_sums: bool,
    /// Whether a vector continues over several lines.
    pub folded: bool,
    /// Whether the numbers are written in large digits.
    pub large: bool,
    /// Whether a line of the screen holds two rows, one in each half.
    pub halves: bool,
}

impl Layout {
    /// Arranges a slice in an area.
    pub fn new(heat: &Heat, area: Rect, range: &Range, theme: &Theme) -> Self {
        let (rows, columns) = heat.size();
        let (across, down) = (usize::from(area.width), usize::from(area.height));
        // One line for the axes and one for the column words, if that leaves room for cells.
        let head = down.saturating_sub(1).min(2);
        let room_down = (down - head).max(1);
        let mut gutter = gutter(heat, across, room_down);
        let mut available = across - gutter;
        let sums = match heat.nature {
            Nature::Probability if (2..=4096).contains(&columns) => 6,
            _ => 0,
        };
        let words = heat.columns.words(0).is_some();
        let longest = (0..columns.min(512)).map(|c| width(&heat.columns.label(c)));
        let longest = longest.max().unwrap_or(1);
        let wish = WidthRequest {
            rows,
            columns,
            sums,
            label: if words { longest } else { 0 },
            folds: rows == 1,
            lines: room_down,
        };
        let (form, wide, sums) = cells(heat, range, available, wish, theme);
        let wide = wide.min(available).max(1);
        let folded = rows == 1 && columns * wide > available && down > head + 1;
        // A few numbers with words are listed vertically, each beside its word.
        let turned = folded && words && columns < down && longest + 1 + wide <= across;
        if turned {
            gutter = longest + 1;
            available = across - gutter;
        } else if folded && across >= 10 {
            gutter = columns.to_string().len() + 1;
            available = across - gutter;
        }
        let layout = Self {
            form,
            wide,
            high: 1,
            gutter,
            head,
            labels: Labels::None,
            lines: rows.min(room_down),
            slots: if turned {
                1
            } else {
                (available / wide).clamp(1, columns)
            },
            first_row: window(heat.place().0, rows, room_down),
            first_column: 0,
            sums,
            column_sums: false,
            folded,
            large: false,
            halves: false,
        };
        if folded {
            layout.fold(heat, down)
        } else {
            layout.fill(
                heat,
                Extent {
                    across: available,
                    down,
                },
                range,
                theme,
            )
        }
    }

    /// Continues a vector over several lines.
    fn fold(mut self, heat: &Heat, down: usize) -> Self {
        let (column, columns) = (heat.place().1, heat.size().1);
        let all = columns.div_ceil(self.slots);
        self.head = self.head.min(1);
        self.sums = 0;
        self.lines = all.min(down - self.head);
        self.first_row = window(column / self.slots, all, self.lines);
        self
    }

    /// Gives the room that is left to the column words, the sums and larger cells.
    fn fill(mut self, heat: &Heat, available: Extent, range: &Range, theme: &Theme) -> Self {
        let (rows, columns) = heat.size();
        let (row, column) = heat.place();
        self.first_column = window(column, columns, self.slots);
        if self.slots < columns {
            self.sums = 0;
        }
        let halves = theme.share.fills() && !theme.ascii;
        if self.head >= 2 {
            let free = available.across - self.slots * self.wide;
            // Where lines hold two rows, the column words get the lines that saves.
            self.halves =
                halves && self.form.is_none() && self.wide <= 2 && rows + 2 > available.down;
            let needed = if self.halves { rows.div_ceil(2) } else { rows };
            let spare = available.down.saturating_sub(1 + needed);
            self.labels = labels(heat, &self, free, spare);
            self.head = 1 + self.labels.lines();
        }
        let below = (available.down - self.head.min(available.down)).max(1);
        self.sums_and_height(heat, below, theme);
        self.enlarge((rows, columns), range, (available.across, below), theme);
        self.lines = rows.min(below / self.high).max(1);
        self.halves = self.form.is_none() && halves && rows > below && self.wide <= 2;
        if self.halves {
            self.lines = rows.div_ceil(2).min(below);
        }
        self.first_row = window(row, rows, self.rows(1) * self.lines);
        self
    }

    /// Gives spare rows to the column sums first, then to higher cells.
    fn sums_and_height(&mut self, heat: &Heat, room_down: usize, theme: &Theme) {
        let rows = heat.size().0;
        let spare = room_down.saturating_sub(rows);
        self.column_sums =
            self.sums > 0 && spare > 0 && self.form.is_some() && (2..=4096).contains(&rows);
        let below = usize::from(self.column_sums);
        let most = match self.wide {
            0..=3 => 1,
            4..=6 => 2,
            _ => 3,
        };
        if theme.share.fills() && rows > 1 {
            let fits = |high: &usize| rows * high + below <= room_down;
            self.high = (1..=most).rev().find(fits).unwrap_or(1);
        }
    }

    /// Switches to large digits if there are at most three numbers and room for them.
    fn enlarge(
        &mut self,
        (rows, columns): (usize, usize),
        range: &Range,
        (available, room_down): (usize, usize),
        theme: &Theme,
    ) {
        let Some(form) = self.form.filter(|_| rows * columns <= FEW) else {
            return;
        };
        let longest = [range.least, range.most].map(|x| big::width(&form.text(x)));
        let (wide, high) = (longest[0].max(longest[1]) + 4, big::height(theme) + 2);
        if wide * columns + self.sums <= available
            && high * rows + usize::from(self.column_sums) <= room_down
        {
            (self.wide, self.high, self.large) = (wide, high, true);
        }
    }

    /// Number of the tensor's rows that this many lines of cells hold.
    pub fn rows(&self, lines: usize) -> usize {
        if self.halves { 2 * lines } else { lines }
    }

    /// Number of lines of the whole drawing.
    pub fn height(&self) -> usize {
        self.head + self.lines * self.high + usize::from(self.column_sums)
    }

    /// Row and column drawn at a line and slot, in a slice of this size; `None` past the end.
    pub fn cell(
        &self,
        (rows, columns): (usize, usize),
        line: usize,
        slot: usize,
    ) -> Option<(usize, usize)> {
        let (row, column) = if self.folded {
            (0, (self.first_row + line) * self.slots + slot)
        } else {
            (self.first_row + self.rows(line), self.first_column + slot)
        };
        (row < rows && column < columns).then_some((row, column))
    }

    /// Offset of the number in its cell, and its width.
    pub fn number_at(&self) -> (usize, usize) {
        let digits = self
            .form
            .map_or(self.wide, |form| form.digits)
            .min(self.wide);
        ((self.wide - digits).div_ceil(2), digits)
    }
}

/// Room for the cells and their labels.
struct Extent {
    /// Columns beside the row words.
    across: usize,
    /// Lines of the whole drawing.
    down: usize,
}

/// Width of the row words with a blank after them; 0 without room for both words and cells.
fn gutter(heat: &Heat, across: usize, room_down: usize) -> usize {
    let (rows, row) = (heat.size().0, heat.place().0);
    let labelled = rows > 1 || heat.rows.words(0).is_some();
    if !labelled || across < 6 {
        return 0;
    }
    // Twice the rows, because a line may end up holding two.
    let first_row = window(row, rows, room_down);
    let first = window(row, rows, 2 * room_down).min(first_row);
    let visible = first..(first_row + 2 * room_down).min(rows);
    let longest = visible.map(|r| width(&heat.rows.label(r))).max();
    longest.unwrap_or(1).min(16).min(across / 3) + 1
}

/// Input for the choice of cell width.
struct WidthRequest {
    rows: usize,
    columns: usize,
    /// Width of the row sums, if there is room.
    sums: usize,
    /// Width of the longest column word.
    label: usize,
    /// Whether a row may continue on the next line.
    folds: bool,
    lines: usize,
}

/// Format of the numbers, width of a cell and width of the row sums: the most precise format that fits, with cells as
/// wide as their words where there is room.
fn cells(
    heat: &Heat,
    range: &Range,
    available: usize,
    wish: WidthRequest,
    theme: &Theme,
) -> (Option<Form>, usize, usize) {
    let fits = |wide: usize, sums: usize| {
        wish.columns * wide + sums <= available
            || (wish.folds && wish.columns.div_ceil((available / wide).max(1)) <= wish.lines)
    };
    if heat.nature != Nature::Mask {
        let forms = Form::choices(heat.nature, range, heat.scale(range));
        // Row sums are worth more than the last digit.
        for sums in [wish.sums, 0] {
            for form in &forms {
                // Leave a blank or a mark on both sides of the number; in the tightest layout neighbours share it.
                for pad in [2, 1] {
                    let wide = (form.digits + pad).max(3);
                    if !fits(wide, sums) {
                        continue;
                    }
                    let widest = (form.digits + 4).max(wish.label + 2).min(16);
                    let shared = (available - sums.min(available)) / wish.columns;
                    return (Some(*form), wide.max(shared.min(widest)), sums);
                }
            }
        }
        // Two digits and a blank are easier to read than digits without a gap.
        if heat.nature == Nature::Probability
            && theme.share.fills()
            && wish.rows <= wish.lines
            && range.least >= 0.0
            && range.most <= 1.0 + f32::EPSILON
            && !range.whole
            && fits(3, 0)
        {
            return (Some(Form::hundredths(range)), 3, 0);
        }
        if heat.nature == Nature::Ids {
            return (Some(forms[0]), forms[0].digits + 1, 0);
        }
    }
    // Without numbers a cell is two columns of colour, or one if that makes all columns visible.
    let least = if theme.share.fills() && wish.columns <= available && 2 * wish.columns > available
    {
        1
    } else {
        2
    };
    let most = if heat.nature == Nature::Mask {
        (wish.label + 2).clamp(5, 12)
    } else {
        4
    };
    // Sums of numbers that are not shown are worth less than wider cells with whole words above them, as long as nearly
    // all rows still have their own lines: the words take some.
    let wider = wish.rows <= wish.lines;
    let ways = [(wish.sums, 3), (0, 3), (wish.sums, 2), (0, 2)];
    for (sums, least) in ways.into_iter().skip(if wider { 0 } else { 2 }) {
        if wish.columns * least + sums <= available {
            let shared = (available - sums) / wish.columns;
            return (None, shared.clamp(least, most.max(least)), sums);
        }
    }
    (None, least, 0)
}

/// Chooses the column labels: words above their columns, staggered over as many lines as they need.
/// Numbers are written above every second, fifth, … column.
fn labels(heat: &Heat, layout: &Layout, free: usize, spare: usize) -> Labels {
    let columns = heat.size().1;
    let words = heat.columns.words(0).is_some();
    let inset = layout.number_at().0.min(1);
    let fits = |lines: usize| {
        (0..layout.slots).all(|slot| {
            let long = width(&heat.columns.label(layout.first_column + slot));
            let available = match slot + lines {
                // The last words may extend beyond the last column, as far as there is room.
                next if next >= layout.slots => {
                    ((layout.slots - slot) * layout.wide + free).saturating_sub(inset)
                }
                _ if words => lines * layout.wide - 1,
                _ => lines * layout.wide,
            };
            long <= available
        })
    };
    if !words {
        let last = columns.saturating_sub(1).to_string().len();
        let far = |n: &usize| *n * layout.wide > last;
        let every = [1, 2, 5, 10, 20, 50].into_iter().find(far);
        return match every.unwrap_or(100) {
            1 => Labels::Lines(1),
            n => Labels::Every(n),
        };
    }
    if let Some(lines) = (1..=COMB.min(spare.max(1))).find(|lines| fits(*lines)) {
        return Labels::Lines(lines);
    }
    // Whole words are worth making some rows scroll, but not where two rows share a line to be all in sight.
    let available = if layout.halves {
        spare
    } else {
        spare.max(layout.lines / 2)
    };
    if let Some(lines) = (1..=(STAGGERED + 1).min(available)).find(|lines| fits(*lines)) {
        return Labels::Lines(lines);
    }
    Labels::Some((STAGGERED + 1).min(available.max(1)))
}

/// First of `shown` out of `all` positions, with `at` in the middle as far as the ends allow.
pub fn window(at: usize, all: usize, shown: usize) -> usize {
    at.saturating_sub(shown / 2).min(all.saturating_sub(shown))
}

#[cfg(test)]
mod tests {
    use super::window;

    #[test]
    fn the_window_keeps_the_cursor_and_stops_at_the_ends() {
        assert_eq!(window(0, 100, 10), 0);
        assert_eq!(window(50, 100, 10), 45);
        assert_eq!(window(99, 100, 10), 90);
        assert_eq!(window(3, 5, 10), 0);
    }
}
