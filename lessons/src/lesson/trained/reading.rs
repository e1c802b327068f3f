//! One sentence in the trained model, intact or broken: its tokens, what the model writes, and the recorded pass over
//! both.

use std::sync::Arc;

use super::broken::Broken;
use super::rungs;
use crate::autograd::{Tape, Trace};
use crate::decode::{DecodeOptions, translate};
use crate::lesson::memo::{Memo, Weigh};
use crate::lesson::models;
use crate::lesson::{Flaw, largest};
use crate::tensor::Tensor;
use crate::text::pipeline::Side;
use crate::text::remarks::Answer;
use crate::text::sentence::Sentence;
use crate::text::sentencepiece::BLANK;
use crate::text::vocabulary::EOS;
use crate::train::built_in::BuiltIn;
use crate::transformer::heads::{self, AttentionKind};

/// Maximum number of source tokens read.
pub(super) const LONGEST: usize = 40;

/// A sentence, its translation, and the recorded pass over both.
pub struct Reading {
    /// Source tokens, including the end token.
    pub read: Vec<String>,
    /// Written tokens, including the end token.
    pub written: Vec<String>,
    /// The source sentence as text, as far as it was read.
    pub source: String,
    /// The translation as text.
    pub text: String,
    /// Recorded pass: row `i` of the decoder reads token `i - 1` and predicts token `i`.
    pub trace: Trace,
    /// Ids of `written`.
    pub ids: Vec<u32>,
    /// Ids of `read`.
    pub source_ids: Vec<u32>,
    layers: (usize, usize),
    flaw: Option<Flaw>,
    sentence: Sentence,
    /// State at the time each token was written, if the pass over the finished sentence differs from it; else empty.
    chosen_by: Vec<Row>,
}

/// State of the model when it wrote a token.
pub(super) struct Row {
    /// Log-probability of each token, `[vocabulary]`.
    log_probs: Vec<f32>,
    /// The token's row of [`Reading::cross_attention`], `[read]`.
    looked: Vec<f32>,
}

impl Weigh for Reading {
    fn heap(&self) -> usize {
        let rows = self.chosen_by.iter();
        let rows: usize = rows
            .map(|row| 4 * (row.log_probs.len() + row.looked.len()))
            .sum();
        self.trace.heap() + self.read.heap() + self.written.heap() + rows
    }
}

impl Reading {
    /// The sentence in the built-in model, cached.
    pub fn of(line: &str, flaw: Option<Flaw>) -> Arc<Self> {
        static MEMO: Memo<Reading> = Memo::new("the trained model: sentences");
        MEMO.get(format!("{flaw:?} | {line}"), || Self::new(line, flaw))
    }

    fn new(line: &str, flaw: Option<Flaw>) -> Self {
        let t = BuiltIn::Everyday.translator();
        let broken = Broken::new(t, flaw);
        let config = &broken.model.config;
        let side = &t.pipeline.source;
        let sentence = t.pipeline.sentence(line);
        let mut src = sentence.ids.clone();
        src.truncate(LONGEST);
        let (ids, mut chosen_by) = written(&broken, &src);
        // Behind the mask, later tokens change nothing. Without LayerNorm, the scores outgrow the mask.
        if !matches!(flaw, Some(Flaw::NoFutureMask | Flaw::NoNorm)) {
            chosen_by.clear();
        }
        let tape = Tape::eval(&broken.params);
        broken.record(&tape, &src, &ids);
        rungs::record(&tape, &broken.model);
        let all: Vec<u32> = (0..t.pipeline.target.vocabulary.len() as u32).collect();
        let (read, target) = (words(side, &src), words(&t.pipeline.target, &ids));
        let reads = [vec!["<s>".to_owned()], target[..ids.len() - 1].to_vec()].concat();
        Self {
            trace: tape
                .trace()
                .label("s", vec![read.clone()])
                .label_rows("t", vec![rows(&reads, &target)])
                .label("t", vec![reads])
                .label("v", vec![words(&t.pipeline.target, &all)]),
            read,
            written: target,
            source: side.text(&src),
            source_ids: src,
            text: t.pipeline.translation(&sentence, &ids),
            ids,
            layers: (config.encoder_layers(), config.layers),
            flaw,
            sentence,
            chosen_by,
        }
    }

