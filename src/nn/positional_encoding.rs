//! Order: a fixed table of waves, added to the embeddings (Vaswani et al. 2017, 3.5).

use crate::autograd::{Component, Tape, Var};
use crate::ops::{Layout, position_table};
use crate::tensor::Tensor;

/// [`positional_encoding`], which a tape may have another function for.
pub const POSITIONAL_ENCODING: Component<fn(usize, usize) -> Tensor> =
    Component::new("positional_encoding");

/// The table, and how many positions it holds. It has no parameters.
pub struct PositionalEncoding {
    /// Positions that the table holds: the longest sentence it can serve.
    pub max_len: usize,
    /// Columns.
    pub d_model: usize,
    /// Which column holds which wave.
    pub layout: Layout,
    /// The position of the first token: 0 in the paper and in both sources.
    pub first: usize,
}

impl PositionalEncoding {
    // ANCHOR: forward
    /// Adds to each of `x [batch, length, d_model]` the row of its position: every sentence of the
    /// batch gets the same. Panics if `length` exceeds `max_len`.
    #[track_caller]
    pub fn forward(&self, x: &Var) -> Var {
        let length = x.shape()[1];
        let table = waves(x.tape(), self.max_len, self.d_model, self.layout).unsqueeze(0);
        let pe = table
            .named("table")
            .rows_from(self.first, length)
            .named("pe");
        x.add(&pe).named("with_position")
    }
    // ANCHOR_END: forward
}

/// The table `[length, d_model]`, recorded; the paper's layout by the tape's own function, if it has one.
#[track_caller]
pub fn waves(tape: &Tape, length: usize, d_model: usize, layout: Layout) -> Var {
    let own = match layout {
        Layout::Interleaved => tape.replacement(&POSITIONAL_ENCODING),
        Layout::Halves => None,
    };
    match own {
        Some(own) => tape.constant("waves", (own.function)(length, d_model), &["p", "d"]),
        None => tape.sinusoid(length, d_model, layout),
    }
}

/// A table of sines and cosines in turn, `[length, d_model]`, with the sines in the first half of the columns and the
/// cosines in the second: the same waves as Marian lays them out.
#[track_caller]
pub fn in_halves(table: &Var) -> Var {
    let (length, d_model) = (table.shape()[0], table.shape()[1]);
    let pairs = table.reshape(&[length, d_model / 2, 2], &["p", "i", "s"]);
    let halves = pairs.permute(&[0, 2, 1]).named("halves"); // [length, 2, d_model / 2]
    halves.reshape(&[length, d_model], &["p", "d"])
}

/// The paper's table `[length, d_model]` as plain numbers. Panics if `d_model` is odd.
#[track_caller]
pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    position_table(length, d_model, Layout::Interleaved)
}
