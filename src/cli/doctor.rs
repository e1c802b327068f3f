//! `doctor`: a report on the environment and on whether the engine computes correctly, for bug reports.

use std::env;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde::Serialize;

use self::environment::{Cpu, Memory, State, Terminal, UNKNOWN};
use super::parity;
use super::sentence::sentence;
use crate::lesson::progress;
use crate::tensor::threads::{machine, together};
use crate::tensor::{Tensor, alone, blas, matmul, on_threads, random, threads};

mod environment;
mod model;

/// Cases computed by PyTorch and small enough to compile in: forward results and gradients of a whole encoder layer, of
/// LayerNorm, and of the loss.
const CASES: [(&str, &[u8]); 3] = [
    (
        "encoder_layer",
        include_bytes!("../../tests/fixtures/parity/set-1/encoder_layer.safetensors"),
    ),
    (
        "layer_norm",
        include_bytes!("../../tests/fixtures/parity/set-1/layer_norm.safetensors"),
    ),
    (
        "label_smoothing",
        include_bytes!("../../tests/fixtures/parity/set-1/label_smoothing.safetensors"),
    ),
];

/// Sizes of the timed product, `[512, 128] · [128, 256]`, as in a training step of a small model.
const PRODUCT: [usize; 3] = [512, 128, 256];

/// Time spent measuring each number of threads.
const TIMED: Duration = Duration::from_millis(150);

/// The full report. Nothing in it is private: it has no file contents, and the home folder is shown as `~`.
#[derive(Serialize)]
struct Report {
    version: &'static str,
    build: &'static str,
    target: String,
    terminal: Terminal,
    cpu: Cpu,
    blas: Blas,
    threads: Threads,
    memory: Memory,
    state: State,
    product: Product,
    parity: Vec<Case>,
    /// Problems, each with its remedy.
    problems: Vec<String>,
    /// Remarks that call for no action.
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Blas {
    library: &'static str,
    kernels: Option<String>,
}

#[derive(Serialize)]
struct Threads {
    machine: usize,
    used: usize,
}

#[derive(Serialize)]
struct Product {
    size: [usize; 3],
    gflops_one_thread: f64,
    gflops_all_threads: f64,
    /// Largest difference from sums in f64; `allowed_error` is the bound that rounding explains.
    largest_error: f64,
    allowed_error: f64,
}

#[derive(Serialize)]
struct Case {
    case: &'static str,
    tensors: usize,
    passed: bool,
}

/// Reports on a model, or on the environment if none is given.
pub fn run(model: Option<&Path>, json: bool, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(model) = model {
        return model::run(model, json, out);
    }
    let report = Report::make();
    if json {
        super::json(out, &report)?;
    } else {
        report.write(out)?;
    }
    out.flush()?;
    Ok(if report.problems.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl Report {
    fn make() -> Self {
        let (mut problems, mut notes) = (Vec::new(), Vec::new());
        let product = Product::time(&mut problems);
        Self {
            version: env!("CARGO_PKG_VERSION"),
            build: if cfg!(debug_assertions) {
                "dev"
            } else {
                "release"
            },
            target: format!("{}-{}", env::consts::ARCH, env::consts::OS),
            terminal: Terminal::detect(&mut notes),
            cpu: Cpu::detect(),
            blas: Blas {
                library: blas::LIBRARY,
                kernels: blas::running(),
            },
            threads: Threads {
                machine: machine(),
                used: threads(),
            },
            memory: Memory::detect(&mut notes),
            state: State::detect(progress::folder(), &mut problems),
            product,
            parity: compare(&mut problems),
            problems,
            notes,
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = |name: &str, value: &dyn fmt::Display| writeln!(out, "{name:<10}{value}");
        let program = format!(
            "transformer-tutor {}, {} build, {}",
            self.version, self.build, self.target
        );
        line("program", &program)?;
        line("terminal", &self.terminal)?;
        line("processor", &self.cpu)?;
        line("BLAS", &self.blas)?;
        line("threads", &self.threads)?;
        line("memory", &self.memory)?;
        line("state", &self.state)?;
        line("product", &self.product)?;
        let cases: Vec<String> = self.parity.iter().map(Case::to_string).collect();
        line("PyTorch", &cases.join(", "))?;
        for note in &self.notes {
            writeln!(out, "\nNote: {note}")?;
        }
        for problem in &self.problems {
            writeln!(out, "\nProblem: {problem}")?;
        }
        if self.problems.is_empty() {
            write!(out, "\nNothing is wrong. ")?;
        } else {
            writeln!(out)?;
        }
        writeln!(out, "Put all of this into a bug report.")
    }
}

impl fmt::Display for Blas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernels = self.kernels.as_deref().unwrap_or(UNKNOWN);
        write!(f, "{}, kernels {kernels}", self.library)
    }
}

impl fmt::Display for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} cores, {} used where nothing else is asked",
            self.machine, self.used
        )
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [n, k, m] = self.size;
        write!(
            f,
            "{n}×{k}×{m}: {:.0} GFLOP/s on 1 thread, {:.0} on {}; largest error {:.1e} of {:.1e} allowed",
            self.gflops_one_thread,
            self.gflops_all_threads,
            machine(),
            self.largest_error,
            self.allowed_error
        )
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed { "agrees" } else { "DIFFERS" };
        write!(f, "{} {verdict} ({} tensors)", self.case, self.tensors)
    }
}

