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

//# [padding-counts] Does not leave padding out of the loss.
-use transformer_tutor::data::batch::{Batch, PAD};
+use transformer_tutor::data::batch::Batch;
-    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
-    let weights = tape.constant("weights", real, &["b", "t"]);
-    let loss = cross_entropy(&logits, &targets, Some(&weights));
+    let loss = cross_entropy(&logits, &targets, None);

//# [padding-counts classic-2] Takes the padding from what the decoder reads instead of from what it must predict, so that one token of padding counts.
-    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
+    let real = read.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });

//# [not-shifted classic-0] Lets the decoder read the very tokens that it must predict.
-    let (read, predict) = batch.shifted();
+    let (_, predict) = batch.shifted();
-    let tgt = tape.ids("tgt", read, &["b", "t"]);
+    let tgt = tape.ids("tgt", predict.clone(), &["b", "t"]);

//# [no-dropout] Runs the model as for evaluation, without dropout.
-    seed: u64,
+    _seed: u64,
-    let tape = Tape::train(params, seed).dropping_by_turn();
+    let tape = Tape::eval(params);

//# [classic-1] Gives the loss probabilities where it expects logits, so that softmax is taken twice.
-    let logits = model.generator.logits(&pass.hidden);
+    let logits = pass.log_probs.exp();

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

//# [padding-counts classic-3] Leaves padding out of the sum of the loss, but divides by all positions.
-use transformer_tutor::train::loss::cross_entropy;
-    let loss = cross_entropy(&logits, &targets, Some(&weights));
+    let log_probs = logits.log_softmax().pick(&targets);
+    let loss = log_probs.mul(&weights).mean().scale(-1.0);

//# [classic-5] Takes the mean in each sentence first and then over the sentences, so that a token of a short sentence counts more.
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

//# [classic-4] Takes the end symbol for no token of the sentence and leaves it out of the loss, like padding.
 use transformer_tutor::params::Params;
+use transformer_tutor::text::vocabulary::EOS;
-    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
+    let real = predict.map(|id| {
+        if id as usize == PAD || id as usize == EOS { 0.0 } else { 1.0 }
+    });

//# [classic-6] Makes a new optimizer for every step, so that the moments and the number of steps are lost.
     let grads = loss.backward();
+    *adam = Adam::new(params);

//# [classic-7] Counts the step of the optimizer itself, which the optimizer does, too.
     let grads = loss.backward();
+    adam.steps += 1;

//# [classic-12] Draws the same dropout in every step, from a fixed seed.
-    seed: u64,
+    _seed: u64,
-    let tape = Tape::train(params, seed).dropping_by_turn();
+    let tape = Tape::train(params, 42).dropping_by_turn();

//# [no-gradient classic-14] Takes the memory out of the tape between encoder and decoder, as when decoding, so that no gradient comes to the encoder.
-    let pass = model.forward(&src, &tgt);
-    let logits = model.generator.logits(&pass.hidden);
+    let (src_mask, tgt_mask) = (model.src_mask(&src), model.tgt_mask(&tgt));
+    let memory = model.encode(&src, &src_mask).value();
+    let memory = tape.constant("memory", memory, &["b", "s", "d"]);
+    let hidden = model.decode(&memory, &src_mask, &tgt, &tgt_mask);
+    let logits = model.generator.logits(&hidden);

//# [classic-13] Hides only the future from the decoder and forgets to hide the source's padding.
 use transformer_tutor::params::Params;
+use transformer_tutor::tensor::Tensor;
-    let pass = model.forward(&src, &tgt);
+    let tgt_mask = model.tgt_mask(&tgt);
+    let everything = Tensor::ones(&[batch.src.shape()[0], 1, batch.src.shape()[1]]);
+    let src_mask = tape.mask("src_mask", everything, &["b", "", "s"]);
+    let pass = model.masked(&src, &tgt, &src_mask, &tgt_mask);

//# [two-updates classic-15] Updates after every sentence instead of once for the batch.
 ) -> f32 {
+    let mut sum = 0.0;
+    let mut tokens = 0;
+    for n in 0..batch.sentences() {
+    let batch = batch.part(n, batch.sentences());
-    loss.value().at(&[])
+    sum += loss.value().at(&[]) * batch.target_tokens() as f32;
+    tokens += batch.target_tokens();
+    }
+    sum / tokens as f32

//# [sum classic-8] Returns the sum of the loss over the tokens instead of the mean.
-    loss.value().at(&[])
+    loss.value().at(&[]) * batch.target_tokens() as f32

//# [classic-9] Divides the rate by the number of target tokens, although the loss is a mean over them already.
-    adam.step(params, &grads, rate);
+    adam.step(params, &grads, rate / batch.target_tokens() as f32);

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

//# [classic-2] Takes the weights of the loss from the tokens that the decoder reads instead of from those that it must predict.
 ) -> f32 {
+    let tape = Tape::train(params, seed).dropping_by_turn();
-    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
-    let tape = Tape::train(params, seed).dropping_by_turn();
+    let real = read.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });

//# [no-dropout] Runs the model on a tape for evaluation, so that nothing is dropped in training.
 ) -> f32 {
+    let _ = seed;
+    let tape = Tape::eval(params);
-    let real = predict.map(|id| if id as usize == PAD { 0.0 } else { 1.0 });
-    let tape = Tape::train(params, seed).dropping_by_turn();
+    let real = predict.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });

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

//# [classic-10] Turns the weights around: padding has the weight 1 and tokens have 0.
-    let weights = tgt_y.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });
+    let weights = tgt_y.map(|id| if id == PAD as f32 { 1.0 } else { 0.0 });

//# [padding-counts] Passes no weights, so the loss averages over padding too.
-    let loss = cross_entropy(&logits, &tgt_y, Some(&weights));
+    let loss = cross_entropy(&logits, &tgt_y, None);

//# [not-shifted] Compares the predictions with what the decoder reads in place of the next tokens.
-    let loss = cross_entropy(&logits, &tgt_y, Some(&weights));
+    let loss = cross_entropy(&logits, &tgt, Some(&weights));

//# [classic-9] Divides the rate by the number of tokens, though the loss is a mean already.
     let loss = cross_entropy(&logits, &tgt_y, Some(&weights));
+    let ntokens: f32 = weights.value().data().iter().sum();
-    adam.step(params, &grads, rate);
+    adam.step(params, &grads, rate / ntokens);

//# [classic-11] Exchanges the two halves of the shift, so the decoder reads the next token and predicts the current one.
-    let (tgt, tgt_y) = batch.shifted();
+    let (tgt_y, tgt) = batch.shifted();

//# [classic-12] Seeds the tape with a fixed number, so every step drops the same cells whatever its seed.
-    let tape = Tape::train(params, seed).dropping_by_turn();
+    let tape = Tape::train(params, 0).dropping_by_turn();

//# [classic-2] Makes the weights from the decoder's input, so in short rows one padded position counts.
-    let weights = tgt_y.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });
+    let weights = tgt.map(|id| if id == PAD as f32 { 0.0 } else { 1.0 });
