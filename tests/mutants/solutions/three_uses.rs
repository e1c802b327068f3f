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
