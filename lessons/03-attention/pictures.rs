//! The pictures of the lesson beyond the recorded run.

use transformer_tutor::autograd::Trace;
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::lesson::{Bar, Picture, leak};
use transformer_tutor::tensor::Tensor;

use super::experiments::{FACTORS, HARDNESS, Hardness, ROOTS, SPREAD, WIDTHS, saturated};
use super::half;
use super::race;
use super::record::{D_MODEL, Leak, Recorded};

/// Every picture of a run.
pub fn all(run: &Recorded) -> Vec<Picture> {
    let mut all = vec![spread(), hardness(run), saturation(), roots()];
    all.extend(run.leak.as_ref().map(meter));
    all.extend(form(run));
    all.extend([race::picture(), half::picture()]);
    all
}

fn spread() -> Picture {
    let bar = |label, value: f64| Bar::new(label, value, format!("{value:.2}"));
    let pair = |(d_k, (plain, scaled)): (&usize, (f64, f64))| {
        [
            bar(format!("d_k {d_k}: q·k"), plain),
            bar(format!("d_k {d_k}: q·k/√{d_k}"), scaled),
        ]
    };
    let bars = WIDTHS.iter().zip(*SPREAD).flat_map(pair).collect();
    let title = "Standard deviation of the dot product of two random vectors";
    let says = format!(
        "Without the division, the standard deviation grows from {:.1} to {:.1} as vectors get wider; divided by √d_k it stays at {:.1}.",
        SPREAD[0].0, SPREAD[3].0, SPREAD[3].1
    );
    Picture::bars("spread", title, says, "standard deviation of a score", bars)
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
    let title = "How evenly the softmax distributes its weights";
    let says = format!(
        "10 keys of width 64: the entropy is {:.2} without the division, {:.2} with it, of ln 10 = {:.2} for equal weights. The last line measures this run, with its knobs and switches.",
        plain.entropy,
        by_key.entropy,
        10_f64.ln()
    );
    let header = ["scores", "entropy", "mean w(1−w)", "largest weight"];
    Picture::table("hardness", title, says, &header, rows)
}

fn saturation() -> Picture {
    let row = |factor: f64| {
        let (weights, slope) = saturated(factor);
        // Use three decimals without the zero before the point, so that a narrow screen shows all columns.
        let cells = weights.iter().map(|x| format!("{x:.3}"));
        let cells = cells.map(|x| x.strip_prefix('0').map_or(x.clone(), str::to_owned));
        let last = format!("{slope:.5}");
        [factor.to_string()]
            .into_iter()
            .chain(cells)
            .chain([last])
            .collect()
    };
    let title = "The softmax of [.1 .2 .3 .4] times a factor";
    let says = "The larger the scores, the closer the weights get to 0 and 1. The derivative is largest where two keys compete, and almost 0 where one has won.";
    let header = ["factor", ".1", ".2", ".3", ".4", "derivative"];
    Picture::table(
        "saturation",
        title,
        says,
        &header,
        FACTORS.map(row).to_vec(),
    )
}

fn roots() -> Picture {
    let line = |what: &str, factor: String, (before, after): (f64, f64)| {
        let (before, after) = (format!("{before:.3}"), format!("{after:.2}"));
        vec![what.to_owned(), factor, before, after]
    };
    let rows = vec![
        line(
            "token",
            format!("× {:.3}", (D_MODEL as f64).sqrt()),
            ROOTS.token,
        ),
        line("score", format!("÷ {:.0}", 64_f64.sqrt()), SPREAD[2]),
    ];
    let says = format!(
        "One root brings a token vector to the size of its position, whose RMS is {:.2}; the other keeps scores small enough that the softmax does not saturate. Both end near 1.",
        ROOTS.position
    );
    let header = ["what", "factor", "std before", "std after"];
    Picture::table("roots", "Multiply there, divide here", says, &header, rows)
}

fn meter(of: &Leak) -> Picture {
    let words = (&of.words.rows[..], &of.words.columns[..]);
    let why = |row: usize, column: usize| {
        let pad = of.words.columns[column] == "<pad>";
        // A column can be in a row's future only if a sentence reads itself.
        let future = of.words.rows == of.words.columns && column > row;
        match (pad, future) {
            (true, true) => "both",
            (false, true) => "future",
            _ => "pad",
        }
        .to_owned()
    };
    leak::picture(&of.influence, &of.allowed, words, why)
}

/// Largest difference between the scores from two projections and from one bilinear form, and the largest score; `None`
/// if the run does not compute both.
pub fn form_difference(run: &Trace) -> Option<(f64, f64)> {
    let (two, one) = (run.tensor("scores")?, run.tensor("scores_by_form")?);
    let largest = largest_difference(two, &Tensor::zeros(two.shape()));
    (two.shape() == one.shape()).then(|| (largest_difference(two, one), largest))
}

fn form(run: &Recorded) -> Option<Picture> {
    let (apart, largest) = form_difference(&run.trace)?;
    let (w_q, form) = (run.trace.tensor("W_Q")?, run.trace.tensor("form")?);
    let d_k = w_q.last();
    let row = |name: String, numbers: usize, rank: usize| {
        vec![name, numbers.to_string(), rank.to_string()]
    };
    let rows = vec![
        row(format!("2 of {D_MODEL}×{d_k}"), 2 * w_q.len(), d_k),
        row(format!("1 of {D_MODEL}×{D_MODEL}"), form.len(), D_MODEL),
    ];
    let title = "Two projections are one bilinear form";
    let says = format!(
        "Both ways give the same scores: the largest is {largest:.1}, the largest difference {apart:.1e}, which is rounding."
    );
    let header = ["", "numbers", "rank at most"];
    Some(Picture::table("form", title, says, &header, rows))
}
