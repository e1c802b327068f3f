//! The race on the copy task: one small stack of encoder layers, wired in four ways, from five seeds each.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Picture;
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::lesson::race::OnState;
use transformer_tutor::lesson::race::lane::{self, Race};
use transformer_tutor::lesson::race::record::Curves;
use transformer_tutor::lesson::race::seeds::{SEEDS, steps};
use transformer_tutor::ops::Layout;
use transformer_tutor::params::{Init, Param};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;

use super::tower::{Tower, Wiring};

/// Vocabulary, tokens per sentence, sentences per batch, width.
const VOCABULARY: usize = 12;
const LENGTH: usize = 8;
const BATCH: usize = 8;
const WIDTH: usize = 32;

/// Optimizer steps.
pub const STEPS: usize = 200;

/// Settings that all lanes of a race share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Layers of the stack.
    pub depth: usize,
    /// Learning rate, constant and without warm-up.
    pub rate: f32,
    /// The seed, and the first of the seeds of a race.
    pub seed: u64,
}

/// A lane: a stack with this wiring.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    pub rules: Rules,
    pub wiring: Wiring,
}

/// The lanes of a race.
pub fn lanes(rules: Rules) -> [Lane; 4] {
    let wirings = [Wiring::Pre, Wiring::Post, Wiring::Norm, Wiring::Plain];
    wirings.map(|wiring| Lane { rules, wiring })
}

/// The stack, with an embedding matrix below it and a generator above.
struct Copier {
    tower: Tower,
    table: Param,
    generator: Param,
}

impl Copier {
    fn new(rules: Rules) -> Self {
        let mut tower = Tower::new(rules.depth, WIDTH, rules.seed);
        let mut add = |name: &str, init| {
            let params = &mut tower.params;
            params.add(name, &[VOCABULARY, WIDTH], &["v", "d"], init)
        };
        let table = add("table", Init::Normal(1.0));
        let generator = add("copy", Init::XavierUniform);
        Self {
            tower,
            table,
            generator,
        }
    }

    /// Loss of predicting the token at each position.
    fn loss(&self, tape: &Tape, wiring: Wiring, words: &Tensor) -> Var {
        let src = tape.ids("src", words.clone(), &["b", "s"]);
        let pe = tape.sinusoid(LENGTH, WIDTH, Layout::Interleaved);
        let mut x = tape.param(self.table).embedding(&src).add(&pe);
        for layer in &self.tower.layers {
            x = wiring.layer(layer, &x);
        }
        if wiring == Wiring::Pre {
            x = self.tower.norm.forward(&x);
        }
        let logits = x.matmul_t(&tape.param(self.generator));
        cross_entropy(&logits, &src, None)
    }
}

impl lane::Lane for Lane {
    const STEPS: usize = STEPS;
    const DONE: Memo<Vec<f64>> = Memo::new("residuals: trainings");

    fn curves() -> &'static Curves {
        static CURVES: Lazy<Curves> =
            Lazy::new(|| Curves::read(include_str!("curves.toml")).expect("a test wrote it"));
        &CURVES
    }

    fn name(&self) -> &'static str {
        self.wiring.name()
    }

    fn words(&self) -> String {
        let Rules { depth, rate, .. } = self.rules;
        format!("{depth} layers, rate {rate}, {}", self.wiring.name())
    }

    fn seed(&self) -> u64 {
        self.rules.seed
    }

    fn seeded(mut self, seed: u64) -> Self {
        self.rules.seed = seed;
        self
    }

    fn train(self, tell: OnState<'_, Vec<f64>>) -> Vec<f64> {
        let Self { rules, wiring } = self;
        let mut model = Copier::new(rules);
        let mut adam = Adam::new(&model.tower.params);
        steps(STEPS, tell, |step| {
            let site = format!("batch {step}");
            let draw = random::uniform(&[BATCH, LENGTH], 0.5, rules.seed, &site);
            let most = VOCABULARY as f32 - 1.0;
            let words = draw.map(|x| ((x + 0.5) * VOCABULARY as f32).floor().min(most));
            let (loss, grads) = {
                let tape = Tape::eval(&model.tower.params).fused();
                let loss = model.loss(&tape, wiring, &words);
                (f64::from(loss.value().data()[0]), loss.backward())
            };
            adam.step(&mut model.tower.params, &grads, rules.rate);
            loss
        })
    }
}

/// Loss of a uniform guess.
pub fn clueless() -> f64 {
    (VOCABULARY as f64).ln()
}

/// The picture of the race.
pub fn picture(rules: Rules) -> Picture {
    let Rules { depth, rate, .. } = rules;
    Race {
        title: format!("Learning to copy with {depth} layers, {STEPS} steps, {SEEDS} seeds each"),
        says: "Small stacks learn to output the tokens that they read: with residuals and LayerNorm, and without. Each curve is the mean of its seeds.",
        about: format!(
            "Trains stacks of {depth} layers for {STEPS} steps, four kinds from {SEEDS} seeds each, learning rate {rate}, no warm-up; about {} s on four cores.",
            depth.max(2)
        ),
        lanes: lanes(rules).into(),
        vocabulary: VOCABULARY,
    }
    .picture()
}
