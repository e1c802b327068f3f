//! The drawings of the lesson.

use std::sync::Arc;

use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Bar, Body, Picture, Series, Settings};
use transformer_tutor::train::schedule::noam_rate;
use transformer_tutor::widgets::number::fixed;

use super::experiments::{self, BY_HAND, DECAY, DECAY_STEPS, by_hand, first_updates, left};
use super::race::{self, Schedule};
use super::training::{Rules, moves};

pub fn all(settings: &Settings, rules: Rules) -> Vec<Picture> {
    let highest = settings.real("highest");
    vec![
        rates(settings),
        race::picture(rules, highest),
        first(settings.real("beta2") as f32),
        measured(rules, highest),
        hand(),
        decay(),
    ]
}

fn curves(x: &str, y: &str, series: Vec<Series>) -> Body {
    Body::Curves {
        x: x.to_owned(),
        y: y.to_owned(),
        log: false,
        series,
    }
}

fn rates(settings: &Settings) -> Picture {
    let (d_model, warmup) = (settings.whole("d_model"), settings.whole("warmup"));
    let factor = settings.real("factor");
    let line = |d_model: usize, factor: f64, warmup: usize| {
        let at = (1..=200).map(|n| n * 100);
        let points = at.map(|s| (s as f64, noam_rate(s, d_model, factor, warmup)));
        Series {
            name: format!("{d_model}:{warmup}"),
            points: points.collect(),
        }
    };
    let mut series = vec![
        line(512, 1.0, 4000),
        line(512, 1.0, 8000),
        line(256, 1.0, 4000),
    ];
    let mut yours = line(d_model, factor, warmup);
    yours.name = format!("yours {}, factor {factor}", yours.name);
    series.push(yours);
    Picture {
        name: "rates",
        title: "The learning rate over 20,000 steps".to_owned(),
        says: format!(
            "Yours: {:.6e} in step 1, the highest in step {warmup} with {:.6e}.",
            noam_rate(1, d_model, factor, warmup),
            noam_rate(warmup, d_model, factor, warmup)
        ),
        body: curves("step", "learning rate", series),
    }
}

fn numbered(name: &str, sizes: &[f64]) -> Series {
    Series {
        name: name.to_owned(),
        points: (1..).map(f64::from).zip(sizes.iter().copied()).collect(),
    }
}

fn first(beta2: f32) -> Picture {
    let (sound, bare) = (
        first_updates(beta2, true, 60),
        first_updates(beta2, false, 60),
    );
    let most = bare.iter().copied().fold(0.0, f64::max);
    Picture {
        name: "first",
        title: format!("The first updates under a steady gradient, β₂ = {beta2}"),
        says: format!(
            "With the correction every update is one learning rate. Without it the first is {:.4}, the largest {most:.4}.",
            bare[0]
        ),
        body: curves(
            "step",
            "learning rates",
            vec![
                numbered("corrected", &sound),
                numbered("not corrected", &bare),
            ],
        ),
    }
}

/// How far the first twenty steps move a model's weights; computed once for each setting.
pub fn first_moves(rules: Rules, highest: f64) -> Vec<f64> {
    static DONE: Memo<Vec<f64>> = Memo::new("adam: first moves");
    let key = format!("{rules:?} {highest}");
    let made = DONE.get(key, || {
        moves(rules, 20, |step| Schedule::Noam.rate(step, highest))
    });
    (*made).clone()
}

fn measured(rules: Rules, highest: f64) -> Picture {
    Picture {
        name: "moves",
        title: "How far the first steps move a real model's weights".to_owned(),
        says: "Measured over all weights that have a gradient, with the correction and without."
            .to_owned(),
        body: Body::Job(Job {
            about: "Trains a model of 1 + 1 layers for 20 steps, twice; less than a second."
                .to_owned(),
            run: Arc::new(move |_| measure(rules, highest)),
        }),
    }
}

fn measure(rules: Rules, highest: f64) -> Progress {
    // A single layer shows it, and takes the least time.
    let of = |corrected| {
        let rules = Rules {
            layers: 1,
            corrected,
            ..rules
        };
        first_moves(rules, highest)
    };
    let (sound, bare) = (of(true), of(false));
    Progress {
        says: format!(
            "{:.3} learning rates in step 1 with the correction, {:.3} without; in step 10 {:.3} and {:.3}.",
            sound[0], bare[0], sound[9], bare[9]
        ),
        body: curves(
            "step",
            "learning rates",
            vec![
                numbered("corrected", &sound),
                numbered("not corrected", &bare),
            ],
        ),
        done: 1.0,
        run: None,
    }
}

fn hand() -> Picture {
    let rows = by_hand();
    let row = |what: &str, of: &dyn Fn(&experiments::Row) -> f64| {
        let mut row = vec![what.to_owned()];
        row.extend(rows.iter().map(|r| format!("{:.6}", of(r))));
        row
    };
    Picture {
        name: "hand",
        title: "Two steps of Adam on one weight".to_owned(),
        says: format!(
            "The weight begins at 1, the gradients are {} and {}, the learning rate {}.",
            BY_HAND[0],
            BY_HAND[1],
            experiments::RATE
        ),
        body: Body::Table {
            header: ["", "step 1", "step 2"].map(String::from).to_vec(),
            rows: vec![
                row("gradient", &|r| r.gradient),
                row("mean", &|r| r.mean),
                row("square", &|r| r.square),
                row("mean, corrected", &|r| r.m_hat),
                row("square, corrected", &|r| r.v_hat),
                row("update", &|r| r.update),
                row("weight", &|r| r.weight),
            ],
        },
    }
}

fn decay() -> Picture {
    let bar = |how: &str, size: f32, in_gradient: bool| {
        let value = left(size, in_gradient);
        Bar {
            label: format!("{how}, ±{size}"),
            value,
            note: fixed(value as f32, 4),
        }
    };
    Picture {
        name: "decay",
        title: format!("What {DECAY_STEPS} steps leave of a weight of 1"),
        says: format!(
            "Decay {DECAY}, gradients that come and go. AdamW, beside the step, takes the same share of every weight. L2, in the gradient, is divided by the root, and empties a weight with small gradients."
        ),
        body: Body::Bars {
            unit: "left, by the size of the gradients".to_owned(),
            bars: vec![
                bar("AdamW", 1.0, false),
                bar("AdamW", 0.01, false),
                bar("L2", 1.0, true),
                bar("L2", 0.01, true),
            ],
            log: false,
        },
    }
}
