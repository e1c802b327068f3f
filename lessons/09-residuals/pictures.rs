//! The pictures of the lesson.

use std::ops::ControlFlow;
use std::sync::Arc;

use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Body, Picture, Series};

use super::knobs::Knobs;
use super::tower::{Measured, Wiring, measured, prepare};
use super::{drops, probe, race, rank};

/// Depths in the pictures that vary the number of layers.
pub const DEPTHS: [usize; 5] = [2, 4, 6, 12, 24];

/// Every picture; with `bare`, the logits lack the LayerNorm on top.
pub fn all(knobs: &Knobs, bare: bool) -> Vec<Picture> {
    let (depth, seed, dropout) = (knobs.layers, knobs.seed, knobs.dropout_or_tenth());
    let towers = [Wiring::Pre, Wiring::Post]
        .into_iter()
        .flat_map(|wiring| DEPTHS.map(|depth| (wiring, depth)));
    let others = [Wiring::Sum, Wiring::Norm, Wiring::Plain].map(|wiring| (wiring, depth));
    prepare(&towers.chain(others).collect::<Vec<_>>(), seed);
    vec![
        stream(depth, seed),
        gradients(depth, seed),
        depths(seed),
        top(seed, bare),
        drops::places_picture(dropout, seed),
        race::picture(knobs.rules()),
        ranks(seed),
        positions(seed),
        drops::runs_picture(dropout, seed),
    ]
}

/// One line per wiring, over the layers of one stack.
fn by_layer(
    wirings: &[Wiring],
    depth: usize,
    seed: u64,
    of: impl Fn(&Measured) -> &[f64],
) -> Vec<Series> {
    let line = |&wiring: &Wiring| {
        let measured = measured(wiring, depth, seed);
        let points = of(&measured).iter().enumerate();
        Series::new(wiring.name(), points.map(|(n, y)| (n as f64, *y)))
    };
    wirings.iter().map(line).collect()
}

fn stream(depth: usize, seed: u64) -> Picture {
    let shown = [Wiring::Pre, Wiring::Post, Wiring::Sum, Wiring::Plain];
    let [pre, post, sum, plain] = shown.map(|wiring| measured(wiring, depth, seed).stream[depth]);
    let sum = rounded(sum);
    let title = format!("RMS of the residual stream through {depth} layers");
    let says = format!(
        "RMS at the top: {pre:.2} pre-norm, {post:.2} post-norm, {sum} with residuals but no LayerNorm, {plain:.2} with neither."
    );
    let series = by_layer(&shown, depth, seed, |m| &m.stream);
    Picture::curves("stream", title, says, ("layer", "RMS"), series).by_logarithm()
}

fn gradients(depth: usize, seed: u64) -> Picture {
    let [pre, post, norm, plain] = COMPARED.map(|wiring| {
        let gradient = &measured(wiring, depth, seed).gradient;
        rounded(gradient[0] / gradient[depth])
    });
    let title = format!("The gradient on its way down through {depth} layers");
    let says = format!(
        "The bottom as a multiple of the top: {pre} pre-norm, {post} post-norm, {norm} LayerNorm without residual, {plain} neither."
    );
    let series = by_layer(&COMPARED, depth, seed, |m| &m.gradient);
    let axes = ("layer", "gradient norm");
    Picture::curves("gradients", title, says, axes, series).by_logarithm()
}

/// Formats a number with two decimals, or in scientific notation if it is very small or large.
fn rounded(x: f64) -> String {
    if (0.01..1000.0).contains(&x) {
        format!("{x:.2}")
    } else {
        format!("{x:.1e}")
    }
}

fn over_depths(name: &str, of: impl Fn(usize) -> f64) -> Series {
    Series::new(name, DEPTHS.map(|n| (n as f64, of(n))))
}

