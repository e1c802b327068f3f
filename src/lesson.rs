pub mod page;
pub mod source;
