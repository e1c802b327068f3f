//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}

//# [classic-11] Takes the root of axis 2, the number of queries.
-    let d_k = query.shape()[3] as f32;
+    let d_k = query.shape()[2] as f32;

//# [classic-12] Takes the root of axis 1, the number of heads.
-    let d_k = query.shape()[3] as f32;
+    let d_k = query.shape()[1] as f32;

//# [fill-not-low] Fills blocked scores with −20.
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(mask) => scores.mask_fill(mask, -20.0),

//# [fill-not-low] Fills blocked scores with −100.
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(mask) => scores.mask_fill(mask, -100.0),

//# [classic-2] Multiplies by √d_k.
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let scores = query.matmul_t(key).scale(d_k.sqrt());

//# [no-scale no-mask classic-13] Two mistakes: no division and no mask.
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let scores = query.matmul_t(key);
+    let _ = d_k;
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(_) => scores,

//# [no-scale no-dropout] Two mistakes: no division and no dropout.
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let scores = query.matmul_t(key);
+    let _ = (d_k, dropout);
-    let context = weights.dropout(dropout).matmul(value);
+    let context = weights.matmul(value);

//# [no-scale] Leaves the division by √d_k out.
-    let d_k = query.shape()[3] as f32;
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let scores = query.matmul_t(key);

//# [classic-0] Divides by d_k instead of its root.
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let scores = query.matmul_t(key).scale(1.0 / d_k);

//# [classic-3] Divides by the root of the number of keys instead of the width of a key.
-    let d_k = query.shape()[3] as f32;
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let source = key.shape()[2] as f32;
+    let scores = query.matmul_t(key).scale(1.0 / source.sqrt());

//# [classic-1] Takes the width of the values for d_k.
-    let d_k = query.shape()[3] as f32;
+    let d_k = value.value().last() as f32;

//# [classic-12] Takes the number of heads for d_k: counts the axes of the query from the wrong end.
-    let d_k = query.shape()[3] as f32;
+    let d_k = query.shape()[1] as f32;

//# [wrong-axis] Normalises over the queries instead of the keys.
-    let weights = scores.softmax();
+    // softmax works on the last axis, so every column is turned into a row and back
+    let weights = scores.transpose().softmax().transpose();

//# [classic-4] Adds the mask of ones and zeros to the scores instead of filling with it.
-use transformer_tutor::nn::attention::{Attention, BLOCKED};
+use transformer_tutor::nn::attention::Attention;
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(mask) => scores.add(mask),

//# [too-high classic-5] Takes the smallest positive number for the most negative one when it fills blocked scores.
-use transformer_tutor::nn::attention::{Attention, BLOCKED};
+use transformer_tutor::nn::attention::Attention;
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(mask) => scores.mask_fill(mask, f32::MIN_POSITIVE),

//# [minus-infinity] Fills blocked scores with minus infinity, which makes a row without a visible key not a number.
-use transformer_tutor::nn::attention::{Attention, BLOCKED};
+use transformer_tutor::nn::attention::Attention;
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(mask) => scores.mask_fill(mask, f32::NEG_INFINITY),

