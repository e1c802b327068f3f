//! The classic mistakes of an embedding, each a function of the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

/// The signature of an embedding.
pub type Embed = fn(&Var, &Var) -> Var;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, Embed); 5] = [
    ("no-scale", no_scale),
    ("times-width", times_width),
    ("divided", divided),
    ("root-of-vocabulary", root_of_vocabulary),
    ("next-row", next_row),
];

fn scaled(table: &Var, ids: &Var, factor: f32) -> Var {
    table
        .embedding(ids)
        .named("rows")
        .scale(factor)
        .named("embedded")
}

/// The rows as they are.
pub fn no_scale(table: &Var, ids: &Var) -> Var {
    scaled(table, ids, 1.0)
}

/// Times d_model instead of its root.
pub fn times_width(table: &Var, ids: &Var) -> Var {
    scaled(table, ids, table.value().last() as f32)
}

/// Divided by the root instead of multiplied.
pub fn divided(table: &Var, ids: &Var) -> Var {
    scaled(table, ids, 1.0 / (table.value().last() as f32).sqrt())
}

/// The root of the vocabulary instead of the width.
pub fn root_of_vocabulary(table: &Var, ids: &Var) -> Var {
    scaled(table, ids, (table.shape()[0] as f32).sqrt())
}

/// Every id reads the row behind its own.
pub fn next_row(table: &Var, ids: &Var) -> Var {
    let one = ids.tape().constant("one", Tensor::scalar(1.0), &[]);
    let factor = (table.value().last() as f32).sqrt();
    scaled(table, &ids.add(&one).named("shifted"), factor)
}
