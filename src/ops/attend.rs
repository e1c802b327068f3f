//! Multi-head attention between its maps, in one step: split, `softmax(query · keyᵀ / √d_k)`, dropout, `· value`,
//! combine. The fused form of what [`multi_head_attention`](crate::nn::multi_head_attention) composes: heads are
//! read where they stand, nothing is moved, and of the steps between only the weights are kept.

use crate::autograd::{Explanation, Nature, Op, Run, Var};
use crate::tensor::{Tensor, random, vector};

struct Attend {
    heads: usize,
    /// Whether the mask blocks cells, with 0; else it is a bias, added to the scores.
    blocks: bool,
    /// The factor of every weight, 0 where it is dropped; `None` where none is.
    kept: Option<Tensor>,
}

/// Sizes of one call, and where things stand in memory.
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

    /// Columns of a transposed block.
    fn padded(self) -> usize {
        columns(self.source)
    }

    /// Every sentence and head, with where its rows begin in queries, in keys, and in the weights.
    fn blocks(self) -> impl Iterator<Item = (usize, usize, usize, usize)> {
        (0..self.batch * self.heads).map(move |n| {
            let (b, h) = (n / self.heads, n % self.heads);
            let column = h * self.d_k();
            (
                b,
                b * self.target * self.width + column,
                b * self.source * self.width + column,
                n * self.target * self.source,
            )
        })
    }
}

/// Columns for `n` cells: a whole number of lanes, and never 256 bytes times a whole number. Rows that far apart share so
/// few places of the nearest cache that they push each other out.
fn columns(n: usize) -> usize {
    let whole = n.next_multiple_of(16);
    if whole.is_multiple_of(64) {
        whole + 16
    } else {
        whole
    }
}

/// Copies `rows` rows of `inner` cells, `stride` apart, into columns `wide` apart.
fn transpose(from: &[f32], stride: usize, rows: usize, inner: usize, to: &mut [f32], wide: usize) {
    for row in 0..rows {
        for (k, x) in from[row * stride..row * stride + inner].iter().enumerate() {
            to[k * wide + row] = *x;
        }
    }
}

