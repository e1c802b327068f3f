//# right
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut weights = training.weights();
    let mut best = training.validate();
    let mut best_epoch = 0;
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(sum / batches.len().max(1) as f64);
        let loss = training.validate();
        if loss < best || (best.is_nan() && !loss.is_nan()) {
            best = loss;
            best_epoch = epoch;
            weights = training.weights();
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    Trained { weights, loss: best, epoch: best_epoch, losses }
}

//# [by-training-loss] Chooses the best weights by the training loss.
-        losses.push(sum / batches.len().max(1) as f64);
-        let loss = training.validate();
+        let loss = sum / batches.len().max(1) as f64;
+        losses.push(loss);

//# [takes-nan] Asks whether the loss is not worse, so that NaN, which is neither, becomes the best.
-        if loss < best || (best.is_nan() && !loss.is_nan()) {
+        if !(loss >= best) {

//# [stuck-at-nan] Gives a NaN that was measured first no chance to be replaced, because nothing is smaller than NaN.
-        if loss < best || (best.is_nan() && !loss.is_nan()) {
+        if loss < best {

//# [measured-before] Measures before the steps of the epoch instead of after them.
     for epoch in 1..=epochs {
+        let loss = training.validate();
+        let now = training.weights();
-        let loss = training.validate();
-            weights = training.weights();
+            weights = now;

//# [] Validates after every batch and takes the best weights from the middle of an epoch.
             sum += training.step(batch);
+            let loss = training.validate();
+            if loss < best {
+                best = loss;
+                best_epoch = epoch;
+                weights = training.weights();
+            }
-        let loss = training.validate();
-        if loss < best || (best.is_nan() && !loss.is_nan()) {
-            best = loss;
-            best_epoch = epoch;
-            weights = training.weights();
+        if best_epoch == epoch {

//# right
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut best = Trained {
        weights: training.weights(),
        loss: training.validate(),
        epoch: 0,
        losses: Vec::new(),
    };
    let mut losses = Vec::new();
    let mut waited = 0;
    for epoch in 1..=epochs {
        let batches = training.batches(epoch);
        let mut sum = 0.0;
        for &batch in &batches {
            sum += training.step(batch);
        }
        losses.push(if batches.is_empty() {
            0.0
        } else {
            sum / batches.len() as f64
        });
        let loss = training.validate();
        if loss < best.loss || (best.loss.is_nan() && !loss.is_nan()) {
            best.weights = training.weights();
            best.loss = loss;
            best.epoch = epoch;
            waited = 0;
        } else {
            waited += 1;
            if waited == patience {
                break;
            }
        }
    }
    best.losses = losses;
    best
}

//# [not-measured-before epochs-from-zero] Does not measure the untrained weights, and counts the epochs from 0.
-        loss: training.validate(),
+        loss: f64::INFINITY,
-    for epoch in 1..=epochs {
+    for epoch in 0..epochs {
