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

//# [rows-repeated] Puts the new axis behind the positions, so that rows are repeated and not whole heads.
-    let times = heads / groups;
-    x.unsqueeze(2)
-        .expand(&[batch, groups, times, length, d_k], &["b", "h", "", "t", "k"])
+    let each = heads / groups;
+    x.unsqueeze(3)
+        .expand(
+            &[batch, groups, length, each, d_k],
+            &["b", "g", "t", "r", "k"],
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

//# [rest-to-the-last] Lets heads beyond the number of groups all read the last group, instead of sharing evenly.
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

//# [mean-of-groups] Averages the groups and gives the mean to every head.
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, groups, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    let _ = (groups, length, d_k);
    let mean = x.permute(&[0, 2, 3, 1]).row_mean().permute(&[0, 3, 1, 2]);
    mean.expand(&[batch, heads, length, d_k], &["b", "h", "t", "k"])
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

//# [groups-stretched] Expands the group axis itself, which is possible only if there is a single group.
use transformer_tutor::autograd::Var;

pub fn repeat_heads(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    x.expand(
        &[shape[0], heads, shape[2], shape[3]],
        &["b", "h", "t", "k"],
    )
}
