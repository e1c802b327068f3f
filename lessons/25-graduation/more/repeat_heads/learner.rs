//! `cargo test --test repeat_heads` checks your exercises/repeat_heads.rs.

transformer_tutor::learner! {
    graduation::repeat_heads,
    exercise::repeat_heads,
    "../../../../exercises/repeat_heads.rs" // No such file? `cargo run -- exercise start repeat_heads` writes it.
}
