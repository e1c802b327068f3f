//! The learner's own model: every function that was written as an exercise in its place, and the references in the places
//! of the others.
//!
//! [`Parts`] holds one function for each exercise that a model, a training run or a search needs. The layers ask their
//! tape for them ([`crate::autograd::Component`]), so an inner function is the learner's even where the one around it is
//! the reference. The learner's functions run in a process of their own: `lessons/13-model/mine.rs` puts those that exist
//! into a [`Mine`] and hands it to [`main`], which does what an [`Order`] says and leaves an [`Answer`].

mod map;
mod milestones;
mod order;
mod parts;
mod process;
mod status;
mod training;
mod translating;
mod workshop;

pub use map::{ROLES, Role, card, checked, map, map_within};
pub use milestones::{
    CLOSE, MILESTONES, Milestone, Reached, after_check, after_training, after_translation, ceremony,
};
pub use order::{Answer, Line, Order, Said, Trained, Translated};
pub use parts::{Mine, Parts};
pub use process::{ORDER, main};
pub use status::{Placed, State, Status, statuses};
pub use training::{SEED, STEPS, Training};
pub use translating::Reader;
pub use workshop::{Done, Halted, Workshop};
