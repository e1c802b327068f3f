//! `cargo test --test training_step` checks your exercises/training_step.rs.

transformer_tutor::learner! {
    training::training_step,
    exercise::training_step,
    "../../../../exercises/training_step.rs" // No such file? `cargo run -- exercise start training_step` writes it.
}
