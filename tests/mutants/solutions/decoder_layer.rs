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

//# [classic-18] Cross-attention gets the target's mask over the memory.
-            .forward(y, memory, memory, Some(src_mask))
+            .forward(y, memory, memory, Some(tgt_mask))

//# [classic-14] Takes the keys of cross-attention from the decoder.
-            .forward(y, memory, memory, Some(src_mask))
+            .forward(y, y, memory, Some(src_mask))

//# [classic-10] Exchanges the two attentions.
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
+        layer.src_attn.forward(y, y, y, Some(tgt_mask)).output
-            .src_attn
+            .self_attn

//# [masks-exchanged] The two masks are exchanged.
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
+        layer.self_attn.forward(y, y, y, Some(src_mask)).output
-            .forward(y, memory, memory, Some(src_mask))
+            .forward(y, memory, memory, Some(tgt_mask))

//# [no-future-mask] Self-attention gets no mask, so every position sees the future.
-    let x = layer.sublayer[0].forward(x, |y| {
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
-    });
+    let _ = tgt_mask;
+    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, None).output);

//# [classic-15] Self-attention hides the future only and not the padding of the target.
-    let x = layer.sublayer[0].forward(x, |y| {
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
-    });
+    let _ = tgt_mask;
+    let past = x.tape().causal(x.shape()[1]);
+    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, Some(&past)).output);

//# [classic-9] Self-attention gets the source's mask as well as cross-attention, and the target's mask is never used.
 ) -> Var {
+    let _ = tgt_mask;
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
+        layer.self_attn.forward(y, y, y, Some(src_mask)).output

//# [no-source-mask] Cross-attention gets no mask, so it reads the source's padding.
 ) -> Var {
+    let _ = src_mask;
-        layer
-            .src_attn
-            .forward(y, memory, memory, Some(src_mask))
-            .output
+        layer.src_attn.forward(y, memory, memory, None).output

//# [classic-2] Cross-attention takes its queries from the memory and its keys and values from the decoder.
-        layer
-            .src_attn
-            .forward(y, memory, memory, Some(src_mask))
-            .output
+        layer.src_attn.forward(memory, y, y, Some(src_mask)).output

//# [classic-3] Cross-attention takes its keys from the memory and its values from the decoder.
-        layer
-            .src_attn
-            .forward(y, memory, memory, Some(src_mask))
-            .output
+        layer.src_attn.forward(y, memory, y, Some(src_mask)).output

//# [own-keys classic-14] Cross-attention takes its values from the memory and its keys from the decoder.
-        layer
-            .src_attn
-            .forward(y, memory, memory, Some(src_mask))
-            .output
+        layer.src_attn.forward(y, y, memory, Some(src_mask)).output

//# [own-keys] Cross-attention reads the decoder's own tokens and never the memory.
 ) -> Var {
+    let _ = (memory, src_mask);
-        layer
-            .src_attn
-            .forward(y, memory, memory, Some(src_mask))
-            .output
+        layer.src_attn.forward(y, y, y, Some(tgt_mask)).output

//# [cross-first classic-4] Cross-attention runs before self-attention.
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
-    });
-    let x = layer.sublayer[1].forward(&x, |y| {
     });
+    let x = layer.sublayer[1].forward(&x, |y| {
+        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
+    });

//# [no-cross] Cross-attention is left out.
 ) -> Var {
+    let _ = (memory, src_mask);
-    let x = layer.sublayer[1].forward(&x, |y| {
-        layer
-            .src_attn
-            .forward(y, memory, memory, Some(src_mask))
-            .output
-    });

//# [shared-attention] Cross-attention uses the weights of self-attention.
-            .src_attn
+            .self_attn

//# [classic-10] The two attentions are exchanged: self-attention runs with the weights of cross-attention and the other way round.
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
+        layer.src_attn.forward(y, y, y, Some(tgt_mask)).output
-            .src_attn
+            .self_attn

//# [classic-5] Feed-forward uses the residual connection of cross-attention, so the third norm is never used.
-    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))

