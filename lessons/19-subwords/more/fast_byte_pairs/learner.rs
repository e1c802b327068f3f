//! `cargo test --test fast_byte_pairs` checks your exercises/fast_byte_pairs.rs.

transformer_tutor::learner! {
    subwords::fast_byte_pairs,
    exercise::fast_byte_pairs,
    "../../../../exercises/fast_byte_pairs.rs" // No such file? `cargo run -- exercise start fast_byte_pairs` writes it.
}
