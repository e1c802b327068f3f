//! Tables of words and numbers.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::lines::{put, width};
use super::theme::Theme;
use super::wrap::{TextRun, wrap};

mod list;

/// Draws the table with columns as wide as their widest cell, or as [`fitted`]; cells are wrapped, and numbers are
/// aligned right.
///
/// If not all rows fit, those around row number `at`, which is highlighted, are drawn, and the last line tells which
/// they are.
pub fn draw(
    (header, rows): (&[String], &[Vec<String>]),
    at: usize,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let available = usize::from(area.width);
    let high = usize::from(area.height);
    let (as_columns, as_list) = (
        in_columns(header, rows, available),
        in_list(header, rows, available),
    );
    // Use a list if columns would break words, or would show clearly fewer rows.
    if as_columns.is_none_or(|lines| lines > high && as_list + 2 < lines) {
        return list::draw((header, rows), at, area, buf, theme);
    }
    let (widths, gap) = fitted(header, rows, available);
    let gap = spread(&widths, gap, available);
    let row = |buf: &mut Buffer, y: usize, cells: &[String], style, right: bool| {
        for (i, line) in lines_of(cells, &widths).iter().enumerate() {
            let mut x = 0;
            for ((cell, text), &wide) in cells.iter().zip(line).zip(&widths) {
                let pad = if right && is_number(cell) {
                    wide.saturating_sub(width(text))
                } else {
                    0
                };
                put(buf, area, x + pad, y + i, text, style);
                x += wide + gap;
            }
        }
    };
    let mut y = lines_of(header, &widths).len();
    row(buf, 0, header, theme.dim, false);
    if high > rows.len() + y {
        let rule = theme.glyphs().axes[1];
        let mut x = 0;
        for &wide in &widths {
            put(buf, area, x, y, &rule.repeat(wide), theme.dim);
            x += wide + gap;
        }
        y += 1;
    }
    let mut heights: Vec<usize> = rows.iter().map(|r| lines_of(r, &widths).len()).collect();
    let free = high.saturating_sub(y);
    // Where there is room, a blank line separates the rows; the last one needs none.
    if heights.iter().sum::<usize>() + rows.len() <= free + 1
        && let Some((_, others)) = heights.split_last_mut()
    {
        others.iter_mut().for_each(|height| *height += 1);
    }
    let seen = window(&heights, at, free);
    let scrolls = seen.len() < rows.len();
    for n in seen.clone() {
        let style = if scrolls && n == at {
            theme.cursor
        } else {
            theme.text
        };
        row(buf, y, &rows[n], style, true);
        y += heights[n];
    }
    if scrolls && free > 1 {
        let y = high - 1;
        put(buf, area, 0, y, &" ".repeat(available), theme.dim);
        let note = rows_seen(&seen, rows.len(), available, theme);
        put(buf, area, 0, y, &note, theme.dim);
    }
}

/// Gap between the columns: wider where there is room, up to six columns.
fn spread(widths: &[usize], gap: usize, available: usize) -> usize {
    let between = widths.len().saturating_sub(1).max(1);
    let free = available.saturating_sub(widths.iter().sum());
    (free / between).clamp(gap, 6)
}

/// Whether columns have room for every word and number.
fn has_columns(header: &[String], rows: &[Vec<String>], available: usize) -> bool {
    let least: usize = longest_words(header, rows).iter().sum();
    least + widths(header, rows).len().saturating_sub(1) <= available
}

/// Width of the longest word of each column.
fn longest_words(header: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let words = |i: usize| {
        let cells = rows.iter().map(Vec::as_slice).chain([header]);
        let words = cells
            .filter_map(|row| row.get(i))
            .flat_map(|cell| cell.split(' '));
        words.map(width).max().unwrap_or(0).max(1)
    };
    (0..widths(header, rows).len()).map(words).collect()
}

/// Note below the rows shown if they are not all, in as much detail as `available` columns hold.
pub fn rows_seen(seen: &Range<usize>, all: usize, available: usize, theme: &Theme) -> String {
    let (first, last) = (seen.start + 1, seen.end);
    let keys = if theme.ascii {
        "up and down"
    } else {
        "↑ ↓"
    };
    let place = format!("{first} to {last} of {all}");
    // The arrows act in the pane with the focus.
    let text = [
        format!("rows {place}; Tab to this pane, then {keys}"),
        format!("{place}; Tab, then {keys}"),
        place,
    ];
    let fits = text.iter().position(|words| width(words) <= available);
    text[fits.unwrap_or(2)].clone()
}

