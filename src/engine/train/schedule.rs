//! Learning rate schedules. The paper's (Vaswani et al. 2017, section 5.3) rises linearly, then falls with the square
//! root of the step.

use serde::{Deserialize, Serialize};

crate::reference! { "noam_rate";
// ANCHOR: forward
/// `factor · d_model^−½ · min(step^−½, step · warmup^−1.5)`; step 0 counts as step 1.
///
/// `warmup` in steps. TensorFlow's official Transformer has this curve with factor 2 and 16,000.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, warmup) = (step.max(1) as f64, warmup as f64);
    factor * (d_model as f64).powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
}
// ANCHOR_END: forward
}

/// Shape of a learning rate schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleKind {
    /// The paper's schedule, [`noam_rate`], with `rate` as its factor.
    Noam,
    /// Rises linearly to `rate`, then falls with the inverse square root of the step: fairseq's schedule, and the
    /// paper's with different parameters.
    InverseSqrt,
    /// Rises linearly to `rate` and stays there.
    Constant,
    /// Rises linearly to `rate`, then falls along half a cosine to 0 at the last step.
    Cosine,
}

/// A schedule that gives the learning rate of every step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Shape of the curve.
    pub kind: ScheduleKind,
    /// Peak rate; for [`ScheduleKind::Noam`], the factor.
    pub rate: f64,
    /// Number of steps until the rate reaches its peak.
    pub warmup: usize,
    /// Number of steps at the end over which the rate falls linearly to 0.
    pub cooldown: usize,
    /// Total number of steps.
    pub steps: usize,
    /// Width of the model, for [`ScheduleKind::Noam`].
    pub d_model: usize,
}

impl Schedule {
    /// Returns the learning rate of a step, counted from 1.
    pub fn rate(&self, step: usize) -> f64 {
        if self.cooldown == 0 {
            return self.curve(step);
        }
        // The + 1 keeps the rate of the last step above 0.
        let left = (self.steps + 1).saturating_sub(step) as f64;
        self.curve(step) * (left / self.cooldown as f64).min(1.0)
    }

    fn curve(&self, step: usize) -> f64 {
        if self.kind == ScheduleKind::Noam {
            return noam_rate(step, self.d_model, self.rate, self.warmup.max(1));
        }
        let (t, warmup) = (step.max(1) as f64, self.warmup.max(1) as f64);
        if t < warmup {
            return self.rate * t / warmup;
        }
        self.rate
            * match self.kind {
                ScheduleKind::InverseSqrt => (warmup / t).sqrt(),
                ScheduleKind::Cosine => {
                    let rest = (self.steps as f64 - warmup).max(1.0);
                    let done = ((t - warmup) / rest).min(1.0);
                    0.5 * (1.0 + (std::f64::consts::PI * done).cos())
                }
                ScheduleKind::Constant | ScheduleKind::Noam => 1.0,
            }
    }
}

/// Training settings of a published implementation.
pub struct Recipe {
    /// Fraction of the mean square that Adam keeps at each step.
    pub beta2: f32,
    /// Factor of the schedule.
    pub factor: f64,
    /// Number of steps until the rate reaches its peak.
    pub warmup: usize,
}

impl Recipe {
    /// Returns the peak learning rate, reached at the end of the warm-up.
    pub fn peak(&self, d_model: usize) -> f64 {
        noam_rate(self.warmup, d_model, self.factor, self.warmup)
    }
}

/// The recipe of the Annotated Transformer, which is also the paper's, and that of TensorFlow's official Transformer.
pub const RECIPES: [Recipe; 2] = [
    Recipe {
        beta2: 0.98,
        factor: 1.0,
        warmup: 4000,
    },
    Recipe {
        beta2: 0.997,
        factor: 2.0,
        warmup: 16_000,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_curve_has_its_published_values() {
        let rate = |step| noam_rate(step, 512, 1.0, 4000);
        for (step, expected) in [
            (1, 1.746_928e-7),
            (4000, 6.987_712e-4),
            (8000, 4.941_059e-4),
            (20_000, 3.125e-4),
        ] {
            assert!((rate(step) / expected - 1.0).abs() < 1e-6, "{step}");
        }
        assert_eq!(rate(0), rate(1));
        assert!((noam_rate(16_000, 512, 2.0, 16_000) / rate(4000) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn every_schedule_is_at_its_highest_after_the_warm_up() {
        use ScheduleKind::{Constant, Cosine, InverseSqrt};
        for (kind, after) in [(Constant, 0.4), (InverseSqrt, 0.2), (Cosine, 0.2)] {
            let schedule = Schedule {
                kind,
                rate: 0.4,
                warmup: 100,
                cooldown: 0,
                steps: 700,
                d_model: 512,
            };
            let near = |step, rate: f64| (schedule.rate(step) - rate).abs() < 1e-12;
            assert!(
                near(1, 0.004) && near(50, 0.2) && near(100, 0.4) && near(400, after),
                "{kind:?}"
            );
        }
        // The paper's curve is an inverse square root whose peak follows from the width.
        let noam = Schedule {
            kind: ScheduleKind::Noam,
            rate: 1.0,
            warmup: 4000,
            cooldown: 0,
            steps: 0,
            d_model: 512,
        };
        let root = Schedule {
            kind: InverseSqrt,
            rate: noam.rate(4000),
            ..noam
        };
        for step in [1, 2000, 4000, 20_000] {
            assert!((noam.rate(step) / root.rate(step) - 1.0).abs() < 1e-12);
        }
    }
}
