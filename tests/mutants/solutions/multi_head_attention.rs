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

//# [classic-10] Joins the heads with the channels before the heads.
-    x.permute(&[0, 2, 1, 3])
+    x.permute(&[0, 2, 3, 1])

//# [classic-11] Maps queries with W_K and keys with W_Q.
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

//# [view-only classic-3] Reads [batch, length, d_model] directly as [batch, heads, length, d_k], without exchanging the axes.
-    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
-        .permute(&[0, 2, 1, 3])
+    x.reshape(&[batch, heads, length, d_model / heads], &["b", "h", "t", "k"])

//# [no-return] Joins the heads without moving them back behind the positions.
-    x.permute(&[0, 2, 1, 3])
-        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
+    x.reshape(&[batch, length, heads * d_k], &["b", "t", "d"])

//# [dealt-in-turn classic-2] Gives every head each h-th channel instead of a block of neighbouring ones, in the split and in the join.
-    x.reshape(&[batch, length, heads, d_model / heads], &["b", "t", "h", "k"])
-        .permute(&[0, 2, 1, 3])
+    x.reshape(&[batch, length, d_model / heads, heads], &["b", "t", "k", "h"])
+        .permute(&[0, 3, 1, 2])
-    x.permute(&[0, 2, 1, 3])
-        .reshape(&[batch, length, heads * d_k], &["b", "t", "d"])
+    x.permute(&[0, 2, 3, 1])
+        .reshape(&[batch, length, d_k * heads], &["b", "t", "d"])

//# [classic-10] Joins the heads channel by channel in turn instead of side by side in blocks.
-    x.permute(&[0, 2, 1, 3])
+    x.permute(&[0, 2, 3, 1])

//# [no-output] Leaves W_O out: takes the joined heads for the result.
-    let output = maps.output.forward(&join(&found.context));
+    let output = join(&found.context);

//# [classic-4] Makes the values from the keys' input, as if the two were always the same tensor.
 ) -> MultiHead {
+    let _ = value;
-    let v = split(&maps.value.forward(value), maps.heads);
+    let v = split(&maps.value.forward(key), maps.heads);

//# [one-map] Uses one map, W_Q, for queries, keys and values.
-    let q = split(&maps.query.forward(query), maps.heads);
-    let k = split(&maps.key.forward(key), maps.heads);
-    let v = split(&maps.value.forward(value), maps.heads);
+    let project = |x: &Var| split(&maps.query.forward(x), maps.heads);
+    let (q, k, v) = (project(query), project(key), project(value));

//# [classic-12] Splits the values as they are, without W_V.
-    let v = split(&maps.value.forward(value), maps.heads);
+    let v = split(value, maps.heads);

//# [classic-5] Gives the mask its axis for the heads in front of the batch instead of behind it.
-    let mask = mask.map(|m| m.unsqueeze(1));
+    let mask = mask.map(|m| m.unsqueeze(0));

//# [no-mask] Does not pass the mask on.
-    let mask = mask.map(|m| m.unsqueeze(1));
-    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
+    let _ = mask;
+    let found = attention(&q, &k, &v, None, maps.dropout);

//# [classic-6] Does not pass the dropout on.
-    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
+    let found = attention(&q, &k, &v, mask.as_ref(), 0.0);

//# [classic-15] Drops cells of the result instead of weights.
-    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
-    let output = maps.output.forward(&join(&found.context));
+    let found = attention(&q, &k, &v, mask.as_ref(), 0.0);
+    let output = maps.output.forward(&join(&found.context)).dropout(maps.dropout);

//# [classic-7] Returns the weights averaged over the heads, as PyTorch's MultiheadAttention does by default.
-    MultiHead {
-        output,
-        weights: found.weights,
-    }
+    let shape = found.weights.shape();
+    // [batch, heads, target, source] -> [batch, target, source]
+    let weights = found
+        .weights
+        .permute(&[0, 2, 3, 1])
+        .row_mean()
+        .reshape(&[shape[0], shape[2], shape[3]], &["b", "t", "s"]);
+    MultiHead { output, weights }

//# [classic-8] Scales the queries by 1/√d_k although attention does that too.
     let q = split(&maps.query.forward(query), maps.heads);
+    let d_k = q.shape()[3] as f32;
+    let q = q.scale(1.0 / d_k.sqrt());

//# [classic-9] Adds the residual connection, which belongs around the layer, inside it.
-    let output = maps.output.forward(&join(&found.context));
+    let output = query.add(&maps.output.forward(&join(&found.context)));

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

//# [classic-16] Applies W_O twice: once to the values before the heads and once to the joined heads.
-    let v = split(&maps.value.forward(value), maps.heads);
+    let values = maps.output.forward(&maps.value.forward(value));
+    let v = split(&values, maps.heads);

//# [classic-11] Maps the queries with W_K and the keys with W_Q.
-    let q = split(&maps.query.forward(query), maps.heads);
-    let k = split(&maps.key.forward(key), maps.heads);
+    let q = split(&maps.key.forward(query), maps.heads);
+    let k = split(&maps.query.forward(key), maps.heads);

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

//# [dealt-in-turn classic-2] Splits the channels into d_k groups of one channel a head, so that a head gets every h-th channel and not a block.
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::multi_head_attention::{MultiHead, MultiHeadAttention};

fn split(x: &Var, heads: usize) -> Var {
    let shape = x.shape();
    let d_k = shape[2] / heads;
    x.reshape(&[shape[0], shape[1], d_k, heads], &["b", "t", "k", "h"])
        .permute(&[0, 3, 1, 2])
}

pub fn multi_head_attention(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let shape = query.shape();
    let q = split(&maps.query.forward(query), maps.heads);
    let k = split(&maps.key.forward(key), maps.heads);
    let v = split(&maps.value.forward(value), maps.heads);
    let mask = mask.map(|mask| mask.unsqueeze(1));
    let attended = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let joined = attended
        .context
        .permute(&[0, 2, 3, 1])
        .reshape(&shape, &["b", "t", "d"]);
    MultiHead {
        output: maps.output.forward(&joined),
        weights: attended.weights,
    }
}

//# [no-return] Joins the heads by a reshape alone, without moving the axis of heads back behind the positions.
-    let d_k = shape[2] / heads;
-    x.reshape(&[shape[0], shape[1], d_k, heads], &["b", "t", "k", "h"])
-        .permute(&[0, 3, 1, 2])
+    let (batch, length, d_model) = (shape[0], shape[1], shape[2]);
+    x.reshape(
+        &[batch, length, heads, d_model / heads],
+        &["b", "t", "h", "k"],
+    )
+    .permute(&[0, 2, 1, 3])
-    let shape = query.shape();
+    let (batch, target, d_model) = (query.shape()[0], query.shape()[1], query.shape()[2]);
-        .permute(&[0, 2, 3, 1])
-        .reshape(&shape, &["b", "t", "d"]);
+        .reshape(&[batch, target, d_model], &["b", "t", "d"]);

//# [classic-6 classic-15] Drops cells of the output where it should hand the dropout on to the attention weights.
-    x.reshape(&[shape[0], shape[1], d_k, heads], &["b", "t", "k", "h"])
-        .permute(&[0, 3, 1, 2])
+    x.reshape(&[shape[0], shape[1], heads, d_k], &["b", "t", "h", "k"])
+        .permute(&[0, 2, 1, 3])
-    let attended = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
+    let attended = attention(&q, &k, &v, mask.as_ref(), 0.0);
-        .permute(&[0, 2, 3, 1])
+        .permute(&[0, 2, 1, 3])
-        output: maps.output.forward(&joined),
+        output: maps.output.forward(&joined).dropout(maps.dropout),

//# [one-head] Runs one attention over all channels, without any split.
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
    let q = maps.query.forward(query).unsqueeze(1);
    let k = maps.key.forward(key).unsqueeze(1);
    let v = maps.value.forward(value).unsqueeze(1);
    let mask = mask.map(|m| m.unsqueeze(1));
    let found = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
    let context = found.context.reshape(&query.shape(), &["b", "t", "d"]);
    let output = maps.output.forward(&context);
    MultiHead {
        output,
        weights: found.weights,
    }
}

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