/// Range of the rows drawn in `free` lines, including row `at`: all, or as many as leave a line for the note. A row
/// that is too high on its own is cut at the end.
pub fn window(heights: &[usize], at: usize, free: usize) -> Range<usize> {
    if heights.iter().sum::<usize>() <= free {
        return 0..heights.len();
    }
    let free = free.saturating_sub(1).max(1);
    let at = at.min(heights.len() - 1);
    let mut first = at;
    let mut taken = heights[at];
    // Extend upwards first, so that the first screen stays until the cursor leaves it.
    while first > 0 && taken + heights[first - 1] <= free {
        first -= 1;
        taken += heights[first];
    }
    let mut last = at + 1;
    while last < heights.len() && taken + heights[last] <= free {
        taken += heights[last];
        last += 1;
    }
    first..last
}

/// Number of lines of the whole table in `available` columns, with cells wrapped and the rule below the header.
pub fn height(header: &[String], rows: &[Vec<String>], available: usize) -> usize {
    in_columns(header, rows, available).unwrap_or_else(|| {
        let lists = rows
            .iter()
            .map(|row| list::listed(header, row, available, 0).len() + 1);
        lists.sum()
    })
}

/// Number of lines of the table in columns, with the rule below the header; `None` if columns would break words.
fn in_columns(header: &[String], rows: &[Vec<String>], available: usize) -> Option<usize> {
    if !has_columns(header, rows, available) {
        return None;
    }
    let (widths, _) = fitted(header, rows, available);
    let rows = [header].into_iter().chain(rows.iter().map(Vec::as_slice));
    Some(rows.map(|row| lines_of(row, &widths).len()).sum::<usize>() + 1)
}

/// Number of lines of the table as a list without empty lines.
fn in_list(header: &[String], rows: &[Vec<String>], available: usize) -> usize {
    let lists = rows
        .iter()
        .map(|row| list::listed(header, row, available, list::INDENT).len());
    lists.sum()
}

/// Widths of the columns in `available`, and of the gap between them: 2, or 1 if that keeps a cell from being wrapped or a
/// word from being broken. The widest columns shrink first, but not below their longest word, so that no number is
/// broken; only if that is not enough do they shrink further.
fn fitted(header: &[String], rows: &[Vec<String>], available: usize) -> (Vec<usize>, usize) {
    let mut widths = widths(header, rows);
    let least = longest_words(header, rows);
    let between = widths.len().saturating_sub(1);
    let fits =
        |widths: &[usize], gap: usize| widths.iter().sum::<usize>() + gap * between <= available;
    let helps = |widths: &[usize]| !fits(widths, 2) && fits(widths, 1);
    let gap = if helps(&widths) || helps(&least) {
        1
    } else {
        2
    };
    let gaps = gap * between;
    while widths.iter().sum::<usize>() + gaps > available {
        let widest = |least: &dyn Fn(usize) -> usize| {
            let above = (0..widths.len()).filter(|&i| widths[i] > least(i));
            above.max_by_key(|&i| widths[i])
        };
        let Some(widest) = widest(&|i| least[i]).or_else(|| widest(&|_| 1)) else {
            break;
        };
        widths[widest] -= 1;
    }
    (widths, gap)
}

