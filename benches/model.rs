//! Time to build and to run the full-size model, and the memory that it needs with the whole trace kept.
//!
//! `cargo bench --profile dev --bench model` measures the build that `cargo run` makes.

use std::time::Instant;

use transformer_tutor::autograd::Tape;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::{Config, Transformer};

const WORDS: usize = 30_000;
const BATCH: usize = 30;
const SOURCE: usize = 11;
const TARGET: usize = 10;

fn main() {
    // Must come first, while there is only one thread.
    transformer_tutor::tensor::blas::prepare();
    let start = Instant::now();
    let mut params = Params::new(1);
    let model = Transformer::new(&mut params, &Config::annotated(WORDS, WORDS));
    println!(
        "{} parameters built in {:.0?}",
        params.count(),
        start.elapsed()
    );
    println!("memory at most so far: {}", memory());
    let words = |length| {
        let id = |i: &[usize]| ((i[0] * 131 + i[1] * 17) % (WORDS - 3) + 3) as f32;
        Tensor::from_fn(&[BATCH, length], id)
    };
    for turn in 1..=3 {
        let start = Instant::now();
        let tape = Tape::eval(&params);
        let src = tape.ids("src", words(SOURCE), &["b", "s"]);
        let tgt = tape.ids("tgt", words(TARGET), &["b", "t"]);
        let pass = model.forward(&src, &tgt);
        let trace = tape.trace();
        println!(
            "pass {turn}: {} steps in {:.0?}",
            trace.steps().len(),
            start.elapsed()
        );
        if turn == 1 {
            println!("memory at most so far, with its trace: {}", memory());
        }
        let start = Instant::now();
        let loss = pass
            .log_probs
            .pick(&tape.ids("tgt_y", words(TARGET), &["b", "t"]));
        let grads = loss.mean().backward();
        assert!(grads.get(&src).is_none() && grads.get(&pass.memory).is_some());
        println!("  every gradient in {:.0?}", start.elapsed());
    }
    println!(
        "memory at most, with the gradients of every tensor: {}",
        memory()
    );
}

/// The peak memory of the process, as text; says so if the system does not report it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("not told by this system".to_owned(), |l| {
        l.trim().to_owned()
    })
}
