//! Understand the Transformer by running it. In reading order:

/// The floors below the lessons, a package of their own.
pub use tutor_engine::{
    autograd, data, decode, expr, nn, ops, params, reference, tensor, text, train, transformer,
};

/// The lessons, in teaching order.
#[path = "../lessons/curriculum.rs"]
pub mod curriculum;
/// What a lesson is, and a learner's session at one.
pub mod lesson;
/// Words, numbers and formulas as plain text.
pub mod typeset;
/// Drawings of tensors, text, formulas and code.
pub mod widgets;

// A learner's file names this crate from outside; the same file is compiled inside it as the starter.
extern crate self as transformer_tutor;
/// The lessons as an mdBook.
pub mod book;
/// The commands.
pub mod cli;
/// The walkthrough as text and prompts.
pub mod plain;
/// The walkthrough on the screen.
pub mod tui;
