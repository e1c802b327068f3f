//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = sublayer(&norm.forward(x));
    x.add(&y.dropout(dropout))
}

//# [post-norm] The norm stands after the addition, as in the paper's post-norm form.
-    let y = sublayer(&norm.forward(x));
-    x.add(&y.dropout(dropout))
+    norm.forward(&x.add(&sublayer(x).dropout(dropout)))

//# [no-norm] The norm is forgotten, so the sublayer reads x as it is.
-    let y = sublayer(&norm.forward(x));
-    x.add(&y.dropout(dropout))
+    let _ = norm;
+    x.add(&sublayer(x).dropout(dropout))

//# [norm-the-result] The norm is applied to what the sublayer gives instead of what it reads.
-    let y = sublayer(&norm.forward(x));
+    let y = norm.forward(&sublayer(x));

//# [no-dropout] Nothing is dropped in training.
-    let y = sublayer(&norm.forward(x));
-    x.add(&y.dropout(dropout))
+    let _ = dropout;
+    let normed = norm.forward(x);
+    x.add(&sublayer(&normed))

//# [drop-before] Dropout is applied to what the sublayer reads instead of what it gives.
-    let y = sublayer(&norm.forward(x));
-    x.add(&y.dropout(dropout))
+    let read = norm.forward(x).dropout(dropout);
+    x.add(&sublayer(&read))

//# [kept-share] The dropout number is taken for the share of cells to keep, as TensorFlow 1 had it.
-    let y = sublayer(&norm.forward(x));
-    x.add(&y.dropout(dropout))
+    let y = sublayer(&norm.forward(x)).dropout((1.0 - dropout).min(0.999));
+    x.add(&y)

//# [shrunk] The sublayer's result is scaled by 1 − dropout by hand, although dropout has already kept the expected value.
-    x.add(&y.dropout(dropout))
+    let y = y.dropout(dropout).scale(1.0 - dropout);
+    x.add(&y)

//# [input-subtracted] What is added is the sublayer's result minus its input, as if the sublayer returned a new x and not a change.
-    let y = sublayer(&norm.forward(x));
-    x.add(&y.dropout(dropout))
+    let normed = norm.forward(x);
+    let change = sublayer(&normed).sub(&normed);
+    x.add(&change.dropout(dropout))

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::layer_norm::LayerNorm;

pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    x.add(&sublayer(&norm.forward(x)).dropout(dropout))
}

//# [drop-the-sum] Drops cells of the sum, and with them cells of x.
-    x.add(&sublayer(&norm.forward(x)).dropout(dropout))
+    x.add(&sublayer(&norm.forward(x))).dropout(dropout)

//# [normed-stream] Adds the sublayer to the normalised x, so the way around it is not free of operations.
-    x.add(&sublayer(&norm.forward(x)).dropout(dropout))
+    let x = norm.forward(x);
+    let added = sublayer(&x).dropout(dropout);
+    x.add(&added)
