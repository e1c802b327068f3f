//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let (x, m) = (&own.output, &memory.output);
    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
    Used { memory, own, crossed }
}

//# [queries-from-target] Takes the encoder's queries from the target.
-    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
+    let memory = maps.encoder.forward(target, source, source, Some(src_mask));

//# [raw-source] Lets the decoder read the source embeddings instead of the encoder's result.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps.cross.forward(&own.output, source, source, Some(src_mask));

//# [raw-target] Makes the queries of cross-attention from the target itself instead of the decoder's self-attention.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps
+        .cross
+        .forward(target, &memory.output, &memory.output, Some(src_mask));

//# [masks-exchanged] Gives cross-attention the target's mask.
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps.cross.forward(x, m, m, Some(tgt_mask));

//# [no-mask-in-cross] Gives cross-attention no mask: the whole source is known, so nothing seems to need hiding.
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps.cross.forward(x, m, m, None);

//# [no-mask-in-encoder] Gives the encoder no mask, since it may look in both directions.
-    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
+    let memory = maps.encoder.forward(source, source, source, None);

//# [decoder-maps] Uses the decoder's self-attention a second time for cross-attention instead of the maps of its own.
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps.decoder.forward(x, m, m, Some(src_mask));

//# [turned-round] Exchanges reader and read in cross-attention: the memory asks, and the decoder is read.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let (q, kv) = (&memory.output, &own.output);
+    let crossed = maps.cross.forward(q, kv, kv, None);

//# [target-added] Adds the residual connection before cross-attention, which belongs to the layer around it.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let x = target.add(&own.output);
+    let crossed = maps
+        .cross
+        .forward(&x, &memory.output, &memory.output, Some(src_mask));

//# [no-gradient] Cuts the memory off the tape before cross-attention, so that no gradient reaches the encoder from there.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    // The encoder is finished here; the decoder only reads what it made.
+    let read = source
+        .tape()
+        .constant("memory", memory.output.value(), &["b", "s", "d"]);
+    let crossed = maps.cross.forward(&own.output, &read, &read, Some(src_mask));

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::three_uses::{ThreeUses, Used};

pub fn three_uses(
    maps: &ThreeUses,
    source: &Var,
    target: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Used {
    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
    let crossed = maps
        .cross
        .forward(&own.output, &memory.output, &memory.output, Some(src_mask));
    Used {
        memory,
        own,
        crossed,
    }
}
