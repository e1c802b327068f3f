//! `cargo test --test encoder_layer` checks your exercises/encoder_layer.rs.

transformer_tutor::learner! {
    encoder::check,
    exercise::encoder_layer,
    "../../exercises/encoder_layer.rs" // No such file? `cargo run -- exercise start encoder_layer` writes it.
}