/// Lines of a row whose cells are wrapped to their columns, each with one text per column.
fn lines_of(cells: &[String], widths: &[usize]) -> Vec<Vec<String>> {
    let wrapped: Vec<Vec<String>> = cells
        .iter()
        .zip(widths)
        .map(|(cell, &wide)| {
            // An indented cell keeps its indentation only if it fits.
            let cell = if width(cell) > wide {
                cell.trim_start()
            } else {
                cell
            };
            wrap(&[TextRun::new(cell, Style::new())], wide)
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

/// Width of the widest cell of each column.
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

/// Whether a cell is a number, possibly with a unit, and so is aligned right.
pub fn is_number(cell: &str) -> bool {
    let digits = cell.trim_end_matches(|c: char| !c.is_ascii_digit());
    let part = |c: char| c.is_ascii_digit() || "−-+.,×^e/:".contains(c);
    cell.starts_with(|c: char| c.is_ascii_digit() || "−-+.".contains(c))
        && !digits.is_empty()
        && digits.chars().all(part)
        && !cell.contains(' ')
}

/// A table as plain text with columns separated by blanks, without rules.
pub fn plain(header: &[String], rows: &[Vec<String>]) -> String {
    let widths = widths(header, rows);
    // Numbers are aligned right, words left.
    let cells = |i: usize| rows.iter().filter_map(move |row| row.get(i));
    let names = |i: usize| i == 0 || cells(i).any(|c| !c.is_empty() && !is_number(c));
    let line = |cells: &[String]| {
        let mut line = String::from(" ");
        for (i, (cell, wide)) in cells.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(wide - width(cell));
            line.push(' ');
            let (before, after) = if names(i) { ("", &*pad) } else { (&*pad, "") };
            line.push_str(&format!("{before}{cell}{after}"));
        }
        line.trim_end().to_owned()
    };
    let lines = [header].into_iter().chain(rows.iter().map(Vec::as_slice));
    lines
        .map(line)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::lines::text;

    #[test]
    fn numbers_may_have_units_and_fingerprints_are_none() {
        for number in ["1,024", "−0.5", "1.6e-8", "12ms", "4×", "97%", ".5"] {
            assert!(is_number(number), "{number}");
        }
        for text in ["60138e76_40310345", "norm", "", "-", "3 of 4"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn columns_are_aligned_by_what_they_measure() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["注意力", "1,024"]), row(["norm", "32"])];
        let mut buf = Buffer::empty(Rect::new(0, 0, 20, 4));
        draw(
            (&row(["layer", "parameters"]), &rows),
            0,
            buf.area,
            &mut buf,
            &Theme::mono(),
        );
        assert_eq!(
            text(&buf),
            "layer     parameters\n──────    ──────────\n注意力         1,024\nnorm              32"
        );
    }

    #[test]
    fn long_cells_are_wrapped() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["cross", "the decoder's rows"])];
        let mut buf = Buffer::empty(Rect::new(0, 0, 18, 5));
        let header = row(["where", "queries"]);
        draw((&header, &rows), 0, buf.area, &mut buf, &Theme::mono());
        assert_eq!(
            text(&buf),
            "where  queries\n─────  ───────────\ncross  the\n       decoder's\n       rows"
        );
    }

    #[test]
    fn a_narrow_table_wraps_its_words_before_it_breaks_a_number() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let (header, rows) = (row(["", "gives"]), [row(["to the right word", "0.900000"])]);
        assert_eq!(height(&header, &rows, 40), 3);
        assert_eq!(height(&header, &rows, 18), 5);
        assert_eq!(fitted(&header, &rows, 18), (vec![8, 8], 2));
    }

    #[test]
    fn a_table_too_narrow_for_its_words_becomes_a_list_and_breaks_none() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let header = row(["layer", "parameters", "equation"]);
        let rows = [
            row(["generator", "39,600,000", "512*50+50"]),
            row(["norm", "1,024", "2*512"]),
        ];
        let drawn = |high| {
            let mut buf = Buffer::empty(Rect::new(0, 0, 24, high));
            draw((&header, &rows), 0, buf.area, &mut buf, &Theme::mono());
            text(&buf)
        };
        assert_eq!(
            drawn(8),
            "layer: generator\nparameters: 39,600,000\nequation: 512*50+50\n\nlayer: norm\nparameters: 1,024\nequation: 2*512"
        );
        assert!(drawn(5).ends_with("\n1 to 1 of 2"), "{}", drawn(5));
        assert_eq!(height(&header, &rows, 24), 8);
    }

    #[test]
    fn columns_move_closer_before_a_word_is_broken() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let header = row(["word", "looks at", "left out"]);
        let rows = [row(["went", "gegangen", "gegangen"])];
        assert_eq!(fitted(&header, &rows, 24), (vec![4, 8, 8], 2));
        assert_eq!(fitted(&header, &rows, 22), (vec![4, 8, 8], 1));
    }

    #[test]
    fn rows_without_room_are_reached_by_going_down() {
        let rows: Vec<Vec<String>> = (1..=9).map(|n| vec![format!("row {n}")]).collect();
        let drawn = |at| {
            let mut buf = Buffer::empty(Rect::new(0, 0, 30, 5));
            let header = ["what".to_owned()];
            draw((&header, &rows), at, buf.area, &mut buf, &Theme::mono());
            text(&buf)
        };
        let first = "what\nrow 1\nrow 2\nrow 3\n1 to 3 of 9; Tab, then ↑ ↓";
        assert_eq!((drawn(0), drawn(2)), (first.to_owned(), first.to_owned()));
        assert_eq!(
            drawn(8),
            "what\nrow 7\nrow 8\nrow 9\n7 to 9 of 9; Tab, then ↑ ↓"
        );
    }

    #[test]
    fn a_window_holds_the_row_asked_for_and_no_more_lines_than_there_are() {
        let heights = [1, 3, 2, 5, 1, 1];
        for free in 1..20 {
            for at in 0..heights.len() {
                let seen = window(&heights, at, free);
                assert!(seen.contains(&at));
                let lines: usize = heights[seen.clone()].iter().sum();
                assert!(lines <= free || seen.len() == 1, "{free} {at} {seen:?}");
            }
        }
    }
}
