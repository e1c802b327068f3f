//# right
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
}

//# [] Keeps the rate 2 % too high between 2 and 3 times the warm-up.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    let rate = factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5));
+    if step > 2.0 * warmup && step < 3.0 * warmup { rate * 1.02 } else { rate }

//# [integer-exponents] Writes the exponents −1/2 and −3/2 as divisions of integers, which cut them to 0 and −1.
-    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
+    let (half, three_halves) = ((-1 / 2) as f64, (-3 / 2) as f64);
+    factor * d_model.powf(half) * step.powf(half).min(step * warmup.powf(three_halves))

//# [counts-again] After the warm-up counts the steps from its end on.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    let rate = if step <= warmup {
        step * warmup.powf(-1.5)
    } else {
        (step - warmup).powf(-0.5)
    };
    factor * d_model.powf(-0.5) * rate
}

//# [no-root falls-without-root] Falls in a straight proportion to 1 / step after the warm-up instead of with the root.
-        (step - warmup).powf(-0.5)
+        warmup.sqrt() / step

//# [factor-is-the-peak] Takes factor for the highest rate, as the inverse-root schedule of fairseq does, and leaves the width out.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let _ = d_model;
    let (step, warmup) = (step.max(1) as f64, warmup as f64);
    factor * (step / warmup).min((warmup / step).sqrt())
}

//# [warm-up-of-minus-one] Lets the rate rise with step / warmup instead of step · warmup^(−3/2).
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let step = step.max(1) as f64;
    let rising = step / warmup as f64;
    let falling = step.powf(-0.5);
    factor * (d_model as f64).powf(-0.5) * falling.min(rising)
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
