//! `cargo test --test attend_next` checks your exercises/attend_next.rs.

transformer_tutor::learner! {
    decoding::attend_next,
    exercise::attend_next,
    "../../../../exercises/attend_next.rs" // No such file? `cargo run -- exercise start attend_next` writes it.
}
