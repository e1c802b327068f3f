//! chrF (Popović 2015) and chrF++ (Popović 2017), with the same digits as sacreBLEU 2.

use std::fmt;
use std::hash::Hash;

use super::bleu::{VERSION, check_lengths, matches, ngrams};
use super::tokenize::is_space;

/// Options of chrF. The default is sacreBLEU's, chrF2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChrfOptions {
    /// Length of the longest character n-gram that counts.
    pub char_order: usize,
    /// Length of the longest word n-gram that counts: 0 for chrF, 2 for chrF++.
    pub word_order: usize,
    /// Weight of recall: it counts beta² times as much as precision.
    pub beta: u32,
    /// True to lowercase both sides first.
    pub lowercase: bool,
}

impl Default for ChrfOptions {
    fn default() -> Self {
        Self {
            char_order: 6,
            word_order: 0,
            beta: 2,
            lowercase: false,
        }
    }
}

impl ChrfOptions {
    /// Returns the options of chrF++, in which n-grams of one and two words count too.
    pub fn plus_plus() -> Self {
        Self {
            word_order: 2,
            ..Self::default()
        }
    }

    /// Returns the name of the measure with its beta: `chrF2`, `chrF2++`.
    pub fn name(&self) -> String {
        format!("chrF{}{}", self.beta, "+".repeat(self.word_order))
    }

    /// Returns sacreBLEU's signature, to print beside the score: `nrefs:1|case:mixed|eff:yes|nc:6|nw:0|…`.
    pub fn signature(&self, references: impl fmt::Display) -> String {
        let case = if self.lowercase { "lc" } else { "mixed" };
        format!(
            "nrefs:{references}|case:{case}|eff:yes|nc:{}|nw:{}|space:no|version:{VERSION}",
            self.char_order, self.word_order
        )
    }

    /// Splits `line` into characters and words.
    fn units(&self, line: &str) -> Units {
        let lowercase = self.lowercase.then(|| line.to_lowercase());
        let line = lowercase.as_deref().unwrap_or(line);
        Units {
            characters: line.chars().filter(|&c| !is_space(c)).collect(),
            words: words(line),
        }
    }
}

/// A chrF score.
#[derive(Clone, Debug, PartialEq)]
pub struct Chrf {
    /// Score, from 0 to 100.
    pub score: f64,
    /// Name of the measure: `chrF2` or `chrF2++`.
    pub name: String,
    /// Counts for n-grams of 1 to `char_order` characters, then of 1 to `word_order` words.
    pub orders: Vec<OrderCounts>,
}

/// Formats the score as sacreBLEU does, `chrF2 = 59.73`. `{chrf:.4}` shows four decimals, like its `--width 4`.
impl fmt::Display for Chrf {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let decimals = f.precision().unwrap_or(2);
        write!(f, "{} = {:.decimals$}", self.name, self.score)
    }
}

/// Numbers of n-grams of one order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderCounts {
    /// In the hypothesis; 0 if the reference is too short to have any.
    pub hyp: usize,
    /// In the reference.
    pub reference: usize,
    /// In both.
    pub matches: usize,
}

/// chrF of a whole corpus: counts are summed over lines, each compared with the reference that gives it the best score.
///
/// `refs` are reference sets: line i of each translates the same sentence as line i of `hyps`. An empty corpus scores
/// 0. Panics if there is no set, or if the length of one differs.
#[track_caller]
pub fn corpus_chrf(hyps: &[&str], refs: &[Vec<&str>], options: &ChrfOptions) -> Chrf {
    check_lengths("corpus_chrf", hyps, refs);
    let mut sum = vec![OrderCounts::default(); options.char_order + options.word_order];
    for (line, hyp) in hyps.iter().enumerate() {
        let refs: Vec<&str> = refs.iter().map(|set| set[line]).collect();
        for (sum, order) in sum.iter_mut().zip(best_counts(hyp, &refs, options)) {
            sum.hyp += order.hyp;
            sum.reference += order.reference;
            sum.matches += order.matches;
        }
    }
    chrf(sum, options)
}

/// chrF from the counts of each order.
pub(super) fn chrf(orders: Vec<OrderCounts>, options: &ChrfOptions) -> Chrf {
    Chrf {
        score: f_score(&orders, options),
        name: options.name(),
        orders,
    }
}

/// Returns the counts against the reference with the best score; of equally good ones, the first.
#[track_caller]
pub(super) fn best_counts(hyp: &str, refs: &[&str], options: &ChrfOptions) -> Vec<OrderCounts> {
    assert!(!refs.is_empty(), "chrF: a sentence needs a reference");
    let hyp = options.units(hyp);
    let mut best = (f64::NEG_INFINITY, vec![]);
    for reference in refs {
        let counts = hyp.counts(&options.units(reference), options);
        let score = f_score(&counts, options);
        if score > best.0 {
            best = (score, counts);
        }
    }
    best.1
}

