//! Timings on this machine: the only code of the lesson that reads the clock, started by the learner.

use std::cell::RefCell;
use std::rc::Rc;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, s};
use transformer_tutor::clock::Instant;
use transformer_tutor::lesson::picture::{Progress, Report};
use transformer_tutor::lesson::{Bar, Body, Picture};
use transformer_tutor::tensor::{alone, matmul, random};
use transformer_tutor::train::step;
use transformer_tutor::transformer::cost;

use super::counts::Kind;
use super::knobs::{Knobs, Pass};
use super::loops::{blocked, naive};
use super::record::{BuiltModel, batch, model, options, tape};
use super::shards::{SHARDS, THREADS, fingerprint};

/// Shortest of several runs, in seconds: anything else on the machine can only add time.
fn best(times: usize, mut work: impl FnMut()) -> f64 {
    let run = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64()
    };
    (0..times).map(run).fold(f64::INFINITY, f64::min)
}

fn rates(says: &str, bars: &[Bar], done: f32) -> Progress {
    let body = Body::bars("GFLOP/s", bars.to_vec()).by_logarithm();
    Progress::new(done, says, body)
}

/// Rows, inner size and columns of the race: uneven, so that no block fits by luck.
pub const RACED: [usize; 3] = [300, 400, 500];

/// One of the four ways to multiply, writing into the third argument.
pub type MultiplyFn = fn(&[f32], &[f32], &mut [f32], [usize; 3]);

/// Every way, slowest first.
pub const WAYS: [(&str, MultiplyFn); 4] = [
    ("three loops", naive),
    ("blocked loops", blocked),
    ("ndarray's own", own),
    ("the program's", library),
];

/// ndarray passes matrices to a BLAS only if neighbours are adjacent in memory. Every second column of a matrix twice
/// as wide is not, so this uses ndarray's own kernel.
fn own(a: &[f32], b: &[f32], out: &mut [f32], [n, k, m]: [usize; 3]) {
    let mut wide = Array2::zeros((n, 2 * k));
    wide.slice_mut(s![.., ..;2]).assign(&view(a, n, k));
    let mut product = ndarray::ArrayViewMut2::from_shape((n, m), out).expect("sizes were given");
    let a: ArrayView2<'_, f32> = wide.slice(s![.., ..;2]);
    general_mat_mul(1.0, &a, &view(b, k, m), 0.0, &mut product);
}

fn library(a: &[f32], b: &[f32], out: &mut [f32], [n, k, m]: [usize; 3]) {
    matmul::product_into(view(a, n, k), view(b, k, m), 0.0, out);
}

fn view(data: &[f32], rows: usize, columns: usize) -> ArrayView2<'_, f32> {
    matmul::matrix(data, rows, columns)
}

/// The picture of four ways to compute the same product.
pub fn products() -> Picture {
    let [n, k, m] = RACED;
    let run = move |report: Report<'_>| {
        let (a, b) = (
            random::normal(&[n, k], 1.0, 1, "a"),
            random::normal(&[k, m], 1.0, 1, "b"),
        );
        let mut out = vec![0.0; n * m];
        let mut bars: Vec<Bar> = Vec::new();
        for (name, way) in WAYS {
            let seconds = best(5, || way(a.data(), b.data(), &mut out, RACED));
            let rate = 2.0 * (n * k * m) as f64 / seconds / 1e9;
            let times = bars.first().map_or(1.0, |first| rate / first.value);
            let ms = 1e3 * seconds;
            let note = format!("{rate:.2} GFLOP/s, {ms:.2} ms, {times:.1} times the first");
            bars.push(Bar::new(name, rate, note));
            let says = "Billions of operations per second, on this machine, now.";
            if report(rates(says, &bars, bars.len() as f32 / 4.0 * 0.99)).is_break() {
                break;
            }
        }
        let says = "The operations are the same, and the results agree up to rounding. What differs is how often the processor waits for memory.";
        rates(says, &bars, 1.0)
    };
    Picture::drawn("race", Body::job(run))
}

/// The picture of one weight matrix applied to more and more rows.
pub fn rows() -> Picture {
    let run = |report: Report<'_>| {
        let (k, m) = (512, 2048);
        // Use several weights in turn, like the layers of a model: a single one would stay in the cache.
        let weights = (0..12).map(|n| random::normal(&[k, m], 1.0, n, "w"));
        let weights: Vec<_> = weights.collect();
        let mut bars: Vec<Bar> = Vec::new();
        for n in [1, 4, 16, 64, 256] {
            let a = random::normal(&[n, k], 1.0, 1, "rows");
            let mut out = vec![0.0; n * m];
            let all = best(3, || {
                for w in &weights {
                    library(a.data(), w.data(), &mut out, [n, k, m]);
                }
            });
            let cost = cost::product(1, n, k, m);
            let [rate, bytes] = [cost.flops, cost.bytes]
                .map(|count| count as f64 / (all / weights.len() as f64) / 1e9);
            let each = cost.intensity();
            let note = format!("{rate:.1} GFLOP/s, {bytes:.1} GB/s, {each:.2} FLOP/byte");
            bars.push(Bar::new(format!("{n} rows"), rate, note));
            let says = "Operations per second by the number of rows.";
            if report(rates(says, &bars, bars.len() as f32 / 5.1)).is_break() {
                break;
            }
        }
        let says = "With one row, every weight that is read is used for two operations, and memory limits the speed. With many rows it is read once for all of them, and arithmetic limits the speed.";
        rates(says, &bars, 1.0)
    };
    Picture::drawn("more-rows", Body::job(run))
}

