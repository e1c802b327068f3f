//! `cargo test --test alignment` checks your exercises/alignment.rs.

transformer_tutor::learner! {
    looking_inside::check,
    exercise::alignment,
    "../../exercises/alignment.rs" // No such file? `cargo run -- exercise start alignment` writes it.
}
