//! Results of the settings: the loop, the search tree with its best hypothesis, and the ledger. Each is cached by what
//! it depends on.

use std::sync::Arc;

use transformer_tutor::autograd::Tape;
use transformer_tutor::decode::beam::{Branch, Fate, Hypothesis};
use transformer_tutor::decode::cache::CacheStats;
use transformer_tutor::decode::options::Penalty;
use transformer_tutor::decode::stepwise::{Tree, decode, encode};
use transformer_tutor::lesson::memo::{Memo, Weigh};
use transformer_tutor::lesson::models::{self, Model};
use transformer_tutor::lesson::spelled;
use transformer_tutor::lesson::{Settings, largest};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::sentence::Sentence;
use transformer_tutor::text::vocabulary::{BOS, EOS};

use super::check::TASK;
use super::knobs::Knobs;
use super::watched::{Fault, Lamp, POSITIONS, Watched, decoder};

/// The largest exponent of the knob: one tree serves all exponents up to it.
pub const MOST_ALPHA: f64 = 2.0;

/// A decoding: knobs and switches, with the model that they choose. The model is looked up once, because a run in
/// training may be further on when asked again.
pub struct Setup<'a> {
    pub knobs: Knobs,
    pub settings: &'a Settings,
    pub model: Arc<Model>,
}

impl<'a> Setup<'a> {
    /// Looks the model up. The error says why there is none.
    pub fn of(settings: &'a Settings) -> Result<Self, String> {
        Ok(Self::with(settings, models::chosen(settings)?))
    }

    /// A decoding with a given model.
    pub fn with(settings: &'a Settings, model: Arc<Model>) -> Self {
        Self {
            knobs: settings.knobs(),
            settings,
            model,
        }
    }

    /// The source as the model reads it.
    fn read(&self) -> Sentence {
        self.model.pipeline.sentence(&self.knobs.sentence)
    }

    /// The source as ids, with the end token.
    pub fn source(&self) -> Vec<u32> {
        let mut ids = self.read().ids;
        ids.truncate(POSITIONS);
        ids
    }

    /// A target token, see [`spelled`].
    pub fn word(&self, id: u32) -> String {
        spelled(&self.model.pipeline.target, id)
    }

    /// A complete translation as people write it.
    pub fn written(&self, ids: &[u32]) -> String {
        self.model.pipeline.translation(&self.read(), ids)
    }

    /// The same, in quotes.
    pub fn sentence(&self, ids: &[u32]) -> String {
        format!("“{}”", self.written(ids))
    }

    /// See [`models::remarks`].
    pub fn remarks(&self) -> Option<String> {
        let best = best(self);
        let text = self.written(&best.ids);
        models::remarks(
            &self.model.pipeline,
            &self.read(),
            POSITIONS,
            Some(best.answer(&text)),
        )
    }

