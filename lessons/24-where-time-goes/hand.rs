//! The count by hand, recorded: one line per product of an attention layer, computed column by column.

use transformer_tutor::autograd::{Tape, Trace};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::step::Batch;

use super::knobs::HEADS;
use super::mistakes::{Flaw, Product, Sizes, products, units};

/// The attention layer that is counted: the first cross-attention.
pub const COUNTED: &str = "decoder.layers.0.src_attn.";

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