impl Product {
    fn time(problems: &mut Vec<String>) -> Self {
        let [n, k, m] = PRODUCT;
        let (a, b) = (
            random::normal(&[n, k], 1.0, 1, "a"),
            random::normal(&[k, m], 1.0, 1, "b"),
        );
        let product = alone(|| matmul::matmul(&a, &b));
        let largest_error = far(&a, &b, &product);
        // Each of k additions rounds a sum of about √k. The bound is far above real rounding errors and far below the
        // error of a wrong kernel.
        let allowed_error = k as f64 * f64::from(f32::EPSILON) * (k as f64).sqrt();
        // NaN compares false, so test for it explicitly.
        if largest_error.is_nan() || largest_error > allowed_error {
            problems.push(format!(
                "A matrix product is wrong by {largest_error:.1e}, where {allowed_error:.1e} is allowed. Set \
                 BLIS_ARCH_TYPE=3 (AVX2 kernels) and try again; report this either way."
            ));
        }
        let speed = |threads: usize| {
            on_threads(threads, || {
                let mut best = f64::INFINITY;
                let begun = Instant::now();
                while begun.elapsed() < TIMED {
                    const TIMES: usize = 4;
                    let start = Instant::now();
                    together(threads, |_| {
                        alone(|| (0..TIMES).for_each(|_| drop(matmul::matmul(&a, &b))));
                    });
                    best = best.min(start.elapsed().as_secs_f64() / (TIMES * threads) as f64);
                }
                2.0 * (n * k * m) as f64 / best / 1e9
            })
        };
        Self {
            size: PRODUCT,
            gflops_one_thread: speed(1),
            gflops_all_threads: speed(machine()),
            largest_error,
            allowed_error,
        }
    }
}

/// Largest difference between one cell of each row of a product and its sum in f64; NaN if one is NaN.
fn far(a: &Tensor, b: &Tensor, product: &Tensor) -> f64 {
    let cells = (0..product.shape()[0]).map(|i| (i, (i * 37) % product.last()));
    cells.fold(0.0, |most: f64, (i, j)| {
        let products = (0..a.last()).map(|n| f64::from(a.at(&[i, n])) * f64::from(b.at(&[n, j])));
        let error = (products.sum::<f64>() - f64::from(product.at(&[i, j]))).abs();
        if error > most || error.is_nan() {
            error
        } else {
            most
        }
    })
}

/// Compares the engine with PyTorch's results.
fn compare(problems: &mut Vec<String>) -> Vec<Case> {
    CASES
        .into_iter()
        .map(|(case, bytes)| {
            let compared = parity::compare_bytes(case, bytes);
            let (tensors, passed) = match &compared {
                Ok(Some(report)) => (report.tensors.len(), report.passed),
                _ => (0, false),
            };
            if !passed {
                let why = match compared {
                    Err(error) => format!(": {}", sentence(&error)),
                    _ => String::new(),
                };
                problems.push(format!(
                    "The engine does not agree with PyTorch in {case}{why}. Its numbers can't be trusted on this machine; \
                     please report it."
                ));
            }
            Case {
                case,
                tensors,
                passed,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_that_is_wrong_in_one_cell_or_nan_is_noticed() {
        let draw = |shape: &[usize], name| random::normal(shape, 1.0, 1, name);
        let (a, b) = (draw(&[8, 5], "a"), draw(&[5, 8], "b"));
        let mut product = matmul::matmul(&a, &b);
        assert!(far(&a, &b, &product) < 1e-5);
        // Cell [2, 74 % 8] is one of those that are checked.
        product.data_mut()[2 * 8 + 2] += 0.5;
        assert!(far(&a, &b, &product) > 0.4);
        product.data_mut()[2 * 8 + 2] = f32::NAN;
        assert!(far(&a, &b, &product).is_nan());
    }
}
