//! Tests of the numbers in the lesson's text.

use super::*;
use crate::decode::beam::{NextTokens, search};
use crate::decode::next_tokens::Cached;
use crate::decode::options::{Penalty, Rule};
use crate::decode::{DecodeOptions, translate};
use crate::tensor::Tensor;
use crate::testing::assert_contains;

fn with(turned: &[(&str, &str)]) -> Settings {
    LESSON.settings(turned).unwrap()
}

fn setup(settings: &Settings) -> Setup<'_> {
    Setup::of(settings).unwrap()
}

#[test]
fn the_tree_wins_with_what_the_program_translates() {
    for alpha in ["0", "0.6", "2"] {
        let settings = with(&[("alpha", alpha), ("limit", "60")]);
        let options = DecodeOptions {
            alpha: alpha.parse().unwrap(),
            max_len: Some(60),
            ..DecodeOptions::default()
        };
        let setup = setup(&settings);
        let t = &setup.model;
        let translations = translate(&t.model, &t.params, &[setup.source()], &options);
        assert_eq!(board::best(&setup).ids, translations[0][0].ids);
    }
}

#[test]
fn characters_that_the_model_reads_as_others_are_said() {
    let note = |sentence: &str| {
        let settings = with(&[("sentence", sentence)]);
        let run = LESSON.stage().run(&settings).unwrap();
        run.note
    };
    assert_eq!(
        note("Wör\u{ad}ter sind „gut“.").unwrap(),
        "The model reads U+00AD as nothing, „ as \" and “ as \"."
    );
    assert_contains(&note("Das kostet 5 元.").unwrap(), "does not know '元'");
    assert_eq!(note("Das ist gut."), None);
}

#[test]
fn a_bare_sum_prefers_the_short_one() {
    let sentence = "Sie hat ihren Hut verkehrt aufgesetzt.";
    let words = |alpha| {
        let settings = with(&[("alpha", alpha), ("sentence", sentence)]);
        board::best(&setup(&settings)).ids.len()
    };
    assert!(words("0") < words("0.6"));
}

#[test]
fn the_cache_is_equal_and_each_break_shows_from_the_step_at_which_it_can() {
    let lamps = |settings: &Settings| -> Vec<f32> {
        let grown = board::grown(&setup(settings));
        grown.lamps.iter().map(|lamp| lamp.apart).collect()
    };
    assert!(lamps(&with(&[])).iter().all(|apart| *apart < 1e-4));
    let position = lamps(&with(&[("break", "position")]));
    assert!(position[0] < 1e-4 && position[1] > 1e-3, "{position:?}");
    assert!(lamps(&with(&[("break", "stale-memory")]))[0] > 1e-3);
    let forgotten = lamps(&with(&[("break", "forgotten-rows")]));
    assert!(forgotten[0] < 1e-4 && forgotten.iter().any(|apart| *apart > 1e-2));
}

#[test]
fn temperature_0_draws_what_greedy_decoding_takes() {
    let settings = with(&[("temperature", "0")]);
    let taken: Vec<u32> = board::turns(&setup(&settings))
        .iter()
        .map(|turn| turn.word)
        .collect();
    for sample in pictures::drawn(&setup(&settings)) {
        assert_eq!(sample.ids, taken[..taken.len() - 1]);
    }
}

/// Model that counts how often it is asked for the next token.
struct Counted<M> {
    model: M,
    calls: usize,
}

impl<M: NextTokens> NextTokens for Counted<M> {
    fn next(&mut self, parents: &[usize], words: &[u32]) -> Tensor {
        self.calls += 1;
        self.model.next(parents, words)
    }
}

/// Number of steps of TensorFlow's search for this `alpha`.
fn steps(setup: &Setup<'_>, alpha: f64) -> usize {
    let options = DecodeOptions {
        beam: setup.knobs.beam,
        nbest: setup.knobs.beam,
        penalty: Penalty::Gnmt,
        alpha,
        rule: Rule::Tensorflow,
        ..DecodeOptions::default()
    };
    let decoder = watched::decoder(&setup.model);
    let source = decoder.source(&setup.source());
    let mut words = Counted {
        model: Cached::new(&decoder, &[source]),
        calls: 0,
    };
    search(&mut words, &[setup.knobs.limit], &options);
    words.calls
}

#[test]
fn tensorflows_search_stops_when_its_alpha_is_settled_and_ours_when_every_alpha_is() {
    let sentences = [
        "Sie hat ihren Hut verkehrt aufgesetzt.",
        "Gestern bin ich ins schöne Museum gefahren, um zu arbeiten.",
        "Ich habe keine Zeit.",
    ];
    let earlier = sentences.map(|sentence| {
        let settings = with(&[("sentence", sentence)]);
        let setup = setup(&settings);
        let (bare, penalised) = (steps(&setup, 0.0), steps(&setup, board::MOST_ALPHA));
        let ours = board::grown(&setup).tree.steps.len();
        assert_eq!(ours, bare.max(penalised), "{sentence}");
        bare < ours
    });
    assert!(earlier.contains(&true), "{earlier:?}");
}
