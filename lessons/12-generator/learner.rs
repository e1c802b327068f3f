//! `cargo test --test next_words` checks your exercises/next_words.rs.

transformer_tutor::learner! {
    generator::check,
    exercise::next_words,
    "../../exercises/next_words.rs" // No such file? `cargo run -- exercise start next_words` writes it.
}
