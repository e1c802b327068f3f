//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
}

//# [no-mask-skip-ffn] Two mistakes: no mask and no feed-forward.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    let _ = mask;
+    layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, None).output)

//# [ffn-first ffn-in-front] Feed-forward runs before self-attention.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    let x = layer.sublayer[0].forward(x, |y| layer.feed_forward.forward(y));
+    layer.sublayer[1].forward(&x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output)

//# [future-hidden] The encoder hides the future too, as if it were a decoder.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
+    let length = x.shape()[1];
+    let mask = mask.and(&x.tape().causal(length));
+    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(&mask)).output);

//# [no-mask] Padding is hidden by setting its vectors to zero, and attention gets no mask.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
+    let real = mask.transpose();
+    let x = layer.sublayer[0].forward(x, |y| {
+        let y = y.mul(&real);
+        layer.self_attn.forward(&y, &y, &y, None).output
+    });

//# [skip-ffn] The feed-forward sublayer is forgotten.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output)

//# [one-norm] Uses the first residual connection for both sublayers, so the second one's norm is left out.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    let sublayer = &layer.sublayer[0];
+    let x = sublayer.forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
+    sublayer.forward(&x, |y| layer.feed_forward.forward(y))

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;

pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let attended =
        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    layer.sublayer[1].forward(&attended, |y| layer.feed_forward.forward(y))
}
