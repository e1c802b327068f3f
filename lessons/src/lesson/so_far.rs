//! The reader's own small translator, with the parts that the course has built so far. Each further part is a rung, and
//! every rung trains in the same way.

mod built;
mod outcome;
mod pictures;
mod record;
mod scene;

pub use built::{Built, Fault, Rung};
pub use pictures::ladder;
pub use record::fact;
pub use scene::{built, knob, run};
