//! The measures of a test set's translations, as JSON and as text.

use std::fmt::Write;

use serde_json::json;

use super::perplexity::Perplexity;
use super::test_set::TestSet;
use super::{Evaluate, Translation};
use crate::cli::measures::doubts;
use crate::cli::streams::note;
use crate::decode::align;
use crate::decode::bleu::{Bleu, BleuOptions, corpus_bleu};
use crate::decode::chrf::{Chrf, ChrfOptions, corpus_chrf};
use crate::train::checkpoint::Translator;
use crate::typeset::number::counted;

/// The measures of a test set's translations.
pub struct Scores {
    sentences: usize,
    /// Number of translations that equal a reference.
    exact: usize,
    bleu: Bleu,
    bleu_signature: String,
    chrf: Chrf,
    chrf_signature: String,
    perplexity: Perplexity,
    /// Alignment error rate, if the true alignments are known.
    alignment_error: Option<f64>,
    /// Number of sentences whose ends were cut off.
    cut: usize,
    /// Time that the translation took.
    seconds: f64,
}

impl Scores {
    /// Measures the translations, and warns of doubtful input.
    pub fn of(
        command: &Evaluate,
        t: &Translator,
        set: &TestSet,
        translation: &Translation,
    ) -> Self {
        let lines: Vec<&str> = translation.lines.iter().map(String::as_str).collect();
        let words = |line: &String| t.pipeline.target.words(line);
        let refs = set.refs.iter();
        let refs: Vec<Vec<String>> = refs.map(|all| all.iter().map(words).collect()).collect();
        let equals_one = |(line, refs): &(&String, &Vec<String>)| refs.contains(line);
        let exact = translation.lines.iter().zip(&refs).filter(equals_one);
        let how = BleuOptions {
            tokenize: command.tokenize,
            ..BleuOptions::default()
        };
        let chrf_options = ChrfOptions::default();
        let (count, columns) = by_column(&refs);
        if command.src.is_some() {
            let all = refs.iter().flatten().map(String::as_str);
            for doubt in doubts(&lines, all, command.tokenize) {
                note(&doubt);
            }
        }
        let first: Vec<String> = set.refs.iter().map(|all| all[0].clone()).collect();
        let alignments = set.alignments.as_ref();
        let alignments = alignments.filter(|_| !t.pipeline.source.in_subwords());
        Self {
            sentences: lines.len(),
            exact: exact.count(),
            bleu: corpus_bleu(&lines, &columns, &how),
            bleu_signature: how.signature(&count),
            chrf: corpus_chrf(&lines, &columns, &chrf_options),
            chrf_signature: chrf_options.signature(&count),
            perplexity: Perplexity::of(t, &set.src, &first),
            alignment_error: alignments.map(|truth| alignment_error(t, &set.src, &first, truth)),
            cut: translation.cut,
            seconds: translation.time.as_secs_f64(),
        }
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        let line = json!({
            "sentences": self.sentences, "exact": self.exact as f64 / self.sentences as f64, "bleu": self.bleu.score,
            "bleu_text": self.bleu.to_string(), "bleu_signature": self.bleu_signature, "chrf": self.chrf.score,
            "chrf_signature": self.chrf_signature, "cut": self.cut, "perplexity": self.perplexity.nats.map(f64::exp),
            "nats": self.perplexity.nats, "left_out_of_perplexity": self.perplexity.left_out(),
            "alignment_error": self.alignment_error, "seconds": self.seconds,
        });
        format!("{line}\n")
    }

    /// The measures as text, one on each line.
    pub fn text(&self, t: &Translator) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        let sentences = counted(self.sentences, "sentence");
        writeln!(text, "{sentences} in {:.2} s", self.seconds)?;
        let percent = 100.0 * self.exact as f64 / self.sentences as f64;
        writeln!(text, "exact match  {percent:.1} %  ({})", self.exact)?;
        writeln!(text, "{}\n{}", self.bleu, self.bleu_signature)?;
        writeln!(text, "{}\n{}", self.chrf, self.chrf_signature)?;
        writeln!(text, "{}", self.perplexity.sentence(t))?;
        if self.cut > 0 {
            writeln!(
                text,
                "{} sentences are longer than {} tokens; their ends were left out",
                self.cut, t.model.config.max_len
            )?;
        }
        if let Some(rate) = self.alignment_error {
            writeln!(
                text,
                "alignment error rate  {rate:.3}  (cross attention of the best layer against the true alignment)"
            )?;
        }
        Ok(text)
    }
}

/// References by column, as the measures take them, and their number in sacreBLEU's signature. Lines with fewer
/// references repeat their first, which changes neither measure.
fn by_column(refs: &[Vec<String>]) -> (String, Vec<Vec<&str>>) {
    let most = refs.iter().map(Vec::len).max().unwrap_or(1);
    let count = if refs.iter().all(|line| line.len() == most) {
        most.to_string()
    } else {
        "var".to_owned()
    };
    let column = |n: usize| {
        let cells = refs.iter().map(|line| line.get(n).unwrap_or(&line[0]));
        cells.map(String::as_str).collect()
    };
    (count, (0..most).map(column).collect())
}

/// Alignment error rate on the reference translations, for the layer where it is lowest.
fn alignment_error(
    t: &Translator,
    src: &[String],
    refs: &[String],
    truth: &[Vec<(usize, usize)>],
) -> f64 {
    let layers = 0..t.model.config.layers;
    let error = |layer| {
        let pairs = src.iter().zip(refs).zip(truth).map(|((src, tgt), truth)| {
            let (ids, target) = (t.pipeline.sentence(src).ids, t.pipeline.target.ids(tgt));
            let weights = align::cross_attention(&t.model, &t.params, &ids, &target, layer);
            (align::links(&weights), truth.clone())
        });
        align::error_rate(&pairs.collect::<Vec<_>>())
    };
    layers.map(error).fold(f64::INFINITY, f64::min)
}