//# [classic-2] Deals the channels to the heads in turn, where each head should have a block of neighbouring channels; the join is consistent with that.
-        x.reshape(&[batch, length, maps.heads, d_k], &["b", "t", "h", "k"])
-            .permute(&[0, 2, 1, 3])
+        x.reshape(&[batch, length, d_k, maps.heads], &["b", "t", "k", "h"])
+            .permute(&[0, 3, 1, 2])
-        .permute(&[0, 2, 1, 3])
+        .permute(&[0, 2, 3, 1])

//# [classic-10] Joins with the channel axis before the head axis, so the channels of the heads alternate in the output map.
-        .permute(&[0, 2, 1, 3])
+        .permute(&[0, 2, 3, 1])

//# [classic-14] Splits keys and values with the length of the query, which works only for self-attention.
-        let length = x.shape()[1];
+        let length = target;

//# [classic-5] Passes the mask on without a head axis, so its batch axis meets the heads; a batch of one hides it.
-    let mask = mask.map(|mask| mask.unsqueeze(1));
-    let attended = attention(&q, &k, &v, mask.as_ref(), maps.dropout);
+    let mask = mask;
+    let attended = attention(&q, &k, &v, mask, maps.dropout);

//# [classic-3] Reshapes straight to [batch, heads, length, d_k], which cuts up the tokens in place of their channels.
-        x.reshape(&[batch, length, maps.heads, d_k], &["b", "t", "h", "k"])
-            .permute(&[0, 2, 1, 3])
+        x.reshape(&[batch, maps.heads, length, d_k], &["b", "h", "t", "k"])

//# [] Reads the values from key in place of value, and leaves out the output map.
-    let v = split(maps.value.forward(value));
+    let v = split(maps.value.forward(key));
-        output: maps.output.forward(&joined),
+        output: joined,

//# [classic-13] Runs the values through the map of the keys.
-    let v = split(maps.value.forward(value));
+    let v = split(maps.key.forward(value));
