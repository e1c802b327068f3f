//! Multi-head attention between its maps, in one step: split, `softmax(query · keyᵀ / √d_k)`, dropout, `· value`,
//! combine. The fused form of what [`multi_head_attention`](crate::nn::multi_head_attention) composes: heads are
//! read where they stand, nothing is moved, and of the steps between only the weights are kept.

use crate::autograd::{Explanation, Nature, Op, Var};
use crate::tensor::{Tensor, random, vector};

struct Attend {
    heads: usize,
    dropout: f32,
    /// `[batch, heads, target, source]`, before dropout.
    weights: Tensor,
    /// The factor of every weight, 0 where it was dropped; `None` where none was.
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

    fn d_k(self) -> usize {
        self.width / self.heads
    }

    /// Columns of a transposed block, a whole number of lanes.
    fn padded(self) -> usize {
        self.source.next_multiple_of(16)
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

/// Copies `rows` rows of `inner` cells, `stride` apart, into columns `wide` apart.
fn transpose(from: &[f32], stride: usize, rows: usize, inner: usize, to: &mut [f32], wide: usize) {
    for row in 0..rows {
        for (k, x) in from[row * stride..row * stride + inner].iter().enumerate() {
            to[k * wide + row] = *x;
        }
    }
}

impl Var {
    // ANCHOR: forward
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
        let seed = self.tape().dropout_seed().filter(|_| dropout > 0.0);
        let drop = |weights: &Tensor| {
            seed.map(|seed| {
                random::dropped(weights.shape(), dropout, seed, "attend", self.id() as u64)
            })
        };
        self.attend_with(key, value, mask, (heads, dropout), drop)
    }

    /// [`Var::attend`] with the factors of dropout that `drop` gives for the weights.
    #[track_caller]
    fn attend_with(
        &self,
        key: &Var,
        value: &Var,
        mask: Option<&Var>,
        (heads, dropout): (usize, f32),
        drop: impl FnOnce(&Tensor) -> Option<Tensor>,
    ) -> (Var, Var) {
        let (q, k, v) = (self.value(), key.value(), value.value());
        let sizes = Sizes::of(&q, &k, &v, heads);
        let scale = 1.0 / (sizes.d_k() as f32).sqrt();
        let bias = mask.map(|mask| (mask.value(), mask.nature() == Nature::Mask));
        let mut weights = Tensor::zeros(&[sizes.batch, heads, sizes.target, sizes.source]);
        let wide = sizes.padded();
        let (mut keys, mut scores) = (
            vec![0.0; sizes.d_k() * wide],
            vec![0.0; sizes.target * wide],
        );
        let all = weights.data_mut();
        for (b, query, keyed, at) in sizes.blocks() {
            transpose(
                &k.data()[keyed..],
                sizes.width,
                sizes.source,
                sizes.d_k(),
                &mut keys,
                wide,
            );
            scores.fill(0.0);
            vector::small_product(
                (&q.data()[query..], sizes.width),
                (&keys, wide),
                (&mut scores, wide),
                (sizes.target, sizes.d_k(), wide),
            );
            let rows = all[at..].chunks_mut(sizes.source).take(sizes.target);
            for (t, row) in rows.enumerate() {
                row.copy_from_slice(&scores[t * wide..t * wide + sizes.source]);
                let mask = bias
                    .as_ref()
                    .map(|(mask, fills)| (mask_row(mask, b, t), *fills));
                vector::masked_softmax(row, scale, mask);
            }
        }
        let kept = drop(&weights);
        let mixed = kept.as_ref().map(|kept| weights.zip(kept, |w, k| w * k));
        let mixed = mixed.as_ref().unwrap_or(&weights);
        let mut context = Tensor::zeros(q.shape());
        let out = context.data_mut();
        for (_, query, keyed, at) in sizes.blocks() {
            vector::small_product(
                (&mixed.data()[at..], sizes.source),
                (&v.data()[keyed..], sizes.width),
                (&mut out[query..], sizes.width),
                (sizes.target, sizes.source, sizes.d_k()),
            );
        }
        let shown = self
            .tape()
            .constant("weights", weights.clone(), &["b", "h", "t", "s"]);
        let op = Attend {
            heads,
            dropout,
            weights,
            kept,
        };
        let inputs = [self, key, value];
        let context = match mask {
            Some(mask) => self
                .tape()
                .record(op, &[&inputs[..], &[mask]].concat(), context),
            None => self.tape().record(op, &inputs, context),
        };
        (context, shown)
    }
    // ANCHOR_END: forward
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

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        let (query, mask) = (&inputs[0], inputs.get(3));
        // The very weights that were dropped are dropped again.
        let kept = self.kept.clone();
        query
            .attend_with(
                &inputs[1],
                &inputs[2],
                mask,
                (self.heads, self.dropout),
                |_| kept,
            )
            .0
    }

    // ANCHOR: backward
    // forward was w = softmax(q kᵀ / √d_k), context = (w ⊙ kept) v, so dv = (w ⊙ kept)ᵀ dy, dw = dy vᵀ ⊙ kept,
    // ds = w ⊙ (dw − Σ dw w) / √d_k, dq = ds k, dk = dsᵀ q, for every sentence and head
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (q, k, v) = (&inputs[0], &inputs[1], &inputs[2]);
        let sizes = Sizes::of(q, k, v, self.heads);
        let (d_k, width, source) = (sizes.d_k(), sizes.width, sizes.source);
        let scale = 1.0 / (d_k as f32).sqrt();
        let (mut dq, mut dk, mut dv) = (
            Tensor::zeros(q.shape()),
            Tensor::zeros(k.shape()),
            Tensor::zeros(k.shape()),
        );
        let (dq_cells, dk_cells, dv_cells) = (dq.data_mut(), dk.data_mut(), dv.data_mut());
        let wide = sizes.padded();
        let tall = sizes.target.next_multiple_of(16);
        let (mut values, mut slopes) = (vec![0.0; d_k * wide], vec![0.0; sizes.target * wide]);
        let mut turned = vec![0.0; source * tall];
        for (_, query, keyed, at) in sizes.blocks() {
            let cells = sizes.target * source;
            let weights = &self.weights.data()[at..at + cells];
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
        all.resize(inputs.len(), None);
        all
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, index: &[usize]) -> Explanation {
        let (value, at) = (&inputs[2], index[2]);
        let head = at / (value.last() / self.heads);
        let source = value.shape()[1];
        (0..source).fold(Explanation::new("sum(weight * value)"), |sum, s| {
            let cell = [index[0], head, index[1], s];
            let kept = self.kept.as_ref().map_or(1.0, |kept| kept.at(&cell));
            sum.constant("weight", self.weights.at(&cell) * kept).cell(
                "value",
                2,
                value,
                &[index[0], s, at],
            )
        })
    }

    fn flops(&self, inputs: &[Tensor], output: &Tensor) -> u64 {
        4 * (output.len() * inputs[1].shape()[1]) as u64 + 5 * self.weights.len() as u64
    }
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
    fn attend_and_its_gradient() {
        let inputs = [
            check::normal(&[2, 4, 6]),
            check::normal(&[2, 5, 6]),
            check::normal(&[2, 5, 6]),
        ];
        check::op(&inputs, |_, v| v[0].attend(&v[1], &v[2], None, 3, 0.0).0);
        check::op(&inputs, |tape, v| {
            let mask = masked(tape, 4, 5);
            v[0].attend(&v[1], &v[2], Some(&mask), 2, 0.3).0
        });
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
