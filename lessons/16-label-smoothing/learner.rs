//! `cargo test --test smoothed_targets` checks your exercises/smoothed_targets.rs.

transformer_tutor::learner! {
    label_smoothing::check,
    exercise::smoothed_targets,
    "../../exercises/smoothed_targets.rs" // No such file? `cargo run -- exercise start smoothed_targets` writes it.
}
