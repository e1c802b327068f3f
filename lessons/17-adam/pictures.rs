//! The pictures of the lesson.

use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::{Bar, Body, Picture, Series};
use transformer_tutor::train::schedule::noam_rate;
use transformer_tutor::typeset::number::fixed;

use super::experiments::{BY_HAND, DECAY, DECAY_STEPS, RATE, by_hand, first_updates, left, number};
use super::knobs::Knobs;
use super::race::{self, Schedule};
use super::training::{Rules, moves};

pub fn all(knobs: &Knobs) -> Vec<Picture> {
    vec![
        rates(knobs),
        race::picture(knobs.training(), knobs.highest),
        first(knobs.beta2),
        measured(knobs.training(), knobs.highest),
        hand(),
        decay(),
    ]
}

fn rates(knobs: &Knobs) -> Picture {
    let line = |d_model: usize, factor: f64, warmup: usize| {
        let at = (1..=200).map(|n| n * 100);
        at.map(move |s| (s as f64, noam_rate(s, d_model, factor, warmup)))
    };
    let known = [(512, 4000), (512, 8000), (256, 4000)];
    let known = known.map(|(d, warmup)| Series::new(format!("{d}:{warmup}"), line(d, 1.0, warmup)));
    let &Knobs {
        d_model,
        factor,
        warmup,
        ..
    } = knobs;
    let name = format!("yours {d_model}:{warmup}, factor {factor}");
    let yours = Series::new(name, line(d_model, factor, warmup));
    let says = format!(
        "Yours: {:.6e} in step 1, highest in step {warmup}: {:.6e}.",
        knobs.rate(1),
        knobs.rate(warmup)
    );
    let curves = Body::curves("step", "learning rate", known.into_iter().chain([yours]));
    Picture::new("rates", "The learning rate over 20,000 steps", says, curves)
}

/// Sizes of the first updates, with and without the correction.
fn both(sound: &[f64], bare: &[f64]) -> Body {
    let line = |name, sizes: &[f64]| Series::new(name, (1..).map(f64::from).zip(sizes.to_vec()));
    let lines = [line("corrected", sound), line("not corrected", bare)];
    Body::curves("step", "learning rates", lines)
}

fn first(beta2: f32) -> Picture {
    let [sound, bare] = [true, false].map(|corrected| first_updates(beta2, corrected, 60));
    let most = bare.iter().copied().fold(0.0, f64::max);
    let says = format!(
        "With the correction every update is one learning rate. Without it the first one is {:.4} and the largest {most:.4}.",
        bare[0]
    );
    let title = format!("The first updates under a constant gradient, β₂ = {beta2}");
    Picture::new("first", title, says, both(&sound, &bare))
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

fn measured(rules: Rules, highest: f64) -> Picture {
    let measure = move || {
        let [sound, bare] = [true, false].map(|corrected| first_moves(rules, highest, corrected));
        let says = format!(
            "In step 1 {:.3} learning rates with the correction and {:.3} without; in step 10 {:.3} and {:.3}.",
            sound[0], bare[0], sound[9], bare[9]
        );
        Progress::new(1.0, says, both(&sound, &bare))
    };
    Picture::job(
        "moves",
        "How far the first updates move the weights of a model",
        "Measured over all weights that have a gradient, in learning rates, with the bias correction and without.",
        "Trains a model of 1 + 1 layers for 20 steps, twice; less than a second.",
        move |_| measure(),
    )
}

fn hand() -> Picture {
    let steps = by_hand();
    let row = |(what, name): (&str, &str)| {
        let numbers = steps
            .iter()
            .map(|step| format!("{:.6}", number(step, name)));
        [what.to_owned()].into_iter().chain(numbers).collect()
    };
    let rows = [
        ("gradient", "gradient"),
        ("m, mean of gradients", "mean"),
        ("v, mean of squares", "square"),
        ("m, corrected", "m_hat"),
        ("v, corrected", "v_hat"),
        ("update", "update"),
        ("weight", "moved"),
    ];
    let says = format!(
        "The weight starts at 1, the gradients are {} and {}, the learning rate {RATE}.",
        BY_HAND[0], BY_HAND[1]
    );
    let header = ["", "step 1", "step 2"];
    let rows = rows.map(row).to_vec();
    Picture::table(
        "hand",
        "Two steps of Adam on one weight",
        says,
        &header,
        rows,
    )
}

fn decay() -> Picture {
    let bar = |how: &str, size: f32, in_gradient: bool| {
        let value = left(size, in_gradient);
        Bar::new(format!("{how}, ±{size}"), value, fixed(value as f32, 4))
    };
    Picture::new(
        "decay",
        format!("What {DECAY_STEPS} steps leave of a weight of 1"),
        format!(
            "Decay {DECAY}, gradients of alternating sign. AdamW shrinks every weight by the same factor. L2 adds the decay to the gradient, so it is divided by the root: a weight with small gradients shrinks to nothing."
        ),
        Body::bars(
            "what is left, by the size of the gradients",
            [
                bar("AdamW", 1.0, false),
                bar("AdamW", 0.01, false),
                bar("L2", 1.0, true),
                bar("L2", 0.01, true),
            ],
        ),
    )
}
