//! How well a model predicts the references.

use crate::data::corpus::Corpus;
use crate::train::checkpoint::Translator;
use crate::train::config::TrainConfig;
use crate::train::trainer;
use crate::typeset::number::counted;

/// Perplexity of the references, and how many pairs it leaves out.
pub(super) struct Perplexity {
    /// Mean negative log-probability of a token; `None` if no pair is left.
    pub(super) nats: Option<f64>,
    pairs: usize,
    empty: usize,
    long: usize,
}

impl Perplexity {
    /// Measures how well the model predicts `refs`. Each line is read as one sentence, because it is unknown which part
    /// of a reference translates which sentence.
    pub(super) fn of(t: &Translator, src: &[String], refs: &[String]) -> Self {
        let lines: Vec<String> = src
            .iter()
            .map(|line| t.pipeline.sentence(line).spelling.text)
            .collect();
        let corpus = Corpus::new(&lines, refs, &t.pipeline, t.model.config.max_len - 1);
        let measured = trainer::measure(&t.model, &t.params, &corpus, &TrainConfig::default());
        Self {
            nats: (measured.tokens > 0).then_some(measured.nats),
            pairs: src.len(),
            empty: corpus.empty,
            long: corpus.long,
        }
    }

    /// Number of pairs that are not measured.
    pub(super) fn left_out(&self) -> usize {
        self.empty + self.long
    }

    /// Line of the report.
    pub(super) fn sentence(&self, t: &Translator) -> String {
        let number = match self.nats {
            Some(nats) => format!("{:.3}", nats.exp()),
            None => "none".to_owned(),
        };
        let left_out = match self.left_out() {
            0 => String::new(),
            n => format!(
                "  ({n} of {} left out: {} with an empty line, {} with more than {} tokens)",
                counted(self.pairs, "pair"),
                self.empty,
                self.long,
                t.model.config.max_len - 1
            ),
        };
        format!("perplexity of the references  {number}{left_out}")
    }
}
