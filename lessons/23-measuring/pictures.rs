//! Drawings: the same lines under other rules, and averaged checkpoints.

use transformer_tutor::decode::bleu::{BleuOptions, Smooth};
use transformer_tutor::decode::chrf::ChrfOptions;
use transformer_tutor::decode::tokenize::Tokenize;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::{Bar, Body, Picture, Settings};

use super::averaging::{AVERAGED, EVERY, KEPT, STEPS};
use super::{chrf, lines, options, whole};

/// All of them.
pub fn all(settings: &Settings) -> Vec<Picture> {
    vec![cuts(settings), rules(settings), averaged()]
}

fn cuts(settings: &Settings) -> Picture {
    let row = |tokenize: Tokenize| {
        let words = tokenize.words(&lines(settings)[0][0]);
        let score = whole(
            settings,
            &BleuOptions {
                tokenize,
                ..BleuOptions::default()
            },
        );
        vec![
            tokenize.to_string(),
            words.join(" "),
            words.len().to_string(),
            format!("{score:.2}"),
        ]
    };
    Picture::table(
        "cuts",
        "One output, four tokenisations",
        "The same two lines, cut into words by four rules: the score moves, the translation does not.",
        &["rule", "the first line", "words", "BLEU"],
        Tokenize::ALL.into_iter().map(row).collect(),
    )
}

fn rules(settings: &Settings) -> Picture {
    let mut rows = Vec::new();
    let case = |lower: bool| if lower { "lower" } else { "mixed" }.to_owned();
    for lowercase in [false, true] {
        for smooth in [
            Smooth::Exp,
            Smooth::Floor(0.1),
            Smooth::AddK(1.0),
            Smooth::None,
        ] {
            let options = BleuOptions {
                smooth,
                lowercase,
                ..options(settings)
            };
            rows.push(vec![
                "BLEU".to_owned(),
                case(lowercase),
                smooth.to_string(),
                format!("{:.2}", whole(settings, &options)),
            ]);
        }
    }
    for options in [ChrfOptions::default(), ChrfOptions::plus_plus()] {
        let score = format!("{:.2}", chrf(settings, &options));
        rows.push(vec![options.name(), case(false), "none".to_owned(), score]);
    }
    let says = format!(
        "The same two lines under other rules. Your settings score {:.2}, with the signature {}.",
        whole(settings, &options(settings)),
        options(settings).signature(1)
    );
    Picture::table(
        "rules",
        "Ten rules for the same two lines",
        &says,
        &["measure", "case", "smoothing", "score"],
        rows,
    )
}

/// Trains when the learner starts it; once for a program.
fn averaged() -> Picture {
    Picture::job(
        "average",
        format!("The last {KEPT} checkpoints, and their mean"),
        "A small model learns to copy at too high a rate, and its last weights are averaged.",
        format!(
            "Trains a small copier for {STEPS} steps and measures {KEPT} checkpoints: a second or two."
        ),
        |_| checkpoints(),
    )
}

fn checkpoints() -> Progress {
    let found = &*AVERAGED;
    let bar = |label: String, nats: f64| {
        Bar::new(
            label,
            nats,
            format!("{nats:.4} nats, perplexity {:.3}", nats.exp()),
        )
    };
    let each = found.each.iter().enumerate();
    let mut bars: Vec<Bar> = each
        .map(|(n, nats)| bar(format!("step {}", STEPS - EVERY * (KEPT - 1 - n)), *nats))
        .collect();
    bars.push(bar("their mean weights".to_owned(), found.average));
    Progress::new(
        1.0,
        format!(
            "Held-out loss a word. The checkpoints have {:.4} on the average; the mean of their weights has {:.4}.",
            found.mean(),
            found.average
        ),
        Body::bars("nats a word", bars),
    )
}
