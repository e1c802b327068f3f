//! What a training loop is given, and what it returns.

/// A model with its data and its optimizer.
pub trait Training {
    /// The batches of an epoch, from 1, in the order of that epoch.
    fn batches(&self, epoch: usize) -> Vec<usize>;
    /// One training step; its loss.
    fn step(&mut self, batch: usize) -> f64;
    /// The validation loss of the weights as they are now.
    fn validate(&self) -> f64;
    /// A copy of the weights as they are now.
    fn weights(&self) -> Vec<f32>;
}

/// What a training leaves.
pub struct Trained {
    /// The best weights.
    pub weights: Vec<f32>,
    /// Their validation loss.
    pub loss: f64,
    /// After which epoch they were measured; 0 before the first.
    pub epoch: usize,
    /// The mean training loss of each epoch that ran.
    pub losses: Vec<f64>,
}
