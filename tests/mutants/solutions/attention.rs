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

//# [reversed-mask] Reads the mask the other way round: 1 is blocked, as in PyTorch's key_padding_mask.
-        Some(mask) => scores.mask_fill(mask, BLOCKED),
+        Some(mask) => {
+            let visible = mask.not_equal(1.0);
+            scores.mask_fill(&visible, BLOCKED)
+        }

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

//# [no-root] Divides query and key each by the full √d_k.
-    let scores = query.matmul_t(key).scale(1.0 / d_k.sqrt());
+    let root = d_k.sqrt();
+    let (query, key) = (query.scale(1.0 / root), key.scale(1.0 / root));
+    let scores = query.matmul_t(&key);

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