    /// See [`models::remarks`]. Of a broken model's translation, nothing is remarked.
    pub(super) fn remarks(&self) -> Option<String> {
        let written = self.ids.len() - 1;
        let log_probs = self.chosen().into_iter().map(f64::ln);
        let answer = Answer {
            text: &self.text,
            mean_log_prob: Some(log_probs.sum::<f64>() / written as f64).filter(|_| written > 0),
            finished: written < LONGEST,
        };
        let answer = Some(answer).filter(|_| self.flaw.is_none());
        let pipeline = &BuiltIn::Everyday.translator().pipeline;
        models::remarks(pipeline, &self.sentence, LONGEST, answer)
    }

    /// How the model is broken, if it is.
    pub fn flaw(&self) -> Option<Flaw> {
        self.flaw
    }

    /// The translation in a sentence, `“The little dog …”`, together with the flaw if there is one.
    pub fn sentence(&self) -> String {
        match self.flaw {
            None => quoted(&self.text),
            Some(flaw) => format!("The model {} writes: {}", flaw.words(), quoted(&self.text)),
        }
    }

    /// Numbers of encoder and decoder layers.
    pub fn layers(&self) -> (usize, usize) {
        self.layers
    }

    /// What each row of the decoder reads and writes: `little → dog`.
    pub fn rows(&self) -> Vec<String> {
        let reads = [&["<s>".to_owned()], &self.written[..self.written.len() - 1]].concat();
        rows(&reads, &self.written)
    }

    /// Spelling of the token with this id.
    pub fn token(&self, id: usize) -> String {
        let word = self.trace.word("v", 0, id);
        word.unwrap_or_default().to_owned()
    }

    /// A tensor of the pass. Panics if there is none of that name.
    pub fn tensor(&self, name: &str) -> &Tensor {
        let tensor = self.trace.tensor(name);
        tensor.unwrap_or_else(|| panic!("the pass records {name}"))
    }

    /// Probability of each token of the vocabulary at the position of written token `at`.
    pub fn probabilities(&self, at: usize) -> Vec<f64> {
        let row = match self.chosen_by.get(at) {
            Some(row) => &row.log_probs[..],
            None => row(self.tensor("generator.log_probs"), at),
        };
        row.iter().map(|&x| f64::from(x).exp()).collect()
    }

    /// Probability of each written token.
    pub fn chosen(&self) -> Vec<f64> {
        let of = |(at, id): (usize, &u32)| self.probabilities(at)[*id as usize];
        self.ids.iter().enumerate().map(of).collect()
    }

    /// The `most` most probable tokens at the position of written token `at`, with their probabilities.
    pub fn likeliest(&self, at: usize, most: usize) -> Vec<(String, f64)> {
        let all = self.probabilities(at);
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|a, b| all[*b].total_cmp(&all[*a]));
        let word = |id: usize| (self.token(id), all[id]);
        order.into_iter().take(most).map(word).collect()
    }

    /// Mean cross-attention weights over the heads of the last decoder layer, `[written, read]`; zeros if
    /// cross-attention is off.
    pub fn cross_attention(&self) -> Tensor {
        let sizes = [self.written.len(), self.read.len()];
        match (self.flaw, &self.chosen_by[..]) {
            (Some(Flaw::NoCross), _) => Tensor::zeros(&sizes),
            (_, []) => cross_attention(&self.trace, self.layers.1),
            (_, rows) => Tensor::new(&sizes, rows.iter().flat_map(|r| r.looked.clone()).collect()),
        }
    }

    /// A number by name: `source_tokens`, `written_tokens`, `probability_3` of written token 3, `looked_at_3` (the
    /// index of the source token with the largest weight for written token 3), and `least_sure` (the index of the
    /// written token with the lowest probability); `same`, 1 if the intact model writes the same translation;
    /// `written_with_no_cross`, the tokens that the model with a flaw writes; and `same_with_no_cross`, 1 if that is what
    /// the intact model writes.
    pub fn fact(&self, name: &str) -> Option<f64> {
        if let Some(flaw) = name.strip_prefix("written_with_") {
            return Some(self.with(flaw)?.written.len() as f64);
        }
        if let Some(flaw) = name.strip_prefix("same_with_") {
            return Some(f64::from(self.sound().text == self.with(flaw)?.text));
        }
        match name {
            "source_tokens" => Some(self.read.len() as f64),
            "written_tokens" => Some(self.written.len() as f64),
            "least_sure" => Some(self.least_sure() as f64),
            "same" => Some(f64::from(self.sound().text == self.text)),
            _ => {
                let (what, at) = name.rsplit_once('_')?;
                let at: usize = at.parse().ok()?;
                match what {
                    "probability" => self.chosen().get(at).copied(),
                    "looked_at" => {
                        let looked = self.cross_attention();
                        let row = looked.data().chunks(looked.last()).nth(at)?;
                        Some(largest(row) as f64)
                    }
                    _ => None,
                }
            }
        }
    }

    /// The same sentence in the intact model.
    pub fn sound(&self) -> Arc<Self> {
        Self::of(&self.source, None)
    }

    /// The same sentence in the model with the flaw of this name, with underscores: `no_cross`.
    fn with(&self, flaw: &str) -> Option<Arc<Self>> {
        let flaw = Flaw::named(&flaw.replace('_', "-"))?;
        Some(Self::of(&self.source, Some(flaw)))
    }

    /// Index of the written token with the lowest probability.
    pub fn least_sure(&self) -> usize {
        let all: Vec<f32> = self.chosen().iter().map(|p| -*p as f32).collect();
        largest(&all)
    }
}