//# [one-norm] All three sublayers use the first residual connection.
-    let x = layer.sublayer[1].forward(&x, |y| {
+    let x = layer.sublayer[0].forward(&x, |y| {
-    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.sublayer[0].forward(&x, |y| layer.feed_forward.forward(y))

//# [classic-16] The memory is normalised again before cross-attention reads it.
     });
+    let memory = layer.sublayer[1].norm.forward(memory);
-            .forward(y, memory, memory, Some(src_mask))
+            .forward(y, &memory, &memory, Some(src_mask))

//# [classic-1] The queries of cross-attention come from the stream outside, not from the tensor that the residual connection hands over.
-    let x = layer.sublayer[1].forward(&x, |y| {
+    let x = layer.sublayer[1].forward(&x, |_| {
-            .forward(y, memory, memory, Some(src_mask))
+            .forward(&x, memory, memory, Some(src_mask))

//# [classic-6] Cross-attention starts from the layer's input again, so what self-attention gave is lost.
-    let x = layer.sublayer[0].forward(x, |y| {
+    let _written = layer.sublayer[0].forward(x, |y| {
-    let x = layer.sublayer[1].forward(&x, |y| {
+    let x = layer.sublayer[1].forward(x, |y| {

//# [no-cross classic-11] Feed-forward starts from the result of self-attention, so what cross-attention gave is lost.
-    let x = layer.sublayer[1].forward(&x, |y| {
+    let _read = layer.sublayer[1].forward(&x, |y| {

//# [one-norm classic-12] Both attentions share one residual connection.
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
-    });
-    let x = layer.sublayer[1].forward(&x, |y| {
+        let y = layer.self_attn.forward(y, y, y, Some(tgt_mask)).output;
-            .forward(y, memory, memory, Some(src_mask))
+            .forward(&y, memory, memory, Some(src_mask))

//# [no-gradient] The memory is taken as a constant, so no gradient reaches the encoder.
     });
+    let memory = &memory
+        .tape()
+        .constant("memory", memory.value(), &memory.axes());

//# [classic-7] Feed-forward is left out.
-    let x = layer.sublayer[1].forward(&x, |y| {
+    layer.sublayer[1].forward(&x, |y| {
-    });
-    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
+    })

//# [classic-13] Calls feed-forward directly at the end, without the third residual connection around it.
-    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.feed_forward.forward(&x)

//# [classic-1 classic-6 classic-17] Takes the queries of cross-attention from the layer's input, not from what self-attention has made of it.
-    let x = layer.sublayer[0].forward(x, |y| {
+    let attended = layer.sublayer[0].forward(x, |y| {
-    let x = layer.sublayer[1].forward(&x, |y| {
+    let crossed = layer.sublayer[1].forward(&attended, |_| {
-            .forward(y, memory, memory, Some(src_mask))
+            .forward(x, memory, memory, Some(src_mask))
-    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.sublayer[2].forward(&crossed, |y| layer.feed_forward.forward(y))

//# [classic-8] All sublayers are called directly and their results passed on, without residual connections.
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::decoder::DecoderLayer;
pub fn decoder_layer(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = layer.self_attn.forward(x, x, x, Some(tgt_mask)).output;
    let x = layer
        .src_attn
        .forward(&x, memory, memory, Some(src_mask))
        .output;
    layer.feed_forward.forward(&x)
}

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

//# [classic-4] Attends to the memory first and to the decoder's own tokens afterwards.
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
-    });
-    let x = layer.sublayer[1].forward(&x, |y| {
     });
+    let x = layer.sublayer[1].forward(&x, |y| {
+        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
+    });

//# [classic-6] The second residual connection starts at the layer's input, so the self-attention is lost.
-    let x = layer.sublayer[0].forward(x, |y| {
+    let own = layer.sublayer[0].forward(x, |y| {
-    let x = layer.sublayer[1].forward(&x, |y| {
+    let _ = own;
+    let x = layer.sublayer[1].forward(x, |y| {

//# [classic-5] Wraps the feed-forward layer in sublayer[1] again, so it has the LayerNorm of the attention to the memory.
-    layer.sublayer[2].forward(&x, |y| layer.feed_forward.forward(y))
+    layer.sublayer[1].forward(&x, |y| layer.feed_forward.forward(y))

//# [no-source-mask] The attention to the memory has no mask, so it reads the padding of the source.
-        layer
-            .src_attn
-            .forward(y, memory, memory, Some(src_mask))
-            .output
+        layer.src_attn.forward(y, memory, memory, None).output

//# [no-future-mask] Leaves the self-attention without its mask, so each target token sees the later ones and the padding.
-    let x = layer.sublayer[0].forward(x, |y| {
-        layer.self_attn.forward(y, y, y, Some(tgt_mask)).output
-    });
+    let x = layer.sublayer[0].forward(x, |y| layer.self_attn.forward(y, y, y, None).output);

//# [shared-attention] Uses the weights of self_attn for the attention to the memory too.
-            .src_attn
+            .self_attn
