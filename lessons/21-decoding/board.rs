//! What the settings come to: the loop, the tree and its best, the ledger. Kept by what each depends on.

use std::sync::Arc;

use transformer_tutor::autograd::Tape;
use transformer_tutor::decode::beam::{Branch, Fate, Hypothesis, Penalty};
use transformer_tutor::decode::cache::Ledger;
use transformer_tutor::decode::stepwise::{Tree, decode, encode};
use transformer_tutor::lesson::memo::{Memo, Weigh};
use transformer_tutor::lesson::models::{self, Model};
use transformer_tutor::lesson::spelled;
use transformer_tutor::lesson::{Settings, largest};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::vocabulary::{BOS, EOS};

use super::check::TASK;
use super::knobs::Knobs;
use super::watched::{Fault, Lamp, POSITIONS, Watched, decoder};

/// The largest exponent that the knob has: a tree serves all up to it.
pub const MOST_ALPHA: f64 = 2.0;

/// What decodes: the knobs and switches, and the model that they choose, found once. A run that trains on may have
/// come further when it is asked for again.
pub struct Desk<'a> {
    pub knobs: Knobs,
    pub settings: &'a Settings,
    pub model: Arc<Model>,
}

impl<'a> Desk<'a> {
    /// `Err` says why there is no such model.
    pub fn of(settings: &'a Settings) -> Result<Self, String> {
        Ok(Self::with(settings, models::chosen(settings)?))
    }

    /// The same with a model of its own.
    pub fn with(settings: &'a Settings, model: Arc<Model>) -> Self {
        Self {
            knobs: settings.knobs(),
            settings,
            model,
        }
    }

    /// The source as ids, with its end.
    pub fn source(&self) -> Vec<u32> {
        let mut ids = self.model.pipeline.sentence(&self.knobs.sentence).ids;
        ids.truncate(POSITIONS);
        ids
    }

    /// A target token, see [`spelled`].
    pub fn word(&self, id: u32) -> String {
        spelled(&self.model.pipeline.target, id)
    }

    /// A whole translation as people write it, in quotes.
    pub fn sentence(&self, ids: &[u32]) -> String {
        format!("“{}”", self.model.pipeline.target.text(ids))
    }

    /// Target tokens, with blanks between.
    pub fn text(&self, ids: &[u32]) -> String {
        let words = ids.iter().map(|&id| self.word(id));
        words.collect::<Vec<_>>().join(" ")
    }

    /// What results are kept by, beside all that they depend on.
    fn key(&self) -> String {
        format!("{} | {}", self.knobs.sentence, self.model.key)
    }
}

/// A tree and the lamp of every step of it.
pub struct Grown {
    pub tree: Tree,
    pub lamps: Vec<Lamp>,
}

