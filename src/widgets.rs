//! Drawings: tensors, pictures, formulas, code and text, for the terminal, the book and the tests.

pub mod code;
pub mod formula;
pub mod prose;
pub mod sanitize;
pub mod stage;
pub mod theme;
pub mod wrap;
