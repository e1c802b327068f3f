//! `cargo test --test byte_pairs` checks your exercises/byte_pairs.rs.

transformer_tutor::learner! {
    subwords::check,
    exercise::byte_pairs,
    "../../exercises/byte_pairs.rs" // No such file? `cargo run -- exercise start byte_pairs` writes it.
}
