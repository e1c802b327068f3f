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
