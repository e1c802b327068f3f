//! The pictures beyond the recorded run, each measured.

use transformer_tutor::autograd::{Nature, Step, Tape, Trace};
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::lesson::{Body, Fact, Facts, Picture};
use transformer_tutor::params::{Init, Params};
use transformer_tutor::tensor::threads::side_by_side;
use transformer_tutor::tensor::{Tensor, matmul, random};

use super::record::{D_MODEL, LENGTHS, maps};

/// Cost of a number of heads at the standard sizes.
pub struct Cost {
    pub heads: usize,
    pub parameters: usize,
    /// Floating-point operations of all matrix products.
    pub products: u64,
    /// Number of cells that the softmax computes.
    pub cells: usize,
}

/// Counted once from recorded runs, which run in parallel.
pub static COSTS: Lazy<[Cost; 4]> = Lazy::new(|| {
    let runs = side_by_side([1, 2, 8, 16].to_vec(), cost);
    runs.try_into()
        .unwrap_or_else(|_| unreachable!("one for each"))
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
    let products = trace.steps().iter();
    let products = products.filter(|s| s.op().starts_with("matmul"));
    let flops = |step: &Step| {
        let inputs = step.inputs().iter();
        let inputs: Vec<Tensor> = inputs.map(|&i| trace.steps()[i].value.clone()).collect();
        let op = step.computed();
        op.map_or(0, |op| op.flops(&inputs, &step.value))
    };
    Cost {
        heads,
        parameters: params.count(),
        products: products.map(flops).sum(),
        cells: weights.value().len(),
    }
}

/// Number of weights of a map from 512 to 512 channels in `groups` groups, each with its own inputs, as in a 1×1
/// convolution with groups.
pub fn grouped_weights(groups: usize) -> usize {
    let mut params = Params::layout();
    for group in 0..groups {
        let size = D_MODEL / groups;
        let name = format!("group.{group}");
        params.add(&name, &[size, size], &["d", "d"], Init::XavierUniform);
    }
    params.count()
}

/// Largest difference between three products with W_Q, W_K and W_V and one product with all three stacked.
pub static FUSED: Lazy<f64> = Lazy::new(|| {
    let mut params = Params::new(1);
    let maps = maps(&mut params, 8, false);
    let weights = [&maps.query, &maps.key, &maps.value].map(|map| params.get(map.weight));
    let x = random::normal(&[30, LENGTHS.0, D_MODEL], 1.0, 1, "x");
    let stacked = weights.iter().flat_map(|w| w.data().to_vec()).collect();
    let fused = matmul::matmul_t(&x, &Tensor::new(&[3 * D_MODEL, D_MODEL], stacked));
    let three = weights.map(|w| matmul::matmul_t(&x, w));
    let part = |n: usize| {
        Tensor::from_fn(three[n].shape(), |i| {
            fused.at(&[i[0], i[1], n * D_MODEL + i[2]])
        })
    };
    let apart = |n: usize| largest_difference(&three[n], &part(n));
    (0..3).map(apart).fold(0.0, f64::max)
});

/// The costs, and what the heat maps of a standard run show; the small examples have none.
pub fn drawn(trace: &Trace) -> (Facts, Vec<Picture>) {
    let of = |cost: fn(&Cost) -> f64| Fact::numbers(COSTS.iter().map(cost));
    let mut facts = Facts::default()
        .with("cost_heads", of(|c| c.heads as f64))
        .with("cost_parameters", of(|c| c.parameters as f64))
        .with("cost_products", of(|c| c.products as f64))
        .with("cost_cells", of(|c| c.cells as f64));
    let mut pictures = Vec::new();
    let mut draw = |name, fact, values: Tensor, rows, columns| {
        let taken = std::mem::take(&mut facts);
        facts = taken.with(fact, still(&values));
        let body = Body::matrix(values, Nature::Signed, rows, columns);
        pictures.push(Picture::drawn(name, body));
    };
    let numbered = |heads, number: &dyn Fn(usize) -> String| (0..heads).map(number).collect();
    if let Some(moved) = ablated(trace) {
        let heads = moved.last();
        let off = numbered(heads, &|h| h.to_string());
        let first = numbered(heads, &|n| (n * D_MODEL / heads).to_string());
        let axes = (("head off", off), ("output channels from", first));
        draw("ablation", "ablation_still", moved, axes.0, axes.1);
    }
    if let Some(read) = read_blocks(trace) {
        let heads = read.last();
        let rows = ("head", numbered(heads, &|h| format!("h{h}")));
        let columns = ("input block", numbered(heads, &|h| h.to_string()));
        draw("reads", "blocks_unread", read, rows, columns);
    }
    (facts, pictures)
}

/// Number of cells that are exactly 0.
fn still(x: &Tensor) -> usize {
    x.data().iter().filter(|x| **x == 0.0).count()
}

/// How far each block of output channels (column) moves when a head (row) is switched off.
fn ablated(trace: &Trace) -> Option<Tensor> {
    let (combined, weights) = (trace.tensor("combined")?, trace.tensor("weights")?);
    let heads = weights.shape()[1];
    let block = D_MODEL / heads;
    let w_o = trace.tensor("output.weight");
    let cell = |i: &[usize]| {
        // Multiply only head i[0]'s output by the rows of W_O that produce block i[1]; without W_O, take it unchanged.
        let part = Tensor::from_fn(&[block, block], |at| {
            let (row, column) = (i[1] * block + at[0], i[0] * block + at[1]);
            w_o.map_or(f32::from(u8::from(row == column)), |w| w.at(&[row, column]))
        });
        let rows = (combined.len() / D_MODEL).min(60);
        let own = Tensor::from_fn(&[rows, block], |at| {
            combined.data()[at[0] * D_MODEL + i[0] * block + at[1]]
        });
        matmul::matmul_t(&own, &part).rms() as f32
    };
    (heads <= 16).then(|| Tensor::from_fn(&[heads, heads], cell))
}

/// How strongly each head's query (row) reads each block of input channels (column).
fn read_blocks(trace: &Trace) -> Option<Tensor> {
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
