//! Changes of the inputs with which the reference may give a learner's wrong result.

use super::name;
use crate::lesson::exercise::inputs::{Call, Value};
use crate::tensor::Tensor;

/// Numbers that are often written into code in place of an input.
const LITERALS: [f64; 17] = [
    0.0, 1.0, 2.0, -1.0, 0.5, 3.0, 8.0, 10.0, 1e-5, 1e-6, 1e-8, 1e-9, 1e-12, 0.1, 0.9, 0.98, 0.999,
];

/// A change of the inputs, and what is certain if the reference then gives the same result.
pub(super) struct Candidate {
    pub says: String,
    pub change: Box<dyn Fn(&mut [Value])>,
}

/// Changes of the inputs, the most specific first.
pub(super) fn candidates(first: &Call, calls: &[Call]) -> Vec<Candidate> {
    let mut all = Vec::new();
    let mut add = |says: String, change: Box<dyn Fn(&mut [Value])>| {
        all.push(Candidate { says, change });
    };
    let kind = |n: usize| std::mem::discriminant(&first[n].1);
    let pairs = || {
        let all = (0..first.len()).flat_map(|a| (0..first.len()).map(move |b| (a, b)));
        all.filter(|&(a, b)| a != b && kind(a) == kind(b))
    };
    for (a, b) in pairs().filter(|(a, b)| a < b) {
        let (x, y) = (name(first, a), name(first, b));
        add(
            format!("You exchange {x} and {y}: the other way round, your result would be right."),
            Box::new(move |values| values.swap(a, b)),
        );
    }
    for (n, (_, value)) in first.iter().enumerate() {
        let name = name(first, n);
        for number in constants(n, value, calls) {
            let is = match number {
                0.0 => {
                    format!("You leave {name} out: your result is right only where {name} is 0.")
                }
                1.0 if value.number().is_none() => {
                    format!("You leave {name} out: your result is right only where {name} is 1.")
                }
                number => format!(
                    "You don't use {name}: your result is the right one for {name} = {number}, whatever it is given."
                ),
            };
            add(
                is,
                Box::new(move |values| values[n] = values[n].map(|_| number)),
            );
        }
        for (says, change) in numeric(value) {
            add(
                format!(
                    "Your result is the right one for {} in place of {name}.",
                    says.replace("{}", &name)
                ),
                Box::new(move |values| values[n] = values[n].map(change)),
            );
        }
        for (says, change) in shaped(value) {
            add(
                format!(
                    "Your result is the right one for {} in place of {name} itself.",
                    says.replace("{}", &name)
                ),
                Box::new(move |values| values[n] = values[n].with_tensor(change)),
            );
        }
        if calls.iter().any(|call| matches!(call[n].1, Value::Absent)) {
            add(
                format!("You leave {name} out: your result is right only without it."),
                Box::new(move |values| values[n] = Value::Absent),
            );
        }
    }
    for (a, b) in pairs() {
        let (x, y) = (name(first, a), name(first, b));
        add(
            format!("You use {x} where {y} belongs."),
            Box::new(move |values| values[b] = values[a].clone()),
        );
    }
    const BOTH: [(&str, fn(f64, f64) -> f64); 3] = [
        ("the smaller", f64::min),
        ("the larger", f64::max),
        ("the sum", |a, b| a + b),
    ];
    for (a, b) in pairs().filter(|(a, b)| a < b && matches!(first[*a].1, Value::List(_))) {
        for (says, both) in BOTH {
            let (x, y) = (name(first, a), name(first, b));
            add(
                format!("Your result is the right one if {says} of {x} and {y} stands for both."),
                Box::new(move |values| {
                    if let (Value::List(x), Value::List(y)) = (&values[a], &values[b]) {
                        let made = x.iter().zip(y).map(|(&x, &y)| both(x, y)).collect();
                        values[a] = Value::List(made);
                        values[b] = values[a].clone();
                    }
                }),
            );
        }
    }
    all
}

/// Numbers that may stand in code in place of an input: those of the cases come last.
fn constants(n: usize, value: &Value, calls: &[Call]) -> Vec<f64> {
    match value {
        Value::Absent => Vec::new(),
        Value::Whole(_) | Value::Real(_) => {
            let given = calls.iter().filter_map(|call| call[n].1.number());
            let whole = matches!(value, Value::Whole(_));
            let literals = LITERALS.iter().copied();
            let literals = literals.filter(|x| !whole || (x.fract() == 0.0 && *x >= 0.0));
            literals.chain(given.take(8)).collect()
        }
        Value::List(_) | Value::Tensor(_) | Value::Var(_) => vec![0.0, 1.0],
    }
}

type Numeric = (&'static str, fn(f64) -> f64);

fn numeric(value: &Value) -> Vec<Numeric> {
    let next: [Numeric; 2] = [("{} + 1", |x| x + 1.0), ("{} − 1", |x| x - 1.0)];
    let real: [Numeric; 9] = [
        ("1 − {}", |x| 1.0 - x),
        ("−{}", |x| -x),
        ("1 / {}", |x| 1.0 / x),
        ("the square of {}", |x| x * x),
        ("the square root of {}", f64::sqrt),
        ("2 · {}", |x| 2.0 * x),
        ("{} / 2", |x| x / 2.0),
        ("{} without its sign", f64::abs),
        ("1 + {}", |x| 1.0 + x),
    ];
    match value {
        Value::Absent => Vec::new(),
        value if value.is_discrete() => {
            let inverse: Numeric = ("1 − {}", |x| 1.0 - x);
            let twice: [Numeric; 2] = [("2 · {}", |x| 2.0 * x), ("{} / 2", |x| (x / 2.0).floor())];
            [inverse].into_iter().chain(next).chain(twice).collect()
        }
        _ => real.to_vec(),
    }
}

type Shaped = (&'static str, fn(&Tensor) -> Tensor);

fn shaped(value: &Value) -> Vec<Shaped> {
    let Some(tensor) = value.tensor() else {
        return Vec::new();
    };
    if matches!(value, Value::List(_)) {
        return Vec::new();
    }
    let mut all: Vec<Shaped> = vec![("{}, backwards along the last axis,", |t| {
        let n = t.last();
        Tensor::from_fn(t.shape(), |i| {
            let mut from = i.to_vec();
            if let Some(last) = from.last_mut() {
                *last = n - 1 - *last;
            }
            t.at(&from)
        })
    })];
    if tensor.rank() >= 2 {
        all.push(("{} with its last two axes exchanged", Tensor::transpose));
    }
    if !value.is_discrete() {
        all.push(("{} minus the mean of its row", |t| {
            by_row(t, |row| {
                let mean = row.iter().sum::<f32>() / row.len() as f32;
                row.iter().map(|x| x - mean).collect()
            })
        }));
        all.push(("the softmax of {}", |t| {
            by_row(t, |row| {
                let largest = row.iter().copied().fold(f32::MIN, f32::max);
                let exp: Vec<f32> = row.iter().map(|x| (x - largest).exp()).collect();
                let sum: f32 = exp.iter().sum();
                exp.iter().map(|x| x / sum).collect()
            })
        }));
    }
    all
}

fn by_row(t: &Tensor, row: impl Fn(&[f32]) -> Vec<f32>) -> Tensor {
    let rows = t.data().chunks(t.last().max(1)).flat_map(row).collect();
    Tensor::new(t.shape(), rows)
}
