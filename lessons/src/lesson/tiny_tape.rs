//! The interface of the exercise `tiny_tape`.

/// Signature of the exercise: returns an empty tape.
pub type TapeFn = fn() -> Box<dyn Record>;

/// A tape of numbers. Each recorded number has a place, counted from 0.
pub trait Record {
    /// Records a number that was not computed, and returns its place.
    fn input(&mut self, value: f64) -> usize;
    /// Records the sum of the numbers at two places.
    fn add(&mut self, a: usize, b: usize) -> usize;
    /// Records the product of the numbers at two places.
    fn mul(&mut self, a: usize, b: usize) -> usize;
    /// The number at a place.
    fn value(&self, place: usize) -> f64;
    /// Derivatives of the number at `of` with respect to every recorded number.
    fn gradients(&self, of: usize) -> Vec<f64>;
}
