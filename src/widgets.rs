//! Drawings: tensors, pictures, formulas, code and text, for the terminal, the book and the tests.

pub mod bars;
pub mod curves;
pub mod heatmap;
pub mod lines;
pub mod number;
pub mod stage;
pub mod svg;
pub mod table;
pub mod theme;
