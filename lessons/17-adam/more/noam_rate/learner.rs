//! `cargo test --test noam_rate` checks your exercises/noam_rate.rs.

transformer_tutor::learner! {
    adam::noam_rate,
    exercise::noam_rate,
    "../../../../exercises/noam_rate.rs" // No such file? `cargo run -- exercise start noam_rate` writes it.
}
