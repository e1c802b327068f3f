//! `cargo test --test rms_norm` checks your exercises/rms_norm.rs.

transformer_tutor::learner! {
    graduation::check,
    exercise::rms_norm,
    "../../exercises/rms_norm.rs" // No such file? `cargo run -- exercise start rms_norm` writes it.
}
