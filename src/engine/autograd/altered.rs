//! Runs of a function with one of its steps changed, which show by what step another function differs from it.

use std::cell::RefCell;

use super::Var;
use crate::tensor::Tensor;

/// How the output of a step is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// The input with this number takes the place of the output.
    LeftOut(usize),
    /// The operation is applied once more to its own output.
    Twice,
    /// The second input has the other sign: a sum becomes a difference.
    Negated,
    /// The second input is inverted: a product becomes a quotient.
    Inverted,
    /// The two inputs change places.
    Exchanged,
    /// The factor that takes the input to the output is inverted, cell by cell.
    InverseFactor,
}

/// A step of an altered run: its operation, the name of its output, and those of its inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Altered {
    /// Name of the operation.
    pub op: &'static str,
    /// Name of its output.
    pub output: String,
    /// Names of its inputs.
    pub inputs: Vec<String>,
}

/// What happens to the steps of the function that runs now.
struct Plan {
    change: Option<(usize, Alteration)>,
    steps: Vec<(&'static str, Var, Vec<Var>)>,
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// Runs a function and changes the step with the given number, counted from 0 over the operations that it applies. Returns
/// its result and all its steps.
pub fn altered<T>(
    change: Option<(usize, Alteration)>,
    function: impl FnOnce() -> T,
) -> (T, Vec<Altered>) {
    /// Takes the plan away, even after a panic.
    struct Planned;
    impl Drop for Planned {
        fn drop(&mut self) {
            PLAN.take();
        }
    }
    let steps = Vec::new();
    PLAN.set(Some(Plan { change, steps }));
    let planned = Planned;
    let result = function();
    let steps = PLAN.take().map_or_else(Vec::new, |plan| plan.steps);
    drop(planned);
    let name = |var: &Var| var.tape.0.borrow().nodes[var.id].name.clone();
    let steps = steps.iter().map(|(op, output, inputs)| Altered {
        op,
        output: name(output),
        inputs: inputs.iter().map(name).collect(),
    });
    (result, steps.collect())
}

/// How the step that comes next is changed.
pub(super) fn next() -> Option<Alteration> {
    PLAN.with_borrow(|plan| {
        let plan = plan.as_ref()?;
        let (at, how) = plan.change?;
        (at == plan.steps.len()).then_some(how)
    })
}

/// Notes a step that was recorded.
pub(super) fn made(op: &'static str, output: &Var, inputs: &[&Var]) {
    PLAN.with_borrow_mut(|plan| {
        if let Some(plan) = plan {
            let inputs = inputs.iter().map(|&input| input.clone()).collect();
            plan.steps.push((op, output.clone(), inputs));
        }
    });
}

impl Alteration {
    /// The inputs that the operation gets.
    pub(super) fn inputs(self, mut inputs: Vec<Tensor>) -> Vec<Tensor> {
        match self {
            Self::Negated => inputs[1] = inputs[1].map(|x| -x),
            Self::Inverted => inputs[1] = inputs[1].map(|x| 1.0 / x),
            Self::Exchanged => inputs.swap(0, 1),
            Self::LeftOut(_) | Self::Twice | Self::InverseFactor => {}
        }
        inputs
    }

    /// The output that takes the place of `output`. Panics if the shape would change.
    pub(super) fn output(
        self,
        inputs: &[Tensor],
        output: Tensor,
        forward: impl Fn(&[Tensor]) -> Tensor,
    ) -> Tensor {
        let shape = output.shape().to_vec();
        let output = match self {
            Self::LeftOut(n) => inputs[n].clone(),
            Self::Twice => forward(&[&[output], &inputs[1..]].concat()),
            Self::InverseFactor => {
                inputs[0].zip(&output, |x, y| if x == 0.0 { x } else { x * x / y })
            }
            Self::Negated | Self::Inverted | Self::Exchanged => output,
        };
        assert!(
            output.shape() == shape,
            "the altered step has another shape"
        );
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::params::Params;

    #[test]
    fn one_step_is_changed_and_all_are_named() {
        let run = |change| {
            let tape = Tape::eval(&Params::default());
            let number = |name: &str, x| tape.input(name, Tensor::scalar(x), &[]);
            let (a, b) = (number("a", 6.0), number("b", 2.0));
            let (result, steps) = altered(change, || a.sub(&b).scale(0.5).named("half"));
            (result.value().data()[0], steps)
        };
        let (right, steps) = run(None);
        assert_eq!(right, 2.0);
        assert_eq!((steps[1].op, steps[1].output.as_str()), ("scale", "half"));
        assert_eq!(steps[0].inputs, ["a", "b"]);
        let cases = [
            (0, Alteration::LeftOut(0), 3.0),
            (0, Alteration::LeftOut(1), 1.0),
            (0, Alteration::Negated, 4.0),
            (0, Alteration::Exchanged, -2.0),
            (1, Alteration::Twice, 1.0),
            (1, Alteration::InverseFactor, 8.0),
        ];
        for (step, how, expected) in cases {
            assert_eq!(run(Some((step, how))).0, expected, "{step}: {how:?}");
        }
        assert_eq!(run(None).0, 2.0, "nothing stays");
    }
}
