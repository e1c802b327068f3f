//! What a tiny tape can do.

/// A tape of numbers. A place is the number of what was recorded, from 0.
pub trait Record {
    /// Records a number that nothing computed.
    fn input(&mut self, value: f64) -> usize;
    /// Records the sum of two places.
    fn add(&mut self, a: usize, b: usize) -> usize;
    /// Records the product of two places.
    fn mul(&mut self, a: usize, b: usize) -> usize;
    /// The number at a place.
    fn value(&self, place: usize) -> f64;
    /// How the number at `of` changes with each one that is recorded.
    fn gradients(&self, of: usize) -> Vec<f64>;
}
