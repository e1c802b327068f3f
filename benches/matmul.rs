//! Speed of matrix products: `cargo bench --bench matmul` prints two tables.
//!
//! 1. GFLOP/s (2·m·k·n operations) of BLIS with the kernels that it picks itself, its AVX2 kernels (haswell) and its
//!    AVX-512 kernels (skx), of its vector product row by row (gemv), of the product that is the same on every chip
//!    (portable), of matrixmultiply, which ndarray uses without a BLAS, and of plain loops: in one thread, and in four
//!    independent threads.
//! 2. Nanoseconds per call for tiny and flat products: when is calling the BLAS worth it?
//!
//! With a different BLAS (`--features openblas`) the first three columns are three runs of the same kernels.
//!
//! A BLAS chooses its kernels once per process, so each choice runs in its own process. They take turns for three
//! rounds and the best time counts, because a shared machine only ever makes a run slower.

#![allow(unsafe_code)] // calls the other kernels

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use transformer_tutor::tensor::portable;

const CHILD: &str = "MATMUL_BENCH_CHILD";
const ROUNDS: usize = 3;
const SLICE: Duration = Duration::from_millis(100);

/// `count` products `[m, k] · [k, n]`; `transposed` stores the right operand as `[n, k]`, as attention stores its keys.
#[derive(Clone, Copy)]
struct Shape {
    count: usize,
    m: usize,
    k: usize,
    n: usize,
    transposed: bool,
}

const fn shape(count: usize, m: usize, k: usize, n: usize) -> Shape {
    Shape {
        count,
        m,
        k,
        n,
        transposed: false,
    }
}

const LARGE: [Shape; 8] = [
    shape(1, 160, 32, 64),
    shape(1, 256, 64, 128),
    shape(1, 512, 128, 128),
    shape(1, 512, 128, 256),
    shape(1, 300, 512, 512),
    shape(1, 1024, 1024, 1024),
    shape(240, 10, 11, 64),
    Shape {
        transposed: true,
        ..shape(240, 10, 64, 11)
    },
];

const TINY: [Shape; 18] = [
    shape(1, 2, 2, 2),
    shape(1, 4, 4, 4),
    shape(1, 8, 8, 8),
    shape(1, 12, 12, 12),
    shape(1, 16, 16, 16),
    shape(1, 24, 24, 24),
    shape(1, 32, 32, 32),
    shape(1, 48, 48, 48),
    shape(1, 64, 64, 64),
    shape(1, 10, 11, 64),
    Shape {
        transposed: true,
        ..shape(1, 10, 64, 11)
    },
    shape(1, 11, 64, 10),
    shape(1, 1, 512, 512),
    Shape {
        transposed: true,
        ..shape(1, 1, 512, 512)
    },
    shape(1, 4, 512, 512),
    shape(1, 8, 512, 512),
    shape(1, 16, 512, 512),
    shape(1, 32, 512, 512),
];

/// Fills `c` with `a · b`.
type Kernel = fn(ArrayView2<f32>, ArrayView2<f32>, ArrayViewMut2<f32>);

const BLAS: [(&str, Kernel); 2] = [("blas", blas), ("gemv", gemv)];

const RUST: [(&str, Kernel); 3] = [
    ("portable", in_order),
    ("matrixmultiply", matrixmultiply),
    ("loops", loops),
];

fn blas(a: ArrayView2<f32>, b: ArrayView2<f32>, mut c: ArrayViewMut2<f32>) {
    general_mat_mul(1.0, &a, &b, 0.0, &mut c);
}

/// The product computed by the portable loops.
fn in_order(a: ArrayView2<f32>, b: ArrayView2<f32>, mut c: ArrayViewMut2<f32>) {
    let out = c.as_slice_mut().expect("the bench's results are row-major");
    if !portable::few(a, b, 0.0, out) {
        portable::packed(a, b, 0.0, out);
    }
}

/// The product computed row by row with the BLAS's matrix-vector product.
fn gemv(a: ArrayView2<f32>, b: ArrayView2<f32>, mut c: ArrayViewMut2<f32>) {
    for (a, mut c) in a.rows().into_iter().zip(c.rows_mut()) {
        ndarray::linalg::general_mat_vec_mul(1.0, &b.t(), &a, 0.0, &mut c);
    }
}

fn matrixmultiply(a: ArrayView2<f32>, b: ArrayView2<f32>, mut c: ArrayViewMut2<f32>) {
    let ((m, k), n) = (a.dim(), b.ncols());
    let (sa, sb) = (a.strides().to_vec(), b.strides().to_vec());
    let sc = c.strides().to_vec();
    // SAFETY: shapes and strides are those of the three arrays, whose inner sizes agree.
    unsafe {
        matrixmultiply::sgemm(
            m,
            k,
            n,
            1.0,
            a.as_ptr(),
            sa[0],
            sa[1],
            b.as_ptr(),
            sb[0],
            sb[1],
            0.0,
            c.as_mut_ptr(),
            sc[0],
            sc[1],
        );
    }
}

