//! Fused multi-head attention without its linear maps: split, `softmax(query · keyᵀ / √d_k)`, dropout, `· value`,
//! combine, in one step.
//!
//! [`multi_head_attention`](crate::nn::multi_head_attention) composes the same from single steps. Here, heads are read
//! in place, and the weights are the only intermediate result that is kept.

use crate::autograd::{Combination, Explanation, Nature, Op, OpRun, Var};
use crate::tensor::mask::MaskRow;
use crate::tensor::small::{Left, Rows, SmallProduct, ask_for};
use crate::tensor::{Tensor, random, vector};

struct Attend {
    heads: usize,
    /// True if 0 in the mask blocks a cell; otherwise the mask is a bias, added to the scores.
    blocks: bool,
    /// The dropout factor of every weight, 0 where it is dropped; `None` without dropout.
    kept: Option<Tensor>,
}

/// Number of query rows whose scores are in memory at once: few enough to stay in the L1 and L2 caches from the first
/// product to the last. Sums over rows continue from strip to strip, so the size of a strip does not affect the bits.
const STRIP: usize = 32;

/// The sizes of one call, from which memory offsets are computed.
#[derive(Clone, Copy)]
struct Sizes {
    batch: usize,
    heads: usize,
    target: usize,
    source: usize,
    width: usize,
}

impl Sizes {
    #[track_caller]
    fn of(query: &Tensor, key: &Tensor, value: &Tensor, heads: usize) -> Self {
        let (q, k) = (query.shape(), key.shape());
        assert!(
            q.len() == 3 && k.len() == 3 && k == value.shape() && q[0] == k[0] && q[2] == k[2],
            "attend: query {q:?}, key {k:?} and value {:?} must be [batch, target, d] and twice [batch, source, d]",
            value.shape()
        );
        Self {
            batch: q[0],
            heads,
            target: q[1],
            source: k[1],
            width: q[2],
        }
    }

    /// The shape of the weights.
    fn weights(self) -> [usize; 4] {
        [self.batch, self.heads, self.target, self.source]
    }

    fn d_k(self) -> usize {
        self.width / self.heads
    }

    /// Number of columns of a transposed block.
    fn padded(self) -> usize {
        columns(self.source)
    }

    /// The first row and the number of rows of each strip.
    fn strips(self) -> impl Iterator<Item = (usize, usize)> {
        let firsts = (0..self.target).step_by(STRIP);
        firsts.map(move |first| (first, STRIP.min(self.target - first)))
    }

    /// The part of the next sentence's `rows` to prefetch during block `n`. The blocks of a sentence share the
    /// prefetching by contiguous ranges: the rows of a head are far apart, where no hardware prefetcher finds them.
    fn next(self, n: usize, rows: usize) -> std::ops::Range<usize> {
        let (all, share) = (self.batch * rows * self.width, rows * self.d_k());
        let first = ((n / self.heads + 1) * rows * self.width + n % self.heads * share).min(all);
        first..all.min(first + share)
    }

    /// The blocks of every sentence and head, in order.
    fn blocks(self) -> impl Iterator<Item = Block> {
        (0..self.batch * self.heads).map(move |n| {
            let (b, h) = (n / self.heads, n % self.heads);
            let column = h * self.d_k();
            Block {
                sentence: b,
                query: b * self.target * self.width + column,
                key: b * self.source * self.width + column,
                weights: n * self.target * self.source,
            }
        })
    }
}

/// One head of one sentence: the sentence, and the offsets of its first rows.
struct Block {
    sentence: usize,
    /// In the queries.
    query: usize,
    /// In the keys and values.
    key: usize,
    /// In the weights.
    weights: usize,
}

/// Row length for `n` cells: a multiple of the number of lanes, but not of 256 bytes, because rows at such distances
/// map to so few sets of the L1 cache that they evict each other.
fn columns(n: usize) -> usize {
    let whole = n.next_multiple_of(16);
    if whole.is_multiple_of(64) {
        whole + 16
    } else {
        whole
    }
}

/// Copies `rows` rows of `inner` cells, `stride` apart, into the columns of a matrix whose rows are `wide` apart. Up to
/// seven columns beyond them are filled with copies of the last row.
fn transpose(from: &[f32], stride: usize, rows: usize, inner: usize, to: &mut [f32], wide: usize) {
    /// Rows that are copied together, so that writes are contiguous.
    const TOGETHER: usize = 8;
    for first in (0..rows).step_by(TOGETHER) {
        let row = |row: usize| &from[row.min(rows - 1) * stride..][..inner];
        let rows: [&[f32]; TOGETHER] = std::array::from_fn(|r| row(first + r));
        for (k, to) in to.chunks_mut(wide).take(inner).enumerate() {
            let to: &mut [f32; TOGETHER] = (&mut to[first..first + TOGETHER])
                .try_into()
                .expect("a whole number of lanes is wide");
            for (cell, row) in to.iter_mut().zip(rows) {
                *cell = row[k];
            }
        }
    }
}

