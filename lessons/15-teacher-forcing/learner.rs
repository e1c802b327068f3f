//! `cargo test --test shift` checks your exercises/shift.rs.

transformer_tutor::learner! {
    teacher_forcing::check,
    exercise::shift,
    "../../exercises/shift.rs" // No such file? `cargo run -- exercise start shift` writes it.
}
