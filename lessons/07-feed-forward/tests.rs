//! Tests of the numbers in the lesson's text.

use super::*;

#[test]
fn the_activation_functions_are_apart_where_the_text_says() {
    let near = |(gap, at): (f64, f64), expected: (f64, f64)| {
        (gap - expected.0).abs() < 5e-5 && (at - expected.1).abs() < 0.011
    };
    let sigmoid = experiments::apart(Activation::Gelu, Activation::GeluSigmoid);
    assert!(near(sigmoid, (0.0203, 2.27)), "{sigmoid:?}");
    let swish = experiments::apart(Activation::Gelu, Activation::Silu);
    assert!(
        (swish.0 - 0.193).abs() < 5e-4 && (swish.1 - 1.965).abs() < 0.011,
        "{swish:?}"
    );
}

#[test]
fn a_changed_token_moves_its_own_row_alone_and_attention_moves_all() {
    for poked in [0, 4, 9] {
        let [ffn, attention] = experiments::moves(check::TASK.reference, poked, 3);
        for (row, moved) in ffn.iter().enumerate() {
            assert_eq!(*moved > 0.0, row == poked);
        }
        assert!(attention.iter().all(|moved| *moved > 0.0));
    }
}

#[test]
fn the_layer_is_two_convolutions_with_kernel_one() {
    let apart = *experiments::CONVOLUTION;
    assert!(apart < 1e-5, "{apart}");
}
