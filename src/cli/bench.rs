//! `tools bench`: the engine's speed on this machine, for comparison with `benches/pytorch_step.py`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::rc::Rc;
use std::time::Instant;

use serde::Serialize;
use serde_json::json;

use super::limit::{count, require};
use super::memory::bytes;
use crate::autograd::Tape;
use crate::decode::{DecodeOptions, translate};
use crate::ops::Spread;
use crate::params::Params;
use crate::tensor::threads::{machine, together};
use crate::tensor::{Tensor, alone, matmul, on_threads, random, threads};
use crate::train::adam::Adam;
use crate::train::step::{self, Batch, StepJob, StepOptions, derive_seed, norm};
use crate::transformer::{Config, Transformer};

#[derive(clap::Args)]
pub struct Options {
    /// The number of threads; by default all of this machine
    #[arg(long, value_name = "N", value_parser = count!(1, 1024))]
    pub threads: Option<usize>,
    /// Only this size: tiny, small, base
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// The number of timed steps, after two for warming up
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = count!(1, 100000))]
    steps: usize,
    /// Times only training steps, not decoding, threads and single operations
    #[arg(long)]
    short: bool,
    /// As JSON lines, one for each measurement
    #[arg(long)]
    json: bool,
}

/// Sizes of a model and its batch, the same as in the PyTorch script.
struct Size {
    name: &'static str,
    layers: usize,
    d_model: usize,
    d_ff: usize,
    heads: usize,
    vocabulary: usize,
    sentences: usize,
    length: usize,
}

const SIZES: [Size; 3] = [
    Size {
        name: "tiny",
        layers: 4,
        d_model: 128,
        d_ff: 256,
        heads: 4,
        vocabulary: 9700,
        sentences: 128,
        length: 15,
    },
    Size {
        name: "small",
        layers: 3,
        d_model: 256,
        d_ff: 512,
        heads: 8,
        vocabulary: 8000,
        sentences: 128,
        length: 14,
    },
    Size {
        name: "base",
        layers: 6,
        d_model: 512,
        d_ff: 2048,
        heads: 8,
        vocabulary: 10_000,
        sentences: 32,
        length: 16,
    },
];

#[derive(Serialize)]
struct Row {
    config: &'static str,
    threads: usize,
    seconds: f64,
    target_tokens_per_second: f64,
    gflops: f64,
    share_of_peak: f64,
    peak_mib: Option<u64>,
}

pub fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let shards = shards();
    let threads = threads().min(shards);
    let chosen = |size: &&Size| options.only.as_deref().is_none_or(|only| only == size.name);
    let sizes: Vec<&Size> = SIZES.iter().filter(chosen).collect();
    require(!sizes.is_empty(), || {
        let only = options.only.as_deref().unwrap_or_default();
        format!("there is no size {only:?}: there are tiny, small and base")
    })?;
    let peak = peak_gflops(threads);
    if !options.json {
        writeln!(
            out,
            "{}; matrix products reach {peak:.0} GFLOP/s",
            super::threads_used(threads, options.threads, shards)
        )?;
        writeln!(
            out,
            "{:<8}{:>12}{:>16}{:>10}{:>10}{:>12}",
            "size", "s a step", "target tokens/s", "GFLOP/s", "of peak", "peak MiB"
        )?;
    }
    for size in sizes {
        let row = measure(size, threads, options.steps, peak);
        if options.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
        } else {
            let memory = row.peak_mib.map_or("–".to_owned(), |m| m.to_string());
            writeln!(
                out,
                "{:<8}{:>12.4}{:>16.0}{:>10.1}{:>9.0}%{:>12}",
                row.config,
                row.seconds,
                row.target_tokens_per_second,
                row.gflops,
                100.0 * row.share_of_peak,
                memory
            )?;
        }
        out.flush()?;
    }
    if !options.short {
        scaling(threads, options, out)?;
        on_threads(threads, || decoding(options, out))?;
        operations(options, out)?;
    }
    Ok(())
}

