//! What a result depends on, found by changing one input after the other.

use super::name;
use crate::lesson::exercise::inputs::{Call, Value};
use crate::lesson::exercise::results::Results;
use crate::tensor::Tensor;

/// Makes a change of the inputs, for each of the functions that run with it.
pub(super) type Changes<'a> = &'a dyn Fn() -> Box<dyn Fn(&mut [Value])>;

/// What a change of the inputs does to the results, over all cases in which both functions have one.
#[derive(Default)]
pub(super) struct Influence {
    /// Number of the reference's cells that change.
    expected: usize,
    /// Number of the learner's cells that change.
    got: usize,
    /// True if, in some case, the learner's function changes cells at other positions along the axis, and the reference
    /// leaves all of them exactly as they are.
    beyond: bool,
}

impl Influence {
    /// Of the results before and after a change at the last position along an axis, or of a whole input.
    pub(super) fn of(
        [expected, expected_then]: [&Results; 2],
        [got, got_then]: [&Results; 2],
        axis: Option<usize>,
    ) -> Self {
        let mut all = Self::default();
        let pairs = expected
            .iter()
            .zip(expected_then)
            .zip(got.iter().zip(got_then));
        for ((e, e_then), (g, g_then)) in pairs {
            let (Ok(e), Ok(e_then), Ok(g), Ok(g_then)) = (e, e_then, g, g_then) else {
                continue;
            };
            if [e_then, g, g_then].iter().any(|t| t.shape() != e.shape()) {
                continue;
            }
            // What becomes NaN cannot be seen to change.
            if [g, g_then]
                .iter()
                .any(|t| t.data().iter().any(|x| !x.is_finite()))
            {
                continue;
            }
            let shape = e.shape();
            let far = |a: f32, b: f32| (a - b).abs() > 1e-4 * a.abs().max(1.0);
            let (mut elsewhere, mut own_elsewhere) = (false, false);
            for (n, index) in e.indices().enumerate() {
                let [e, e_then, g, g_then] = [e, e_then, g, g_then].map(|t| t.data()[n]);
                all.expected += usize::from(far(e, e_then));
                all.got += usize::from(far(g, g_then));
                let is_elsewhere =
                    |axis: usize| axis < shape.len() && index[axis] + 1 < shape[axis];
                if axis.is_some_and(is_elsewhere) {
                    elsewhere |= e.to_bits() != e_then.to_bits();
                    own_elsewhere |= far(g, g_then);
                }
            }
            all.beyond |= own_elsewhere && !elsewhere;
        }
        all
    }
}

/// What the learner's result does not depend on, though it should, or depends on, though it should not.
pub(super) fn dependence(
    first: &Call,
    changed: &dyn Fn(Changes, Option<usize>) -> Influence,
) -> Option<String> {
    let all: Vec<Influence> = (0..first.len())
        .map(|n| {
            changed(
                &|| Box::new(move |values| values[n] = moved(&values[n], None)),
                None,
            )
        })
        .collect();
    let ignored: Vec<usize> = (0..all.len())
        .filter(|&n| all[n].expected > 0 && all[n].got == 0)
        .collect();
    let used = all.iter().any(|of| of.got > 0);
    if used && matches!(ignored.len(), 1 | 2) {
        let names: Vec<String> = ignored.iter().map(|&n| name(first, n)).collect();
        let verb = if names.len() == 1 { "does" } else { "do" };
        let names = names.join(" and ");
        return Some(format!("Your result does not change when {names} {verb}."));
    }
    for (n, (_, value)) in first.iter().enumerate().filter(|(n, _)| all[*n].got > 0) {
        let rank = value.tensor().map_or(0, |t| t.rank());
        for axis in 0..rank {
            let last = changed(
                &|| Box::new(move |values| values[n] = moved(&values[n], Some(axis))),
                Some(axis),
            );
            let at = format!(
                "the last position of {} along axis {axis} changes",
                name(first, n)
            );
            if last.expected > 0 && last.got == 0 {
                return Some(format!("Your result does not change when only {at}."));
            }
            // The positions of a vector are channels, which a result may mix.
            if last.beyond && rank > 1 {
                return Some(format!(
                    "When only {at}, your result changes at other positions along this axis too, and the right one does not."
                ));
            }
        }
    }
    None
}

/// The value with other numbers of the same kind: everywhere, or only at the last position along an axis.
fn moved(value: &Value, axis: Option<usize>) -> Value {
    let discrete = value.is_discrete();
    match value {
        Value::Whole(n) => Value::Whole(n + 1),
        Value::Real(x) => Value::Real(x * 0.875 + 0.01),
        Value::Absent => Value::Absent,
        Value::List(list) => {
            let first = list.first().copied().unwrap_or_default();
            let last = list.len().saturating_sub(1);
            let cells = list.iter().enumerate().map(|(n, &x)| match axis {
                Some(_) if n < last => x,
                _ if discrete => first,
                _ => x * 0.8 + 0.3,
            });
            Value::List(cells.collect())
        }
        Value::Tensor(_) | Value::Var(_) => value.with_tensor(|t| {
            let first = t.data().first().copied().unwrap_or_default();
            Tensor::from_fn(t.shape(), |i| {
                let x = t.at(i);
                match axis {
                    Some(axis) if i[axis] + 1 < t.shape()[axis] || i.is_empty() => x,
                    _ if discrete => first,
                    _ => x * 0.8 + 0.3 + 0.1 * (i.iter().sum::<usize>() % 3) as f32,
                }
            })
        }),
    }
}
