//! The learner's own model: the functions that they have written as exercises, with the reference in place of each one
//! still missing.
//!
//! [`Parts`] holds one function per exercise that a model, a training run or a search needs. The layers get these from
//! their tape ([`crate::autograd::Component`]), so the learner's inner function runs even inside a reference function.
//! The learner's functions run in their own process: `lessons/13-model/mine.rs` collects those that exist in a [`Mine`]
//! and hands it to [`main`], which carries out an [`Order`] and leaves an [`Answer`].

pub mod capstone;
mod eject;
mod in_step;
mod map;
mod milestones;
mod order;
mod pace;
mod parts;
mod process;
mod report;
mod roles;
mod status;
mod training;
mod translating;
mod workshop;
mod xor;

pub use eject::Crate;
pub use in_step::beside_reference;
pub use map::{card, checked, map, map_within};
pub use milestones::{
    CLOSE, MILESTONES, Milestone, ReachedMilestone, after_capstone, after_check, after_training,
    after_translation, ceremony, makes_possible,
};
pub use order::{Answer, Figure, Line, LossDifference, Order, Trained, Translated, Translation};
pub use parts::{Mine, Parts};
pub use process::main;
pub use roles::{ROLES, Role, training, translating};
pub use status::{NumberedExercise, State, Status, statuses};
pub use training::{SEED, STEPS, TrainingRun};
pub use translating::Reader;
pub use workshop::{Done, Halted, Workshop};
