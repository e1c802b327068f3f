//! Drawings: tensors, pictures, formulas, code and text, for the terminal, the book and the tests.

pub mod stage;
pub mod theme;
