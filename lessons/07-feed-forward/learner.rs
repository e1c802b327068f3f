//! `cargo test --test feed_forward` checks your exercises/feed_forward.rs.

transformer_tutor::learner! {
    feed_forward::check,
    exercise::feed_forward,
    "../../exercises/feed_forward.rs" // No such file? `cargo run -- exercise start feed_forward` writes it.
}
