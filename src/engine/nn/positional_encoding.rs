//! Positional encoding: a fixed table of sine and cosine waves, added to the embeddings (Vaswani et al. 2017, 3.5).

use crate::autograd::{Component, Tape, Var};
use crate::ops::{Layout, position_table};
use crate::tensor::Tensor;

/// The component [`positional_encoding`], which a tape may replace.
pub const POSITIONAL_ENCODING: Component<fn(usize, usize) -> Tensor> =
    Component::new("positional_encoding");

/// The sinusoidal positional encoding. It has no parameters.
pub struct PositionalEncoding {
    /// Number of positions in the table: the longest sentence it can encode.
    pub max_len: usize,
    /// Number of columns.
    pub d_model: usize,
    /// The order of the waves among the columns.
    pub layout: Layout,
    /// The position of the first token: 0 in the paper, the Annotated Transformer and TensorFlow's.
    pub first: usize,
}

impl PositionalEncoding {
    // ANCHOR: forward
    /// Adds the table's row for each position to `x [batch, length, d_model]`; every sentence gets
    /// the same rows. Panics if `length` exceeds `max_len`.
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

/// Records the table `[length, d_model]`; in the paper's layout the tape may replace the function that computes it.
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

/// Rearranges a table of alternating sines and cosines, `[length, d_model]`, into Marian's layout: the sines in the
/// first half of the columns, the cosines in the second.
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
