//! What decoding leaves behind.

/// The keys and values of the tokens so far, for one head: a row for each token.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    /// Rows of `d_k` numbers.
    pub keys: Vec<Vec<f32>>,
    /// Rows of `d_v` numbers.
    pub values: Vec<Vec<f32>>,
}
