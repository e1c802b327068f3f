//! The exercise: the embedding, and cases that distinguish it from its mistakes.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::nn::embeddings::scale_embeddings as reference;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

/// The signature of an embedding.
pub type Embed = fn(&Var, &Var) -> Var;

transformer_tutor::task! { scale_embeddings: Embed = reference;
    |embed| TASK.compared_recorded(embed, &CASES, 1e-5, run)
}

/// Cases to try: `[vocabulary, d_model, batch, length]`.
const CASES: [(&str, [usize; 4]); 3] = [
    ("4 sentences of 7, d_model 30", [13, 30, 4, 7]),
    ("1 sentence of 3, d_model 6", [5, 6, 1, 3]),
    ("2 sentences of 9, d_model 16", [40, 16, 2, 9]),
];

fn run(&[vocabulary, d_model, batch, length]: &[usize; 4], f: Embed) -> Recorded {
    let tape = Tape::eval(&Params::default());
    let table = random::normal(&[vocabulary, d_model], 1.0, 1, "table");
    let table = tape.input("table", table, &["v", "d"]);
    // No id is that of the last row, so that a mistake that reads the next row still gives a result.
    let id = |i: &[usize]| ((i[0] * 5 + i[1] * 3) % (vocabulary - 1)) as f32;
    let ids = tape.ids("ids", Tensor::from_fn(&[batch, length], id), &["b", "s"]);
    Recorded::new(&tape, &[("", &f(&table, &ids))])
}
