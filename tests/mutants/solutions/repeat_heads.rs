//# Repeats the whole list of groups, 0 1 0 1, instead of each group, 0 0 1 1.
//= tiled
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.unsqueeze(1)
        .expand(
            &[batch, heads / groups, groups, length, d_k],
            &["b", "r", "g", "t", "k"],
        )
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}
//# Repeats each group once per head instead of once per head that shares it.
//= classic-0
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let each = heads;
    x.unsqueeze(2)
        .expand(
            &[batch, groups, each, length, d_k],
            &["b", "g", "r", "t", "k"],
        )
        .reshape(&[batch, groups * each, length, d_k], &["b", "h", "t", "k"])
}
//# Repeats each group once per group, which is right only if heads is groups squared.
//=
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.unsqueeze(2)
        .expand(
            &[batch, groups, groups, length, d_k],
            &["b", "g", "r", "t", "k"],
        )
        .reshape(
            &[batch, groups * groups, length, d_k],
            &["b", "h", "t", "k"],
        )
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}
//# Inserts the new axis after the positions, which repeats rows instead of whole heads.
//= classic-1
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let each = heads / groups;
    x.unsqueeze(3)
        .expand(
            &[batch, groups, length, each, d_k],
            &["b", "g", "t", "r", "k"],
        )
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}
//# Inserts the new axis at the end, which repeats single channels.
//= classic-2
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let each = heads / groups;
    x.unsqueeze(4)
        .expand(
            &[batch, groups, length, d_k, each],
            &["b", "g", "t", "k", "r"],
        )
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}
//# Gives the first group to every head, as if there were only one.
//= first-group
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let _ = groups;
    x.permute(&[0, 2, 1, 3])
        .rows(1)
        .permute(&[0, 2, 1, 3])
        .expand(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}
//# Gives every head the mean of the groups.
//= classic-3
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let _ = (groups, length, d_k);
    let mean = x.permute(&[0, 2, 3, 1]).row_mean().permute(&[0, 3, 1, 2]);
    mean.expand(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}
//# Copies the values into a new constant, through which no gradient flows.
//= cut no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let share = heads / groups;
    let from = x.value();
    let copy = Tensor::from_fn(&[batch, heads, length, d_k], |i| {
        from.at(&[i[0], i[1] / share, i[2], i[3]])
    });
    x.tape().constant("repeated", copy, &["b", "h", "t", "k"])
}
//# Divides the repeated rows by the number of heads that share them.
//= divided
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let share = heads / groups;
    x.unsqueeze(2)
        .expand(
            &[batch, groups, share, length, d_k],
            &["b", "g", "r", "t", "k"],
        )
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
        .scale(1.0 / share as f32)
}
//# Treats all copies but the first as constants, so that a group's gradient comes from only one head.
//= no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let share = heads / groups;
    let sizes = [batch, groups, share, length, d_k];
    let names = ["b", "g", "r", "t", "k"];
    let rows = x.value();
    let copies = Tensor::from_fn(&sizes, |i| match i[2] {
        0 => 0.0,
        _ => rows.at(&[i[0], i[1], i[3], i[4]]),
    });
    let first = Tensor::from_fn(&sizes, |i| if i[2] == 0 { 1.0 } else { 0.0 });
    let tape = x.tape();
    let copies = tape.constant("copies", copies, &names);
    let first = tape.constant("first", first, &names);
    x.unsqueeze(2)
        .expand(&sizes, &names)
        .mul(&first)
        .add(&copies)
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}
//# Assigns the heads to the groups in reverse order.
//= reversed
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let _ = (batch, length, d_k);
    let share = heads / groups;
    // which group a head reads, as rows of a matrix [heads, groups]
    let choice = Tensor::from_fn(&[heads, groups], |i| {
        if i[1] == groups - 1 - i[0] / share { 1.0 } else { 0.0 }
    });
    let choice = x.tape().constant("choice", choice, &["h", "g"]);
    x.permute(&[0, 2, 3, 1])
        .matmul_t(&choice)
        .permute(&[0, 3, 1, 2])
}
//# Makes all heads beyond the number of groups read the last group instead of sharing evenly.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let _ = (batch, length, d_k);
    let choice = Tensor::from_fn(&[heads, groups], |i| {
        if i[1] == i[0].min(groups - 1) { 1.0 } else { 0.0 }
    });
    let choice = x.tape().constant("choice", choice, &["h", "g"]);
    x.permute(&[0, 2, 3, 1])
        .matmul_t(&choice)
        .permute(&[0, 3, 1, 2])
}
//# Repeats the groups in turn, like repeat instead of repeat_interleave: head h reads group h modulo groups.
//= tiled
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let times = heads / groups;
    x.unsqueeze(1)
        .expand(&[batch, times, groups, length, d_k], &["b", "", "h", "t", "k"])
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}
//# Copies the values into a new constant, through which no gradient flows.
//= cut no-gradient
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let share = heads / shape[1];
    let value = x.value();
    let repeated = Tensor::from_fn(&[shape[0], heads, shape[2], shape[3]], |i| {
        value.at(&[i[0], i[1] / share, i[2], i[3]])
    });
    x.tape().constant("repeated", repeated, &["b", "h", "t", "k"])
}
//# Repeats along a new axis after the length instead of after the groups, which repeats each position separately.
//= classic-1
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let times = heads / groups;
    x.unsqueeze(3)
        .expand(&[batch, groups, length, times, d_k], &["b", "h", "t", "", "k"])
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}
