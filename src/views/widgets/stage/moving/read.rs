//! The data of an animation, read from the trace.

use crate::autograd::{Step, Trace};
use crate::tensor::Tensor;
use crate::tensor::broadcast::source;
use crate::typeset::number::short;
use crate::widgets::motion::{
    Along, Arrangement, Broadcast, Dot, Heads, Lookup, Mask, Meet, Motion, Norm, Row, Shift,
    Softmax,
};
use crate::widgets::stage::{batch, cell_name, plain_name};

/// Maximum number of cells in a slice whose blocked cells are counted: beyond that, a key press would lag.
const MOST: usize = 1 << 14;

/// Source of an animation: a step, and the cell under the cursor.
pub(super) struct Source<'a> {
    pub trace: &'a Trace,
    /// Number of the step in the trace.
    pub number: usize,
    pub step: &'a Step,
    pub index: &'a [usize],
}

impl Source<'_> {
    /// The animation of the step's operation, if it has one.
    pub fn motion(&self) -> Option<Motion> {
        match self.step.op() {
            "embedding" => self.lookup().map(Motion::Lookup),
            "matmul" => self.dot(false).map(Motion::Dot),
            "matmul_t" => self.dot(true).map(Motion::Dot),
            "softmax" => self.softmax().map(Motion::Softmax),
            "mask_fill" => self.mask().map(Motion::Mask),
            "reshape" => self.reshaped().map(Motion::Heads),
            "permute" => self.permuted().map(Motion::Heads),
            "add" => self.pair("+", "is added to"),
            "sub" => self.pair("−", "is subtracted from"),
            "mul" => self.pair("×", "multiplies"),
            "div" => self.pair("÷", "divides"),
            "expand" => self.expanded().map(Motion::Broadcast),
            "normalize" => self.norm().map(Motion::Norm),
            "shift_right" => self.shift().map(Motion::Shift),
            _ => None,
        }
    }

    /// Step that is input `n`.
    fn input(&self, n: usize) -> Option<&Step> {
        self.trace.steps().get(*self.step.inputs().get(n)?)
    }

    /// Indices before row and column, the row, and the column; for a vector the row is 0.
    fn position(&self) -> (&[usize], usize, usize) {
        match self.index {
            [] => (&[], 0, 0),
            [column] => (&[], 0, *column),
            [leading @ .., row, column] => (leading, *row, *column),
        }
    }

    /// The word at a position of an axis, counted from the last, as a space and the word in quotes; empty if there is
    /// none.
    fn word(&self, step: &Step, axis_from_last: usize, at: usize) -> String {
        let word = step
            .axes
            .len()
            .checked_sub(axis_from_last + 1)
            .and_then(|axis| {
                let batch = batch(&self.step.axes, self.index);
                self.trace.word(step.axes[axis], batch, at)
            });
        word.map_or_else(String::new, |word| format!(" \"{word}\""))
    }

    /// Name of the result's row: `Row 2 "dog"`.
    fn row_name(&self) -> String {
        let row = self.position().1;
        format!("Row {row}{}", self.word(self.step, 1, row))
    }

    /// Values of the row of `tensor` from which the cell's own row was computed, broadcast to its length.
    fn row_of(&self, tensor: &Tensor) -> Vec<f32> {
        let Some((_, front)) = self.index.split_last() else {
            return tensor.data().to_vec();
        };
        let columns = self.step.value.last();
        let cell = |column: usize| tensor.at(&source(tensor, &[front, &[column]].concat()));
        (0..columns).map(cell).collect()
    }

    /// Like [`Self::row_of`], for the column.
    fn column_of(&self, tensor: &Tensor) -> Vec<f32> {
        let (leading, _, column) = self.position();
        let shape = self.step.value.shape();
        let rows = shape.len().checked_sub(2).map_or(1, |axis| shape[axis]);
        let cell = |row: usize| tensor.at(&source(tensor, &[leading, &[row, column]].concat()));
        (0..rows).map(cell).collect()
    }

    fn lookup(&self) -> Option<Lookup> {
        let (matrix, ids) = (self.input(0)?, self.input(1)?);
        let (_, front) = self.index.split_last()?;
        let position = *front.last()?;
        let word = self.word(self.step, 1, position);
        Some(Lookup {
            matrix: matrix.value.clone(),
            id: ids.value.at(front) as usize,
            position,
            token: match word.trim() {
                "" => String::new(),
                word => format!("Token {word}"),
            },
            name: match plain_name(self.trace, matrix).as_ref() {
                "table" => "the embedding matrix".to_owned(),
                name => name.to_owned(),
            },
        })
    }

    /// The dot product behind the cell; `transposed` multiplies rows by rows.
    fn dot(&self, transposed: bool) -> Option<Dot> {
        let (left, right) = (self.input(0)?, self.input(1)?);
        let (leading, row, column) = self.position();
        let batch = match right.value.rank() {
            2 => &[][..],
            _ => leading,
        };
        let count = left.value.last();
        let other = |k: usize| {
            if transposed {
                [batch, &[column, k]].concat()
            } else {
                [batch, &[k, column]].concat()
            }
        };
        let a = (0..count).map(|k| left.value.at(&[leading, &[row, k]].concat()));
        let b = (0..count).map(|k| right.value.at(&other(k)));
        let names = [left, right].map(|step| plain_name(self.trace, step).into_owned());
        let (what, word) = if transposed {
            ("row", self.word(right, 1, column))
        } else {
            ("column", self.word(right, 0, column))
        };
        let factors = format!(
            "{} row {row}{} · {} {what} {column}{word}",
            names[0],
            self.word(left, 1, row),
            names[1],
        );
        let [name_a, name_b] = names;
        Some(Dot::new(
            Row::new(name_a, a.collect(), left.nature),
            Row::new(name_b, b.collect(), right.nature),
            self.step.value.at(self.index),
            factors,
            cell_name(&plain_name(self.trace, self.step), self.index),
        ))
    }

    fn softmax(&self) -> Option<Softmax> {
        let scores = self.row_of(&self.input(0)?.value);
        let column = self.position().2;
        let word = |at: usize| self.word(self.step, 0, at);
        let words = if word(0).is_empty() {
            Vec::new()
        } else {
            (0..scores.len())
                .map(|at| word(at).trim_matches([' ', '"']).to_owned())
                .collect()
        };
        let shares = self.row_of(&self.step.value);
        Some(Softmax::new(scores, shares, words, column, self.row_name()))
    }

    fn mask(&self) -> Option<Mask> {
        let (scores, mask) = (self.input(0)?, self.input(1)?);
        let cell = self.trace.explain(self.number, self.index);
        let fill = cell.terms.iter().find(|term| term.role == "fill")?.value;
        let shape = self.step.value.shape();
        let [.., rows, columns] = *shape else {
            return None;
        };
        if rows * columns > MOST {
            return None;
        }
        let leading = self.position().0.to_vec();
        let is_blocked = |row: usize, column: usize| {
            let index = [&leading[..], &[row, column]].concat();
            mask.value.at(&source(&mask.value, &index)) == 0.0
        };
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let blocked = all
            .filter(|(row, column)| is_blocked(*row, *column))
            .count();
        Some(Mask {
            scores: scores.value.clone(),
            mask: mask.value.clone(),
            leading,
            fill,
            blocked: (blocked, rows * columns),
        })
    }

    /// The reshape of `[b, t, d]` to `[b, t, h, k]`, or back.
    fn reshaped(&self) -> Option<Heads> {
        let before = self.input(0)?;
        let (from, to) = (before.value.shape(), self.step.value.shape());
        let (shape, arrangements, by) = match (from, to) {
            ([b, t, d], [c, u, h, k]) if (b, t) == (c, u) && h * k == *d && *h > 1 => (
                [*t, *h, *k],
                (Arrangement::Joined, Arrangement::Parted),
                &before.value,
            ),
            ([b, t, h, k], [c, u, d]) if (b, t) == (c, u) && h * k == *d && *h > 1 => (
                [*t, *h, *k],
                (Arrangement::Parted, Arrangement::Joined),
                &self.step.value,
            ),
            _ => return None,
        };
        // In both shapes a sentence is a contiguous block of memory, token by token and head by head.
        let size: usize = shape.iter().product();
        let sentence = self.index[0] * size;
        let values = Tensor::new(&shape, by.data()[sentence..sentence + size].to_vec());
        let axis = if to.len() == 3 { 1 } else { 2 };
        Some(self.heads(values, arrangements, axis))
    }

    /// The permutation of `[b, t, h, k]` to `[b, h, t, k]`, or back, told apart by the axis `h`.
    fn permuted(&self) -> Option<Heads> {
        let before = self.input(0)?;
        let &[_, first, second, columns] = self.step.value.shape() else {
            return None;
        };
        let swapped = before.value.shape() == [self.step.value.shape()[0], second, first, columns];
        // Axes of length 1 and transposed matrices are not heads.
        let moved = before.axes.len() == 4
            && before.axes[1] == self.step.axes[2]
            && before.axes[2] == self.step.axes[1];
        if !swapped || !moved {
            return None;
        }
        let size = first * second * columns;
        let sentence = self.index[0] * size;
        let block = |step: &Step| step.value.data()[sentence..sentence + size].to_vec();
        let (shape, data, arrangements, axis) = match (self.step.axes[1], self.step.axes[2]) {
            ("h", _) => (
                [second, first, columns],
                block(before),
                (Arrangement::Parted, Arrangement::Stacked),
                1,
            ),
            (_, "h") => (
                [first, second, columns],
                block(self.step),
                (Arrangement::Stacked, Arrangement::Parted),
                2,
            ),
            _ => return None,
        };
        Some(self.heads(Tensor::new(&shape, data), arrangements, axis))
    }

    /// Change of arrangement; `axis` is the tokens' axis in the result, counted from the last.
    fn heads(&self, values: Tensor, (from, to): (Arrangement, Arrangement), axis: usize) -> Heads {
        let word = |at: usize| self.word(self.step, axis, at);
        let words = if word(0).is_empty() {
            Vec::new()
        } else {
            let tokens = values.shape()[0];
            (0..tokens)
                .map(|at| word(at).trim_matches([' ', '"']).to_owned())
                .collect()
        };
        Heads::new(values, from, to, words)
    }

    /// Cell-by-cell operation on two tensors: those of equal shape meet, otherwise the smaller is broadcast.
    fn pair(&self, sign: &'static str, verb: &str) -> Option<Motion> {
        let (left, right) = (self.input(0)?, self.input(1)?);
        let (a, b) = (&left.value, &right.value);
        if a.rank() == 0 || b.rank() == 0 || self.step.value.rank() == 0 {
            return None;
        }
        if a.shape() == b.shape() {
            let row = |step: &Step| {
                let name = plain_name(self.trace, step).into_owned();
                Row::new(name, self.row_of(&step.value), step.nature)
            };
            let (left, right, result) = (row(left), row(right), row(self.step));
            let column = self.position().2;
            let meet = Meet::new(left, right, result, sign, column, self.row_name());
            return Some(Motion::Meet(meet));
        }
        // The operand with the result's shape stays, and the other is repeated.
        let whole = self.step.value.shape();
        let (larger, smaller) = match (a.shape() == whole, b.shape() == whole) {
            (true, _) => (left, right),
            // Addition and multiplication commute.
            (_, true) if matches!(sign, "+" | "×") => (right, left),
            _ => return None,
        };
        let name = plain_name(self.trace, smaller);
        let other = plain_name(self.trace, larger);
        self.repeated(Some(larger), smaller, sign, |each| {
            format!("{name} {verb} {each} of {other}: the same numbers each time.")
        })
        .map(Motion::Broadcast)
    }

    fn expanded(&self) -> Option<Broadcast> {
        let smaller = self.input(0)?;
        let name = plain_name(self.trace, smaller);
        self.repeated(None, smaller, "", |each| {
            format!("{name} is repeated for {each}: the same numbers each time.")
        })
    }

    fn repeated(
        &self,
        larger: Option<&Step>,
        smaller: &Step,
        sign: &'static str,
        says: impl Fn(&str) -> String,
    ) -> Option<Broadcast> {
        let whole = self.step.value.shape();
        if whole.len() < 2 {
            return None;
        }
        let small = smaller.value.shape();
        let size = |from_last: usize| {
            small
                .len()
                .checked_sub(from_last + 1)
                .map_or(1, |i| small[i])
        };
        let (rows, columns) = (whole[whole.len() - 2], whole[whole.len() - 1]);
        let (along, each) = match (size(1), size(0)) {
            (1, n) if rows > 1 && n == columns => (Along::Rows, format!("each of the {rows} rows")),
            (n, 1) if columns > 1 && n == rows => {
                (Along::Columns, format!("each of the {columns} columns"))
            }
            (m, n) if (m, n) == (rows, columns) => {
                let slices: usize = whole[..whole.len() - 2].iter().product();
                (Along::Slices, format!("each of the {slices} slices"))
            }
            _ => return None,
        };
        let at = &smaller.value;
        let line = match along {
            Along::Columns => self.column_of(at),
            Along::Rows | Along::Slices => self.row_of(at),
        };
        let name = plain_name(self.trace, smaller).into_owned();
        Some(Broadcast {
            line: Row::new(name, line, smaller.nature),
            larger: larger.map(|step| step.value.clone()),
            smaller: smaller.value.clone(),
            leading: self.position().0.to_vec(),
            along,
            sign,
            says: says(&each),
        })
    }

    fn norm(&self) -> Option<Norm> {
        let values = self.row_of(&self.input(0)?.value);
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        // Recover the divisor that the operation used, whatever its definition, from the cell furthest from the mean.
        let result = self.row_of(&self.step.value);
        let (x, y) = (values.iter().zip(&result))
            .max_by(|a, b| (a.0 - mean).abs().total_cmp(&(b.0 - mean).abs()))?;
        let deviation = (x - mean) / y;
        (deviation.is_finite() && deviation > 0.0)
            .then(|| Norm::new(values, mean, deviation, self.row_name()))
    }

    fn shift(&self) -> Option<Shift> {
        let before = &self.input(0)?.value;
        let &[batch, row, _] = self.index else {
            return None;
        };
        let says = match row.checked_sub(1) {
            Some(from) => format!(
                "Position {row} now holds the vector of position {from}, which begins with {}.",
                short(before.at(&[batch, from, 0]), 7)
            ),
            None => "Position 0 now holds zeros.".to_owned(),
        };
        Some(Shift {
            before: before.clone(),
            batch,
            says,
        })
    }
}
