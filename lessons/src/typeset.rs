//! Text, numbers and formulas as plain text, for both lessons and drawings.

pub mod ascii;
pub mod formula;
pub mod number;
pub mod sanitize;
pub mod shell;
pub mod shorten;
