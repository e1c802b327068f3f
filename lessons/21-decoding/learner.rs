//! `cargo test --test beam_step` checks your exercises/beam_step.rs.

transformer_tutor::learner! {
    decoding::check,
    exercise::beam_step,
    "../../exercises/beam_step.rs" // No such file? `cargo run -- exercise start beam_step` writes it.
}