impl Var {
    /// Multi-head attention of the mapped query `self [batch, target, d]` over `key` and `value [batch, source, d]`,
    /// with a `mask [batch or 1, 1 or target, source]` of 1 and 0, or a bias. Returns the context `[batch, target, d]`
    /// and the weights `[batch, heads, target, source]` before dropout, through which no gradient flows.
    #[track_caller]
    pub fn attend(
        &self,
        key: &Var,
        value: &Var,
        mask: Option<&Var>,
        heads: usize,
        dropout: f32,
    ) -> (Var, Var) {
        let sizes = Sizes::of(&self.value(), &key.value(), &value.value(), heads);
        let seed = self.tape().dropout_seed().filter(|_| dropout > 0.0);
        let drop =
            |seed| random::dropped(&sizes.weights(), dropout, seed, "attend", self.id() as u64);
        let op = Attend {
            heads,
            blocks: mask.is_some_and(|mask| mask.nature() == Nature::Mask),
            kept: seed.map(drop),
        };
        let context = match mask {
            Some(mask) => self.apply(op, &[key, value, mask]),
            None => self.apply(op, &[key, value]),
        };
        let weights = context.saved(0);
        let weights = self
            .tape()
            .constant("weights", weights, &["b", "h", "t", "s"]);
        (context, weights)
    }
}

/// The mask's rows, `[batch or 1, 1 or target, source]`.
#[derive(Clone, Copy)]
struct Mask<'a> {
    cells: &'a [f32],
    sentences: usize,
    rows: usize,
    source: usize,
}

impl<'a> Mask<'a> {
    fn of(mask: &'a Tensor) -> Self {
        let &[sentences, rows, source] = mask.shape() else {
            panic!(
                "attend: a mask is [batch, target, source], not {:?}",
                mask.shape()
            );
        };
        let cells = mask.data();
        Self {
            cells,
            sentences,
            rows,
            source,
        }
    }

    /// Row `t` of sentence `b`.
    fn row(self, b: usize, t: usize) -> &'a [f32] {
        let b = if self.sentences == 1 { 0 } else { b };
        let t = if self.rows == 1 { 0 } else { t };
        let first = (b * self.rows + t) * self.source;
        &self.cells[first..first + self.source]
    }
}

