//! The lesson's measurements.

use transformer_tutor::autograd::{Nature, Tape, Var};
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::lesson::probe::{least_squares, one_hot, right};
use transformer_tutor::lesson::{Body, Fact, Facts};
use transformer_tutor::nn::attention::attention;
use transformer_tutor::ops::Layout;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, matmul, random};

/// Dot product of two rows of a table.
pub fn dot(table: &Tensor, a: usize, b: usize) -> f64 {
    let d = table.last();
    let row = |p: usize| &table.data()[p * d..(p + 1) * d];
    row(a)
        .iter()
        .zip(row(b))
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum()
}

/// Wavelength of every pair of columns, in positions, measured on a table `[length ≥ 2, d_model]`. From row 0 to row 1
/// the hand given by sine and cosine turns by an angle, so it comes round after 2π / angle positions; infinite if the
/// hand does not turn.
pub fn wavelengths(table: &Tensor, layout: Layout) -> Vec<f64> {
    let half = table.last() / 2;
    let columns = |pair: usize| match layout {
        Layout::Interleaved => (2 * pair, 2 * pair + 1),
        Layout::Halves => (pair, pair + half),
    };
    let turn = |pair: usize| {
        let (sin, cos) = columns(pair);
        let hand = |p: usize| {
            let at = |c: usize| f64::from(table.at(&[p, c]));
            at(sin).atan2(at(cos))
        };
        let angle = (hand(1) - hand(0)).abs();
        angle.min(std::f64::consts::TAU - angle)
    };
    (0..half)
        .map(|pair| std::f64::consts::TAU / turn(pair))
        .collect()
}

/// Rotates row `p` by `k` positions, pair by pair, and compares with row `p + k`. Returns the largest error over all
/// rows of the table: one rotation serves every `p`.
pub fn rotation_error(table: &Tensor, k: usize) -> f64 {
    let (rows, d) = (table.shape()[0], table.last());
    let mut worst = 0.0_f64;
    for p in 0..rows - k {
        for pair in 0..d / 2 {
            let at = |p: usize, c: usize| f64::from(table.data()[p * d + 2 * pair + c]);
            // Row k holds the sine and cosine of the rotation by k positions.
            let (sin, cos) = (at(k, 0), at(k, 1));
            let turned = (
                at(p, 0) * cos + at(p, 1) * sin,
                at(p, 1) * cos - at(p, 0) * sin,
            );
            worst = worst
                .max((turned.0 - at(p + k, 0)).abs())
                .max((turned.1 - at(p + k, 1)).abs());
        }
    }
    worst
}

/// Difference between attention over permuted tokens and the permuted result of attention over the tokens, without and
/// with positions.
pub static BLINDNESS: Lazy<(f64, f64)> = Lazy::new(|| {
    let words = random::normal(&[1, 10, 64], 1.0, 2, "words");
    let order = [7, 2, 9, 0, 4, 1, 8, 3, 6, 5];
    let shuffle = |x: &Tensor| Tensor::from_fn(x.shape(), |i| x.at(&[0, order[i[1]], i[2]]));
    let attend = |x: &Tensor, with: bool| {
        let tape = Tape::eval(&Params::default());
        let x = tape.input("x", x.clone(), &["b", "t", "d"]);
        let pe = tape.sinusoid(10, 64, Layout::Interleaved);
        let x: Var = if with { x.add(&pe) } else { x };
        attention(&x, &x, &x, None, 0.0).context.value()
    };
    let apart = |with| {
        let (one, other) = (attend(&shuffle(&words), with), attend(&words, with));
        largest_difference(&one, &shuffle(&other))
    };
    (apart(false), apart(true))
});

/// Width at which tokens and positions are read back.
pub const PROBED: usize = 128;

/// A vocabulary too large for the width.
pub const MANY: usize = 3000;

/// Accuracy of linear probes on held-out sums.
pub struct Probed {
    /// Of the token, and of the position, with 50 tokens.
    pub word: f64,
    pub position: f64,
    /// Of the position with [`MANY`] tokens.
    pub position_of_many: f64,
}

/// Accuracy of linear probes that read token and position back from their sum, fitted on three quarters of the pairs
/// and scored on the others.
pub static PROBES: Lazy<Probed> = Lazy::new(|| {
    let few = Sums::new(50, |_, _| true);
    // A fifth of the pairs is enough here, and takes a fifth of the time.
    let many = Sums::new(MANY, |word, position| {
        (7 * word + 3 * position).is_multiple_of(5)
    });
    Probed {
        word: few.accuracy(few.vocabulary, |(word, _)| word),
        position: few.accuracy(LENGTH, |(_, position)| position),
        position_of_many: many.accuracy(LENGTH, |(_, position)| position),
    }
});

/// Number of positions in the probes.
const LENGTH: usize = 20;

