//! `cargo test --test attention_cost` checks your exercises/attention_cost.rs.

transformer_tutor::learner! {
    where_time_goes::check,
    exercise::attention_cost,
    "../../exercises/attention_cost.rs" // No such file? `cargo run -- exercise start attention_cost` writes it.
}
