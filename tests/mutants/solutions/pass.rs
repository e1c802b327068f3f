//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};
pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}

//# [classic-14] The decoder gets the target's mask for the memory, too.
-    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    let hidden = model.decode(&memory, &tgt_mask, tgt, &tgt_mask);

//# [classic-15] The decoder gets src in place of tgt, with the target's mask.
-    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    let hidden = model.decode(&memory, &src_mask, src, &tgt_mask);

//# [classic-8] Exchanges memory and hidden in the result.
-        memory,
-        hidden,
+        memory: hidden,
+        hidden: memory,

//# [no-future-mask] The target's mask hides padding only, not the future.
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
+    let (src_mask, tgt_mask) = (model.src_mask(src), model.src_mask(tgt));

//# [classic-0] The target's mask hides the future only, not padding.
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
+    let src_mask = model.src_mask(src);
+    let tgt_mask = model.future_mask(tgt);

//# [classic-1] The encoder hides the future of the source, too.
-    let memory = model.encode(src, &src_mask);
+    let memory = model.encode(src, &model.tgt_mask(src));

//# [memory-out] The generator reads the memory instead of what the decoder gave.
-    let log_probs = model.generator.forward(&hidden);
+    let log_probs = model.generator.forward(&memory);

//# [classic-2] The decoder gets the two masks in the wrong places.
-    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    let hidden = model.decode(&memory, &tgt_mask, tgt, &src_mask);

//# [classic-3] The decoder hides in the memory what is padding in the target, not in the source.
-    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    let hidden = model.decode(&memory, &model.src_mask(tgt), tgt, &tgt_mask);

//# [classic-4] The decoder reads the source sentence instead of the target.
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
+    let src_mask = model.src_mask(src);
-    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    let hidden = model.decode(&memory, &src_mask, src, &model.tgt_mask(src));
     let log_probs = model.generator.forward(&hidden);
+    let _ = tgt;

//# [classic-5] The encoder reads the target sentence instead of the source.
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
-    let memory = model.encode(src, &src_mask);
+    let _ = src;
+    let (src_mask, tgt_mask) = (model.src_mask(tgt), model.tgt_mask(tgt));
+    let memory = model.encode(tgt, &src_mask);

//# [logits-out] The result is the generator's logits, without log-softmax.
-    let log_probs = model.generator.forward(&hidden);
+    let log_probs = model.generator.logits(&hidden);

//# [classic-6] The generator's log-probabilities are turned into probabilities.
-    let log_probs = model.generator.forward(&hidden);
+    let log_probs = model.generator.forward(&hidden).exp();

//# [classic-9] The generator's result is taken for probabilities, and the logarithm is taken a second time.
-    let log_probs = model.generator.forward(&hidden);
+    let log_probs = model.generator.forward(&hidden).log();

//# [no-source-mask] Source padding is not hidden at all: the source's mask is all ones.
 use transformer_tutor::autograd::Var;
+use transformer_tutor::tensor::Tensor;
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
+    let (batch, length) = (src.shape()[0], src.shape()[1]);
+    let all = Tensor::ones(&[batch, 1, length]);
+    let src_mask = src.tape().mask("src_mask", all, &["b", "", "s"]);
+    let tgt_mask = model.tgt_mask(tgt);

//# [classic-10] The target is shifted once more inside, so the decoder reads it without its last token.
 use transformer_tutor::autograd::Var;
+use transformer_tutor::tensor::Tensor;
 pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
+    let shape = tgt.shape();
+    let ids = tgt.value();
+    let ids = Tensor::from_fn(&[shape[0], shape[1] - 1], |i| ids.at(i));
+    let tgt = &tgt.tape().ids("tgt", ids, &["b", "t"]);

//# [classic-7] Only the last target position is predicted, as when a sentence is written.
-    let log_probs = model.generator.forward(&hidden);
+    let log_probs = model.generator.forward(&hidden.last_position());

//# [classic-11] The encoder is called on the bare embeddings, so the source has no positions.
-    let memory = model.encode(src, &src_mask);
+    let embedded = model.src_embed.forward(src);
+    let memory = model.encoder.forward(&embedded, &src_mask);

//# [classic-12] The decoder is called on the bare embeddings, so the target has no positions.
-    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    let x = model.tgt_embed.forward(tgt);
+    let hidden = model.decoder.forward(&x, &memory, &src_mask, &tgt_mask);

//# [] The decoder's final norm is applied a second time before the generator.
-    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    let mut hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    if let Some(norm) = &model.decoder.norm {
+        hidden = norm.forward(&hidden);
+    }

//# [no-gradient] The memory is taken out of the graph, so the encoder gets no gradient.
     let memory = model.encode(src, &src_mask);
+    let memory = src
+        .tape()
+        .constant("memory", memory.value(), &memory.axes());

//# [classic-8] Memory and hidden are returned in each other's place.
-        memory,
-        hidden,
+        memory: hidden,
+        hidden: memory,

//# [classic-13] The decoder gets the embedded source instead of the encoder's memory.
-    let memory = model.encode(src, &src_mask);
+    let memory = model.src_embed.forward(src);

//# [no-future-mask] Makes the target's mask like the source's, against padding alone, so the future is open.
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
+    let src_mask = model.src_mask(src);
+    let tgt_mask = model.src_mask(tgt);

//# [classic-6] Puts a softmax over the generator's result, which is log-probabilities already.
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
+    let src_mask = model.src_mask(src);
+    let tgt_mask = model.tgt_mask(tgt);
-    let log_probs = model.generator.forward(&hidden);
+    let log_probs = model.generator.forward(&hidden).softmax();

//# [classic-11] Hands the embedded source to the encoder by hand and forgets the positional encoding between them.
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
-    let memory = model.encode(src, &src_mask);
+    let src_mask = model.src_mask(src);
+    let tgt_mask = model.tgt_mask(tgt);
+    let embedded = model.src_embed.forward(src);
+    let memory = model.encoder.forward(&embedded, &src_mask);

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::{Pass, Transformer};

pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
    let src_mask = model.src_mask(src);
    let tgt_mask = model.tgt_mask(tgt);
    let memory = model.encode(src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
    let log_probs = model.generator.forward(&hidden);
    Pass {
        memory,
        hidden,
        log_probs,
    }
}

//# [classic-1] Encodes with a mask that hides the future of the source.
-    let memory = model.encode(src, &src_mask);
+    let memory = model.encode(src, &model.tgt_mask(src));

//# [classic-5] Encodes the target in place of the source, so the source does not matter.
-    let src_mask = model.src_mask(src);
+    let src_mask = model.src_mask(tgt);
-    let memory = model.encode(src, &src_mask);
+    let memory = model.encode(tgt, &src_mask);

//# [memory-out] The generator reads the encoder's output, so the decoder has no effect on the log-probabilities.
-    let log_probs = model.generator.forward(&hidden);
+    let log_probs = model.generator.forward(&memory);

//# [classic-2] Exchanges the two masks in the call of the decoder.
-    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    let hidden = model.decode(&memory, &tgt_mask, tgt, &src_mask);

//# [no-future-mask] Makes the target's mask with src_mask, which hides padding but not the future.
-    let tgt_mask = model.tgt_mask(tgt);
+    let tgt_mask = model.src_mask(tgt);
