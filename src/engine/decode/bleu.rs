//! BLEU (Papineni et al. 2002), with the same digits as sacreBLEU 2 (Post 2018).

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use super::tokenize::Tokenize;

/// Version in the signatures, after `version:`: the sacreBLEU whose scores are reproduced to the last digit.
pub const VERSION: &str = "2.6.0";

/// Smoothing of orders without a match (Chen and Cherry 2014), so that a single zero need not make the score zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Smooth {
    /// Counts half a match, for the next such order a quarter, and so on: mteval-v13a.pl, NIST.
    #[default]
    Exp,
    /// Counts this many matches; sacreBLEU's default is 0.1.
    Floor(f64),
    /// Adds this number to the matches and n-grams of every order from 2 up; sacreBLEU's default is 1.
    AddK(f64),
    /// No smoothing: the score is 0.
    None,
}

impl fmt::Display for Smooth {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Exp => write!(f, "exp"),
            Self::Floor(value) => write!(f, "floor[{value:.2}]"),
            Self::AddK(value) => write!(f, "add-k[{value:.2}]"),
            Self::None => write!(f, "none"),
        }
    }
}

impl FromStr for Smooth {
    type Err = String;

    /// Parses `exp`, `floor`, `add-k` or `none`; `floor=0.5` and `add-k=2` set the value.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let number = |default: f64| match value {
            None => Ok(default),
            Some(value) => match value.parse::<f64>() {
                Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
                _ => Err(format!(
                    "{name}={value}: the value must be a number from 0 up, as in {name}={default}"
                )),
            },
        };
        match (name, value) {
            ("exp", None) => Ok(Self::Exp),
            ("floor", _) => number(0.1).map(Self::Floor),
            ("add-k", _) => number(1.0).map(Self::AddK),
            ("none", None) => Ok(Self::None),
            ("exp" | "none", Some(_)) => Err(format!("{text}: smoothing {name} takes no value")),
            _ => Err(format!(
                "unknown smoothing {name:?}: choose exp, floor, add-k or none"
            )),
        }
    }
}

/// Options of BLEU. The defaults are sacreBLEU's.
#[derive(Clone, Debug, PartialEq)]
pub struct BleuOptions {
    /// How both sides are split into words.
    pub tokenize: Tokenize,
    /// What replaces a precision of 0.
    pub smooth: Smooth,
    /// True to lowercase both sides before tokenising.
    pub lowercase: bool,
    /// Longest n-gram that counts, in words. The signature doesn't show it.
    pub max_order: usize,
    /// True to leave out the orders for which the hypothesis is too short, as for single sentences.
    pub effective_order: bool,
}

impl Default for BleuOptions {
    fn default() -> Self {
        Self {
            tokenize: Tokenize::V13a,
            smooth: Smooth::Exp,
            lowercase: false,
            max_order: 4,
            effective_order: false,
        }
    }
}

impl BleuOptions {
    /// Returns the default for single sentences: with effective order.
    pub fn sentence() -> Self {
        Self {
            effective_order: true,
            ..Self::default()
        }
    }

    /// Returns sacreBLEU's signature, to print beside the score: `nrefs:1|case:mixed|eff:no|tok:13a|…`.
    pub fn signature(&self, references: impl fmt::Display) -> String {
        let case = if self.lowercase { "lc" } else { "mixed" };
        let effective = if self.effective_order { "yes" } else { "no" };
        let (tokenize, smooth) = (self.tokenize, self.smooth);
        format!(
            "nrefs:{references}|case:{case}|eff:{effective}|tok:{tokenize}|smooth:{smooth}|version:{VERSION}"
        )
    }

    fn words(&self, line: &str) -> Vec<String> {
        if self.lowercase {
            self.tokenize.words(&line.to_lowercase())
        } else {
            self.tokenize.words(line)
        }
    }
}

/// A BLEU score and the figures it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Bleu {
    /// Score, from 0 to 100.
    pub score: f64,
    /// Percentages of n-grams that matched, for n = 1 up, after smoothing.
    pub precisions: Vec<f64>,
    /// Brevity penalty, from 0 to 1.
    pub bp: f64,
    /// Number of words in the hypotheses.
    pub sys_len: usize,
    /// Number of words in the references: for each line, in the reference closest in length.
    pub ref_len: usize,
    /// Numbers of n-grams that matched, for n = 1 up, before smoothing.
    pub counts: Vec<usize>,
    /// Numbers of n-grams in the hypotheses, for n = 1 up, before smoothing.
    pub totals: Vec<usize>,
}

