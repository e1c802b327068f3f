//! `cargo test --test subsequent_mask` checks your exercises/subsequent_mask.rs.

transformer_tutor::learner! {
    masks::check,
    exercise::subsequent_mask,
    "../../exercises/subsequent_mask.rs" // No such file? `cargo run -- exercise start subsequent_mask` writes it.
}
