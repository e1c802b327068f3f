//! The classic mistakes in grouped queries.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

/// The signature of the function to write.
pub type RepeatFn = fn(&Var, usize) -> Var;

/// Every mistake, by the key of its diagnosis.
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

/// The rows of the group that `group` chooses for each head, multiplied by `factor`.
fn chosen(x: &Var, heads: usize, group: fn(usize, usize, usize) -> usize, factor: f32) -> Var {
    let groups = x.shape()[1];
    let choice = Tensor::from_fn(&[heads, groups], |i| {
        f32::from(u8::from(group(i[0], groups, heads / groups) == i[1]))
    });
    let choice = x.tape().constant("choice", choice, &["h", "g"]);
    let turned = x.permute(&[0, 2, 3, 1]).matmul_t(&choice);
    turned.permute(&[0, 3, 1, 2]).scale(factor)
}

/// Repeats along a new axis at `axis`, and reads the cells in order as heads.
fn expanded(x: &Var, heads: usize, axis: usize) -> Var {
    stretched(x, heads, axis, heads / x.shape()[1])
}

/// Makes this number of copies of each group, and reads the cells in order as heads. Panics if they are too many or too
/// few.
fn copied(x: &Var, heads: usize, copies: usize) -> Var {
    stretched(x, heads, 2, copies)
}

fn stretched(x: &Var, heads: usize, axis: usize, copies: usize) -> Var {
    let (shape, mut axes) = (x.shape(), x.axes());
    let mut repeated = shape.clone();
    repeated.insert(axis, copies);
    axes.insert(axis, "r");
    let repeated = x.unsqueeze(axis).expand(&repeated, &axes);
    repeated.reshape(
        &[shape[0], heads, shape[2], shape[3]],
        &["b", "h", "s", "k"],
    )
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, RepeatFn); 9] = [
    (
        "You repeat each group `heads` times, so there are too many heads. heads / groups of them share a group.",
        |x, heads| {
            let all = heads * x.shape()[1];
            chosen(x, all, |head, _, each| head / each, 1.0)
        },
    ),
    (
        "You repeat the rows of a group and not the group as a whole. The new axis belongs right behind that of the groups.",
        |x, heads| expanded(x, heads, 3),
    ),
    (
        "You repeat single channels. The new axis belongs right behind that of the groups, so that the group is repeated as a whole.",
        |x, heads| expanded(x, heads, 4),
    ),
    (
        "You give every head the mean of the groups. Each head has the rows of one group: head / (heads / groups).",
        |x, heads| {
            let s = x.shape();
            let mean = x.permute(&[0, 2, 3, 1]).row_mean().permute(&[0, 3, 1, 2]);
            mean.expand(&[s[0], heads, s[2], s[3]], &["b", "h", "s", "k"])
        },
    ),
    (
        "The first heads have a group each, and all others share the last group. The same number of heads shares each group: heads / groups.",
        |x, heads| chosen(x, heads, |head, groups, _| head.min(groups - 1), 1.0),
    ),
    (
        "You make `heads` copies of each group, which is more cells than the heads have. Make heads / groups copies.",
        |x, heads| copied(x, heads, heads),
    ),
    (
        "You make as many copies of each group as there are groups. Make heads / groups copies.",
        |x, heads| copied(x, heads, x.shape()[1]),
    ),
    (
        "You stretch the axis of the groups, which works only for a single group. Insert a new axis behind it, and stretch that one.",
        |x, heads| {
            let s = x.shape();
            x.expand(&[s[0], heads, s[2], s[3]], &["b", "h", "s", "k"])
        },
    ),
    (
        "You insert the copies before the batch, so heads get the rows of other sentences. The new axis belongs right behind that of the groups.",
        |x, heads| expanded(x, heads, 0),
    ),
];
