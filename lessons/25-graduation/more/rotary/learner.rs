//! `cargo test --test rotary` checks your exercises/rotary.rs.

transformer_tutor::learner! {
    graduation::rotary,
    exercise::rotary,
    "../../../../exercises/rotary.rs" // No such file? `cargo run -- exercise start rotary` writes it.
}
