//! The drawings of this lesson beyond the recorded run.

use transformer_tutor::lesson::{Bar, Body, Picture, leak};

use super::experiments::{FACTORS, HARDNESS, Hardness, ROOTS, SPREAD, WIDTHS, saturated};
use super::race;
use super::record::{D_MODEL, Leak, Recorded};

/// Every drawing of a run.
pub fn all(run: &Recorded) -> Vec<Picture> {
    let mut all = vec![spread(), hardness(run), saturation(), roots()];
    all.extend(run.leak.as_ref().map(meter));
    all.extend(form(run));
    all.push(race::picture());
    all
}

fn spread() -> Picture {
    let bars = WIDTHS
        .iter()
        .zip(*SPREAD)
        .flat_map(|(d_k, (plain, scaled))| {
            let bar = |label: String, value: f64| Bar {
                label,
                value,
                note: format!("{value:.2}"),
            };
            [
                bar(format!("d_k {d_k}: q·k"), plain),
                bar(format!("d_k {d_k}: q·k/√{d_k}"), scaled),
            ]
        });
    Picture {
        name: "spread",
        title: "How far dot products of random rows spread".to_owned(),
        says: format!(
            "Undivided, the standard deviation grows from {:.1} to {:.1} as rows get wider; divided by √d_k it stays at {:.1}.",
            SPREAD[0].0, SPREAD[3].0, SPREAD[3].1
        ),
        body: Body::Bars {
            unit: "standard deviation of a score".to_owned(),
            bars: bars.collect(),
            log: false,
        },
    }
}

fn hardness(run: &Recorded) -> Picture {
    let measured = |name: &str, of: Hardness| {
        vec![
            name.to_owned(),
            format!("{:.2}", of.entropy),
            format!("{:.3}", of.slope),
            format!("{:.2}", of.largest),
        ]
    };
    let [plain, by_key, by_model] = *HARDNESS;
    let mut rows = vec![
        measured("not divided", plain),
        measured("divided by √64", by_key),
        measured("divided by √512", by_model),
    ];
    let weights = run.trace.tensor("weights");
    rows.extend(weights.map(|w| measured("this run", Hardness::of(w))));
    Picture {
        name: "hardness",
        title: "How hard the softmax chooses".to_owned(),
        says: format!(
            "10 keys of width 64: the entropy is {:.2} without the division, {:.2} with it, of ln 10 = {:.2} for equal shares. The last line is what the knobs and switches make of this run.",
            plain.entropy,
            by_key.entropy,
            10_f64.ln()
        ),
        body: Body::Table {
            header: ["scores", "entropy", "mean p(1-p)", "largest"]
                .map(String::from)
                .to_vec(),
            rows,
        },
    }
}

fn saturation() -> Picture {
    let rows = FACTORS.iter().map(|&factor| {
        let (weights, slope) = saturated(factor);
        let cells = weights.iter().chain([&slope]).map(|x| format!("{x:.5}"));
        [factor.to_string()].into_iter().chain(cells).collect()
    });
    Picture {
        name: "saturation",
        title: "The softmax of [.1 .2 .3 .4] times a factor".to_owned(),
        says: "The larger the scores, the harder the choice. In the end hardly anything that happens to a score moves a weight.".to_owned(),
        body: Body::Table {
            header: ["factor", ".1", ".2", ".3", ".4", "slope"].map(String::from).to_vec(),
            rows: rows.collect(),
        },
    }
}

fn roots() -> Picture {
    let (before, after) = ROOTS.token;
    let (plain, scaled) = SPREAD[2];
    let line = |what: &str, factor: String, before: f64, after: f64| {
        vec![
            what.to_owned(),
            factor,
            format!("{before:.3}"),
            format!("{after:.2}"),
        ]
    };
    let multiply = format!("× {:.3}", (D_MODEL as f64).sqrt());
    let divide = format!("÷ {:.0}", 64_f64.sqrt());
    let rows = vec![
        line("word", multiply, before, after),
        line("score", divide, plain, scaled),
    ];
    Picture {
        name: "roots",
        title: "Multiply there, divide here".to_owned(),
        says: format!(
            "One root makes a word large enough to be heard beside its position, which has {:.2}; the other makes a score small enough for a softmax that can still learn. Both end near 1.",
            ROOTS.position
        ),
        body: Body::Table {
            header: ["what", "factor", "std before", "after"]
                .map(String::from)
                .to_vec(),
            rows,
        },
    }
}

fn meter(of: &Leak) -> Picture {
    let words = (&of.words.0[..], &of.words.1[..]);
    let why = |row: usize, column: usize| {
        let pad = of.words.1[column] == "<pad>";
        // Only where a sentence reads itself is a column of words in a row's future.
        let future = of.words.0 == of.words.1 && column > row;
        match (pad, future) {
            (true, true) => "both",
            (false, true) => "future",
            _ => "pad",
        }
        .to_owned()
    };
    leak::picture(&of.influence, &of.allowed, words, why)
}

/// The largest difference between the scores by two projections and by one form, and the largest
/// score; `None` where the run does not make both.
pub fn form_difference(run: &transformer_tutor::autograd::Trace) -> Option<(f64, f64)> {
    let (two, one) = (run.tensor("scores")?, run.tensor("scores_by_form")?);
    if two.shape() != one.shape() {
        return None;
    }
    let size = |x: f32| f64::from(x.abs());
    let pairs = two.data().iter().zip(one.data());
    let apart = pairs.map(|(a, b)| size(a - b)).fold(0.0, f64::max);
    let largest = two.data().iter().copied().map(size).fold(0.0, f64::max);
    Some((apart, largest))
}

fn form(run: &Recorded) -> Option<Picture> {
    let (apart, largest) = form_difference(&run.trace)?;
    let (w_q, form) = (run.trace.tensor("W_Q")?, run.trace.tensor("form")?);
    let d_k = w_q.last();
    let row = |name: String, numbers: usize, rank: usize| {
        vec![name, numbers.to_string(), rank.to_string()]
    };
    Some(Picture {
        name: "form",
        title: "Two projections are one bilinear form".to_owned(),
        says: format!(
            "Both ways give the same scores: the largest is {largest:.1}, the largest difference {apart:.1e}, which is rounding."
        ),
        body: Body::Table {
            header: ["", "numbers", "rank at most"].map(String::from).to_vec(),
            rows: vec![
                row(format!("2 of {D_MODEL}×{d_k}"), 2 * w_q.len(), d_k),
                row(format!("1 of {D_MODEL}×{D_MODEL}"), form.len(), D_MODEL),
            ],
        },
    })
}
