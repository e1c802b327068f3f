pub mod code;
pub mod formula;
pub mod prose;
pub mod sanitize;
pub mod wrap;