/// One turn of the loop.
pub struct Turn {
    /// The row of log-probabilities that was taken.
    pub row: Vec<f32>,
    /// The word that was taken.
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

impl Weigh for Turn {
    fn heap(&self) -> usize {
        self.row.heap()
    }
}

impl Weigh for Cost {
    fn heap(&self) -> usize {
        self.cached.len() * size_of::<Ledger>() + self.anew.heap()
    }
}

/// The search of these settings.
pub fn grown(desk: &Desk<'_>) -> Arc<Grown> {
    static MEMO: Memo<Grown> = Memo::new("decoding: trees");
    let fault = Fault::ALL
        .iter()
        .find(|(name, _)| desk.settings.broken(name));
    let &Knobs { beam, limit, .. } = &desk.knobs;
    let name = TASK.on(desk.settings);
    let fault_name = fault.map_or("", |f| f.0);
    let key = format!("{beam} {limit} {name} {fault_name} {}", desk.key());
    MEMO.get(key, || {
        let decoder = decoder(&desk.model);
        let fault = fault.map(|(_, fault)| *fault);
        let mut words = Watched::new(&desk.model, &decoder, &desk.source(), fault);
        let tree = Tree::grow(&mut words, TASK.named(name), beam, limit, MOST_ALPHA);
        Grown {
            tree,
            lamps: words.lamps,
        }
    })
}

/// The exponent that scores are made with; to multiply by the penalty is to turn its sign.
pub fn exponent(desk: &Desk<'_>) -> f64 {
    match desk.settings.broken("times-penalty") {
        true => -desk.knobs.alpha,
        false => desk.knobs.alpha,
    }
}

/// The translation that wins.
pub fn best(desk: &Desk<'_>) -> Hypothesis {
    grown(desk).tree.best(exponent(desk))
}

/// The loop, turn by turn.
pub fn turns(desk: &Desk<'_>) -> Arc<Vec<Turn>> {
    static MEMO: Memo<Vec<Turn>> = Memo::new("decoding: turns");
    let first = desk.settings.broken("first-row");
    let limit = desk.knobs.limit;
    let key = format!("{first} {limit} {}", desk.key());
    MEMO.get(key, || {
        let t = &desk.model;
        let src = desk.source();
        let memory = encode(&t.model, &t.params, &src);
        let mut tgt = vec![BOS as u32];
        let mut turns: Vec<Turn> = vec![];
        while turns.len() < limit {
            let out = decode(&t.model, &t.params, &tgt, &src, &memory);
            let at = if first { 0 } else { tgt.len() - 1 };
            let row = out.data()[at * out.last()..][..out.last()].to_vec();
            let word = largest(&row) as u32;
            tgt.push(word);
            turns.push(Turn { row, word });
            if word == EOS as u32 {
                break;
            }
        }
        turns
    })
}

/// By how much reading one more word changes the rows of the words before it, at most.
pub fn earlier_rows(desk: &Desk<'_>) -> f64 {
    let t = &desk.model;
    let src = desk.source();
    let memory = encode(&t.model, &t.params, &src);
    let words = turns(desk).iter().map(|turn| turn.word).collect::<Vec<_>>();
    let tgt = [&[BOS as u32], &words[..]].concat();
    let whole = decode(&t.model, &t.params, &tgt, &src, &memory);
    let part = decode(&t.model, &t.params, &tgt[..tgt.len() - 1], &src, &memory);
    let both = part.data().iter().zip(whole.data());
    both.fold(0.0, |most, (a, b)| {
        f64::from((a.exp() - b.exp()).abs()).max(most)
    })
}

/// What decoding so many words greedily costs, an EOS ignored.
pub struct Cost {
    /// The books after each word.
    pub cached: Vec<Ledger>,
    /// Rows projected by one matrix and floating-point operations of each step without a cache.
    pub anew: Vec<(u64, u64)>,
}

/// The cost of `length` words.
pub fn cost(desk: &Desk<'_>) -> Arc<Cost> {
    static MEMO: Memo<Cost> = Memo::new("decoding: costs");
    let length = desk.knobs.length;
    let key = format!("{length} {}", desk.key());
    MEMO.get(key, || {
        let src = desk.source();
        let decoder = decoder(&desk.model);
        let mut cache = decoder.begin(&[decoder.source(&src)]);
        let mut read = vec![BOS as u32];
        let (mut cached, mut anew) = (vec![], vec![]);
        for _ in 0..length {
            let (logits, next) = decoder.step(cache, &[read[read.len() - 1]]);
            cache = next;
            cached.push(cache.ledger);
            anew.push(counted(&desk.model, &src, &read));
            read.push(largest(logits.data()) as u32);
        }
        Cost { cached, anew }
    })
}

/// Rows and operations of the decoder over all of `read`, counted from the products that a run of it records.
fn counted(t: &Model, src: &[u32], read: &[u32]) -> (u64, u64) {
    let tape = Tape::eval(&t.params);
    let sentence = models::sentence;
    let memory = Tensor::zeros(&[1, src.len(), t.model.config.d_model]);
    let memory = tape.constant("memory", memory, &["b", "s", "d"]);
    let (src, tgt) = (
        sentence(&tape, "src", src, "s"),
        sentence(&tape, "tgt", read, "t"),
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

/// In words what became of a continuation; of one given up, by how much it missed.
pub fn fate(desk: &Desk<'_>, step: usize, at: usize) -> String {
    let grown = grown(desk);
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

/// The last continuation that lives on after a step: what those given up were beaten by.
pub fn bar(desk: &Desk<'_>, step: usize) -> Option<String> {
    let grown = grown(desk);
    let branches = &grown.tree.steps.get(step)?.branches;
    let alive = |b: &&Branch| matches!(b.fate, Fate::Alive(_));
    let last = branches.iter().rfind(alive)?;
    let path = &grown.tree.alive[step][last.parent];
    let before = path.last().map(|&id| format!("… {} ", desk.word(id)));
    Some(before.unwrap_or_default() + &desk.word(last.word))
}

/// A penalty of the paper that the official code follows.
pub fn penalty(length: usize, alpha: f64) -> f64 {
    Penalty::Gnmt.of(length, alpha)
}
