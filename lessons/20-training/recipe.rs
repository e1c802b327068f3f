//! How a run of the lesson is made, correctly or with a mistake, and the forward pass through its model.

use std::sync::Mutex;

use transformer_tutor::autograd::Var;
use transformer_tutor::data::corpus::Corpus;
use transformer_tutor::lesson::Settings;
use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::short_run::{self, Learner, open_mask};
use transformer_tutor::train::config::TrainConfig;
use transformer_tutor::transformer::Transformer;

use super::check::Cut;
use super::check::TASK;

/// Updates of the short run.
pub const STEPS: usize = 400;

/// What can be seen of a short run.
pub type Seen = short_run::Seen<Recipe>;

/// Mistakes that the short run can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Recipe {
    /// The learning rate is thirty times as high.
    pub too_fast: bool,
    /// The decoder sees the tokens that it must predict.
    pub sees_future: bool,
    /// Neither side has positions.
    pub no_positions: bool,
    /// Line n of one file is paired with line n + 1 of the other.
    pub misaligned: bool,
    /// Targets have no end token.
    pub no_end: bool,
    /// The mistake in cutting batches.
    pub cut: Option<&'static str>,
}

impl Recipe {
    /// The recipe that the switches select.
    pub fn of(settings: &Settings) -> Self {
        let broken = |name| settings.broken(name);
        Self {
            too_fast: broken("rate-times-30"),
            sees_future: broken("no-target-mask"),
            no_positions: broken("no-positions"),
            misaligned: broken("misaligned"),
            no_end: broken("no-end"),
            cut: TASK.on(settings),
        }
    }

    /// The recipes with a single mistake that changes what is learned.
    pub fn broken() -> [Self; 5] {
        let turn: [fn(&mut Self); 5] = [
            |recipe| recipe.too_fast = true,
            |recipe| recipe.sees_future = true,
            |recipe| recipe.no_positions = true,
            |recipe| recipe.misaligned = true,
            |recipe| recipe.no_end = true,
        ];
        turn.map(|turn| {
            let mut recipe = Self::default();
            turn(&mut recipe);
            recipe
        })
    }
}

impl short_run::Recipe for Recipe {
    const STEPS: usize = STEPS;
    const EVERY: usize = 20;
    const RUNS: Memo<Mutex<Learner<Self>>> = Memo::new("training: short runs");

    fn config(&self) -> TrainConfig {
        TrainConfig {
            layers: 1,
            d_model: 48,
            d_ff: 96,
            heads: 2,
            batch_tokens: 512,
            steps: STEPS,
            rate: if self.too_fast { 0.3 } else { 0.01 },
            warmup: 40,
            smoothing: 0.0,
            shards: 1,
            ..TrainConfig::default()
        }
    }

    fn forks(&self) -> bool {
        *self == Self::default()
    }

    fn cutter(&self) -> Cut {
        TASK.with(self.cut)
    }

    fn corpus(&self, sound: &Corpus) -> Corpus {
        let mut corpus = sound.clone();
        let count = corpus.pairs.len();
        if self.misaligned {
            for (n, pair) in corpus.pairs.iter_mut().enumerate() {
                pair.1 = sound.pairs[(n + 1) % count].1.clone();
            }
        }
        if self.no_end {
            for (_, target) in &mut corpus.pairs {
                target.pop();
            }
        }
        corpus
    }

    fn hidden(&self, model: &Transformer, src: &Var, tgt: &Var) -> Var {
        let src_mask = model.src_mask(src);
        let tgt_mask = if self.sees_future {
            open_mask(tgt)
        } else {
            model.tgt_mask(tgt)
        };
        if self.no_positions {
            let tape = src.tape();
            let source = tape.scoped("src_embed", || model.src_embed.forward(src));
            let target = tape.scoped("tgt_embed", || model.tgt_embed.forward(tgt));
            let memory = model.encoder.forward(&source, &src_mask);
            let decoder = &model.decoder;
            return decoder.forward(&target, &memory, &src_mask, &tgt_mask);
        }
        let memory = model.encode(src, &src_mask);
        model.decode(&memory, &src_mask, tgt, &tgt_mask)
    }
}
