//! `cargo test --test attention` checks your exercises/attention.rs.

transformer_tutor::learner! {
    attention::check,
    exercise::attention,
    "../../exercises/attention.rs" // No such file? `cargo run -- exercise start attention` writes it.
}
