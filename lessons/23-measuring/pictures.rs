//! The pictures: the same lines under different rules, averaged checkpoints, and an error analysis.

use transformer_tutor::decode::bleu::{BleuOptions, Smooth};
use transformer_tutor::decode::chrf::ChrfOptions;
use transformer_tutor::decode::tokenize::Tokenize;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::{Bar, Body, Fact, Facts, Picture};

use super::averaging::{AVERAGED, EVERY, KEPT, STEPS};
use super::errors;
use super::knobs::Knobs;

/// The scores of the knobs' lines under every rule.
pub fn facts(knobs: &Knobs) -> Facts {
    let rules = [
        Tokenize::V13a,
        Tokenize::Intl,
        Tokenize::Char,
        Tokenize::None,
    ];
    let smoothings = [
        Smooth::Exp,
        Smooth::Floor(0.1),
        Smooth::AddK(1.0),
        Smooth::None,
    ];
    let of_rule = |tokenize| BleuOptions {
        tokenize,
        ..BleuOptions::default()
    };
    let scores = |lowercase| {
        let score = |smooth| {
            knobs.whole(&BleuOptions {
                smooth,
                lowercase,
                ..knobs.options()
            })
        };
        Fact::numbers(smoothings.map(score))
    };
    let words = rules.map(|rule| knobs.first_words(rule));
    let (chrf, with_words) = (ChrfOptions::default(), ChrfOptions::plus_plus());
    Facts::default()
        .with("rules", Fact::words(rules.map(|rule| rule.to_string())))
        .with(
            "first_lines",
            Fact::words(words.each_ref().map(|words| words.join(" "))),
        )
        .with(
            "first_counts",
            Fact::numbers(words.map(|words| words.len())),
        )
        .with(
            "rule_scores",
            Fact::numbers(rules.map(|rule| knobs.whole(&of_rule(rule)))),
        )
        .with(
            "smoothings",
            Fact::words(smoothings.map(|smooth| smooth.to_string())),
        )
        .with("mixed_scores", scores(false))
        .with("lower_scores", scores(true))
        .with("score", knobs.whole(&knobs.options()))
        .with("signature", knobs.options().signature(1))
        .with("chrf_name", chrf.name())
        .with("chrf", knobs.chrf(&chrf))
        .with("chrf_words_name", with_words.name())
        .with("chrf_words", knobs.chrf(&with_words))
}

/// What the learner starts: a training, once per run of the program, and the error analysis.
pub fn jobs() -> Vec<Picture> {
    let averaged = Picture::drawn("average", Body::job(|_| checkpoints()));
    vec![averaged, errors::picture()]
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
