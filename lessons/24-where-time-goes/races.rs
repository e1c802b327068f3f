//! What takes time, on this machine: the only places of the lesson that read the clock, started by the learner.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, s};
use transformer_tutor::autograd::Tape;
use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Bar, Body, Picture, Settings};
use transformer_tutor::tensor::{alone, matmul, random};
use transformer_tutor::train::step;

use super::counts::Kind;
use super::loops::{blocked, naive};
use super::record::{Made, batch, model, options, width};
use super::shards::{SHARDS, THREADS, fingerprint};

type Report<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// The best of some runs, in seconds: whatever else the machine did only adds.
fn best(times: usize, mut work: impl FnMut()) -> f64 {
    let run = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64()
    };
    (0..times).map(run).fold(f64::INFINITY, f64::min)
}

fn job(
    name: &'static str,
    title: &str,
    says: &str,
    about: &str,
    run: impl Fn(Report<'_>) -> Progress + Send + Sync + 'static,
) -> Picture {
    Picture::job(
        name,
        title.to_owned(),
        says.to_owned(),
        about.to_owned(),
        run,
    )
}

fn drawing(says: String, unit: &str, bars: &[Bar], log: bool, done: f32) -> Progress {
    Progress::new(
        done,
        says,
        Body::Bars {
            unit: unit.to_owned(),
            bars: bars.to_vec(),
            log,
        },
    )
}

/// Rows, inner size and columns of the race: uneven, so that no block fits by luck.
pub const RACED: [usize; 3] = [300, 400, 500];

/// The four ways to multiply, each writing into its last argument.
pub type Way = fn(&[f32], &[f32], &mut [f32], [usize; 3]);

/// Slowest first.
pub const WAYS: [(&str, Way); 4] = [
    ("three loops", naive),
    ("blocked loops", blocked),
    ("ndarray's own", own),
    ("the program's", library),
];

/// ndarray hands matrices to a BLAS only where neighbours lie side by side. Every second column of a matrix twice as
/// wide does not: so this is ndarray's own kernel.
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

/// Four ways to the same product.
pub fn products() -> Picture {
    let [n, k, m] = RACED;
    let title = format!("[{n}, {k}] · [{k}, {m}] in four ways");
    job(
        "race",
        &title,
        "The same operations by three loops, by blocks, by ndarray's own kernel, and by what the program uses: each on one thread.",
        "Multiplies two matrices in four ways, a few times each: about a second.",
        move |report| {
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
                bars.push(Bar::new(
                    name.to_owned(),
                    rate,
                    format!(
                        "{rate:.2} GFLOP/s, {:.2} ms, {times:.1} times the first",
                        1e3 * seconds
                    ),
                ));
                let done = bars.len() as f32 / 4.0;
                let says = "Billions of operations a second, on this machine, now.".to_owned();
                if report(drawing(says, "GFLOP/s", &bars, true, done * 0.99)).is_break() {
                    break;
                }
            }
            let says = "The operations are the same, and so are the results to rounding: what differs is how often memory is waited for.";
            drawing(says.to_owned(), "GFLOP/s", &bars, true, 1.0)
        },
    )
}

/// One weight, more and more rows.
pub fn rows() -> Picture {
    job(
        "more-rows",
        "A weight of 512 × 2048 and 1 to 256 rows",
        "How fast operations go when a weight is read for one row, and for many.",
        "Multiplies by one weight with more and more rows: a second or two.",
        |report| {
            let (k, m) = (512, 2048);
            // Several weights in turn, as the layers of a model: a single one would stay in the cache.
            let weights: Vec<_> = (0..12)
                .map(|n| random::normal(&[k, m], 1.0, n, "w"))
                .collect();
            let mut bars: Vec<Bar> = Vec::new();
            for n in [1, 4, 16, 64, 256] {
                let a = random::normal(&[n, k], 1.0, 1, "rows");
                let mut out = vec![0.0; n * m];
                let seconds = best(3, || {
                    for w in &weights {
                        library(a.data(), w.data(), &mut out, [n, k, m]);
                    }
                }) / weights.len() as f64;
                let cost = transformer_tutor::transformer::cost::product(1, n, k, m);
                let (rate, bytes) = (
                    cost.flops as f64 / seconds / 1e9,
                    cost.bytes as f64 / seconds / 1e9,
                );
                bars.push(Bar::new(
                    format!("{n} rows"),
                    rate,
                    format!(
                        "{rate:.1} GFLOP/s, {bytes:.1} GB/s, {:.2} FLOP/byte",
                        cost.intensity()
                    ),
                ));
                let says = "Operations a second by the number of rows.".to_owned();
                if report(drawing(
                    says,
                    "GFLOP/s",
                    &bars,
                    true,
                    bars.len() as f32 / 5.1,
                ))
                .is_break()
                {
                    break;
                }
            }
            let says = "With one row every weight that is read does two operations, and memory sets the pace. With many rows it is read once for all, and the arithmetic does.";
            drawing(says.to_owned(), "GFLOP/s", &bars, true, 1.0)
        },
    )
}

