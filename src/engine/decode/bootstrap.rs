//! Paired bootstrap resampling (Koehn 2004): whether two systems differ by more than chance, with the same digits as
//! sacreBLEU 2.

mod numpy;
mod single;

use super::bleu::{BleuCounts, BleuOptions, check_lengths, corpus_bleu};
use super::chrf::{self, ChrfOptions, corpus_chrf};
use super::ter::{self, TerOptions, corpus_ter};
use numpy::Generator;
use single::Samples;

/// A measure with its options.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// BLEU.
    Bleu(BleuOptions),
    /// chrF or chrF++.
    Chrf(ChrfOptions),
    /// TER.
    Ter(TerOptions),
}

impl Measure {
    /// Name, as sacreBLEU prints it: `BLEU`, `chrF2`, `TER`.
    pub fn name(&self) -> String {
        match self {
            Self::Bleu(_) => "BLEU".to_owned(),
            Self::Chrf(options) => options.name(),
            Self::Ter(_) => "TER".to_owned(),
        }
    }

    /// Signature of a paired test, as sacreBLEU prints it: that of the measure, with `bs:1000|seed:12345`.
    pub fn signature(&self, references: usize, resampling: &Resampling) -> String {
        let signature = match self {
            Self::Bleu(options) => options.signature(references),
            Self::Chrf(options) => options.signature(references),
            Self::Ter(options) => options.signature(references),
        };
        let Resampling { samples, seed } = resampling;
        signature.replacen('|', &format!("|bs:{samples}|seed:{seed}|"), 1)
    }

    /// Score of a whole corpus.
    fn score(&self, hyps: &[&str], refs: &[Vec<&str>]) -> f64 {
        match self {
            Self::Bleu(options) => corpus_bleu(hyps, refs, options).score,
            Self::Chrf(options) => corpus_chrf(hyps, refs, options).score,
            Self::Ter(options) => corpus_ter(hyps, refs, options).score,
        }
    }

    /// Counts of each line, whose sums give the score of any selection of lines.
    fn counts(&self, hyps: &[&str], refs: &[Vec<&str>]) -> Vec<Vec<f32>> {
        check_lengths("bootstrap", hyps, refs);
        let lines = hyps.iter().enumerate();
        let of = |line: usize| -> Vec<&str> { refs.iter().map(|set| set[line]).collect() };
        let whole = |n: usize| n as f32;
        match self {
            Self::Bleu(options) => lines
                .map(|(line, hyp)| {
                    let counts = BleuCounts::of(hyp, &of(line), options);
                    let lengths = [counts.sys_len, counts.ref_len].into_iter();
                    let all = lengths.chain(counts.counts).chain(counts.totals);
                    all.map(whole).collect()
                })
                .collect(),
            Self::Chrf(options) => lines
                .map(|(line, hyp)| {
                    let orders = chrf::best_counts(hyp, &of(line), options).into_iter();
                    let all = orders.flat_map(|order| [order.hyp, order.reference, order.matches]);
                    all.map(whole).collect()
                })
                .collect(),
            Self::Ter(options) => ter::line_ters(hyps, refs, options)
                .into_iter()
                .map(|ter| vec![whole(ter.edits), ter.ref_len as f32])
                .collect(),
        }
    }
}

/// How often and with which seed lines are drawn. The default is sacreBLEU's.
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
            seed: 12345,
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
/// Panics if there is no system, no line, more than 2³² lines, or another number of lines in one than in another.
#[track_caller]
pub fn paired(
    systems: &[Vec<&str>],
    refs: &[Vec<&str>],
    measure: &Measure,
    resampling: &Resampling,
) -> Vec<Tested> {
    let lines = u32::try_from(systems[0].len()).expect("bootstrap: more than 2^32 lines");
    assert!(lines > 0, "bootstrap: there is no line");
    let baseline = Sampled::of(&systems[0], refs, measure, resampling);
    let others = systems[1..].iter().map(|hyps| {
        let system = Sampled::of(hyps, refs, measure, resampling);
        let difference = (baseline.score - system.score).abs();
        let higher = system.samples.higher_than(&baseline.samples, difference);
        let p = (higher + 1) as f64 / (resampling.samples + 1) as f64;
        system.tested(Some(p))
    });
    let others: Vec<Tested> = others.collect();
    std::iter::once(baseline.tested(None))
        .chain(others)
        .collect()
}

/// Score of a system and of the corpora that are drawn from it.
struct Sampled {
    score: f64,
    samples: Samples,
}

impl Sampled {
    fn of(hyps: &[&str], refs: &[Vec<&str>], measure: &Measure, resampling: &Resampling) -> Self {
        let counts = measure.counts(hyps, refs);
        let mut generator = Generator::new(resampling.seed);
        let draw = |_| {
            let mut sums = vec![0.0_f32; counts[0].len()];
            for _ in 0..counts.len() {
                let line = &counts[generator.below(counts.len() as u32)];
                sums.iter_mut().zip(line).for_each(|(sum, x)| *sum += x);
            }
            single::score(measure, &sums)
        };
        Self {
            score: measure.score(hyps, refs),
            samples: (0..resampling.samples).map(draw).collect(),
        }
    }

    fn tested(&self, p: Option<f64>) -> Tested {
        Tested {
            score: self.score,
            mean: self.samples.mean(),
            interval: self.samples.interval(),
            p,
        }
    }
}

#[cfg(test)]
mod tests;
