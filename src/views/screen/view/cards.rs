//! Text that is read a card at a time: each card fills its columns and, where it can, ends between two paragraphs.

use std::ops::Range;

/// Cards of a text, each as the lines of its columns, which are `rows` high. `blank` tells which lines part paragraphs.
/// A card begins at line `at`, whose index is the second value.
pub(super) fn cards(
    blank: &[bool],
    at: usize,
    columns: usize,
    rows: usize,
) -> (Vec<Vec<Range<usize>>>, usize) {
    let at = at.min(blank.len().saturating_sub(1));
    let mut all = Vec::new();
    let mut open = 0;
    for part in [0..at, at..blank.len()] {
        open = all.len();
        let mut from = part.start;
        while from < part.end {
            let text = &blank[..part.end];
            let left = (part.end - from).div_ceil(columns).min(rows);
            let fits = |high: &usize| end(&card(text, from, columns, *high)) >= part.end;
            // The columns of the last card are equally high.
            let high = (left.min(rows)..=rows).find(fits).unwrap_or(rows.max(1));
            let next = card(text, from, columns, high);
            from = text_from(text, end(&next));
            all.push(next);
        }
    }
    (all, open)
}

/// The columns of a card that begins at a line.
fn card(blank: &[bool], from: usize, columns: usize, rows: usize) -> Vec<Range<usize>> {
    let mut from = from;
    let column = |_| {
        let end = column_end(blank, from, rows);
        let column = from..end;
        from = text_from(blank, end);
        column
    };
    (0..columns).map(column).collect()
}

/// Line behind a card.
fn end(card: &[Range<usize>]) -> usize {
    card.last().map_or(0, |column| column.end)
}

/// Line behind a column: at the end of a paragraph if that leaves at least a third of the column filled.
fn column_end(blank: &[bool], from: usize, rows: usize) -> usize {
    let full = from + rows;
    if full >= blank.len() {
        return blank.len();
    }
    let least = from + rows.div_ceil(3);
    let ends = (least..=full).rev().find(|&line| blank[line]);
    ends.unwrap_or(full)
}

/// The next line with text, from a line on.
fn text_from(blank: &[bool], from: usize) -> usize {
    (from..blank.len())
        .find(|&line| !blank[line])
        .unwrap_or(blank.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_show_every_line_once_and_end_between_paragraphs() {
        // Paragraphs of 1 to 5 lines, parted by blank lines.
        let blank: Vec<bool> = (0..12)
            .flat_map(|n| std::iter::repeat_n(false, n % 5 + 1).chain([true]))
            .collect();
        for (columns, rows) in [(1, 4), (1, 9), (2, 7), (2, 40)] {
            for at in [0, 10, 500] {
                let (all, open) = cards(&blank, at, columns, rows);
                let lines: Vec<usize> = all.iter().flatten().cloned().flatten().collect();
                assert!(lines.is_sorted_by(|a, b| a < b), "{lines:?}");
                let text = (0..blank.len()).filter(|&line| !blank[line]);
                assert!(text.into_iter().all(|line| lines.contains(&line)));
                assert!(all.iter().flatten().all(|column| column.len() <= rows));
                let first = all[open][0].start;
                assert_eq!(first, at.min(blank.len() - 1));
                if rows == 9 && at == 0 {
                    assert!(all.iter().flatten().all(|column| blank[column.end.min(44)]));
                }
            }
        }
        assert_eq!(cards(&blank, 0, 2, 40).0.len(), 1);
        let [left, right] = &cards(&blank, 0, 2, 40).0[0][..] else {
            panic!("it has two columns");
        };
        assert!(left.len().abs_diff(right.len()) < 6, "{left:?} {right:?}");
    }
}