/// Sums of random token and position vectors, each with its pair of token and position, split into those to fit on and
/// those held out.
struct Sums {
    vocabulary: usize,
    fitted: (Tensor, Vec<(usize, usize)>),
    held_out: (Tensor, Vec<(usize, usize)>),
}

impl Sums {
    fn new(vocabulary: usize, taken: impl Fn(usize, usize) -> bool) -> Self {
        let table = random::normal(&[vocabulary, PROBED], 1.0, 3, "probe words");
        let tape = Tape::eval(&Params::default());
        let pe = tape.sinusoid(LENGTH, PROBED, Layout::Interleaved).value();
        let pairs = (0..vocabulary).flat_map(|w| (0..LENGTH).map(move |p| (w, p)));
        let (held_out, fitted): (Vec<_>, Vec<_>) = pairs
            .filter(|&(word, position)| taken(word, position))
            .partition(|(word, position)| (word + position) % 4 == 0);
        let sums = |pairs: Vec<(usize, usize)>| {
            let cell = |i: &[usize]| {
                let (word, position) = pairs[i[0]];
                table.at(&[word, i[1]]) + pe.at(&[position, i[1]])
            };
            (Tensor::from_fn(&[pairs.len(), PROBED], cell), pairs)
        };
        Self {
            vocabulary,
            fitted: sums(fitted),
            held_out: sums(held_out),
        }
    }

    fn accuracy(&self, classes: usize, class: impl Fn((usize, usize)) -> usize) -> f64 {
        let (sums, pairs) = &self.fitted;
        let target = one_hot(pairs.len(), classes, |row| class(pairs[row]));
        let map = least_squares(sums, &target, 1.0);
        let (sums, pairs) = &self.held_out;
        right(&matmul::matmul(sums, &map), |row| class(pairs[row]))
    }
}

/// What a table `[length, d_model]` shows: some of its columns, the dot products of its rows, and its wavelengths.
pub fn facts(table: &Tensor, layout: Layout) -> Facts {
    let (length, d_model) = (table.shape()[0], table.last());
    let rows = 0..length.min(60);
    let mut facts = Facts::default().with("position", Fact::numbers(rows.clone()));
    for c in [0, 1, 4, 20].into_iter().filter(|&c| c < d_model) {
        let column = rows.clone().map(|p| table.at(&[p, c]));
        facts = facts.with(format!("column_{c}"), Fact::numbers(column));
    }
    let all = wavelengths(table, layout);
    let mut shown: Vec<usize> = (0..8).map(|i| i * (all.len() - 1) / 7).collect();
    shown.dedup();
    shown.retain(|&pair| all[pair].is_finite());
    facts
        .with("frayed", frayed(&products(table)))
        .with("neighbours", dot(table, 0, 1.min(length - 1)))
        .with(
            "shown_waves",
            Fact::numbers(shown.iter().map(|&pair| all[pair])),
        )
        .with("shown", Fact::numbers(shown))
        .with(
            "waves",
            Fact::numbers(all.into_iter().filter(|wave| wave.is_finite())),
        )
}

/// Dot products of the first rows of a table with each other.
fn products(table: &Tensor) -> Tensor {
    let (rows, d) = (table.shape()[0].min(40), table.last());
    let first = Tensor::new(&[rows, d], table.data()[..rows * d].to_vec());
    matmul::matmul_t(&first, &first)
}

/// The dot products as a heat map, or if they fray, only what is off the mean of their diagonal: next to products of
/// several hundred the difference would be invisible.
pub fn gram(table: &Tensor) -> Body {
    let products = products(table);
    let values = match frayed(&products) {
        apart if apart < 0.01 => products,
        _ => off_the_mean(&products),
    };
    let words = || ("positions", Vec::new());
    Body::matrix(values, Nature::Signed, words(), words())
}

/// Largest spread of the dot products at any one distance: 0 if they depend only on the distance. `products` is
/// `[length, length]`.
pub fn frayed(products: &Tensor) -> f64 {
    let length = products.last();
    let range = |distance: usize| {
        let stripe = || (0..length - distance).map(|p| f64::from(products.at(&[p, p + distance])));
        stripe().fold(f64::MIN, f64::max) - stripe().fold(f64::MAX, f64::min)
    };
    (0..length).map(range).fold(0.0, f64::max)
}

/// `products [length, length]` minus the mean of each diagonal.
fn off_the_mean(products: &Tensor) -> Tensor {
    let length = products.last();
    let mean = |distance: usize| {
        let stripe = (0..length - distance).map(|p| f64::from(products.at(&[p, p + distance])));
        (stripe.sum::<f64>() / (length - distance) as f64) as f32
    };
    let means: Vec<f32> = (0..length).map(mean).collect();
    Tensor::from_fn(products.shape(), |i| {
        products.at(i) - means[i[0].abs_diff(i[1])]
    })
}
