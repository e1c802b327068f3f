//! The challenge: one training step, and batches that distinguish it from its mistakes.

use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::lesson::exercise::{Failure, attempt};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::vocabulary::EOS;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::train::training_step as reference;
use transformer_tutor::transformer::{Config, Transformer};

#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type StepFn = fn(&Transformer, &mut Params, &mut Adam, &Batch, f32, u64) -> f32;

transformer_tutor::task! { training_step: StepFn = reference::training_step;
    |step| {
        let compared = TASK.compared_in_parts(step, &CASES, 1e-4, run);
        compared.map_err(|failure| seeded(failure, step))
    }
}

/// Source and target ids of a batch's sentences; targets include BOS and EOS.
type Pairs = &'static [(&'static [u32], &'static [u32])];

struct Case {
    pairs: Pairs,
    dropout: f32,
    rates: &'static [f32],
}

const ALIKE: Pairs = &[
    (&[4, 5, 6], &[1, 7, 8, 9, 2]),
    (&[7, 4, 3], &[1, 5, 5, 10, 2]),
];
const PADDED: Pairs = &[
    (&[4, 5, 6, 9], &[1, 7, 8, 9, 6, 2]),
    (&[7], &[1, 5, 2]),
    (&[8, 3], &[1, 10, 4, 2]),
];

/// Cases to try: the batch, the dropout, and the learning rate of each step.
const CASES: [(&str, Case); 4] = [
    (
        "two sentences of one length, one step",
        Case {
            pairs: ALIKE,
            dropout: 0.0,
            rates: &[0.01],
        },
    ),
    (
        "sentences with padding, one step",
        Case {
            pairs: PADDED,
            dropout: 0.0,
            rates: &[0.01],
        },
    ),
    (
        "dropout 0.2, two steps",
        Case {
            pairs: PADDED,
            dropout: 0.2,
            rates: &[0.01, 0.02],
        },
    ),
    (
        "three steps, the last with rate 0",
        Case {
            pairs: PADDED,
            dropout: 0.1,
            rates: &[0.02, 0.01, 0.0],
        },
    ),
];

/// Losses returned by the steps, the weights afterwards, and Adam's moments.
fn run(case: &Case, step: StepFn) -> [(&'static str, Tensor); 3] {
    let config = Config {
        dropout: case.dropout,
        ..Config::annotated(11, 11).sized(1, 8, 16, 2)
    };
    let mut params = Params::new(5);
    let model = Transformer::new(&mut params, &config);
    // With a small ε, gradients that are 0 except for rounding would become full-sized steps.
    let mut adam = Adam {
        epsilon: 0.01,
        ..Adam::new(&params)
    };
    let batch = Batch::new(case.pairs);
    let rates = case.rates.iter().zip(0..);
    let losses: Vec<f32> = rates
        .map(|(&rate, seed)| step(&model, &mut params, &mut adam, &batch, rate, 40 + seed))
        .collect();
    let row = |cells: Vec<f32>| Tensor::new(&[cells.len()], cells);
    let weights = params
        .iter()
        .flat_map(|(_, _, t)| t.data().to_vec())
        .collect();
    let moments = adam.moments.iter();
    let moments = moments
        .flat_map(|(m, v)| [m.data(), v.data()].concat())
        .collect();
    [
        (", the returned losses", row(losses)),
        (", the weights afterwards", row(weights)),
        (", Adam's moments afterwards", row(moments)),
    ]
}

/// Attributes a failure without a known cause to the seed if steps with different seeds drop the same cells.
fn seeded(failure: Box<Failure>, step: StepFn) -> Box<Failure> {
    if !failure.mistakes.is_empty() || failure.likely.is_some() {
        return failure;
    }
    let standing = Case {
        pairs: PADDED,
        dropout: 0.2,
        rates: &[0.0, 0.0],
    };
    let losses = attempt("", || run(&standing, step)).map(|[(_, losses), ..]| losses);
    if losses.is_ok_and(|losses| losses.at(&[0]) == losses.at(&[1])) {
        return failure.because("same-dropout");
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::ops::Spread;
    use transformer_tutor::train::step::{self, StepOptions};

    #[test]
    fn a_rate_of_0_moves_nothing_and_the_same_seed_gives_the_same_loss() {
        assert!(include_str!("exercise.rs").contains("with `rate` 0 no weight moves"));
        let case = Case {
            pairs: PADDED,
            dropout: 0.2,
            rates: &[0.0],
        };
        let [first, weights, _] = run(&case, reference::training_step);
        let [again, ..] = run(&case, reference::training_step);
        assert_eq!(first.1, again.1);
        let never: StepFn = |_, _, _, _, _, _| 0.0;
        assert_eq!(weights.1, run(&case, never)[1].1);
    }

    #[test]
    fn the_loss_is_the_trainers_without_dropout_and_smoothing() {
        let mut params = Params::new(5);
        let config = Config {
            dropout: 0.0,
            ..Config::annotated(11, 11).sized(1, 8, 16, 2)
        };
        let model = Transformer::new(&mut params, &config);
        let batch = Batch::new(PADDED);
        let options = StepOptions {
            smoothing: 0.0,
            spread: Spread::NoPadding,
            shards: 1,
        };
        let trainers = step::evaluate(&model, &params, &batch, &options).nats;
        let mut adam = Adam::new(&params);
        let own = reference::training_step(&model, &mut params, &mut adam, &batch, 0.0, 1);
        assert!((trainers - f64::from(own)).abs() < 1e-5, "{trainers} {own}");
    }
}