/// Row by row, `c[i] += a[i][p] · b[p]`: the inner loop runs along rows, so that the compiler vectorises it.
fn loops(a: ArrayView2<f32>, b: ArrayView2<f32>, mut c: ArrayViewMut2<f32>) {
    let (k, n) = b.dim();
    let b = b.as_standard_layout(); // copies a transposed operand
    let (a, b, c) = (
        a.as_slice().unwrap(),
        b.as_slice().unwrap(),
        c.as_slice_mut().unwrap(),
    );
    for (a, c) in a.chunks_exact(k).zip(c.chunks_exact_mut(n)) {
        c.fill(0.0);
        for (&a, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, &b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

/// Seconds for all products of the shape, in the fastest of many short runs within `SLICE`.
fn seconds(shape: Shape, kernel: Kernel) -> f64 {
    let Shape {
        count,
        m,
        k,
        n,
        transposed,
    } = shape;
    let rows = |r: usize, c: usize| {
        Array2::from_shape_fn((r, c), |(i, j)| ((i * 7 + j * 3) % 11) as f32 - 5.0)
    };
    let a = rows(count * m, k);
    let b = if transposed {
        rows(count * n, k)
    } else {
        rows(count * k, n)
    };
    let mut c = Array2::<f32>::zeros((count * m, n));
    let mut once = || {
        if count == 1 {
            // Not sliced: ndarray gives a sliced row the stride 0, and then bypasses the BLAS.
            let b = if transposed { b.t() } else { b.view() };
            return kernel(black_box(a.view()), black_box(b), c.view_mut());
        }
        for i in 0..count {
            let a = a.slice(ndarray::s![i * m..(i + 1) * m, ..]);
            let b = if transposed {
                b.slice(ndarray::s![i * n..(i + 1) * n, ..]).reversed_axes()
            } else {
                b.slice(ndarray::s![i * k..(i + 1) * k, ..])
            };
            kernel(
                black_box(a),
                black_box(b),
                c.slice_mut(ndarray::s![i * m..(i + 1) * m, ..]),
            );
        }
    };
    once(); // the first product chooses kernels and allocates memory
    let start = Instant::now();
    once();
    let repeats = (1e-3 / start.elapsed().as_secs_f64())
        .ceil()
        .clamp(1.0, 1e5) as usize;
    let mut best = f64::INFINITY;
    let begin = Instant::now();
    while begin.elapsed() < SLICE {
        let start = Instant::now();
        for _ in 0..repeats {
            once();
        }
        best = best.min(start.elapsed().as_secs_f64() / repeats as f64);
    }
    best
}

/// Prints `table shape kernel value` lines for the parent: GFLOP/s summed over the threads, or nanoseconds.
fn child(kernels: &[(&str, Kernel)]) {
    for &(name, kernel) in kernels {
        for (index, &shape) in LARGE.iter().enumerate() {
            let flops = 2.0 * (shape.count * shape.m * shape.k * shape.n) as f64;
            for threads in [1, 4] {
                let speed: f64 = std::thread::scope(|scope| {
                    let work: Vec<_> = (0..threads)
                        .map(|_| scope.spawn(|| flops / seconds(shape, kernel)))
                        .collect();
                    work.into_iter().map(|thread| thread.join().unwrap()).sum()
                });
                println!("{threads} {index} {name} {}", speed / 1e9);
            }
        }
        for (index, &shape) in TINY.iter().enumerate() {
            println!("0 {index} {name} {}", seconds(shape, kernel) * 1e9);
        }
    }
}

fn main() {
    // Must come first, while there is only one thread.
    transformer_tutor::tensor::blas::prepare();
    match std::env::var(CHILD).as_deref() {
        Ok("blas") => return child(&BLAS),
        Ok(_) => return child(&RUST),
        Err(_) => {}
    }
    // (table, shape, column) -> best value. Table 0 holds nanoseconds, 1 and 4 hold GFLOP/s with that many threads.
    let mut best = BTreeMap::<(usize, usize, String), f64>::new();
    for _ in 0..ROUNDS {
        for (column, arch) in [
            ("as it comes", None),
            ("haswell", Some("3")),
            ("skx", Some("0")),
            ("", None),
        ] {
            if arch == Some("0") && !has_avx512() {
                continue;
            }
            let mut command = Command::new(std::env::current_exe().unwrap());
            command
                .env(CHILD, if column.is_empty() { "rust" } else { "blas" })
                .env_remove("BLIS_ARCH_TYPE");
            command.envs(arch.map(|arch| ("BLIS_ARCH_TYPE", arch)));
            let output = command.output().unwrap();
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            for line in String::from_utf8(output.stdout).unwrap().lines() {
                let words: Vec<&str> = line.split(' ').collect();
                let (table, shape) = (words[0].parse().unwrap(), words[1].parse().unwrap());
                let value: f64 = words[3].parse().unwrap();
                // The vector product is of interest with the AVX2 kernels only.
                let column = match words[2] {
                    "blas" => column,
                    "gemv" if column != "haswell" => continue,
                    name => name,
                };
                let best = best
                    .entry((table, shape, column.to_string()))
                    .or_insert(value);
                *best = if table == 0 {
                    best.min(value)
                } else {
                    best.max(value)
                };
            }
        }
    }
    let columns = [
        "as it comes",
        "haswell",
        "skx",
        "gemv",
        "portable",
        "matrixmultiply",
        "loops",
    ];
    for (table, title, shapes) in [
        (1, "GFLOP/s, one thread", &LARGE[..]),
        (4, "GFLOP/s, four threads together", &LARGE[..]),
        (0, "nanoseconds a call", &TINY[..]),
    ] {
        println!(
            "\n{title:31}{}",
            columns.map(|column| format!("{column:>15}")).concat()
        );
        for (
            index,
            &Shape {
                count,
                m,
                k,
                n,
                transposed,
            },
        ) in shapes.iter().enumerate()
        {
            let times = if count > 1 {
                format!("{count} × ")
            } else {
                String::new()
            };
            print!(
                "{:31}",
                format!(
                    "{times}{m}×{k}×{n}{}",
                    if transposed { " (b transposed)" } else { "" }
                )
            );
            for column in columns {
                match best.get(&(table, index, column.to_string())) {
                    Some(value) => print!("{value:15.0}"),
                    None => print!("{:>15}", "-"),
                }
            }
            println!();
        }
    }
}

fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
