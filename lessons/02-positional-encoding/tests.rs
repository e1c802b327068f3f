//! Tests of the numbers in the lesson's text.

use super::*;
use crate::testing::{assert_contains, assert_starts_with};

/// Result of the stage, or its error.
fn run(turned: &[(&str, &str)]) -> Result<Run, String> {
    crate::lesson::session::run_stage(LESSON.stage().as_ref(), &LESSON.settings(turned).unwrap())
}

#[test]
fn the_picture_says_so_where_products_do_not_depend_on_the_distance_alone() {
    let products = |table: &Tensor| crate::tensor::matmul::matmul_t(table, table);
    assert!(experiments::frayed(&products(&positional_encoding(40, 512))) < 0.001);
    assert!(
        experiments::frayed(&products(&(check::TASK.with(Some("own-frequency")))(
            40, 512
        ))) > 1.0
    );
    let run = run(&[("break", "own-frequency")]).unwrap();
    let gram = run.pictures.iter().find(|p| p.name == "gram").unwrap();
    assert_starts_with(&gram.says, "Not constant along the diagonals");
    // The picture draws the error, which would be too small to see beside the products.
    let crate::lesson::Body::Matrix { values, .. } = &gram.body else {
        panic!("it is a matrix");
    };
    let largest = values
        .data()
        .iter()
        .fold(0.0_f32, |most, x| most.max(x.abs()));
    assert!((0.5..3.0).contains(&largest), "{largest}");
}

#[test]
fn one_rotation_serves_every_position() {
    assert!(experiments::rotation_error(&positional_encoding(300, 512), 7) < 1e-6);
    // A table whose columns are not rotating pairs has no such rotation.
    assert!(
        experiments::rotation_error(&(check::TASK.with(Some("own-frequency")))(300, 512), 7) > 0.1
    );
}

#[test]
fn an_odd_width_is_refused_with_the_reason_and_with_a_mistake_on_too() {
    let broken = run(&[("d_model", "1"), ("break", "small-base")]);
    let sound = run(&[("d_model", "127")]);
    for (refused, reason) in [
        (broken, "must be even"),
        (sound, "64 cosines do not fit into 63 columns"),
    ] {
        assert_contains(&refused.err().unwrap(), reason);
    }
}

#[test]
fn in_the_trained_encoders_layer_0_head_0_attends_to_the_next_token_and_no_other_head_does() {
    let run = LESSON.settings(&[("scene", "sentence")]).unwrap();
    let run = LESSON.stage().run(&run).unwrap();
    let name = "encoder.layers.0.self_attn.weights";
    let weights = run.trace.tensor(name).unwrap();
    let &[_, heads, length, _] = weights.shape() else {
        panic!("{:?}", weights.shape());
    };
    let rows: Vec<&[f32]> = weights.data().chunks(length).collect();
    let looks_ahead = |head: usize| {
        let rows = rows[head * length..].iter().take(length - 1);
        rows.enumerate()
            .filter(|(token, row)| crate::lesson::largest(row) == token + 1)
            .count()
    };
    let ahead: Vec<usize> = (0..heads).map(looks_ahead).collect();
    assert!(ahead[0] >= 5, "{ahead:?}");
    assert!(ahead[1..].iter().all(|tokens| *tokens <= 2), "{ahead:?}");
}

#[test]
fn moving_a_sentence_to_later_positions_harms_its_translation_although_all_distances_stay() {
    let at = |by| moved::MOVED.iter().find(|m| m.by == by).unwrap();
    assert!(at(0).loss < 0.2, "{}", at(0).loss);
    assert!(at(50).loss > 3.0 * at(0).loss, "{}", at(50).loss);
    assert_eq!(
        at(100).translation,
        "There's small dog sleeping in the garden."
    );
    assert_ne!(at(50).translation, at(0).translation);
}
