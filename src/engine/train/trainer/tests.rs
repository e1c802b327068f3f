use super::*;
use crate::data::pairs::Pair;
use crate::data::variation::Amount;
use crate::testing::assert_contains;
use crate::text::pipeline::Pipeline;
use crate::text::sentencepiece;

/// A corpus of copying tasks: three to six tokens, out of eight.
pub(crate) fn copying(n: usize) -> Corpus {
    let pair = |n: usize| {
        let words: Vec<u32> = (0..3 + n % 4)
            .map(|i| 4 + ((n * 7 + i * 3 + n / 5) % 8) as u32)
            .collect();
        let tgt = [&[1], &words[..], &[2]].concat();
        ([&words[..], &[2]].concat(), tgt)
    };
    Corpus {
        pairs: (0..n).map(pair).collect(),
        ..Corpus::default()
    }
}

fn config() -> TrainConfig {
    TrainConfig {
        layers: 1,
        d_model: 16,
        d_ff: 32,
        dropout: 0.1,
        batch_tokens: 60,
        steps: 12,
        accumulate: 2,
        ..TrainConfig::default()
    }
}

#[test]
fn a_resumed_run_ends_with_the_weights_of_an_uninterrupted_one() {
    let whole = |threads| {
        let mut trainer = Trainer::new(config(), (12, 12), copying(50), threads);
        while !trainer.is_done() {
            trainer.update().unwrap();
        }
        trainer
    };
    let one = whole(1);
    let mut stopped = Trainer::new(config(), (12, 12), copying(50), 2);
    for _ in 0..7 {
        stopped.update().unwrap();
    }
    let mut on = Trainer::new(config(), (12, 12), copying(50), 3);
    on.restore(stopped.params, stopped.adam, stopped.state);
    while !on.is_done() {
        on.update().unwrap();
    }
    assert_eq!(on.state, one.state);
    assert!(one.state.epoch > 0, "more than one pass over the corpus");
    for (a, b) in on.params.iter().zip(one.params.iter()) {
        assert_eq!(a, b);
    }
    let four = whole(4);
    assert!(four.params.iter().eq(one.params.iter()));
}

#[test]
fn a_run_whose_sentences_vary_can_stop_in_its_first_epoch_and_goes_on_the_same() {
    let lines: Vec<Pair> = (0..40)
        .map(|n| (format!("der Hund läuft {n}"), format!("the dog runs {n}")))
        .collect();
    let (src, tgt): (Vec<_>, Vec<_>) = lines.iter().cloned().unzip();
    let pieces = sentencepiece::learn(src.iter().chain(&tgt).map(String::as_str), 40);
    let pipeline = Pipeline::of_pieces(&pieces);
    let corpus = Corpus::new(&src, &tgt, &pipeline, 100);
    let variation = Variation {
        lines,
        supplement: None,
        share: 0.0,
        amount: Amount {
            sampling: 0.3,
            typing: 0.5,
            names: 0.0,
        },
        longest: 100,
        seed: 1,
        pipeline,
    };
    let words = variation.pipeline.source.vocabulary.len();
    let varied = || {
        let trainer = Trainer::new(config(), (words, words), corpus.clone(), 1);
        trainer.varied(Some(variation.clone()))
    };
    let (mut one, mut stopped, mut on) = (varied(), varied(), varied());
    assert!(one.updates_per_epoch() > 2 && one.updates_per_epoch() < one.config.steps);
    for _ in 0..2 {
        stopped.update().unwrap();
    }
    assert_eq!(
        (stopped.state.epoch, stopped.updates_per_epoch()),
        (0, one.updates_per_epoch())
    );
    on.restore(stopped.params, stopped.adam, stopped.state);
    assert_eq!(on.updates_per_epoch(), one.updates_per_epoch());
    for trainer in [&mut one, &mut on] {
        while !trainer.is_done() {
            trainer.update().unwrap();
        }
    }
    assert!(one.state.epoch > 0 && on.state == one.state);
    assert!(on.params.iter().eq(one.params.iter()));
}

