//! Segmentation of lines with a separator and dropout, as by subword-nmt.

use ndarray_rand::rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::{Bpe, CONTINUED, END_OF_WORD, segment_line};
use crate::tensor::random::generator;

/// Longest word, in characters, whose merges are dropped at random: each merge looks at the whole word.
const LONGEST: usize = 2000;

/// Merges and how they are applied to lines.
#[derive(Clone, Debug)]
pub struct Segmenter {
    /// The merges.
    pub bpe: Bpe,
    /// Suffix of a symbol whose word continues: `@@`.
    pub separator: String,
    /// Probability with which a merge is left out where it could be applied (BPE-dropout, Provilkov et al. 2020), so that
    /// a model sees a word cut in several ways. 0 applies every merge.
    pub dropout: f64,
    random: ChaCha8Rng,
}

impl Segmenter {
    /// Applies every merge, with the separator `@@`. The seed matters for dropout only.
    pub fn new(bpe: Bpe, seed: u64) -> Self {
        Self {
            bpe,
            separator: CONTINUED.to_owned(),
            dropout: 0.0,
            random: generator(seed, "bpe dropout", 0),
        }
    }

    /// Segments the words of a line. With dropout, each call draws anew.
    pub fn line(&mut self, line: &str) -> String {
        let separator = self.separator.clone();
        segment_line(line, &separator, |word| {
            if self.dropout == 0.0
                || word.chars().nth(1).is_none()
                || word.chars().count() > LONGEST
            {
                self.bpe.segment_word(word)
            } else {
                self.dropped(word)
            }
        })
    }

    /// Symbols of a word if merges are left out at random. Before each merge, every place is drawn anew.
    fn dropped(&mut self, word: &str) -> Vec<String> {
        let mut symbols = self.bpe.characters(word);
        loop {
            let mut pairs: Vec<(usize, usize)> = Vec::new();
            for (index, pair) in symbols.windows(2).enumerate() {
                let kept = self.random.random::<f64>() > self.dropout;
                let rank = self
                    .bpe
                    .ranks
                    .get(&pair[0])
                    .and_then(|all| all.get(&pair[1]));
                pairs.extend(rank.filter(|_| kept).map(|&rank| (rank, index)));
            }
            let Some(&(lowest, _)) = pairs.iter().min() else {
                break;
            };
            let mut merged: Vec<String> = Vec::new();
            let mut next = 0;
            for (_, index) in pairs.into_iter().filter(|(rank, _)| *rank == lowest) {
                // Of overlapping pairs the left one is merged.
                if index >= next {
                    merged.extend_from_slice(&symbols[next..index]);
                    merged.push(symbols[index].clone() + &symbols[index + 1]);
                    next = index + 2;
                }
            }
            merged.extend_from_slice(&symbols[next..]);
            symbols = merged;
        }
        if let Some(last) = symbols.pop() {
            let last = last.strip_suffix(END_OF_WORD).unwrap_or(&last);
            symbols.extend((!last.is_empty()).then(|| last.to_owned()));
        }
        symbols
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde_json::Value;

    use super::*;

    const MERGES: &str = "#version: 0.2\nH u\nHu n\nHun d</w>\n";

    fn segmenter(merges: &str) -> Segmenter {
        Segmenter::new(Bpe::parse(merges).unwrap(), 7)
    }

    #[test]
    fn the_same_seed_drops_the_same_merges() {
        let lines = || {
            let mut segmenter = segmenter(MERGES);
            segmenter.dropout = 0.5;
            (0..20)
                .map(|_| segmenter.line("Hund Hund Hund"))
                .collect::<Vec<_>>()
        };
        assert_eq!(lines(), lines());
        assert!(lines().iter().any(|line| line != "Hund Hund Hund"));
    }

    /// Lines that subword-nmt 0.3.8 segmented, which tests/fixtures/subwords/make.py wrote.
    fn recorded() -> Value {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = root.join("../../tests/fixtures/subwords/expected.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    #[test]
    fn every_form_of_codes_is_applied_as_by_subword_nmt() {
        let recorded = recorded();
        let list = |value: &Value| value.as_array().unwrap().clone();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let lines: Vec<String> = list(&recorded["lines"]).iter().map(text).collect();
        let mut count = 0;
        for form in list(&recorded["forms"]) {
            let mut segmenter = segmenter(&text(&form["codes"]));
            for (line, expected) in lines.iter().zip(list(&form["segmented"])) {
                assert_eq!(segmenter.line(line), text(&expected), "{form:#}");
                count += 1;
            }
        }
        assert_eq!(count, 5 * lines.len());
    }

    #[test]
    fn dropout_cuts_a_word_as_often_as_subword_nmt_does() {
        let recorded = &recorded()["dropout"];
        let mut segmenter = segmenter(recorded["codes"].as_str().unwrap());
        segmenter.dropout = recorded["probability"].as_f64().unwrap();
        let line = recorded["line"].as_str().unwrap();
        let mut counts: HashMap<String, f64> = HashMap::new();
        for _ in 0..40_000 {
            *counts.entry(segmenter.line(line)).or_default() += 1.0 / 40_000.0;
        }
        for (cut, share) in recorded["shares"].as_object().unwrap() {
            let (count, share) = (counts[cut], share.as_f64().unwrap());
            // Five standard deviations of 40,000 draws.
            let most = 5.0 * (share * (1.0 - share) / 40_000.0).sqrt();
            assert!((count - share).abs() < most, "{cut}: {count} for {share}");
        }
    }

    #[test]
    fn the_end_of_a_word_in_old_files_is_a_symbol() {
        for (merges, line) in [
            ("H u\nHu n\nHun d</w>\n", "Hun@@ d Hun@@ d@@ e"),
            ("#version: 0.1\nH u\nHu n\nn d\n", "Hun@@ d Hun@@ d@@ e"),
            ("H u\nHu n\nHun d\nHund </w>\n", "Hund Hund@@ e"),
        ] {
            assert_eq!(segmenter(merges).line("Hund Hunde"), line);
            let mut dropping = segmenter(merges);
            dropping.dropout = f64::MIN_POSITIVE;
            assert_eq!(dropping.line("Hund Hunde"), line);
        }
    }
}