impl Var {
    /// `self` is the mapped query `[batch, target, d]`; `key` and `value [batch, source, d]`; `mask [batch or 1, 1 or
    /// target, source]` of 1 and 0, or a bias. Returns the context `[batch, target, d]` and the weights `[batch,
    /// heads, target, source]` before dropout, which have no gradient of their own.
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

/// Row `t` of the mask of sentence `b`.
fn mask_row(mask: &Tensor, b: usize, t: usize) -> &[f32] {
    let &[sentences, rows, source] = mask.shape() else {
        panic!(
            "attend: a mask is [batch, target, source], not {:?}",
            mask.shape()
        );
    };
    let (b, t) = (
        if sentences == 1 { 0 } else { b },
        if rows == 1 { 0 } else { t },
    );
    let first = (b * rows + t) * source;
    &mask.data()[first..first + source]
}

impl Op for Attend {
    fn name(&self) -> &'static str {
        "attend"
    }

    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        self.forward_saving(inputs).0
    }

    // ANCHOR: forward
    // For every sentence and head: softmax(q kᵀ / √d_k), dropout, · v. The weights, before dropout, are saved.
    fn forward_saving(&self, inputs: &[Tensor]) -> (Tensor, Vec<Tensor>) {
        let (q, k, v) = (&inputs[0], &inputs[1], &inputs[2]);
        let sizes = Sizes::of(q, k, v, self.heads);
        let (d_k, source) = (sizes.d_k(), sizes.source);
        let scale = 1.0 / (d_k as f32).sqrt();
        let mut weights = Tensor::zeros(&sizes.weights());
        let wide = sizes.padded();
        let (mut keys, mut scores) = (vec![0.0; d_k * wide], vec![0.0; sizes.target * wide]);
        let mut context = Tensor::zeros(q.shape());
        let (all, out) = (weights.data_mut(), context.data_mut());
        for (b, query, keyed, at) in sizes.blocks() {
            transpose(
                &k.data()[keyed..],
                sizes.width,
                source,
                d_k,
                &mut keys,
                wide,
            );
            scores.fill(0.0);
            vector::small_product(
                (&q.data()[query..], sizes.width),
                (&keys, wide),
                (&mut scores, wide),
                (sizes.target, d_k, wide),
            );
            let rows = all[at..].chunks_mut(source).take(sizes.target);
            for (t, row) in rows.enumerate() {
                let mixing = &mut scores[t * wide..][..source];
                row.copy_from_slice(mixing);
                let mask = inputs
                    .get(3)
                    .map(|mask| (mask_row(mask, b, t), self.blocks));
                vector::masked_softmax(row, scale, mask);
                mixing.copy_from_slice(row);
                if let Some(kept) = &self.kept {
                    let kept = &kept.data()[at + t * source..][..source];
                    mixing.iter_mut().zip(kept).for_each(|(w, k)| *w *= k);
                }
            }
            vector::small_product(
                (&scores, wide),
                (&v.data()[keyed..], sizes.width),
                (&mut out[query..], sizes.width),
                (sizes.target, source, d_k),
            );
        }
        (context, vec![weights])
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was w = softmax(q kᵀ / √d_k), context = (w ⊙ kept) v, so dv = (w ⊙ kept)ᵀ dy, dw = dy vᵀ ⊙ kept,
    // ds = w ⊙ (dw − Σ dw w) / √d_k, dq = ds k, dk = dsᵀ q, for every sentence and head
    fn backward(&self, run: Run<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (q, k, v) = (&run.inputs[0], &run.inputs[1], &run.inputs[2]);
        let sizes = Sizes::of(q, k, v, self.heads);
        let (d_k, width, source) = (sizes.d_k(), sizes.width, sizes.source);
        let blocked = run.inputs.get(3).filter(|_| self.blocks);
        let scale = 1.0 / (d_k as f32).sqrt();
        let (mut dq, mut dk, mut dv) = (
            Tensor::zeros(q.shape()),
            Tensor::zeros(k.shape()),
            Tensor::zeros(k.shape()),
        );
        let (dq_cells, dk_cells, dv_cells) = (dq.data_mut(), dk.data_mut(), dv.data_mut());
        let wide = sizes.padded();
        let tall = columns(sizes.target);
        let (mut values, mut slopes) = (vec![0.0; d_k * wide], vec![0.0; sizes.target * wide]);
        let mut turned = vec![0.0; source * tall];
        for (b, query, keyed, at) in sizes.blocks() {
            let cells = sizes.target * source;
            let weights = &run.saved[0].data()[at..at + cells];
            let kept = self.kept.as_ref().map(|kept| &kept.data()[at..at + cells]);
            // dw, row by row.
            transpose(&v.data()[keyed..], width, source, d_k, &mut values, wide);
            slopes.fill(0.0);
            vector::small_product(
                (&dy.data()[query..], width),
                (&values, wide),
                (&mut slopes, wide),
                (sizes.target, d_k, wide),
            );
            // dv, from the weights that mixed.
            for (n, &w) in weights.iter().enumerate() {
                turned[n % source * tall + n / source] = w * kept.map_or(1.0, |kept| kept[n]);
            }
            vector::small_product(
                (&turned, tall),
                (&dy.data()[query..], width),
                (&mut dv_cells[keyed..], width),
                (source, sizes.target, d_k),
            );
            for t in 0..sizes.target {
                let slope = &mut slopes[t * wide..t * wide + source];
                let kept = kept.map(|kept| &kept[t * source..(t + 1) * source]);
                vector::softmax_back(slope, &weights[t * source..(t + 1) * source], kept, scale);
                if let Some(mask) = blocked {
                    // A blocked score is a constant. Its weight is 0, and so its slope, unless its whole row is blocked.
                    let cells = slope.iter_mut().zip(mask_row(mask, b, t));
                    cells.for_each(|(d, seen)| *d = if *seen == 0.0 { 0.0 } else { *d });
                }
                for (s, x) in slope.iter().enumerate() {
                    turned[s * tall + t] = *x;
                }
            }
            vector::small_product(
                (&slopes, wide),
                (&k.data()[keyed..], width),
                (&mut dq_cells[query..], width),
                (sizes.target, source, d_k),
            );
            vector::small_product(
                (&turned, tall),
                (&q.data()[query..], width),
                (&mut dk_cells[keyed..], width),
                (source, sizes.target, d_k),
            );
        }
        let mut all = vec![Some(dq), Some(dk), Some(dv)];
        all.resize(run.inputs.len(), None);
        all
    }
    // ANCHOR_END: backward

    fn explain(&self, run: Run<'_>, index: &[usize]) -> Explanation {
        let (value, at) = (&run.inputs[2], index[2]);
        let head = at / (value.last() / self.heads);
        let source = value.shape()[1];
        (0..source).fold(Explanation::new("sum(weight * value)"), |sum, s| {
            let cell = [index[0], head, index[1], s];
            let kept = self.kept.as_ref().map_or(1.0, |kept| kept.at(&cell));
            sum.constant("weight", run.saved[0].at(&cell) * kept).cell(
                "value",
                2,
                value,
                &[index[0], s, at],
            )
        })
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
        // What is blocked has no slope, even where all is and the weights are uniform.
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
    use crate::ops::check;
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
    fn attend_is_checked() {
        check::all(super::cases());
    }

    #[test]
    fn it_equals_what_is_composed_of_visible_steps() {
        for (target, source, heads) in [(4, 5, 2), (17, 40, 3), (1, 1, 6)] {
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
            assert!(near(&composed.weights.value(), &weights.value()));
            assert!(near(
                &combine_heads(&composed.context).value(),
                &context.value()
            ));
        }
    }
}
