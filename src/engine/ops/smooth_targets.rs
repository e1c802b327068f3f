//! Label smoothing (Szegedy et al. 2016): turns a target id into a distribution that gives the right
//! token `1 − ε` and spreads ε over the others.

use serde::{Deserialize, Serialize};

use crate::autograd::{Explanation, Nature, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor};

/// The tokens over which ε is spread. Padding targets become a row of zeros in every form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// The Annotated Transformer: `ε / (V − 2)`, all but the right token and padding.
    NoPadding,
    /// TensorFlow's official Transformer: `ε / (V − 1)`, all but the right token.
    Others,
    /// PyTorch and fairseq: `ε / V`, all tokens including the right one.
    All,
}

struct SmoothTargets {
    vocabulary: usize,
    epsilon: f32,
    spread: Spread,
    padding: f32,
}

impl SmoothTargets {
    /// The target probability of `word` if `target` is right.
    fn share(&self, target: f32, word: usize) -> f32 {
        let (v, right) = (self.vocabulary as f32, word as f32 == target);
        match self.spread {
            _ if target == self.padding => 0.0,
            Spread::NoPadding if word as f32 == self.padding => 0.0,
            Spread::All => self.epsilon / v + if right { 1.0 - self.epsilon } else { 0.0 },
            _ if right => 1.0 - self.epsilon,
            Spread::NoPadding => self.epsilon / (v - 2.0),
            Spread::Others => self.epsilon / (v - 1.0),
        }
    }

    fn formula(&self) -> &'static str {
        match self.spread {
            Spread::NoPadding => {
                "select(target == pad, 0, select(word == target, 1 - eps, select(word == pad, 0, eps / (words - 2))))"
            }
            Spread::Others => {
                "select(target == pad, 0, select(word == target, 1 - eps, eps / (words - 1)))"
            }
            Spread::All => {
                "select(target == pad, 0, eps / words + select(word == target, 1 - eps, 0))"
            }
        }
    }
}

impl Var {
    /// Turns target ids `[…]` into distributions `[…, vocabulary]`. They have no gradient.
    #[track_caller]
    pub fn smooth_targets(
        &self,
        vocabulary: usize,
        epsilon: f32,
        spread: Spread,
        padding: f32,
    ) -> Var {
        let op = SmoothTargets {
            vocabulary,
            epsilon,
            spread,
            padding,
        };
        self.apply(op, &[])
    }
}

impl Op for SmoothTargets {
    fn name(&self) -> &'static str {
        "smooth_targets"
    }

    // ANCHOR: forward
    // Turns target ids […] into distributions […, vocabulary].
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let (ids, vocabulary) = (&inputs[0], self.vocabulary);
        let mut y = Vec::with_capacity(ids.len() * vocabulary);
        for &target in ids.data() {
            assert!(
                target < vocabulary as f32,
                "smooth_targets: id {target} is not a word of {vocabulary}"
            );
            y.extend((0..vocabulary).map(|word| self.share(target, word)));
        }
        Tensor::new(&[ids.shape(), &[vocabulary]].concat(), y)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // ids have no gradient
    fn backward(&self, _: OpRun<'_>, _: &Tensor) -> Vec<Option<Tensor>> {
        vec![None]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let (at, word) = index.split_at(index.len() - 1);
        Explanation::new(self.formula())
            .cell("target", 0, &run.inputs[0], at)
            .constant("word", word[0] as f32)
            .constant("eps", self.epsilon)
            .constant("words", self.vocabulary as f32)
            .constant("pad", self.padding)
    }

    fn axes(&self, inputs: &[Axes], _: &Tensor) -> Axes {
        [&inputs[0][..], &["v"]].concat()
    }

    fn nature(&self, _: &[Nature]) -> Nature {
        Nature::Probability
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, ids};
    use crate::autograd::Tape;

    let spreads = [Spread::NoPadding, Spread::Others, Spread::All].into_iter();
    let cases = spreads.flat_map(|spread| {
        let build = move |_: &Tape, v: &[Var]| v[0].smooth_targets(5, 0.4, spread, 0.0);
        [
            Case::new(
                "five targets, one of them padding",
                [ids(&[5], &[2.0, 1.0, 0.0, 3.0, 3.0])],
                build,
            ),
            Case::new("batch 1, length 1", [ids(&[1, 1], &[4.0])], build),
        ]
    });
    cases.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;

    fn rows(spread: Spread) -> Tensor {
        let tape = Tape::eval(&Default::default());
        let ids = Tensor::new(&[5], vec![2.0, 1.0, 0.0, 3.0, 3.0]);
        let y = tape
            .ids("ids", ids, &["t"])
            .smooth_targets(5, 0.4, spread, 0.0);
        y.value()
    }

    #[test]
    fn the_annotated_transformers_example() {
        let (right, other) = (0.6, 0.4 / 3.0);
        let expected = [
            [0.0, other, right, other, other],
            [0.0, right, other, other, other],
            [0.0; 5],
            [0.0, other, other, right, other],
            [0.0, other, other, right, other],
        ];
        for (y, e) in rows(Spread::NoPadding).data().iter().zip(expected.concat()) {
            assert!((y - e).abs() < 1e-6, "{y} {e}");
        }
    }

    #[test]
    fn every_row_but_paddings_sums_to_one_in_every_form() {
        for spread in [Spread::NoPadding, Spread::Others, Spread::All] {
            for (row, expected) in rows(spread).data().chunks(5).zip([1.0, 1.0, 0.0, 1.0, 1.0]) {
                assert!(
                    (row.iter().sum::<f32>() - expected).abs() < 1e-6,
                    "{spread:?} {row:?}"
                );
            }
        }
    }
}