impl Bleu {
    /// Number of words in the hypotheses divided by that in the references; 0 if the references have none.
    pub fn ratio(&self) -> f64 {
        match self.ref_len {
            0 => 0.0,
            ref_len => self.sys_len as f64 / ref_len as f64,
        }
    }
}

/// Formats the score as sacreBLEU does. `{bleu:.4}` shows four decimals, like its `--width 4`.
impl fmt::Display for Bleu {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let precisions: Vec<_> = self.precisions.iter().map(|p| format!("{p:.1}")).collect();
        write!(
            f,
            "BLEU = {:.*} {} (BP = {:.3} ratio = {:.3} hyp_len = {} ref_len = {})",
            f.precision().unwrap_or(2),
            self.score,
            precisions.join("/"),
            self.bp,
            self.ratio(),
            self.sys_len,
            self.ref_len
        )
    }
}

/// BLEU of a whole corpus: counts are summed over lines before any division.
///
/// `refs` are reference sets: line i of each translates the same sentence as line i of `hyps`. An empty corpus scores
/// 0. Panics if there is no set, or if the length of one differs.
#[track_caller]
pub fn corpus_bleu(hyps: &[&str], refs: &[Vec<&str>], options: &BleuOptions) -> Bleu {
    check_lengths("corpus_bleu", hyps, refs);
    let mut sum = BleuCounts::new(options.max_order);
    for (line, hyp) in hyps.iter().enumerate() {
        let refs: Vec<&str> = refs.iter().map(|set| set[line]).collect();
        sum.add(&BleuCounts::of(hyp, &refs, options));
    }
    sum.bleu(options)
}

/// BLEU of one sentence against one or more references; see [`BleuOptions::sentence`]. Panics if there is none.
#[track_caller]
pub fn sentence_bleu(hyp: &str, refs: &[&str], options: &BleuOptions) -> Bleu {
    BleuCounts::of(hyp, refs, options).bleu(options)
}

/// Counts from which BLEU is computed. Those of a corpus are sums over its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BleuCounts {
    /// Numbers of n-grams that matched, for n = 1 up.
    pub counts: Vec<usize>,
    /// Numbers of n-grams in the hypothesis, for n = 1 up.
    pub totals: Vec<usize>,
    /// Number of words in the hypothesis.
    pub sys_len: usize,
    /// Number of words in the reference closest in length; of two equally close, the shorter.
    pub ref_len: usize,
}

impl BleuCounts {
    /// Returns the counts of an empty text, to which lines can be added.
    #[track_caller]
    pub fn new(max_order: usize) -> Self {
        assert!(max_order > 0, "BLEU: max_order is 0, but must be 1 or more");
        Self {
            counts: vec![0; max_order],
            totals: vec![0; max_order],
            sys_len: 0,
            ref_len: 0,
        }
    }

    /// Counts one line.
    #[track_caller]
    pub fn of(hyp: &str, refs: &[&str], options: &BleuOptions) -> Self {
        assert!(!refs.is_empty(), "BLEU: a sentence needs a reference");
        let hyp = options.words(hyp);
        let refs: Vec<_> = refs.iter().map(|line| options.words(line)).collect();

        let mut counts = Self::new(options.max_order);
        counts.sys_len = hyp.len();
        let lengths = refs.iter().map(Vec::len);
        let closest = lengths.min_by_key(|&length| (length.abs_diff(hyp.len()), length));
        counts.ref_len = closest.unwrap();
        for n in 1..=options.max_order {
            // An n-gram may match as often as it occurs in the reference that has it most often.
            let mut allowed = HashMap::new();
            for reference in &refs {
                for (ngram, count) in ngrams(reference, n) {
                    let most = allowed.entry(ngram).or_insert(0);
                    *most = count.max(*most);
                }
            }
            let hyp = ngrams(&hyp, n);
            counts.counts[n - 1] = matches(&hyp, &allowed);
            counts.totals[n - 1] = hyp.values().sum();
        }
        counts
    }

