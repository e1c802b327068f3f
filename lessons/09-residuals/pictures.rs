//! The drawings of the lesson.

use std::ops::ControlFlow;
use std::sync::Arc;

use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Body, Picture, Series, Settings};

use super::tower::{Measured, Wiring, measured, prepare};
use super::{drops, probe, race, rank};

/// The depths of the pictures over N.
pub const DEPTHS: [usize; 5] = [2, 4, 6, 12, 24];

pub fn all(settings: &Settings) -> Vec<Picture> {
    let seed = settings.whole("seed") as u64;
    let depth = settings.whole("layers");
    let dropout = super::dropout_or_tenth(settings);
    let towers = [Wiring::Pre, Wiring::Post]
        .into_iter()
        .flat_map(|wiring| DEPTHS.map(|depth| (wiring, depth)));
    let others = [Wiring::Sum, Wiring::Norm, Wiring::Plain].map(|wiring| (wiring, depth));
    prepare(&towers.chain(others).collect::<Vec<_>>(), seed);
    vec![
        stream(depth, seed),
        gradients(depth, seed),
        depths(seed),
        top(seed, settings.broken("no-last-norm")),
        drops::places_picture(dropout, seed),
        race::picture(super::rules(settings)),
        ranks(seed),
        positions(seed),
        drops::runs_picture(dropout, seed),
    ]
}

fn curves(x: &str, y: &str, log: bool, series: Vec<Series>) -> Body {
    Body::Curves {
        x: x.to_owned(),
        y: y.to_owned(),
        log,
        series,
    }
}

fn line(name: &str, points: impl Iterator<Item = (f64, f64)>) -> Series {
    Series {
        name: name.to_owned(),
        points: points.collect(),
    }
}

/// One line for each wiring, over the layers of one stack.
fn by_layer(
    wirings: &[Wiring],
    depth: usize,
    seed: u64,
    of: impl Fn(&Measured) -> &[f64],
) -> Vec<Series> {
    let line = |&wiring: &Wiring| {
        let measured = measured(wiring, depth, seed);
        let points = of(&measured).iter().enumerate();
        line(wiring.name(), points.map(|(n, y)| (n as f64, *y)))
    };
    wirings.iter().map(line).collect()
}

fn stream(depth: usize, seed: u64) -> Picture {
    let shown = [Wiring::Pre, Wiring::Post, Wiring::Sum, Wiring::Plain];
    let at = |wiring| measured(wiring, depth, seed).stream[depth];
    Picture {
        name: "stream",
        title: format!("The size of the stream through {depth} layers"),
        says: format!(
            "At the top: {:.2} pre-norm, {:.2} post-norm, {} with residuals and no norm, {:.2} with neither.",
            at(Wiring::Pre),
            at(Wiring::Post),
            rounded(at(Wiring::Sum)),
            at(Wiring::Plain)
        ),
        body: curves(
            "layer",
            "rms",
            true,
            by_layer(&shown, depth, seed, |m| &m.stream),
        ),
    }
}

fn gradients(depth: usize, seed: u64) -> Picture {
    let shown = [Wiring::Pre, Wiring::Post, Wiring::Norm, Wiring::Plain];
    let share = |wiring| {
        let gradient = &measured(wiring, depth, seed).gradient;
        gradient[0] / gradient[depth]
    };
    Picture {
        name: "gradients",
        title: format!("The gradient on its way down through {depth} layers"),
        says: format!(
            "What arrives at the bottom, as a multiple of what was at the top: {} pre-norm, {} post-norm, {} with a norm and no residual, {} with neither.",
            rounded(share(Wiring::Pre)),
            rounded(share(Wiring::Post)),
            rounded(share(Wiring::Norm)),
            rounded(share(Wiring::Plain))
        ),
        body: curves(
            "layer",
            "gradient norm",
            true,
            by_layer(&shown, depth, seed, |m| &m.gradient),
        ),
    }
}

/// Three digits, whatever the size.
fn rounded(x: f64) -> String {
    if (0.01..1000.0).contains(&x) {
        format!("{x:.2}")
    } else {
        format!("{x:.1e}")
    }
}

fn over_depths(name: &str, of: impl Fn(usize) -> f64) -> Series {
    line(name, DEPTHS.into_iter().map(|n| (n as f64, of(n))))
}