/// The time of a training step, by kind of operation.
pub fn times(settings: &Settings) -> Picture {
    let settings = settings.clone();
    job(
        "clock",
        "Where this training step's time goes",
        "The step of the settings, timed operation by operation: forward by kinds, and the way back.",
        "Runs the training step three times on one thread, and keeps the fastest: less than a second.",
        move |report| {
            let mut fastest: Option<Vec<Bar>> = None;
            let total = |bars: &[Bar]| bars.iter().map(|b| b.value).sum::<f64>();
            for n in 0..3 {
                let bars = alone(|| timed(&settings));
                if fastest.as_ref().is_none_or(|f| total(&bars) < total(f)) {
                    fastest = Some(bars);
                }
                let says = "Milliseconds on this machine, now.".to_owned();
                let so_far = fastest.as_deref().unwrap_or_default();
                if report(drawing(says, "ms", so_far, false, n as f32 / 3.0)).is_break() {
                    break;
                }
            }
            let bars = fastest.unwrap_or_default();
            let whole = total(&bars);
            let products = bars.first().map_or(0.0, |b| b.value) / whole;
            let says = format!(
                "{whole:.1} ms in all; forward, the matrix products take {:.0} % of it. Compare with their share of the operations.",
                100.0 * products
            );
            drawing(says, "ms", &bars, false, 1.0)
        },
    )
}

/// Milliseconds of one step: forward by kind, then backward.
fn timed(settings: &Settings) -> Vec<Bar> {
    let made = model(width(settings), settings.whole("layers"));
    let Made { model, params } = &*made;
    let batch = batch(settings);
    let tape = Tape::train(params, 1);
    let tape = if settings.text("form") == "fused" {
        tape.fused()
    } else {
        tape
    };
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
    let mut by: BTreeMap<&str, f64> = BTreeMap::new();
    {
        let trace = tape.trace();
        // A step is told of when the next is recorded, which is when that one has been computed.
        for (step, time) in trace.steps().iter().skip(1).zip(&times.borrow().1) {
            let kind = if step.computed().is_some() {
                Kind::of(step.op())
            } else {
                Kind::Others
            };
            *by.entry(kind.name()).or_default() += time;
        }
    }
    let begun = Instant::now();
    tape.backward_into(&loss, |_, _| {});
    let back = begun.elapsed().as_secs_f64();
    let bar = |label: String, seconds: f64| {
        Bar::new(label, 1e3 * seconds, format!("{:.2} ms", 1e3 * seconds))
    };
    let forward = Kind::ALL.map(|kind| {
        let seconds = by.get(kind.name()).copied().unwrap_or(0.0);
        bar(format!("forward: {}", kind.says()), seconds)
    });
    let all = forward.into_iter();
    all.chain([bar("backward".to_owned(), back)]).collect()
}

/// One step on several threads: its bits, and its time.
pub fn shards() -> Picture {
    job(
        "shards",
        "One training step on 1, 2 and 4 threads",
        "A batch is cut into four shards; any thread may take any shard, and the gradients are added in the shards' order.",
        "Runs one small training step on 1, 2 and 4 threads: about a second.",
        |report| {
            let header = ["threads", "shards", "fingerprint of all gradients", "ms"];
            let header: Vec<String> = header.map(String::from).to_vec();
            let runs = THREADS
                .map(|threads| (threads, SHARDS))
                .into_iter()
                .chain([(1, 1)]);
            let mut rows: Vec<Vec<String>> = Vec::new();
            let drawing = |rows: &[Vec<String>], done| {
                Progress::new(
                    done,
                    "The bits do not depend on the threads; cutting into other shards rounds otherwise.",
                    Body::Table {
                        header: header.clone(),
                        rows: rows.to_vec(),
                    },
                )
            };
            for (threads, shards) in runs {
                let mut bits = 0;
                let seconds = best(3, || bits = fingerprint(threads, shards));
                rows.push(vec![
                    threads.to_string(),
                    shards.to_string(),
                    format!("{bits:016x}"),
                    format!("{:.1}", 1e3 * seconds),
                ]);
                if report(drawing(&rows, rows.len() as f32 * 0.24)).is_break() {
                    break;
                }
            }
            drawing(&rows, 1.0)
        },
    )
}
