//! `cargo test --test multi_head_attention` checks your exercises/multi_head_attention.rs.

transformer_tutor::learner! {
    multi_head::check,
    exercise::multi_head_attention,
    "../../exercises/multi_head_attention.rs" // No such file? `cargo run -- exercise start multi_head_attention` writes it.
}
