//! The classic mistakes in the learning rate's schedule.

use transformer_tutor::train::schedule::noam_rate;

/// The signature of the function to write.
pub type RateFn = fn(usize, usize, f64, usize) -> f64;

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, RateFn); 8] = [
    ("max", |step, d, factor, warmup| {
        let (rise, fall) = halves(step, warmup);
        scaled(rise.max(fall), d, factor)
    }),
    ("no-warm-up", |step, d, factor, warmup| {
        scaled(halves(step, warmup).1, d, factor)
    }),
    ("only-rises", |step, d, factor, warmup| {
        scaled(halves(step, warmup).0, d, factor)
    }),
    ("no-width", |step, d, factor, warmup| {
        noam_rate(step, d, factor, warmup) * (d as f64).sqrt()
    }),
    ("times-width", |step, d, factor, warmup| {
        noam_rate(step, d, factor, warmup) * d as f64
    }),
    ("no-factor", |step, d, _, warmup| {
        noam_rate(step, d, 1.0, warmup)
    }),
    // Falls with the step itself.
    ("no-root", |step, d, factor, warmup| {
        let (rise, fall) = halves(step, warmup);
        scaled(rise.min(fall * fall), d, factor)
    }),
    // Leaves step 0 at a rate of 0, at which nothing moves.
    ("step-0", |step, d, factor, warmup| match step {
        0 => 0.0,
        _ => noam_rate(step, d, factor, warmup),
    }),
];

fn halves(step: usize, warmup: usize) -> (f64, f64) {
    let (step, warmup) = (step.max(1) as f64, warmup as f64);
    (step * warmup.powf(-1.5), step.powf(-0.5))
}

fn scaled(rate: f64, d_model: usize, factor: f64) -> f64 {
    factor * (d_model as f64).powf(-0.5) * rate
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, RateFn); 12] = [
    (
        "Your exponents −1/2 and −3/2 are integer divisions, which give 0 and −1. Write −0.5 and −1.5.",
        |step, _, factor, warmup| factor * (step.max(1) as f64 / warmup as f64).min(1.0),
    ),
    (
        "You multiply only the warm-up's line by the factor. It should multiply both curves.",
        |step, d, factor, warmup| {
            let (rise, fall) = halves(step, warmup);
            scaled(fall.min(factor * rise), d, 1.0)
        },
    ),
    (
        "You add 1 to every step. Steps are counted from 1 here, and only step 0 counts as step 1.",
        |step, d, factor, warmup| noam_rate(step + 1, d, factor, warmup),
    ),
    (
        "Your factor is the highest rate, as in fairseq's schedule. Here the highest rate follows from width and warm-up, and the factor multiplies it.",
        |step, _, factor, warmup| {
            let part = step.max(1) as f64 / warmup as f64;
            factor * part.min(part.powf(-0.5))
        },
    ),
    (
        "After the warm-up your rate falls with 1 / step. It should fall with the root: step^(-1/2).",
        |step, d, factor, warmup| {
            let (rise, fall) = halves(step, warmup);
            scaled(rise.min((warmup as f64).sqrt() * fall * fall), d, factor)
        },
    ),
    (
        "Your factor is under the root together with the width. It should multiply the whole rate.",
        |step, d, factor, warmup| noam_rate(step, d, 1.0, warmup) * factor.powf(-0.5),
    ),
    (
        "After the warm-up your rate stays at its highest. It should fall with the root of the step: step^(-1/2).",
        |step, d, factor, warmup| noam_rate(step.min(warmup), d, factor, warmup),
    ),
    (
        "The exponent of your warm-up is −1/2. The two curves meet at the end of the warm-up only if it is −3/2: step · warmup^(−3/2).",
        |step, d, factor, warmup| {
            let (step, warmup) = (step.max(1) as f64, warmup as f64);
            scaled((step * warmup.powf(-0.5)).min(step.powf(-0.5)), d, factor)
        },
    ),
    (
        "Your rate rises with step / warmup. It should rise with step · warmup^(−3/2), so that it meets step^(−1/2) at the end of the warm-up.",
        |step, d, factor, warmup| {
            let (step, warmup) = (step.max(1) as f64, warmup as f64);
            scaled((step * warmup.powf(-1.0)).min(step.powf(-0.5)), d, factor)
        },
    ),
    (
        "You start counting again after the warm-up. The rate falls with the root of all steps: step^(-1/2).",
        |step, d, factor, warmup| {
            let (rise, fall) = halves(step, warmup);
            let since = step.saturating_sub(warmup);
            let after = halves(since, warmup).1;
            let rate = if step < warmup {
                rise
            } else if since == 0 {
                fall
            } else {
                after
            };
            scaled(rate, d, factor)
        },
    ),
    (
        "After the warm-up you count only the steps since then, so the rate stays too high. It falls with the root of all steps: step^(-1/2).",
        |step, d, factor, warmup| {
            let (rise, _) = halves(step, warmup);
            let highest = (warmup as f64).powf(-0.5);
            let since = step.saturating_sub(warmup) as f64;
            scaled(
                if step <= warmup {
                    rise
                } else {
                    since.powf(-0.5).min(highest)
                },
                d,
                factor,
            )
        },
    ),
    (
        "You divide step by warmup as integers, so the rate is 0 throughout the warm-up. Convert both to f64 before you divide.",
        |step, d, factor, warmup| {
            let (_, fall) = halves(step, warmup);
            scaled(if step.max(1) < warmup { 0.0 } else { fall }, d, factor)
        },
    ),
];
