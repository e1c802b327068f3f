//! The pictures of the lesson.

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::typeset::number::{fixed, short};

use super::experiments::{Cost, FORMS, confidence, cost, impossible, lowest, nats, pull};

pub fn all(smoothing: f32, trace: &Trace) -> Vec<Picture> {
    let mut all = vec![curve(smoothing), pulls(smoothing), logarithms()];
    if let (Some(log_probs), Some(ids)) = (trace.tensor("log_probs"), trace.tensor("tgt_y")) {
        all.insert(0, forms(log_probs, ids, smoothing));
        let targets = trace.tensor("targets").expect("every run has targets");
        all.insert(1, shares(targets, ids, smoothing));
        all.push(perplexity(log_probs, ids, trace));
    }
    all
}

fn forms(log_probs: &Tensor, ids: &Tensor, smoothing: f32) -> Picture {
    let costs = FORMS.map(|(_, _, spread)| cost(log_probs, ids, smoothing, spread));
    let row = |what: &str, of: &dyn Fn(&Cost) -> String| {
        let cells = costs.iter().map(of);
        [what.to_owned()].into_iter().chain(cells).collect()
    };
    let share = |nth: usize| move |cost: &Cost| fixed(cost.shares[nth], 6);
    let rows = vec![
        row("right", &share(0)),
        row("other", &share(1)),
        row("<pad>", &share(2)),
        row("loss", &|cost| fixed(cost.loss as f32, 4)),
        row("floor", &|cost| fixed(cost.floor as f32, 4)),
    ];
    let header: Vec<&str> = [""].into_iter().chain(FORMS.map(|f| f.1)).collect();
    Picture::new(
        "forms",
        "One batch, three definitions of the loss",
        "The first rows show what the target gives the right token, each other token, and padding. The floor is the loss of a prediction that equals its target.",
        Body::table(&header, rows),
    )
}

/// The origin of V − 2: which tokens the first row of the targets gives a part to.
fn shares(targets: &Tensor, ids: &Tensor, smoothing: f32) -> Picture {
    let first = &targets.data()[..targets.last()];
    let right = ids.data()[0] as usize;
    let others = first.iter().enumerate().filter(|(word, _)| *word != right);
    let parts: Vec<f32> = others.map(|(_, part)| *part).filter(|p| *p > 0.0).collect();
    let together: f64 = parts.iter().map(|p| f64::from(*p)).sum();
    let row = |what: &str, number: String| vec![what.to_owned(), number];
    Picture::new(
        "shares",
        format!("Which tokens get a part of ε = {smoothing}?"),
        format!(
            "The vocabulary has {} tokens. Padding is one of them, and gets {}.",
            first.len(),
            fixed(first[0], 6)
        ),
        Body::table(
            &["the first target gives", ""],
            vec![
                row("to the right token", fixed(first[right], 6)),
                row("to how many others", parts.len().to_string()),
                row("to each", fixed(parts.last().copied().unwrap_or(0.0), 6)),
                row("to them together", fixed(together as f32, 6)),
                row(
                    "in all",
                    fixed((together + f64::from(first[right])) as f32, 6),
                ),
            ],
        ),
    )
}

fn over_x(name: String, from: u8, of: impl Fn(f64) -> f64) -> Series {
    let points = (from..=100).map(|x| (f64::from(x), of(f64::from(x))));
    Series::new(name, points)
}

fn curve(smoothing: f32) -> Picture {
    let at = lowest(smoothing);
    // Points below 5 would squeeze the rest against the axis.
    let from = at.min(5.0) as u8;
    Picture::new(
        "confidence",
        "The loss of a model that becomes surer",
        format!(
            "With ε = {smoothing} it is lowest at {at}, with {:.4}; at 100 it is {:.4}. Without smoothing it falls for ever. The right token is x times as probable as each other one.",
            confidence(at, smoothing),
            confidence(100.0, smoothing)
        ),
        Body::curves(
            "x",
            "loss",
            [
                over_x(format!("ε = {smoothing}"), from, |x| {
                    confidence(x, smoothing)
                }),
                over_x("no smoothing".into(), from, |x| confidence(x, 0.0)),
            ],
        ),
    )
}

fn pulls(smoothing: f32) -> Picture {
    Picture::new(
        "pull",
        "The gradient with respect to the right token's logit",
        format!(
            "It is p − target: {} at 1, {} at 99. Below 0 training raises the logit, above 0 it lowers it. x is as in the picture confidence.",
            fixed(pull(1.0, smoothing) as f32, 4),
            fixed(pull(99.0, smoothing) as f32, 4)
        ),
        Body::curves(
            "x",
            "gradient",
            [
                over_x(format!("ε = {smoothing}"), 1, |x| pull(x, smoothing)),
                over_x("no smoothing".into(), 1, |x| pull(x, 0.0)),
            ],
        ),
    )
}

/// What becomes of a probability of 0, in several ways.
fn logarithms() -> Picture {
    let impossible = impossible().data()[0];
    let row = |what: &str, log: f32| vec![what.to_owned(), short(log, 8)];
    let apart = log_softmax_of_far_logits();
    Picture::new(
        "logarithms",
        "The logarithm of a probability of 0",
        "Minus infinity times any target above 0 is minus infinity: one cell is enough. Log-softmax never takes the logarithm of 0, because it subtracts the logarithm of the sum.",
        Body::table(
            &["", "log p"],
            vec![
                row("probability 0, no guard", impossible.ln()),
                row("probability 0, at least 1e-9", impossible.max(1e-9).ln()),
                row("a logit 200 below the largest: softmax, then log", apart[0]),
                row("a logit 200 below the largest: log-softmax", apart[1]),
            ],
        ),
    )
}

/// For a token whose logit is 200 below the largest: the logarithm of its softmax, and its log-softmax.
pub fn log_softmax_of_far_logits() -> [f32; 2] {
    let tape = Tape::eval(&Params::default());
    let logits = Tensor::new(&[2], vec![200.0, 0.0]);
    let logits = tape.input("logits", logits, &["v"]);
    [
        logits.softmax().value().data()[1].ln(),
        logits.log_softmax().value().data()[1],
    ]
}

fn perplexity(log_probs: &Tensor, ids: &Tensor, trace: &Trace) -> Picture {
    let nats = nats(log_probs, ids);
    let loss = trace.tensor("loss").map_or(0.0, |l| f64::from(l.at(&[])));
    let row = |what: &str, x: f64| {
        vec![
            what.to_owned(),
            format!("{x:.4}"),
            format!("{:.2}", x.exp()),
        ]
    };
    Picture::new(
        "perplexity",
        "Among how many tokens does the model choose?",
        format!(
            "Perplexity {:.2} of {} tokens. The exponential of a smoothed loss is a different number, not a perplexity.",
            nats.exp(),
            log_probs.last()
        ),
        Body::table(
            &["loss", "nats a token", "exp of it"],
            vec![
                row("plain: −log p", nats),
                row("smoothed", loss),
                row("uniform guessing", (log_probs.last() as f64).ln()),
            ],
        ),
    )
}