//# [mask-after] Zeroes the blocked weights after the softmax and does not normalise again.
-use transformer_tutor::nn::attention::{Attention, BLOCKED};
+use transformer_tutor::nn::attention::Attention;
-    let scores = match mask {
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
-        None => scores,
+    let weights = scores.softmax();
+    let weights = match mask {
+        Some(mask) => weights.mul(mask),
+        None => weights,
-    let weights = scores.softmax();

//# [reversed-mask] Reads the mask the other way round: 1 is blocked, as in PyTorch's key_padding_mask.
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(mask) => {
+            let visible = mask.not_equal(1.0);
+            scores.mask_fill(&visible, BLOCKED)
+        }

//# [dropped-returned] Returns the weights as dropout left them.
-    let weights = scores.softmax();
-    let context = weights.dropout(dropout).matmul(value);
+    let weights = scores.softmax().dropout(dropout);
+    let context = weights.matmul(value);

//# [dropped-values] Drops cells of the context instead of weights.
-    let context = weights.dropout(dropout).matmul(value);
+    let context = weights.matmul(value).dropout(dropout);

//# [early-dropout] Drops scores before the softmax instead of weights after it.
-    let weights = scores.softmax();
-    let context = weights.dropout(dropout).matmul(value);
+    let weights = scores.dropout(dropout).softmax();
+    let context = weights.matmul(value);

//# [each-weight] Takes dropout for the proportion of weights to keep, as TensorFlow 1 did.
-    let context = weights.dropout(dropout).matmul(value);
+    let kept = match dropout > 0.0 {
+        true => weights.dropout(1.0 - dropout),
+        false => weights.clone(),
+    };
+    let context = kept.matmul(value);

//# [classic-6] Applies the softmax twice, to the scores and again to the weights before they mix.
-    let context = weights.dropout(dropout).matmul(value);
+    let context = weights.softmax().dropout(dropout).matmul(value);

//# [classic-7] Scales after the softmax instead of before it.
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let scores = query.matmul_t(key);
-    let weights = scores.softmax();
+    let weights = scores.softmax().scale(1.0 / d_k.sqrt());

//# [classic-0] Divides query and key each by the full √d_k.
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let root = d_k.sqrt();
+    let (query, key) = (query.scale(1.0 / root), key.scale(1.0 / root));
+    let scores = query.matmul_t(&key);

//# [classic-17] Uses the logarithm of the softmax for the weights.
-    let weights = scores.softmax();
+    let weights = scores.log_softmax();

//# [classic-9] Mixes the keys instead of the values.
-    let context = weights.dropout(dropout).matmul(value);
+    let _ = value;
+    let context = weights.dropout(dropout).matmul(key);

//# [classic-8] Returns the scores as the weights.
-    let weights = scores.softmax();
-    let context = weights.dropout(dropout).matmul(value);
-    Attention { context, weights }
+    let context = scores.softmax().dropout(dropout).matmul(value);
+    Attention { context, weights: scores }

//# [too-high] Blocks with −10,000, as half-precision code does, which large scores overcome.
-use transformer_tutor::nn::attention::{Attention, BLOCKED};
+use transformer_tutor::nn::attention::Attention;
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(mask) => scores.mask_fill(mask, -10_000.0),

//# [classic-10] Adds the query to the context: takes the residual connection for a part of attention.
-    let context = weights.dropout(dropout).matmul(value);
+    let context = query.add(&weights.dropout(dropout).matmul(value));

//# [classic-18] Normalises queries and keys to length 1 and compares by the cosine.
-    let d_k = query.shape()[3] as f32;
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let unit = |x: &Var| {
+        let d = x.value().last() as f32;
+        let length = x.mul(x).row_mean().scale(d).sqrt();
+        x.div(&length)
+    };
+    let scores = unit(query).matmul_t(&unit(key));

//# [classic-5 too-high] Fills blocked scores with 1e-9, nearly 0, where −1e9 is meant.
-use transformer_tutor::nn::attention::{Attention, BLOCKED};
+use transformer_tutor::nn::attention::Attention;
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
-    let scores = match mask {
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
-        None => scores,
-    };
+    let mut scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    if let Some(mask) = mask {
+        scores = scores.mask_fill(mask, 1e-9);
+    }

//# [classic-11] Reads d_k from axis 2, the number of queries, as if there were no axis of heads.
-    let d_k = query.shape()[3] as f32;
+    let d_k = query.shape()[2] as f32;

//# [dropped-returned] Returns the weights after dropout, as the Annotated Transformer's p_attn, not as the softmax made them.
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let mut scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    if let Some(mask) = mask {
        scores = scores.mask_fill(mask, BLOCKED);
    }
    let p_attn = scores.softmax().dropout(dropout);
    let context = p_attn.matmul(value);
    Attention {
        context,
        weights: p_attn,
    }
}

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::{Attention, BLOCKED};

pub fn attention(
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
    dropout: f32,
) -> Attention {
    let d_k = query.shape()[3] as f32;
    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
    let scores = match mask {
        Some(mask) => scores.mask_fill(mask, BLOCKED),
        None => scores,
    };
    let weights = scores.softmax();
    let context = weights.dropout(dropout).matmul(value);
    Attention { context, weights }
}

//# [dropped-values] Drops cells of the context in place of weights.
-    let context = weights.dropout(dropout).matmul(value);
+    let context = weights.matmul(value).dropout(dropout);

//# [classic-5] Fills the blocked scores with 0, which softmax turns into a weight like any other.
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(mask) => scores.mask_fill(mask, 0.0),

//# [mask-after] Sets the blocked weights to 0 after the softmax, so the rows no longer sum to 1.
-    let d_k = query.shape()[3] as f32;
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
-    let scores = match mask {
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
-        None => scores,
+    let d_k = *query.shape().last().unwrap() as f32;
+    let weights = query.matmul_t(key).scale(1.0 / d_k.sqrt()).softmax();
+    let weights = match mask {
+        Some(mask) => weights.mask_fill(mask, 0.0),
+        None => weights,
-    let weights = scores.softmax();

//# [classic-0] Divides by d_k without the root, and drops scores before the softmax in place of weights after it.
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let scores = query.matmul_t(key).scale(1.0 / d_k);
-    let weights = scores.softmax();
-    let context = weights.dropout(dropout).matmul(value);
+    let weights = scores.dropout(dropout).softmax();
+    let context = weights.matmul(value);

//# [dropped-returned] Returns the weights after dropout, where those before it are asked for.
-    let weights = scores.softmax();
-    let context = weights.dropout(dropout).matmul(value);
+    let weights = scores.softmax().dropout(dropout);
+    let context = weights.matmul(value);

//# [classic-11] Takes axis 2 of the query, the number of target tokens, for d_k.
-    let d_k = query.shape()[3] as f32;
+    let d_k = query.shape()[2] as f32;

//# [classic-1] Divides by the root of d_v, the width of the values, which matters only where it differs from d_k.
-    let d_k = query.shape()[3] as f32;
+    let d_k = value.shape()[3] as f32;