/// What each row reads and writes.
pub fn rows(reads: &[String], writes: &[String]) -> Vec<String> {
    let pairs = reads.iter().zip(writes);
    pairs
        .map(|(reads, writes)| format!("{reads} → {writes}"))
        .collect()
}

/// A translation in quotation marks; one word or letter written again and again only once, with its count.
fn quoted(text: &str) -> String {
    let times = |one: &str, count: usize| format!("“{one}” {count} times");
    let words: Vec<&str> = text.split(' ').collect();
    if words.len() > 3 && words.iter().all(|word| *word == words[0]) {
        return times(words[0], words.len());
    }
    let letters: Vec<char> = text.chars().collect();
    if letters.len() > 6 && letters.iter().all(|letter| *letter == letters[0]) {
        return times(&letters[0].to_string(), letters.len());
    }
    format!("“{text}”")
}

fn words(side: &Side, ids: &[u32]) -> Vec<String> {
    ids.iter().map(|&id| spelled(side, id)).collect()
}

/// Spelling of a token for readers. A SentencePiece token that begins a word is shown as its letters, one that
/// continues a word gets a hyphen in front, and the bare word-start marker becomes `(space)`. Tokens of other
/// vocabularies are shown unchanged.
pub fn spelled(side: &Side, id: u32) -> String {
    let piece = side.vocabulary.word(id as usize);
    if side.pieces.is_none() {
        return piece.to_owned();
    }
    match piece.strip_prefix(BLANK) {
        Some("") => "(space)".to_owned(),
        Some(word) => word.to_owned(),
        None if piece.starts_with('<') || !piece.starts_with(char::is_alphanumeric) => {
            piece.to_owned()
        }
        None => format!("-{piece}"),
    }
}

/// Greedy translations of `lines` by the built-in model, intact or with a flaw.
pub fn translations(lines: &[String], flaw: Option<Flaw>) -> Vec<String> {
    let t = BuiltIn::Everyday.translator();
    let broken = Broken::new(t, flaw);
    let sentences = lines.iter().map(|line| t.pipeline.sentence(line));
    let sentences: Vec<Sentence> = sentences.collect();
    let text = |(sentence, ids): (&Sentence, &[u32])| t.pipeline.translation(sentence, ids);
    let mut sources: Vec<Vec<u32>> = sentences.iter().map(|one| one.ids.clone()).collect();
    sources.iter_mut().for_each(|src| src.truncate(LONGEST));
    if broken.needs_tape() {
        let one = |(sentence, src): (_, &Vec<u32>)| text((sentence, &written(&broken, src).0));
        return sentences.iter().zip(&sources).map(one).collect();
    }
    let hypotheses = translate(&broken.model, &broken.params, &sources, &greedy());
    let best = hypotheses.iter().map(|hypotheses| &hypotheses[0].ids[..]);
    sentences.iter().zip(best).map(text).collect()
}

/// Greedy search that ends after [`LONGEST`] tokens.
fn greedy() -> DecodeOptions {
    DecodeOptions {
        max_len: Some(LONGEST),
        ..DecodeOptions::greedy()
    }
}

/// Greedy translation, including the end token, and, if it takes a tape, the state at each token.
fn written(broken: &Broken, src: &[u32]) -> (Vec<u32>, Vec<Row>) {
    if broken.needs_tape() {
        return written_anew(broken, src, |trace| trace);
    }
    let hypotheses = translate(&broken.model, &broken.params, &[src.to_vec()], &greedy());
    (
        [&hypotheses[0][0].ids[..], &[EOS as u32]].concat(),
        Vec::new(),
    )
}

