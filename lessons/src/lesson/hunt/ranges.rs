//! Ranges of the sound model's figures over eight sentences, with which a suspect is compared.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::suspect::{Pair, Suspect};
use crate::autograd::Trace;
use crate::lesson::SENTENCE;
use crate::tensor::Tensor;

/// Sentences from which the ranges are computed. The first is the one that all looks run on.
const SENTENCES: [&str; 8] = [
    SENTENCE,
    "Ich habe keine Zeit.",
    "Wo ist der Bahnhof?",
    "Weil es regnet, bleiben wir zu Hause.",
    "Das Buch ist sehr interessant.",
    "Meine Schwester wohnt in einer kleinen Stadt.",
    "Kannst du mir bitte helfen?",
    "Wir haben gestern einen neuen Tisch gekauft.",
];

/// Last names of the steps that get a row.
const ROWS: [&str; 16] = [
    "embedded",
    "with_position",
    "query",
    "key",
    "value",
    "scaled",
    "weights",
    "context",
    "attended",
    "inner",
    "active",
    "ffn",
    "residual",
    "scaled_normal",
    "norm",
    "logits",
];

/// Summary figures of a tensor.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Mean of its cells.
    pub mean: f64,
    /// Root mean square of its cells.
    pub rms: f64,
}

impl Figures {
    /// Figures of `x`.
    pub fn of(x: &Tensor) -> Self {
        Self {
            mean: x.sum() / x.len() as f64,
            rms: x.rms(),
        }
    }
}

/// Minimum and maximum of the two figures over the eight sentences.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub mean: (f64, f64),
    pub rms: (f64, f64),
}

impl Limits {
    /// Which figure is outside the limits by more than a tenth of the RMS, and how; `None` if none is.
    pub fn outside(&self, figures: Figures) -> Option<&'static str> {
        let margin = 0.1 * self.rms.1;
        if !figures.rms.is_finite() {
            return Some("NaN or infinite");
        }
        if figures.rms > self.rms.1 + margin {
            return Some("RMS above");
        }
        if figures.rms < self.rms.0 - margin {
            return Some("RMS below");
        }
        if figures.mean > self.mean.1 + margin {
            return Some("mean above");
        }
        (figures.mean < self.mean.0 - margin).then_some("mean below")
    }
}

/// Figures of the sound model over the sentences.
pub struct Ranges {
    /// The sentences with their translations.
    pub pairs: Vec<Pair>,
    /// Limits of each step that has a row, by name.
    pub steps: BTreeMap<String, Limits>,
    /// Minimum and maximum of the [`relative_entropy`] of each head, by the step's name and the head's index.
    pub entropies: BTreeMap<(String, usize), (f64, f64)>,
}

/// The ranges, computed on first use.
pub fn ranges() -> &'static Ranges {
    static RANGES: LazyLock<Ranges> = LazyLock::new(Ranges::new);
    &RANGES
}

impl Ranges {
    fn new() -> Self {
        let pairs: Vec<Pair> = SENTENCES.into_iter().map(Pair::of).collect();
        let mut all = Self {
            pairs: Vec::new(),
            steps: BTreeMap::new(),
            entropies: BTreeMap::new(),
        };
        for pair in &pairs {
            all.take_in(&pair.run(Suspect::sound(), 0));
        }
        all.pairs = pairs;
        all
    }

    fn take_in(&mut self, trace: &Trace) {
        for (name, x) in rows(trace, "") {
            let Figures { mean, rms } = Figures::of(x);
            let limits = self.steps.entry(name.to_owned()).or_insert(Limits {
                mean: (mean, mean),
                rms: (rms, rms),
            });
            limits.mean = wider(limits.mean, mean);
            limits.rms = wider(limits.rms, rms);
            if !name.ends_with(".weights") {
                continue;
            }
            for head in 0..x.shape()[1] {
                let entropy = relative_entropy(&of_head(x, head));
                let range = self
                    .entropies
                    .entry((name.to_owned(), head))
                    .or_insert((entropy, entropy));
                *range = wider(*range, entropy);
            }
        }
    }
}

fn wider((least, most): (f64, f64), x: f64) -> (f64, f64) {
    (least.min(x), most.max(x))
}

/// Steps of a run that have a row and whose names begin with `scope`, with their values.
pub fn rows<'a>(trace: &'a Trace, scope: &str) -> Vec<(&'a str, &'a Tensor)> {
    let begins = format!("{scope}.");
    let row = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or_default();
        (scope.is_empty() || name.starts_with(&begins)) && ROWS.contains(&last)
    };
    let steps = trace
        .steps()
        .iter()
        .filter(|step| step.computed().is_some() && row(&step.name));
    steps
        .map(|step| (step.name.as_str(), &step.value))
        .collect()
}

/// Attention weights of one head for the first sentence, `[rows, columns]`.
pub fn of_head(weights: &Tensor, head: usize) -> Tensor {
    let shape = weights.shape();
    Tensor::from_fn(&[shape[2], shape[3]], |i| {
        weights.at(&[0, head, i[0], i[1]])
    })
}

/// Mean entropy of the rows of a head's `weights [rows, columns]`, as a proportion of the maximum for that number of
/// columns: 0 is one-hot, 1 is uniform.
pub fn relative_entropy(weights: &Tensor) -> f64 {
    let columns = weights.last();
    let entropy = |row: &[f32]| -> f64 {
        let terms = row.iter().filter(|p| **p > 0.0).map(|&p| f64::from(p));
        terms.map(|p| -p * p.ln()).sum()
    };
    let all: f64 = weights.data().chunks(columns).map(entropy).sum();
    all / (weights.len() / columns) as f64 / (columns.max(2) as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sound_model_is_within_its_own_ranges() {
        let all = ranges();
        for pair in &all.pairs {
            let trace = pair.run(Suspect::sound(), 0);
            for (name, x) in rows(&trace, "") {
                assert_eq!(
                    all.steps[name].outside(Figures::of(x)),
                    None,
                    "{name}: {}",
                    pair.line
                );
            }
        }
    }

    #[test]
    fn entropy_is_0_for_a_one_hot_row_and_1_for_a_uniform_one() {
        let weights = Tensor::new(&[2, 4], vec![1.0, 0.0, 0.0, 0.0, 0.25, 0.25, 0.25, 0.25]);
        assert!((relative_entropy(&weights) - 0.5).abs() < 1e-6);
    }
}
