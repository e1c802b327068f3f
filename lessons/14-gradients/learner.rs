//! `cargo test --test softmax_backward` checks your exercises/softmax_backward.rs.

transformer_tutor::learner! {
    gradients::check,
    exercise::softmax_backward,
    "../../exercises/softmax_backward.rs" // No such file? `cargo run -- exercise start softmax_backward` writes it.
}
