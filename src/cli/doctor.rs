//! `doctor`: a report on the environment and on whether the engine computes correctly, for bug reports.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde::Serialize;

use self::environment::{Cpu, Memory, State, Terminal};
use super::parity;
use super::sentence::sentence;
use crate::lesson::progress;
use crate::tensor::threads::{machine, together};
use crate::tensor::{Tensor, alone, blas, matmul, on_threads, random, threads};

mod environment;
pub mod model;

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

pub fn run(json: bool, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
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
            terminal: Terminal::look(&mut notes),
            cpu: Cpu::look(),
            blas: Blas {
                library: blas::LIBRARY,
                kernels: blas::running(),
            },
            threads: Threads {
                machine: machine(),
                used: threads(),
            },
            memory: Memory::look(&mut notes),
            state: State::look(progress::folder(), &mut problems),
            product,
            parity: compare(&mut problems),
            problems,
            notes,
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let unknown = || "unknown".to_owned();
        let yes =
            |is: bool, what: &str| format!("{what} is {}a terminal", if is { "" } else { "not " });
        let gb = |bytes: Option<u64>| {
            bytes.map_or_else(unknown, |bytes| format!("{:.1} GB", bytes as f64 / 1e9))
        };
        let mut line = |name: &str, says: String| writeln!(out, "{name:<10}{says}");
        let (terminal, product) = (&self.terminal, &self.product);
        line(
            "program",
            format!(
                "transformer-tutor {}, {} build, {}",
                self.version, self.build, self.target
            ),
        )?;
        let size = terminal.columns.zip(terminal.rows);
        let size = size.map_or_else(unknown, |(columns, rows)| format!("{columns}×{rows}"));
        line(
            "terminal",
            format!(
                "TERM={}; {}, {}; size {size}; colours {}; locale {} ({})",
                terminal.term.clone().unwrap_or_else(unknown),
                yes(terminal.stdin_is_terminal, "stdin"),
                yes(terminal.stdout_is_terminal, "stdout"),
                terminal.colours,
                terminal.locale.clone().unwrap_or_else(unknown),
                if terminal.unicode {
                    "Unicode"
                } else {
                    "not Unicode"
                }
            ),
        )?;
        line(
            "processor",
            format!(
                "{}; features {}",
                self.cpu.name.clone().unwrap_or_else(unknown),
                self.cpu.features.join(" ")
            ),
        )?;
        let kernels = self.blas.kernels.clone().unwrap_or_else(unknown);
        line("BLAS", format!("{}, kernels {kernels}", self.blas.library))?;
        line(
            "threads",
            format!(
                "{} cores, {} used where nothing else is asked",
                self.threads.machine, self.threads.used
            ),
        )?;
        line(
            "memory",
            format!(
                "{}, {} available; the program may take {}, {}",
                gb(self.memory.total),
                gb(self.memory.available),
                gb(Some(self.memory.limit)),
                self.memory.bound.about()
            ),
        )?;
        let state = &self.state;
        line(
            "state",
            format!(
                "{}: {}, {}",
                state.folder.clone().unwrap_or_else(unknown),
                if state.exists {
                    "exists"
                } else {
                    "not made yet"
                },
                if state.writable {
                    "can be written"
                } else {
                    "CANNOT be written"
                }
            ),
        )?;
        let [n, k, m] = product.size;
        line(
            "product",
            format!(
                "{n}×{k}×{m}: {:.0} GFLOP/s on 1 thread, {:.0} on {}; largest error {:.1e} of {:.1e} allowed",
                product.gflops_one_thread,
                product.gflops_all_threads,
                self.threads.machine,
                product.largest_error,
                product.allowed_error
            ),
        )?;
        let cases = self.parity.iter().map(|case| {
            let verdict = if case.passed { "agrees" } else { "DIFFERS" };
            format!("{} {verdict} ({} tensors)", case.case, case.tensors)
        });
        line("PyTorch", cases.collect::<Vec<_>>().join(", "))?;
        for note in &self.notes {
            writeln!(out, "\nNote: {note}")?;
        }
        for problem in &self.problems {
            writeln!(out, "\nProblem: {problem}")?;
        }
        if self.problems.is_empty() {
            writeln!(
                out,
                "\nNothing is wrong. Put all of this into a bug report."
            )
        } else {
            writeln!(out, "\nPut all of this into a bug report.")
        }
    }
}

impl Product {
    fn time(problems: &mut Vec<String>) -> Self {
        let [n, k, m] = PRODUCT;
        let (a, b) = (
            random::normal(&[n, k], 1.0, 1, "a"),
            random::normal(&[k, m], 1.0, 1, "b"),
        );
        let found = alone(|| matmul::matmul(&a, &b));
        let largest_error = far(&a, &b, &found);
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
fn far(a: &Tensor, b: &Tensor, found: &Tensor) -> f64 {
    let cells = (0..found.shape()[0]).map(|i| (i, (i * 37) % found.last()));
    cells.fold(0.0, |most: f64, (i, j)| {
        let products = (0..a.last()).map(|n| f64::from(a.at(&[i, n])) * f64::from(b.at(&[n, j])));
        let error = (products.sum::<f64>() - f64::from(found.at(&[i, j]))).abs();
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
        let mut found = matmul::matmul(&a, &b);
        assert!(far(&a, &b, &found) < 1e-5);
        // Cell [2, 74 % 8] is one of those that are checked.
        found.data_mut()[2 * 8 + 2] += 0.5;
        assert!(far(&a, &b, &found) > 0.4);
        found.data_mut()[2 * 8 + 2] = f32::NAN;
        assert!(far(&a, &b, &found).is_nan());
    }
}
