//! Three tokens by hand: one small decoder layer from ids to a loss, as a scene shared by many lessons.
//!
//! Every parameter is a number with one decimal, so each page of the course can check its part with a pocket
//! calculator. The layer has one head and no LayerNorm; keys and values are the vectors themselves.

use std::sync::LazyLock;

use super::{Picture, Run};
use crate::autograd::{Tape, Trace};
use crate::nn::activation::Activation;
use crate::nn::attention::attention;
use crate::nn::embeddings::Embeddings;
use crate::nn::feed_forward::FeedForward;
use crate::nn::linear::Linear;
use crate::nn::positional_encoding::positional_encoding;
use crate::ops::subsequent_mask;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::loss::cross_entropy;

/// The vocabulary; a token's id is its place.
const VOCABULARY: [&str; 4] = [".", "the", "dog", "sleeps"];

/// What the layer reads: "the dog sleeps".
const TOKENS: [f32; 3] = [1.0, 2.0, 3.0];

/// What it should predict at each position: "dog sleeps .".
const TARGETS: [f32; 3] = [2.0, 3.0, 0.0];

const D_MODEL: usize = 4;

/// `[vocabulary, d_model]`, also the generator's matrix.
const EMBEDDINGS: [[f32; D_MODEL]; 4] = [
    [0.0, 0.0, 0.1, 0.5],
    [0.5, 0.0, 0.0, 0.1],
    [0.1, 0.5, 0.0, 0.0],
    [0.0, 0.1, 0.5, 0.0],
];

/// `[d_model, d_k]`: makes "sleeps" look for what "dog" has.
const W_Q: [[f32; D_MODEL]; D_MODEL] = [
    [1.0, 0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 2.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

/// `[d_ff, d_model]`.
const W_1: [[f32; D_MODEL]; 3] = [
    [1.0, -1.0, 0.0, 0.0],
    [0.0, 1.0, -1.0, 0.0],
    [0.0, 0.0, 1.0, -1.0],
];

/// `[d_ff]`.
const B_1: [f32; 3] = [0.0, -1.0, 0.0];

/// `[d_model, d_ff]`.
const W_2: [[f32; 3]; D_MODEL] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, -1.0],
    [0.0, 2.0, 0.0],
    [-1.0, -1.0, 2.0],
];

/// Learning rates of one step of gradient descent: one that lowers the loss, and one that overshoots.
const RATES: [f32; 2] = [0.1, 1.0];

/// The parameters that one step of gradient descent may change.
const LEARNED: [&str; 5] = ["embeddings", "W_Q", "W_1", "b_1", "W_2"];

/// The run with the parameters above.
static TRACE: LazyLock<Trace> = LazyLock::new(|| forward(&parameters()));

/// The gradients of the loss with respect to every step of [`TRACE`].
static GRADIENTS: LazyLock<Vec<Option<Tensor>>> = LazyLock::new(|| {
    let loss = TRACE.find("loss").expect("the run ends in a loss");
    TRACE.gradients(loss, &[])
});

/// The runs after one step of gradient descent, one for each of [`RATES`].
static UPDATED: LazyLock<[Trace; 2]> = LazyLock::new(|| RATES.map(updated));

fn updated(rate: f32) -> Trace {
    let mut params = parameters();
    for name in LEARNED {
        let param = params.find(name).expect("a parameter of this model");
        let slope = gradient(name).expect("the loss depends on every learned parameter");
        let moved = params.get(param).data().iter().zip(slope.data());
        let moved = moved.map(|(weight, slope)| weight - rate * slope).collect();
        params.set(param, Tensor::new(slope.shape(), moved));
    }
    forward(&params)
}

fn rows<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> Tensor {
    Tensor::new(&[N, M], rows.concat())
}

fn parameters() -> Params {
    let mut params = Params::default();
    params.insert("embeddings", rows(EMBEDDINGS), &["v", "d"]);
    params.insert("W_Q", rows(W_Q), &["d", "k"]);
    params.insert("W_1", rows(W_1), &["f", "d"]);
    params.insert("b_1", Tensor::new(&[3], B_1.to_vec()), &["f"]);
    params.insert("W_2", rows(W_2), &["d", "f"]);
    params
}

