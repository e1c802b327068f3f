//! Understand the Transformer by running it. In reading order:

/// Reverse-mode differentiation and the recorded run.
pub mod autograd;
/// The lessons, in teaching order.
#[path = "../lessons/curriculum.rs"]
pub mod curriculum;
/// Files of numbers.
pub mod data;
/// From a trained model to sentences.
pub mod decode;
/// The small language of explanations and claims.
pub mod expr;
/// What a lesson is, and a learner's session at one.
pub mod lesson;
/// The layers.
pub mod nn;
/// The operations, one file each.
pub mod ops;
/// Parameters: one flat, named list.
pub mod params;
/// The shared array of f32 and the one door to the BLAS.
pub mod tensor;
/// From words to ids.
pub mod text;
/// The loss and the optimizer.
pub mod train;
/// The whole model.
pub mod transformer;
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
