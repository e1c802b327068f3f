//! Drawings: tensors, pictures, formulas, code and text, for the terminal, the book and the tests.

pub mod audit;
pub mod bars;
pub mod card;
pub mod code;
pub mod curves;
pub mod diagram;
pub mod heatmap;
pub mod html;
pub mod lines;
pub mod map;
pub mod mini_map;
pub mod motion;
pub mod painter;
pub mod plane;
pub mod prose;
pub mod room;
pub mod scene;
pub mod stage;
pub mod svg;
pub mod table;
pub mod theme;
pub mod wrap;
