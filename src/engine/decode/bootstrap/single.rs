//! Scores of drawn corpora as sacreBLEU computes them with NumPy 2: from sums in single precision, which most of the
//! arithmetic keeps.

use super::Measure;
use super::numpy;
use crate::decode::bleu::{BleuOptions, Smooth};
use crate::decode::chrf::ChrfOptions;

/// A score in the precision that it was computed in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Score {
    Single(f32),
    Double(f64),
}

impl Score {
    fn double(self) -> f64 {
        match self {
            Self::Single(score) => f64::from(score),
            Self::Double(score) => score,
        }
    }
}

/// Score from the sums of a measure's counts.
pub(super) fn score(measure: &Measure, sums: &[f32]) -> Score {
    match measure {
        Measure::Bleu(options) => Score::Double(bleu(sums, options)),
        Measure::Chrf(options) => chrf(sums, options),
        Measure::Ter(_) => ter(sums[0], sums[1]),
    }
}

/// BLEU from both lengths, the matches, and the n-grams: precisions in single precision, the rest in double.
fn bleu(sums: &[f32], options: &BleuOptions) -> f64 {
    let (lengths, sums) = sums.split_at(2);
    let (matches, totals) = sums.split_at(options.max_order);
    let [sys_len, ref_len] = [lengths[0], lengths[1]].map(|length| f64::from(length.trunc()));
    let bp = if sys_len >= ref_len {
        1.0
    } else if sys_len > 0.0 {
        (1.0 - ref_len / sys_len).exp()
    } else {
        0.0
    };
    if matches.iter().all(|&count| count == 0.0) {
        return 0.0;
    }
    let mut precisions = vec![0.0_f32; options.max_order];
    let (mut orders, mut half) = (options.max_order, 1.0_f32);
    for (n, (&count, &total)) in matches.iter().zip(totals).enumerate() {
        let added = match options.smooth {
            Smooth::AddK(k) if n > 0 => k as f32,
            _ => 0.0,
        };
        let (count, total) = (count + added, total + added);
        if total == 0.0 {
            break;
        }
        if options.effective_order {
            orders = n + 1;
        }
        precisions[n] = match options.smooth {
            _ if count != 0.0 => 100.0 * count / total,
            Smooth::Exp => {
                half *= 2.0;
                100.0 / (half * total)
            }
            Smooth::Floor(value) => (100.0 * value) as f32 / total,
            Smooth::AddK(_) | Smooth::None => 0.0,
        };
    }
    let logs: f64 = precisions[..orders]
        .iter()
        .map(|&p| f64::from(p).ln())
        .sum();
    bp * (logs / orders as f64).exp()
}

/// chrF from three counts of each order.
fn chrf(sums: &[f32], options: &ChrfOptions) -> Score {
    const EPS: f32 = 1e-16;
    let beta2 = (options.beta * options.beta) as f32;
    let f = |precision: f32, recall: f32| {
        (1.0 + beta2) * precision * recall / (beta2 * precision + recall)
    };
    let (mut score, mut precisions, mut recalls, mut orders) = (0.0, 0.0, 0.0, 0.0);
    let all = sums.as_chunks::<3>().0;
    for &[hyp, reference, matches] in all {
        let share = |whole: f32| if whole > 0.0 { matches / whole } else { EPS };
        let (precision, recall) = (share(hyp), share(reference));
        let denominator = beta2 * precision + recall;
        score += if denominator > 0.0 {
            f(precision, recall)
        } else {
            EPS
        };
        if hyp > 0.0 && reference > 0.0 {
            precisions += precision;
            recalls += recall;
            orders += 1.0_f32;
        }
    }
    if options.eps_smoothing {
        return Score::Single(100.0 * score / all.len() as f32);
    }
    if orders == 0.0 || precisions + recalls == 0.0 {
        return Score::Double(0.0);
    }
    Score::Single(100.0 * f(precisions / orders, recalls / orders))
}

/// TER from edits and words of the reference.
fn ter(edits: f32, words: f32) -> Score {
    match (words > 0.0, edits > 0.0) {
        (true, _) => Score::Single(100.0 * (edits / words)),
        (false, true) => Score::Double(100.0),
        (false, false) => Score::Double(0.0),
    }
}

/// Scores of all drawn corpora, in single precision if every one is.
#[derive(Debug, PartialEq)]
pub(super) enum Samples {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl FromIterator<Score> for Samples {
    fn from_iter<I: IntoIterator<Item = Score>>(scores: I) -> Self {
        let scores: Vec<Score> = scores.into_iter().collect();
        let single = scores.iter().map(|score| match score {
            Score::Single(score) => Some(*score),
            Score::Double(_) => None,
        });
        match single.collect() {
            Some(single) => Self::Single(single),
            None => Self::Double(scores.into_iter().map(Score::double).collect()),
        }
    }
}

impl Samples {
    fn double(&self) -> Vec<f64> {
        match self {
            Self::Single(all) => all.iter().copied().map(f64::from).collect(),
            Self::Double(all) => all.clone(),
        }
    }

    /// Mean of the sorted scores.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Single(all) => {
                let mut sorted = all.clone();
                sorted.sort_by(f32::total_cmp);
                f64::from(numpy::sum(&sorted) / sorted.len() as f32)
            }
            Self::Double(all) => {
                let mut sorted = all.clone();
                sorted.sort_by(f64::total_cmp);
                numpy::sum(&sorted) / sorted.len() as f64
            }
        }
    }

    /// Half of the range without the lowest and the highest fortieth.
    pub fn interval(&self) -> f64 {
        let mut sorted = self.double();
        sorted.sort_by(f64::total_cmp);
        let outside = sorted.len() / 40;
        let (lower, upper) = (sorted[outside], sorted[sorted.len() - outside - 1]);
        match self {
            Self::Single(_) => f64::from(0.5 * (upper as f32 - lower as f32)),
            Self::Double(_) => 0.5 * (upper - lower),
        }
    }

    /// Number of corpora whose difference from the baseline, less the mean of these differences, is above `real`.
    pub fn higher_than(&self, baseline: &Self, real: f64) -> usize {
        match (self, baseline) {
            (Self::Single(system), Self::Single(baseline)) => {
                let differences = system.iter().zip(baseline).map(|(a, b)| (a - b).abs());
                let differences: Vec<f32> = differences.collect();
                let mean = numpy::sum(&differences) / differences.len() as f32;
                let above = |difference: &&f32| *difference - mean > real as f32;
                differences.iter().filter(above).count()
            }
            _ => {
                let (system, baseline) = (self.double(), baseline.double());
                let differences = system.iter().zip(&baseline).map(|(a, b)| (a - b).abs());
                let differences: Vec<f64> = differences.collect();
                let mean = numpy::sum(&differences) / differences.len() as f64;
                let above = |difference: &&f64| *difference - mean > real;
                differences.iter().filter(above).count()
            }
        }
    }
}
