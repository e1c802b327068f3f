//! The named configurations.

use super::{Form, TrainConfig};
use crate::nn::activation::Activation;
use crate::nn::residual::NormPlace;
use crate::train::schedule::ScheduleKind;

/// A named configuration.
pub struct Preset {
    /// Name, as in `--preset multi30k`.
    pub name: &'static str,
    /// Description for users.
    pub about: &'static str,
    /// Returns its settings.
    pub config: fn() -> TrainConfig,
}

/// All presets; the first is the default.
pub const PRESETS: [Preset; 5] = [
    Preset {
        name: "phrasebook",
        about: "German to English on the built-in phrasebook, in two minutes",
        config: TrainConfig::default,
    },
    Preset {
        name: "multi30k",
        about: "the published recipe for Multi30k, 2.57 million parameters (Wu et al. 2021)",
        config: || TrainConfig {
            layers: 4,
            dropout: 0.3,
            norm: NormPlace::Post,
            tied: true,
            merges: 10_000,
            joint: true,
            batch_tokens: 8192,
            steps: 8000,
            schedule: ScheduleKind::InverseSqrt,
            rate: 0.005,
            warmup: 2000,
            epsilon: 1e-8,
            clip: 25.0,
            smoothing: 0.1,
            evaluate_every: 60,
            keep: 10,
            ..TrainConfig::default()
        },
    },
    Preset {
        name: "sentences",
        about: "first stage of the built-in German to English translator, on Tatoeba: an hour or two on two cores",
        config: || TrainConfig {
            activation: Activation::Silu,
            names: 0.3,
            patterns: 0.0,
            phrases: 0.0,
            words: 0.0,
            fade: 0.0,
            steps: 11_000,
            schedule: ScheduleKind::InverseSqrt,
            rate: 0.0015,
            warmup: 1500,
            cooldown: 1100,
            ..TrainConfig::preset("everyday").expect("it is a preset")
        },
    },
    Preset {
        name: "everyday",
        about: "its second stage, with a dictionary: an hour and a half more, --from the first",
        config: || TrainConfig {
            form: Form::Marian,
            layers: 2,
            encoder_layers: 3,
            d_model: 256,
            d_ff: 512,
            dropout: 0.1,
            pieces: 4000,
            sampling: 0.5,
            typing: 0.5,
            names: 0.3,
            patterns: 0.5,
            phrases: 1.0,
            words: 0.2,
            fade: 0.3,
            batch_tokens: 4096,
            steps: 12_000,
            schedule: ScheduleKind::Constant,
            rate: 0.0008,
            warmup: 300,
            cooldown: 5000,
            smoothing: 0.1,
            evaluate_every: 500,
            keep: 8,
            ..TrainConfig::default()
        },
    },
    Preset {
        name: "copy",
        about: "the Annotated Transformer's first example: learn to copy ten numbers",
        config: || TrainConfig {
            d_model: 64,
            d_ff: 128,
            batch_tokens: 960,
            steps: 400,
            schedule: ScheduleKind::Noam,
            rate: 1.0,
            warmup: 100,
            smoothing: 0.0,
            evaluate_every: 100,
            keep: 1,
            ..TrainConfig::default()
        },
    },
];

impl TrainConfig {
    /// Returns the preset named `name`.
    pub fn preset(name: &str) -> Option<Self> {
        let preset = PRESETS.iter().find(|preset| preset.name == name)?;
        Some((preset.config)())
    }
}
