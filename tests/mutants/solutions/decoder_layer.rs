//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}

//# [only-the-future] Self-attention hides the future only and not the padding of the target.
-    let x = layer.sublayer[0].forward(x, |y| {
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
-    });
+    let _ = tgt_mask;
+    let past = x.tape().causal(x.shape()[1]);
+    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(&past)).output);

//# [memory-normed] The memory is normalised again before cross-attention reads it.
     });
+    let memory = layer.sublayer[1].norm.forward(memory);
-            .forward(y, memory, memory, Some(src_mask))
+            .forward(y, &memory, &memory, Some(src_mask))

//# [no-cross cross-lost] Feed-forward starts from the result of self-attention, so what cross-attention gave is lost.
-    let x = layer.sublayer[1].forward(&x, |y| {
+    let _read = layer.sublayer[1].forward(&x, |y| {

//# [no-gradient] The memory is taken as a constant, so no gradient reaches the encoder.
     });
+    let memory = &memory
+        .tape()
+        .constant("memory", memory.value(), &memory.axes());

//# [no-connection-of-ffn] Calls feed-forward directly at the end, without the third residual connection around it.
-    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.feed_forward.forward(&x)

//# [raw-x-in-cross self-lost input-asks] Takes the queries of cross-attention from the layer's input, not from what self-attention has made of it.
-    let x = layer.sublayer[0].forward(x, |y| {
+    let attended = layer.sublayer[0].forward(x, |y| {
-    let x = layer.sublayer[1].forward(&x, |y| {
+    let crossed = layer.sublayer[1].forward(&attended, |_| {
-            .forward(y, memory, memory, Some(src_mask))
+            .forward(x, memory, memory, Some(src_mask))
-    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.sublayer[2].forward(&crossed, |y| layer.feed_forward.forward(y))

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;

pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.sublayer[0].forward(x, |y| {
        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
    });
    let x = layer.sublayer[1].forward(&x, |y| {
        layer
            .src_attn
            .forward(y, memory, memory, Some(src_mask))
            .output
    });
    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
}