/// Computes the score, in percent: F, the weighted harmonic mean, of mean precision and mean recall over the orders.
#[track_caller]
fn f_score(orders: &[OrderCounts], options: &ChrfOptions) -> f64 {
    assert!(
        !orders.is_empty(),
        "chrF: char_order and word_order are both 0, so nothing counts"
    );
    let (mut precision, mut recall, mut count) = (0.0, 0.0, 0.0);
    // The orders for which both sides are long enough.
    for order in orders.iter().filter(|o| o.hyp > 0 && o.reference > 0) {
        precision += order.matches as f64 / order.hyp as f64;
        recall += order.matches as f64 / order.reference as f64;
        count += 1.0;
    }
    if precision + recall == 0.0 {
        return 0.0;
    }
    let (precision, recall) = (precision / count, recall / count);
    // (1 + β²) P R / (β² P + R): recall counts β² times as much.
    let beta2 = f64::from(options.beta).powi(2);
    100.0 * ((1.0 + beta2) * precision * recall / (beta2 * precision + recall))
}

/// Characters and words of a line.
struct Units {
    characters: Vec<char>,
    words: Vec<String>,
}

impl Units {
    fn counts(&self, reference: &Units, options: &ChrfOptions) -> Vec<OrderCounts> {
        let characters = (1..=options.char_order)
            .map(|n| order_counts(&self.characters, &reference.characters, n));
        let words =
            (1..=options.word_order).map(|n| order_counts(&self.words, &reference.words, n));
        characters.chain(words).collect()
    }
}

fn order_counts<T: Hash + Eq>(hyp: &[T], reference: &[T], n: usize) -> OrderCounts {
    let (hyp, reference) = (ngrams(hyp, n), ngrams(reference, n));
    OrderCounts {
        hyp: if reference.is_empty() {
            0
        } else {
            hyp.values().sum()
        },
        reference: reference.values().sum(),
        matches: matches(&hyp, &reference),
    }
}

/// Splits a line into words, and one ASCII punctuation mark off each word: its last character or else its first. As in
/// Popović's program, `(hi)` becomes `(hi` and `)`.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![];
    for word in line.split(is_space) {
        let mark = |c: char| c.is_ascii_punctuation();
        let cut = match word.chars().count() {
            0 | 1 => 0,
            _ if word.ends_with(mark) => word.len() - 1,
            _ if word.starts_with(mark) => 1,
            _ => 0,
        };
        let parts = <[&str; 2]>::from(word.split_at(cut));
        words.extend(
            parts
                .into_iter()
                .filter(|part| !part.is_empty())
                .map(String::from),
        );
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected scores are from sacreBLEU's test/test_chrf.py, which runs chrF3.
    const OBAMA: [&str; 2] = [
        "Die Beziehung zwischen Obama und Netanjahu ist nicht gerade freundlich.",
        "Das Verhältnis zwischen Obama und Netanyahu ist nicht gerade freundschaftlich.",
    ];

    fn chrf3() -> ChrfOptions {
        ChrfOptions {
            beta: 3,
            ..ChrfOptions::default()
        }
    }

    #[track_caller]
    fn check(hyps: &[&str], refs: &[&str], options: &ChrfOptions, expected: f64, tolerance: f64) {
        let score = corpus_chrf(hyps, &[refs.to_vec()], options).score;
        assert!(
            (score - expected).abs() <= tolerance,
            "found {score}, expected {expected}"
        );
    }

    #[test]
    fn chrf_by_effective_order_matches_sacrebleu() {
        for (hyp, reference, expected) in [
            ("a", "a", 100.0),
            ("", "reference", 0.0),
            ("a b c", "a b c", 100.0),
            ("a b c", "abc", 100.0),
            ("", "c", 0.0),
            ("aa", "ab", 25.0),
        ] {
            check(&[hyp], &[reference], &chrf3(), expected, 1e-12);
        }
        check(&["a", "b"], &["a", "c"], &chrf3(), 50.0, 1e-12);
        check(&[OBAMA[0]], &[OBAMA[1]], &chrf3(), 64.1302698, 5e-8);
    }

    #[test]
    fn a_single_sentence_matches_joeynmt() {
        // From JoeyNMT's test/unit/test_metric.py, which divides by 100. By hand: test and tezt agree in 3 of 4
        // characters, in 1 of 3 pairs and in nothing longer, which gives (3/4 + 1/3 + 0 + 0) / 4.
        let chrf = corpus_chrf(&["t est"], &[vec!["tez t"]], &ChrfOptions::default());
        assert_eq!(format!("{:.3}", chrf.score / 100.0), "0.271");
        assert_eq!(chrf.to_string(), "chrF2 = 27.08");
    }

    #[test]
    fn the_best_of_several_references_counts() {
        let options = ChrfOptions::default();
        let refs = ["xyz", "abc", "abd"].map(|line| vec![line]);
        let chrf = corpus_chrf(&["abc"], &refs, &options);
        assert_eq!(chrf.score, 100.0);
    }

    #[test]
    fn chrf_plus_plus_splits_one_mark_off_a_word() {
        assert_eq!(
            words("(hi) $5, ( ..."),
            ["(hi", ")", "$5", ",", "(", "..", "."]
        );
        assert_eq!(words("\"so «é»"), ["\"", "so", "«é»"]);
    }
}
