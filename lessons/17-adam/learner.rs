//! `cargo test --test adam_step` checks your exercises/adam_step.rs.

transformer_tutor::learner! {
    adam::check,
    exercise::adam_step,
    "../../exercises/adam_step.rs" // No such file? `cargo run -- exercise start adam_step` writes it.
}
