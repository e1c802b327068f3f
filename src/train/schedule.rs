//! The learning rate of the paper (Vaswani et al. 2017, 5.3): up with the steps, then down with their
//! root.

use crate::ops::Spread;

// ANCHOR: forward
/// `factor · d_model^−½ · min(step^−½, step · warmup^−1.5)`; step 0 counts as step 1.
///
/// `warmup` in steps. TensorFlow's official Transformer has the same curve with factor 2 and 16,000.
pub fn noam_rate(step: usize, d_model: usize, factor: f64, warmup: usize) -> f64 {
    let (step, warmup) = (step.max(1) as f64, warmup as f64);
    factor * (d_model as f64).powf(-0.5) * step.powf(-0.5).min(step * warmup.powf(-1.5))
}
// ANCHOR_END: forward

/// How a source trains.
pub struct Recipe {
    /// Whose it is.
    pub name: &'static str,
    /// How much of the mean square Adam keeps.
    pub beta2: f32,
    /// The schedule's factor.
    pub factor: f64,
    /// Steps until the rate is at its highest.
    pub warmup: usize,
    /// Over which words label smoothing spreads its share.
    pub spread: Spread,
}

impl Recipe {
    /// The highest learning rate, at the end of the warm-up.
    pub fn peak(&self, d_model: usize) -> f64 {
        noam_rate(self.warmup, d_model, self.factor, self.warmup)
    }
}

/// The Annotated Transformer's and the paper's, and TensorFlow's official one's.
pub const RECIPES: [Recipe; 2] = [
    Recipe {
        name: "Annotated Transformer",
        beta2: 0.98,
        factor: 1.0,
        warmup: 4000,
        spread: Spread::NoPadding,
    },
    Recipe {
        name: "TensorFlow's official",
        beta2: 0.997,
        factor: 2.0,
        warmup: 16_000,
        spread: Spread::Others,
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
}
