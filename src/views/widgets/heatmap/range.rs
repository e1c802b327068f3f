//! The range of a tensor's open cells, computed once per tensor.

use std::sync::Mutex;

use super::Values;
use crate::tensor::Tensor;
use crate::tensor::threads::lock;

/// Summary of all cells of a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest open value; greater than `most` if there is none.
    pub least: f32,
    /// Largest open value.
    pub most: f32,
    /// Number of blocked cells.
    pub blocked: usize,
    /// Number of open cells that are NaN or infinite.
    pub strange: usize,
    /// Whether all open values are integers.
    pub whole: bool,
}

impl Range {
    /// The exact range of `values`, over every cell, and of the values that share their scale.
    pub fn of(values: &Values) -> Self {
        let own = Self::of_own(values);
        values
            .other
            .as_deref()
            .map_or(own, |other| own.with(&Self::of_own(other)))
    }

    /// The same counts, with ends that cover both ranges.
    fn with(self, other: &Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            whole: self.whole && other.whole,
            ..self
        }
    }

    /// The range of the values alone.
    ///
    /// A tensor of more than 2,048 cells is scanned once and cached together with a handle to its data, so that the
    /// same address can't come to mean other numbers: a (30000, 512) table costs some milliseconds the first time it is
    /// drawn and nothing afterwards.
    fn of_own(values: &Values) -> Self {
        if values.values.len() <= 2048 {
            return Self::walk(values);
        }
        let mut known = lock(&KNOWN);
        if let Some(place) = known.iter().position(|(v, _)| v.is(values)) {
            let entry = known.remove(place);
            let range = entry.1;
            known.push(entry);
            return range;
        }
        let range = Self::walk(values);
        known.push((values.clone(), range));
        let cells =
            |known: &[(Values, Self)]| known.iter().map(|(v, _)| v.values.len()).sum::<usize>();
        while known.len() > 64 || (known.len() > ON_SCREEN && cells(&known) > MOST_CELLS) {
            known.remove(0);
        }
        range
    }

    fn walk(values: &Values) -> Self {
        let mut range = Self {
            least: f32::INFINITY,
            most: f32::NEG_INFINITY,
            blocked: 0,
            strange: 0,
            whole: true,
        };
        // Borrow the slices once: calling `data` for every cell is ten times as slow.
        let data = values.values.data();
        let minus = values.minus.as_ref().map(Tensor::data);
        let scores = values.blocked.as_ref().map(|(t, fill)| (t.data(), *fill));
        let itself = scores.is_some_and(|(s, _)| std::ptr::eq(s.as_ptr(), data.as_ptr()));
        if minus.is_none() && (itself || scores.is_none()) {
            let fill = scores.map(|(_, fill)| fill);
            for &x in data {
                range.take(x, fill.is_some_and(|fill| super::is_blocked(x, fill)));
            }
            return range;
        }
        for (at, &x) in data.iter().enumerate() {
            let x = minus.map_or(x, |minus| x - minus[at]);
            range.take(
                x,
                scores.is_some_and(|(s, fill)| super::is_blocked(s[at], fill)),
            );
        }
        range
    }

    fn take(&mut self, x: f32, blocked: bool) {
        if blocked {
            self.blocked += 1;
        } else if x.is_finite() {
            self.least = self.least.min(x);
            self.most = self.most.max(x);
            // Costs nothing after the first fraction.
            self.whole = self.whole && x.fract() == 0.0;
        } else {
            self.strange += 1;
        }
    }

    /// Largest absolute value of an open cell; 0 if there is none.
    pub fn bound(&self) -> f32 {
        if self.least > self.most {
            0.0
        } else {
            self.least.abs().max(self.most.abs())
        }
    }
}

/// Cells in cached tensors, which keep their memory: at most this many (8 MB).
const MOST_CELLS: usize = 2 << 20;

/// Entries cached whatever their size: one frame draws them, and the run shown keeps them anyway.
const ON_SCREEN: usize = 2;

static KNOWN: Mutex<Vec<(Values, Range)>> = Mutex::new(Vec::new());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocked_cells_and_strange_ones_are_left_out() {
        let cells = vec![1.5, -1e9, f32::NAN, -2.0, f32::NEG_INFINITY, f32::INFINITY];
        let range = Range::of(&Values::of(&Tensor::new(&[2, 3], cells)));
        assert_eq!((range.least, range.most), (-2.0, 1.5));
        assert_eq!((range.blocked, range.strange, range.whole), (2, 2, false));
    }

    #[test]
    fn a_changed_copy_of_a_large_tensor_is_walked_again() {
        let first = Tensor::zeros(&[64, 64]);
        assert_eq!(Range::of(&Values::of(&first)).most, 0.0);
        let mut second = first.clone();
        second.data_mut()[99] = 7.0;
        assert_eq!(Range::of(&Values::of(&second)).most, 7.0);
        assert_eq!(Range::of(&Values::of(&first)).most, 0.0);
    }
}
