//! The measurements of this lesson.

use transformer_tutor::autograd::{Nature, Tape, Var};
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::lesson::probe::{least_squares, one_hot, right};
use transformer_tutor::lesson::{Bar, Picture, Series};
use transformer_tutor::nn::attention::attention;
use transformer_tutor::ops::Layout;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, matmul, random};
use transformer_tutor::typeset::number::short;

/// The dot product of two rows of a table.
pub fn dot(table: &Tensor, a: usize, b: usize) -> f64 {
    let d = table.last();
    let row = |p: usize| &table.data()[p * d..(p + 1) * d];
    row(a)
        .iter()
        .zip(row(b))
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum()
}

/// The wavelength of every pair of columns, in positions, measured on a table `[length ≥ 2, d_model]`:
/// the hand of sine and cosine turns by an angle from row 0 to row 1, and 2π / angle positions bring
/// it round. A hand that does not turn has an infinite one.
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

/// Rotates row `p` by `k` positions, pair by pair, and compares with row `p + k`: the largest error
/// over all rows that the table has. One rotation serves every `p`.
pub fn rotation_error(table: &Tensor, k: usize) -> f64 {
    let (rows, d) = (table.shape()[0], table.last());
    let mut worst = 0.0_f64;
    for p in 0..rows - k {
        for pair in 0..d / 2 {
            let at = |p: usize, c: usize| f64::from(table.data()[p * d + 2 * pair + c]);
            // Row k itself holds sin and cos of the angle by which k positions turn.
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

/// How far attention over permuted words is from the permuted attention over the words, without and
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

/// The width at which words and positions are read back.
pub const PROBED: usize = 128;

/// What two linear probes read back from word plus position: the share of right words and positions.
pub static PROBES: Lazy<(f64, f64)> = Lazy::new(|| {
    let (vocabulary, length, d) = (50, 20, PROBED);
    let table = random::normal(&[vocabulary, d], 1.0, 3, "probe words");
    let pe = Tape::eval(&Params::default())
        .sinusoid(length, d, Layout::Interleaved)
        .value();
    // Every word at every position once: 1000 sums.
    let sums = Tensor::from_fn(&[vocabulary * length, d], |i| {
        table.at(&[i[0] / length, i[1]]) + pe.at(&[i[0] % length, i[1]])
    });
    let read = |classes: usize, class: &dyn Fn(usize) -> usize| {
        let target = one_hot(vocabulary * length, classes, class);
        let guess = matmul::matmul(&sums, &least_squares(&sums, &target, 1.0));
        right(&guess, class)
    };
    let word = read(vocabulary, &|row| row / length);
    (word, read(length, &|row| row % length))
});

/// The pictures of a table `[length, d_model]`.
pub fn pictures(table: &Tensor, layout: Layout) -> Vec<Picture> {
    vec![
        waves(table),
        gram(table),
        clocks(table, layout),
        probes(),
        blindness(),
    ]
}

fn waves(table: &Tensor) -> Picture {
    let rows = table.shape()[0].min(60);
    let line = |c: usize| {
        let points = (0..rows).map(|p| (p as f64, f64::from(table.at(&[p, c]))));
        Series::new(format!("column {c}"), points)
    };
    let columns = [0, 1, 4, 20].into_iter().filter(|&c| c < table.last());
    let says = "Columns 0 and 1 are the sine and the cosine of the first pair; 4 and 20 belong to later pairs.";
    let (title, axes) = ("Four columns of the table", ("position", "value"));
    Picture::curves("waves", title, says, axes, columns.map(line).collect()).in_panels()
}

fn gram(table: &Tensor) -> Picture {
    let rows = table.shape()[0].min(40);
    let d = table.last();
    let first = Tensor::new(&[rows, d], table.data()[..rows * d].to_vec());
    let values = matmul::matmul_t(&first, &first);
    let says = match frayed(&values) {
        apart if apart < 0.01 => format!(
            "The stripes run along the diagonal: a product depends on the distance alone. Every row has length {:.2}; neighbours give {:.2}.",
            dot(table, 0, 0).sqrt(),
            dot(table, 0, 1.min(rows - 1))
        ),
        apart => {
            format!("The stripes are frayed: products at one distance differ by up to {apart:.1}.")
        }
    };
    let (title, words) = ("Every position times every position", || {
        ("positions", Vec::new())
    });
    let values = (values, Nature::Signed);
    Picture::matrix("gram", title, says, values, words(), words())
}

/// How far products at one and the same distance are apart, at most: 0 where they depend on the
/// distance alone. `products [length, length]`.
pub fn frayed(products: &Tensor) -> f64 {
    let length = products.last();
    let spread = |distance: usize| {
        let stripe = || (0..length - distance).map(|p| f64::from(products.at(&[p, p + distance])));
        stripe().fold(f64::MIN, f64::max) - stripe().fold(f64::MAX, f64::min)
    };
    (0..length).map(spread).fold(0.0, f64::max)
}

fn clocks(table: &Tensor, layout: Layout) -> Picture {
    let waves = wavelengths(table, layout);
    let last = waves.len() - 1;
    let mut shown: Vec<usize> = (0..8).map(|i| i * last / 7).collect();
    shown.dedup();
    let bars = shown.into_iter().filter(|&pair| waves[pair].is_finite());
    let bar = |pair| {
        Bar::new(
            format!("pair {pair}"),
            waves[pair],
            format!("{:.1}", waves[pair]),
        )
    };
    let says = match waves.iter().all(|wave| wave.is_finite()) {
        true => format!(
            "{} pairs, from {:.2} to {:.0} positions.",
            waves.len(),
            waves[0],
            waves[last]
        ),
        false => "Nothing turns: every row is like the one before.".to_owned(),
    };
    let title = "How many positions a wave takes to come round";
    let bars = bars.map(bar).collect();
    Picture::bars("wavelengths", title, says, "positions", bars).by_logarithm()
}

fn probes() -> Picture {
    let row = |what: &str, share: f64, chance: &str| {
        let percent = format!("{:.1} %", share * 100.0);
        vec![what.to_owned(), percent, chance.to_owned()]
    };
    let (word, position) = *PROBES;
    let says = format!(
        "Two linear maps, solved in closed form over 50 words at 20 positions each, width {PROBED}. Adding lost nothing that a linear map could not find again."
    );
    let title = "Reading word and position back from their sum";
    let header = ["read back", "right", "by chance"];
    let rows = vec![
        row("the word", word, "2.0 %"),
        row("the position", position, "5.0 %"),
    ];
    Picture::table("probes", title, says, &header, rows)
}

fn blindness() -> Picture {
    let (without, with) = *BLINDNESS;
    let bar = |label: &str, value: f64| Bar::new(label, value, short(value as f32, 7));
    let bars = vec![bar("no positions", without), bar("with positions", with)];
    let title = "Shuffle the words: does anything but the order change?";
    let says = "Attention over shuffled words, beside the shuffled attention over the words. Without positions they are equal to rounding: attention cannot see order.";
    Picture::bars("blindness", title, says, "largest difference", bars).by_logarithm()
}
