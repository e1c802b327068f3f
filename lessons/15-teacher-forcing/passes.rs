//! One masked pass over a sentence, and the equivalent loop over its prefixes.

use transformer_tutor::autograd::{Tape, Trace, Var};
use transformer_tutor::nn::masks::{self, Shifted};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::sample::{self, BATCH, Language};
use transformer_tutor::transformer::config::Shift;
use transformer_tutor::transformer::{Config, Transformer};

/// Ids of the tokens before and after a sentence.
pub const START: f32 = 1.0;
pub const END: f32 = 2.0;

/// Three short sentences from the sample; with start and end, the first has six ids.
const SENTENCES: [usize; 3] = [7, 5, 26];

/// Number of ids in the first sentence, with its start and end.
pub const LENGTH: usize = 6;

/// Columns of the padded batch.
const WIDTH: usize = 7;

fn pick(language: Language, pair: usize) -> Vec<f32> {
    let length = 11;
    let ids = sample::ids(length, language);
    let row = &ids.data()[pair * length..(pair + 1) * length];
    row.iter().copied().filter(|&id| id != masks::PAD).collect()
}

/// Padded target sentences `[3, 7]`, with or without a start, and their words.
pub fn targets(start: bool) -> (Tensor, Vec<Vec<String>>) {
    let (mut ids, mut words) = (Vec::new(), Vec::new());
    for pair in SENTENCES {
        let mut row = pick(Language::English, pair);
        let mut output = sample::words(pair, row.len(), Language::English);
        if start {
            row.insert(0, START);
            output.insert(0, "<s>".to_owned());
        }
        row.push(END);
        output.push("</s>".to_owned());
        row.resize(WIDTH, masks::PAD);
        output.resize(WIDTH, "<pad>".to_owned());
        ids.extend(row);
        words.push(output);
    }
    (Tensor::new(&[SENTENCES.len(), WIDTH], ids), words)
}

/// Padded source sentences.
fn sources() -> Tensor {
    let rows = SENTENCES.map(|pair| pick(Language::German, pair));
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = rows.into_iter().flat_map(|mut row| {
        row.resize(width, masks::PAD);
        row
    });
    Tensor::new(&[SENTENCES.len(), width], cells.collect())
}

/// The stage's model, and whether it may see the future.
pub struct Reader {
    params: Params,
    model: Transformer,
    /// Whether the decoder's mask hides the future.
    pub masked: bool,
}

impl Reader {
    pub fn new(seed: u64, masked: bool, shift: Shift) -> Self {
        let words = |language| {
            let ids = sample::ids(11, language);
            ids.data().iter().fold(0.0_f32, |most, &id| most.max(id)) as usize + 1
        };
        let (src, tgt) = (words(Language::German), words(Language::English));
        let mut config = Config::annotated(src, tgt).sized(2, 16, 32, 2);
        config.dropout = 0.0;
        config.shift = shift;
        let mut params = Params::new(seed);
        let model = Transformer::new(&mut params, &config);
        assert!(SENTENCES.iter().all(|&pair| pair < BATCH));
        Self {
            params,
            model,
            masked,
        }
    }

    fn logits(&self, src: &Var, tgt: &Var) -> Var {
        let model = &self.model;
        let src_mask = model.src_mask(src);
        let tgt_mask = if self.masked {
            model.tgt_mask(tgt)
        } else {
            masks::src_mask(tgt).named("tgt_mask")
        };
        let memory = model.encode(src, &src_mask);
        let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
        model.generator.logits(&hidden).named("logits")
    }

    /// Records one pass over the batch, up to the loss.
    pub fn record(&self, sentence: &Tensor, batch: Shifted) -> Trace {
        let tape = Tape::eval(&self.params);
        tape.ids("sentence", sentence.clone(), &["b", "n"]);
        // A model that shifts embeddings is given what it should predict, and shifts it itself.
        let tgt = match self.model.config.shift {
            Shift::Ids => batch.tgt,
            Shift::Embeddings => batch.tgt_y.clone(),
        };
        let tgt = tape.ids("tgt", tgt, &["b", "t"]);
        let tgt_y = tape.ids("tgt_y", batch.tgt_y, &["b", "t"]);
        let src = tape.ids("src", sources(), &["b", "s"]);
        let logits = self.logits(&src, &tgt);
        let counted = tgt_y.not_equal(masks::PAD).named("counts");
        // Like `train::loss::cross_entropy`, except for the divisor: the batch's own count, right or wrong.
        let log_probs = logits.log_softmax().pick(&tgt_y).named("log_probs");
        let sum = log_probs.mul(&counted).named("counted").sum();
        let _ = sum.scale(-1.0 / batch.ntokens as f32).named("loss");
        tape.trace()
    }

    /// Logits and log-probabilities after each of the given ids of sentence 0: `[ids, words]`.
    fn read(&self, ids: &[f32]) -> [Tensor; 2] {
        let tape = Tape::eval(&self.params);
        let source = pick(Language::German, SENTENCES[0]);
        let src = tape.ids("src", Tensor::new(&[1, source.len()], source), &["b", "s"]);
        let tgt = tape.ids(
            "tgt",
            Tensor::new(&[1, ids.len()], ids.to_vec()),
            &["b", "t"],
        );
        let logits = self.logits(&src, &tgt);
        [logits.value(), logits.log_softmax().value()].map(|y| y.reshape(&[ids.len(), y.last()]))
    }
}

/// Result of the loop over one sentence's prefixes, compared with one pass.
pub struct Loop {
    /// The prefixes that are read, each with what should be predicted.
    pub prefixes: Vec<(Vec<f32>, Vec<f32>)>,
    /// Number of prefixes in which each position was counted.
    pub counts: Vec<usize>,
    /// Loss of each position in the single pass.
    pub losses: Vec<f64>,
    /// Sum of all losses over all prefixes.
    pub total: f64,
    /// Largest difference between a logit of a prefix and the same logit of the single pass.
    pub apart: f64,
}

/// Runs `for i in 0..N − 1`: read `ids[..i + 1]`, predict `ids[1..i + 2]`, count every position.
pub fn looped(reader: &Reader, ids: &[f32]) -> Loop {
    let n = ids.len();
    let [whole_logits, whole] = reader.read(&ids[..n - 1]);
    let width = whole.last();
    let loss = |row: &[f32], target: f32| -f64::from(row[target as usize]);
    let mut counted = Loop {
        prefixes: Vec::new(),
        counts: vec![0; n - 1],
        losses: whole
            .data()
            .chunks(width)
            .zip(&ids[1..])
            .map(|(row, &target)| loss(row, target))
            .collect(),
        total: 0.0,
        apart: 0.0,
    };
    for i in 0..n - 1 {
        let (reads, says) = (&ids[..i + 1], &ids[1..i + 2]);
        let [logits, rows] = reader.read(reads);
        for (j, row) in rows.data().chunks(width).enumerate() {
            counted.counts[j] += 1;
            counted.total += loss(row, says[j]);
        }
        let pairs = logits.data().iter().zip(whole_logits.data());
        let far = pairs.map(|(a, b)| f64::from((a - b).abs()));
        counted.apart = far.fold(counted.apart, f64::max);
        counted.prefixes.push((reads.to_vec(), says.to_vec()));
    }
    counted
}
