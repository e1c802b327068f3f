//! What a learner of [transformer-tutor](https://crates.io/crates/transformer-tutor) sees, for the terminal, the book and
//! the tests.

/// The course that is drawn, and the engine under it, which are separate packages.
pub use tutor_course::{
    autograd, clock, curriculum, data, decode, expr, lesson, nn, ops, params, tensor, testing,
    text, train, transformer, typeset,
};

/// The commands of the walkthrough and their keys.
pub mod command;
/// The full-screen walkthrough without its terminal.
pub mod screen;
/// Drawings of tensors, text, formulas and code.
pub mod widgets;

/// The source of this package, with which learners' files are compiled elsewhere.
pub static SOURCE: include_dir::Dir<'_> = include_dir::include_dir!("$CARGO_MANIFEST_DIR");
