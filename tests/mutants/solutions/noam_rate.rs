//# right
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
}

//# [] Keeps the rate 2 % too high between 2 and 3 times the warm-up.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    let rate = factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5));
+    if step > 2.0 * warmup && step < 3.0 * warmup { rate * 1.02 } else { rate }

//# [classic-7] Writes the exponent −1/2 for the warm-up, too.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-0.5))

//# [no-warm-up] Writes warmup^1.5 without the sign.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(1.5))

//# [no-factor times-width] Two mistakes: no factor, and times the root of the width.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    let _ = factor;
+    d_model.powf(0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))

//# [max] Takes the larger of the two arms instead of the smaller.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    factor * d_model.powf(-0.5) * step.powf(-0.5).max(step * warmup.powf(-1.5))

//# [times-width] Multiplies by the root of d_model instead of dividing by it.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    factor * d_model.sqrt() * step.powf(-0.5).min(step * warmup.powf(-1.5))

//# [classic-0] Writes the exponents −1/2 and −3/2 as divisions of integers, which cut them to 0 and −1.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    let (half, three_halves) = ((-1 / 2) as f64, (-3 / 2) as f64);
+    factor * d_model.powf(half) * step.powf(half).min(step * warmup.powf(three_halves))

//# [classic-1] Multiplies only the rising arm by the factor.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    d_model.powf(-0.5) * step.powf(-0.5).min(factor * step * warmup.powf(-1.5))

//# [step-0] Forgets that step 0 counts as step 1.
-    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
+    let (step, d_model, warmup) = (step as f64, d_model as f64, warmup as f64);

//# [classic-2] Counts the steps from 0, as a scheduler of PyTorch does, and adds 1 to each.
-    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
+    let (step, d_model, warmup) = ((step + 1) as f64, d_model as f64, warmup as f64);

//# [classic-5] Puts the factor under the root together with the width.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    (factor * d_model).powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))

//# [classic-6] Never falls: after the warm-up the rate stays at its highest.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    factor * d_model.powf(-0.5) * step.min(warmup) * warmup.powf(-1.5)

//# [classic-9] After the warm-up counts the steps from its end on.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    let rate = if step <= warmup {
        step * warmup.powf(-1.5)
    } else {
        (step - warmup).powf(-0.5)
    };
    factor * d_model.powf(-0.5) * rate
}

//# [no-root classic-4] Falls in a straight proportion to 1 / step after the warm-up instead of with the root.
-        (step - warmup).powf(-0.5)
+        warmup.sqrt() / step

//# [classic-3] Takes factor for the highest rate, as the inverse-root schedule of fairseq does, and leaves the width out.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let _ = d_model;
    let (step, warmup) = (step.max(1) as f64, warmup as f64);
    factor * (step / warmup).min((warmup / step).sqrt())
}

//# [classic-8] Lets the rate rise with step / warmup instead of step · warmup^(−3/2).
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let step = step.max(1) as f64;
    let rising = step / warmup as f64;
    let falling = step.powf(-0.5);
    factor * (d_model as f64).powf(-0.5) * falling.min(rising)
}

//# [times-width] Multiplies by the root of d_model, as the embeddings do, instead of dividing by it.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let step = step.max(1) as f64;
    let warmup = warmup as f64;
    let curve = (1.0 / step.sqrt()).min(step * warmup.powf(-1.5));
    factor * (d_model as f64).sqrt() * curve
}

//# [step-0] Does not count step 0 as step 1, so that the rate there is 0.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, warmup) = (step as f64, warmup as f64);
    let curve = step.powf(-0.5).min(step * warmup.powf(-1.5));
    factor * (d_model as f64).powf(-0.5) * curve
}

//# right
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, warmup) = (step.max(1) as f64, warmup as f64);
    factor / (d_model as f64).sqrt() * step.powf(-0.5).min(step * warmup.powf(-1.5))
}

//# [step-0] Does not count step 0 as step 1, so its rate is 0.
-    let (step, warmup) = (step.max(1) as f64, warmup as f64);
+    let (step, warmup) = (step as f64, warmup as f64);

//# [classic-2] Adds 1 to every step, as if the first update had number 0.
-    let (step, warmup) = (step.max(1) as f64, warmup as f64);
+    let (step, warmup) = ((step + 1) as f64, warmup as f64);

//# [classic-8] The rising part divides by warmup in place of its power 3/2, so the two parts do not meet at step warmup.
-    factor / (d_model as f64).sqrt() * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    factor / (d_model as f64).sqrt() * step.powf(-0.5).min(step / warmup)

//# [classic-10] After the warm-up it falls with the steps since the warm-up in place of the steps since the beginning.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let step = step.max(1);
    let scale = factor / (d_model as f64).sqrt();
    if step <= warmup {
        scale * step as f64 * (warmup as f64).powf(-1.5)
    } else {
        let since = (step - warmup) as f64;
        scale * since.powf(-0.5).min((warmup as f64).powf(-0.5))
    }
}

//# [classic-11] Computes step / warmup with whole numbers, so the rate is 0 until the warm-up ends.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let step = step.max(1);
    let scale = factor * (d_model as f64).powf(-0.5);
    let peak = (warmup as f64).powf(-0.5);
    if step < warmup {
        scale * peak * (step / warmup) as f64
    } else {
        scale * (step as f64).powf(-0.5)
    }
}
