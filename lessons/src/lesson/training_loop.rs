//! The interface of the exercise `training_loop`: what a loop is given, and what it returns.

/// Signature of the exercise: trains for at most so many epochs, and gives up after so many without improvement.
pub type LoopFn = fn(&mut dyn Training, usize, usize) -> Trained;

/// A model with its data and its optimizer.
pub trait Training {
    /// Batches of an epoch, which counts from 1, in the order of that epoch.
    fn batches(&self, epoch: usize) -> Vec<usize>;
    /// Runs one training step and returns its loss.
    fn step(&mut self, batch: usize) -> f64;
    /// Validation loss of the current weights.
    fn validate(&self) -> f64;
    /// A copy of the current weights.
    fn weights(&self) -> Vec<f32>;
}

/// Result of a training.
pub struct Trained {
    /// The best weights.
    pub weights: Vec<f32>,
    /// Validation loss of the best weights.
    pub loss: f64,
    /// Epoch after which they were measured; 0 before the first.
    pub epoch: usize,
    /// Mean training loss of each epoch that ran.
    pub losses: Vec<f64>,
}
