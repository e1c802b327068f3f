//! Layout of a heat map in its area.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::form::Form;
use super::{Heat, Range};
use crate::autograd::Nature;
use crate::widgets::lines::width;
use crate::widgets::room::Room;
use crate::widgets::theme::Theme;

/// Widest cell: beyond it the numbers of a row are too far apart to be read together.
const WIDEST: usize = 14;
/// Longest name of a row that is written whole.
const LONGEST: usize = 22;
/// Most cells whose rows are added up.
const SUMMED: usize = 1 << 14;

/// Style of the column labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// No labels, for lack of room.
    None,
    /// Words in one line, cut to the width of their cells; the cursor's stays whole.
    Words,
    /// A number above every n-th column.
    Every(usize),
}

/// Arrangement of a heat map's rows and columns on the screen.
pub struct Layout {
    /// Format of the numbers in the cells; `None` where they do not fit.
    pub form: Option<Form>,
    /// Width of a cell, in columns.
    pub wide: usize,
    /// Height of a cell, in lines. Of two lines, the first is half of a line above the number and half of one below it,
    /// so that the number is in the middle; the map then has one line more than its cells.
    pub high: usize,
    /// Width of the row words with a blank after them.
    pub gutter: usize,
    /// Number of lines above the first cell.
    pub head: usize,
    /// Whether the first line names the axes.
    pub axes: bool,
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
    /// Width of the row sums; 0 where every row adds up to 1.
    pub sums: usize,
    /// Whether a vector continues over several lines.
    pub folded: bool,
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
        let sums = if heat.sums_differ() { 7 } else { 0 };
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
            axes: true,
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
            folded,
            halves: false,
        };
        if folded {
            layout.fold(heat, down)
        } else {
            layout.fill(heat, down, theme)
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

    /// Gives the room that is left to the column words and larger cells.
    fn fill(mut self, heat: &Heat, down: usize, theme: &Theme) -> Self {
        let (rows, columns) = heat.size();
        let (row, column) = heat.place();
        self.first_column = window(column, columns, self.slots);
        if self.slots < columns {
            self.sums = 0;
        }
        let fills = theme.share.fills();
        let halves = fills && !theme.ascii && self.form.is_none() && self.wide <= 2;
        if self.head >= 2 {
            self.labels = labels(heat, &self);
            // Axes whose words are all in sight explain themselves.
            let named = |axis: &super::Axis, count: usize| {
                count < 2 || axis.name.is_empty() || axis.words(0).is_some()
            };
            let lines = if halves { rows.div_ceil(2) } else { rows };
            let hidden = self.slots < columns || lines >= down;
            let hundredths = self.form.is_some_and(|form| form.is_in_hundredths());
            self.axes =
                hidden || hundredths || !named(&heat.rows, rows) || !named(&heat.columns, columns);
            self.head = 1 + usize::from(self.axes);
        }
        let below = (down - self.head.min(down)).max(1);
        let colours = self.form.is_none() && self.wide >= 2;
        if fills && !self.halves && (colours || self.wide > 3) {
            let fits = |high: &usize| {
                rows * high + usize::from(*high == 2) <= below
                    && (if colours { *high } else { 2 * high - 1 }) <= self.wide
            };
            self.high = [5, 3, 2].into_iter().find(fits).unwrap_or(1);
        }
        self.lines = rows.min(below / self.high).max(1);
        self.halves = halves && rows > below;
        if self.halves {
            self.lines = rows.div_ceil(2).min(below);
        }
        self.first_row = window(row, rows, self.rows(1) * self.lines);
        self
    }

    /// Number of the tensor's rows that this many lines of cells hold.
    pub fn rows(&self, lines: usize) -> usize {
        if self.halves { 2 * lines } else { lines }
    }

    /// Number of lines of the whole drawing.
    pub fn height(&self) -> usize {
        self.head + self.lines * self.high + usize::from(self.high == 2)
    }

    /// Number of columns of the whole drawing.
    pub fn width(&self) -> usize {
        self.gutter + self.slots * self.wide + self.sums
    }

    /// Line of a cell with its number.
    pub fn middle(&self) -> usize {
        self.high / 2
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

    /// Fills the cell whose first line and column are at (`x`, `y`).
    pub fn fill_cell(&self, (x, y): (usize, usize), ground: Color, area: Rect, buf: &mut Buffer) {
        let from = if self.high == 2 { y + 1 } else { y };
        let last = if self.high == 2 { y + 2 } else { y + self.high };
        for line in from..last {
            for column in x..x + self.wide {
                if let Some(cell) = cell_at(buf, area, column, line) {
                    cell.set_symbol(" ").set_style(Style::new().bg(ground));
                }
            }
        }
        if self.high == 2 {
            for column in x..x + self.wide {
                fill_half(cell_at(buf, area, column, y), false, ground);
                fill_half(cell_at(buf, area, column, y + 2), true, ground);
            }
        }
    }

    /// Empties the cell whose first line and column are at (`x`, `y`), and leaves what its neighbours have of its lines.
    pub fn empty_cell(&self, (x, y): (usize, usize), text: Style, area: Rect, buf: &mut Buffer) {
        if self.high == 2 {
            for column in x..x + self.wide {
                fill_half(cell_at(buf, area, column, y), false, Color::Reset);
                fill_half(cell_at(buf, area, column, y + 2), true, Color::Reset);
            }
        }
        let lines = if self.high == 2 {
            y + 1..y + 2
        } else {
            y..y + self.high
        };
        for line in lines {
            for column in x..x + self.wide {
                if let Some(cell) = cell_at(buf, area, column, line) {
                    cell.reset();
                    cell.set_style(text);
                }
            }
        }
    }
}

/// The buffer's cell at a column and line of the area.
fn cell_at(buf: &mut Buffer, area: Rect, x: usize, y: usize) -> Option<&mut ratatui::buffer::Cell> {
    let inside = x < usize::from(area.width) && y < usize::from(area.height);
    let place = (area.x + x as u16, area.y + y as u16);
    inside.then(|| buf.cell_mut(place)).flatten()
}

/// Fills the upper or lower half of a screen cell and keeps the other half.
fn fill_half(cell: Option<&mut ratatui::buffer::Cell>, upper: bool, ground: Color) {
    let Some(cell) = cell else { return };
    let (above, below) = match cell.symbol() {
        "▀" => (cell.fg, cell.bg),
        "▄" => (cell.bg, cell.fg),
        _ => (Color::Reset, Color::Reset),
    };
    let (above, below) = if upper {
        (ground, below)
    } else {
        (above, ground)
    };
    match (above, below) {
        (Color::Reset, Color::Reset) => cell.reset(),
        (Color::Reset, below) => {
            cell.reset();
            cell.set_symbol("▄").set_fg(below);
        }
        (above, below) => {
            cell.set_symbol("▀").set_fg(above).set_bg(below);
        }
    }
}

impl Heat<'_> {
    /// Room that the map asks for: columns and lines, with its labels.
    pub fn room(&self, theme: &Theme) -> Room {
        let (rows, columns) = self.size();
        let range = self.range();
        let forms = Form::choices(self.nature, &range, self.scale(&range), self.asked);
        let gutter = gutter(self, 240, rows.max(1));
        let label = (0..columns.min(64)).map(|c| width(&self.columns.label(c)));
        let label = label.max().unwrap_or(1);
        let (least, usual) = match self.nature {
            Nature::Mask => (2, (label + 2).clamp(5, 9)),
            _ => {
                let digits = |form: Option<&Form>| form.map_or(1, |form| form.digits);
                let least = digits(forms.last()) + 2;
                (least, (digits(forms.first()) + 2).max((label + 1).min(9)))
            }
        };
        let sums = if self.sums_differ() { 7 } else { 0 };
        let wide = |cell: usize| gutter + columns * cell + sums;
        if rows == 1 {
            let lines = |across: usize| 2 + (columns * usual).div_ceil(across);
            let across = wide(usual).min(64);
            return Room::of(
                (across.min(30), lines(30).min(6)),
                (across, lines(across)),
                (wide(WIDEST).min(110), lines(across) + 5),
            );
        }
        // With more cells than that, colours are all that is seen of them.
        let numbers = wide(least) <= 100 && self.nature != Nature::Mask;
        let least = if numbers {
            wide(least)
        } else {
            wide(2).min(52)
        };
        let usual = if wide(usual) <= 150 {
            wide(usual)
        } else {
            wide(2).clamp(72, 150)
        };
        let most = wide(WIDEST).clamp(usual, 200);
        let (few, all, tall) = if theme.share.fills() && rows <= 24 {
            (
                rows,
                if rows <= 12 { 2 * rows + 1 } else { rows },
                rows * if rows <= 5 { 5 } else { 3 },
            )
        } else {
            (rows.min(14), rows.min(60), rows)
        };
        Room::of((least, few + 1), (usual, all + 2), (most, tall + 2))
    }

    /// Whether these are probabilities that do not add up to 1 in every row, which a reader has to see.
    fn sums_differ(&self) -> bool {
        let (rows, columns) = self.size();
        let summed = self.nature == Nature::Probability
            && (2..=SUMMED).contains(&(rows * columns))
            && columns > 1;
        summed
            && (0..rows).filter(|row| self.is_written(*row)).any(|row| {
                let sum: f32 = (0..columns).map(|column| self.cell(row, column).0).sum();
                (sum - 1.0).abs() > 0.005
            })
    }
}

