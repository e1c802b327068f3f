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

//# [keeps-last] Returns the weights of the end of the training with the loss of the best epoch.
-    let mut weights = training.weights();
-            weights = training.weights();
-    Trained { weights, loss: best, epoch: best_epoch, losses }
+    Trained { weights: training.weights(), loss: best, epoch: best_epoch, losses }

//# [by-training-loss] Chooses the best weights by the training loss.
-        losses.push(sum / batches.len().max(1) as f64);
-        let loss = training.validate();
+        let loss = sum / batches.len().max(1) as f64;
+        losses.push(loss);

//# [classic-0] Does not measure before the first epoch: the first epoch is always better than nothing.
-    let mut best = training.validate();
+    let mut best = f64::INFINITY;

//# [patience-in-all] Counts all epochs that were not better, not those in a row: the count never begins anew.
-            waited = 0;

//# [classic-1] Compares the validation loss with that of the epoch before, not with the best.
     let mut waited = 0;
+    let mut before = best;
             weights = training.weights();
+        }
+        if loss < before {
         }
+        before = loss;

//# [later-of-equal] Takes an equal validation loss for better.
-        if loss < best || (best.is_nan() && !loss.is_nan()) {
+        if loss <= best || (best.is_nan() && !loss.is_nan()) {

//# [classic-2] Waits one epoch more than patience says.
-            if waited == patience {
+            if waited > patience {

//# [takes-nan] Asks whether the loss is not worse, so that NaN, which is neither, becomes the best.
-        if loss < best || (best.is_nan() && !loss.is_nan()) {
+        if !(loss >= best) {

//# [stuck-at-nan] Gives a NaN that was measured first no chance to be replaced, because nothing is smaller than NaN.
-        if loss < best || (best.is_nan() && !loss.is_nan()) {
+        if loss < best {

//# [] Measures before the steps of the epoch instead of after them.
     for epoch in 1..=epochs {
+        let loss = training.validate();
+        let now = training.weights();
-        let loss = training.validate();
-            weights = training.weights();
+            weights = now;

//# [same-order] Asks for the order of the batches once and trains every epoch in the order of the first.
     let mut waited = 0;
+    let batches = training.batches(1);
-        let batches = training.batches(epoch);

//# [classic-3] Keeps the loss of the last batch as the loss of the epoch instead of the mean.
-            sum += training.step(batch);
+            sum = training.step(batch);
-        losses.push(sum / batches.len().max(1) as f64);
+        losses.push(sum);

//# [classic-4] Divides by the number of batches even if there is none.
-        losses.push(sum / batches.len().max(1) as f64);
+        losses.push(sum / batches.len() as f64);

//# [epochs-from-0] Counts the epochs from 0 when it asks for the batches.
-        let batches = training.batches(epoch);
+        let batches = training.batches(epoch - 1);

//# [classic-5] Notes the training loss only of epochs after which it goes on, not of the one that ends it.
-        losses.push(sum / batches.len().max(1) as f64);
         }
+        losses.push(sum / batches.len().max(1) as f64);

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

//# [keeps-last] Returns the weights of the last epoch that ran, not those of the best one.
-    let mut weights = training.weights();
-            weights = training.weights();
-            if waited == patience {
+            if waited >= patience {
-    Trained { weights, loss: best, epoch: best_epoch, losses }
+    Trained {
+        weights: training.weights(),
+        loss: best,
+        epoch: best_epoch,
+        losses,
+    }

//# [classic-1] Waits by comparing each validation loss with that of the epoch before instead of with the best.
 pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
+    let mut best = training.validate();
+    let mut last = best;
-    let mut best = training.validate();
             weights = training.weights();
+        }
+        if loss < last || (last.is_nan() && !loss.is_nan()) {
-            if waited == patience {
-                break;
-            }
+        }
+        last = loss;
+        if waited >= patience {
+            break;
-    Trained { weights, loss: best, epoch: best_epoch, losses }
+    Trained {
+        weights,
+        loss: best,
+        epoch: best_epoch,
+        losses,
+    }

//# [epochs-from-0] Counts the epochs from 0 when it asks for their batches.
use transformer_tutor::curriculum::training::training_loop::{Trained, Training};

pub fn training_loop(training: &mut dyn Training, epochs: usize, patience: usize) -> Trained {
    let mut best = Trained {
        weights: training.weights(),
        loss: training.validate(),
        epoch: 0,
        losses: Vec::new(),
    };
    let mut waited = 0;
    for epoch in 0..epochs {
        let batches = training.batches(epoch);
        let count = batches.len();
        let sum: f64 = batches.into_iter().map(|batch| training.step(batch)).sum();
        best.losses.push(if count == 0 { 0.0 } else { sum / count as f64 });
        let loss = training.validate();
        if loss < best.loss || (best.loss.is_nan() && !loss.is_nan()) {
            best.loss = loss;
            best.weights = training.weights();
            best.epoch = epoch + 1;
            waited = 0;
        } else {
            waited += 1;
        }
        if waited == patience {
            break;
        }
    }
    best
}

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

//# [classic-1] Measures patience by whether an epoch was better than the epoch before, in place of the best.
     let mut waited = 0;
+    let mut previous = best.loss;
             best.epoch = epoch;
+        }
+        if loss < previous {
         }
+        previous = loss;

//# [classic-4] Divides by the number of batches even if there is none, so an empty epoch has the mean NaN.
-        losses.push(if batches.is_empty() {
-            0.0
-        } else {
-            sum / batches.len() as f64
-        });
+        losses.push(sum / batches.len() as f64);

//# [stuck-at-nan] Compares with < only, so if the first validation loss is NaN no later one is ever better.
-        if loss < best.loss || (best.loss.is_nan() && !loss.is_nan()) {
+        if loss < best.loss {

//# [later-of-equal] Takes a later epoch with an equally low loss, and starts waiting anew.
-        if loss < best.loss || (best.loss.is_nan() && !loss.is_nan()) {
+        if loss <= best.loss || (best.loss.is_nan() && !loss.is_nan()) {

//# [classic-2] Ends only when more than `patience` epochs were no better.
-            if waited == patience {
+            if waited > patience {

//# [] Does not measure the untrained weights, and counts the epochs from 0.
-        loss: training.validate(),
+        loss: f64::INFINITY,
-    for epoch in 1..=epochs {
+    for epoch in 0..epochs {

//# [patience-in-all] Does not set the counter back, so it counts all epochs without an improvement and not those in a row.
-            waited = 0;

//# [keeps-last] Copies the weights at the end of training in place of those of the best epoch.
-            best.weights = training.weights();
     best.losses = losses;
+    best.weights = training.weights();
