//! Understand the Transformer by running it. In reading order:

/// The engine under the lessons, which is a separate package.
pub use tutor_engine::{
    autograd, data, decode, expr, nn, ops, params, reference, tensor, text, train, transformer,
};

/// The commands of the walkthrough and their keys.
pub mod command;
/// The lessons, in teaching order.
#[path = "../lessons/curriculum.rs"]
pub mod curriculum;
/// Lessons, and a learner's session with one.
pub mod lesson;
/// Words, numbers and formulas as plain text.
pub mod typeset;
/// Drawings of tensors, text, formulas and code.
pub mod widgets;

// A learner's file refers to this crate by name, and the same file is compiled inside it as the starter.
extern crate self as transformer_tutor;
/// The lessons as an mdBook.
pub mod book;
/// The command-line interface.
pub mod cli;
/// The walkthrough as text and prompts.
pub mod plain;
/// The full-screen walkthrough.
pub mod tui;
