//! Drawings: tensors, pictures, formulas, code and text, for the terminal, the book and the tests.

pub mod bars;
pub mod code;
pub mod curves;
pub mod formula;
pub mod heatmap;
pub mod lines;
pub mod map;
pub mod number;
pub mod prose;
pub mod sanitize;
pub mod stage;
pub mod svg;
pub mod table;
pub mod theme;
pub mod wrap;
