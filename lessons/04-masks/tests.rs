//! Tests of the numbers in the lesson's text, on live runs.

use super::*;
use crate::lesson::claim::RunEnv;
use crate::lesson::{Body, Picture};
use crate::testing::{assert_contains, assert_starts_with};

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
fn sorting_by_length_saves_most_of_the_padding() {
    for mix in ["natural", "skewed"] {
        let arrival = number(&[("mix", mix)], "pad_share_all");
        let sorted = number(&[("mix", mix), ("batching", "by-length")], "pad_share_all");
        assert!(sorted < arrival / 4.0, "{mix}: {arrival} to {sorted}");
    }
}

#[test]
fn only_row_0_is_blocked_whole_and_leaks_to_the_nine_other_positions() {
    assert_starts_with(
        &picture(&[("break", "strict")], "leak").says,
        "A leak: 9 cells",
    );
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
    assert_contains(&sentence, "the source mask belongs here");
    let silent = [("example", "tf"), ("break", "cross-target")];
    let row = value(&silent, "weights[1,0,0,:]");
    assert_eq!(row, [1.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_sentence_that_the_batch_lacks_is_refused_with_the_reason() {
    let asked = run(&[("example", "tf"), ("sentence", "3")]);
    assert_starts_with(
        &asked.err().expect("there are three"),
        "this batch has 3 sentences",
    );
}

#[test]
fn no_picture_hides_a_step() {
    let run = run(&[]).unwrap();
    for picture in &run.pictures {
        assert!(run.trace.find(picture.name).is_none(), "{}", picture.name);
    }
}
