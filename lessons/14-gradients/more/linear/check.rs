//! The challenge: a linear layer with its gradients, and shapes that distinguish it from its mistakes.

use transformer_tutor::tensor::{Tensor, random};

mod reference;
#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type LinearFn = fn(&Tensor, &Tensor, &Tensor, &Tensor) -> (Tensor, [Tensor; 3]);

transformer_tutor::task! { linear: LinearFn = reference::linear;
    |linear| TASK.compared_in_parts(linear, &CASES, 1e-4, run)
}

/// Cases to try: rows, inputs, outputs. In the first, all three are equal, so that even a function that confuses them
/// gives a result.
const CASES: [(&str, [usize; 3]); 7] = [
    ("3 rows, 3 inputs, 3 outputs", [3, 3, 3]),
    ("as many outputs as inputs", [2, 3, 3]),
    ("3 rows, 4 inputs, 2 outputs", [3, 4, 2]),
    ("more outputs than inputs", [4, 2, 5]),
    ("one row", [1, 3, 2]),
    ("one input and one output", [3, 1, 1]),
    ("200 inputs", [2, 200, 3]),
];

fn run(&[n, inputs, outputs]: &[usize; 3], linear: LinearFn) -> [(&'static str, Tensor); 4] {
    let drawn = |shape: &[usize], name: &str| random::normal(shape, 1.0, 13, name);
    let (x, weight) = (
        drawn(&[n, inputs], "x"),
        drawn(&[outputs, inputs], "weight"),
    );
    let (bias, dy) = (drawn(&[outputs], "bias"), drawn(&[n, outputs], "dy"));
    let (y, [dx, dweight, dbias]) = linear(&x, &weight, &bias, &dy);
    [
        (", y", y),
        (", the gradient by x", dx),
        (", the gradient by W", dweight),
        (", the gradient by b", dbias),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::autograd::Tape;
    use transformer_tutor::params::Params;

    #[test]
    fn the_reference_is_what_the_tape_computes() {
        for (says, case) in &CASES {
            let taped: LinearFn = |x, w, b, dy| {
                let tape = Tape::eval(&Params::default());
                let x = tape.input("x", x.clone(), &["n", "i"]);
                let w = tape.input("w", w.clone(), &["o", "i"]);
                let b = tape.input("b", b.clone(), &["o"]);
                let y = x.matmul_t(&w).add(&b);
                let grads = y.backward_from(dy);
                let of = |v| grads.get(v).expect("it has a gradient").clone();
                (y.value(), [of(&x), of(&w), of(&b)])
            };
            for ((part, own), (_, tapes)) in
                run(case, reference::linear).iter().zip(run(case, taped))
            {
                assert_eq!(own.shape(), tapes.shape(), "{says}{part}");
                for (a, b) in own.data().iter().zip(tapes.data()) {
                    assert!((a - b).abs() < 1e-4, "{says}{part}");
                }
            }
        }
    }

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(
            include_str!("exercise.rs")
                .contains("give y `[[23.5]]`, dx `[[20, 2]]`, dW `[[4, 6]]`")
        );
        let matrix = |cells: &[f32]| Tensor::new(&[1, cells.len()], cells.to_vec());
        let bias = Tensor::new(&[1], vec![0.5]);
        let (y, gradients) = reference::linear(
            &matrix(&[2.0, 3.0]),
            &matrix(&[10.0, 1.0]),
            &bias,
            &matrix(&[2.0]),
        );
        assert_eq!(y.data(), [23.5]);
        assert_eq!(
            gradients.map(|g| g.data().to_vec()),
            [vec![20.0, 2.0], vec![4.0, 6.0], vec![2.0]]
        );
    }
}
