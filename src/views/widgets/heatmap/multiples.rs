//! Small multiples: the slices of a tensor side by side, such as all heads at once.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::layout::window;
use super::{Axis, Heat, Scale, meaning};
use crate::autograd::Nature;
use crate::widgets::lines::{clip_entry, width};
use crate::widgets::painter::Painter;
use crate::widgets::room::Room;
use crate::widgets::theme::Theme;

/// Longest word of a row that is written whole.
const LONGEST: usize = 20;

/// Smallest percentage that is written.
const LEAST: f32 = 4.5;

/// Size and content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Small {
    /// A percentage in three columns and one line.
    Number,
    /// Colour in this many columns and half as many lines.
    Colour(usize),
}

impl Small {
    /// Number of columns.
    fn wide(self) -> usize {
        match self {
            Self::Number => 3,
            Self::Colour(wide) => wide,
        }
    }

    /// Number of lines of this many rows, with the columns' names.
    fn lines(self, rows: usize) -> usize {
        match self {
            Self::Number => rows + 1,
            Self::Colour(wide) => (rows * wide).div_ceil(2),
        }
    }
}

/// Layout of a grid of slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    /// Cell of every slice.
    small: Small,
    /// Columns and lines of a slice with its name and the space after it.
    tile: (usize, usize),
    /// Number of slices per row, and number of rows.
    across: usize,
    down: usize,
    /// First slice shown, and number of slices shown.
    first: usize,
    count: usize,
    /// Width of the rows' words before each row of slices, with a mark and a blank; 0 without room for them.
    gutter: usize,
}

