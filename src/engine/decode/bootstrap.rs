//! Paired bootstrap resampling (Koehn 2004): whether two systems differ by more than chance.

use ndarray_rand::rand::Rng;

use super::bleu::{BleuCounts, BleuOptions, check_lengths};
use super::chrf::{ChrfOptions, OrderCounts, best_counts, chrf};
use crate::tensor::random::generator;

/// A measure with its options.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// BLEU.
    Bleu(BleuOptions),
    /// chrF or chrF++.
    Chrf(ChrfOptions),
}

impl Measure {
    /// Name, as sacreBLEU prints it: `BLEU`, `chrF2`.
    pub fn name(&self) -> String {
        match self {
            Self::Bleu(_) => "BLEU".to_owned(),
            Self::Chrf(options) => options.name(),
        }
    }

    /// Signature, as sacreBLEU prints it.
    pub fn signature(&self, references: usize) -> String {
        match self {
            Self::Bleu(options) => options.signature(references),
            Self::Chrf(options) => options.signature(references),
        }
    }

    /// Counts of one line, whose sums give the score of any selection of lines.
    fn counts(&self, hyp: &str, refs: &[&str]) -> Vec<usize> {
        match self {
            Self::Bleu(options) => {
                let counts = BleuCounts::of(hyp, refs, options);
                let lengths = [counts.sys_len, counts.ref_len].into_iter();
                lengths.chain(counts.counts).chain(counts.totals).collect()
            }
            Self::Chrf(options) => {
                let orders = best_counts(hyp, refs, options).into_iter();
                let each = |order: OrderCounts| [order.hyp, order.reference, order.matches];
                orders.flat_map(each).collect()
            }
        }
    }

    /// Score from the sums of the lines' counts.
    fn score(&self, sums: &[usize]) -> f64 {
        match self {
            Self::Bleu(options) => {
                let (lengths, ngrams) = sums.split_at(2);
                let (counts, totals) = ngrams.split_at(options.max_order);
                let counts = BleuCounts {
                    counts: counts.to_vec(),
                    totals: totals.to_vec(),
                    sys_len: lengths[0],
                    ref_len: lengths[1],
                };
                counts.bleu(options).score
            }
            Self::Chrf(options) => {
                let (orders, _) = sums.as_chunks();
                let order = |&[hyp, reference, matches]: &[usize; 3]| OrderCounts {
                    hyp,
                    reference,
                    matches,
                };
                chrf(orders.iter().map(order).collect(), options).score
            }
        }
    }
}

/// How often and with which seed lines are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resampling {
    /// Number of corpora that are drawn, each with as many lines as the whole.
    pub samples: usize,
    /// Seed of the generator.
    pub seed: u64,
}

impl Default for Resampling {
    fn default() -> Self {
        Self {
            samples: 1000,
            seed: 1,
        }
    }
}

/// Score of a system, and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// Score of all lines.
    pub score: f64,
    /// Mean over the drawn corpora.
    pub mean: f64,
    /// Half of the range that holds 95 % of them.
    pub interval: f64,
    /// For all but the baseline: about how probable a difference from the baseline as large as this would be if both were
    /// equally good.
    pub p: Option<f64>,
}

/// Compares systems with the first, the baseline, by scores of the same drawn lines. `refs` are reference sets.
///
/// Panics if there is no system, no line, no sample, or another number of lines in one than in another.
#[track_caller]
pub fn paired(
    systems: &[Vec<&str>],
    refs: &[Vec<&str>],
    measure: &Measure,
    resampling: &Resampling,
) -> Vec<Tested> {
    let score = |hyps: &Vec<&str>| Scores::of(hyps, refs, measure, resampling);
    let all: Vec<Scores> = systems.iter().map(score).collect();
    let (baseline, others) = all.split_first().expect("bootstrap: there is no system");
    let others = others.iter().map(|system| system.tested(Some(baseline)));
    std::iter::once(baseline.tested(None))
        .chain(others)
        .collect()
}

/// Score of a system and of the corpora that are drawn from it.
struct Scores {
    score: f64,
    samples: Vec<f64>,
}

impl Scores {
    #[track_caller]
    fn of(hyps: &[&str], refs: &[Vec<&str>], measure: &Measure, resampling: &Resampling) -> Self {
        check_lengths("bootstrap", hyps, refs);
        let counts = |(line, hyp): (usize, &&str)| {
            let refs: Vec<&str> = refs.iter().map(|set| set[line]).collect();
            measure.counts(hyp, &refs)
        };
        let lines: Vec<Vec<usize>> = hyps.iter().enumerate().map(counts).collect();
        assert!(!lines.is_empty(), "bootstrap: there is no line");
        // Every system begins with the same seed, so all are drawn the same lines.
        let mut generator = generator(resampling.seed, "bootstrap", 0);
        let mut draw =
            || sum((0..lines.len()).map(|_| &lines[generator.random_range(0..lines.len())]));
        Self {
            score: measure.score(&sum(lines.iter())),
            samples: (0..resampling.samples)
                .map(|_| measure.score(&draw()))
                .collect(),
        }
    }

    fn tested(&self, baseline: Option<&Self>) -> Tested {
        let mut sorted = self.samples.clone();
        sorted.sort_by(f64::total_cmp);
        let outside = sorted.len() / 40;
        Tested {
            score: self.score,
            mean: mean(&self.samples),
            interval: (sorted[sorted.len() - outside - 1] - sorted[outside]) / 2.0,
            p: baseline.map(|baseline| self.p(baseline)),
        }
    }

    /// Share of the drawn corpora whose difference from the baseline, less the mean of these differences, is above the
    /// real one; one more is counted, so that no finite number of samples gives 0.
    fn p(&self, baseline: &Self) -> f64 {
        let pairs = self.samples.iter().zip(&baseline.samples);
        let differences: Vec<f64> = pairs.map(|(a, b)| (a - b).abs()).collect();
        let bar = (self.score - baseline.score).abs() + mean(&differences);
        let above = differences.iter().filter(|&&difference| difference > bar);
        (above.count() + 1) as f64 / (differences.len() + 1) as f64
    }
}

fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len() as f64
}

/// Sum of the counts of some lines, at least one.
fn sum<'a>(mut lines: impl Iterator<Item = &'a Vec<usize>>) -> Vec<usize> {
    let first = lines.next().expect("there is a line").clone();
    lines.fold(first, |mut sums, line| {
        sums.iter_mut().zip(line).for_each(|(sum, n)| *sum += n);
        sums
    })
}

#[cfg(test)]
mod tests;
