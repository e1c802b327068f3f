//! `cargo test --test bleu` checks your exercises/bleu.rs.

transformer_tutor::learner! {
    measuring::check,
    exercise::bleu,
    "../../exercises/bleu.rs" // No such file? `cargo run -- exercise start bleu` writes it.
}
