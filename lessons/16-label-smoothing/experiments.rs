//! The confidence curve, the three forms on one batch, and the logarithm of 0.

use serde::Deserialize;
use transformer_tutor::autograd::Tape;
use transformer_tutor::ops::Spread;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::loss::{normaliser, smoothed_mean};

/// A form, by its index in [`FORMS`].
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    Divergence,
    Tensorflow,
    Fairseq,
}

/// The three forms: name in facts, and the tokens among which ε is distributed.
pub const FORMS: [(&str, Spread); 3] = [
    ("divergence", Spread::NoPadding),
    ("tensorflow", Spread::Others),
    ("fairseq", Spread::All),
];

/// A loss and its lower bound.
pub struct Cost {
    pub loss: f64,
    pub floor: f64,
    /// Target probabilities of the right token, another token, and padding.
    pub shares: [f32; 3],
}

/// Loss of `log_probs […, v]` against ids, in one form.
pub fn cost(log_probs: &Tensor, ids: &Tensor, smoothing: f32, spread: Spread) -> Cost {
    let axes = &["b", "t", "v"][3 - log_probs.rank()..];
    let tape = Tape::eval(&Params::default());
    let (words, counted) = (log_probs.last(), counted(ids));
    let targets = tape.ids("tgt_y", ids.clone(), &axes[..axes.len() - 1]);
    let smooth = targets.smooth_targets(words, smoothing, spread, 0.0);
    let of = |log_probs: Tensor| {
        let log_probs = tape.input("log_probs", log_probs, axes);
        let mean = smoothed_mean(&log_probs, &smooth, smoothing, spread, counted);
        f64::from(mean.value().at(&[]))
    };
    // For a perfect prediction, tokens whose target is 0 contribute nothing.
    let perfect = smooth.value().map(|t| if t > 0.0 { t.ln() } else { 0.0 });
    let row = ids.data().iter().position(|&id| id > 1.0).unwrap_or(0);
    let right = ids.data()[row] as usize;
    let share = |word: usize| smooth.value().data()[row * words + word];
    Cost {
        loss: of(log_probs.clone()),
        floor: of(perfect),
        shares: [right, right - 1, 0].map(share),
    }
}

/// Number of targets that are tokens.
pub fn counted(ids: &Tensor) -> f64 {
    ids.data().iter().filter(|&&id| id > 0.0).count() as f64
}

/// `−log p` of the right tokens in nats per token, without smoothing; its exponential is the perplexity.
pub fn nats(log_probs: &Tensor, ids: &Tensor) -> f64 {
    let rows = log_probs.data().chunks(log_probs.last()).zip(ids.data());
    let real = rows.filter(|(_, id)| **id > 0.0);
    let sum: f64 = real.map(|(row, &id)| f64::from(-row[id as usize])).sum();
    sum / counted(ids)
}

/// The prediction of the confidence curve: five tokens with padding impossible, and the right one `x` times as likely
/// as each of the three others.
pub fn prediction(x: f64) -> Tensor {
    let d = x + 3.0;
    let p = [0.0, x / d, 1.0 / d, 1.0 / d, 1.0 / d];
    Tensor::new(&[1, 5], p.map(|p| p as f32).to_vec())
}

/// Divergence of the prediction in which the right token is `x` times as likely as another.
pub fn confidence(x: f64, smoothing: f32) -> f64 {
    let log_probs = prediction(x).map(f32::ln);
    let target = Tensor::new(&[1], vec![1.0]);
    cost(&log_probs, &target, smoothing, Spread::NoPadding).loss
}

/// The integer from 1 to 100 at which the curve is lowest.
pub fn lowest(smoothing: f32) -> f64 {
    let all = (1..=100).map(|x| (confidence(f64::from(x), smoothing), x));
    all.min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(0.0, |(_, x)| f64::from(x))
}

/// Gradient of the loss with respect to the right token's logit at `x`. If it is negative, training raises the logit.
pub fn pull(x: f64, smoothing: f32) -> f64 {
    let tape = Tape::eval(&Params::default());
    // Padding's logit is far below the others, so that it is practically impossible.
    let logits = prediction(x).map(|p| p.max(1e-30).ln());
    let logits = tape.input("logits", logits, &["t", "v"]);
    let ids = tape.ids("tgt_y", Tensor::new(&[1], vec![1.0]), &["t"]);
    let smooth = ids.smooth_targets(5, smoothing, Spread::NoPadding, 0.0);
    let loss = logits.log_softmax().kl_divergence(&smooth);
    let grads = loss.backward();
    grads.get(&logits).map_or(0.0, |g| f64::from(g.data()[1]))
}

/// The predictions of the Annotated Transformer's example: tokens 0 and 4 have probability 0.
pub fn impossible() -> Tensor {
    let row = [0.0, 0.2, 0.7, 0.1, 0.0];
    Tensor::from_fn(&[1, 5, 5], |i| row[i[2]])
}

/// Loss of one row of logits, .1 .2 .7 −.3 1, in one form, as the tests of other systems print it.
pub fn one_row(target: f32, spread: Spread) -> f64 {
    let tape = Tape::eval(&Params::default());
    let logits = Tensor::new(&[1, 5], vec![0.1, 0.2, 0.7, -0.3, 1.0]);
    let log_probs = tape.input("logits", logits, &["t", "v"]).log_softmax();
    let target = Tensor::new(&[1], vec![target]);
    cost(&log_probs.value(), &target, 0.1, spread).loss
}

/// TensorFlow's loss for a model that predicts uniformly over `vocabulary` tokens.
pub fn uniform(vocabulary: usize) -> f64 {
    (vocabulary as f64).ln() - normaliser(vocabulary, 0.1)
}
