//! The rows or columns of a printed matrix: a window around the cursor, plus those that the text names.

use crate::widgets::svg::escape;

/// Maximum number of named columns printed outside the window.
const BEYOND: usize = 4;

/// One axis of a table: its positions, and which of them are printed.
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) size: usize,
    pub(super) words: Vec<String>,
    /// First position of the window, and its length.
    pub(super) window: (usize, usize),
    /// Positions outside the window that are printed too, in order.
    pub(super) beyond: Vec<usize>,
}

impl Axis {
    /// Prints all positions if there are at most `all`, otherwise `most` of them around the cursor.
    pub(super) fn new(
        name: &str,
        size: usize,
        words: Vec<String>,
        cursor: usize,
        (most, all): (usize, usize),
    ) -> Self {
        let most = if size <= all { all } else { most };
        let mut axis = Self {
            name: name.to_owned(),
            size,
            words,
            window: (0, 0),
            beyond: Vec::new(),
        };
        axis.open(cursor, most, &[]);
        axis
    }

    /// Prints up to `most` positions: as many of those `named` as fit, and otherwise those around the cursor.
    pub(super) fn open(&mut self, cursor: usize, most: usize, named: &[usize]) {
        let size = self.size;
        let count = size.min(most);
        let first = cursor.saturating_sub(most / 2).min(size - count);
        self.window = (first, count);
        let outside = |count: usize| {
            let within = first..first + count;
            let all = named.iter().copied();
            all.filter(move |at| *at < size && !within.contains(at))
        };
        // Named columns take the place of others in the window, so that readers need not scroll to what the text names.
        let spared = outside(count).count().min(BEYOND).min(count / 2);
        self.window.1 = count - spared;
        self.beyond = outside(count - spared).collect();
        self.beyond.sort_unstable();
        self.beyond.dedup();
        self.beyond.truncate(BEYOND);
    }

    pub(super) fn shown(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        let (first, count) = self.window;
        let before = self.beyond.iter().take_while(move |at| **at < first);
        let behind = self.beyond.iter().skip_while(move |at| **at < first);
        before
            .copied()
            .chain(first..first + count)
            .chain(behind.copied())
    }

    pub(super) fn word(&self, at: usize) -> Option<&String> {
        self.words.get(at).filter(|word| !word.is_empty())
    }

    pub(super) fn plain(&self, at: usize) -> String {
        self.word(at).cloned().unwrap_or_else(|| at.to_string())
    }

    pub(super) fn label(&self, at: usize) -> String {
        match self.word(at) {
            Some(word) => format!("<span class=\"tt-word\">{}</span>", escape(word)),
            None => at.to_string(),
        }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.window.1 == self.size
    }

    /// Description of the printed positions: `rows 0 to 11 of 30`.
    pub(super) fn description(&self, what: &str) -> String {
        let (first, count) = self.window;
        let beyond: String = self.beyond.iter().map(|at| format!(", {at}")).collect();
        format!(
            "{what} {first} to {}{beyond} of {}",
            first + count - 1,
            self.size
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ALL, WINDOW};
    use super::*;

    #[test]
    fn columns_that_are_named_stand_beside_the_window_in_its_room() {
        let axis = |cursor, named: &[usize]| {
            let mut axis = Axis::new("d", 512, Vec::new(), cursor, (WINDOW.1, ALL.1));
            axis.open(cursor, WINDOW.1, named);
            axis
        };
        let shown = |axis: Axis| axis.shown().collect::<Vec<_>>();
        let named = axis(0, &[395, 29, 450, 11, 600]);
        assert!(
            named
                .description("columns")
                .starts_with("columns 0 to 8, 11, 29, 395, 450 of")
        );
        assert_eq!(shown(named), [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 29, 395, 450]);
        assert_eq!(shown(axis(0, &[3])), (0..12).collect::<Vec<_>>());
        assert_eq!(shown(axis(206, &[3, 500]))[..2], [3, 200]);
    }
}
