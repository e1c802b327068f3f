//! The classic mistakes in an embedding, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

/// The signature of an embedding.
pub type Embed = fn(&Var, &Var) -> Var;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, Embed); 5] = [
    ("no-scale", no_scale),
    ("times-width", times_width),
    ("divided", divided),
    ("root-of-vocabulary", root_of_vocabulary),
    ("next-row", next_row),
];

fn rows(table: &Var, ids: &Var) -> Var {
    table.embedding(ids).named("rows")
}

fn scaled(table: &Var, ids: &Var, factor: f32) -> Var {
    rows(table, ids).scale(factor).named("embedded")
}

/// The correct factor.
fn root(table: &Var) -> f32 {
    (table.value().last() as f32).sqrt()
}

/// Does not scale the rows.
pub fn no_scale(table: &Var, ids: &Var) -> Var {
    scaled(table, ids, 1.0)
}

/// Multiplies by d_model instead of its root.
pub fn times_width(table: &Var, ids: &Var) -> Var {
    scaled(table, ids, table.value().last() as f32)
}

/// Divides by the root instead of multiplying.
pub fn divided(table: &Var, ids: &Var) -> Var {
    scaled(table, ids, 1.0 / root(table))
}

/// Takes the root of the vocabulary's size instead of d_model.
pub fn root_of_vocabulary(table: &Var, ids: &Var) -> Var {
    scaled(table, ids, (table.shape()[0] as f32).sqrt())
}

/// Reads the row after each id's own.
pub fn next_row(table: &Var, ids: &Var) -> Var {
    let one = ids.tape().constant("one", Tensor::scalar(1.0), &[]);
    scaled(table, &ids.add(&one).named("shifted"), root(table))
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, Embed); 6] = [
    (
        "You round √d_model to a whole number. Keep the root as an f32, with its fraction.",
        |table, ids| scaled(table, ids, table.value().last().isqrt() as f32),
    ),
    (
        "Your factor is the root of the number of tokens. Take the root of the width of a vector, d_model.",
        |table, ids| scaled(table, ids, (ids.value().last() as f32).sqrt()),
    ),
    (
        "You set the vectors of id 0 to zero. Here padding has its own row, like every id; masks hide it later.",
        |table, ids| {
            let real = ids.not_equal(0.0).unsqueeze(2);
            rows(table, ids).mul(&real).scale(root(table))
        },
    ),
    (
        "Your factor is √512 for every table. Read d_model from the table: it is the size of the last axis.",
        |table, ids| scaled(table, ids, 512_f32.sqrt()),
    ),
    (
        "For each id, you read the row before it. Ids count from 0: id 3 reads row 3.",
        |table, ids| {
            let one = ids.tape().constant("one", Tensor::scalar(1.0), &[]);
            scaled(table, &ids.sub(&one), root(table))
        },
    ),
    (
        "You normalise every row to the same length. Multiply all rows by one factor, √d_model, so that their lengths still differ.",
        |table, ids| {
            let rows = rows(table, ids);
            rows.div(&rows.mul(&rows).row_mean().sqrt())
        },
    ),
];
