//! The race on the copy task: one small model, trained with differently scaled embeddings.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Picture;
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::lesson::race::OnState;
use transformer_tutor::lesson::race::lane::{self, Race};
use transformer_tutor::lesson::race::record::Curves;
use transformer_tutor::lesson::race::seeds::{SEEDS, steps};
use transformer_tutor::nn::attention::attention;
use transformer_tutor::ops::Layout;
use transformer_tutor::params::{Init, Param, Params};
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;

/// Sizes of the race: vocabulary, width, tokens per sentence, sentences per batch.
pub const VOCABULARY: usize = 40;
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

/// A lane: a model whose embeddings are multiplied by `factor`.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    rules: Rules,
    name: &'static str,
    factor: f32,
}

/// The lanes of a race; the factors depend on the width of the race's own table.
pub fn lanes(rules: Rules) -> [Lane; 3] {
    let width = WIDTH as f32;
    let factors = [("no factor", 1.0), ("√64", width.sqrt()), ("64", width)];
    factors.map(|(name, factor)| Lane {
        rules,
        name,
        factor,
    })
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
        let embed = |ids: &Var| table.embedding(ids).scale(self.factor).add(&pe);
        let [wq, wk, wv, wo] = self.maps.map(|map| tape.param(map));
        let (x, y) = (embed(&source), embed(&target));
        let attended = attention(
            &y.matmul_t(&wq),
            &x.matmul_t(&wk),
            &x.matmul_t(&wv),
            None,
            0.0,
        );
        let hidden = attended.context.matmul_t(&wo).add(&y);
        let out = self.generator.map_or(table, |g| tape.param(g));
        let logits = hidden.matmul_t(&out);
        cross_entropy(&logits, &tape.ids("tgt_y", src.clone(), &["b", "t"]), None)
    }
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

impl Lane {
    /// Loss before the first step.
    pub fn start(self) -> f64 {
        let model = Copier::new(self.rules, self.factor);
        let tape = Tape::train(&model.params, 0);
        let loss = model.loss(&tape, &sentences(self.rules.seed, 0));
        f64::from(loss.value().data()[0])
    }
}

impl lane::Lane for Lane {
    const STEPS: usize = STEPS;
    const DONE: Memo<Vec<f64>> = Memo::new("embeddings: trainings");

    fn curves() -> &'static Curves {
        static CURVES: Lazy<Curves> =
            Lazy::new(|| Curves::read(include_str!("curves.toml")).expect("a test wrote it"));
        &CURVES
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn words(&self) -> String {
        let Rules { init, tied, .. } = self.rules;
        let tied = if tied { "tied" } else { "not tied" };
        format!("{init:?}, {tied}, {}", self.name)
    }

    fn seed(&self) -> u64 {
        self.rules.seed
    }

    fn seeded(mut self, seed: u64) -> Self {
        self.rules.seed = seed;
        self
    }

    fn train(self, tell: OnState<'_, Vec<f64>>) -> Vec<f64> {
        let mut model = Copier::new(self.rules, self.factor);
        let mut adam = Adam::new(&model.params);
        steps(STEPS, tell, |step| {
            let (loss, grads) = {
                let tape = Tape::train(&model.params, step as u64);
                let loss = model.loss(&tape, &sentences(self.rules.seed, step));
                (f64::from(loss.value().data()[0]), loss.backward())
            };
            adam.step(&mut model.params, &grads, 2e-3);
            loss
        })
    }
}

/// The picture of the race.
pub fn picture(rules: Rules) -> Picture {
    Race {
        title: format!("Learning to copy: three factors, {SEEDS} seeds each"),
        says: "A small model learns to copy sentences. Each curve is the mean of its seeds.",
        about: format!(
            "Trains small copiers for {STEPS} steps each, with three factors from {SEEDS} seeds, and with the embedding matrix that the knobs init and tied ask for; some seconds."
        ),
        lanes: lanes(rules).into(),
        vocabulary: VOCABULARY,
    }
    .picture()
}
