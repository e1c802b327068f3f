//! Pictures of a run: of the short one at a snapshot, and of the learner's own.

use transformer_tutor::autograd::Nature;
use transformer_tutor::lesson::short_run::ground::{Watched, sentences};
use transformer_tutor::lesson::short_run::{Point, Snapshot};
use transformer_tutor::lesson::{Body, Fact, Facts};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::phrasebook::Pair;

use super::recipe::Seen;

/// Means over ten updates each, because a single batch says little.
pub fn smooth(log: &[Point], of: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
    let mean = |ten: &[Point]| {
        let n = ten.len() as f64;
        let step = ten.iter().map(|p| p.step as f64).sum::<f64>() / n;
        (step, ten.iter().map(&of).sum::<f64>() / n)
    };
    log.chunks(10).map(mean).collect()
}

/// The losses, norms and rates up to the current snapshot, and one sentence at every snapshot.
pub fn facts(seen: &Seen, sentence: usize) -> Facts {
    let now = seen.now();
    let smoothed = |of: fn(&Point) -> f64| smooth(&seen.log, of);
    let means = |of| Fact::numbers(smoothed(of).into_iter().map(|point| point.1));
    let held_out = || seen.snapshots.iter();
    let every = seen.snapshots.len().div_ceil(11).max(1);
    let last = seen.snapshots.len() - 1;
    let diary = held_out().enumerate();
    let diary: Vec<_> = diary
        .filter(|(n, _)| n % every == 0 || *n == last)
        .collect();
    let of_diary = |of: fn(&Snapshot) -> f64| Fact::numbers(diary.iter().map(|(_, s)| of(s)));
    let written = diary.iter().map(|(_, s)| spelled(&s.written[sentence]));
    let pair = &sentences()[sentence];
    Facts::default()
        .with("snapshot", now.step)
        .with(
            "tens",
            Fact::numbers(smoothed(|p| p.loss).into_iter().map(|point| point.0)),
        )
        .with("loss_means", means(|p| p.loss))
        .with("norm_means", means(|p| p.norm))
        .with("rate_means", means(|p| p.rate))
        .with("snapshots", Fact::numbers(held_out().map(|s| s.step)))
        .with(
            "held_out_losses",
            Fact::numbers(held_out().map(|s| s.held_out)),
        )
        .with("diary", Fact::words(written))
        .with("diary_updates", of_diary(|s| s.step as f64))
        .with("diary_losses", of_diary(|s| s.held_out))
        .with("german", pair.german.join(" "))
        .with("english", pair.english.join(" "))
}

/// Table of translations: source, reference translation, output.
pub fn translated(watched: &[Watched], written: &[String]) -> Body {
    let mut rows = Vec::new();
    for (Watched { lines, .. }, ours) in watched.iter().zip(written) {
        let mark = if *ours == lines.1 { "right" } else { "output" };
        let ours = spelled(ours);
        rows.push(vec!["source".to_owned(), lines.0.clone()]);
        rows.push(vec!["reference".to_owned(), lines.1.clone()]);
        rows.push(vec![mark.to_owned(), ours]);
    }
    Body::table(&["", "sentence"], rows)
}

/// A translation for the table, with a note if it is empty.
fn spelled(written: &str) -> String {
    match written {
        "" => "(empty: the end token comes first)".to_owned(),
        words => words.to_owned(),
    }
}

/// Attention of one head to the source, from `weights [1, heads, target, source]`, with the true alignment as notes.
pub fn attention(weights: &Tensor, head: usize, pair: &Pair) -> Body {
    let (rows, columns) = (pair.english.len() + 1, pair.german.len() + 1);
    let with_end = |words: &[String]| [words, &["</s>".to_owned()]].concat();
    let note = |t: usize, s: usize| {
        let known = pair.alignment.contains(&(s, t));
        if known { "its translation" } else { "" }.to_owned()
    };
    let notes = (0..rows).map(|t| (0..columns).map(|s| note(t, s)).collect());
    Body::matrix(
        Tensor::from_fn(&[rows, columns], |i| weights.at(&[0, head, i[0], i[1]])),
        Nature::Probability,
        ("token to be written", with_end(&pair.english)),
        ("source", with_end(&pair.german)),
    )
    .noted(notes.collect())
    .linking_words()
}

/// Proportion of attention on true translations, over the target tokens that have one.
pub fn aligned(weights: &Tensor, head: usize, pair: &Pair) -> f64 {
    let mut words: Vec<usize> = pair.alignment.iter().map(|link| link.1).collect();
    words.sort_unstable();
    words.dedup();
    let links = pair.alignment.iter();
    let on: f64 = links
        .map(|&(s, t)| f64::from(weights.at(&[0, head, t, s])))
        .sum();
    on / words.len().max(1) as f64
}