/// Width of the row words, with a mark before and a blank after them; 0 without room for both words and cells.
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
    let longest = longest.unwrap_or(1).min(LONGEST);
    let mark = usize::from(across >= 40);
    longest.min(across / 3) + mark + 1
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

/// Format of the numbers, width of a cell and width of the row sums: the most precise format that fits with a blank on
/// both sides, for the cursor's marks.
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
    let shared = |sums: usize| available.saturating_sub(sums) / wish.columns;
    if heat.nature != Nature::Mask {
        let forms = Form::choices(heat.nature, range, heat.scale(range), heat.asked);
        // Row sums are worth more than the last digit.
        for sums in [wish.sums, 0] {
            for form in &forms {
                let wide = form.digits + 2;
                if fits(wide, sums) {
                    return (Some(*form), wide.max(shared(sums).min(WIDEST)), sums);
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
        (wish.label + 2).clamp(5, WIDEST)
    } else {
        4
    };
    // Sums of numbers that are not shown are worth less than wider cells.
    let wider = wish.rows <= wish.lines;
    let ways = [(wish.sums, 3), (0, 3), (wish.sums, 2), (0, 2)];
    for (sums, least) in ways.into_iter().skip(if wider { 0 } else { 2 }) {
        if wish.columns * least + sums <= available {
            return (None, shared(sums).clamp(least, most.max(least)), sums);
        }
    }
    (None, least, 0)
}

/// Chooses the column labels: words, or numbers above every second, fifth, … column.
fn labels(heat: &Heat, layout: &Layout) -> Labels {
    if heat.columns.words(0).is_some() {
        return Labels::Words;
    }
    let last = heat.size().1.saturating_sub(1).to_string().len();
    let far = |n: &usize| *n * layout.wide > last;
    let every = [1, 2, 5, 10, 20, 50].into_iter().find(far);
    Labels::Every(every.unwrap_or(100))
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
