//# Takes the larger of the two terms instead of the smaller.
//= max
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    factor * d_model.powf(-0.5) * step.powf(-0.5).max(step * warmup.powf(-1.5))
}

//# Multiplies by the root of d_model instead of dividing by it.
//= times-width
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    factor * d_model.sqrt() * step.powf(-0.5).min(step * warmup.powf(-1.5))
}

//# Writes the exponents −1/2 and −3/2 as integer divisions, which truncate them to 0 and −1.
//= classic-0
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    let (half, three_halves) = ((-1 / 2) as f64, (-3 / 2) as f64);
    factor * d_model.powf(half) * step.powf(half).min(step * warmup.powf(three_halves))
}

//# Multiplies only the rising term by the factor.
//= classic-1
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    d_model.powf(-0.5) * step.powf(-0.5).min(factor * step * warmup.powf(-1.5))
}

//# Forgets that step 0 counts as step 1.
//= step-0
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step as f64, d_model as f64, warmup as f64);
    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
}

//# Assumes that steps are counted from 0, as by PyTorch's schedulers, and adds 1.
//= classic-2
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = ((step + 1) as f64, d_model as f64, warmup as f64);
    factor * d_model.powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
}

//# Takes factor for the highest rate, as fairseq's inverse-root schedule does, and leaves out the width.
//= classic-3
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let _ = d_model;
    let (step, warmup) = (step.max(1) as f64, warmup as f64);
    factor * (step / warmup).min((warmup / step).sqrt())
}

//# Counts steps from the end of the warm-up once it is over.
//=
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    let rate = if step <= warmup {
        step * warmup.powf(-1.5)
    } else {
        (step - warmup).powf(-0.5)
    };
    factor * d_model.powf(-0.5) * rate
}

//# Falls in proportion to 1 / step after the warm-up instead of 1 / √step.
//= no-root classic-4
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    let rate = if step <= warmup {
        step * warmup.powf(-1.5)
    } else {
        warmup.sqrt() / step
    };
    factor * d_model.powf(-0.5) * rate
}

//# Puts the factor under the root with the width.
//= classic-5
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    (factor * d_model).powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
}

//# Never falls: after the warm-up the rate stays at its highest.
//= classic-6
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, d_model, warmup) = (step.max(1) as f64, d_model as f64, warmup as f64);
    factor * d_model.powf(-0.5) * step.min(warmup) * warmup.powf(-1.5)
}

//# Makes the rate rise with step / warmup instead of step · warmup^(−3/2).
//=
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let step = step.max(1) as f64;
    let rising = step / warmup as f64;
    let falling = step.powf(-0.5);
    factor * (d_model as f64).powf(-0.5) * falling.min(rising)
}
//# Multiplies by the root of d_model, as the embeddings do, instead of dividing by it.
//= times-width
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let step = step.max(1) as f64;
    let warmup = warmup as f64;
    let curve = (1.0 / step.sqrt()).min(step * warmup.powf(-1.5));
    factor * (d_model as f64).sqrt() * curve
}
//# Does not count step 0 as step 1, so that the rate there is 0.
//= step-0
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, warmup) = (step as f64, warmup as f64);
    let curve = step.powf(-0.5).min(step * warmup.powf(-1.5));
    factor * (d_model as f64).powf(-0.5) * curve
}
