//! The pictures of the lesson.

use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::{Body, Fact, Facts, Picture, Series};
use transformer_tutor::train::schedule::noam_rate;

use super::experiments::first_updates;
use super::knobs::Knobs;
use super::race::{self, Schedule};
use super::training::{Rules, moves};

/// The learning rates of three known schedules and of the knobs', and the first updates under a constant gradient.
pub fn facts(knobs: &Knobs) -> Facts {
    let rates = |d_model: usize, factor: f64, warmup: usize| {
        let at = (1..=200).map(|n| n * 100);
        Fact::numbers(at.map(|step| noam_rate(step, d_model, factor, warmup)))
    };
    let &Knobs {
        d_model,
        factor,
        warmup,
        beta2,
        ..
    } = knobs;
    Facts::default()
        .with("hundreds", Fact::numbers((1_usize..=200).map(|n| n * 100)))
        .with("rates_512_4000", rates(512, 1.0, 4000))
        .with("rates_512_8000", rates(512, 1.0, 8000))
        .with("rates_256_4000", rates(256, 1.0, 4000))
        .with("rates_yours", rates(d_model, factor, warmup))
        .with("steps", Fact::numbers(1_usize..=60))
        .with("corrected_updates", first_updates(beta2, true, 60))
        .with("bare_updates", first_updates(beta2, false, 60))
}

/// The training that the learner starts, and the race.
pub fn jobs(knobs: &Knobs) -> Vec<Picture> {
    let (rules, highest) = (knobs.training(), knobs.highest);
    vec![
        race::picture(rules, highest),
        Picture::drawn("moves", Body::job(move |_| measured(rules, highest))),
    ]
}

/// Sizes of the first updates, with and without the correction.
fn both(sound: &[f64], bare: &[f64]) -> Body {
    let line = |name, sizes: &[f64]| Series::new(name, (1..).map(f64::from).zip(sizes.to_vec()));
    let lines = [line("corrected", sound), line("not corrected", bare)];
    Body::curves("step", "learning rates", lines)
}

/// How far the first twenty steps move a model's weights, computed once per setting. A single layer is enough to show
/// it, and is the quickest.
pub fn first_moves(rules: Rules, highest: f64, corrected: bool) -> Vec<f64> {
    static DONE: Memo<Vec<f64>> = Memo::new("adam: first moves");
    let rules = Rules {
        layers: 1,
        corrected,
        ..rules
    };
    let made = DONE.get(format!("{rules:?} {highest}"), || {
        moves(rules, 20, |step| Schedule::Noam.rate(step, highest))
    });
    (*made).clone()
}

fn measured(rules: Rules, highest: f64) -> Progress {
    let [sound, bare] = [true, false].map(|corrected| first_moves(rules, highest, corrected));
    let says = format!(
        "In step 1 {:.3} learning rates with the correction and {:.3} without; in step 10 {:.3} and {:.3}.",
        sound[0], bare[0], sound[9], bare[9]
    );
    Progress::new(1.0, says, both(&sound, &bare))
}
