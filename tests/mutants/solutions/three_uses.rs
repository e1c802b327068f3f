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

//# [classic-9] Takes the encoder's queries from the target.
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

//# [classic-1] Takes keys from the memory but values from the source embeddings in cross-attention.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps
+        .cross
+        .forward(&own.output, &memory.output, source, Some(src_mask));

//# [masks-exchanged] Gives cross-attention the target's mask.
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps.cross.forward(x, m, m, Some(tgt_mask));

//# [classic-0] Gives cross-attention no mask: the whole source is known, so nothing seems to need hiding.
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps.cross.forward(x, m, m, None);

//# [classic-2] Gives the encoder no mask, since it may look in both directions.
-    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
+    let memory = maps.encoder.forward(source, source, source, None);

//# [no-future-mask] Does not mask the decoder's self-attention, where the future must be hidden.
 ) -> Used {
+    let _ = tgt_mask;
-    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
+    let own = maps.decoder.forward(target, target, target, None);

//# [classic-4] Uses the decoder's self-attention a second time for cross-attention instead of the maps of its own.
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps.decoder.forward(x, m, m, Some(src_mask));

//# [turned-round] Exchanges reader and read in cross-attention: the memory asks, and the decoder is read.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let (q, kv) = (&memory.output, &own.output);
+    let crossed = maps.cross.forward(q, kv, kv, None);

//# [classic-5] Adds the residual connection before cross-attention, which belongs to the layer around it.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let x = target.add(&own.output);
+    let crossed = maps
+        .cross
+        .forward(&x, &memory.output, &memory.output, Some(src_mask));

//# [values-from-target] Makes the values of cross-attention from the decoder: takes query and value for one side, the key for the other.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let crossed = maps
+        .cross
+        .forward(&own.output, &memory.output, &own.output, Some(src_mask));

//# [no-gradient] Cuts the memory off the tape before cross-attention, so that no gradient reaches the encoder from there.
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    // The encoder is finished here; the decoder only reads what it made.
+    let read = source
+        .tape()
+        .constant("memory", memory.output.value(), &["b", "s", "d"]);
+    let crossed = maps.cross.forward(&own.output, &read, &read, Some(src_mask));

//# [classic-6] Starts the decoder from the memory: reads it first and attends to itself afterwards.
-    let own = maps.decoder.forward(target, target, target, Some(tgt_mask));
-    let (x, m) = (&own.output, &memory.output);
-    let crossed = maps.cross.forward(x, m, m, Some(src_mask));
+    let m = &memory.output;
+    let crossed = maps.cross.forward(target, m, m, Some(src_mask));
+    let x = &crossed.output;
+    let own = maps.decoder.forward(x, x, x, Some(tgt_mask));

//# [classic-3] Uses the target's causal mask in the encoder too, since both are self-attention.
-    let memory = maps.encoder.forward(source, source, source, Some(src_mask));
+    let memory = maps.encoder.forward(source, source, source, Some(tgt_mask));

//# [turned-round classic-8] Exchanges the sides of cross-attention: the memory asks, and the decoder's result is asked.
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
        .forward(&memory.output, &own.output, &own.output, Some(src_mask));
    Used {
        memory,
        own,
        crossed,
    }
}

//# [classic-0] Gives cross-attention no mask, in the belief that only the decoder's own future has to be hidden there.
-        .forward(&memory.output, &own.output, &own.output, Some(src_mask));
+        .forward(&own.output, &memory.output, &memory.output, None);

//# [raw-target] Takes the queries of cross-attention from the target itself, not from what the decoder's self-attention gave.
-        .forward(&memory.output, &own.output, &own.output, Some(src_mask));
+        .forward(target, &memory.output, &memory.output, Some(src_mask));

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

//# [raw-target] The queries of the cross-attention come from target itself, so the decoder's own attention has no effect on it.
-        .forward(&own.output, &memory.output, &memory.output, Some(src_mask));
+        .forward(target, &memory.output, &memory.output, Some(src_mask));

//# [classic-7] The keys of the cross-attention come from source in place of the memory; the values are right.
-        .forward(&own.output, &memory.output, &memory.output, Some(src_mask));
+        .forward(&own.output, source, &memory.output, Some(src_mask));

//# [classic-1] The values of the cross-attention come from source in place of the memory; the keys are right.
-        .forward(&own.output, &memory.output, &memory.output, Some(src_mask));
+        .forward(&own.output, &memory.output, source, Some(src_mask));

//# [classic-0] The cross-attention has no mask, so it attends to padding in the source.
-        .forward(&own.output, &memory.output, &memory.output, Some(src_mask));
+        .forward(&own.output, &memory.output, &memory.output, None);
