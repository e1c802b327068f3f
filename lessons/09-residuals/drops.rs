//! Where a training run drops cells, and how the average of many training runs behaves.

use std::ops::ControlFlow;

use transformer_tutor::autograd::{Step, Tape, Trace};
use transformer_tutor::lesson::measure::fallen;
use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::{Progress, Report};
use transformer_tutor::lesson::{Body, Series};
use transformer_tutor::ops::Layout;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};
use transformer_tutor::transformer::Config;
use transformer_tutor::transformer::encoder::EncoderLayer;

use super::tower;

/// Number of training runs to average.
pub const RUNS: usize = 1000;

const LENGTH: usize = 8;
const WIDTH: usize = 32;

fn layers(params: &mut Params, depth: usize, dropout: f32) -> Vec<EncoderLayer> {
    let config = Config {
        dropout,
        ..Config::annotated(1, 1).sized(depth, WIDTH, 4 * WIDTH, 4)
    };
    tower::layers(params, &config)
}

/// A training run of embedded tokens with positions and one layer above them.
fn training_run(dropout: f32, seed: u64) -> Trace {
    let mut params = Params::new(seed);
    let layer = layers(&mut params, 1, dropout).remove(0);
    let tape = Tape::train(&params, seed);
    let words = random::normal(&[2, LENGTH, WIDTH], 1.0, seed, "words");
    let words = tape.input("words", words, &["b", "s", "d"]);
    let placed = words.add(&tape.sinusoid(LENGTH, WIDTH, Layout::Interleaved));
    let x = placed.named("tokens + positions").dropout(dropout);
    let seen = tape.mask("mask", Tensor::ones(&[2, 1, LENGTH]), &["b", "", "s"]);
    let _ = layer.forward(&x, &seen);
    tape.trace()
}

/// Dropouts of a training run: the tensor's name, its shape, and the proportion dropped.
pub fn places(dropout: f32, seed: u64) -> Vec<(String, Vec<usize>, f64)> {
    let trace = training_run(dropout, seed);
    let drops = trace.steps().iter().filter(|s| s.op() == "dropout");
    let place = |step: &Step| {
        let before = &trace.steps()[step.inputs()[0]];
        let share = fallen(&before.value, &step.value);
        (before.name.clone(), step.value.shape().to_vec(), share)
    };
    drops.map(place).collect()
}

/// What is run repeatedly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// One sublayer in its residual connection.
    Sublayer,
    /// Six whole layers.
    Stack,
}

/// Distance of the mean of n training runs from the evaluation, relative to the latter's RMS, for n from 1. `seen` may
/// stop it.
fn approach(
    what: What,
    dropout: f32,
    seed: u64,
    mut seen: impl FnMut(usize) -> ControlFlow<()>,
) -> Vec<f64> {
    let mut params = Params::new(seed);
    let depth = if what == What::Stack { 6 } else { 1 };
    let layers = layers(&mut params, depth, dropout);
    let words = random::normal(&[1, LENGTH, WIDTH], 1.0, seed, "words");
    let run = |tape: &Tape| {
        let x = tape.input("words", words.clone(), &["b", "s", "d"]);
        match what {
            What::Sublayer => {
                let EncoderLayer {
                    sublayer,
                    feed_forward,
                    ..
                } = &layers[0];
                sublayer[1].forward(&x, |x| feed_forward.forward(x)).value()
            }
            What::Stack => {
                let mask = tape.mask("mask", Tensor::ones(&[1, 1, LENGTH]), &["b", "", "s"]);
                let all = layers.iter();
                all.fold(x, |x, layer| layer.forward(&x, &mask)).value()
            }
        }
    };
    let sure = run(&Tape::eval(&params));
    let mut sum = vec![0.0_f64; sure.len()];
    let mut far = Vec::new();
    for n in 1..=RUNS {
        let chance = run(&Tape::train(&params, seed * RUNS as u64 + n as u64));
        for (sum, &x) in sum.iter_mut().zip(chance.data()) {
            *sum += f64::from(x);
        }
        let pairs = sum.iter().zip(sure.data());
        let squares: f64 = pairs
            .map(|(sum, &x)| (sum / n as f64 - f64::from(x)).powi(2))
            .sum();
        far.push((squares / sure.len() as f64).sqrt() / sure.rms());
        if seen(n).is_break() {
            break;
        }
    }
    far
}

/// Distance of the mean of `n` runs from the evaluation. Computed once.
pub fn distance(what: What, dropout: f32, seed: u64, n: usize) -> Option<f64> {
    static DONE: Memo<Vec<f64>> = Memo::new("residuals: distances");
    let key = format!("{what:?} {dropout} {seed}");
    let far = DONE.get(key, || {
        approach(what, dropout, seed, |_| ControlFlow::Continue(()))
    });
    far.get(n.checked_sub(1)?).copied()
}

/// The thousand runs, which the learner starts.
pub fn runs(dropout: f32, seed: u64) -> Body {
    Body::job(move |report| average(dropout, seed, report))
}

fn average(dropout: f32, seed: u64, report: Report<'_>) -> Progress {
    let mut series: Vec<Series> = Vec::new();
    let lanes = [
        (What::Sublayer, "one sublayer"),
        (What::Stack, "six layers"),
    ];
    let mut stopped = false;
    for (lane, (what, name)) in lanes.into_iter().enumerate() {
        if stopped {
            break;
        }
        let before = series.clone();
        let far = approach(what, dropout, seed, |n| {
            if n % 50 != 0 {
                return ControlFlow::Continue(());
            }
            let done = (lane * RUNS + n) as f32 / (2 * RUNS) as f32 * 0.99;
            let on = report(drawing(&before, done));
            stopped = on.is_break();
            on
        });
        let points = far.into_iter().enumerate();
        let shown = points.filter(|(i, _)| *i < 10 || i % 10 == 9);
        let points = shown.map(|(i, far)| (i as f64 + 1.0, far));
        series.push(Series::new(name, points));
    }
    drawing(&series, 1.0)
}

fn drawing(series: &[Series], done: f32) -> Progress {
    let says = series.iter().filter_map(|s| {
        let (first, last) = (s.points.first()?, s.points.last()?);
        Some(format!(
            "{}: one run is {:.1} % off, the mean of {:.0} {:.2} %",
            s.name,
            first.1 * 100.0,
            last.0,
            last.1 * 100.0
        ))
    });
    let says: Vec<String> = says.collect();
    let axes = ("runs", "distance from the evaluation, relative");
    let body = Body::curves(axes.0, axes.1, series.to_vec()).by_logarithm();
    let says = if says.is_empty() {
        "Running.".to_owned()
    } else {
        format!("{}.", says.join("; "))
    };
    Progress::new(done, says, body)
}
