//! The cache of a decoder.

/// Keys and values of the tokens so far, for one head: one row per token.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    /// Rows of `d_k` numbers.
    pub keys: Vec<Vec<f32>>,
    /// Rows of `d_v` numbers.
    pub values: Vec<Vec<f32>>,
}
