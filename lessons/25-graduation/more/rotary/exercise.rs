//! Write rotary positions. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

/// Rotary positions (Su et al. 2021): rotates queries or keys by angles that grow with their positions.
///
/// Channels 0 and 1 of a row are a point in the plane, and so are 2 and 3, and every further pair. All are rotated
/// anticlockwise by an angle in radians: the position for the first pair, and a slower one for each further pair. The
/// slowness is that of the sinusoidal positions: from pair to pair the angle is divided by the same number, and one
/// pair after the last it would be divided by 10,000.
///
/// - `x [batch, heads, length, d_k]`; `d_k` is even
/// - row `t` along the length has position `first + t`
/// - the result has the same shape, and gradients pass through it
///
/// An example: one row `[1, 0]` at position 1 becomes `[0.540, 0.841]`.
///
/// # Guidance
///
/// Channels `2i` and `2i + 1` are a point `(a, b)`. At position `p` it is rotated by the angle `θ = p / 10000^(2i /
/// d_k)` and becomes `(a cos θ − b sin θ, b cos θ + a sin θ)`.
///
/// What you can use:
///
/// - `Tensor::from_fn(&[rows, columns], |i| …)`, which asks for each cell by its index, `[i[0], i[1]]`
/// - `x.tape().constant(name, tensor, axes) -> Var`, with axes like `&["t", "k"]`
/// - `a.mul(&b)`, `a.add(&b)` and `a.sub(&b)`, cell by cell; a `[length, d_k]` applies to every sentence and head
/// - `x.matmul_t(&m) -> Var`: every row multiplied by the matrix `m [out, in]`, as in a linear layer
/// - `x.shape() -> Vec<usize>`; angles are best computed in `f64`
pub fn rotary(x: &Var, first: usize) -> Var {
    let _ = (x, first, Tensor::from_fn(&[1], |_| 0.0));
    todo!("write rotary")
}
