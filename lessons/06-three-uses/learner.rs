//! `cargo test --test three_uses` checks your exercises/three_uses.rs.

transformer_tutor::learner! {
    three_uses::check,
    exercise::three_uses,
    "../../exercises/three_uses.rs" // No such file? `cargo run -- exercise start three_uses` writes it.
}
