//! The pictures of the lesson.

use transformer_tutor::lesson::picture::{Progress, Report};
use transformer_tutor::lesson::{Body, Fact, Facts, Picture, Series};

use super::knobs::Knobs;
use super::tower::{Measured, WIRINGS, Wiring, measured, prepare};
use super::{drops, probe, race, rank};

/// Depths in the pictures that vary the number of layers.
const DEPTHS: [usize; 5] = [2, 4, 6, 12, 24];

/// What the stacks and the dropouts show; with `bare`, the logits lack the LayerNorm on top.
pub fn facts(knobs: &Knobs, bare: bool) -> Facts {
    let (depth, seed, dropout) = (knobs.layers, knobs.seed, knobs.dropout_or_tenth());
    let towers = [Wiring::Pre, Wiring::Post]
        .into_iter()
        .flat_map(|wiring| DEPTHS.map(|depth| (wiring, depth)));
    let others = [Wiring::Sum, Wiring::Norm, Wiring::Plain].map(|wiring| (wiring, depth));
    prepare(&towers.chain(others).collect::<Vec<_>>(), seed);
    let mut facts = Facts::default()
        .with("bare", bare)
        .with("heights", Fact::numbers(0..=depth))
        .with("depths", Fact::numbers(DEPTHS));
    for (word, wiring) in WIRINGS {
        let measured = measured(wiring, depth, seed);
        facts = facts
            .with(format!("stream_{word}"), measured.stream.clone())
            .with(format!("gradient_{word}"), measured.gradient.clone());
    }
    let over_depths = |wiring, of: fn(&Measured) -> f64| {
        Fact::numbers(DEPTHS.map(|depth| of(&measured(wiring, depth, seed))))
    };
    for (word, wiring) in [("pre", Wiring::Pre), ("post", Wiring::Post)] {
        let first = over_depths(wiring, |m| m.weight_gradient[0]);
        let last = over_depths(wiring, |m| m.weight_gradient[m.weight_gradient.len() - 1]);
        facts = facts
            .with(format!("first_{word}"), first)
            .with(format!("last_{word}"), last);
    }
    let places = drops::places(dropout, seed);
    let shape = |shape: &[usize]| {
        let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
        sizes.join("×")
    };
    facts
        .with("logits_normed", over_depths(Wiring::Pre, |m| m.logits))
        .with("logits_bare", over_depths(Wiring::Pre, |m| m.bare_logits))
        .with("dropped_with", dropout)
        .with(
            "dropped_on",
            Fact::words(places.iter().map(|p| p.0.clone())),
        )
        .with(
            "dropped_shapes",
            Fact::words(places.iter().map(|p| shape(&p.1))),
        )
        .with("dropped_shares", Fact::numbers(places.iter().map(|p| p.2)))
        .with("places", places.len())
}

/// The experiments that the learner starts.
pub fn jobs(knobs: &Knobs) -> Vec<Picture> {
    let (seed, dropout) = (knobs.seed, knobs.dropout_or_tenth());
    vec![
        race::picture(knobs.rules()),
        Picture::drawn("rank", ranks(seed)),
        Picture::drawn("probe", positions(seed)),
        Picture::drawn("runs", drops::runs(dropout, seed)),
    ]
}

/// Wirings whose ranks and probes are compared.
const COMPARED: [Wiring; 4] = [Wiring::Pre, Wiring::Post, Wiring::Norm, Wiring::Plain];

/// A job that draws one line for each of [`COMPARED`].
fn job(
    axes: (&'static str, &'static str),
    says: impl Fn(&[Series]) -> String + Send + Sync + 'static,
    points: impl Fn(Wiring) -> Vec<(f64, f64)> + Send + Sync + 'static,
) -> Body {
    let run = move |report: Report<'_>| {
        let mut series = Vec::new();
        let mut progress = None;
        for (n, wiring) in COMPARED.into_iter().enumerate() {
            series.push(Series::new(wiring.name(), points(wiring)));
            let done = (n + 1) as f32 / COMPARED.len() as f32;
            let body = Body::curves(axes.0, axes.1, series.clone());
            let now = Progress::new(done, says(&series), body);
            let on = report(now.clone());
            progress = Some(now);
            if on.is_break() {
                break;
            }
        }
        progress.expect("there is a first wiring")
    };
    Body::job(run)
}

fn ends(series: &[Series], show: impl Fn(f64) -> String) -> String {
    let end = |s: &Series| Some(format!("{} {}", s.name, show(s.points.last()?.1)));
    series.iter().filter_map(end).collect::<Vec<_>>().join(", ")
}

fn ranks(seed: u64) -> Body {
    let (depth, size) = (rank::DEPTH, rank::SIZE);
    job(
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
    )
}

fn positions(seed: u64) -> Body {
    let (depth, guessing) = (probe::DEPTH, 100.0 / probe::LENGTH as f64);
    job(
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
    )
}
