//! The race on the copy task: one small stack of encoder layers, wired in four ways, from five seeds each.

use std::ops::ControlFlow;

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Picture;
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::lesson::race::Tell;
use transformer_tutor::lesson::race::record::Curves;
use transformer_tutor::lesson::race::seeds::{self, SEEDS, Spread, Watched, told};
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

/// Wirings in the race.
pub const LANES: [Wiring; 4] = [Wiring::Pre, Wiring::Post, Wiring::Norm, Wiring::Plain];

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

impl Rules {
    /// Key of a lane's training: everything that determines it except the seed.
    pub fn words(self, wiring: Wiring) -> String {
        format!(
            "{} layers, rate {}, {}",
            self.depth,
            self.rate,
            wiring.name()
        )
    }
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

/// Trains one lane and returns its losses, step by step; `tell` may stop it.
fn train(rules: Rules, wiring: Wiring, tell: Tell<'_, Vec<f64>>) -> Vec<f64> {
    let mut model = Copier::new(rules);
    let mut adam = Adam::new(&model.tower.params);
    let mut losses = Vec::new();
    for step in 0..STEPS {
        let site = format!("batch {step}");
        let draw = random::uniform(&[BATCH, LENGTH], 0.5, rules.seed, &site);
        let most = VOCABULARY as f32 - 1.0;
        let words = draw.map(|x| ((x + 0.5) * VOCABULARY as f32).floor().min(most));
        let grads = {
            let tape = Tape::eval(&model.tower.params).fused();
            let loss = model.loss(&tape, wiring, &words);
            losses.push(f64::from(loss.value().data()[0]));
            loss.backward()
        };
        adam.step(&mut model.tower.params, &grads, rules.rate);
        if told(&losses, STEPS, tell).is_break() {
            break;
        }
    }
    losses
}

/// Losses of one lane with the seed of `rules`, step by step. A lane that was trained beforehand gives the mean of each
/// ten steps; any other is trained once, when it is first needed.
fn losses(rules: Rules, wiring: Wiring) -> Vec<f64> {
    static DONE: Memo<Vec<f64>> = Memo::new("residuals: trainings");
    let words = rules.words(wiring);
    CURVES.or_trained(&DONE, &words, rules.seed, || trained(rules, wiring))
}

/// Trains one lane and returns its losses.
pub fn trained(rules: Rules, wiring: Wiring) -> Vec<f64> {
    train(rules, wiring, &mut |_| ControlFlow::Continue(()))
}

/// The races quoted in the text, trained beforehand.
pub static CURVES: Lazy<Curves> =
    Lazy::new(|| Curves::read(include_str!("curves.toml")).expect("a test wrote it"));

/// Mean loss of a lane's last twenty steps, over five seeds from that of `rules` on.
pub fn finish(rules: Rules, wiring: Wiring) -> Spread {
    seeds::finish(rules.seed, |seed| losses(Rules { seed, ..rules }, wiring))
}

/// Loss of a uniform guess.
pub fn clueless() -> f64 {
    (VOCABULARY as f64).ln()
}

/// The picture of the race, which runs when the learner starts it.
pub fn picture(rules: Rules) -> Picture {
    let about = format!(
        "Trains stacks of {} layers for {STEPS} steps, four kinds from {SEEDS} seeds each, learning rate {}, no warm-up; about {} s on four cores.",
        rules.depth,
        rules.rate,
        rules.depth.max(2)
    );
    Picture::job(
        "race",
        format!(
            "Learning to copy with {} layers, {STEPS} steps, {SEEDS} seeds each",
            rules.depth
        ),
        "Small stacks learn to output the tokens that they read: with residuals and norms, and without. Each curve is the mean of its seeds.",
        about,
        move |report| {
            Watched::new(&LANES.map(Wiring::name), rules.seed, STEPS, VOCABULARY).run(report, |lane, seed, tell| {
                train(Rules { seed, ..rules }, LANES[lane], tell);
            })
        },
    )
    .ending(move || {
        Watched::new(&LANES.map(Wiring::name), rules.seed, STEPS, VOCABULARY)
            .end(|lane, seed| losses(Rules { seed, ..rules }, LANES[lane]))
    })
}
