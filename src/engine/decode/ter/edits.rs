//! The fewest edits between two texts, when a run of words can be moved at the cost of one edit.
//!
//! The best set of moves is too expensive to find. Like Tercom, this takes the move that helps most, again and again,
//! within limits that are part of the measure: other limits give other scores.

use std::collections::HashMap;

/// Largest number of words that move together.
const LONGEST: usize = 10;
/// Largest distance between the positions of equal words in both texts.
const FARTHEST: usize = 50;
/// Half of the width of the band around the diagonal in which distances are computed.
const BAND: usize = 25;
/// Number of moves that are tried for one sentence.
const TRIALS: usize = 1000;
/// Distance of cells outside the band.
const FAR: usize = usize::MAX / 2;

/// Number of edits that turn `hyp` into `reference`: insertions, deletions, substitutions and moves.
pub(super) fn edits(hyp: &[String], reference: &[String]) -> usize {
    if reference.is_empty() {
        return hyp.len();
    }
    let mut ids = HashMap::new();
    let mut numbered = |words: &[String]| -> Vec<usize> {
        let mut id = |word: &String| {
            let new = ids.len();
            *ids.entry(word.clone()).or_insert(new)
        };
        words.iter().map(&mut id).collect()
    };
    let (mut words, reference) = (numbered(hyp), numbered(reference));
    let (mut moves, mut trials) = (0, 0);
    while let Some(best) = best_move(&words, &reference, &mut trials)
        && trials < TRIALS
        && best.gain > 0
    {
        words = best.applied(&words);
        moves += 1;
    }
    moves + Distances::new(&words, &reference).last()
}

/// A run of words and the place to which it moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    /// Number of edits that it saves.
    gain: isize,
    /// Number of words. Of moves with equal gain the longest is best; after that, the first.
    length: usize,
    start: std::cmp::Reverse<usize>,
    /// Word of the text as it is now before which the run is put.
    target: std::cmp::Reverse<usize>,
}

impl Move {
    fn applied(&self, words: &[usize]) -> Vec<usize> {
        let (start, target) = (self.start.0, self.target.0);
        let run = start..start + self.length;
        let mut moved = [&words[..run.start], &words[run.end..]].concat();
        let at = if target > run.end {
            target - self.length
        } else {
            target.min(moved.len())
        };
        moved.splice(at..at, words[run].iter().copied());
        moved
    }
}

/// The move that saves most edits; `None` if no run of words can move.
fn best_move(words: &[usize], reference: &[usize], trials: &mut usize) -> Option<Move> {
    let now = Distances::new(words, reference);
    let alignment = now.alignment();
    let mut best: Option<Move> = None;
    for (start, position, length) in runs(words, reference) {
        // Only words that are wrong move, and only to where the reference is not matched.
        if !alignment.wrong_words[start..start + length].contains(&true)
            || !alignment.wrong_places[position..position + length].contains(&true)
        {
            continue;
        }
        // A run does not move into itself.
        let here = alignment.word_after[position];
        if (start + 1..start + length + 1).contains(&here) {
            continue;
        }
        let mut last = None;
        for offset in 0..=length {
            // The run is put after the word that is aligned to the one before it in the reference, or to one of its own.
            let target = match (position + offset).checked_sub(1) {
                None => 0,
                Some(before) => match alignment.word_after.get(before) {
                    Some(&target) => target,
                    None => break,
                },
            };
            if last.replace(target) == Some(target) {
                continue;
            }
            let mut tried = Move {
                gain: 0,
                length,
                start: std::cmp::Reverse(start),
                target: std::cmp::Reverse(target),
            };
            let moved = Distances::new(&tried.applied(words), reference);
            tried.gain = now.last() as isize - moved.last() as isize;
            *trials += 1;
            best = best.max(Some(tried));
        }
        if *trials >= TRIALS {
            break;
        }
    }
    best
}

/// Equal runs of words in both texts: where they start, and their length.
fn runs(words: &[usize], reference: &[usize]) -> impl Iterator<Item = (usize, usize, usize)> {
    let near = move |start: usize| {
        let positions = start.saturating_sub(FARTHEST)..=start + FARTHEST;
        positions.take_while(move |&position| position < reference.len())
    };
    (0..words.len()).flat_map(move |start| {
        near(start).flat_map(move |position| {
            let both = words[start..].iter().zip(&reference[position..]);
            let equal = both.take(LONGEST).take_while(|(a, b)| a == b).count();
            (1..=equal).map(move |length| (start, position, length))
        })
    })
}

/// Edit that leads to a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edit {
    /// The words are equal.
    Keep,
    Substitute,
    /// The word of the hypothesis is dropped.
    Delete,
    /// The word of the reference is added.
    Insert,
}

/// Levenshtein distances between the beginnings of two texts, and the last edit of each, near the diagonal.
struct Distances {
    /// A row for each number of words, from 0.
    rows: Vec<Row>,
    /// Number of words of the reference.
    places: usize,
}

/// Cells of a row within the band.
struct Row {
    /// Column of the first cell.
    first: usize,
    cells: Vec<Cell>,
}

