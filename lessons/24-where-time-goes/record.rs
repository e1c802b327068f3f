//! The recorded run: the forward half of a training step on phrasebook sentences, or one token of a decoder.

use std::sync::Arc;

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::data::corpus::Corpus;
use transformer_tutor::lesson::memo::{Lazy, Memo};
use transformer_tutor::ops::Spread;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::phrasebook::{Pair, Part, pairs};
use transformer_tutor::text::vocabulary::{BOS, EOS, Vocabulary};
use transformer_tutor::train::step::{self, Batch, StepOptions};
use transformer_tutor::transformer::cost::Cost;
use transformer_tutor::transformer::{Config, Transformer};

use super::check::CostFn;
use super::hand::{self, Flaw, Sizes};
use super::knobs::{Form, HEADS, Knobs, Order, Pass};

/// Sentence pairs from which batches are cut.
pub const POOL: usize = 2000;

/// Phrasebook sentences as ids, with the words behind them.
pub struct Sentences {
    pub corpus: Corpus,
    pub german: Vocabulary,
    pub english: Vocabulary,
}

pub static SENTENCES: Lazy<Sentences> = Lazy::new(|| {
    let all = pairs(Part::Train, POOL);
    let known = |side: fn(&Pair) -> &Vec<String>| {
        Vocabulary::from_words(all.iter().flat_map(side).map(String::as_str))
    };
    let (german, english) = (known(|p| &p.german), known(|p| &p.english));
    let ids = |words: &[String], known: &Vocabulary| -> Vec<u32> {
        words.iter().map(|word| known.id(word) as u32).collect()
    };
    let both = |pair: &Pair| {
        let tgt = ids(&pair.english, &english);
        let tgt = [BOS as u32].into_iter().chain(tgt).chain([EOS as u32]);
        (ids(&pair.german, &german), tgt.collect())
    };
    let corpus = Corpus {
        pairs: all.iter().map(both).collect(),
        ..Corpus::default()
    };
    Sentences {
        corpus,
        german,
        english,
    }
});

/// The batch for the settings: the first sentences as drawn, or as many of medium length.
pub fn batch(knobs: &Knobs) -> Batch {
    let pairs = &SENTENCES.corpus.pairs;
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    let mut first = 0;
    if knobs.order == Order::Sorted {
        order.sort_by_key(|&i| (pairs[i].1.len(), pairs[i].0.len()));
        first = (pairs.len() - knobs.sentences) / 2;
    }
    let chosen = order[first..][..knobs.sentences].iter().map(|&i| &pairs[i]);
    let sides: Vec<(&[u32], &[u32])> = chosen.map(|(s, t)| (&s[..], &t[..])).collect();
    Batch::new(&sides)
}

/// A model and its weights.
pub struct BuiltModel {
    pub model: Transformer,
    pub params: Params,
}

transformer_tutor::weigh!(BuiltModel: params);

/// A model of a given size, created once.
pub fn model(width: usize, layers: usize) -> Arc<BuiltModel> {
    static MADE: Memo<BuiltModel> = Memo::new("where time goes: models");
    let build = || {
        let words = &*SENTENCES;
        let config = Config::annotated(words.german.len(), words.english.len());
        let config = config.sized(layers, width, 4 * width, HEADS);
        let mut params = Params::new(1);
        let model = Transformer::new(&mut params, &config);
        BuiltModel { model, params }
    };
    MADE.get(format!("{width} {layers}"), build)
}

/// Options as in the program's training, with this many shards.
pub fn options(shards: usize) -> StepOptions {
    StepOptions {
        smoothing: 0.1,
        spread: Spread::All,
        shards,
    }
}

/// A tape for a training step, or for decoding; fused if the knobs say so.
pub fn tape(knobs: &Knobs, params: &Params) -> Tape {
    let tape = match knobs.pass {
        Pass::Word => Tape::eval(params),
        Pass::Training => Tape::train(params, 1),
    };
    match knobs.form {
        Form::Fused => tape.fused(),
        Form::Steps => tape,
    }
}

/// The run for the knobs, followed by the count by hand of one of its attention layers.
pub fn record(knobs: &Knobs, flaw: Option<Flaw>) -> Trace {
    let made = model(knobs.width, knobs.layers);
    let BuiltModel { model, params } = &*made;
    let word = knobs.pass == Pass::Word;
    let tape = tape(knobs, params);
    let batch = counted_batch(knobs);
    let factor = 1.0 / batch.target_tokens().max(1) as f32;
    if knobs.form == Form::Fused && !word {
        step::loss(model, &tape, &batch, &options(1), factor);
    } else {
        let (read, predict) = batch.shifted();
        let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
        let pass = model.forward(&src, &tape.ids("tgt", read, &["b", "t"]));
        if !word {
            let targets = tape.ids("targets", predict, &["b", "t"]);
            let words = model.config.tgt_vocab;
            let smooth = targets.smooth_targets(words, 0.1, Spread::All, 0.0);
            let loss = pass.log_probs.kl_divergence(&smooth);
            let _loss = loss.scale(factor).named("loss");
        }
    }
    let sizes = hand::sizes(&batch, knobs.width);
    hand::record(&tape, sizes, flaw);
    let english = words(&batch.shifted().0, &SENTENCES.english);
    let trace = tape
        .trace()
        .label("s", words(&batch.src, &SENTENCES.german))
        .label("t", english);
    hand::label(trace, sizes, flaw)
}

/// Result of the count by hand for the knobs.
pub fn by_hand(knobs: &Knobs, cost: CostFn) -> Cost {
    let Sizes { b, t, s, d, h } = hand::sizes(&counted_batch(knobs), knobs.width);
    cost(b, t, s, d, h)
}

/// Input of the run; for one token, the first sentence of the batch and the start token of the decoder.
pub fn counted_batch(knobs: &Knobs) -> Batch {
    let all = batch(knobs);
    if knobs.pass == Pass::Training {
        return all;
    }
    let one = all.part(0, all.sentences());
    let tgt = Tensor::new(&[1, 2], one.tgt.data()[..2].to_vec());
    Batch { src: one.src, tgt }
}

fn words(ids: &Tensor, known: &Vocabulary) -> Vec<Vec<String>> {
    let rows = ids.data().chunks(ids.last().max(1));
    let word = |&id: &f32| known.word(id as usize).to_owned();
    rows.map(|row| row.iter().map(word).collect()).collect()
}
