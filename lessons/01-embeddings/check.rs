//! The check of the embedding exercise: takes any implementation.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::embeddings::scale_embeddings as reference;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::mistakes;
use super::starter;

type Embed<'a> = &'a dyn Fn(&Var, &Var) -> Var;

/// What there is to write.
pub static TASK: Task<mistakes::Embed> = Task {
    reference,
    starter: starter::scale_embeddings,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `scale_embeddings` does what the reference does, and lets the gradient through.
pub fn check(scale_embeddings: impl Fn(&Var, &Var) -> Var) -> Outcome {
    for (vocabulary, d_model, batch, length) in [(13, 30, 4, 7), (5, 6, 1, 3), (40, 16, 2, 9)] {
        let case = format!("{batch} sentences of {length}, d_model {d_model}");
        let run = |embed: Embed| {
            let tape = Tape::eval(&Params::default());
            let table = tape.input(
                "table",
                random::normal(&[vocabulary, d_model], 1.0, 1, "table"),
                &["v", "d"],
            );
            // The last row is left out, so that reading the row behind it gives a result too.
            let ids = Tensor::from_fn(&[batch, length], |i| {
                ((i[0] * 5 + i[1] * 3) % (vocabulary - 1)) as f32
            });
            let ids = tape.ids("ids", ids, &["b", "s"]);
            let y = embed(&table, &ids);
            let gradient = y.sum().backward().get(&table).cloned();
            (y.value(), gradient.unwrap_or_else(|| Tensor::scalar(0.0)))
        };
        let (expected, slope) = run(&reference);
        let (got, gradient) = attempt(&case, || run(&scale_embeddings))?;
        compare(&case, &expected, &got, 1e-5).map_err(|failure| {
            let results = mistakes::ALL
                .iter()
                .filter_map(|(name, mistake)| Some((*name, attempt("", || run(mistake)).ok()?.0)));
            diagnose(failure, &got, results)
        })?;
        compare(
            &format!("{case}: the gradient by the table"),
            &slope,
            &gradient,
            1e-4,
        )?;
    }
    Ok(())
}