/// Records the layer on the three tokens: embedding, position, masked attention, feed-forward, logits and loss.
fn forward(params: &Params) -> Trace {
    let tape = Tape::eval(params);
    let param = |name| params.find(name).expect("a parameter of this model");
    let ids = tape.ids("ids", Tensor::new(&[3], TOKENS.to_vec()), &["t"]);
    let table = param("embeddings");
    let embedded = Embeddings { table }.forward(&ids);
    let positions = tape.constant("pe", positional_encoding(3, D_MODEL), &["t", "d"]);
    let x = embedded.add(&positions).named("with_position");

    let query = x.matmul(&tape.param(param("W_Q"))).named("query");
    let past = subsequent_mask(3).reshape(&[3, 3]);
    let mask = tape.mask("mask", past, &["t", "t"]);
    let context = attention(&query, &x, &x, Some(&mask), 0.0).context;
    let attended = x.add(&context).named("attended");

    let linear = |weight, bias| Linear {
        weight: param(weight),
        bias,
    };
    let feed_forward = FeedForward {
        w_1: linear("W_1", Some(param("b_1"))),
        w_2: linear("W_2", None),
        activation: Activation::Relu,
        dropout: 0.0,
    };
    let hidden = attended
        .add(&feed_forward.forward(&attended))
        .named("hidden");

    let logits = hidden.matmul_t(&tape.param(table)).named("logits");
    let _ = logits.softmax().named("probabilities");
    let targets = tape.ids("targets", Tensor::new(&[3], TARGETS.to_vec()), &["t"]);
    cross_entropy(&logits, &targets, None);

    let tokens = words(&TOKENS);
    let vocabulary = VOCABULARY.map(str::to_owned).to_vec();
    let trace = tape.trace();
    trace.label("t", vec![tokens]).label("v", vec![vocabulary])
}

fn words(ids: &[f32]) -> Vec<String> {
    let word = |id: &f32| VOCABULARY[*id as usize].to_owned();
    ids.iter().map(word).collect()
}

/// The gradient of the loss with respect to a step.
fn gradient(step: &str) -> Option<&'static Tensor> {
    GRADIENTS[TRACE.find(step)?].as_ref()
}

/// The run, with a picture of one step of gradient descent.
pub fn run() -> Run {
    Run::new(TRACE.clone(), vec![one_step()])
}

/// A number about the run: `loss_after`, the loss after a small step of gradient descent, `loss_overshot`, that after a
/// large one, or `slope_logits_2_0`, the gradient of the loss with respect to `logits[2,0]`.
pub fn fact(name: &str) -> Option<f64> {
    match name {
        "loss_after" => Some(loss(&UPDATED[0])),
        "loss_overshot" => Some(loss(&UPDATED[1])),
        _ => {
            let mut parts = name.strip_prefix("slope_")?.rsplitn(3, '_');
            let (column, row, step) = (parts.next()?, parts.next()?, parts.next()?);
            let gradient = gradient(step)?;
            let [rows, columns] = *gradient.shape() else {
                return None;
            };
            let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
            (row < rows && column < columns).then(|| f64::from(gradient.at(&[row, column])))
        }
    }
}

fn loss(trace: &Trace) -> f64 {
    let loss = trace.tensor("loss").expect("a step of this run");
    f64::from(loss.data()[0])
}

/// The probability of every right token, and the loss, before and after one step.
fn one_step() -> Picture {
    let runs = [&*TRACE, &UPDATED[0], &UPDATED[1]];
    let lines = words(&TOKENS).into_iter().zip(words(&TARGETS)).zip(TARGETS);
    let lines = lines.enumerate().map(|(position, ((token, target), id))| {
        let probability = runs.map(|run| {
            let all = run.tensor("probabilities").expect("a step of this run");
            format!("{:.4}", all.at(&[position, id as usize]))
        });
        [vec![token, target], probability.to_vec()].concat()
    });
    let last = [
        vec!["loss".to_owned(), String::new()],
        runs.map(|run| format!("{:.4}", loss(run))).to_vec(),
    ]
    .concat();
    let rates = RATES.map(|rate| format!("rate {rate}"));
    let header = ["token", "next", "before", &rates[0], &rates[1]];
    let says = "The probability of each right next token, before and after one step of gradient descent with two learning rates. The small step helps; the large one goes too far.";
    let lines = lines.chain([last]).collect();
    Picture::table(
        "one-step",
        "One step of gradient descent",
        says,
        &header,
        lines,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_one_decimal() {
        for (_, name, tensor) in parameters().iter() {
            for value in tensor.data() {
                let tenths = value * 10.0;
                assert!((tenths - tenths.round()).abs() < 1e-5, "{name}: {value}");
            }
        }
    }

    #[test]
    fn sleeps_attends_most_to_dog_and_no_token_to_a_later_one() {
        let weights = TRACE.tensor("weights").unwrap();
        let last = [0, 1, 2].map(|column| weights.at(&[2, column]));
        assert!(last[1] > last[0] && last[0] > last[2], "{last:?}");
        assert_eq!([weights.at(&[0, 1]), weights.at(&[1, 2])], [0.0, 0.0]);
    }

    #[test]
    fn the_gradient_of_the_logits_is_the_probability_minus_the_target() {
        let probabilities = TRACE.tensor("probabilities").unwrap();
        for (position, target) in TARGETS.iter().enumerate() {
            for id in 0..VOCABULARY.len() {
                let target = if id == *target as usize { 1.0 } else { 0.0 };
                let expected = (probabilities.at(&[position, id]) - target) / 3.0;
                let slope = fact(&format!("slope_logits_{position}_{id}")).unwrap();
                assert!((slope - f64::from(expected)).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_small_step_lowers_the_loss_and_a_large_one_overshoots() {
        let before = loss(&TRACE);
        assert!(fact("loss_after").unwrap() < before - 0.2);
        assert!(fact("loss_overshot").unwrap() > before);
    }
}
