//! `cargo test --test positional_encoding` checks your exercises/positional_encoding.rs.

transformer_tutor::learner! {
    positional_encoding::check,
    exercise::positional_encoding,
    "../../exercises/positional_encoding.rs" // No such file? `cargo run -- exercise start positional_encoding` writes it.
}
