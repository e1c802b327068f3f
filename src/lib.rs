//! Understand the Transformer by running it. In reading order:

pub use tutor_course::{learner, reference};
/// The engine, the course and its drawings, which are separate packages.
pub use tutor_views::{
    autograd, command, curriculum, data, decode, expr, lesson, nn, ops, params, tensor, testing,
    text, train, transformer, typeset, widgets,
};

/// The lessons as an mdBook.
pub mod book;
/// The command-line interface.
pub mod cli;
/// The walkthrough as text and prompts.
pub mod plain;
/// The full-screen walkthrough.
pub mod tui;
