//# right
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let (read, predict) = batch.shifted();
    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
    let tape = Tape::train(params, seed).dropping_by_turn();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let weights = tape.constant("weights", real, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &targets, Some(&weights));
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    loss.value().at(&[])
}

//# [loss-afterwards] Measures the loss after the update instead of before it.
-    loss.value().at(&[])
+    let tape = Tape::train(params, seed).dropping_by_turn();
+    let (read, predict) = batch.shifted();
+    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
+    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
+    let tgt = tape.ids("tgt", read, &["b", "t"]);
+    let targets = tape.ids("targets", predict, &["b", "t"]);
+    let weights = tape.constant("weights", real, &["b", "t"]);
+    let pass = model.forward(&src, &tgt);
+    let logits = model.generator.logits(&pass.hidden);
+    cross_entropy(&logits, &targets, Some(&weights)).value().at(&[])

//# [sentence-means] Takes the mean in each sentence first and then over the sentences, so that a token of a short sentence counts more.
 use transformer_tutor::params::Params;
+use transformer_tutor::tensor::Tensor;
-    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
+    let (rows, length) = (predict.shape()[0], predict.shape()[1]);
+    let is_real = |row: usize, t: usize| predict.at(&[row, t]) as usize != PAD;
+    let real = Tensor::from_fn(&[rows, length], |i| {
+        if is_real(i[0], i[1]) {
+            1.0 / (0..length).filter(|&t| is_real(i[0], t)).count() as f32
+        } else {
+            0.0
+        }
+    });

//# [source-open] Hides only the future from the decoder and forgets to hide the source's padding.
 use transformer_tutor::params::Params;
+use transformer_tutor::tensor::Tensor;
-    let pass = model.forward(&src, &tgt);
+    let tgt_mask = model.tgt_mask(&tgt);
+    let everything = Tensor::ones(&[batch.src.shape()[0], 1, batch.src.shape()[1]]);
+    let src_mask = tape.mask("src_mask", everything, &["b", "", "s"]);
+    let pass = model.masked(&src, &tgt, &src_mask, &tgt_mask);

//# [padding-counts] Counts every position in the loss, padding too, because it gives no weights.
-use transformer_tutor::data::batch::{Batch, PAD};
+use transformer_tutor::data::batch::Batch;
 ) -> f32 {
+    let tape = Tape::train(params, seed).dropping_by_turn();
-    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
-    let tape = Tape::train(params, seed).dropping_by_turn();
-    let weights = tape.constant("weights", real, &["b", "t"]);
-    let loss = cross_entropy(&logits, &targets, Some(&weights));
+    let loss = cross_entropy(&logits, &targets, None);

//# right
use transformer_tutor::autograd::Tape;
use transformer_tutor::data::batch::{Batch, PAD};
use transformer_tutor::params::Params;
use transformer_tutor::train::adam::Adam;
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Transformer;

pub fn training_step(
    model: &Transformer,
    params: &mut Params,
    adam: &mut Adam,
    batch: &Batch,
    rate: f32,
    seed: u64,
) -> f32 {
    let tape = Tape::train(params, seed).dropping_by_turn();
    let (tgt, tgt_y) = batch.shifted();
    let weights = tgt_y.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", tgt, &["b", "t"]);
    let tgt_y = tape.ids("tgt_y", tgt_y, &["b", "t"]);
    let weights = tape.constant("weights", weights, &["b", "t"]);
    let pass = model.forward(&src, &tgt);
    let logits = model.generator.logits(&pass.hidden);
    let loss = cross_entropy(&logits, &tgt_y, Some(&weights));
    let value = loss.value().at(&[]);
    let grads = loss.backward();
    adam.step(params, &grads, rate);
    value
}

//# [only-padding] Turns the weights around: padding has the weight 1 and tokens have 0.
-    let weights = tgt_y.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });
+    let weights = tgt_y.map(|id| if id == PAD as f32 { 1.0 } else { 0.0 });

//# [not-shifted] Compares the predictions with what the decoder reads in place of the next tokens.
-    let loss = cross_entropy(&logits, &tgt_y, Some(&weights));
+    let loss = cross_entropy(&logits, &tgt, Some(&weights));
