use super::effect::SETTLED_BY_MARIAN;
use super::*;
use crate::testing::{assert_contains, assert_starts_with};

#[test]
fn every_preset_can_begin_and_is_the_same_after_its_file() {
    for preset in PRESETS.iter() {
        let config = preset.config.clone();
        assert_eq!(config.check(), Ok(()), "{}", preset.name);
        assert_eq!(TrainConfig::read(&config.to_toml()), Ok(config));
    }
}

#[test]
fn a_file_has_no_key_that_the_form_settles() {
    let mut config = TrainConfig::preset("everyday").unwrap();
    config.set("norm", "post").unwrap();
    let text = config.to_toml();
    for key in SETTLED_BY_MARIAN {
        assert!(!text.contains(&format!("\n{key} =")), "{key}");
        assert!(
            TrainConfig::default()
                .to_toml()
                .contains(&format!("\n{key} =")),
            "{key}"
        );
    }
    let kept = TrainConfig::read(&text).unwrap();
    assert_eq!(kept.same_run(&config), Ok(()));
    // A key that is ignored has its default, but it must be sound.
    let file =
        |merges: &str| TrainConfig::read(&format!("{text}norm = \"post\"\nmerges = {merges}"));
    assert_eq!(file("7"), Ok(kept));
    let message = file("\"many\"").unwrap_err();
    assert_contains(&message, "line");
    assert_contains(&message, "merges = \"many\"");
}

#[test]
fn a_marian_file_from_before_there_was_a_choice_of_activation_means_silu() {
    let parse = |text: &str| TrainConfig::read(text).unwrap().activation;
    assert_eq!(parse("form = \"marian\"\npieces = 100"), Activation::Silu);
    assert_eq!(
        parse("form = \"marian\"\nactivation = \"relu\""),
        Activation::Relu
    );
    assert_eq!(parse("layers = 3"), Activation::Relu);
}

#[test]
fn the_multi30k_model_has_the_published_number_of_parameters() {
    let mut params = crate::params::Params::layout();
    let config = TrainConfig::preset("multi30k").unwrap().model(9712, 9712);
    crate::transformer::Transformer::new(&mut params, &config);
    assert_eq!(params.count(), 2_568_192);
}

#[test]
fn numbers_with_which_nothing_can_be_learned_are_refused_by_name() {
    let keys = ["rate", "epsilon", "decay", "clip", "smoothing"];
    let keys = keys.into_iter().chain(["beta1", "beta2", "dropout"]);
    for key in keys.chain(["inner_dropout"]) {
        for value in ["nan", "inf", "-inf", "-0.5"] {
            let mut config = TrainConfig::default();
            config.set(key, value).unwrap();
            let message = config.check().unwrap_err();
            assert!(message.starts_with(key), "{key}={value}: {message}");
        }
    }
    for (key, value) in [("rate", "0"), ("rate", "1e300"), ("epsilon", "0")] {
        let mut config = TrainConfig::default();
        config.set(key, value).unwrap();
        assert!(config.check().is_err(), "{key}={value}");
    }
    let mut config = TrainConfig::default();
    config.set("clip", "0").unwrap();
    assert_eq!(config.check(), Ok(()), "0 does not clip");
}

#[test]
fn a_run_goes_on_with_another_rate_and_not_with_another_model_text_or_order() {
    let begun = TrainConfig::default();
    let with = |key: &str, value: &str| {
        let mut config = begun.clone();
        config.set(key, value).unwrap();
        begun.same_run(&config)
    };
    let may = [
        ("rate", "0.1"),
        ("warmup", "9"),
        ("clip", "0.5"),
        ("decay", "0.1"),
    ];
    let may_too = [
        ("steps", "9"),
        ("schedule", "noam"),
        ("dropout", "0.2"),
        ("keep", "9"),
    ];
    for (key, value) in may.into_iter().chain(may_too) {
        assert_eq!(with(key, value), Ok(()), "{key}");
    }
    for key in FIXED.split(' ') {
        let value = match key {
            "norm" => "post",
            "form" => "marian",
            "activation" => "silu",
            "tied" | "lowercase" | "joint" => "true",
            "source" | "target" => "english",
            _ => "7",
        };
        assert_starts_with(&with(key, value).unwrap_err(), &format!("{key} ("));
    }
    assert_eq!(with("seed", "7"), Err("seed (1, here 7)".to_owned()));
}

#[test]
fn keys_are_set_by_words_and_wrong_ones_are_refused() {
    let mut config = TrainConfig::default();
    config.set("rate", "1").unwrap();
    config.set("schedule", "noam").unwrap();
    config.set("lowercase", "true").unwrap();
    assert_eq!(
        (config.rate, config.schedule, config.lowercase),
        (1.0, ScheduleKind::Noam, true)
    );
    assert_starts_with(&config.set("layers", "many").unwrap_err(), "layers=many");
    assert_contains(&config.set("schedule", "cosin").unwrap_err(), "cosine");
    config.set("tied", "true").unwrap();
    assert!(config.check().unwrap_err().contains("tied needs joint"));
}