#[test]
fn copying_is_learned() {
    let config = TrainConfig {
        steps: 150,
        dropout: 0.0,
        accumulate: 1,
        batch_tokens: 400,
        rate: 0.01,
        warmup: 20,
        smoothing: 0.0,
        ..config()
    };
    let mut trainer = Trainer::new(config, (12, 12), copying(400), 2);
    let before = trainer.validate(&copying(60)).unwrap().nats;
    while !trainer.is_done() {
        trainer.update().unwrap();
    }
    let after = trainer.validate(&copying(60)).unwrap().nats;
    assert!(before > 2.0 && after < 0.25, "{before} {after}");
    assert_eq!(trainer.state.best, Some((after, 150)));
}

#[test]
fn nan_stops_training_and_names_its_tensor() {
    let mut trainer = Trainer::new(config(), (12, 12), copying(50), 1);
    trainer.update().unwrap();
    let name = "decoder.layers.0.feed_forward.w_1.weight";
    let param = trainer.params.find(name).unwrap();
    trainer.params.get_mut(param).data_mut()[3] = f32::MAX;
    let before: Vec<_> = trainer.params.iter().map(|(_, _, x)| x.clone()).collect();
    let message = trainer.update().unwrap_err().to_string();
    assert_contains(&message, "update 2");
    assert_contains(&message, "decoder.layers.0.feed_forward");
    assert!(trainer.params.iter().map(|(_, _, x)| x.clone()).eq(before));
}

#[test]
fn the_best_loss_comes_back_from_its_file_to_the_last_bit() {
    for n in 1..5000 {
        let state = State {
            best: Some(((f64::from(n) * 1e-3).exp(), 7)),
            ..State::default()
        };
        let text = serde_json::to_string_pretty(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
    }
}

#[test]
fn a_diverged_run_has_no_measurement_and_no_best() {
    let mut trainer = Trainer::new(config(), (12, 12), copying(50), 1);
    trainer.update().unwrap();
    let before = trainer.state.clone();
    let name = "decoder.layers.0.feed_forward.w_2.weight";
    let param = trainer.params.find(name).unwrap();
    for (value, what) in [(f32::NAN, name), (f32::MAX, "the held-out loss")] {
        trainer.params.get_mut(param).data_mut().fill(value);
        let message = trainer.validate(&copying(9)).unwrap_err().to_string();
        assert_contains(&message, "after update 1");
        assert_contains(&message, what);
        assert_eq!(trainer.state, before);
    }
}

#[test]
fn the_tensor_named_is_one_of_the_run_that_failed_with_its_dropout_and_its_shards() {
    let config = TrainConfig {
        inner_dropout: 0.7,
        accumulate: 1,
        ..config()
    };
    // Only if dropout keeps the one unit that overflows does a run fail, so a repeat needs the same dropout.
    let failed = (0..24).filter(|&seed| {
        let config = TrainConfig {
            seed,
            ..config.clone()
        };
        let mut trainer = Trainer::new(config, (12, 12), copying(1), 2);
        let layer = "decoder.layers.0.feed_forward";
        let param = |name: &str| trainer.params.find(&format!("{layer}.{name}")).unwrap();
        let [bias, weight] = ["w_1.bias", "w_2.weight"].map(param);
        trainer.params.get_mut(bias).data_mut()[3] = 1e20;
        trainer.params.get_mut(weight).data_mut()[3] = 1e19;
        let Err(error) = trainer.update() else {
            return false;
        };
        let message = error.to_string();
        assert!(
            message.contains(&format!("first in {layer}.")),
            "seed {seed}: {message}"
        );
        true
    });
    let failed = failed.count();
    assert!((3..24).contains(&failed), "{failed} of 24 failed");
}

#[test]
fn attention_that_overflows_is_named_as_the_fused_step_that_ran() {
    let mut trainer = Trainer::new(config(), (12, 12), copying(50), 1);
    for name in ["query", "key"] {
        let name = format!("encoder.layers.0.self_attn.{name}.weight");
        let param = trainer.params.find(&name).unwrap();
        trainer.params.get_mut(param).data_mut().fill(1e25);
    }
    let message = trainer.update().unwrap_err().to_string();
    assert!(
        message.contains("encoder.layers.0.self_attn.") && !message.contains("scores"),
        "{message}"
    );
}