    /// Target tokens, separated by blanks.
    pub fn text(&self, ids: &[u32]) -> String {
        let words = ids.iter().map(|&id| self.word(id));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Part of the cache key common to all results.
    pub fn key(&self) -> String {
        format!("{} | {}", self.knobs.sentence, self.model.key)
    }
}

/// A search tree and the lamp of each of its steps.
pub struct Grown {
    pub tree: Tree,
    pub lamps: Vec<Lamp>,
}

/// One iteration of the loop.
pub struct Iteration {
    /// The row of log-probabilities used.
    pub row: Vec<f32>,
    /// The token chosen.
    pub word: u32,
}

impl Weigh for Grown {
    fn heap(&self) -> usize {
        let offered = self.tree.steps.iter().map(|step| step.branches.len());
        self.tree.alive.heap()
            + offered.sum::<usize>() * size_of::<Branch>()
            + self.lamps.len() * size_of::<Lamp>()
    }
}

transformer_tutor::weigh!(Iteration: row);

impl Weigh for Cost {
    fn heap(&self) -> usize {
        self.cached.len() * size_of::<CacheStats>() + self.anew.heap()
    }
}

/// The search with these settings.
pub fn grown(setup: &Setup<'_>) -> Arc<Grown> {
    static MEMO: Memo<Grown> = Memo::new("decoding: trees");
    let fault = Fault::ALL
        .iter()
        .find(|(name, _)| setup.settings.broken(name));
    let &Knobs { beam, limit, .. } = &setup.knobs;
    let mistake = TASK.on(setup.settings);
    let fault_name = fault.map_or("", |f| f.0);
    let key = format!("{beam} {limit} {mistake:?} {fault_name} {}", setup.key());
    MEMO.get(key, || {
        let decoder = decoder(&setup.model);
        let fault = fault.map(|(_, fault)| *fault);
        let mut words = Watched::new(&setup.model, &decoder, &setup.source(), fault);
        let tree = Tree::grow(&mut words, TASK.with(mistake), beam, limit, MOST_ALPHA);
        Grown {
            tree,
            lamps: words.lamps,
        }
    })
}

/// The exponent for scores; multiplying by the penalty means changing its sign.
pub fn exponent(setup: &Setup<'_>) -> f64 {
    if setup.settings.broken("times-penalty") {
        -setup.knobs.alpha
    } else {
        setup.knobs.alpha
    }
}

/// The winning translation.
pub fn best(setup: &Setup<'_>) -> Hypothesis {
    grown(setup).tree.best(exponent(setup))
}

/// Iterations of the loop.
pub fn turns(setup: &Setup<'_>) -> Arc<Vec<Iteration>> {
    static MEMO: Memo<Vec<Iteration>> = Memo::new("decoding: turns");
    let first = setup.settings.broken("first-row");
    let limit = setup.knobs.limit;
    let key = format!("{first} {limit} {}", setup.key());
    MEMO.get(key, || {
        let t = &setup.model;
        let src = setup.source();
        let memory = encode(&t.model, &t.params, &src);
        let mut tgt = vec![BOS as u32];
        let mut turns: Vec<Iteration> = vec![];
        while turns.len() < limit {
            let out = decode(&t.model, &t.params, &tgt, &src, &memory);
            let at = if first { 0 } else { tgt.len() - 1 };
            let row = out.data()[at * out.last()..][..out.last()].to_vec();
            let word = largest(&row) as u32;
            tgt.push(word);
            turns.push(Iteration { row, word });
            if word == EOS as u32 {
                break;
            }
        }
        turns
    })
}

/// Largest change in the rows of earlier tokens when one more token is read.
pub fn earlier_rows(setup: &Setup<'_>) -> f64 {
    let t = &setup.model;
    let src = setup.source();
    let memory = encode(&t.model, &t.params, &src);
    let words = turns(setup)
        .iter()
        .map(|turn| turn.word)
        .collect::<Vec<_>>();
    let tgt = [&[BOS as u32], &words[..]].concat();
    let whole = decode(&t.model, &t.params, &tgt, &src, &memory);
    let part = decode(&t.model, &t.params, &tgt[..tgt.len() - 1], &src, &memory);
    let both = part.data().iter().zip(whole.data());
    both.fold(0.0, |most, (a, b)| {
        f64::from((a.exp() - b.exp()).abs()).max(most)
    })
}

/// Cost of greedily decoding a number of tokens, ignoring EOS.
pub struct Cost {
    /// Statistics of the cache after each token.
    pub cached: Vec<CacheStats>,
    /// Rows projected by one matrix, and floating-point operations, for each step without a cache.
    pub anew: Vec<(u64, u64)>,
}

/// Cost of `length` tokens.
pub fn cost(setup: &Setup<'_>) -> Arc<Cost> {
    static MEMO: Memo<Cost> = Memo::new("decoding: costs");
    let length = setup.knobs.length;
    let key = format!("{length} {}", setup.key());
    MEMO.get(key, || {
        let src = setup.source();
        let decoder = decoder(&setup.model);
        let mut cache = decoder.begin(&[decoder.source(&src)]);
        let mut prefix = vec![BOS as u32];
        let (mut cached, mut anew) = (vec![], vec![]);
        for _ in 0..length {
            let (logits, next) = decoder.step(cache, &[prefix[prefix.len() - 1]]);
            cache = next;
            cached.push(cache.stats);
            anew.push(counted(&setup.model, &src, &prefix));
            prefix.push(largest(logits.data()) as u32);
        }
        Cost { cached, anew }
    })
}

/// Rows and operations of the decoder over all of `prefix`, counted from the products that a run records.
fn counted(t: &Model, src: &[u32], prefix: &[u32]) -> (u64, u64) {
    let tape = Tape::eval(&t.params);
    let sentence = models::sentence;
    let memory = Tensor::zeros(&[1, src.len(), t.model.config.d_model]);
    let memory = tape.constant("memory", memory, &["b", "s", "d"]);
    let (src, tgt) = (
        sentence(&tape, "src", src, "s"),
        sentence(&tape, "tgt", prefix, "t"),
    );
    let (src_mask, tgt_mask) = (t.model.src_mask(&src), t.model.future_mask(&tgt));
    let hidden = t.model.decode(&memory, &src_mask, &tgt, &tgt_mask);
    t.model.generator.logits(&hidden.last_position());
    let trace = tape.trace();
    let rows = trace.tensor("decoder.layers.0.self_attn.key");
    let rows = rows.map_or(0, |key| key.len() / key.last());
    let products = trace.steps().iter().filter_map(|step| {
        let inner = trace.steps()[*step.inputs().first()?].value.last();
        let product = ["linear", "matmul", "matmul_t"].contains(&step.op());
        product.then_some(2 * step.value.len() * inner)
    });
    (rows as u64, products.sum::<usize>() as u64)
}

/// Describes what became of a continuation, and by how much a pruned one missed.
pub fn fate(setup: &Setup<'_>, step: usize, at: usize) -> String {
    let grown = grown(setup);
    let now = &grown.tree.steps[step];
    let branch = now.branches[at];
    match branch.fate {
        Fate::Alive(place) => format!("kept: {}", place + 1),
        Fate::Finished => "ended".to_owned(),
        Fate::Pruned => now.bar().map_or("pruned".to_owned(), |bar| {
            format!("pruned by {:.2}", bar - branch.log_prob)
        }),
    }
}

/// Describes the last continuation that survived a step, which those pruned were beaten by.
pub fn bar(setup: &Setup<'_>, step: usize) -> Option<String> {
    let grown = grown(setup);
    let branches = &grown.tree.steps.get(step)?.branches;
    let alive = |b: &&Branch| matches!(b.fate, Fate::Alive(_));
    let last = branches.iter().rfind(alive)?;
    let path = &grown.tree.alive[step][last.parent];
    let before = path.last().map(|&id| format!("… {} ", setup.word(id)));
    Some(before.unwrap_or_default() + &setup.word(last.word))
}

/// The paper's length penalty, in the form of the official code.
pub fn penalty(length: usize, alpha: f64) -> f64 {
    Penalty::Gnmt.of(length, alpha)
}
