//! Words, numbers and formulas as plain text: what both the lessons and the drawings write.

pub mod ascii;
pub mod formula;
pub mod number;
pub mod replace;
pub mod sanitize;
pub mod shorten;
