//! What is kept between two blocks.

/// All that attention keeps of the keys and values that it has read.
#[derive(Clone, Debug)]
pub struct State {
    /// The largest score so far; −∞ before the first.
    pub largest: f32,
    /// Sum of the weights so far, each the exponential of its score minus `largest`.
    pub sum: f32,
    /// Sum of the values so far, each times its weight; empty before the first.
    pub mixed: Vec<f32>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            largest: f32::NEG_INFINITY,
            sum: 0.0,
            mixed: Vec::new(),
        }
    }
}
