//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
}

//# [classic-11] Calls feed-forward without its residual connection.
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.feed_forward.forward(&x)

//# [classic-12] Two mistakes: no mask and no feed-forward.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    let _ = mask;
+    layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, None).output)

//# [no-mask] Self-attention gets no mask, so padding is read.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
+    let _ = mask;
+    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, None).output);

//# [ffn-first classic-3] Feed-forward runs before self-attention.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    let x = layer.sublayer[0].forward(x, |y| layer.feed_forward.forward(y));
+    layer.sublayer[1].forward(&x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output)

//# [classic-1] Feed-forward reads the stream from outside instead of the tensor that the residual connection hands over.
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.sublayer[1].forward(&x, |_| layer.feed_forward.forward(&x))

//# [classic-4] The sublayers are called directly, without their residual connections.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    let attended = layer.self_attn.forward(x, x, x, Some(mask)).output;
+    layer.feed_forward.forward(&attended)

//# [classic-8] The mask is inverted, so only padding may be seen.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
+    let hidden = mask.not_equal(1.0);
+    let x = layer.sublayer[0].forward(x, |y| {
+        layer.self_attn.forward(y, y, y, Some(&hidden)).output
+    });

//# [classic-16] The encoder hides the future too, as if it were a decoder.
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

//# [classic-13] The layer's result is normalised once more at its end.
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    let x = layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y));
+    layer.sublayer[1].norm.forward(&x)

//# [skip-ffn] The feed-forward sublayer is forgotten.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output)

//# [classic-7] Takes the keys and values of self-attention from the layer's x, so that only the queries are normalised.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    let attended = layer.sublayer[0].forward(x, |y| {
+        layer.self_attn.forward(y, x, x, Some(mask)).output
+    });
+    layer.sublayer[1].forward(&attended, |y| layer.feed_forward.forward(y))

//# [one-norm] Uses the first residual connection for both sublayers, so the second one's norm is left out.
-    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
-    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))
+    let sublayer = &layer.sublayer[0];
+    let x = sublayer.forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
+    sublayer.forward(&x, |y| layer.feed_forward.forward(y))

//# [classic-5] The sublayers add their input themselves, although the residual connection already does.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        y.add(&layer.self_attn.forward(y, y, y, Some(mask)).output)
    });
    layer.sublayer[1].forward(&x, |y| y.add(&layer.feed_forward.forward(y)))
}

//# [classic-0] Attention reads the layer's x from outside instead of the tensor that the residual connection hands over.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let after =
        layer.sublayer[0].forward(x, |_| layer.self_attn.forward(x, x, x, Some(mask)).output);
    layer.sublayer[1].forward(&after, |y| layer.feed_forward.forward(y))
}

//# [classic-2] The two residual connections are used in the reverse order.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let [first, second] = &layer.sublayer;
    let x = second.forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    first.forward(&x, |y| layer.feed_forward.forward(y))
}

//# [old-x] Feed-forward reads the layer's input instead of what attention gave, so attention is lost.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let _attended =
        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    layer.sublayer[1].forward(x, |y| layer.feed_forward.forward(y))
}

//# [old-x classic-9] Attention and feed-forward stand side by side on the same input instead of one after the other.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let attended =
        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    let fed = layer.sublayer[1].forward(x, |y| layer.feed_forward.forward(y));
    attended.add(&fed).sub(x)
}

//# [classic-6] x is added once more to the result of each residual connection.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let attended =
        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    let x = x.add(&attended);
    let fed = layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y));
    x.add(&fed)
}

//# [one-norm classic-10] Attention and feed-forward share one residual connection around both.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;
pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    layer.sublayer[0].forward(x, |y| {
        let attended = layer.self_attn.forward(y, y, y, Some(mask)).output;
        layer.feed_forward.forward(&attended)
    })
}

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::encoder::EncoderLayer;

pub fn encoder_layer(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    let attended =
        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
    layer.sublayer[1].forward(&attended, |y| layer.feed_forward.forward(y))
}

//# [classic-0] Attention reads x in place of the closure's argument, so it misses the LayerNorm.
-        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
+        layer.sublayer[0].forward(x, |_| layer.self_attn.forward(x, x, x, Some(mask)).output);

//# [classic-14] The closure around feed-forward adds its own input too, which the residual connection does already.
-    layer.sublayer[1].forward(&attended, |y| layer.feed_forward.forward(y))
+    layer.sublayer[1].forward(&attended, |y| y.add(&layer.feed_forward.forward(y)))

//# [classic-7] Only the queries pass the LayerNorm; keys and values are x itself.
-        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(mask)).output);
+        layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, x, x, Some(mask)).output);

//# [one-norm] Uses sublayer[0], with its LayerNorm, around both parts.
-    layer.sublayer[1].forward(&attended, |y| layer.feed_forward.forward(y))
+    layer.sublayer[0].forward(&attended, |y| layer.feed_forward.forward(y))

//# [old-x] The second residual connection starts at x again, so the attention is lost.
-    layer.sublayer[1].forward(&attended, |y| layer.feed_forward.forward(y))
+    let _ = attended;
+    layer.sublayer[1].forward(x, |y| layer.feed_forward.forward(y))
