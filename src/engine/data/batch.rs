//! Batches of sentence pairs, as tensors of ids.

use crate::tensor::Tensor;
pub use crate::text::vocabulary::PAD;

/// Sentence pairs that go through the model together, each side padded with id 0 to its longest sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Source ids `[batch, source]`.
    pub src: Tensor,
    /// Target ids with start and end tokens, `[batch, target + 1]`: the decoder reads all but the last column and
    /// predicts all but the first.
    pub tgt: Tensor,
}

impl Batch {
    /// Pads the source ids of all `pairs` to one length, and the target ids to another.
    pub fn new(pairs: &[(&[u32], &[u32])]) -> Self {
        let padded = |rows: Vec<&[u32]>| {
            let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
            let cells = rows.iter().flat_map(|row| {
                let padding = std::iter::repeat_n(PAD as f32, width - row.len());
                row.iter().map(|&id| id as f32).chain(padding)
            });
            Tensor::new(&[rows.len(), width], cells.collect())
        };
        Self {
            src: padded(pairs.iter().map(|pair| pair.0).collect()),
            tgt: padded(pairs.iter().map(|pair| pair.1).collect()),
        }
    }

    /// Number of sentence pairs.
    pub fn sentences(&self) -> usize {
        self.src.shape()[0]
    }

    /// Number of target tokens to predict, without padding.
    pub fn target_tokens(&self) -> usize {
        let width = self.tgt.last();
        let rows = self.tgt.data().chunks(width.max(1));
        rows.map(|row| row[1..].iter().filter(|&&id| id as usize != PAD).count())
            .sum()
    }

    /// Part `n` of `parts`, counted from 0, without columns that are only padding.
    pub fn part(&self, n: usize, parts: usize) -> Self {
        let rows = self.sentences();
        let (first, end) = (rows * n / parts, rows * (n + 1) / parts);
        let cut = |x: &Tensor| {
            let width = x.last();
            let rows = &x.data()[first * width..end * width];
            let real = |row: &[f32]| {
                row.iter()
                    .rposition(|&id| id as usize != PAD)
                    .map_or(1, |i| i + 1)
            };
            let kept = rows.chunks(width).map(real).max().unwrap_or(1);
            let cells = rows.chunks(width).flat_map(|row| row[..kept].to_vec());
            Tensor::new(&[end - first, kept], cells.collect())
        };
        Self {
            src: cut(&self.src),
            tgt: cut(&self.tgt),
        }
    }

    /// Decoder input, and the tokens that the decoder must predict.
    pub fn shifted(&self) -> (Tensor, Tensor) {
        let width = self.tgt.last();
        let columns = |from: usize| {
            let rows = self.tgt.data().chunks(width);
            let cells = rows
                .flat_map(|row| row[from..from + width - 1].to_vec())
                .collect();
            Tensor::new(&[self.sentences(), width - 1], cells)
        };
        (columns(0), columns(1))
    }
}