/// The picture of a training step's time, by kind of operation.
pub fn times(knobs: Knobs) -> Picture {
    let run = move |report: Report<'_>| {
        let mut fastest: Vec<Bar> = Vec::new();
        let total = |bars: &[Bar]| bars.iter().map(|b| b.value).sum::<f64>();
        let drawing = |says: String, bars: &[Bar], done| {
            Progress::new(done, says, Body::bars("ms", bars.to_vec()))
        };
        for n in 0..3 {
            let bars = alone(|| timed(&knobs));
            if fastest.is_empty() || total(&bars) < total(&fastest) {
                fastest = bars;
            }
            let says = "Milliseconds on this machine, now.".to_owned();
            if report(drawing(says, &fastest, n as f32 / 3.0)).is_break() {
                break;
            }
        }
        let whole = total(&fastest);
        let products = fastest.first().map_or(0.0, |b| b.value) / whole;
        let says = format!(
            "{whole:.1} ms in all; forward, the matrix products take {:.0} % of it. Compare with their proportion of the operations.",
            100.0 * products
        );
        drawing(says, &fastest, 1.0)
    };
    Picture::drawn("clock", Body::job(run))
}

/// Milliseconds of one step: forward by kind, then backward.
fn timed(knobs: &Knobs) -> Vec<Bar> {
    let made = model(knobs.width, knobs.layers);
    let BuiltModel { model, params } = &*made;
    let batch = batch(knobs);
    let training = Knobs {
        pass: Pass::Training,
        ..*knobs
    };
    let tape = tape(&training, params);
    let times = Rc::new(RefCell::new((Instant::now(), Vec::new())));
    let watched = times.clone();
    tape.watch(move |_| {
        let (last, all) = &mut *watched.borrow_mut();
        all.push(last.elapsed().as_secs_f64());
        *last = Instant::now();
    });
    times.borrow_mut().0 = Instant::now();
    let factor = 1.0 / batch.target_tokens().max(1) as f32;
    let loss = step::loss(model, &tape, &batch, &options(1), factor).loss;
    let mut by = Kind::ALL.map(|_| 0.0);
    // A step is reported when the next is recorded, by which time it has been computed.
    for (step, time) in tape.trace().steps().iter().skip(1).zip(&times.borrow().1) {
        let kind = step
            .computed()
            .map_or(Kind::Others, |_| Kind::of(step.op()));
        by[kind as usize] += time;
    }
    let begun = Instant::now();
    tape.backward_streaming(&loss, |_, _| {});
    let back = begun.elapsed().as_secs_f64();
    let bar = |label: String, seconds: f64| {
        Bar::new(label, 1e3 * seconds, format!("{:.2} ms", 1e3 * seconds))
    };
    let forward = Kind::ALL.into_iter().zip(by);
    let forward = forward.map(|((.., says), time)| bar(format!("forward: {says}"), time));
    forward.chain([bar("backward".to_owned(), back)]).collect()
}

/// The picture of one step on several threads: its bits, and its time.
pub fn shards() -> Picture {
    let drawing = |rows: &[Vec<String>], done| {
        let header = ["threads", "shards", "fingerprint of all gradients", "ms"];
        let says =
            "The bits do not depend on the threads. Another number of shards rounds differently.";
        Progress::new(done, says, Body::table(&header, rows.to_vec()))
    };
    let run = move |report: Report<'_>| {
        let runs = THREADS
            .map(|threads| (threads, SHARDS))
            .into_iter()
            .chain([(1, 1)]);
        let mut rows: Vec<Vec<String>> = Vec::new();
        for (threads, shards) in runs {
            let mut bits = 0;
            let ms = 1e3 * best(3, || bits = fingerprint(threads, shards));
            rows.push(vec![
                threads.to_string(),
                shards.to_string(),
                // Grouped, so that no fingerprint looks like a number.
                format!("{:08x}_{:08x}", bits >> 32, bits as u32),
                format!("{ms:.1}"),
            ]);
            if report(drawing(&rows, rows.len() as f32 * 0.24)).is_break() {
                break;
            }
        }
        drawing(&rows, 1.0)
    };
    Picture::drawn("shards", Body::job(run))
}
