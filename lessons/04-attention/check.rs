//! The check of the attention exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::{attempt, compare, diagnose};
use transformer_tutor::lesson::{Failure, Outcome};
use transformer_tutor::nn::attention::{self as reference, Attention};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::{MISTAKES, mistakes};

/// Whether `attention` does what the reference does.
pub fn check(attention: impl Fn(&Var, &Var, &Var, Option<&Var>, f32) -> Attention) -> Outcome {
    let run = |attend: &dyn Fn(&Var, &Var, &Var, Option<&Var>, f32) -> Attention| {
        let tape = Tape::eval(&Params::new(0));
        let draw = |name: &str, rows| random::normal(&[2, 3, rows, 16], 1.0, 3, name);
        let query = tape.input("query", draw("query", 4), &["b", "h", "t", "k"]);
        let key = tape.input("key", draw("key", 5), &["b", "h", "s", "k"]);
        let value = tape.input("value", draw("value", 5), &["b", "h", "s", "k"]);
        let mask = Tensor::from_fn(&[2, 1, 1, 5], |i| if i[3] < 4 - i[0] { 1.0 } else { 0.0 });
        let mask = tape.mask("mask", mask, &["b", "", "", "s"]);
        let found = attend(&query, &key, &value, Some(&mask), 0.0);
        (found.weights.value(), found.context.value())
    };
    let (weights, context) = run(&reference::attention);
    let case = "weights of (2, 3, 4, 16) queries with two padded keys";
    let (w, c) = attempt(case, || run(&attention))?;
    let known = || [(MISTAKES[0].hint, run(&mistakes::no_scale).0)];
    compare(case, &weights, &w, 1e-5).map_err(|f: Box<Failure>| diagnose(f, &w, known()))?;
    compare("the context", &context, &c, 1e-5)
}
