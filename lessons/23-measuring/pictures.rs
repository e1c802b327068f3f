//! The pictures: the same lines under different rules, averaged checkpoints, and an error analysis.

use transformer_tutor::decode::bleu::{BleuOptions, Smooth};
use transformer_tutor::decode::chrf::ChrfOptions;
use transformer_tutor::decode::tokenize::Tokenize;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::{Bar, Body, Picture};

use super::averaging::{AVERAGED, EVERY, KEPT, STEPS};
use super::errors;
use super::knobs::Knobs;

/// Every picture.
pub fn all(knobs: &Knobs) -> Vec<Picture> {
    vec![cuts(knobs), rules(knobs), averaged(), errors::picture()]
}

fn cuts(knobs: &Knobs) -> Picture {
    let row = |tokenize: Tokenize| {
        let words = knobs.first_words(tokenize);
        let score = knobs.whole(&BleuOptions {
            tokenize,
            ..BleuOptions::default()
        });
        let (count, score) = (words.len().to_string(), format!("{score:.2}"));
        vec![tokenize.to_string(), words.join(" "), count, score]
    };
    let rules = [
        Tokenize::V13a,
        Tokenize::Intl,
        Tokenize::Char,
        Tokenize::None,
    ];
    Picture::table(
        "cuts",
        "One output, four tokenisations",
        "The same two lines, split into words by four rules. The score changes; the translation does not.",
        &["rule", "the first line", "words", "BLEU"],
        rules.into_iter().map(row).collect(),
    )
}

fn rules(knobs: &Knobs) -> Picture {
    let mut rows = Vec::new();
    let mut row = |name: String, lower: bool, smooth: String, score: f64| {
        let case = if lower { "lower" } else { "mixed" }.to_owned();
        rows.push(vec![name, case, smooth, format!("{score:.2}")]);
    };
    let all = [
        Smooth::Exp,
        Smooth::Floor(0.1),
        Smooth::AddK(1.0),
        Smooth::None,
    ];
    for (lowercase, smooth) in [false, true].into_iter().flat_map(|l| all.map(|s| (l, s))) {
        let score = knobs.whole(&BleuOptions {
            smooth,
            lowercase,
            ..knobs.options()
        });
        row("BLEU".to_owned(), lowercase, smooth.to_string(), score);
    }
    for options in [ChrfOptions::default(), ChrfOptions::plus_plus()] {
        row(
            options.name(),
            false,
            "none".to_owned(),
            knobs.chrf(&options),
        );
    }
    let says = format!(
        "The same two lines under other rules. Your settings score {:.2}, with the signature {}.",
        knobs.whole(&knobs.options()),
        knobs.options().signature(1)
    );
    Picture::table(
        "rules",
        "Ten rules for the same two lines",
        says,
        &["measure", "case", "smoothing", "score"],
        rows,
    )
}

/// A picture whose training starts when the learner asks for it, once per run of the program.
fn averaged() -> Picture {
    Picture::job(
        "average",
        format!("The last {KEPT} checkpoints, and their mean"),
        "A small model learns to copy at a constant, high learning rate, and its last weights are averaged.",
        format!(
            "Trains a small model for {STEPS} steps and measures {KEPT} checkpoints; a second or two."
        ),
        |_| checkpoints(),
    )
}

fn checkpoints() -> Progress {
    let averaged = &*AVERAGED;
    let bar = |label: String, nats: f64| {
        Bar::new(
            label,
            nats,
            format!("{nats:.4} nats, perplexity {:.3}", nats.exp()),
        )
    };
    let each = averaged.each.iter().enumerate();
    let mut bars: Vec<Bar> = each
        .map(|(n, nats)| bar(format!("step {}", STEPS - EVERY * (KEPT - 1 - n)), *nats))
        .collect();
    bars.push(bar("averaged weights".to_owned(), averaged.average));
    Progress::new(
        1.0,
        format!(
            "Held-out loss per token. The checkpoints have {:.4} on average; the averaged weights have {:.4}.",
            averaged.mean(),
            averaged.average
        ),
        Body::bars("nats per token", bars),
    )
}
