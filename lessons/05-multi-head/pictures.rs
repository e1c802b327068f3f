//! The drawings beyond the recorded run, each measured.

use std::panic::resume_unwind;

use transformer_tutor::autograd::{Nature, Tape, Trace};
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::lesson::{Body, Picture, Settings};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::threads::Scope;
use transformer_tutor::tensor::{Tensor, matmul, random};

use super::record::{D_MODEL, LENGTHS, maps};

/// What a number of heads costs, at the standard sizes.
pub struct Cost {
    pub heads: usize,
    pub parameters: usize,
    /// Floating-point operations of all matrix products.
    pub products: u64,
    /// Cells that the softmax has to work out.
    pub cells: usize,
}

/// Counted from recorded runs, once, side by side.
pub static COSTS: Lazy<[Cost; 4]> = Lazy::new(|| {
    std::thread::scope(|scope| {
        let run = |heads| {
            let here = Scope::here();
            scope.spawn(move || here.enter(|| cost(heads)))
        };
        let runs = [1, 2, 8, 16].map(run);
        runs.map(|run| run.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
});

fn cost(heads: usize) -> Cost {
    let mut params = Params::new(1);
    let maps = maps(&mut params, heads, false);
    let tape = Tape::eval(&params);
    let draw = |name: &str, length| random::normal(&[30, length, D_MODEL], 1.0, 1, name);
    let x = tape.input("x", draw("x", LENGTHS.0), &["b", "t", "d"]);
    let memory = tape.input("memory", draw("memory", LENGTHS.1), &["b", "s", "d"]);
    let weights = maps.forward(&x, &memory, &memory, None).weights;
    let trace = tape.trace();
    let products = trace
        .steps()
        .iter()
        .filter(|s| s.op().starts_with("matmul"));
    let flops = |step: &transformer_tutor::autograd::Step| {
        let inputs: Vec<Tensor> = step
            .inputs()
            .iter()
            .map(|&i| trace.steps()[i].value.clone())
            .collect();
        step.computed()
            .map_or(0, |op| op.flops(&inputs, &step.value))
    };
    Cost {
        heads,
        parameters: params.count(),
        products: products.map(flops).sum(),
        cells: weights.value().len(),
    }
}

/// Weights of a map from 512 to 512 channels in `groups` groups, each of which reads its own inputs:
/// what a 1×1 convolution with groups has.
pub fn grouped_weights(groups: usize) -> usize {
    let mut params = Params::layout();
    for group in 0..groups {
        let size = D_MODEL / groups;
        let init = transformer_tutor::params::Init::XavierUniform;
        params.add(&format!("group.{group}"), &[size, size], &["d", "d"], init);
    }
    params.count()
}

/// The largest difference between three products with W_Q, W_K, W_V and one with all three stacked.
pub static FUSED: Lazy<f64> = Lazy::new(|| {
    let mut params = Params::new(1);
    let maps = maps(&mut params, 8, false);
    let weights = [&maps.query, &maps.key, &maps.value].map(|map| params.get(map.weight));
    let x = random::normal(&[30, LENGTHS.0, D_MODEL], 1.0, 1, "x");
    let stacked = weights.iter().flat_map(|w| w.data().to_vec()).collect();
    let fused = matmul::matmul_t(&x, &Tensor::new(&[3 * D_MODEL, D_MODEL], stacked));
    let three = weights.map(|w| matmul::matmul_t(&x, w));
    let largest = |n: usize| {
        let pairs = three[n]
            .data()
            .chunks(D_MODEL)
            .zip(fused.data().chunks(3 * D_MODEL));
        let apart = pairs.flat_map(|(one, all)| {
            one.iter()
                .zip(&all[n * D_MODEL..])
                .map(|(a, b)| f64::from((a - b).abs()))
        });
        apart.fold(0.0, f64::max)
    };
    (0..3).map(largest).fold(0.0, f64::max)
});

/// The pictures of a standard run; the small examples have none.
pub fn all(trace: &Trace, settings: &Settings) -> Vec<Picture> {
    let mut pictures = vec![costs(), groups()];
    pictures.extend(ablation(trace, settings.broken("no-output")));
    pictures.extend(reads(trace));
    pictures
}

fn costs() -> Picture {
    let rows = COSTS.iter().map(|c| {
        [
            c.heads as u64,
            c.parameters as u64,
            c.products,
            c.cells as u64,
        ]
        .map(grouped)
        .to_vec()
    });
    Picture {
        name: "cost",
        title: "What heads cost".to_owned(),
        says: "Counted from recorded runs: the same parameters and the same operations in matrix products, but a softmax cell for every head and pair of words.".to_owned(),
        body: Body::Table {
            header: ["heads", "parameters", "operations in products", "softmax cells"]
                .map(String::from)
                .to_vec(),
            rows: rows.collect(),
        },
    }
}

fn grouped(n: u64) -> String {
    transformer_tutor::widgets::number::grouped(n)
}

fn groups() -> Picture {
    let row = |what: &str, full: usize, eight: usize| {
        vec![what.to_owned(), grouped(full as u64), grouped(eight as u64)]
    };
    let (one, eight) = (grouped_weights(1), grouped_weights(8));
    Picture {
        name: "groups",
        title: "Groups and heads".to_owned(),
        says: "A group reads only its share of the inputs, and so has fewer weights. A head reads all inputs; only the outputs are shared out.".to_owned(),
        body: Body::Table {
            header: ["weights", "1 group or head", "8"].map(String::from).to_vec(),
            rows: vec![
                row("1×1 convolution, 512 to 512 channels", one, eight),
                row("W_Q, W_K and W_V of the heads", 3 * one, 3 * one),
                row("… if every head read its own block only", 3 * one, 3 * eight),
            ],
        },
    }
}

/// For each head that is switched off (row), how far each block of output channels moves (column).
pub fn ablated(trace: &Trace, without_output: bool) -> Option<Tensor> {
    let (combined, weights) = (trace.tensor("combined")?, trace.tensor("weights")?);
    let heads = weights.shape()[1];
    let block = D_MODEL / heads;
    let w_o = trace.tensor("output.weight");
    let identity = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    let cell = |i: &[usize]| {
        // What head i[0] wrote, alone, through the rows of W_O that make block i[1].
        let part = Tensor::from_fn(&[block, block], |at| {
            let (row, column) = (i[1] * block + at[0], i[0] * block + at[1]);
            match w_o {
                Some(w) if !without_output => w.at(&[row, column]),
                _ => identity(row, column),
            }
        });
        let rows = combined.len() / D_MODEL;
        let own = combined.data().chunks(D_MODEL).take(rows.min(60));
        let own: Vec<f32> = own
            .flat_map(|row| row[i[0] * block..(i[0] + 1) * block].to_vec())
            .collect();
        let own = Tensor::new(&[own.len() / block, block], own);
        matmul::matmul_t(&own, &part).rms() as f32
    };
    (heads <= 16).then(|| Tensor::from_fn(&[heads, heads], cell))
}

fn ablation(trace: &Trace, without_output: bool) -> Option<Picture> {
    let moved = ablated(trace, without_output)?;
    let heads = moved.last();
    let still = moved.data().iter().filter(|x| **x == 0.0).count();
    let block = D_MODEL / heads;
    let name = |n: usize| (n * block).to_string();
    Some(Picture {
        name: "ablation",
        title: "Switch one head off: which outputs move?".to_owned(),
        says: if still == 0 {
            format!("Every head moves all {heads} blocks of output channels: W_O mixes the heads.")
        } else {
            format!(
                "{still} of {} blocks do not move at all: a head writes its own channels and no others.",
                heads * heads
            )
        },
        body: Body::Matrix {
            values: moved,
            nature: Nature::Signed,
            rows: (
                "head off".to_owned(),
                (1..=heads).map(|h| h.to_string()).collect(),
            ),
            columns: (
                "output channels from".to_owned(),
                (0..heads).map(name).collect(),
            ),
            notes: Vec::new(),
        },
    })
}

/// For each head (row), how strongly its query reads each block of input channels (column).
pub fn read_blocks(trace: &Trace) -> Option<Tensor> {
    let (weight, weights) = (trace.tensor("query.weight")?, trace.tensor("weights")?);
    let heads = weights.shape()[1];
    let block = D_MODEL / heads;
    let cell = |i: &[usize]| {
        let part = Tensor::from_fn(&[block, block], |at| {
            weight.at(&[i[0] * block + at[0], i[1] * block + at[1]])
        });
        part.rms() as f32
    };
    (heads <= 16).then(|| Tensor::from_fn(&[heads, heads], cell))
}

fn reads(trace: &Trace) -> Option<Picture> {
    let values = read_blocks(trace)?;
    let heads = values.last();
    let nothing = values.data().iter().filter(|x| **x == 0.0).count();
    let names = |word: &str| (1..=heads).map(|h| format!("{word}{h}")).collect();
    Some(Picture {
        name: "reads",
        title: "What each head's query reads".to_owned(),
        says: if nothing == 0 {
            "Every head reads all input channels: W_Q splits its outputs, not its inputs."
                .to_owned()
        } else {
            format!(
                "{nothing} of {} blocks of W_Q are zero: each head reads its own channels only, as in a grouped convolution.",
                heads * heads
            )
        },
        body: Body::Matrix {
            values,
            nature: Nature::Signed,
            rows: ("head".to_owned(), names("h")),
            columns: ("input block".to_owned(), names("")),
            notes: Vec::new(),
        },
    })
}