/// Greedy translation without a cache, which holds only what the unchanged functions compute without the later tokens:
/// each token takes a pass over everything written so far, which `changed` may replace. Also returns the state at each
/// token.
pub(super) fn written_anew(
    broken: &Broken,
    src: &[u32],
    changed: impl Fn(Trace) -> Trace,
) -> (Vec<u32>, Vec<Row>) {
    let (mut ids, mut rows) = (Vec::new(), Vec::new());
    while ids.last() != Some(&(EOS as u32)) && ids.len() < LONGEST {
        let tape = Tape::eval(&broken.params);
        // The next token is predicted in row `ids.len()`; the token after it does not exist yet.
        let so_far = [&ids[..], &[EOS as u32]].concat();
        broken.record(&tape, src, &so_far);
        let trace = changed(tape.trace());
        let log_probs = trace.tensor("generator.log_probs");
        let log_probs = log_probs.expect("the pass records its log-probabilities");
        let log_probs = row(log_probs, ids.len()).to_vec();
        let looked = cross_attention(&trace, broken.model.config.layers);
        let looked = row(&looked, ids.len()).to_vec();
        ids.push(largest(&log_probs) as u32);
        rows.push(Row { log_probs, looked });
    }
    (ids, rows)
}

/// Mean cross-attention weights over the heads of the last of `layers` decoder layers, `[target, source]`.
fn cross_attention(trace: &Trace, layers: usize) -> Tensor {
    let name = format!("{}.weights", AttentionKind::Cross.scope(layers - 1));
    let weights = trace.tensor(&name);
    heads::mean(weights.unwrap_or_else(|| panic!("the pass records {name}")))
}

/// Row `at` of a tensor, where rows are along the last axis.
fn row(tensor: &Tensor, at: usize) -> &[f32] {
    let width = tensor.last();
    &tensor.data()[at * width..][..width]
}

/// True if a flaw changes one of two translations; few sentences change under all of them.
#[cfg(test)]
pub(super) fn changes_a_translation(flaw: Option<Flaw>) -> bool {
    let sentences = [
        "Weil es regnet, bleiben wir zu Hause.",
        "Wie lange dauert die Fahrt nach Hamburg?",
    ];
    let text = |sentence, flaw| Reading::of(sentence, flaw).text.clone();
    sentences
        .into_iter()
        .any(|sentence| text(sentence, flaw) != text(sentence, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::trained::SENTENCE;

    #[test]
    fn the_recorded_pass_predicts_what_the_search_wrote() {
        let reading = Reading::of(SENTENCE, None);
        assert_eq!(reading.text, "The little dog is sleeping in the garden.");
        for (at, &id) in reading.ids.iter().enumerate() {
            let first = &reading.likeliest(at, 1)[0];
            assert_eq!(first.0, reading.written[at]);
            assert_eq!(first.1, reading.probabilities(at)[id as usize]);
        }
        assert_eq!(reading.read.last().map(String::as_str), Some("</s>"));
        let rows = reading.cross_attention();
        for row in rows.data().chunks(reading.read.len()) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn one_word_written_again_and_again_is_quoted_once_with_its_count() {
        assert_eq!(quoted(&["Nachricht"; 40].join(" ")), "“Nachricht” 40 times");
        assert_eq!(quoted("sssssssssss"), "“s” 11 times");
        assert_eq!(quoted("no no no"), "“no no no”");
        assert_eq!(quoted("It is is is is"), "“It is is is is”");
    }

    #[test]
    fn every_flaw_changes_what_the_model_says() {
        for flaw in Flaw::TOUR {
            assert!(changes_a_translation(Some(flaw)), "{flaw:?}");
        }
    }

    #[test]
    fn a_broken_model_is_shown_with_the_probabilities_it_wrote_by() {
        let blind = Reading::of(SENTENCE, Some(Flaw::NoCross));
        assert!(
            blind.cross_attention().data().iter().all(|x| *x == 0.0),
            "nothing of the sentence reaches the decoder"
        );
        for flaw in [Flaw::NoFutureMask, Flaw::NoCross, Flaw::NoPositions] {
            let reading = Reading::of(SENTENCE, Some(flaw));
            for (at, &id) in reading.ids.iter().enumerate() {
                let first = &reading.likeliest(at, 1)[0];
                assert_eq!(first.0, reading.written[at], "{flaw:?}: token {at}");
                assert_eq!(first.1, reading.probabilities(at)[id as usize]);
            }
        }
        let open = Reading::of(SENTENCE, Some(Flaw::NoFutureMask));
        for row in open.cross_attention().data().chunks(open.read.len()) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn a_sentence_of_one_character_and_one_that_is_far_too_long_are_read() {
        for line in ["x", &"Der Hund ".repeat(20)] {
            let reading = Reading::of(line, None);
            assert!(reading.read.len() <= LONGEST && !reading.written.is_empty());
        }
    }
}
