//! Learning: the loss and the optimizer.

pub mod adam;
pub mod average;
pub mod built_in;
pub mod checkpoint;
pub mod config;
pub mod foreign;
pub mod limits;
pub mod loss;
pub mod marian_folder;
pub mod model_folder;
pub mod newest;
pub mod run_folder;
pub mod schedule;
pub mod step;
pub mod trainer;
pub mod training_step;
pub mod translator;
