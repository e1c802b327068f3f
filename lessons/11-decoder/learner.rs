//! `cargo test --test decoder_layer` checks your exercises/decoder_layer.rs.

transformer_tutor::learner! {
    decoder::check,
    exercise::decoder_layer,
    "../../exercises/decoder_layer.rs" // No such file? `cargo run -- exercise start decoder_layer` writes it.
}
