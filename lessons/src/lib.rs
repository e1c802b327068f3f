//! The course of [transformer-tutor](https://crates.io/crates/transformer-tutor): its lessons, and what a learner does
//! with them. In reading order:

/// The engine under the lessons, which is a separate package.
pub use tutor_engine::{
    autograd, data, decode, expr, nn, ops, params, reference, tensor, testing, text, train,
    transformer,
};

/// Time.
pub mod clock;
/// The lessons, in teaching order.
pub mod curriculum;
/// Lessons, and a learner's session with one.
pub mod lesson;
/// Words, numbers and formulas as plain text.
pub mod typeset;

// A learner's file refers to the program by name, and the same file is compiled inside this package as the starter.
extern crate self as transformer_tutor;
