//# right
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let times = heads / groups;
    x.unsqueeze(2)
        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}

//# [tiled] Repeats the whole list of groups, 0 1 0 1, instead of each group, 0 0 1 1.
-    let times = heads / groups;
-    x.unsqueeze(2)
-        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
+    x.unsqueeze(1)
+        .expand(
+            &[batch, heads / groups, groups, length, d_k],
+            &["b", "r", "g", "t", "k"],
+        )

//# [classic-0] Repeats each group as often as there are heads, not as often as heads share it.
-    let times = heads / groups;
+    let each = heads;
-        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
-        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
+        .expand(
+            &[batch, groups, each, length, d_k],
+            &["b", "g", "r", "t", "k"],
+        )
+        .reshape(&[batch, groups * each, length, d_k], &["b", "h", "t", "k"])

//# [] Repeats each group as often as there are groups, which fits only where heads is groups squared.
-    let times = heads / groups;
-        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
+        .expand(
+            &[batch, groups, groups, length, d_k],
+            &["b", "g", "r", "t", "k"],
+        )
+        .reshape(
+            &[batch, groups * groups, length, d_k],
+            &["b", "h", "t", "k"],
+        )

//# [classic-1] Puts the new axis behind the positions, so that rows are repeated and not whole heads.
-    let times = heads / groups;
-    x.unsqueeze(2)
-        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
+    let each = heads / groups;
+    x.unsqueeze(3)
+        .expand(
+            &[batch, groups, length, each, d_k],
+            &["b", "g", "t", "r", "k"],
+        )

//# [classic-2] Puts the new axis at the end, so that single channels are repeated.
-    let times = heads / groups;
-    x.unsqueeze(2)
-        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
+    let each = heads / groups;
+    x.unsqueeze(4)
+        .expand(
+            &[batch, groups, length, d_k, each],
+            &["b", "g", "t", "k", "r"],
+        )

//# [divided] Divides the repeated rows by the number of heads that share them.
-    let times = heads / groups;
+    let share = heads / groups;
-        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
+        .expand(
+            &[batch, groups, share, length, d_k],
+            &["b", "g", "r", "t", "k"],
+        )
         .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
+        .scale(1.0 / share as f32)

//# [tiled] Repeats the groups in turn, as repeat and not repeat_interleave: head h has group h modulo groups.
-    x.unsqueeze(2)
-        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
+    x.unsqueeze(1)
+        .expand(&[batch, times, groups, length, d_k], &["b", "", "h", "t", "k"])

//# [classic-1] Repeats along a new axis behind the length instead of behind the groups, so that every position is repeated by itself.
-    x.unsqueeze(2)
-        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
+    x.unsqueeze(3)
+        .expand(&[batch, groups, length, times, d_k], &["b", "h", "t", "", "k"])

//# [classic-4] Lets heads beyond the number of groups all read the last group, instead of sharing evenly.
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

//# [reversed] Deals the heads out to the groups from the last to the first.
     let _ = (batch, length, d_k);
+    let share = heads / groups;
+    // which group a head reads, as rows of a matrix [heads, groups]
-        if i[1] == i[0].min(groups - 1) { 1.0 } else { 0.0 }
+        if i[1] == groups - 1 - i[0] / share { 1.0 } else { 0.0 }

//# [first-group] Gives the first group to every head, as if there were only one.
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

//# [classic-3] Averages the groups and gives the mean to every head.
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let _ = (groups, length, d_k);
    let mean = x.permute(&[0, 2, 3, 1]).row_mean().permute(&[0, 3, 1, 2]);
    mean.expand(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}

//# [cut no-gradient] Copies the numbers into a new constant, through which no gradient passes.
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

//# [no-gradient] Treats all copies but the first as constants, so that a group's gradient comes from one head alone.
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

//# [cut no-gradient] Copies the values into a new constant, through which no gradient passes.
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

//# right
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let copies = heads / groups;
    x.unsqueeze(2)
        .expand(
            &[batch, groups, copies, length, d_k],
            &["b", "g", "r", "t", "k"],
        )
        .reshape(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
}

//# [classic-5] Makes `heads` copies of each group in place of heads / groups, which fits only with a single group.
-    let copies = heads / groups;
+    let copies = heads;

//# [classic-8] Inserts the copies before the batch, so with several sentences heads get rows of the wrong sentence.
-    x.unsqueeze(2)
+    x.unsqueeze(0)
-            &[batch, groups, copies, length, d_k],
-            &["b", "g", "r", "t", "k"],
+            &[copies, batch, groups, length, d_k],
+            &["r", "b", "g", "t", "k"],

//# [tiled] Repeats the list of groups as a whole, so neighbouring heads have different groups.
-    x.unsqueeze(2)
+    x.unsqueeze(1)
-            &[batch, groups, copies, length, d_k],
-            &["b", "g", "r", "t", "k"],
+            &[batch, copies, groups, length, d_k],
+            &["b", "r", "g", "t", "k"],

//# [classic-1] Repeats behind the length, so each row comes several times in a row and the heads get the wrong rows.
-    x.unsqueeze(2)
+    x.unsqueeze(3)
-            &[batch, groups, copies, length, d_k],
-            &["b", "g", "r", "t", "k"],
+            &[batch, groups, length, copies, d_k],
+            &["b", "g", "t", "r", "k"],

//# [classic-7] Expands the group axis itself, which is possible only if there is a single group.
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    x.expand(
        &[shape[0], heads, shape[2], shape[3]],
        &["b", "h", "t", "k"],
    )
}
