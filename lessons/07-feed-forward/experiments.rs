//! The lesson's measurements.

use transformer_tutor::autograd::Tape;
use transformer_tutor::lesson::batch;
use transformer_tutor::lesson::measure::{distance, largest_difference};
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::nn::activation::Activation;
use transformer_tutor::nn::feed_forward::FeedForward;
use transformer_tutor::nn::linear::{Bias, Linear};
use transformer_tutor::nn::multi_head_attention::MultiHeadAttention;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::text::sample::Language;

use super::check::FeedForwardFn;

/// Applies `activation` to each of `points`.
pub fn activated(activation: Activation, points: &[f32]) -> Vec<f32> {
    let tape = Tape::eval(&Params::default());
    let x = tape.input("x", Tensor::new(&[points.len()], points.to_vec()), &["d"]);
    activation.forward(&x).value().data().to_vec()
}

/// Points from −5 to 5 in steps of 1/200.
fn grid() -> Vec<f32> {
    (-1000..=1000).map(|i| i as f32 / 200.0).collect()
}

/// Largest difference between two activation functions at positive x, and where it occurs.
pub fn apart(one: Activation, other: Activation) -> (f64, f64) {
    let points = grid();
    let (a, b) = (activated(one, &points), activated(other, &points));
    let gaps = points.iter().zip(a.iter().zip(&b));
    let gaps = gaps.map(|(&x, (a, b))| (f64::from((a - b).abs()), f64::from(x)));
    let wider = |most: (f64, f64), gap: (f64, f64)| if gap.0 > most.0 { gap } else { most };
    gaps.filter(|(_, x)| *x > 0.0).fold((0.0, 0.0), wider)
}

/// How far each of the ten rows of a result moves when the vector of token `poked` in the first sentence changes: for
/// the layer `of`, and for self-attention.
pub fn moves(of: FeedForwardFn, poked: usize, seed: u64) -> [Vec<f64>; 2] {
    const LENGTH: usize = 10;
    const D_MODEL: usize = 64;
    let mut params = Params::new(seed);
    let relu = Activation::Relu;
    let ffn = FeedForward::new(&mut params, D_MODEL, 256, Bias::Uniform, relu, 0.0);
    let attention = MultiHeadAttention::new(&mut params, 4, D_MODEL, Bias::Uniform, 0.0);
    let before = batch::sentence(
        &batch::embedded(Language::English, (LENGTH, D_MODEL), seed),
        0,
    );
    let nudge = random::normal(&[D_MODEL], 0.5, seed, "nudge");
    let after = Tensor::from_fn(before.shape(), |i| {
        let by = if i[1] == poked {
            nudge.at(&i[2..])
        } else {
            0.0
        };
        before.at(i) + by
    });
    let both = |x: Tensor| {
        let tape = Tape::eval(&params);
        let x = tape.input("x", x, &["b", "t", "d"]);
        [
            of(&ffn, &x).value(),
            attention.forward(&x, &x, &x, None).output.value(),
        ]
    };
    let (was, is) = (both(before), both(after));
    [0, 1].map(|n| {
        let [was, is] = [&was[n], &is[n]].map(|x| x.data().chunks(D_MODEL));
        was.zip(is).map(|(a, b)| distance(a, b)).collect()
    })
}

/// Largest difference between the layer and two convolutions with kernel 1, written as the loops that define them.
pub static CONVOLUTION: Lazy<f64> = Lazy::new(|| {
    let mut params = Params::new(3);
    let ffn = FeedForward::new(&mut params, 24, 96, Bias::Uniform, Activation::Relu, 0.0);
    let x = random::normal(&[2, 9, 24], 1.0, 3, "x");
    // A convolution slides a window along the positions; a window of one sees one position.
    let convolve = |x: &Tensor, weight: &Tensor, bias: &Tensor| {
        let (outputs, inputs) = (weight.shape()[0], weight.shape()[1]);
        Tensor::from_fn(&[x.shape()[0], x.shape()[1], outputs], |i| {
            let window = (0..inputs).map(|c| x.at(&[i[0], i[1], c]) * weight.at(&[i[2], c]));
            window.sum::<f32>() + bias.at(&[i[2]])
        })
    };
    let bias = |map: &Linear| params.get(map.bias.expect("it was made with one"));
    let inner = convolve(&x, params.get(ffn.w_1.weight), bias(&ffn.w_1)).map(|x| x.max(0.0));
    let by_loops = convolve(&inner, params.get(ffn.w_2.weight), bias(&ffn.w_2));
    let tape = Tape::eval(&params);
    let y = ffn.forward(&tape.input("x", x, &["b", "t", "d"])).value();
    largest_difference(&y, &by_loops)
});
