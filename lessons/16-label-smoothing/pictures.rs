//! The numbers of the lesson's pictures.

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::lesson::{Fact, Facts};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;

use super::experiments::{FORMS, confidence, cost, impossible, lowest, nats, pull};

/// The three forms on the run's batch, the first row of its targets, and the curves of one prediction.
pub fn facts(smoothing: f32, trace: &Trace) -> Facts {
    let tensor = |name| trace.tensor(name).expect("every run has it");
    let (log_probs, ids, targets) = (tensor("log_probs"), tensor("tgt_y"), tensor("targets"));
    let first = &targets.data()[..targets.last()];
    let right = ids.data()[0] as usize;
    let others = first.iter().enumerate().filter(|(word, _)| *word != right);
    let parts: Vec<f32> = others.map(|(_, part)| *part).filter(|p| *p > 0.0).collect();
    let impossible = impossible().data()[0];
    let (nats, at) = (nats(log_probs, ids), lowest(smoothing));
    // Points below 5 would squeeze the rest against the axis.
    let surer = at.min(5.0) as u8..=100;
    let over = |x: std::ops::RangeInclusive<u8>, of: &dyn Fn(f64) -> f64| {
        Fact::numbers(x.map(|x| of(f64::from(x))))
    };
    let facts = Facts::default()
        .with("words", log_probs.last())
        .with("part_of_padding", first[0])
        .with("part_of_right", first[right])
        .with("part_of_each", parts.last().copied().unwrap_or(0.0))
        .with("parts_of_others", Fact::numbers(parts))
        .with("lowest", at)
        .with("sure_lowest", confidence(at, smoothing))
        .with("surer", over(surer.clone(), &|x| x))
        .with("losses", over(surer.clone(), &|x| confidence(x, smoothing)))
        .with("losses_unsmoothed", over(surer, &|x| confidence(x, 0.0)))
        .with("times", over(1..=100, &|x| x))
        .with("pulls", over(1..=100, &|x| pull(x, smoothing)))
        .with("pulls_unsmoothed", over(1..=100, &|x| pull(x, 0.0)))
        .with("log_impossible", impossible.ln())
        .with("log_guarded", impossible.max(1e-9).ln())
        .with("log_far", Fact::numbers(log_softmax_of_far_logits()))
        .with("nats", nats)
        .with("perplexity", nats.exp());
    FORMS.iter().fold(facts, |facts, (form, spread)| {
        let cost = cost(log_probs, ids, smoothing, *spread);
        facts
            .with(format!("shares_{form}"), Fact::numbers(cost.shares))
            .with(format!("loss_{form}"), cost.loss)
            .with(format!("floor_{form}"), cost.floor)
    })
}

/// For a token whose logit is 200 below the largest: the logarithm of its softmax, and its log-softmax.
fn log_softmax_of_far_logits() -> [f32; 2] {
    let tape = Tape::eval(&Params::default());
    let logits = Tensor::new(&[2], vec![200.0, 0.0]);
    let logits = tape.input("logits", logits, &["v"]);
    [
        logits.softmax().value().data()[1].ln(),
        logits.log_softmax().value().data()[1],
    ]
}