fn depths(seed: u64) -> Picture {
    let first = |w, n| measured(w, n, seed).weight_gradient[0];
    let last = |w, n| measured(w, n, seed).weight_gradient[n - 1];
    let (pre, post) = (Wiring::Pre, Wiring::Post);
    Picture {
        name: "depths",
        title: "How much the first and the last layer are to learn".to_owned(),
        says: format!(
            "From 2 to 24 layers the last layer's gradient goes from {:.2} to {:.2} in pre-norm stacks, from {:.2} to {:.2} in post-norm ones.",
            last(pre, 2),
            last(pre, 24),
            last(post, 2),
            last(post, 24)
        ),
        body: curves(
            "layers of the stack",
            "gradient norm of a feed-forward matrix",
            true,
            vec![
                over_depths("pre-norm, first layer", |n| first(pre, n)),
                over_depths("pre-norm, last layer", |n| last(pre, n)),
                over_depths("post-norm, first layer", |n| first(post, n)),
                over_depths("post-norm, last layer", |n| last(post, n)),
            ],
        ),
    }
}

fn top(seed: u64, taken_away: bool) -> Picture {
    let of = |n| measured(Wiring::Pre, n, seed);
    let mut series = vec![over_depths("without the last norm", |n| of(n).bare_logits)];
    if !taken_away {
        series.insert(0, over_depths("with it", |n| of(n).logits));
    }
    Picture {
        name: "top",
        title: "The logits above a pre-norm stack".to_owned(),
        says: format!(
            "Without the norm on top the logits of 24 layers have the size {:.2}; with it {:.2}.",
            of(24).bare_logits,
            of(24).logits
        ),
        body: curves("layers of the stack", "rms of the logits", false, series),
    }
}

/// Wirings that are compared by their ranks and by the probe.
const COMPARED: [Wiring; 4] = [Wiring::Pre, Wiring::Post, Wiring::Norm, Wiring::Plain];

/// A job that adds a line for each of [`COMPARED`].
fn job(
    about: String,
    (x, y): (&'static str, &'static str),
    says: impl Fn(&[Series]) -> String + Send + Sync + 'static,
    points: impl Fn(Wiring) -> Vec<(f64, f64)> + Send + Sync + 'static,
) -> Body {
    let run = move |report: &mut dyn FnMut(Progress) -> ControlFlow<()>| {
        let mut series = Vec::new();
        let mut progress = None;
        for (n, wiring) in COMPARED.into_iter().enumerate() {
            series.push(line(wiring.name(), points(wiring).into_iter()));
            let now = Progress {
                body: curves(x, y, false, series.clone()),
                says: says(&series),
                done: (n + 1) as f32 / COMPARED.len() as f32,
                run: None,
            };
            let on = report(now.clone());
            progress = Some(now);
            if on.is_break() {
                break;
            }
        }
        progress.expect("there is a first wiring")
    };
    Body::Job(Job {
        about,
        run: Arc::new(run),
    })
}

fn ends(series: &[Series], show: impl Fn(f64) -> String) -> String {
    let end = series
        .iter()
        .filter_map(|s| Some(format!("{} {}", s.name, show(s.points.last()?.1))));
    end.collect::<Vec<_>>().join(", ")
}

fn ranks(seed: u64) -> Picture {
    Picture {
        name: "rank",
        title: "How many directions survive".to_owned(),
        says: "The numerical rank of the product of the layers' Jacobians.".to_owned(),
        body: job(
            format!(
                "Computes the Jacobians of {} layers over {} cells, and the singular values of their products: a second.",
                rank::DEPTH,
                rank::SIZE
            ),
            (
                "layers",
                "directions of at least a thousandth of the longest",
            ),
            |series| {
                format!(
                    "After {} layers, of {} directions: {}.",
                    rank::DEPTH,
                    rank::SIZE,
                    ends(series, |y| format!("{y:.0}"))
                )
            },
            move |wiring| {
                let ranks = rank::ranks(wiring, seed);
                let points = ranks.iter().enumerate();
                points.map(|(n, r)| (n as f64 + 1.0, *r as f64)).collect()
            },
        ),
    }
}

fn positions(seed: u64) -> Picture {
    Picture {
        name: "probe",
        title: "Reading the position from each layer's output".to_owned(),
        says: "A linear probe, tried on sentences that it has not seen.".to_owned(),
        body: job(
            format!(
                "Fits a linear probe to each of {} layers, in closed form: a second.",
                probe::DEPTH
            ),
            ("layer", "share of right positions"),
            |series| {
                format!(
                    "After {} layers: {}. Guessing gives {:.0} %.",
                    probe::DEPTH,
                    ends(series, |y| format!("{:.0} %", y * 100.0)),
                    100.0 / probe::LENGTH as f64
                )
            },
            move |wiring| {
                let right = probe::read(wiring, seed);
                right
                    .iter()
                    .enumerate()
                    .map(|(n, r)| (n as f64, *r))
                    .collect()
            },
        ),
    }
}