fn depths(seed: u64) -> Picture {
    let first = |w, n| measured(w, n, seed).weight_gradient[0];
    let last = |w, n| measured(w, n, seed).weight_gradient[n - 1];
    let (pre, post) = (Wiring::Pre, Wiring::Post);
    let says = format!(
        "From 2 to 24 layers, the last layer's gradient goes from {:.2} to {:.2} in pre-norm stacks, from {:.2} to {:.2} in post-norm ones.",
        last(pre, 2),
        last(pre, 24),
        last(post, 2),
        last(post, 24)
    );
    let series = vec![
        over_depths("pre-norm, first", |n| first(pre, n)),
        over_depths("pre-norm, last", |n| last(pre, n)),
        over_depths("post-norm, first", |n| first(post, n)),
        over_depths("post-norm, last", |n| last(post, n)),
    ];
    let title = "Gradients of the first and the last layer's weights";
    let axes = ("layers of the stack", "gradient norm");
    Picture::curves("depths", title, says, axes, series).by_logarithm()
}

fn top(seed: u64, bare: bool) -> Picture {
    let of = |n| measured(Wiring::Pre, n, seed);
    let mut series = vec![over_depths("without the last LayerNorm", |n| {
        of(n).bare_logits
    })];
    if !bare {
        series.insert(0, over_depths("with it", |n| of(n).logits));
    }
    let title = "The logits above a pre-norm stack";
    let says = format!(
        "Without the LayerNorm on top, the logits of 24 layers have an RMS of {:.2}; with it, {:.2}.",
        of(24).bare_logits,
        of(24).logits
    );
    let axes = ("layers of the stack", "RMS of the logits");
    Picture::curves("top", title, says, axes, series)
}

/// Wirings whose ranks and probes are compared.
const COMPARED: [Wiring; 4] = [Wiring::Pre, Wiring::Post, Wiring::Norm, Wiring::Plain];

/// A job that draws one line for each of [`COMPARED`].
fn job(
    about: String,
    axes: (&'static str, &'static str),
    says: impl Fn(&[Series]) -> String + Send + Sync + 'static,
    points: impl Fn(Wiring) -> Vec<(f64, f64)> + Send + Sync + 'static,
) -> Body {
    let run = move |report: &mut dyn FnMut(Progress) -> ControlFlow<()>| {
        let mut series = Vec::new();
        let mut progress = None;
        for (n, wiring) in COMPARED.into_iter().enumerate() {
            series.push(Series::new(wiring.name(), points(wiring)));
            let now = Progress {
                body: Body::curves(axes.0, axes.1, series.clone()),
                says: says(&series),
                done: (n + 1) as f32 / COMPARED.len() as f32,
                run: None,
                written: None,
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
        pace: std::time::Duration::ZERO,
        measures: false,
        last: None,
        about,
        run: Arc::new(run),
    })
}

fn ends(series: &[Series], show: impl Fn(f64) -> String) -> String {
    let end = |s: &Series| Some(format!("{} {}", s.name, show(s.points.last()?.1)));
    series.iter().filter_map(end).collect::<Vec<_>>().join(", ")
}

fn ranks(seed: u64) -> Picture {
    let (depth, size) = (rank::DEPTH, rank::SIZE);
    let job = job(
        format!(
            "Computes the Jacobians of {depth} layers over {size} cells, and the singular values of their products: a second."
        ),
        (
            "layers",
            "singular values of at least a thousandth of the largest",
        ),
        move |series| {
            let ends = ends(series, |y| format!("{y:.0}"));
            format!("After {depth} layers, of {size} directions: {ends}.")
        },
        move |wiring| {
            let ranks = rank::ranks(wiring, seed).into_iter().enumerate();
            ranks.map(|(n, r)| (n as f64 + 1.0, r as f64)).collect()
        },
    );
    let says = "The numerical rank of the product of the layers' Jacobians.";
    Picture::new("rank", "How many directions of change survive", says, job)
}

fn positions(seed: u64) -> Picture {
    let (depth, guessing) = (probe::DEPTH, 100.0 / probe::LENGTH as f64);
    let job = job(
        format!("Fits a linear probe to each of {depth} layers, in closed form: a second."),
        ("layer", "proportion of right positions"),
        move |series| {
            let ends = ends(series, |y| format!("{:.0} %", y * 100.0));
            format!("After {depth} layers: {ends}. Guessing gives {guessing:.0} %.")
        },
        move |wiring| {
            let right = probe::read(wiring, seed);
            let right = right.iter().enumerate();
            right.map(|(n, r)| (n as f64, *r)).collect()
        },
    );
    let title = "Reading the position from each layer's output";
    let says = "A linear probe, scored on sentences that it wasn't fitted on.";
    Picture::new("probe", title, says, job)
}
