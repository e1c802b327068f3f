//! The reader's own small translator, with the parts that the course has built so far. Each further part is a rung, and
//! every rung trains in the same way.

mod built;
mod outcome;
mod pictures;
mod record;
mod rung;
mod scene;

pub use built::Built;
pub use pictures::ladder;
pub use record::fact;
pub use rung::{Fault, Rung};
pub use scene::{built, knob, run};
