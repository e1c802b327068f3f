//! `cargo test --test copy_batch` checks your exercises/copy_batch.rs.

transformer_tutor::learner! {
    copy_task::check,
    exercise::copy_batch,
    "../../exercises/copy_batch.rs" // No such file? `cargo run -- exercise start copy_batch` writes it.
}
