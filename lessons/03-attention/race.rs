//! Dot-product attention compared with additive attention in time and memory.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::ops::ControlFlow;

use transformer_tutor::autograd::Tape;
use transformer_tutor::clock::Instant;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::{Body, Picture};
use transformer_tutor::nn::additive::AdditiveAttention;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::random;

/// Numbers of queries and keys in the race.
const SIZES: [usize; 5] = [10, 30, 100, 300, 1000];

/// Width of a query, a key and a value, and of the space in which additive attention compares them.
const WIDTH: usize = 64;

/// The two ways to compute scores.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    DotProduct,
    Additive,
}

/// Cost of one run.
#[derive(Clone, Copy)]
pub struct Cost {
    /// Time from queries, keys and values to the context.
    pub milliseconds: f64,
    /// Size of every tensor computed on the way, including the context.
    pub bytes: usize,
}

/// Runs one head over `n` queries and `n` keys.
pub fn cost(n: usize, kind: Kind) -> Cost {
    let mut params = Params::new(1);
    let layer = AdditiveAttention::new(&mut params, WIDTH, WIDTH);
    let tape = Tape::eval(&params);
    let draw = |name, axis| {
        let x = random::normal(&[1, n, WIDTH], 1.0, 1, name);
        tape.input(name, x, &["b", axis, "k"])
    };
    let (q, k, v) = (draw("q", "t"), draw("k", "s"), draw("v", "s"));
    let start = Instant::now();
    let attended = match kind {
        Kind::DotProduct => attention(&q, &k, &v, None, 0.0),
        Kind::Additive => layer.forward(&q, &k, &v, None),
    };
    black_box(attended.context.value());
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let trace = tape.trace();
    let computed = trace.steps().iter().filter(|s| s.computed().is_some());
    // Tensors that are views of the same memory count once.
    let memory = computed.map(|s| (s.value.data().as_ptr(), 4 * s.value.len()));
    let bytes = memory.collect::<BTreeMap<_, _>>().values().sum();
    Cost {
        milliseconds,
        bytes,
    }
}

/// The picture of the race, which the learner starts.
pub fn picture() -> Picture {
    Picture::drawn("additive", Body::job(race)).measuring()
}

fn race(report: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Progress {
    let mut rows = Vec::new();
    let mut progress = None;
    let pairs = |sizes: &[usize]| sizes.iter().map(|n| (n * n) as f32).sum::<f32>();
    for (at, n) in SIZES.into_iter().enumerate() {
        let [dot, additive] = [Kind::DotProduct, Kind::Additive].map(|kind| best(n, kind));
        rows.push(vec![
            n.to_string(),
            format!("{:.3}", dot.milliseconds),
            format!("{:.3}", additive.milliseconds),
            format!("{:.1}", dot.bytes as f64 / 1e3),
            format!("{:.1}", additive.bytes as f64 / 1e3),
        ]);
        let next = match SIZES.get(at + 1) {
            Some(next) => format!(" Now {next} of each."),
            None => String::new(),
        };
        let now = Progress {
            body: Body::table(
                &["n", "dot ms", "add. ms", "dot kB", "add. kB"],
                rows.clone(),
            ),
            says: format!(
                "With {n} queries and keys the additive way took {:.0} times as long, and {:.0} times the memory.{next}",
                additive.milliseconds / dot.milliseconds,
                additive.bytes as f64 / dot.bytes as f64
            ),
            // Time grows with the number of pairs, so nearly all of it goes to the last size.
            done: pairs(&SIZES[..=at]) / pairs(&SIZES),
            run: None,
            written: None,
        };
        let go_on = report(now.clone());
        progress = Some(now);
        if go_on.is_break() {
            break;
        }
    }
    progress.expect("there is a first size")
}

/// The fastest of three runs, because the first pays for memory that the others reuse. Large runs take long enough to
/// be timed once.
fn best(n: usize, kind: Kind) -> Cost {
    let runs = (0..if n < 300 { 3 } else { 1 }).map(|_| cost(n, kind));
    let faster = |a: Cost, b: Cost| {
        if b.milliseconds < a.milliseconds {
            b
        } else {
            a
        }
    };
    runs.reduce(faster).expect("one run at least")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dot_product_holds_three_tables_and_the_context() {
        // Scores, scaled scores and weights; the context.
        let cost = cost(30, Kind::DotProduct);
        assert_eq!(cost.bytes, 4 * (3 * 30 * 30 + 30 * 64));
    }

    #[test]
    fn additive_attention_holds_a_row_for_every_pair_twice() {
        // The sum and its tanh; scores and weights; query, key and context with 64 channels.
        let cost = cost(30, Kind::Additive);
        assert_eq!(
            cost.bytes,
            4 * (2 * 30 * 30 * 64 + 2 * 30 * 30 + 3 * 30 * 64)
        );
    }

    #[test]
    fn a_race_that_is_stopped_returns_what_it_has() {
        let mut seen = 0;
        let last = race(&mut |_| {
            seen += 1;
            ControlFlow::Break(())
        });
        // Pairs at sizes 10, 30, 100, 300 and 1,000.
        let all = 100.0 + 900.0 + 10_000.0 + 90_000.0 + 1_000_000.0;
        assert_eq!((seen, last.done), (1, 100.0 / all));
    }
}
