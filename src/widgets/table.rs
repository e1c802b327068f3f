//! Rows of words and numbers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::lines::{clip, put, width};
use super::theme::Theme;

/// Draws the table with columns as wide as their widest cell; the widest shrink first where there is
/// too little room. Numbers stand to the right.
pub fn draw(header: &[String], rows: &[Vec<String>], area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let mut widths = widths(header, rows);
    let room = usize::from(area.width);
    let gaps = 2 * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room {
        let Some(widest) = widths.iter_mut().max_by_key(|w| **w).filter(|w| **w > 1) else {
            break;
        };
        *widest -= 1;
    }
    let more = theme.glyphs().more;
    let line = |buf: &mut Buffer, y: usize, cells: &[String], style, right: bool| {
        let mut x = 0;
        for (cell, &wide) in cells.iter().zip(&widths) {
            let text = clip(cell, wide, more);
            let pad = if right && is_number(cell) {
                wide - width(&text)
            } else {
                0
            };
            put(buf, area, x + pad, y, &text, style);
            x += wide + 2;
        }
    };
    line(buf, 0, header, theme.dim, false);
    let mut top = 1;
    if usize::from(area.height) >= rows.len() + 2 {
        let rule = theme.glyphs().axes[1];
        let mut x = 0;
        for &wide in &widths {
            put(buf, area, x, 1, &rule.repeat(wide), theme.dim);
            x += wide + 2;
        }
        top = 2;
    }
    let shown = usize::from(area.height).saturating_sub(top);
    for (y, row) in rows.iter().enumerate().take(shown) {
        line(buf, top + y, row, theme.text, true);
    }
    if rows.len() > shown && shown > 1 {
        let y = top + shown - 1;
        put(buf, area, 0, y, &" ".repeat(room), theme.dim);
        let left = rows.len() - shown + 1;
        put(
            buf,
            area,
            0,
            y,
            &clip(&format!("{more} {left} more rows"), room, ""),
            theme.dim,
        );
    }
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
}
