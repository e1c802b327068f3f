//! The lanes of the race, and what their models write.

use std::sync::{Arc, Once};

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::data::copy::{CopyBatch, START, copy_batch};
use transformer_tutor::lesson::copying::record::Record;
use transformer_tutor::lesson::copying::{self, LENGTH, Trained, trained};
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::nn::residual::NormPlace;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::tensor::threads::ahead;
use transformer_tutor::train::schedule::noam_rate;

use super::check::TASK;
use super::model::{Copier, Cut};

/// Total steps, steps of warm-up, and factor of the schedule.
pub const STEPS: usize = 240;
pub const WARMUP: usize = 60;
const FACTOR: f64 = 0.5;

/// Steps at which the weights are kept.
const MARKS: [usize; 5] = [0, 60, 120, 180, STEPS];

/// A way to train: what the model lacks, how its batches are made, and whether it warms up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lane {
    pub cut: Cut,
    /// Name of a mistake in making batches.
    pub batch: Option<&'static str>,
    /// Whether it uses the highest learning rate from the first step.
    pub cold: bool,
    pub seed: u64,
}

impl copying::Lane for Lane {
    const STEPS: usize = STEPS;
    const MARKS: &'static [usize] = &MARKS;
    const DONE: Memo<Trained> = Memo::new("copy task: trainings");
    type Model = Copier;

    fn seed(&self) -> u64 {
        self.seed
    }

    fn rate(&self, step: usize) -> f64 {
        let step = if self.cold { step.max(WARMUP) } else { step };
        noam_rate(step, 32, FACTOR, WARMUP)
    }

    fn model(&self, params: &mut Params) -> Copier {
        Copier::new(params, self.cut)
    }

    fn batch(&self, words: &Tensor) -> CopyBatch {
        TASK.with(self.batch)(words)
    }

    fn loss(&self, copier: &Copier, tape: &Tape, batch: &CopyBatch) -> Var {
        let generator = &copier.model.generator;
        let generator = (generator.weight, generator.bias);
        let hidden = copier.hidden(tape, batch);
        copying::loss(&hidden, generator, batch.tgt_y.clone(), batch.ntokens)
    }

    fn writer(&self, params: &Params, src: &Tensor) -> impl Fn(&[Vec<f32>]) -> Tensor {
        let copier = self.model(&mut Params::layout());
        let src_mask = copy_batch(src).src_mask;
        let mask = move |tape: &Tape| tape.mask("src_mask", src_mask.clone(), &["b", "1", "s"]);
        let tape = Tape::eval(params).fused();
        let src = tape.ids("src", src.clone(), &["b", "s"]);
        let memory = copier.encode(&src, &mask(&tape)).value();
        move |written| {
            let (rows, n) = (written.len(), written[0].len());
            let tape = Tape::eval(params).fused();
            let memory = tape.constant("memory", memory.clone(), &["b", "s", "d"]);
            // Use the mask of the training. It has one column less than its input, so add one to read n words.
            let word = |i: &[usize]| written[i[0]].get(i[1]).copied().unwrap_or(START);
            let tgt_mask = self.batch(&Tensor::from_fn(&[rows, n + 1], word)).tgt_mask;
            let tgt = tape.ids(
                "tgt",
                Tensor::new(&[rows, n], written.concat()),
                &["b", "t"],
            );
            let tgt_mask = tape.mask("tgt_mask", tgt_mask, &["b", "t", "t"]);
            let hidden = copier.decode(&memory, &mask(&tape), &tgt, &tgt_mask);
            let logits = copier.model.generator.logits(&hidden.last_position());
            logits.value()
        }
    }
}

/// Lanes of the race, with their names in the chart and in facts.
pub fn lanes(seed: u64) -> [(&'static str, &'static str, Lane); 7] {
    let sound = Lane {
        seed,
        ..Lane::default()
    };
    let lane = |turn: fn(&mut Lane)| {
        let mut lane = sound;
        turn(&mut lane);
        lane
    };
    [
        ("unchanged", "sound", sound),
        ("no √d", "noscale", lane(|l| l.cut.scale = true)),
        (
            "no positions",
            "nopositions",
            lane(|l| l.cut.positions = true),
        ),
        ("no mask", "nomask", lane(|l| l.batch = Some("no-future"))),
        ("no warm-up", "nowarmup", lane(|l| l.cold = true)),
        ("no residual", "noresidual", lane(|l| l.cut.residual = true)),
        ("post-norm", "post", lane(|l| l.cut.place = NormPlace::Post)),
    ]
}

/// A complete training of lane `n` with this seed. All seven are computed together, and once.
pub fn finish(seed: u64, n: usize) -> Arc<Trained> {
    copying::train_all(&lanes(seed).map(|(.., lane)| lane))[n].clone()
}

/// Results of the lanes from five seeds.
pub static RECORD: Lazy<Record> =
    Lazy::new(|| Record::read(include_str!("seeds.toml")).expect("a test wrote it"));

/// Trains the correct lane ahead, from mark to mark, while the learner reads.
pub fn prepare() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        ahead(|| {
            let sound = lanes(7)[0].2;
            MARKS.iter().for_each(|&mark| drop(trained(sound, mark)));
        });
    });
}

/// The sentence of the Annotated Transformer's test: 1 to 10.
pub fn counting() -> Tensor {
    Tensor::from_fn(&[1, LENGTH], |i| (i[1] + 1) as f32)
}
