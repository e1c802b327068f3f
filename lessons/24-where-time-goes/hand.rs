//! The count by hand, recorded: one line per product of an attention layer, computed column by column.

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::step::Batch;

use super::knobs::HEADS;

/// The attention layer that is counted: the first cross-attention.
pub const COUNTED: &str = "decoder.layers.0.src_attn.";

/// Mistakes in counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// Counts only the multiplications.
    Half,
    /// Makes every head as wide as the model.
    WideHeads,
    /// Leaves out W_O.
    NoOutput,
    /// Reads the weights again for every sentence.
    WeightsAgain,
    /// Counts one matrix of scores for all heads.
    OneHead,
    /// Counts numbers, not bytes.
    Numbers,
    /// Gives keys and values as many rows as queries.
    Square,
}

/// Batch, target length, source length, d_model, heads.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub b: usize,
    pub t: usize,
    pub s: usize,
    pub d: usize,
    pub h: usize,
}

/// One line of the table: `times` products `[rows, inner] · [inner, columns]`.
struct Product {
    name: &'static str,
    times: usize,
    rows: usize,
    inner: usize,
    columns: usize,
    /// Factors by which the matrices on the left and in the result are undercounted: 1 where all are counted.
    forgotten: [usize; 2],
}

/// Products of an attention layer.
fn products(sizes: Sizes, flaw: Option<Flaw>) -> Vec<Product> {
    let Sizes { b, t, d, h, .. } = sizes;
    let is = |one| flaw == Some(one);
    let s = if is(Flaw::Square) { t } else { sizes.s };
    let d_k = if is(Flaw::WideHeads) { d } else { d / h };
    let few = if is(Flaw::OneHead) { h } else { 1 };
    let product = |name, (times, rows), inner, columns, forgotten| Product {
        name,
        times,
        rows,
        inner,
        columns,
        forgotten,
    };
    let map = |name, words| {
        let times = if is(Flaw::WeightsAgain) { b } else { 1 };
        product(name, (times, b / times * words), d, d, [1, 1])
    };
    let heads =
        |name, inner, columns, forgotten| product(name, (b * h, t), inner, columns, forgotten);
    let mut all = vec![
        map("W_Q", t),
        map("W_K", s),
        map("W_V", s),
        heads("scores", d_k, s, [1, few]),
        heads("context", s, d_k, [few, 1]),
        map("W_O", t),
    ];
    if is(Flaw::NoOutput) {
        all.pop();
    }
    all
}

/// Operations per product of two numbers, and bytes per number.
fn units(flaw: Option<Flaw>) -> (u64, u64) {
    match flaw {
        Some(Flaw::Half) => (1, 4),
        Some(Flaw::Numbers) => (2, 1),
        _ => (2, 4),
    }
}

/// Sizes of the counted layer for a batch.
pub fn sizes(batch: &Batch, d: usize) -> Sizes {
    Sizes {
        b: batch.sentences(),
        t: batch.tgt.last() - 1,
        s: batch.src.last(),
        d,
        h: HEADS,
    }
}

/// Records the count.
pub fn record(tape: &Tape, sizes: Sizes, flaw: Option<Flaw>) {
    let all = products(sizes, flaw);
    let (operations, bytes) = units(flaw);
    tape.scoped("count", || {
        let column = |name: &str, of: &dyn Fn(&Product) -> f32| {
            let cells: Vec<f32> = all.iter().map(of).collect();
            tape.constant(name, Tensor::new(&[cells.len()], cells), &["product"])
        };
        let times = column("times", &|p| p.times as f32);
        let rows = column("rows", &|p| p.rows as f32);
        let inner = column("inner", &|p| p.inner as f32);
        let columns = column("columns", &|p| p.columns as f32);
        let pairs = times.mul(&rows).mul(&inner).mul(&columns).named("pairs");
        let flops = pairs.scale(operations as f32).named("flops");
        let mut left = times.mul(&rows).mul(&inner).named("left");
        let right = times.mul(&inner).mul(&columns).named("right");
        let mut out = times.mul(&rows).mul(&columns).named("out");
        if flaw == Some(Flaw::OneHead) {
            left = left.mul(&column("left_share", &|p| 1.0 / p.forgotten[0] as f32));
            out = out.mul(&column("out_share", &|p| 1.0 / p.forgotten[1] as f32));
        }
        let numbers = left.add(&right).add(&out).named("numbers");
        let moved = numbers.scale(bytes as f32).named("bytes");
        let _each = flops.div(&moved).named("intensity");
        let (flops, moved) = (
            flops.sum().named("all_flops"),
            moved.sum().named("all_bytes"),
        );
        let _all = flops.div(&moved).named("all_intensity");
    });
}

/// Labels the axis of the products with their names.
pub fn label(trace: Trace, sizes: Sizes, flaw: Option<Flaw>) -> Trace {
    let names = products(sizes, flaw);
    let names = names.iter().map(|p| p.name.to_owned()).collect();
    trace.label("product", vec![names])
}