impl Op for Attend {
    fn name(&self) -> &'static str {
        "attend"
    }

    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        self.forward_saving(inputs).0
    }

    // ANCHOR: forward
    // For each sentence and head: softmax(q kᵀ / √d_k), dropout, · v; saves the undropped weights.
    fn forward_saving(&self, inputs: &[Tensor]) -> (Tensor, Vec<Tensor>) {
        let (q, k, v) = (&inputs[0], &inputs[1], &inputs[2]);
        let sizes = Sizes::of(q, k, v, self.heads);
        let (d_k, width, source) = (sizes.d_k(), sizes.width, sizes.source);
        let scale = 1.0 / (d_k as f32).sqrt();
        let wide = sizes.padded();
        let (mut keys, mut scores) = (vec![0.0; d_k * wide], vec![0.0; STRIP * wide]);
        let mut weights = Vec::with_capacity(sizes.weights().iter().product());
        let mut context = Tensor::zeros(q.shape());
        let out = context.data_mut();
        let mask = inputs.get(3).map(Mask::of);
        let kept = self.kept.as_ref().map(Tensor::data);
        for (n, block) in sizes.blocks().enumerate() {
            let (b, query, keyed) = (block.sentence, block.query, block.key);
            // Prefetch a part of the next sentence's rows.
            ask_for(&q.data()[sizes.next(n, sizes.target)]);
            ask_for(&k.data()[sizes.next(n, source)]);
            ask_for(&v.data()[sizes.next(n, source)]);
            transpose(&k.data()[keyed..], width, source, d_k, &mut keys, wide);
            for (first, rows) in sizes.strips() {
                let query = query + first * width;
                SmallProduct {
                    a: Left::Rows(Rows::new(&q.data()[query..], width)),
                    b: Rows::new(&keys, wide),
                    rows,
                    inner: d_k,
                    columns: wide,
                }
                .write(&mut scores, wide);
                for (t, mixing) in scores.chunks_mut(wide).take(rows).enumerate() {
                    let (at, mixing) = (weights.len(), &mut mixing[..source]);
                    weights.extend_from_slice(mixing);
                    let mask = mask.map(|mask| mask.row(b, first + t)).map(if self.blocks {
                        MaskRow::Keep
                    } else {
                        MaskRow::Bias
                    });
                    vector::masked_softmax(&mut weights[at..], scale, mask);
                    mixing.copy_from_slice(&weights[at..]);
                    if let Some(kept) = kept {
                        vector::mul(mixing, &kept[at..at + source]);
                    }
                }
                SmallProduct {
                    a: Left::Rows(Rows::new(&scores, wide)),
                    b: Rows::new(&v.data()[keyed..], width),
                    rows,
                    inner: source,
                    columns: d_k,
                }
                .write(&mut out[query..], width);
            }
        }
        (context, vec![Tensor::new(&sizes.weights(), weights)])
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was w = softmax(q kᵀ / √d_k), context = (w ⊙ kept) v, so for each sentence and head
    // dv = (w ⊙ kept)ᵀ dy, dw = dy vᵀ ⊙ kept, ds = w ⊙ (dw − Σ dw w) / √d_k, dq = ds k, dk = dsᵀ q
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (q, k, v) = (&run.inputs[0], &run.inputs[1], &run.inputs[2]);
        let sizes = Sizes::of(q, k, v, self.heads);
        let (d_k, width, source) = (sizes.d_k(), sizes.width, sizes.source);
        let blocked = run.inputs.get(3).filter(|_| self.blocks).map(Mask::of);
        let scale = 1.0 / (d_k as f32).sqrt();
        let [mut dq, mut dk, mut dv] = [q, k, v].map(|x| Tensor::zeros(x.shape()));
        let (dq_cells, dk_cells, dv_cells) = (dq.data_mut(), dk.data_mut(), dv.data_mut());
        let wide = sizes.padded();
        let mut values = vec![0.0; d_k * wide];
        let [mut slopes, mut mixed] = [(); 2].map(|()| vec![0.0; STRIP * wide]);
        for (n, block) in sizes.blocks().enumerate() {
            let (b, at) = (block.sentence, block.weights);
            let (query, keyed) = (block.query, block.key);
            // Prefetch a part of the next sentence's rows.
            let (queries, keys) = (sizes.next(n, sizes.target), sizes.next(n, sizes.source));
            ask_for(&q.data()[queries.clone()]);
            ask_for(&dy.data()[queries]);
            ask_for(&k.data()[keys.clone()]);
            ask_for(&v.data()[keys]);
            transpose(&v.data()[keyed..], width, source, d_k, &mut values, wide);
            for (first, rows) in sizes.strips() {
                let (query, at) = (query + first * width, at + first * source);
                let (q, dy) = (&q.data()[query..], &dy.data()[query..]);
                let weights = &run.saved[0].data()[at..];
                let kept = self.kept.as_ref().map(|kept| &kept.data()[at..]);
                // dw
                SmallProduct {
                    a: Left::Rows(Rows::new(dy, width)),
                    b: Rows::new(&values, wide),
                    rows,
                    inner: d_k,
                    columns: wide,
                }
                .write(&mut slopes, wide);
                let strip = slopes.chunks_mut(wide).zip(mixed.chunks_mut(wide));
                for (t, (slope, mixed)) in strip.take(rows).enumerate() {
                    let (slope, mixed) = (&mut slope[..source], &mut mixed[..source]);
                    let weights = &weights[t * source..][..source];
                    let kept = kept.map(|kept| &kept[t * source..][..source]);
                    mixed.copy_from_slice(weights);
                    if let Some(kept) = kept {
                        vector::mul(mixed, kept);
                    }
                    vector::softmax_back(slope, weights, kept, scale);
                    if let Some(mask) = blocked {
                        // A blocked score is a constant. Its weight is 0, and so is its gradient,
                        // unless the whole row is blocked.
                        let cells = slope.iter_mut().zip(mask.row(b, first + t));
                        cells.for_each(|(d, seen)| *d = if *seen == 0.0 { 0.0 } else { *d });
                    }
                }
                SmallProduct {
                    a: Left::Rows(Rows::new(&slopes, wide)),
                    b: Rows::new(&k.data()[keyed..], width),
                    rows,
                    inner: source,
                    columns: d_k,
                }
                .write(&mut dq_cells[query..], width);
                let products = [(&mixed, dy, &mut *dv_cells), (&slopes, q, &mut *dk_cells)];
                for (left, right, out) in products {
                    SmallProduct {
                        a: Left::Columns(Rows::new(left, wide)),
                        b: Rows::new(right, width),
                        rows: source,
                        inner: rows,
                        columns: d_k,
                    }
                    .add(&mut out[keyed..], width);
                }
            }
        }
        let mut all = vec![Some(dq), Some(dk), Some(dv)];
        all.resize(run.inputs.len(), None);
        all
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let (value, at) = (&run.inputs[2], index[2]);
        let head = at / (value.last() / self.heads);
        let source = value.shape()[1];
        (0..source).fold(
            Explanation::of(Combination::Products, "sum(weight * value)"),
            |sum, s| {
                let cell = [index[0], head, index[1], s];
                let kept = self.kept.as_ref().map_or(1.0, |kept| kept.at(&cell));
                sum.constant("weight", run.saved[0].at(&cell) * kept).cell(
                    "value",
                    2,
                    value,
                    &[index[0], s, at],
                )
            },
        )
    }

    fn flops(&self, inputs: &[Tensor], output: &Tensor) -> u64 {
        let rows = self.heads * output.len() / output.last().max(1);
        ((4 * output.len() + 5 * rows) * inputs[1].shape()[1]) as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, given, mask, numbers};
    use crate::autograd::Tape;

    let inputs = |b: usize, t: usize, s: usize, d: usize| {
        vec![
            numbers(&[b, t, d]),
            numbers(&[b, s, d]),
            numbers(&[b, s, d]),
        ]
    };
    let with = |mut inputs: Vec<_>, mask| {
        inputs.push(mask);
        inputs
    };
    let masked = |heads, dropout| {
        move |_: &Tape, v: &[Var]| v[0].attend(&v[1], &v[2], Some(&v[3]), heads, dropout).0
    };
    let plain = |heads| move |_: &Tape, v: &[Var]| v[0].attend(&v[1], &v[2], None, heads, 0.0).0;
    let ragged = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0];
    let bias = ragged.map(|seen| if seen == 0.0 { -1e9 } else { 0.5 });
    let bias = given(Tensor::new(&[2, 2, 3], bias.to_vec()));
    vec![
        Case::new("two sentences, three heads", inputs(2, 4, 5, 6), plain(3)),
        Case::new("as many targets as sources", inputs(1, 3, 3, 4), plain(2)),
        Case::new(
            "a mask and dropout",
            with(inputs(2, 2, 3, 4), mask(&[2, 2, 3], &ragged)),
            masked(2, 0.3),
        ),
        Case::new(
            "one mask for all rows",
            with(inputs(2, 2, 3, 4), mask(&[1, 1, 3], &[1.0, 0.0, 1.0])),
            masked(1, 0.0),
        ),
        Case::new("a bias", with(inputs(2, 2, 3, 4), bias), masked(2, 0.0)),
        // Blocked scores have no gradient, even if the whole row is blocked and the weights are uniform.
        Case::new(
            "a row that is wholly blocked",
            with(
                inputs(1, 2, 3, 4),
                mask(&[1, 2, 3], &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0]),
            ),
            masked(2, 0.0),
        ),
        Case::new("batch 1, length 1", inputs(1, 1, 1, 2), plain(1)),
        Case::new("one target and long rows", inputs(1, 1, 40, 2), plain(1)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::nn::attention::attention;
    use crate::nn::multi_head_attention::{combine_heads, split_heads};
    use crate::params::Params;

    fn masked(tape: &Tape, target: usize, source: usize) -> Var {
        let seen = |i: &[usize]| {
            f32::from(u8::from(
                i[1] * source >= i[2] * target && i[2] + i[0] < source,
            ))
        };
        tape.mask(
            "mask",
            Tensor::from_fn(&[2, target, source], seen),
            &["b", "t", "s"],
        )
    }

    #[test]
    fn it_equals_what_is_composed_of_visible_steps() {
        for (target, source, heads) in [(4, 5, 2), (17, 40, 3), (1, 1, 6), (67, 35, 2)] {
            let tape = Tape::eval(&Params::default());
            let draw = |name: &str, n| {
                tape.input(
                    name,
                    random::normal(&[2, n, 12], 1.5, 3, name),
                    &["b", "t", "d"],
                )
            };
            let (q, k, v) = (draw("q", target), draw("k", source), draw("v", source));
            let mask = masked(&tape, target, source);
            let split = |x: &Var| split_heads(x, heads);
            let composed = attention(
                &split(&q),
                &split(&k),
                &split(&v),
                Some(&mask.unsqueeze(1)),
                0.0,
            );
            let (context, weights) = q.attend(&k, &v, Some(&mask), heads, 0.0);
            let near = |a: &Tensor, b: &Tensor| {
                a.data()
                    .iter()
                    .zip(b.data())
                    .all(|(a, b)| (a - b).abs() < 1e-5)
            };
            let combined = combine_heads(&composed.context);
            assert!(near(&composed.weights.value(), &weights.value()));
            assert!(near(&combined.value(), &context.value()));
            let upstream = random::normal(&[2, target, 12], 0.5, 3, "dy");
            let (steps, fused) = (
                combined.backward_from(&upstream),
                context.backward_from(&upstream),
            );
            for x in [&q, &k, &v] {
                assert!(near(steps.get(x).unwrap(), fused.get(x).unwrap()));
            }
        }
    }
}