    /// Adds the counts of another text. Panics if their orders differ.
    #[track_caller]
    pub fn add(&mut self, other: &Self) {
        let (orders, others) = (self.counts.len(), other.counts.len());
        assert!(
            orders == others,
            "BLEU: counts up to order {others} can't be added to counts up to order {orders}"
        );
        self.sys_len += other.sys_len;
        self.ref_len += other.ref_len;
        for n in 0..self.counts.len() {
            self.counts[n] += other.counts[n];
            self.totals[n] += other.totals[n];
        }
    }

    /// Computes BP · exp(mean of ln pₙ), in percent. Of the options, only `smooth` and `effective_order` matter here.
    pub fn bleu(&self, options: &BleuOptions) -> Bleu {
        let (sys_len, ref_len) = (self.sys_len as f64, self.ref_len as f64);
        let bp = match (self.sys_len, self.ref_len) {
            (sys, reference) if sys >= reference => 1.0,
            (0, _) => 0.0,
            _ => (1.0 - ref_len / sys_len).exp(),
        };
        let (precisions, orders) = self.precisions(options);
        // ln 0 is −∞, whose exponential is 0, so a single precision of 0 makes the score 0.
        let logs: f64 = precisions[..orders].iter().map(|p| p.ln()).sum();
        let score = bp * (logs / orders as f64).exp();
        Bleu {
            score,
            precisions,
            bp,
            sys_len: self.sys_len,
            ref_len: self.ref_len,
            counts: self.counts.clone(),
            totals: self.totals.clone(),
        }
    }

    /// Returns the smoothed precisions in percent, and the number over which the mean is taken.
    fn precisions(&self, options: &BleuOptions) -> (Vec<f64>, usize) {
        let mut precisions = vec![0.0; self.counts.len()];
        let mut orders = self.counts.len();
        // Smoothing can't help a text without a single match.
        if self.counts.iter().all(|&count| count == 0) {
            return (precisions, orders);
        }
        let mut half = 1.0;
        for (i, precision) in precisions.iter_mut().enumerate() {
            let added = match options.smooth {
                Smooth::AddK(k) if i > 0 => k,
                _ => 0.0,
            };
            let count = self.counts[i] as f64 + added;
            let total = self.totals[i] as f64 + added;
            // Hypotheses too short for this order are too short for all that follow.
            if total == 0.0 {
                break;
            }
            if options.effective_order {
                orders = i + 1;
            }
            let count = match options.smooth {
                _ if count > 0.0 => count,
                Smooth::Exp => {
                    half /= 2.0;
                    half
                }
                Smooth::Floor(value) => value,
                Smooth::AddK(_) | Smooth::None => 0.0,
            };
            *precision = 100.0 * count / total;
        }
        (precisions, orders)
    }
}

/// Counts how often each run of `n` neighbours occurs in `items`.
pub(super) fn ngrams<T: Hash + Eq>(items: &[T], n: usize) -> HashMap<&[T], usize> {
    let mut counts = HashMap::new();
    for ngram in items.windows(n) {
        *counts.entry(ngram).or_insert(0) += 1;
    }
    counts
}

/// Clipped count of the n-grams of `hyp`, each counted no more often than in `allowed`.
pub(super) fn matches<T: Hash + Eq>(
    hyp: &HashMap<&[T], usize>,
    allowed: &HashMap<&[T], usize>,
) -> usize {
    let clipped = |(ngram, &count): (_, &usize)| count.min(*allowed.get(ngram).unwrap_or(&0));
    hyp.iter().map(clipped).sum()
}

/// Panics unless every reference set has one line per hypothesis.
#[track_caller]
pub(super) fn check_lengths(name: &str, hyps: &[&str], refs: &[Vec<&str>]) {
    let lines = hyps.len();
    assert!(!refs.is_empty(), "{name}: there is no reference set");
    for (number, set) in (1..).zip(refs) {
        let length = set.len();
        assert!(
            length == lines,
            "{name}: {lines} hypotheses, but reference set {number} has {length} lines: line N of both must translate the same sentence"
        );
    }
}

#[cfg(test)]
mod tests;