/// Times the tiny training step on 1, 2, 4, … threads, relative to one.
fn scaling(threads: usize, options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    if !options.json {
        writeln!(out, "\nthreads, tiny   target tokens/s   against one")?;
    }
    let counts = std::iter::successors(Some(1), |n| Some(n * 2)).take_while(|&n| n <= threads);
    let mut one = None;
    for n in counts {
        // The number of shards is fixed, so the work stays the same.
        let row = measure(&SIZES[0], n, options.steps, f64::INFINITY);
        let speed = row.target_tokens_per_second;
        let ratio = speed / *one.get_or_insert(speed);
        if options.json {
            writeln!(
                out,
                "{}",
                json!({ "scaling": n, "target_tokens_per_second": speed, "ratio": ratio })
            )?;
        } else {
            writeln!(out, "{n:<16}{speed:>15.0}{ratio:>13.2}×")?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Times greedy decoding of one 15-word sentence to several lengths, with and without the cache.
fn decoding(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let (model, params) = SIZES[0].model();
    let src: Vec<u32> = (4..19).collect();
    if !options.json {
        writeln!(
            out,
            "\ngreedy, tiny, one sentence   ms cached   ms uncached   ratio"
        )?;
    }
    for length in [10, 50, 100, 200] {
        let time = |cache| {
            let how = DecodeOptions {
                max_len: Some(length),
                min_len: length,
                cache,
                ..DecodeOptions::greedy()
            };
            let runs = (0..3).map(|_| {
                let begun = Instant::now();
                translate(&model, &params, std::slice::from_ref(&src), &how);
                begun.elapsed().as_secs_f64()
            });
            runs.fold(f64::INFINITY, f64::min)
        };
        let (cached, uncached) = (time(true), time(false));
        let ratio = uncached / cached;
        if options.json {
            writeln!(
                out,
                "{}",
                json!({ "length": length, "cached_seconds": cached, "uncached_seconds": uncached, "ratio": ratio })
            )?;
        } else {
            writeln!(
                out,
                "{:<28}{:>10.1}{:>14.1}{ratio:>7.1}×",
                format!("{length} words"),
                1e3 * cached,
                1e3 * uncached
            )?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Reports how the forward pass of the tiny step divides its time, and the backward pass's share of the step.
fn operations(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let (model, params, batch) = built(&SIZES[0]);
    let batch = batch.part(0, 4);
    let (forward, back, mut by) = alone(|| {
        let tape = Tape::train(&params, 1).fused();
        let times = Rc::new(RefCell::new((Instant::now(), Vec::new())));
        let watched = times.clone();
        tape.watch(move |_| {
            let (last, all) = &mut *watched.borrow_mut();
            all.push(last.elapsed().as_secs_f64());
            *last = Instant::now();
        });
        let begun = Instant::now();
        times.borrow_mut().0 = begun;
        let result = step::loss(
            &model,
            &tape,
            &batch,
            &step_options(),
            1.0 / batch.target_tokens() as f32,
        );
        let forward = begun.elapsed().as_secs_f64();
        let trace = tape.trace();
        let mut by: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
        // The tape is notified when an operation is recorded, so each one's time ends at the next notification.
        for (step, time) in trace.steps().iter().skip(1).zip(&times.borrow().1) {
            let entry = by.entry(step.op()).or_default();
            entry.0 += time;
            entry.1 += 1;
        }
        drop(trace);
        let begun = Instant::now();
        tape.backward_streaming(&result.loss, |_, _| {});
        let by: Vec<(String, f64, usize)> = by
            .into_iter()
            .map(|(op, (t, n))| (op.to_owned(), t, n))
            .collect();
        (forward, begun.elapsed().as_secs_f64(), by)
    });
    by.sort_by(|a, b| b.1.total_cmp(&a.1));
    if options.json {
        let all: Vec<_> = by
            .iter()
            .map(|(op, time, n)| json!({ "operation": op, "seconds": time, "times": n }))
            .collect();
        let line =
            json!({ "forward_seconds": forward, "backward_seconds": back, "operations": all });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    writeln!(
        out,
        "\na shard of tiny on one thread: {:.1} ms forward (the loss with its gradients), {:.1} ms back",
        1e3 * forward,
        1e3 * back
    )?;
    for (op, time, n) in by.iter().filter(|(_, time, _)| *time > 0.002 * forward) {
        writeln!(
            out,
            "{op:<16}{n:>5} times{:>9.2} ms{:>7.1} %",
            1e3 * time,
            100.0 * time / forward
        )?;
    }
    Ok(())
}

impl Size {
    fn model(&self) -> (Transformer, Params) {
        let config = Config::annotated(self.vocabulary, self.vocabulary).sized(
            self.layers,
            self.d_model,
            self.d_ff,
            self.heads,
        );
        let mut params = Params::new(1);
        let model = Transformer::new(&mut params, &config);
        (model, params)
    }
}

/// Builds the model and one batch of random tokens.
fn built(size: &Size) -> (Transformer, Params, Batch) {
    let (model, params) = size.model();
    let draw = |name: &str, length| {
        let words = (size.vocabulary - 3) as f32;
        random::uniform(&[size.sentences, length], 1.0, 1, name)
            .map(|x| (3.0 + (x.abs() * words).floor()).min(words + 2.0))
    };
    let batch = Batch {
        src: draw("src", size.length),
        tgt: draw("tgt", size.length + 1),
    };
    (model, params, batch)
}

/// Number of shards: the same for any number of threads, so that the work is the same.
fn shards() -> usize {
    machine().clamp(4, 8)
}

fn step_options() -> StepOptions {
    StepOptions {
        smoothing: 0.1,
        spread: Spread::All,
        shards: shards(),
    }
}

fn measure(size: &Size, threads: usize, steps: usize, peak: f64) -> Row {
    on_threads(threads, || timed(size, threads, steps, peak))
}

fn timed(size: &Size, threads: usize, steps: usize, peak: f64) -> Row {
    let (model, mut params, batch) = built(size);
    let mut adam = Adam::new(&params);
    let options = step_options();
    let tokens = batch.target_tokens();
    let mut times: Vec<f64> = (0..steps + 2)
        .map(|n| {
            let start = Instant::now();
            let mut grads = Vec::new();
            let job = StepJob {
                model: &model,
                params: &params,
                batch: &batch,
                tokens,
                seed: derive_seed(1, n as u64),
                options,
            };
            job.gradients(&mut grads);
            let clip = (1.0 / norm(&grads)).min(1.0);
            adam.apply(&mut params, &grads, 1e-3, clip as f32);
            start.elapsed().as_secs_f64()
        })
        .skip(2)
        .collect();
    times.sort_by(f64::total_cmp);
    let seconds = times[times.len() / 2];
    let flops = 3.0 * forward_flops(size);
    Row {
        config: size.name,
        threads,
        seconds,
        target_tokens_per_second: tokens as f64 / seconds,
        gflops: flops / seconds / 1e9,
        share_of_peak: flops / seconds / 1e9 / peak,
        peak_mib: peak_memory(),
    }
}

/// Floating-point operations in the matrix products of a forward pass; the backward pass takes twice as many.
fn forward_flops(size: &Size) -> f64 {
    let (d, f, l) = (size.d_model as f64, size.d_ff as f64, size.length as f64);
    let rows = size.sentences as f64 * l;
    let attention = 8.0 * d * d + 4.0 * l * d;
    let feed_forward = 4.0 * d * f;
    rows * (size.layers as f64 * (3.0 * attention + 2.0 * feed_forward)
        + 2.0 * d * size.vocabulary as f64)
}

/// Peak GFLOP/s of the BLAS on products that fit the caches, one per thread.
pub(super) fn peak_gflops(threads: usize) -> f64 {
    let (n, times) = (512, 10);
    let (a, b) = (
        random::normal(&[n, n], 1.0, 1, "a"),
        random::normal(&[n, n], 1.0, 1, "b"),
    );
    let work = || {
        alone(|| {
            (0..times)
                .map(|_| matmul::matmul(&a, &b))
                .fold(Tensor::zeros(&[]), |_, x| x)
        })
    };
    let best = (0..5).map(|_| {
        let start = Instant::now();
        together(threads, |_| drop(work()));
        start.elapsed().as_secs_f64()
    });
    let seconds = best.fold(f64::INFINITY, f64::min);
    2.0 * (n * n * n * times * threads) as f64 / seconds / 1e9
}

/// Peak memory of this process, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(bytes(&status, "VmHWM:")? >> 20)
}
