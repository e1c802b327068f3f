//! The reader's own small translator, with the parts that the course has built so far. Each further part is a rung, and
//! every rung trains in the same way.

mod built;

pub use built::{Built, Fault, Rung};
