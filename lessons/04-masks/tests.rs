//! Tests of the numbers in the lesson's text, on live runs.

use super::*;
use crate::lesson::claim::RunEnv;
use crate::lesson::{Body, Picture};

fn run(turned: &[(&str, &str)]) -> Result<Run, String> {
    Masks.run(&LESSON.settings(turned).unwrap())
}

#[track_caller]
fn value(turned: &[(&str, &str)], expression: &str) -> Vec<f64> {
    let live = RunEnv {
        stage: &Masks,
        run: &run(turned).unwrap(),
        settings: &LESSON.settings(turned).unwrap(),
    };
    let value = live.evaluate(expression);
    value.unwrap_or_else(|e| panic!("{expression}: {e}"))
}

#[track_caller]
fn number(turned: &[(&str, &str)], expression: &str) -> f64 {
    let all = value(turned, expression);
    assert_eq!(all.len(), 1, "{expression}");
    all[0]
}

fn picture(turned: &[(&str, &str)], name: &str) -> Picture {
    let mut pictures = run(turned).unwrap().pictures.into_iter();
    pictures.find(|p| p.name == name).unwrap()
}

#[test]
fn shapes_are_the_standard_ones_with_every_seed_and_mix() {
    for seed in ["0", "7", "123"] {
        for mix in ["natural", "skewed", "alike"] {
            for batching in ["arrival", "by-length"] {
                let turned = [("seed", seed), ("mix", mix), ("batching", batching)];
                let trace = run(&turned).unwrap().trace;
                let shape = |name| trace.tensor(name).unwrap().shape().to_vec();
                assert_eq!(shape("src_mask"), [30, 1, 11]);
                assert_eq!(shape("tgt_mask"), [30, 10, 10]);
                assert_eq!(shape("cross_mask_cells"), [30, 8, 10, 11]);
                assert_eq!(shape("self.mask_cells"), [30, 8, 10, 10]);
            }
        }
    }
}

#[test]
fn sorting_by_length_saves_most_of_the_padding() {
    for mix in ["natural", "skewed"] {
        let arrival = number(&[("mix", mix)], "pad_share_all");
        let sorted = number(&[("mix", mix), ("batching", "by-length")], "pad_share_all");
        assert!(sorted < arrival / 4.0, "{mix}: {arrival} to {sorted}");
    }
    assert_eq!(number(&[("mix", "alike")], "pad_share_all"), 0.0);
}

#[test]
fn the_forms_agree_unless_a_whole_row_is_blocked() {
    for fill in ["-1e9", "-1e4"] {
        let words = [("fill", fill)];
        for both in ["weights - weights_bias", "self.weights - self.weights_bias"] {
            assert_eq!(number(&words, &format!("max(abs({both}))")), 0.0);
        }
    }
    // TensorFlow's third sentence begins with a pad, so its row 0 may see nothing.
    let row = "max(abs(self.weights[2,0,0,:] - self.weights_bias[2,0,0,:]))";
    for (knob, value) in [("fill", "-1e4"), ("logits", "1000")] {
        assert!(number(&[("example", "tf"), (knob, value)], row) > 0.1);
    }
    // Near −1e9 floats are 64 apart, so small scores vanish in the sum.
    assert_eq!(number(&[("example", "tf")], row), 0.0);
}

#[test]
fn pad_rows_touch_no_real_row_and_weigh_nothing() {
    for seed in ["1", "2", "3"] {
        let words = [("seed", seed)];
        let real = number(&words, "max(scrambled_encoder, scrambled_decoder)");
        assert_eq!(real, 0.0);
        assert!(number(&words, "scrambled_pad") > 1.0);
        assert_eq!(number(&words, "pad_loss_weight"), 0.0);
    }
    assert_eq!(number(&[], "whole_row_nan"), 1.0);
    assert!((number(&[], "whole_row") - 0.2).abs() < 1e-6);
}

