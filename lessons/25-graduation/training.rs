//! Five models learn to copy, from one seed.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use transformer_tutor::autograd::Tape;
use transformer_tutor::data::copy::{CopyBatch, START, copy_batch, copy_words};
use transformer_tutor::lesson::memo::{Memo, Weigh};
use transformer_tutor::ops::{Smoothing, Spread};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::threads::wait_for;
use transformer_tutor::tensor::{Tensor, alone, shared};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::schedule::noam_rate;

use super::mistakes;
use super::model::{Broken, Choice, Modern, SMALL};

/// Words a sentence, sentences a batch, steps in all, steps of warm-up, the schedule's factor.
const LENGTH: usize = 10;
const BATCH: usize = 16;
pub const STEPS: usize = 120;
const WARMUP: usize = 40;
const FACTOR: f64 = 0.4;

/// The steps at which the weights are kept.
const MARKS: [usize; 3] = [0, 40, 120];

/// The model of 2017.
pub const OLD: Choice = Choice {
    rms: false,
    rotary: false,
    groups: 4,
    decoder_only: false,
};

/// Everything of today at once.
pub const NEW: Choice = Choice {
    rms: true,
    rotary: true,
    groups: 2,
    decoder_only: true,
};

/// The lanes, by the words of the chart and of the facts: each changes one thing, the last all.
pub const LANES: [(&str, &str, Choice); 6] = [
    ("2017", "old", OLD),
    ("RMSNorm", "rms", Choice { rms: true, ..OLD }),
    (
        "RoPE",
        "rope",
        Choice {
            rotary: true,
            ..OLD
        },
    ),
    ("two groups", "groups", Choice { groups: 2, ..OLD }),
    (
        "one stack",
        "one",
        Choice {
            decoder_only: true,
            ..OLD
        },
    ),
    ("all four", "new", NEW),
];

/// A training: what was chosen, which mistake is on (empty for none), ε in millionths, and the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lane {
    pub choice: Choice,
    pub mistake: &'static str,
    pub epsilon: u32,
    pub seed: u64,
}

impl Lane {
    pub fn sound(choice: Choice, seed: u64) -> Self {
        Self {
            choice,
            mistake: "",
            epsilon: 1,
            seed,
        }
    }

    fn broken(&self) -> Broken {
        let sound = Broken::default();
        let known = mistakes::ALL.iter().find(|(name, _)| *name == self.mistake);
        Broken {
            norm: known.map_or(sound.norm, |(_, norm)| *norm),
            epsilon: self.epsilon as f32 * 1e-6,
            turn_values: self.mistake == "turn-values",
            wrong_groups: self.mistake == "wrong-groups",
        }
    }

    /// The model, built into `params`.
    pub fn model(&self, params: &mut Params) -> Modern {
        Modern::new(params, self.choice, SMALL, self.broken())
    }
}

/// What a training left.
pub struct Trained {
    /// The loss of every step, nats a word.
    pub losses: Vec<f64>,
    /// The weights at the marks.
    kept: Vec<Params>,
}

/// Trains for `steps` steps; `seen` may stop it.
pub fn train(lane: Lane, steps: usize, mut seen: impl FnMut(&[f64]) -> ControlFlow<()>) -> Trained {
    let mut params = Params::new(lane.seed);
    let model = lane.model(&mut params);
    let mut adam = Adam::new(&params);
    let mut trained = Trained {
        losses: Vec::new(),
        kept: vec![params.clone()],
    };
    for step in 1..=steps {
        let words = copy_words(
            BATCH,
            LENGTH,
            SMALL.vocabulary,
            lane.seed,
            &format!("batch {step}"),
        );
        let batch = copy_batch(&words);
        // Products this small are not worth a second thread.
        let (value, grads) = alone(|| {
            let tape = Tape::train(&params, lane.seed).fused();
            let (hidden, targets) = model.hidden(&tape, &batch);
            let targets = tape.ids("targets", targets, &["b", "t"]);
            let smoothing = Smoothing {
                epsilon: 0.0,
                spread: Spread::NoPadding,
                padding: 0,
                factor: 1.0 / batch.ntokens as f32,
            };
            let weight = tape.param(model.generator.weight);
            let bias = model.generator.bias.map(|bias| tape.param(bias));
            let loss = hidden
                .smoothed_loss(&weight, bias.as_ref(), &targets, smoothing)
                .loss;
            (f64::from(loss.value().at(&[])), loss.backward())
        });
        let rate = noam_rate(step, SMALL.d_model, FACTOR, WARMUP);
        adam.step(&mut params, &grads, rate as f32);
        trained.losses.push(value);
        if MARKS.contains(&step) {
            trained.kept.push(params.clone());
        }
        if seen(&trained.losses).is_break() {
            break;
        }
    }
    trained
}