type Cell = (usize, Edit);

impl Row {
    /// Distance in a column; far outside the band.
    fn distance(&self, column: usize) -> usize {
        let at = column.checked_sub(self.first);
        let cell = at.and_then(|at| self.cells.get(at));
        cell.map_or(FAR, |cell| cell.0)
    }
}

impl Distances {
    fn new(words: &[usize], reference: &[usize]) -> Self {
        let columns = reference.len() + 1;
        let first = (0..columns).map(|column| (column, Edit::Insert));
        let mut rows = vec![Row {
            first: 0,
            cells: first.collect(),
        }];
        let slope = reference.len() as f64 / words.len().max(1) as f64;
        // If the lengths are very different, the band is wide enough for neighbouring rows to overlap.
        let band = if slope / 2.0 > BAND as f64 {
            (slope / 2.0 + BAND as f64).ceil() as usize
        } else {
            BAND
        };
        for (n, word) in (1..).zip(words) {
            let diagonal = (n as f64 * slope).floor() as usize;
            let end = if n == words.len() {
                columns
            } else {
                columns.min(diagonal + band)
            };
            let above = &rows[n - 1];
            let mut row = Row {
                first: diagonal.saturating_sub(band),
                cells: Vec::new(),
            };
            for column in row.first..end {
                let cell = cheapest(*word, reference, above, &row, column);
                row.cells.push(cell);
            }
            rows.push(row);
        }
        Self {
            rows,
            places: reference.len(),
        }
    }

    /// Distance of the whole texts.
    fn last(&self) -> usize {
        self.rows[self.rows.len() - 1].distance(self.places)
    }

    /// Edits of the whole texts, from the last to the first, as an alignment.
    fn alignment(&self) -> Alignment {
        let (mut word, mut place) = (self.rows.len() - 1, self.places);
        let mut alignment = Alignment {
            word_after: vec![0; place],
            wrong_words: vec![false; word],
            wrong_places: vec![false; place],
        };
        while word > 0 || place > 0 {
            let row = &self.rows[word];
            let edit = row.cells[place - row.first].1;
            if edit != Edit::Delete {
                place -= 1;
                alignment.word_after[place] = word;
                alignment.wrong_places[place] = edit != Edit::Keep;
            }
            if edit != Edit::Insert {
                word -= 1;
                alignment.wrong_words[word] = edit != Edit::Keep;
            }
        }
        alignment
    }
}

/// Distance in the next cell of a row and the edit that leads there; of equally cheap ones, the first in this order.
fn cheapest(word: usize, reference: &[usize], above: &Row, row: &Row, column: usize) -> Cell {
    let mut best = (FAR, Edit::Insert);
    let mut offer = |cost: usize, edit| {
        if cost < best.0 {
            best = (cost, edit);
        }
    };
    let left = column.checked_sub(1);
    if let Some(left) = left {
        if word == reference[left] {
            offer(above.distance(left), Edit::Keep)
        } else {
            offer(above.distance(left) + 1, Edit::Substitute)
        }
    }
    offer(above.distance(column) + 1, Edit::Delete);
    if let Some(left) = left {
        offer(row.distance(left) + 1, Edit::Insert);
    }
    best
}

/// Words of the hypothesis that correspond to those of the reference.
struct Alignment {
    /// For each word of the reference, the position in the hypothesis after its counterpart, or after the word before, if
    /// it has none.
    word_after: Vec<usize>,
    /// Words of the hypothesis that are substituted or deleted.
    wrong_words: Vec<bool>,
    /// Words of the reference that are substituted or inserted.
    wrong_places: Vec<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(hyp: &str, reference: &str) -> usize {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(String::from).collect() };
        edits(&words(hyp), &words(reference))
    }

    #[test]
    fn a_run_of_words_moves_as_one_edit() {
        assert_eq!(of("a b c", "a b c"), 0);
        assert_eq!(of("a x c", "a b c"), 1);
        assert_eq!(of("b c a", "a b c"), 1);
        assert_eq!(of("d e f a b c", "a b c d e f"), 1);
        assert_eq!(of("c b a", "a b c"), 2);
    }

    #[test]
    fn a_move_puts_its_words_before_the_target() {
        let moved = |start, length, target| {
            let gain = 0;
            let (start, target) = (std::cmp::Reverse(start), std::cmp::Reverse(target));
            Move {
                gain,
                length,
                start,
                target,
            }
            .applied(&[0, 1, 2, 3, 4])
        };
        assert_eq!(moved(3, 2, 1), [0, 3, 4, 1, 2]);
        assert_eq!(moved(0, 2, 4), [2, 3, 0, 1, 4]);
        assert_eq!(moved(0, 2, 1), [2, 0, 1, 3, 4]);
    }

    #[test]
    fn texts_of_very_different_lengths_have_a_distance() {
        let long = vec!["w".to_owned(); 400];
        assert_eq!(edits(&long[..1], &long), 399);
        assert_eq!(edits(&long, &long[..1]), 399);
        assert_eq!(edits(&[], &long), 400);
    }
}
