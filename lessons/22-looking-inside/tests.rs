//! Tests of the numbers in the lesson's text.

use super::*;
use crate::testing::{assert_contains, assert_starts_with};
use crate::train::built_in::BuiltIn;

fn built_in() -> Arc<Model> {
    models::built_in(BuiltIn::Phrasebook)
}

fn seen_at_first() -> Arc<Analysis> {
    Analysis::of(built_in(), &LESSON.settings(&[]).unwrap().knobs()).unwrap()
}

#[test]
fn an_encoder_that_is_deeper_than_its_decoder_is_looked_into_to_its_last_layer() {
    let t = models::built_in(BuiltIn::Everyday);
    let config = &t.model.config;
    assert!(config.encoder_layers() > config.layers);
    let title = |changes: &[(&str, &str)]| {
        let settings = LESSON.settings(changes).unwrap();
        let run = LESSON.stage().run(&settings);
        run.map(|run| run.pictures[0].title.clone())
    };
    let everyday = ("model", "everyday");
    let (encoder, cross) = (("kind", "encoder"), ("kind", "cross"));
    let third = ("layer", "2");
    assert!(title(&[everyday, encoder]).unwrap().contains("layer 2"));
    assert_contains(&title(&[everyday, encoder, third]).unwrap(), "layer 2");
    assert!(title(&[everyday, cross]).unwrap().contains("layer 1"));
    assert_starts_with(
        &title(&[everyday, cross, third]).unwrap_err(),
        "layer goes from 0 to 1",
    );
}

#[test]
fn a_head_that_is_off_leaves_nothing_in_the_result() {
    let t = built_in();
    let off = heads::parse("cross.1.0", &t.model).unwrap();
    let params = heads::without(&t.params, &t.model, &off);
    let seen = seen_at_first();
    let attended = |params| {
        let trace = seen::record(&seen.model, params, &seen.src, &seen.tgt, false);
        let of = |part: &str| {
            trace
                .tensor(&format!("decoder.layers.1.src_attn.{part}"))
                .cloned()
        };
        (of("combined").unwrap(), of("attended").unwrap())
    };
    let ((before, was), (after, is)) = (attended(&t.params), attended(&params));
    assert_eq!(before, after, "what the heads find is the same");
    assert_ne!(was, is);
    // What is missing from the result is the contribution of that head's channels.
    let d_k = t.model.config.d_model / t.model.config.heads;
    let weight = t.params.find("decoder.layers.1.src_attn.output.weight");
    let row = seen::row(t.params.get(weight.unwrap()), 5);
    let lost: f32 = (0..d_k).map(|c| row[c] * before.at(&[0, 2, c])).sum();
    assert!((was.at(&[0, 2, 5]) - is.at(&[0, 2, 5]) - lost).abs() < 1e-4);
}

#[test]
fn heads_are_named_one_by_one_and_together() {
    let t = built_in();
    let model = &t.model;
    let count = |words| heads::parse(words, model).map(|heads| heads.len());
    assert_eq!(count("none"), Ok(0));
    assert_eq!(count("cross"), Ok(8));
    assert_eq!(count("encoder.0 cross.1.3"), Ok(5));
    for wrong in "head cross.2 cross.-1 cross.1.4 cross.1.1.1 cross.x".split(' ') {
        let refused = count(wrong).unwrap_err();
        assert!(refused.contains("names no head"), "{wrong}");
    }
}

#[test]
fn gradients_of_a_word_are_those_of_small_changes() {
    // Summed over a token's channels, gradient × input is the slope when its embedding is scaled.
    let t = built_in();
    let seen = seen_at_first();
    let (target, source) = (4, 6);
    let row = t.model.src_embed.table;
    let scaled = |by: f32| {
        let mut params = t.params.clone();
        let d = t.model.config.d_model;
        let word = seen.src[source] as usize;
        let table = params.get_mut(row).data_mut();
        table[word * d..][..d].iter_mut().for_each(|x| *x *= by);
        crate::decode::score(&t.model, &params, &seen.src, &seen.tgt)[target]
    };
    let slope = (scaled(1.01) - scaled(0.99)) / 0.02;
    let claimed = f64::from(seen::row(&seen.gradient, target)[source]);
    assert!(
        (slope.abs() - claimed).abs() < 0.05 * claimed.max(0.01),
        "{slope} {claimed}"
    );
}

#[test]
fn rank_correlation_compares_orders() {
    let line = [0.1, 0.2, 0.3, 0.4];
    assert_eq!(seen::rank_correlation(&line, &[1.0, 5.0, 6.0, 9.0]), 1.0);
    assert_eq!(seen::rank_correlation(&line, &[9.0, 6.0, 5.0, 1.0]), -1.0);
    assert_eq!(seen::rank_correlation(&line, &[1.0; 4]), 0.0);
}

#[test]
fn many_heads_are_hardly_missed_and_without_some_the_log_probability_rises() {
    let sentence = "Gestern bin ich ins schöne Museum gefahren, um zu arbeiten.";
    let settings = LESSON.settings(&[("sentence", sentence)]).unwrap();
    let seen = Analysis::of(models::chosen(&settings).unwrap(), &settings.knobs()).unwrap();
    let changes: Vec<f64> = seen.without_each().iter().map(|(_, by)| *by).collect();
    let hardly = changes.iter().filter(|by| **by > -0.5).count();
    assert!(5 * hardly > 2 * changes.len(), "{changes:?}");
    assert!(changes.iter().any(|by| *by > 0.0), "{changes:?}");
    assert!(changes.iter().any(|by| *by < -5.0), "{changes:?}");
}