#[test]
fn a_fill_that_is_not_low_enough_lets_the_future_light_up() {
    for seed in ["0", "3", "7"] {
        let weak = |logits| {
            let words = [("seed", seed), ("fill", "-1e4"), ("logits", logits)];
            number(&words, "max(blocked_share, leak)")
        };
        assert_eq!(weak("100"), 0.0);
        assert!(weak("100000") > 0.05);
        let low = [("seed", seed), ("logits", "100000")];
        assert_eq!(number(&low, "max(blocked_share, leak)"), 0.0);
    }
}

#[test]
fn the_meter_is_tight_for_every_sentence_and_any_leak_shows() {
    for sentence in ["0", "1", "13", "29"] {
        assert_eq!(run(&[("sentence", sentence)]).unwrap().leak, Some(0.0));
    }
    for broken in [
        "no-future",
        "reversed",
        "rows",
        "strict",
        "upper",
        "times-zero",
        "anti-diagonal",
    ] {
        let leak = run(&[("break", broken)]).unwrap().leak;
        assert!(leak > Some(0.1), "{broken}");
    }
    // Only row 0 is blocked entirely, and leaks to the nine other positions.
    let says = picture(&[("break", "strict")], "leak").says;
    assert!(says.starts_with("A leak: 9 cells"), "{says}");
    let infinite = run(&[("break", "strict"), ("fill", "-inf")]).unwrap().leak;
    assert_eq!(infinite, Some(f32::INFINITY));
}

#[test]
fn the_board_says_why_each_cell_is_blocked() {
    let Body::Matrix {
        values,
        notes,
        columns,
        ..
    } = picture(&[], "board").body
    else {
        panic!("the board is a matrix");
    };
    // Sentence 0 has 5 of 11 source tokens, and fills 7 of 10 target positions: <s>, 5 words and </s>.
    assert_eq!(values.shape(), [21, 21]);
    assert_eq!(columns.1[11], "<s>");
    for (row, column, note) in [
        (0, 4, ""),
        (0, 5, "pad"),
        (12, 13, "future"),
        (12, 20, "both"),
        (20, 19, "pad"),
        (15, 7, "pad"),
        (0, 11, "never read"),
    ] {
        assert_eq!(notes[row][column], note, "{row} {column}");
    }
    for (row, notes) in notes.iter().enumerate() {
        for (column, note) in notes.iter().enumerate() {
            assert_eq!(values.at(&[row, column]) == 1.0, note.is_empty());
        }
    }
    let Body::Matrix { notes, .. } = picture(&[("break", "upper")], "board").body else {
        panic!("the board is a matrix");
    };
    assert_eq!(notes[12][13], "open, though it is future");
    assert_eq!(notes[13][12], "blocked, though nothing forbids it");
}

#[test]
fn a_target_mask_over_source_words_stops_or_is_silently_wrong() {
    let stopped = run(&[("break", "cross-target")]);
    let sentence = stopped.err().expect("10 columns do not stretch over 11");
    assert!(
        sentence.contains("the source mask belongs here"),
        "{sentence}"
    );
    let silent = [("example", "tf"), ("break", "cross-target")];
    let row = value(&silent, "weights[1,0,0,:]");
    assert_eq!(row, [1.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_sentence_that_the_batch_lacks_is_refused_with_the_reason() {
    let asked = run(&[("example", "tf"), ("sentence", "3")]);
    let refused = asked.err().expect("there are three");
    assert!(
        refused.starts_with("this batch has 3 sentences"),
        "{refused}"
    );
}

#[test]
fn no_picture_hides_a_step() {
    let run = run(&[]).unwrap();
    for picture in &run.pictures {
        assert!(run.trace.find(picture.name).is_none(), "{}", picture.name);
    }
}

#[test]
fn pads_change_nothing_and_both_forms_of_the_mask_agree_unless_the_fill_is_weak() {
    for name in [
        "scrambled_encoder",
        "pads_in_the_past",
        "apart_open",
        "apart_whole",
        "sunk_low",
    ] {
        assert_eq!(number(&[], name), 0.0, "{name}");
    }
    assert!(number(&[], "apart_whole_weak") > 0.1);
}
