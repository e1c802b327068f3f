//! Six models that learn to copy, from one seed.

use std::sync::Arc;

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::data::copy::{CopyBatch, copy_batch};
use transformer_tutor::lesson::copying::record::Record;
use transformer_tutor::lesson::copying::{self, LENGTH, Trained};
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::schedule::noam_rate;

use super::attending::Broken;
use super::check::TASK;
use super::model::{Choice, Modern, NormKind, Positions, SMALL, Stack};

/// Total steps, steps of warm-up, and factor of the schedule.
pub const STEPS: usize = 120;
const WARMUP: usize = 40;
const FACTOR: f64 = 0.4;

/// The choices of 2017.
pub const OLD: Choice = Choice {
    norm: NormKind::Layer,
    positions: Positions::Added,
    groups: 4,
    stack: Stack::Two,
};

/// All of today's choices at once.
pub const NEW: Choice = Choice {
    norm: NormKind::Rms,
    positions: Positions::Rotary,
    groups: 2,
    stack: Stack::One,
};

/// Lanes of the race, with their names in the chart and in facts. Each changes one choice, the last all of them.
pub const LANES: [(&str, &str, Choice); 6] = {
    let (mut rms, mut rope, mut groups, mut one) = (OLD, OLD, OLD, OLD);
    rms.norm = NEW.norm;
    rope.positions = NEW.positions;
    groups.groups = NEW.groups;
    one.stack = NEW.stack;
    [
        ("2017", "old", OLD),
        ("RMSNorm", "rms", rms),
        ("RoPE", "rope", rope),
        ("two groups", "groups", groups),
        ("one stack", "one", one),
        ("all four", "new", NEW),
    ]
};

/// A training: its choices, the mistake that is switched on (empty for none), ε, and the seed.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    pub choice: Choice,
    pub mistake: Option<&'static str>,
    pub epsilon: f32,
    pub seed: u64,
}

/// Lane `n` of the race.
pub fn lane(n: usize, seed: u64) -> Lane {
    Lane {
        choice: LANES[n].2,
        mistake: None,
        epsilon: 1e-6,
        seed,
    }
}

impl copying::Lane for Lane {
    const STEPS: usize = STEPS;
    const MARKS: &'static [usize] = &[0, 40, STEPS];
    const DONE: Memo<Trained> = Memo::new("graduation: trainings");
    type Model = Modern;

    fn seed(&self) -> u64 {
        self.seed
    }

    fn rate(&self, step: usize) -> f64 {
        noam_rate(step, SMALL.d_model, FACTOR, WARMUP)
    }

    fn model(&self, params: &mut Params) -> Modern {
        let broken = Broken {
            norm: TASK.with(self.mistake),
            epsilon: self.epsilon,
            turn_values: self.mistake == Some("turn-values"),
            wrong_groups: self.mistake == Some("wrong-groups"),
        };
        Modern::new(params, self.choice, SMALL, broken)
    }

    fn loss(&self, model: &Modern, tape: &Tape, batch: &CopyBatch) -> Var {
        let (hidden, targets) = model.hidden(tape, batch);
        let generator = (model.generator.weight, model.generator.bias);
        copying::loss(&hidden, generator, targets, batch.ntokens)
    }

    fn writer(&self, params: &Params, src: &Tensor) -> impl Fn(&[Vec<f32>]) -> Tensor {
        let model = self.model(&mut Params::layout());
        move |written| {
            let tgt = Tensor::new(&[written.len(), written[0].len()], written.concat());
            let batch = CopyBatch {
                tgt_y: tgt.clone(),
                tgt,
                ..copy_batch(src)
            };
            let (hidden, _) = model.hidden(&Tape::eval(params).fused(), &batch);
            model.generator.forward(&hidden.last_position()).value()
        }
    }
}

/// Results of the lanes from five seeds.
pub static RECORD: Lazy<Record> =
    Lazy::new(|| Record::read(include_str!("seeds.toml")).expect("a test wrote it"));

/// Trains all lanes of the race side by side. Computed once.
pub fn all(seed: u64) -> Vec<Arc<Trained>> {
    let lanes: Vec<Lane> = (0..LANES.len()).map(|n| lane(n, seed)).collect();
    copying::train_all(&lanes)
}

/// The batch of the recorded run: 1 to 10, and a sentence with repeated tokens.
pub fn shown() -> CopyBatch {
    let ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 3, 3, 9, 2, 10, 4, 4, 8, 5];
    copy_batch(&Tensor::new(
        &[2, LENGTH],
        ids.iter().map(|&id| id as f32).collect(),
    ))
}
