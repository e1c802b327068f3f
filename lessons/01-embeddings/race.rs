//! The race of the copy task: one small model, trained with differently scaled embeddings.

use std::ops::ControlFlow;
use std::sync::Arc;

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::nn::attention::attention;
use transformer_tutor::ops::Layout;
use transformer_tutor::params::{Init, Param, Params};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;

/// The sizes of the race: words, width, words a sentence, sentences a batch.
const VOCABULARY: usize = 40;
pub const WIDTH: usize = 64;
const LENGTH: usize = 10;
const BATCH: usize = 32;
/// Steps of the optimizer.
const STEPS: usize = 150;

/// How the lanes of a race differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// How the embedding matrix is initialised.
    pub init: Init,
    /// Whether the embedding matrix also makes the logits.
    pub tied: bool,
    /// Which random numbers.
    pub seed: u64,
}

/// A model that copies a sentence: cross-attention from the words written so far to the words given.
struct Copier {
    params: Params,
    table: Param,
    maps: [Param; 4],
    generator: Option<Param>,
    factor: f32,
}

impl Copier {
    fn new(rules: Rules, factor: f32) -> Self {
        let mut params = Params::new(rules.seed);
        let table = params.add("table", &[VOCABULARY, WIDTH], &["v", "d"], rules.init);
        let maps = ["query", "key", "value", "output"]
            .map(|name| params.add(name, &[WIDTH, WIDTH], &["d", "k"], Init::XavierUniform));
        let generator = (!rules.tied).then(|| {
            params.add(
                "generator",
                &[VOCABULARY, WIDTH],
                &["v", "d"],
                Init::XavierUniform,
            )
        });
        Self {
            params,
            table,
            maps,
            generator,
            factor,
        }
    }

    /// The loss of copying `src` after having read it and all words before.
    fn loss(&self, tape: &Tape, src: &Tensor) -> Var {
        let shifted = |i: &[usize]| {
            if i[1] == 0 {
                1.0
            } else {
                src.at(&[i[0], i[1] - 1])
            }
        };
        let source = tape.ids("src", src.clone(), &["b", "s"]);
        let target = tape.ids("tgt", Tensor::from_fn(src.shape(), shifted), &["b", "t"]);
        let table = tape.param(self.table);
        let pe = tape.sinusoid(LENGTH, WIDTH, Layout::Interleaved);
        let place = |ids: &Var| table.embedding(ids).scale(self.factor).add(&pe);
        let [wq, wk, wv, wo] = self.maps.map(|map| tape.param(map));
        let (x, y) = (place(&source), place(&target));
        let found = attention(
            &y.matmul_t(&wq),
            &x.matmul_t(&wk),
            &x.matmul_t(&wv),
            None,
            0.0,
        );
        let hidden = found.context.matmul_t(&wo).add(&y);
        let out = self.generator.map_or(table, |g| tape.param(g));
        let logits = hidden.matmul_t(&out);
        cross_entropy(&logits, &tape.ids("tgt_y", src.clone(), &["b", "t"]), None)
    }
}

/// The lanes: their names and factors, which belong to the width of the race's own table.
pub fn lanes() -> [(&'static str, f32); 3] {
    [
        ("no factor", 1.0),
        ("√64", (WIDTH as f32).sqrt()),
        ("64", WIDTH as f32),
    ]
}

/// The losses of one lane, step by step; `seen` may stop it.
fn train(rules: Rules, factor: f32, mut seen: impl FnMut(usize) -> ControlFlow<()>) -> Vec<f64> {
    let mut model = Copier::new(rules, factor);
    let mut adam = Adam::new(&model.params);
    let mut losses = Vec::new();
    for step in 0..STEPS {
        let draw = random::uniform(&[BATCH, LENGTH], 0.5, rules.seed, &format!("batch {step}"));
        let src = draw.map(|x| {
            2.0 + ((x + 0.5) * (VOCABULARY - 2) as f32)
                .floor()
                .min((VOCABULARY - 3) as f32)
        });
        let grads = {
            let tape = Tape::train(&model.params, step as u64);
            let loss = model.loss(&tape, &src);
            losses.push(f64::from(loss.value().data()[0]));
            loss.backward()
        };
        adam.step(&mut model.params, &grads, 2e-3);
        if seen(step).is_break() {
            break;
        }
    }
    losses
}

/// The mean loss of the last twenty steps of a lane.
pub fn finish(rules: Rules, factor: f32) -> f64 {
    let losses = train(rules, factor, |_| ControlFlow::Continue(()));
    losses[STEPS - 20..].iter().sum::<f64>() / 20.0
}

/// The loss of a lane before its first step.
pub fn start(rules: Rules, factor: f32) -> f64 {
    train(rules, factor, |_| ControlFlow::Break(()))[0]
}

/// The picture of the race; it is run when the learner starts it.
pub fn picture(rules: Rules) -> Picture {
    Picture {
        name: "race",
        title: "Learning to copy: three factors, one seed".to_owned(),
        says: "A small model learns to copy sentences, once for each factor.".to_owned(),
        body: Body::Job(Job {
            pace: std::time::Duration::ZERO,
            measures: false,
            last: None,
            about: format!(
                "Trains three small copiers for {STEPS} steps each, with the embedding matrix that the knobs init and tied ask for."
            ),
            run: Arc::new(move |report| run(rules, report)),
        }),
    }
}

fn run(rules: Rules, report: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Progress {
    let mut series: Vec<Series> = Vec::new();
    let mut stopped = false;
    let total = (STEPS * lanes().len()) as f32;
    let drawing = |series: &[Series], done: f32| {
        let ends = series
            .iter()
            .filter_map(|s| Some(format!("{} {:.3}", s.name, s.points.last()?.1)));
        Progress {
            body: Body::curves("step", "loss", series.to_vec()).by_logarithm(),
            says: format!("Loss now: {}.", ends.collect::<Vec<_>>().join(", ")),
            done,
            run: None,
            written: None,
        }
    };
    for (lane, (name, factor)) in lanes().into_iter().enumerate() {
        if stopped {
            break;
        }
        let before = series.clone();
        let losses = train(rules, factor, |step| {
            if step % 10 != 0 {
                return ControlFlow::Continue(());
            }
            let on = report(drawing(
                &before,
                (lane * STEPS + step) as f32 / total * 0.99,
            ));
            stopped = on.is_break();
            on
        });
        let points = losses
            .into_iter()
            .enumerate()
            .map(|(step, loss)| (step as f64, loss))
            .collect();
        series.push(Series {
            name: name.to_owned(),
            points,
        });
    }
    drawing(&series, 1.0)
}