static DONE: Memo<Trained> = Memo::new("graduation: trainings");

impl Weigh for Trained {
    fn heap(&self) -> usize {
        self.losses.heap() + self.kept.heap()
    }
}

/// Keeps a training for later.
pub fn keep(lane: Lane, trained: Trained) -> Arc<Trained> {
    let trained = Arc::new(trained);
    DONE.keep(format!("{lane:?}"), trained.clone());
    trained
}

/// The lane after at least `steps` steps. Computed once.
pub fn trained(lane: Lane, steps: usize) -> Arc<Trained> {
    let found = DONE.find(format!("{lane:?}"));
    match found {
        Some(found) if found.losses.len() >= steps => found,
        _ => keep(lane, train(lane, steps, |_| ControlFlow::Continue(()))),
    }
}

/// All lanes of the race to their end, side by side. Computed once.
pub fn all(seed: u64) -> Vec<Arc<Trained>> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = wait_for(&TURN);
    shared(LANES.to_vec(), |(_, _, choice)| {
        trained(Lane::sound(choice, seed), STEPS);
    });
    drop(turn);
    LANES
        .iter()
        .map(|(_, _, choice)| trained(Lane::sound(*choice, seed), STEPS))
        .collect()
}

/// The weights after `step` steps, which is one of the marks.
pub fn weights(lane: Lane, step: usize) -> Params {
    let at = MARKS.iter().position(|&mark| mark == step).unwrap_or(0);
    trained(lane, step).kept[at].clone()
}

/// The mean of the last twenty losses.
pub fn last(losses: &[f64]) -> f64 {
    let end = &losses[losses.len().saturating_sub(20)..];
    end.iter().sum::<f64>() / end.len().max(1) as f64
}

/// The share of words that a lane writes rightly by itself, of twenty sentences that it was not
/// trained on; the start does not count.
pub fn right(lane: Lane, step: usize) -> f64 {
    let params = weights(lane, step);
    let model = lane.model(&mut Params::layout());
    let words = copy_words(20, LENGTH, SMALL.vocabulary, lane.seed, "held out");
    let src = copy_batch(&words).src;
    let mut said = vec![vec![START]; 20];
    for n in 1..LENGTH {
        let tgt = Tensor::new(&[20, n], said.concat());
        let batch = CopyBatch {
            tgt_y: tgt.clone(),
            tgt,
            ..copy_batch(&words)
        };
        let tape = Tape::eval(&params).fused();
        let (hidden, _) = model.hidden(&tape, &batch);
        let scores = model.generator.forward(&hidden.last_position()).value();
        for (row, scores) in said.iter_mut().zip(scores.data().chunks(SMALL.vocabulary)) {
            let better = |best: usize, i: usize| if scores[i] > scores[best] { i } else { best };
            row.push((0..SMALL.vocabulary).fold(0, better) as f32);
        }
    }
    let said = said.concat();
    let pairs = src.data().iter().zip(&said);
    let right = pairs.filter(|(a, b)| a == b).count() - 20;
    right as f64 / (20 * (LENGTH - 1)) as f64
}

/// The batch of the recorded run: 1 to 10, and a sentence with a word twice.
pub fn shown() -> CopyBatch {
    let ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 3, 3, 9, 2, 10, 4, 4, 8, 5];
    copy_batch(&Tensor::new(
        &[2, LENGTH],
        ids.iter().map(|&id| id as f32).collect(),
    ))
}
