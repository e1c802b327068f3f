//! The lesson's measurements that do not depend on a knob, each computed once.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::nn::embeddings::scale_embeddings;
use transformer_tutor::nn::positional_encoding::positional_encoding;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

const SEED: u64 = 4;

/// Widths at which the standard deviation of a dot product is measured.
pub const WIDTHS: [usize; 4] = [4, 16, 64, 512];

/// For each of [`WIDTHS`], the standard deviations of q·k and of q·k/√d_k over 262,144 pairs of random rows.
pub static SPREAD: Lazy<[(f64, f64); 4]> = Lazy::new(|| {
    WIDTHS.map(|d_k| {
        // Use the same number of pairs at every width: groups of d_k rows in which every pair is taken.
        let groups = 512 * 512 / (d_k * d_k);
        let (tape, axes) = (Tape::eval(&Params::default()), ["b", "t", "k"]);
        let draw = |name| random::normal(&[groups, d_k, d_k], 1.0, SEED, name);
        let queries = tape.input("queries", draw("queries"), &axes);
        let keys = tape.input("keys", draw("keys"), &axes);
        let scores = queries.matmul_t(&keys);
        let scaled = scores.scale(1.0 / (d_k as f32).sqrt());
        (deviation(&scores.value()), deviation(&scaled.value()))
    })
});

/// How concentrated a softmax's weights are.
#[derive(Clone, Copy, Debug)]
pub struct Hardness {
    /// Mean entropy of a row of weights, in nats; ln of the number of keys if all are equal.
    pub entropy: f64,
    /// Mean of p(1 − p), the derivative of a weight with respect to its own score.
    pub slope: f64,
    /// Mean of a row's largest weight.
    pub largest: f64,
}

impl Hardness {
    /// Measures every row of `weights`.
    pub fn of(weights: &Tensor) -> Self {
        let rows = weights.data().chunks(weights.last());
        let count = rows.len() as f64;
        let (mut entropy, mut slope, mut largest) = (0.0, 0.0, 0.0);
        for row in rows {
            let shares = || row.iter().map(|&p| f64::from(p));
            let positive = shares().filter(|&p| p > 0.0);
            entropy -= positive.map(|p| p * p.ln()).sum::<f64>();
            slope += shares().map(|p| p * (1.0 - p)).sum::<f64>();
            largest += shares().fold(0.0, f64::max);
        }
        Self {
            entropy: entropy / count,
            slope: slope / weights.len() as f64,
            largest: largest / count,
        }
    }
}

/// 10 random keys of width 64, over 65,536 rows, with the scores undivided, divided by √64, and by √512.
pub static HARDNESS: Lazy<[Hardness; 3]> = Lazy::new(|| {
    let tape = Tape::eval(&Params::default());
    let draw = |name, rows| random::normal(&[rows, 64], 1.0, SEED, name);
    let queries = tape.input("queries", draw("hard.queries", 256), &["t", "k"]);
    let keys = tape.input("keys", draw("hard.keys", 2560), &["s", "k"]);
    // Each query meets 256 groups of 10 keys.
    let scores = queries.matmul_t(&keys);
    let scores = scores.reshape(&[256, 256, 10], &["t", "g", "s"]);
    let measure = |scores: &Var| Hardness::of(&scores.softmax().value());
    [1.0, 64.0, 512.0].map(|d: f32| measure(&scores.scale(1.0 / d.sqrt())))
});

/// Sizes before and after the two root factors met so far.
pub struct Roots {
    /// Standard deviation of an embedding drawn from N(0, 1/512), before and after multiplying by √512.
    pub token: (f64, f64),
    /// Root mean square of the positional encoding it is added to.
    pub position: f64,
}

/// Measured over 200 tokens and 200 positions.
pub static ROOTS: Lazy<Roots> = Lazy::new(|| {
    let tape = Tape::eval(&Params::default());
    let table = random::normal(&[200, 512], 512_f32.powf(-0.5), SEED, "table");
    let ids = Tensor::from_fn(&[1, 200], |i| i[1] as f32);
    let (table, ids) = (
        tape.input("table", table, &["v", "d"]),
        tape.ids("ids", ids, &["b", "s"]),
    );
    let scaled = scale_embeddings(&table, &ids).value();
    Roots {
        token: (deviation(&table.value()), deviation(&scaled)),
        position: positional_encoding(200, 512).rms(),
    }
});

fn deviation(x: &Tensor) -> f64 {
    let (count, mean) = (x.len() as f64, x.sum() / x.len() as f64);
    let squares = x.data().iter().map(|&v| (f64::from(v) - mean).powi(2));
    (squares.sum::<f64>() / count).sqrt()
}

/// Softmax of [.1, .2, .3, .4] times a factor, and the largest entry of its Jacobian.
pub fn saturated(factor: f64) -> ([f32; 4], f32) {
    let tape = Tape::eval(&Params::default());
    let scores = [0.1, 0.2, 0.3, 0.4].map(|x: f64| (x * factor) as f32);
    let x = tape.input("x", Tensor::new(&[4], scores.to_vec()), &["s"]);
    let y = x.softmax();
    let slopes = (0..4).flat_map(|i| {
        let one_hot = Tensor::from_fn(&[4], |at| if at[0] == i { 1.0 } else { 0.0 });
        let grads = y.backward_from(&one_hot);
        let row = grads.get(&x).expect("softmax has a gradient");
        row.data().to_vec()
    });
    let largest = slopes.fold(0.0_f32, |most, slope| most.max(slope.abs()));
    let weights = y.value();
    (std::array::from_fn(|i| weights.data()[i]), largest)
}
