//! The check of the exercise on the three uses: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::linear::Bias;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};
use transformer_tutor::nn::three_uses::{ThreeUses, Used, three_uses};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::{mistakes, starter};

/// Sizes: words of the target and of the source. The first is square, so that whatever is looked at
/// by mistake gives a result that tells.
const CASES: [(&str, usize, usize); 2] = [
    ("4 target and 4 source words", 4, 4),
    ("5 target and 3 source words", 5, 3),
];

const PLACES: [&str; 3] = [
    "the memory",
    "the decoder's look at itself",
    "the look at the memory",
];

/// What there is to write.
pub static TASK: Task<mistakes::UsesFn> = Task {
    reference: three_uses,
    starter: starter::three_uses,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&ThreeUses, &Var, &Var, &Var, &Var) -> Used) -> Outcome {
    for (says, target, source) in CASES {
        let expected = run(target, source, three_uses);
        let got = attempt(says, || run(target, source, &implementation))?;
        for (place, (expected, got_all)) in expected.iter().zip(&got).enumerate() {
            for (what, e, g) in [
                ("the output", &expected.0, &got_all.0),
                ("the weights", &expected.1, &got_all.1),
            ] {
                let case = format!("{says}, {}: {what}", PLACES[place]);
                compare(&case, e, g, 1e-5).map_err(|failure| {
                    let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                        let result = attempt("", || run(target, source, mistake)).ok()?;
                        Some((*name, joined(&result)))
                    });
                    diagnose(failure, &joined(&got), known)
                })?;
            }
        }
    }
    Ok(())
}

/// All outputs in one row: a mistake is known by everything that it does.
fn joined(results: &[(Tensor, Tensor); 3]) -> Tensor {
    let all: Vec<f32> = results
        .iter()
        .flat_map(|(output, _)| output.data().to_vec())
        .collect();
    Tensor::new(&[all.len()], all)
}

fn run(
    target: usize,
    source: usize,
    implementation: impl Fn(&ThreeUses, &Var, &Var, &Var, &Var) -> Used,
) -> [(Tensor, Tensor); 3] {
    const BATCH: usize = 2;
    const D_MODEL: usize = 8;
    let mut params = Params::new(6);
    let mut attention = |name| {
        params.scoped(name, |p| {
            MultiHeadAttention::new(p, 2, D_MODEL, Bias::Uniform, 0.0)
        })
    };
    let maps = ThreeUses {
        encoder: attention("encoder"),
        decoder: attention("decoder"),
        cross: attention("cross"),
    };
    let tape = Tape::eval(&params);
    let draw = |name: &str, length, axis| {
        let x = random::normal(&[BATCH, length, D_MODEL], 2.0, 3, name);
        tape.input(name, x, &["b", axis, "d"])
    };
    let (x, y) = (draw("source", source, "s"), draw("target", target, "t"));
    // Sentence 0 ends with padding on both sides.
    let real = |b: usize, i: usize, length: usize| b > 0 || i + 1 < length;
    let src = |i: &[usize]| f32::from(u8::from(real(i[0], i[2], source)));
    let tgt = |i: &[usize]| f32::from(u8::from(i[2] <= i[1] && real(i[0], i[2], target)));
    let src_mask = Tensor::from_fn(&[BATCH, 1, source], src);
    let src_mask = tape.mask("src_mask", src_mask, &["b", "", "s"]);
    let tgt_mask = Tensor::from_fn(&[BATCH, target, target], tgt);
    let tgt_mask = tape.mask("tgt_mask", tgt_mask, &["b", "t", "t"]);
    let Used {
        memory,
        own,
        crossed,
    } = implementation(&maps, &x, &y, &src_mask, &tgt_mask);
    let values = |m: MultiHead| (m.output.value(), m.weights.value());
    [values(memory), values(own), values(crossed)]
}
