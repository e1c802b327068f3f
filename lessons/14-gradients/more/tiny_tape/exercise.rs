//! Write a tiny tape. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::curriculum::gradients::tiny_tape::Record;

/// A new tape that records numbers, sums and products, and computes gradients by backpropagation.
///
/// Write your own struct, implement `Record` for it, and return an empty one in a box. `Record` asks for:
///
/// - `fn input(&mut self, value: f64) -> usize`: records a number that was not computed, and returns its place, from 0
/// - `fn add(&mut self, a: usize, b: usize) -> usize` and `fn mul(&mut self, a: usize, b: usize) -> usize`: record the
///   sum and the product of the numbers at the places `a` and `b`, which may be the same, and return the new place
/// - `fn value(&self, place: usize) -> f64`: the number at a place
/// - `fn gradients(&self, of: usize) -> Vec<f64>`: for every recorded place, the derivative of the number at `of` with
///   respect to the number there; 0 if it does not depend on it. It may be called several times, for any place.
///
/// Part two of the check records long chains, such as 60 doublings `y = x + x` and the sum of 131,072 numbers. Their
/// gradients must be right to 12 digits and there within seconds.
///
/// An example: with x = 3 at place 0, x · x at place 1 and x · x + x at place 2, `gradients(2)` is `[7, 1, 1]`.
///
/// # Guidance
///
/// Three steps, and the check says after each save which of them are right: the places that `input`, `add` and `mul`
/// return, then the values, then the gradients. Return 0 or `Vec::new()` for what is still missing.
///
/// Walk from `of` back to place 0. When a place is reached, its own gradient is complete, because only later places use
/// it: hand it on to its operands, a sum as it is, a product times the other operand.
pub fn tiny_tape() -> Box<dyn Record> {
    todo!("write tiny_tape")
}
