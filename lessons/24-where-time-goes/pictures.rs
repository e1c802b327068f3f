//! The pictures whose numbers are counted, not timed.

use transformer_tutor::autograd::Trace;
use transformer_tutor::lesson::{Bar, Body, Picture, Settings};
use transformer_tutor::transformer::cost::Cost;
use transformer_tutor::typeset::number::grouped;

use super::check::TASK;
use super::counts::{self, Kind};
use super::hand::COUNTED;
use super::knobs::{Form, Knobs, Order};
use super::padding::{TOKENS, cells};
use super::races;
use super::record::{self, POOL};

/// Every picture, the timed ones last.
pub fn all(knobs: &Knobs, settings: &Settings, trace: &Trace) -> Vec<Picture> {
    vec![
        histogram(trace),
        each(trace),
        by_hand(knobs, settings, trace),
        intensity(trace),
        padding(),
        races::times(*knobs).measuring(),
        races::products().measuring(),
        races::rows().measuring(),
        races::shards().measuring(),
    ]
}

fn histogram(trace: &Trace) -> Picture {
    let whole = counts::all_flops(trace);
    let bar = |(kind, _, says): (Kind, _, &str)| {
        let (steps, flops) = counts::kind(trace, kind);
        let share = 100.0 * flops as f64 / whole as f64;
        Bar::new(
            says,
            share,
            format!("{share:.2} %, {} in {steps} steps", grouped(flops)),
        )
    };
    let (_, products) = counts::kind(trace, Kind::Products);
    Picture::new(
        "histogram",
        "Operations of this run, by kind",
        format!(
            "{} floating-point operations; {:.1} % of them in matrix products.",
            grouped(whole),
            100.0 * products as f64 / whole as f64
        ),
        Body::bars("% of all operations", Kind::ALL.map(bar).to_vec()),
    )
}

fn each(trace: &Trace) -> Picture {
    let mut rows: Vec<(u64, usize, &str)> = Vec::new();
    for step in counts::steps(trace) {
        let flops = counts::flops(trace, step);
        match rows.iter_mut().find(|row| row.2 == step.op()) {
            Some(row) => *row = (row.0 + flops, row.1 + 1, row.2),
            None => rows.push((flops, 1, step.op())),
        }
    }
    rows.sort_by(|a, b| b.cmp(a));
    let row = |(flops, steps, op): (u64, usize, &str)| {
        vec![op.to_owned(), steps.to_string(), grouped(flops)]
    };
    Picture::table(
        "operations",
        "Every operation of this run",
        "What ran, how often, and how many operations it did.",
        &["operation", "steps", "FLOPs"],
        rows.into_iter().map(row).collect(),
    )
}

fn by_hand(knobs: &Knobs, settings: &Settings, trace: &Trace) -> Picture {
    let recorded = counts::products(trace, |name| name.starts_with(COUNTED));
    let hand = record::by_hand(knobs, TASK.chosen(settings));
    let row = |name: &str, cost: Cost| {
        let intensity = format!("{:.2}", cost.intensity());
        vec![
            name.to_owned(),
            grouped(cost.flops),
            grouped(cost.bytes),
            intensity,
        ]
    };
    let says = match TASK.on(settings) {
        _ if knobs.form == Form::Fused => {
            "Fused steps count biases and softmax together with their products, and never write the scores. So they differ from the count."
        }
        None => {
            "The first cross-attention. The count from shapes equals that of the recorded operations exactly."
        }
        Some(_) => "The count has a mistake, the recorded operations have not: compare.",
    };
    Picture::table(
        "by-hand",
        "One attention layer, counted twice",
        says,
        &["count", "FLOPs", "bytes", "per byte"],
        vec![row("by hand", hand), row("recorded", recorded)],
    )
}

fn intensity(trace: &Trace) -> Picture {
    type Chosen = fn(&str) -> bool;
    let chosen: [(&str, Chosen); 4] = [
        ("attention, weight matrices", |name| {
            name.ends_with(".weight") && name.contains("_attn.")
        }),
        ("attention, scores and context", |name| {
            !name.ends_with(".weight") && name.contains("_attn.")
        }),
        ("feed-forward", |name| name.contains("feed_forward")),
        ("generator", |name| name.starts_with("generator.")),
    ];
    let bars = chosen.iter().filter_map(|(label, chosen)| {
        let cost = counts::products(trace, |name| counts::for_every_word(name) && chosen(name));
        (cost.bytes > 0).then(|| {
            Bar::new(
                (*label).to_owned(),
                cost.intensity(),
                format!("{:.2}", cost.intensity()),
            )
        })
    });
    let whole = counts::products(trace, counts::for_every_word);
    Picture::new(
        "balance",
        "FLOPs per byte of the decoder's products",
        format!(
            "All together {:.2}. A processor core can do ten or more operations while memory delivers one byte.",
            whole.intensity()
        ),
        Body::bars("FLOPs per byte", bars).by_logarithm(),
    )
}

fn padding() -> Picture {
    let bar = |label: &str, order| {
        let counted = cells(order);
        let share = 100.0 * counted.wasted();
        Bar::new(
            label.to_owned(),
            share,
            format!("{share:.1} %, {} batches", counted.batches),
        )
    };
    Picture::new(
        "padding",
        format!("Padding in batches of {TOKENS} cells"),
        format!(
            "{} phrasebook pairs. The proportion of cells that are padding: computed like tokens, and thrown away.",
            grouped(POOL as u64)
        ),
        Body::bars(
            "% padding",
            [
                bar("random order", Order::Drawn),
                bar("sorted by length", Order::Sorted),
            ],
        ),
    )
}
