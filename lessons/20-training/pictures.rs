//! Pictures of a run: of the short one at a snapshot, and of the learner's own.

use transformer_tutor::autograd::Nature;
use transformer_tutor::lesson::short_run::Point;
use transformer_tutor::lesson::short_run::ground::{Watched, ground, sentences};
use transformer_tutor::lesson::{Bar, Body, Picture, Series};
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

/// Both losses up to the current snapshot.
pub fn loss(seen: &Seen) -> Picture {
    let now = seen.now();
    let held_out = seen.snapshots.iter();
    let held_out: Vec<(f64, f64)> = held_out.map(|s| (s.step as f64, s.held_out)).collect();
    let words = ground().pipeline.target.vocabulary.len() as f64;
    Picture::new(
        "loss",
        format!("Loss until update {}", now.step),
        format!(
            "Held-out loss {:.3} nats per token, a perplexity of {:.1}. A uniform guess has log {words} = {:.3}.",
            now.held_out,
            now.held_out.exp(),
            words.ln()
        ),
        Body::curves(
            "update",
            "nats per token",
            // There is no training loss before the first update.
            [
                Series::new("training", smooth(&seen.log, |p| p.loss)),
                Series::new("held out", held_out),
            ]
            .into_iter()
            .filter(|line| !line.points.is_empty()),
        ),
    )
}

/// Norm of the gradient and learning rate, on one logarithmic axis.
pub fn norms(seen: &Seen) -> Picture {
    let line = |name: &str, of: &dyn Fn(&Point) -> f64| {
        Series::new(name.to_owned(), smooth(&seen.log, of))
    };
    Picture::new(
        "norm",
        "Gradient norm and learning rate",
        "A gradient norm above 1 is scaled down to 1. The rate rises for 40 updates, then falls along a cosine.",
        Body::curves(
            "update",
            "norm, rate",
            [
                line("gradient norm", &|p| p.norm),
                line("learning rate", &|p| p.rate),
            ],
        )
        .by_logarithm(),
    )
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

/// The three sentences as the snapshot translates them.
pub fn translations(seen: &Seen) -> Picture {
    let written = &seen.now().written;
    let right = sentences().iter().zip(written);
    let right = right.filter(|(pair, ours)| pair.english.join(" ") == **ours);
    Picture::new(
        "translations",
        format!("Three held-out sentences at update {}", seen.now().step),
        format!("{} of 3 are correct, word for word.", right.count()),
        translated(&sentences().each_ref().map(Watched::from), written),
    )
}

/// One sentence at every snapshot up to the current one.
pub fn diary(seen: &Seen, sentence: usize) -> Picture {
    let every = seen.snapshots.len().div_ceil(11).max(1);
    let last = seen.snapshots.len() - 1;
    let snapshots = seen.snapshots.iter().enumerate();
    let snapshots = snapshots.filter(|(n, _)| n % every == 0 || *n == last);
    let rows = snapshots.map(|(_, snapshot)| {
        vec![
            snapshot.step.to_string(),
            format!("{:.2}", snapshot.held_out),
            spelled(&snapshot.written[sentence]),
        ]
    });
    let pair = &sentences()[sentence];
    Picture::table(
        "diary",
        pair.german.join(" "),
        format!("Reference: {}", pair.english.join(" ")),
        &["update", "loss", "translation"],
        rows.collect(),
    )
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

/// What the snapshot gets right when it reads the right tokens, and when it reads its own.
pub fn free(seen: &Seen) -> Picture {
    let [next, placed, exact] = seen.shares();
    let bar = |label: &str, value: f64| {
        Bar::new(label.to_owned(), value, format!("{:.1} %", value * 100.0))
    };
    Picture::new(
        "free",
        format!(
            "Right at update {}, of 100 held-out sentences",
            seen.now().step
        ),
        "The loss measures only the first bar. A correct translation is the last.",
        Body::bars(
            "proportion",
            [
                bar("next token, given the correct ones", next),
                bar("token in its place, given its own", placed),
                bar("whole sentence", exact),
            ],
        ),
    )
}
