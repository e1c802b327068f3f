//! The measurements of this lesson that do not depend on a knob; each is made once.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use transformer_tutor::autograd::Tape;
use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::nn::additive::AdditiveAttention;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

/// The widths at which the spread of a dot product is measured.
pub const WIDTHS: [usize; 4] = [4, 16, 64, 512];

/// The factors that the small example's scores are multiplied with.
pub const FACTORS: [f64; 4] = [1.0, 8.0, 22.6, 64.0];

/// What happens to dot products of random rows as they get wider.
pub struct Spread {
    /// For each of [`WIDTHS`]: the standard deviation of q·k, and of q·k/√d_k.
    pub std: [(f64, f64); 4],
    /// With 10 keys of width 64, unscaled and scaled: the mean entropy of the weights, in nats.
    pub entropy: (f64, f64),
    /// The mean of p(1 − p), the slope of a weight by its own score.
    pub slope: (f64, f64),
}

/// Measured once, over 512 queries and 512 keys of each width.
pub static SPREAD: LazyLock<Spread> = LazyLock::new(|| {
    let std = WIDTHS.map(|d_k| {
        let tape = Tape::eval(&Params::default());
        let draw = |name| tape.input(name, random::normal(&[512, d_k], 1.0, 4, name), &["t", "k"]);
        let scores = draw("queries").matmul_t(&draw("keys"));
        let scaled = scores.scale(1.0 / (d_k as f32).sqrt());
        (deviation(&scores.value()), deviation(&scaled.value()))
    });
    let tape = Tape::eval(&Params::default());
    let query = tape.input(
        "q",
        random::normal(&[400, 1, 64], 1.0, 4, "q"),
        &["b", "t", "k"],
    );
    let key = tape.input(
        "k",
        random::normal(&[400, 10, 64], 1.0, 4, "k"),
        &["b", "s", "k"],
    );
    let scores = query.matmul_t(&key);
    let measure = |weights: Tensor| {
        let terms = weights.data().iter().map(|&p| f64::from(p));
        let entropy: f64 = terms
            .clone()
            .filter(|p| *p > 0.0)
            .map(|p| -p * p.ln())
            .sum();
        let slope: f64 = terms.map(|p| p * (1.0 - p)).sum();
        (entropy / 400.0, slope / weights.len() as f64)
    };
    let hard = measure(scores.softmax().value());
    let soft = measure(scores.scale(0.125).softmax().value());
    Spread {
        std,
        entropy: (hard.0, soft.0),
        slope: (hard.1, soft.1),
    }
});

fn deviation(x: &Tensor) -> f64 {
    let mean = x.sum() / x.len() as f64;
    let squares: f64 = x
        .data()
        .iter()
        .map(|&v| (f64::from(v) - mean).powi(2))
        .sum();
    (squares / x.len() as f64).sqrt()
}

/// The softmax of [.1, .2, .3, .4] times a factor, and the largest entry of its Jacobian.
pub fn saturated(factor: f64) -> (Vec<f32>, f32) {
    let tape = Tape::eval(&Params::default());
    let x = [0.1, 0.2, 0.3, 0.4].map(|x: f64| (x * factor) as f32);
    let x = tape.input("x", Tensor::new(&[4], x.to_vec()), &["k"]);
    let y = x.softmax();
    let largest = (0..4)
        .flat_map(|i| {
            let one = Tensor::from_fn(&[4], |at| if at[0] == i { 1.0 } else { 0.0 });
            let row = y.backward_from(&one).get(&x).cloned();
            row.expect("softmax has a gradient").data().to_vec()
        })
        .fold(0.0_f32, |m, d| m.max(d.abs()));
    (y.value().data().to_vec(), largest)
}

/// Scores by two projections and by their product as one matrix: the largest difference, and the
/// largest score.
pub static BILINEAR: LazyLock<(f64, f64)> = LazyLock::new(|| {
    let tape = Tape::eval(&Params::default());
    let draw = |name, shape: &[usize], std| {
        tape.input(name, random::normal(shape, std, 4, name), &["", ""])
    };
    let (y, x) = (draw("Y", &[10, 512], 1.0), draw("X", &[11, 512], 1.0));
    let (wq, wk) = (
        draw("W_Q", &[512, 64], 0.0442),
        draw("W_K", &[512, 64], 0.0442),
    );
    let two = y.matmul(&wq).matmul_t(&x.matmul(&wk)).value();
    let one = y.matmul(&wq.matmul_t(&wk)).matmul_t(&x).value();
    let largest = |t: &Tensor| {
        t.data()
            .iter()
            .fold(0.0_f64, |m, &v| m.max(f64::from(v).abs()))
    };
    (largest(&two.zip(&one, |a, b| a - b)), largest(&two))
});

/// The pictures beyond the recorded run.
pub fn pictures() -> Vec<Picture> {
    vec![
        scale_picture(),
        saturation_picture(),
        bilinear_picture(),
        additive_picture(),
    ]
}

