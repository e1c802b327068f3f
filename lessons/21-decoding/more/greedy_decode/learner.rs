//! `cargo test --test greedy_decode` checks your exercises/greedy_decode.rs.

transformer_tutor::learner! {
    decoding::greedy_decode,
    exercise::greedy_decode,
    "../../../../exercises/greedy_decode.rs" // No such file? `cargo run -- exercise start greedy_decode` writes it.
}
