//! Names of tensors by what they are for, where the run only has the name of an operation.

use std::borrow::Cow;

use super::last_name;
use crate::autograd::{Origin, Step, Trace};

/// Longest name built from the names of operands, in characters.
const MOST: usize = 36;

/// Name of a tensor by what it is for: `query before the bias` for `encoder.layers.0.self_attn.matmul_t`, `src_mask` for
/// a `reshape#4` of it. A tensor with a name of its own keeps the last part of it.
pub fn plain_name<'a>(trace: &'a Trace, step: &'a Step) -> Cow<'a, str> {
    let last = step.name.rsplit('.').next().unwrap_or(&step.name);
    let (base, repeated) = match last.split_once('#') {
        Some((base, _)) => (base, true),
        None => (last, false),
    };
    if matches!(step.origin, Origin::Constant) {
        // Equal constants of one run differ in nothing but their number.
        return Cow::Borrowed(base);
    }
    let input = |n: usize| step.inputs().get(n).map(|&input| &trace.steps()[input]);
    let named = match (step.op(), input(0)) {
        ("sinusoid", _) => Some(Cow::Borrowed("position encoding")),
        ("mask_fill", Some(zeros)) if matches!(zeros.origin, Origin::Constant) => {
            Some(Cow::Borrowed("mask as 0 or −∞"))
        }
        (op, Some(first)) if base == op || (repeated && step.only_moves()) => {
            by_operands(trace, step, first, input(1))
        }
        _ => None,
    };
    named
        .filter(|name| name.chars().count() <= MOST)
        .unwrap_or_else(|| last_name(last))
}

/// Name of an unnamed result, made of the names of its operands; `None` if the operation's name says more.
fn by_operands<'a>(
    trace: &'a Trace,
    step: &Step,
    first: &'a Step,
    second: Option<&'a Step>,
) -> Option<Cow<'a, str>> {
    let name = |operand| plain_name(trace, operand);
    let has_heads = |step: &Step| step.axes.contains(&"h");
    let joined = |left: Cow<'a, str>, sign: &str| {
        let right = name(second?);
        // Without brackets, a sum must not become a factor, or the right side of a difference.
        let is_simple = |name: &str| ![" + ", " − ", " × "].iter().any(|sign| name.contains(sign));
        let is_clear = sign == "+" || (is_simple(&left) && is_simple(&right));
        is_clear.then(|| Cow::Owned(format!("{left} {sign} {right}")))
    };
    match step.op() {
        _ if step.only_moves() && has_heads(step) && !has_heads(first) && first.axes.len() > 2 => {
            Some(Cow::Owned(format!("{} in heads", name(first))))
        }
        _ if step.only_moves() => Some(name(first)),
        "matmul_t" => match layer(second?) {
            Some(layer) => Some(Cow::Owned(format!("{layer} before the bias"))),
            None => joined(name(first), "×"),
        },
        "matmul" | "mul" => joined(name(first), "×"),
        // The left name is made once: a chain of residual connections would double the work at each of them.
        "add" => {
            let left = name(first);
            match left.strip_suffix(" before the bias") {
                Some(layer) => Some(Cow::Owned(layer.to_owned())),
                None => joined(left, "+"),
            }
        }
        "sub" => joined(name(first), "−"),
        "dropout" => Some(Cow::Owned(format!("{} after dropout", name(first)))),
        "scale" => Some(Cow::Owned(format!("{} times a constant", name(first)))),
        "sum" | "mean" => Some(Cow::Owned(format!("{} of {}", step.op(), name(first)))),
        _ => None,
    }
}

/// The layer whose weight a tensor is: `query` for `encoder.layers.0.self_attn.query.weight`.
fn layer(weight: &Step) -> Option<&str> {
    let path = weight.name.strip_suffix(".weight")?;
    path.rsplit('.').next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::lesson::session::Session;

    #[track_caller]
    fn assert_named(lesson: &str, tensor: &str, expected: &str) {
        let session = Session::new(curriculum::find(lesson).unwrap());
        let step = &session.trace().steps()[session.trace().find(tensor).unwrap()];
        assert_eq!(plain_name(session.trace(), step), expected);
    }

    #[test]
    fn a_tensor_without_a_name_of_its_own_is_called_by_what_it_is_for() {
        for (tensor, expected) in [
            ("matmul_t", "query before the bias"),
            ("matmul_t#4", "output before the bias"),
            ("reshape", "query in heads"),
            ("reshape#4", "src_mask"),
            ("permute", "context"),
            ("weights", "weights"),
        ] {
            assert_named("multi-head", tensor, expected);
        }
        assert_named("model", "src_embed.table#2", "position encoding");
        assert_named("layer-norm", "add", "std + epsilon");
    }

    #[test]
    fn the_trained_translator_adds_its_masks_as_numbers_and_the_name_tells_so() {
        assert_named("tour", "src_bias", "mask as 0 or −∞");
        assert_named("tour", "zeros#2", "zeros");
        assert_named(
            "tour",
            "encoder.layers.0.self_attn.reshape#4",
            "mask as 0 or −∞",
        );
    }

    #[test]
    fn no_operand_is_called_by_the_operation_that_only_moved_it() {
        let session = Session::new(curriculum::find("multi-head").unwrap());
        let trace = session.trace();
        let moved = |step: &&Step| step.only_moves() && step.name.contains(step.op());
        assert!(trace.steps().iter().any(|step| moved(&step)));
        for step in trace.steps() {
            let name = plain_name(trace, step);
            let by_operation = name.starts_with("reshape") || name.starts_with("permute");
            assert!(!by_operation, "{name}");
        }
    }
}
