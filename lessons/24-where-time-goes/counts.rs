//! What a recorded run did: operations by kind, matrix products with their bytes, and what the tape keeps.

use transformer_tutor::autograd::{Step, Trace};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::cost::Cost;

use super::hand::COUNTED;

/// Kinds of steps, in the order of the claim that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Products,
    Arithmetic,
    Norms,
    Softmax,
    Moves,
    Others,
}

impl Kind {
    /// Every kind, with its name in pictures and facts, and its name in words.
    pub const ALL: [(Self, &str, &str); 6] = [
        (Self::Products, "products", "matrix products"),
        (Self::Arithmetic, "arithmetic", "+ − × ÷"),
        (Self::Norms, "norms", "layer normalisation"),
        (Self::Softmax, "softmax", "softmax"),
        (Self::Moves, "moves", "moving data only"),
        (Self::Others, "others", "everything else"),
    ];

    /// Kind of an operation, from its name. Dropout multiplies by its mask, and scaling by a number: both are
    /// arithmetic.
    pub fn of(op: &str) -> Self {
        match op {
            "matmul" | "matmul_t" | "linear" | "attend" | "smoothed_loss" => Self::Products,
            "add" | "sub" | "mul" | "div" | "scale" | "dropout" => Self::Arithmetic,
            "normalize" | "layer_norm" => Self::Norms,
            "softmax" | "log_softmax" => Self::Softmax,
            "reshape" | "permute" | "expand" | "embedding" | "rows" | "shift_right" => Self::Moves,
            _ => Self::Others,
        }
    }
}

/// Computed steps of the run, without the count by hand recorded after it.
pub fn steps(trace: &Trace) -> impl Iterator<Item = &Step> {
    let all = trace.steps().iter();
    all.filter(|step| step.computed().is_some() && !step.name.starts_with("count."))
}

fn inputs(trace: &Trace, step: &Step) -> Vec<Tensor> {
    let values = step.inputs().iter();
    values.map(|&i| trace.steps()[i].value.clone()).collect()
}

/// Floating-point operations of one step, as the operation reports them.
pub fn flops(trace: &Trace, step: &Step) -> u64 {
    let op = step.computed();
    op.map_or(0, |op| op.flops(&inputs(trace, step), &step.value))
}

/// Number of steps and operations of a kind.
pub fn kind(trace: &Trace, kind: Kind) -> (usize, u64) {
    let of = steps(trace).filter(|step| Kind::of(step.op()) == kind);
    of.fold((0, 0), |(n, sum), step| (n + 1, sum + flops(trace, step)))
}

/// Total operations of the run.
pub fn all_flops(trace: &Trace) -> u64 {
    steps(trace).map(|step| flops(trace, step)).sum()
}

/// Cost of a step that multiplies matrices; `None` for any other.
pub fn product(trace: &Trace, step: &Step) -> Option<Cost> {
    step.computed()
        .filter(|op| Kind::of(op.name()) == Kind::Products)?;
    let inputs = inputs(trace, step);
    let inputs_read = inputs.iter().map(Tensor::len).sum::<usize>();
    // The fused loss of training also writes the gradients of its inputs.
    let written = match step.op() {
        "smoothed_loss" => inputs_read,
        _ => step.value.len(),
    };
    Some(Cost {
        flops: flops(trace, step),
        bytes: 4 * (inputs_read + written) as u64,
    })
}

/// Name of a product: its weight's name if it has one, else its own.
fn label<'a>(trace: &'a Trace, step: &'a Step) -> &'a str {
    let right = step.inputs().get(1).map(|&i| &trace.steps()[i]);
    match right {
        Some(weight) if weight.op() == "parameter" => &weight.name,
        _ => &step.name,
    }
}

/// Total cost of the products for which `chosen` accepts the name of the weight, or else of the step.
pub fn products(trace: &Trace, chosen: impl Fn(&str) -> bool) -> Cost {
    let of = steps(trace).filter(|step| chosen(label(trace, step)));
    of.filter_map(|step| product(trace, step)).sum()
}

/// Whether a decoder repeats this product for every new token. The memory and its keys and values are computed once per
/// sentence.
pub fn for_every_word(name: &str) -> bool {
    let once = name.contains("src_attn.key.") || name.contains("src_attn.value.");
    !once && (name.starts_with("decoder.") || name.starts_with("generator."))
}

/// Bytes of the values that one attention layer leaves on the tape, including its four maps.
pub fn kept(trace: &Trace) -> u64 {
    let of = steps(trace).filter(|step| step.name.starts_with(COUNTED));
    of.map(|step| 4 * step.value.len() as u64).sum()
}
