//! `cargo test --test tiny_tape` checks your exercises/tiny_tape.rs.

transformer_tutor::learner! {
    gradients::tiny_tape,
    exercise::tiny_tape,
    "../../../../exercises/tiny_tape.rs" // No such file? `cargo run -- exercise start tiny_tape` writes it.
}
