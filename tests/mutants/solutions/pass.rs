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

//# [only-the-future] The target's mask hides the future only, not padding.
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
+    let src_mask = model.src_mask(src);
+    let tgt_mask = model.future_mask(tgt);

//# [decoder-reads-source] The decoder reads the source sentence instead of the target.
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
+    let src_mask = model.src_mask(src);
-    let hidden = model.decode(&memory, &src_mask, tgt, &tgt_mask);
+    let hidden = model.decode(&memory, &src_mask, src, &model.tgt_mask(src));
     let log_probs = model.generator.forward(&hidden);
+    let _ = tgt;

//# [no-source-mask] Source padding is not hidden at all: the source's mask is all ones.
 use transformer_tutor::autograd::Var;
+use transformer_tutor::tensor::Tensor;
-    let (src_mask, tgt_mask) = (model.src_mask(src), model.tgt_mask(tgt));
+    let (batch, length) = (src.shape()[0], src.shape()[1]);
+    let all = Tensor::ones(&[batch, 1, length]);
+    let src_mask = src.tape().mask("src_mask", all, &["b", "", "s"]);
+    let tgt_mask = model.tgt_mask(tgt);

//# [shifted-again] The target is shifted once more inside, so the decoder reads it without its last token.
 use transformer_tutor::autograd::Var;
+use transformer_tutor::tensor::Tensor;
 pub fn pass(model: &Transformer, src: &Var, tgt: &Var) -> Pass {
+    let shape = tgt.shape();
+    let ids = tgt.value();
+    let ids = Tensor::from_fn(&[shape[0], shape[1] - 1], |i| ids.at(i));
+    let tgt = &tgt.tape().ids("tgt", ids, &["b", "t"]);

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