impl Heat<'_> {
    /// Length of the third-last axis; 0 for a matrix.
    pub fn slices(&self) -> usize {
        let shape = self.values.shape();
        shape.len().checked_sub(3).map_or(0, |axis| shape[axis])
    }

    /// Largest grid of slices, with the rows' words if they cost no slice and no larger cells.
    fn grid(&self, area: Rect, theme: &Theme) -> Option<Grid> {
        let grid = self.grid_beside(0, area, theme)?;
        let longest = self.longest_word();
        let beside = self.grid_beside(longest, area, theme);
        // Numbers need the names of their rows; colours are larger without them.
        let same = |beside: &Grid| {
            beside.count == grid.count
                && (beside.small == grid.small || grid.small == Small::Number)
        };
        Some(beside.filter(same).unwrap_or(grid))
    }

    /// Number of lines that all slices take of `area`; `None` if not all fit, with their numbers or in cells of at least
    /// two columns.
    pub fn multiples_height(&self, area: Rect, theme: &Theme) -> Option<usize> {
        let grid = self.grid(area, theme)?;
        let whole = grid.count == self.slices() && grid.small != Small::Colour(1);
        let lines = grid.count.div_ceil(grid.across) * grid.tile.1;
        whole.then_some(lines)
    }

    /// Width of the rows' words with a mark and a blank.
    fn longest_word(&self) -> usize {
        let words = (0..self.size().0).filter_map(|row| self.rows.words(row));
        let longest = words.map(width).max();
        longest.map_or(0, |longest| longest.min(LONGEST) + 2)
    }

    fn grid_beside(&self, gutter: usize, area: Rect, theme: &Theme) -> Option<Grid> {
        let (rows, columns) = self.size();
        let (available, height) = (
            usize::from(area.width).checked_sub(gutter)?,
            usize::from(area.height).checked_sub(1)?,
        );
        let slices = self.slices();
        if slices < 2 || self.values.shape().contains(&0) {
            return None;
        }
        let chosen = self.leading().last().copied().unwrap_or(0);
        // Without colour a cell is at least one whole character high.
        let number = (self.weights && theme.share.fills()).then_some(Small::Number);
        let least = if theme.ascii || !theme.share.fills() {
            2
        } else {
            1
        };
        let colours = [4, 2, 1].into_iter().filter(|wide| *wide >= least);
        let grids = number
            .into_iter()
            .chain(colours.map(Small::Colour))
            .map(|small| {
                let tile = (columns * small.wide() + 2, small.lines(rows) + 2);
                // The last slice needs no space after it.
                let (across, down) = ((available + 2) / tile.0, (height + 1) / tile.1);
                let count = slices.min(across * down);
                Grid {
                    small,
                    tile,
                    // Equal rows of slices are easier to compare than a full and a short one.
                    across: slices.div_ceil(slices.div_ceil(across.max(1))).min(across),
                    down,
                    first: window(chosen, slices, count),
                    count,
                    gutter,
                }
            });
        // Take the largest grid that shows all slices, or else the one that shows most.
        let grids: Vec<Grid> = grids.collect();
        let all = grids.iter().find(|grid| grid.count == slices);
        all.or_else(|| grids.iter().max_by_key(|grid| grid.count))
            .copied()
            .filter(|grid| grid.count > 0)
    }

    /// Room that all slices ask for.
    pub fn multiples_room(&self, theme: &Theme) -> Room {
        let (rows, columns) = self.size();
        let slices = self.slices();
        let size = |small: Small, across: usize| {
            let wide = self.longest_word() + across * (columns * small.wide() + 2);
            (wide, 1 + slices.div_ceil(across) * (small.lines(rows) + 2))
        };
        let number = self.weights && theme.share.fills();
        let usual = if number {
            Small::Number
        } else {
            Small::Colour(2)
        };
        let across = slices.div_ceil(2).min(4);
        Room::of(
            size(Small::Colour(2), across),
            size(usual, across),
            size(Small::Colour(4), across),
        )
    }

    /// Draws as many slices as fit, including the chosen one, all on one colour scale.
    pub fn draw_multiples(&self, axis: &str, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        let Some(grid) = self.grid(area, theme) else {
            return self.draw(area, buf, theme);
        };
        let slices = self.slices();
        let mut says = Vec::new();
        if grid.count < slices {
            let last = grid.first + grid.count - 1;
            says.push(format!(
                "{} {} to {last} of {slices}",
                meaning(axis),
                grid.first
            ));
        }
        if grid.small == Small::Number {
            says.push("in %, below 5 left out".to_owned());
        }
        let scale = self.scale(&self.range());
        let chosen = self.leading().last().copied();
        let mut painter = Painter { area, buf, theme };
        let says = clip_entry(&says.join("; "), area.width.into(), theme.glyphs().more);
        painter.put(0, 0, &says, theme.dim);
        for place in 0..grid.count {
            let slice = grid.first + place;
            let (x, y) = (
                grid.gutter + place % grid.across * grid.tile.0,
                1 + place / grid.across * grid.tile.1,
            );
            if place % grid.across == 0 && grid.gutter > 0 {
                self.draw_row_words(&grid, y + 1, &mut painter);
            }
            let whole = format!("{} {slice}", meaning(axis));
            let name = if width(&whole) < grid.tile.0 {
                whole
            } else {
                format!("{axis}{slice}")
            };
            let style = if chosen == Some(slice) {
                theme.title.add_modifier(Modifier::UNDERLINED)
            } else {
                theme.dim
            };
            if width(&name) < grid.tile.0 {
                painter.put(x, y, &name, style);
            }
            self.draw_slice(slice, &grid, (x, y + 1), scale, &mut painter);
        }
    }

    /// Writes the rows' words from line `y` on; where a line holds two rows, the word of the first or of the cursor's.
    fn draw_row_words(&self, grid: &Grid, y: usize, painter: &mut Painter<'_>) {
        let theme = painter.theme;
        let (rows, chosen) = (self.size().0, self.place().0);
        let (head, of_line) = match grid.small {
            Small::Number => (1, 2),
            Small::Colour(wide) => (0, wide),
        };
        let of_line = |line: usize| (line * 2).div_ceil(of_line);
        for line in 0..grid.small.lines(rows) - head {
            let here = of_line(line)..of_line(line + 1).min(rows);
            let row = if here.contains(&chosen) {
                chosen
            } else {
                here.start
            };
            if here.is_empty() {
                continue;
            }
            let word = theme.words(self.rows.words(row).unwrap_or_default());
            let word = clip_entry(&word, grid.gutter - 1, theme.glyphs().more);
            let style = if row == chosen {
                theme.title
            } else {
                theme.dim
            };
            let from = grid.gutter - 1 - width(&word);
            painter.put(from, y + head + line, &word, style);
            if row == chosen && from > 0 {
                painter.put(0, y + head + line, theme.glyphs().turn.1, theme.note);
            }
        }
    }

    /// Draws one slice with its first cell at a column and row.
    fn draw_slice(
        &self,
        slice: usize,
        grid: &Grid,
        (x, y): (usize, usize),
        scale: Scale,
        painter: &mut Painter<'_>,
    ) {
        let theme = painter.theme;
        let (rows, columns) = self.size();
        let mut cursor = self.cursor.to_vec();
        let axis = cursor.len().saturating_sub(3);
        cursor[axis] = slice;
        let of = Heat {
            values: self.values.clone(),
            nature: self.nature,
            rows: Axis::default(),
            columns: Axis::default(),
            cursor: &cursor,
            operands: Vec::new(),
            written: None,
            weights: false,
            asked: false,
        };
        let style = |row: usize, column: usize| {
            let (value, blocked) = of.cell(row, column);
            of.style(value, blocked, scale, theme)
        };
        let (head, wide) = match grid.small {
            Small::Number => (1, 3),
            Small::Colour(wide) => (0, wide),
        };
        if head > 0 {
            for column in 0..columns {
                let name: String = self.columns.label(column).chars().take(2).collect();
                let style = if column == self.place().1 {
                    theme.title.add_modifier(Modifier::UNDERLINED)
                } else {
                    theme.dim
                };
                let at = x + column * wide + wide - width(&name);
                painter.put(at, y, &theme.words(&name), style);
            }
        }
        for line in 0..grid.small.lines(rows) - head {
            for column in 0..columns {
                let (text, style) = if head > 0 {
                    let (value, blocked) = of.cell(line, column);
                    let number = 100.0 * value;
                    let text = match number {
                        _ if blocked => String::new(),
                        LEAST.. => format!("{number:.0}"),
                        _ => String::new(),
                    };
                    (format!("{text:>3}"), style(line, column))
                } else if wide == 1 {
                    let upper = style(2 * line, column).bg.unwrap_or_default();
                    if 2 * line + 1 < rows {
                        let lower = style(2 * line + 1, column).bg.unwrap_or_default();
                        ("▀".to_owned(), Style::new().fg(upper).bg(lower))
                    } else {
                        ("▀".to_owned(), Style::new().fg(upper))
                    }
                } else {
                    let row = line * 2 / wide;
                    of.small_cell((row, column), wide, scale, style(row, column), theme)
                };
                painter.put(x + column * wide, y + head + line, &text, style);
            }
        }
    }

    /// Draws a cell as colour, or as glyphs where there is no colour.
    fn small_cell(
        &self,
        (row, column): (usize, usize),
        wide: usize,
        scale: Scale,
        style: Style,
        theme: &Theme,
    ) -> (String, Style) {
        let glyphs = theme.glyphs();
        let (value, blocked) = self.cell(row, column);
        if theme.share.fills() {
            return (" ".repeat(wide), style);
        }
        let text = match self.nature {
            _ if blocked => glyphs.blocked.repeat(wide),
            Nature::Mask => glyphs.shades[5].repeat(wide),
            _ => {
                let shade = glyphs.shades[super::ink::level(scale.strength(value))];
                let sign = if value < 0.0 { glyphs.minus } else { shade };
                format!("{sign}{}", shade.repeat(wide - 1))
            }
        };
        (text, style.remove_modifier(Modifier::BOLD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Tensor;
    use crate::widgets::heatmap::Values;
    use crate::widgets::lines::text;

    fn drawn(heads: usize, chosen: usize, size: (u16, u16), theme: &Theme) -> String {
        let values = Tensor::from_fn(&[2, heads, 10, 11], |i| i[3] as f32 / 11.0);
        let heat = Heat {
            values: Values::of(&values),
            nature: Nature::Probability,
            rows: Axis::default(),
            columns: Axis::default(),
            cursor: &[0, chosen, 0, 0],
            operands: Vec::new(),
            written: None,
            weights: false,
            asked: false,
        };
        let mut buf = Buffer::empty(Rect::new(0, 0, size.0, size.1));
        heat.draw_multiples("h", buf.area, &mut buf, theme);
        text(&buf)
    }

    #[test]
    fn eight_heads_stand_side_by_side_and_the_chosen_one_is_marked() {
        let grid = drawn(8, 2, (70, 26), &Theme::true_dark());
        for name in ["head 0", "head 1", "head 2", "head 7"] {
            assert!(grid.contains(name), "{name}\n{grid}");
        }
    }

    #[test]
    fn where_not_all_have_room_the_chosen_one_is_among_them() {
        for theme in [Theme::true_light(), Theme::mono(), Theme::mono().in_ascii()] {
            for size in [(30, 16), (60, 14), (200, 60)] {
                for chosen in 0..8 {
                    let grid = drawn(8, chosen, size, &theme);
                    let names = [format!("head {chosen}"), format!("h{chosen}")];
                    let named = names.iter().any(|name| grid.contains(name));
                    assert!(named, "{size:?}\n{grid}");
                }
            }
        }
    }

    #[test]
    fn the_rows_have_their_words_before_the_first_slice_where_they_cost_no_room() {
        let values = Tensor::from_fn(&[1, 4, 4, 4], |i| i[3] as f32 / 4.0);
        let words = ["the", "dog", "is", "asleep"];
        let word = |row: usize| words.get(row).copied();
        let at = |size: (u16, u16)| {
            let heat = Heat {
                values: Values::of(&values),
                nature: Nature::Probability,
                rows: Axis {
                    name: String::new(),
                    word: Some(&word),
                },
                columns: Axis::default(),
                cursor: &[0, 0, 0, 0],
                operands: Vec::new(),
                written: None,
                weights: false,
                asked: false,
            };
            let mut buf = Buffer::empty(Rect::new(0, 0, size.0, size.1));
            heat.draw_multiples("h", buf.area, &mut buf, &Theme::true_dark());
            text(&buf)
        };
        // Two rows share a line: the first one's word stands for both.
        let narrow = at((31, 5));
        assert!(narrow.contains("   the ▀▀▀▀  ▀▀▀▀  ▀▀▀▀  ▀▀▀▀"), "{narrow}");
        assert!(narrow.contains("    is ▀▀▀▀"), "{narrow}");
        let wide = at((90, 6));
        for word in words {
            assert!(wide.contains(&format!("{word:>6}")), "{word}\n{wide}");
        }
        assert!(!at((24, 5)).contains("the"));
    }

    #[test]
    fn without_room_for_one_slice_the_map_itself_is_drawn() {
        let map = drawn(8, 2, (14, 3), &Theme::mono());
        assert!(!map.is_empty() && !map.contains("h2"), "{map}");
    }
}
