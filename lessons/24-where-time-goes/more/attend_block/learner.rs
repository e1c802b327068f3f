//! `cargo test --test attend_block` checks your exercises/attend_block.rs.

transformer_tutor::learner! {
    where_time_goes::attend_block,
    exercise::attend_block,
    "../../../../exercises/attend_block.rs" // No such file? `cargo run -- exercise start attend_block` writes it.
}
