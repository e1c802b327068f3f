//! The race on the copy task: one small model, trained with differently scaled embeddings.

use std::ops::ControlFlow;

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Picture;
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::lesson::race::record::Curves;
use transformer_tutor::lesson::race::seeds::{self, SEEDS, Spread, Watched, told};
use transformer_tutor::lesson::race::{Tell, last};
use transformer_tutor::nn::attention::attention;
use transformer_tutor::ops::Layout;
use transformer_tutor::params::{Init, Param, Params};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;

/// Sizes of the race: vocabulary, width, tokens per sentence, sentences per batch.
const VOCABULARY: usize = 40;
pub const WIDTH: usize = 64;
const LENGTH: usize = 10;
const BATCH: usize = 32;
/// Optimizer steps.
const STEPS: usize = 150;

/// Settings of a race, shared by its lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Initialisation of the embedding matrix.
    pub init: Init,
    /// Whether the embedding matrix also computes the logits.
    pub tied: bool,
    /// The seed, and the first of the seeds of a race.
    pub seed: u64,
}

impl Rules {
    /// Key of a lane's training: everything that determines it except the seed.
    pub fn words(self, lane: usize) -> String {
        let tied = if self.tied { "tied" } else { "not tied" };
        format!("{:?}, {tied}, {}", self.init, lanes()[lane].0)
    }
}

/// A model that copies a sentence: cross-attention from the tokens written so far to the source tokens.
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

    /// Loss of copying `src`, given `src` and the tokens written before each position.
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

/// Number of factors in the race.
pub const LANES: usize = 3;

/// Names and factors of the lanes; the factors depend on the width of the race's own table.
pub fn lanes() -> [(&'static str, f32); LANES] {
    [
        ("no factor", 1.0),
        ("√64", (WIDTH as f32).sqrt()),
        ("64", WIDTH as f32),
    ]
}

/// Sentences of a step.
fn sentences(seed: u64, step: usize) -> Tensor {
    let draw = random::uniform(&[BATCH, LENGTH], 0.5, seed, &format!("batch {step}"));
    draw.map(|x| {
        2.0 + ((x + 0.5) * (VOCABULARY - 2) as f32)
            .floor()
            .min((VOCABULARY - 3) as f32)
    })
}

/// Trains one lane and returns its losses, step by step; `tell` may stop it.
fn train(rules: Rules, factor: f32, tell: Tell<'_, Vec<f64>>) -> Vec<f64> {
    let mut model = Copier::new(rules, factor);
    let mut adam = Adam::new(&model.params);
    let mut losses = Vec::new();
    for step in 0..STEPS {
        let grads = {
            let tape = Tape::train(&model.params, step as u64);
            let loss = model.loss(&tape, &sentences(rules.seed, step));
            losses.push(f64::from(loss.value().data()[0]));
            loss.backward()
        };
        adam.step(&mut model.params, &grads, 2e-3);
        if told(&losses, STEPS, tell).is_break() {
            break;
        }
    }
    losses
}

/// Losses of one lane with the seed of `rules`, step by step. A lane that was trained beforehand gives the mean of each
/// ten steps; any other is trained once, when it is first needed.
fn losses(rules: Rules, lane: usize) -> Vec<f64> {
    static DONE: Memo<Vec<f64>> = Memo::new("embeddings: trainings");
    CURVES.or_trained(&DONE, &rules.words(lane), rules.seed, || {
        trained(rules, lane)
    })
}

/// Trains one lane and returns its losses.
pub fn trained(rules: Rules, lane: usize) -> Vec<f64> {
    train(rules, lanes()[lane].1, &mut |_| ControlFlow::Continue(()))
}

/// The races quoted in the text, trained beforehand.
pub static CURVES: Lazy<Curves> =
    Lazy::new(|| Curves::read(include_str!("curves.toml")).expect("a test wrote it"));

/// Mean loss of each lane's last twenty steps, over five seeds from that of `rules` on.
pub fn finish(rules: Rules) -> Vec<Spread> {
    let end = |lane, seed| last(&losses(Rules { seed, ..rules }, lane));
    let ends = seeds::ends(LANES, rules.seed, end);
    ends.iter().map(|ends| Spread::of(ends)).collect()
}

/// Loss of a lane before its first step.
pub fn start(rules: Rules, factor: f32) -> f64 {
    let model = Copier::new(rules, factor);
    let tape = Tape::train(&model.params, 0);
    let loss = model.loss(&tape, &sentences(rules.seed, 0));
    f64::from(loss.value().data()[0])
}

/// The picture of the race, which runs when the learner starts it.
pub fn picture(rules: Rules) -> Picture {
    let about = format!(
        "Trains small copiers for {STEPS} steps each, with three factors from {SEEDS} seeds, and with the embedding matrix that the knobs init and tied ask for; some seconds."
    );
    Picture::job(
        "race",
        format!("Learning to copy: three factors, {SEEDS} seeds each"),
        "A small model learns to copy sentences. Each curve is the mean of its seeds.",
        about,
        move |report| {
            Watched::new(
                &lanes().map(|(name, _)| name),
                rules.seed,
                STEPS,
                VOCABULARY,
            )
            .run(report, |lane, seed, tell| {
                train(Rules { seed, ..rules }, lanes()[lane].1, tell);
            })
        },
    )
    .ending(move || {
        Watched::new(
            &lanes().map(|(name, _)| name),
            rules.seed,
            STEPS,
            VOCABULARY,
        )
        .end(|lane, seed| losses(Rules { seed, ..rules }, lane))
    })
}