fn scale_picture() -> Picture {
    let rows = WIDTHS
        .iter()
        .zip(&SPREAD.std)
        .map(|(d_k, (plain, scaled))| {
            vec![
                d_k.to_string(),
                format!("{plain:.2}"),
                format!("{scaled:.3}"),
            ]
        });
    let (entropy, slope) = (SPREAD.entropy, SPREAD.slope);
    Picture {
        name: "scale",
        title: "Why divide by √d_k".to_owned(),
        says: format!(
            "A dot product of random rows spreads like √d_k; divided by it, it does not. With 10 keys of width 64 the entropy of \
             the weights rises from {:.2} to {:.2} of ln 10 = {:.2}, and a weight's slope p(1−p) from {:.3} to {:.3}.",
            entropy.0,
            entropy.1,
            10_f64.ln(),
            slope.0,
            slope.1
        ),
        body: Body::Table {
            header: vec!["d_k".into(), "std of q·k".into(), "std of q·k/√d_k".into()],
            rows: rows.collect(),
        },
    }
}

fn saturation_picture() -> Picture {
    let rows = FACTORS.iter().map(|&factor| {
        let (y, largest) = saturated(factor);
        let cells = y.iter().map(|p| format!("{p:.5}"));
        [format!("{factor}")]
            .into_iter()
            .chain(cells)
            .chain([format!("{largest:.5}")])
            .collect()
    });
    Picture {
        name: "saturation",
        title: "The softmax of [.1 .2 .3 .4] times a factor".to_owned(),
        says: "The larger the scores, the harder the choice; in the end nothing that the scores could learn moves the weights.".to_owned(),
        body: Body::Table {
            header: ["factor", ".1", ".2", ".3", ".4", "largest slope"].map(String::from).to_vec(),
            rows: rows.collect(),
        },
    }
}

fn bilinear_picture() -> Picture {
    let (difference, largest) = *BILINEAR;
    Picture {
        name: "bilinear",
        title: "Two projections are one bilinear form".to_owned(),
        says: format!(
            "Y·W_Q·(X·W_K)ᵀ and Y·(W_Q·W_Kᵀ)·Xᵀ differ by at most {difference:.1e} where the largest score is {largest:.1}: rounding."
        ),
        body: Body::Table {
            header: ["form", "numbers to learn", "rank at most"]
                .map(String::from)
                .to_vec(),
            rows: vec![
                vec![
                    "W_Q and W_K, 512×64 each".into(),
                    (2 * 512 * 64).to_string(),
                    "64".into(),
                ],
                vec![
                    "W_Q·W_Kᵀ, 512×512".into(),
                    (512 * 512).to_string(),
                    "512".into(),
                ],
            ],
        },
    }
}

/// Bytes of the largest tensor on the way to the scores of `n` queries and `n` keys.
pub fn bytes(n: usize, additive: bool) -> usize {
    n * n * 4 * if additive { 64 } else { 1 }
}

fn additive_picture() -> Picture {
    Picture {
        name: "additive",
        title: "Dot product beside additive attention".to_owned(),
        says: "Both score every query against every key; additive attention holds 64 numbers for each pair.".to_owned(),
        body: Body::Job(Job {
            about: "Times both kinds of attention on this machine, with 10 to 1000 queries and keys of width 64: a few seconds.".to_owned(),
            run: Arc::new(race),
        }),
    }
}

fn race(report: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Progress {
    let sizes = [10, 30, 100, 300, 1000];
    let mut series = [("dot product", Vec::new()), ("additive", Vec::new())];
    let mut progress = None;
    for (place, n) in sizes.into_iter().enumerate() {
        for (additive, (_, points)) in series.iter_mut().enumerate() {
            points.push((n as f64, milliseconds(n, additive == 1)));
        }
        let lines = series.iter().map(|(name, points)| Series {
            name: (*name).to_owned(),
            points: points.clone(),
        });
        let (dot, add) = (series[0].1[place].1, series[1].1[place].1);
        let now = Progress {
            body: Body::Curves {
                x: "queries and keys".into(),
                y: "milliseconds".into(),
                log: true,
                series: lines.collect(),
            },
            says: format!(
                "At {n}: {dot:.2} ms and {add:.2} ms, {:.0} times as long; the largest tensor holds {} and {} bytes.",
                add / dot,
                bytes(n, false),
                bytes(n, true)
            ),
            done: (place + 1) as f32 / sizes.len() as f32,
        };
        let on = report(now.clone());
        progress = Some(now);
        if on.is_break() {
            break;
        }
    }
    progress.expect("there is a first size")
}

fn milliseconds(n: usize, additive: bool) -> f64 {
    let mut params = Params::new(1);
    let layer = AdditiveAttention::new(&mut params, 64, 64);
    let draw = |name| random::normal(&[1, n, 64], 1.0, 1, name);
    let (q, k, v) = (draw("q"), draw("k"), draw("v"));
    // The large ones take long enough to be timed once.
    let times = (0..if n < 300 { 3 } else { 1 }).map(|_| {
        let tape = Tape::eval(&params);
        let axes = |t: &'static str| ["b", t, "k"];
        let (q, k, v) = (
            tape.input("q", q.clone(), &axes("t")),
            tape.input("k", k.clone(), &axes("s")),
            tape.input("v", v.clone(), &axes("s")),
        );
        let start = Instant::now();
        let found = if additive {
            layer.forward(&q, &k, &v, None)
        } else {
            attention(&q, &k, &v, None, 0.0)
        };
        black_box(found.context.value());
        start.elapsed().as_secs_f64() * 1000.0
    });
    times.fold(f64::INFINITY, f64::min)
}
