//! The classic mistakes of grouped queries.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

/// The signature of what is to be written.
pub type RepeatFn = fn(&Var, usize) -> Var;

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, RepeatFn); 5] = [
    ("tiled", |x, heads| {
        chosen(x, heads, |head, groups, _| head % groups, 1.0)
    }),
    ("first-group", |x, heads| chosen(x, heads, |_, _, _| 0, 1.0)),
    ("reversed", |x, heads| {
        chosen(x, heads, |head, groups, each| groups - 1 - head / each, 1.0)
    }),
    ("divided", |x, heads| {
        let each = heads / x.shape()[1];
        chosen(x, heads, |head, _, each| head / each, 1.0 / each as f32)
    }),
    ("cut", |x, heads| {
        let right = chosen(x, heads, |head, _, each| head / each, 1.0);
        x.tape()
            .constant("all", right.value(), &["b", "h", "s", "k"])
    }),
];

/// The rows of the group that `group` finds for each head, times `factor`.
fn chosen(x: &Var, heads: usize, group: fn(usize, usize, usize) -> usize, factor: f32) -> Var {
    let groups = x.shape()[1];
    let choice = Tensor::from_fn(&[heads, groups], |i| {
        f32::from(u8::from(group(i[0], groups, heads / groups) == i[1]))
    });
    let choice = x.tape().constant("choice", choice, &["h", "g"]);
    let turned = x.permute(&[0, 2, 3, 1]).matmul_t(&choice);
    turned.permute(&[0, 3, 1, 2]).scale(factor)
}
