//! `bench`: what the engine does on this machine, to be compared with `tests/pytorch_step.py`.

use std::io::Write;
use std::time::Instant;

use serde::Serialize;

use crate::ops::Spread;
use crate::params::Params;
use crate::tensor::{Tensor, alone, matmul, random};
use crate::train::adam::Adam;
use crate::train::step::{Batch, StepOptions, gradients, mixed, norm};
use crate::transformer::{Config, Transformer};

#[derive(clap::Args)]
pub struct Options {
    /// Threads; all of the machine's without it
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Only this size: tiny, small, base
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Steps that are timed, after two that are not
    #[arg(long, default_value_t = 10, value_name = "N")]
    steps: usize,
    /// As JSON lines, one a size
    #[arg(long)]
    json: bool,
}

/// A model and a batch: the sizes of the PyTorch script.
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
    let machine = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or(machine).max(1);
    let chosen = |size: &&Size| options.only.as_deref().is_none_or(|only| only == size.name);
    let sizes: Vec<&Size> = SIZES.iter().filter(chosen).collect();
    anyhow::ensure!(
        !sizes.is_empty(),
        "there is no size {:?}: there are tiny, small and base",
        options.only.as_deref().unwrap_or_default()
    );
    let peak = peak_gflops(threads);
    if !options.json {
        writeln!(
            out,
            "{threads} threads; matrix products reach {peak:.0} GFLOP/s"
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
    Ok(())
}

fn measure(size: &Size, threads: usize, steps: usize, peak: f64) -> Row {
    let config = Config::annotated(size.vocabulary, size.vocabulary).sized(
        size.layers,
        size.d_model,
        size.d_ff,
        size.heads,
    );
    let mut params = Params::new(1);
    let model = Transformer::new(&mut params, &config);
    let mut adam = Adam::new(&params);
    let draw = |name: &str, length| {
        random::uniform(&[size.sentences, length], 1.0, 1, name).map(|x| {
            (3.0 + (x.abs() * (size.vocabulary - 3) as f32).floor())
                .min((size.vocabulary - 1) as f32)
        })
    };
    let batch = Batch {
        src: draw("src", size.length),
        tgt: draw("tgt", size.length + 1),
    };
    let options = StepOptions {
        smoothing: 0.1,
        spread: Spread::All,
        shards: 4.max(threads.min(8)),
        threads,
    };
    let tokens = batch.target_tokens();
    let mut times: Vec<f64> = (0..steps + 2)
        .map(|n| {
            let start = Instant::now();
            let mut grads = Vec::new();
            gradients(
                &model,
                &params,
                &batch,
                tokens,
                mixed(1, n as u64),
                &options,
                &mut grads,
            );
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

/// Operations of the matrix products of a pass forward; backward takes twice as many.
fn forward_flops(size: &Size) -> f64 {
    let (d, f, l) = (size.d_model as f64, size.d_ff as f64, size.length as f64);
    let rows = size.sentences as f64 * l;
    let attention = 8.0 * d * d + 4.0 * l * d;
    let feed_forward = 4.0 * d * f;
    rows * (size.layers as f64 * (3.0 * attention + 2.0 * feed_forward)
        + 2.0 * d * size.vocabulary as f64)
}

/// What the BLAS reaches on products that fit the caches, each thread its own.
fn peak_gflops(threads: usize) -> f64 {
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
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
        start.elapsed().as_secs_f64()
    });
    let seconds = best.fold(f64::INFINITY, f64::min);
    2.0 * (n * n * n * times * threads) as f64 / seconds / 1e9
}

/// The most memory that this process has held, where the system says so.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}
