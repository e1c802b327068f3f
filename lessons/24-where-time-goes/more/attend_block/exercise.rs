//! Write attention block by block. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::curriculum::where_time_goes::attend_block::State;

/// Attention without the full row of scores: keys and values arrive block by block, and are gone after the call. This
/// is how fast attention kernels save memory (Milakov and Gimelshein 2018; Dao et al. 2022).
///
/// - `query [d_k]`; `keys`, rows of `[d_k]`, and `values`, rows of `[d_v]`: the next block; it may be empty
/// - `state`: everything that is kept from block to block
/// - the result `[d_v]`: the context of all blocks so far, as scaled dot-product attention has it, for scores of any
///   size; an empty `Vec` before the first key
///
/// After every call the fields of `state` describe all blocks so far:
///
/// - `largest: f32`: the largest score; −∞ before the first block
/// - `sum: f32`: the sum of the weights, each the exponential of its score minus `largest`
/// - `mixed [d_v]`: the sum of the values, each times its weight; an empty `Vec` before the first block
///
/// An example, d_k 1: query `[1]`, keys `[0]` and then `[1]`, values `[2]` and `[4]` leave `largest` 1, `sum` 1.368 and
/// `mixed` `[4.736]`; the context is `[3.462]`.
///
/// # Guidance
///
/// Everything in `state` is measured against `largest`. What has to happen to it when a larger score arrives?
///
/// What you can use: `x.exp()`, `x.sqrt()`, `f32::max`, `vec.resize(length, 0.0)`, and the iterators.
pub fn attend_block(
    state: &mut State,
    query: &[f32],
    keys: &[Vec<f32>],
    values: &[Vec<f32>],
) -> Vec<f32> {
    let _ = (state, query, keys, values);
    todo!("write attend_block")
}
