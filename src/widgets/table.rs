//! Rows of words and numbers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::lines::{clip, put, width};
use super::theme::Theme;
use super::wrap::{Run, wrap};

/// Draws the table with columns as wide as their widest cell, or as [`fitted`]; cells are wrapped if there
/// are lines for it, else cut. Numbers stand to the right.
pub fn draw(header: &[String], rows: &[Vec<String>], area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let room = usize::from(area.width);
    let widths = fitted(header, rows, room);
    let more = theme.glyphs().more;
    let high = usize::from(area.height);
    let wraps = height(header, rows, room) <= high;
    // Draws one row from line `y` on and returns how many lines it took.
    let row = |buf: &mut Buffer, y: usize, cells: &[String], style, right: bool| {
        let lines = if wraps {
            lines_of(cells, &widths)
        } else {
            let cut = cells.iter().zip(&widths);
            vec![cut.map(|(cell, &wide)| clip(cell, wide, more)).collect()]
        };
        for (i, line) in lines.iter().enumerate() {
            let mut x = 0;
            for ((cell, text), &wide) in cells.iter().zip(line).zip(&widths) {
                let pad = if right && is_number(cell) {
                    wide.saturating_sub(width(text))
                } else {
                    0
                };
                put(buf, area, x + pad, y + i, text, style);
                x += wide + 2;
            }
        }
        lines.len()
    };
    let mut y = row(buf, 0, header, theme.dim, false);
    if high >= rows.len() + 2 {
        let rule = theme.glyphs().axes[1];
        let mut x = 0;
        for &wide in &widths {
            put(buf, area, x, y, &rule.repeat(wide), theme.dim);
            x += wide + 2;
        }
        y += 1;
    }
    let top = y;
    for cells in rows {
        if y >= high {
            break;
        }
        y += row(buf, y, cells, theme.text, true);
    }
    let shown = high.saturating_sub(top);
    if !wraps && rows.len() > shown && shown > 1 {
        let y = top + shown - 1;
        put(buf, area, 0, y, &" ".repeat(room), theme.dim);
        let left = rows.len() - shown + 1;
        let note = clip(&format!("{more} {left} more rows"), room, "");
        put(buf, area, 0, y, &note, theme.dim);
    }
}

/// The lines of the whole table in `room` columns: its cells wrapped, and the rule below its header.
pub fn height(header: &[String], rows: &[Vec<String>], room: usize) -> usize {
    let widths = fitted(header, rows, room);
    let rows = [header].into_iter().chain(rows.iter().map(Vec::as_slice));
    rows.map(|row| lines_of(row, &widths).len()).sum::<usize>() + 1
}

/// The widths of the columns in `room`: the widest shrink first, as far as their longest word, so that no
/// number is broken; if that is not enough, further.
fn fitted(header: &[String], rows: &[Vec<String>], room: usize) -> Vec<usize> {
    let mut widths = widths(header, rows);
    let words = |i: usize| {
        let cells = rows.iter().map(Vec::as_slice).chain([header]);
        let words = cells
            .filter_map(|row| row.get(i))
            .flat_map(|cell| cell.split(' '));
        words.map(width).max().unwrap_or(0).max(1)
    };
    let least: Vec<usize> = (0..widths.len()).map(words).collect();
    let gaps = 2 * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room {
        let widest = |least: &dyn Fn(usize) -> usize| {
            let above = (0..widths.len()).filter(|&i| widths[i] > least(i));
            above.max_by_key(|&i| widths[i])
        };
        let Some(widest) = widest(&|i| least[i]).or_else(|| widest(&|_| 1)) else {
            break;
        };
        widths[widest] -= 1;
    }
    widths
}

/// The lines of a row whose cells are wrapped to their columns, each line with one text a column.
fn lines_of(cells: &[String], widths: &[usize]) -> Vec<Vec<String>> {
    let wrapped: Vec<Vec<String>> = cells
        .iter()
        .zip(widths)
        .map(|(cell, &wide)| {
            wrap(&[Run::new(cell.clone(), Style::new())], wide)
                .iter()
                .map(ToString::to_string)
                .collect()
        })
        .collect();
    let lines = wrapped.iter().map(Vec::len).max().unwrap_or(0).max(1);
    (0..lines)
        .map(|i| {
            let part = |column: &Vec<String>| column.get(i).cloned().unwrap_or_default();
            wrapped.iter().map(part).collect()
        })
        .collect()
}

/// The widest cell of each column.
pub fn widths(header: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows
        .iter()
        .map(Vec::len)
        .max()
        .unwrap_or(0)
        .max(header.len());
    let all = || rows.iter().map(Vec::as_slice).chain([header]);
    let widest = |i: usize| all().filter_map(|r| r.get(i)).map(|cell| width(cell)).max();
    (0..columns).map(|i| widest(i).unwrap_or(0)).collect()
}

/// Whether a cell is a number, so that it stands to the right.
pub fn is_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || "−-+.".contains(c))
        && cell.contains(|c: char| c.is_ascii_digit())
        && !cell.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::lines::text;

    #[test]
    fn columns_are_aligned_by_what_they_measure() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["注意力", "1,024"]), row(["norm", "32"])];
        let mut buf = Buffer::empty(Rect::new(0, 0, 20, 4));
        draw(
            &row(["layer", "parameters"]),
            &rows,
            buf.area,
            &mut buf,
            &Theme::mono(),
        );
        assert_eq!(
            text(&buf),
            "layer   parameters\n──────  ──────────\n注意力       1,024\nnorm            32"
        );
    }

    #[test]
    fn long_cells_are_wrapped_where_there_are_lines_and_cut_where_not() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["cross", "the decoder's rows"])];
        let drawn = |height| {
            let mut buf = Buffer::empty(Rect::new(0, 0, 18, height));
            let header = row(["where", "queries"]);
            draw(&header, &rows, buf.area, &mut buf, &Theme::mono());
            text(&buf)
        };
        assert_eq!(
            drawn(5),
            "where  queries\n─────  ───────────\ncross  the\n       decoder's\n       rows"
        );
        assert_eq!(drawn(2), "where  queries\ncross  the decode…");
        assert_eq!(height(&row(["where", "queries"]), &rows, 18), 5);
    }
}
