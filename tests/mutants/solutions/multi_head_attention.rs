//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
        .permute(&[0, 2, 1, 3])
}

fn join(x: &Var) -> Var {
    let shape = x.shape();
    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
    x.permute(&[0, 2, 1, 3])
        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let output = maps.output.forward(&join(&found.context));
    MultiHead {
        output,
        weights: found.weights,
    }
}

//# [maps-swapped] Maps queries with W_K and keys with W_Q.
-    let q = split(&maps.query.forward(query), maps.heads);
-    let k = split(&maps.key.forward(key), maps.heads);
+    let q = split(&maps.key.forward(query), maps.heads);
+    let k = split(&maps.query.forward(key), maps.heads);

//# [] Joins the heads in the reverse order.
-    x.permute(&[0, 2, 1, 3])
+    let tape = x.tape();
+    let reverse = transformer_tutor::tensor::Tensor::from_fn(&[heads, heads], |i| f32::from(u8::from(i[0] + i[1] + 1 == heads)));
+    let reverse = tape.constant("reverse", reverse, &["h", "h"]);
+    x.permute(&[0, 2, 3, 1]).matmul_t(&reverse).permute(&[0, 1, 3, 2])

//# [no-output] Leaves W_O out: takes the joined heads for the result.
-    let output = maps.output.forward(&join(&found.context));
+    let output = join(&found.context);

//# [] Leaves the heads behind the positions, so that the heads of one token attend to one another.
-        .permute(&[0, 2, 1, 3])
-}
-
-fn join(x: &Var) -> Var {
-    let shape = x.shape();
-    let (batch, heads, length, d_k) = (shape[0], shape[1], shape[2], shape[3]);
-    x.permute(&[0, 2, 1, 3])
-        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
-    let output = maps.output.forward(&join(&found.context));
+    let shape = query.shape();
+    let joined = found.context.reshape(&shape, &["b", "t", "d"]);
+    let output = maps.output.forward(&joined);

//# [] Compares the inputs as they are, without W_Q and W_K, and applies W_V after the mixing.
-    let q = split(&maps.query.forward(query), maps.heads);
-    let k = split(&maps.key.forward(key), maps.heads);
-    let v = split(&maps.value.forward(value), maps.heads);
+    let q = split(query, maps.heads);
+    let k = split(key, maps.heads);
+    let v = split(value, maps.heads);
-    let output = maps.output.forward(&join(&found.context));
+    let joined = join(&found.context);
+    let output = maps.output.forward(&maps.value.forward(&joined));

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let (batch, target, d_model) = (query.shape()[0], query.shape()[1], query.shape()[2]);
    let d_k = d_model / maps.heads;
    let split = |x: Var| {
        let length = x.shape()[1];
        x.reshape(&[batch, length, maps.heads, d_k], &["b", "t", "h", "k"])
            .permute(&[0, 2, 1, 3])
    };
    let q = split(maps.query.forward(query));
    let k = split(maps.key.forward(key));
    let v = split(maps.value.forward(value));
    let mask = mask.map(|mask| mask.unsqueeze(1));
    let attended = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let joined = attended
        .context
        .permute(&[0, 2, 1, 3])
        .reshape(&[batch, target, d_model], &["b", "t", "d"]);
    MultiHead {
        output: maps.output.forward(&joined),
        weights: attended.weights,
    }
}

//# [] Reads the values from key in place of value, and leaves out the output map.
-    let v = split(maps.value.forward(value));
+    let v = split(maps.value.forward(key));
-        output: maps.output.forward(&joined),
+        output: joined,
