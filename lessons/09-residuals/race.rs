//! The race of the copy task: one small stack of encoder layers, wired in four ways, one seed.

use std::ops::ControlFlow;
use std::sync::Arc;

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::ops::Layout;
use transformer_tutor::params::{Init, Param};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;

use super::tower::{Tower, Wiring};

/// Tokens of the vocabulary, tokens a sentence, sentences a batch, width.
const VOCABULARY: usize = 12;
const LENGTH: usize = 8;
const BATCH: usize = 8;
const WIDTH: usize = 32;

/// Steps of the optimizer.
pub const STEPS: usize = 200;

/// Who runs.
pub const LANES: [Wiring; 4] = [Wiring::Pre, Wiring::Post, Wiring::Norm, Wiring::Plain];

/// What all lanes of a race share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Layers of the stack.
    pub depth: usize,
    /// The learning rate, from the first step to the last: no warm-up.
    pub rate: f32,
    /// Which random numbers.
    pub seed: u64,
}

/// The stack, an embedding matrix below it and a generator above.
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

    /// The loss of predicting at each position the token that stands there.
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

/// The losses of one lane, step by step; `seen` may stop it.
fn train(rules: Rules, wiring: Wiring, mut seen: impl FnMut(usize) -> ControlFlow<()>) -> Vec<f64> {
    let mut model = Copier::new(rules);
    let mut adam = Adam::new(&model.tower.params);
    let mut losses = Vec::new();
    for step in 0..STEPS {
        let site = format!("batch {step}");
        let draw = random::uniform(&[BATCH, LENGTH], 0.5, rules.seed, &site);
        let most = VOCABULARY as f32 - 1.0;
        let words = draw.map(|x| ((x + 0.5) * VOCABULARY as f32).floor().min(most));
        let grads = {
            let tape = Tape::eval(&model.tower.params);
            let loss = model.loss(&tape, wiring, &words);
            losses.push(f64::from(loss.value().data()[0]));
            loss.backward()
        };
        adam.step(&mut model.tower.params, &grads, rules.rate);
        if seen(step).is_break() {
            break;
        }
    }
    losses
}

/// The mean loss of the last twenty steps of a lane. Computed once.
pub fn finish(rules: Rules, wiring: Wiring) -> f64 {
    static DONE: Memo<f64> = Memo::new("residuals: finishes");
    let key = format!("{rules:?} {wiring:?}");
    *DONE.get(key, || {
        let losses = train(rules, wiring, |_| ControlFlow::Continue(()));
        mean(&losses[STEPS - 20..])
    })
}

fn mean(losses: &[f64]) -> f64 {
    losses.iter().sum::<f64>() / losses.len() as f64
}

/// The loss of a copier that guesses uniformly.
pub fn clueless() -> f64 {
    (VOCABULARY as f64).ln()
}

/// The picture of the race; it is run when the learner starts it.
pub fn picture(rules: Rules) -> Picture {
    Picture {
        name: "race",
        title: format!(
            "Learning to copy with {} layers, {STEPS} steps",
            rules.depth
        ),
        says: "Small stacks learn to output the tokens that they read: with residuals and norms, and without."
            .to_owned(),
        body: Body::Job(Job {
            pace: std::time::Duration::ZERO,
            measures: false,
            last: None,
            about: format!(
                "Trains four stacks of {} layers for {STEPS} steps each, learning rate {}, no warm-up; about {} s.",
                rules.depth,
                rules.rate,
                (rules.depth / 2).max(2)
            ),
            run: Arc::new(move |report| run(rules, report)),
        }),
    }
}

fn run(rules: Rules, report: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Progress {
    let mut series: Vec<Series> = Vec::new();
    let mut stopped = false;
    let total = (STEPS * LANES.len()) as f32;
    for (lane, wiring) in LANES.into_iter().enumerate() {
        if stopped {
            break;
        }
        let before = series.clone();
        let losses = train(rules, wiring, |step| {
            if step % 10 != 0 {
                return ControlFlow::Continue(());
            }
            let done = (lane * STEPS + step) as f32 / total * 0.99;
            let on = report(drawing(&before, done));
            stopped = on.is_break();
            on
        });
        // Ten steps a point: a single batch says little.
        let points = losses.chunks(10).enumerate();
        series.push(Series {
            name: wiring.name().to_owned(),
            points: points
                .map(|(n, ten)| (10.0 * n as f64 + 5.0, mean(ten)))
                .collect(),
        });
    }
    drawing(&series, 1.0)
}

fn drawing(series: &[Series], done: f32) -> Progress {
    let ends = series
        .iter()
        .filter_map(|s| Some(format!("{} {:.3}", s.name, s.points.last()?.1)));
    let ends: Vec<String> = ends.collect();
    Progress {
        body: Body::curves("step", "loss", series.to_vec()).by_logarithm(),
        says: if ends.is_empty() {
            format!(
                "A model that guesses uniformly has a loss of log {VOCABULARY} = {:.3}.",
                clueless()
            )
        } else {
            format!(
                "Loss at the end: {}. Guessing uniformly has {:.3}.",
                ends.join(", "),
                clueless()
            )
        },
        done,
        run: None,
        written: None,
    }
}
