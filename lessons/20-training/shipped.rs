//! How the weights of the trained translator were made.

use std::sync::LazyLock;

use serde::Deserialize;

/// The training of the shipped weights, from `shipped.toml`.
#[derive(Deserialize)]
struct Training {
    /// Number of sentence pairs.
    pairs: usize,
    /// The stages, each continuing from the one before.
    stage: Vec<TrainingStage>,
}

/// One stage of the training.
#[derive(Deserialize)]
struct TrainingStage {
    /// Number of updates.
    updates: usize,
    /// Minutes on two cores.
    minutes: usize,
}

static TRAINING: LazyLock<Training> = LazyLock::new(|| {
    toml::from_str(include_str!("shipped.toml")).expect("it is part of the program")
});

/// A fact about the training of the shipped weights.
pub fn fact(name: &str) -> Option<f64> {
    let training = &*TRAINING;
    let first = training.stage.first()?.updates;
    let all: usize = training.stage.iter().map(|stage| stage.updates).sum();
    let minutes: usize = training.stage.iter().map(|stage| stage.minutes).sum();
    let value = match name {
        "shipped_pairs" => training.pairs,
        "shipped_updates" => all,
        "shipped_updates_without_dictionary" => first,
        "shipped_updates_with_dictionary" => all - first,
        "shipped_minutes" => minutes,
        _ => return None,
    };
    Some(value as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::train::config::TrainConfig;

    #[test]
    fn the_last_stage_has_the_updates_of_the_preset() {
        let preset = TrainConfig::preset("everyday").expect("it exists");
        let last = TRAINING.stage.last().expect("there are stages");
        assert_eq!(last.updates, preset.steps);
    }
}
