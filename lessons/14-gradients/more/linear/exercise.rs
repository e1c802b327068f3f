//! Write a linear layer with its gradient. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::tensor::Tensor;

/// A linear layer, and the gradients of a loss with respect to all its inputs. Every output is a weighted sum of the
/// inputs plus the output's bias.
///
/// - `x [n, in]`: one row per position
/// - `weight [out, in]`: one row of weights per output, as PyTorch stores it
/// - `bias [out]`
/// - `dy [n, out]`: the gradient of the loss with respect to `y`
/// - the result: `y [n, out]`, then the gradients `[dx, dweight, dbias]`, each with the shape of its tensor
///
/// What each gradient depends on, and what becomes of the rows, is for you to decide. In five runs, each with one mistake,
/// these things were seen, and none of them in the right run:
///
/// - Every row of `x` and `dy` came twice, and `dweight` and `dbias` stayed the same.
/// - `dy` was doubled, and all gradients stayed the same.
/// - Only the last row of `dy` changed, and `dbias` stayed the same.
/// - `dweight` changed with `weight`. In another run, `dx` changed with `x`.
///
/// An example: x `[[2, 3]]`, W `[[10, 1]]`, b `[0.5]` and dy `[[2]]` give y `[[23.5]]`, dx `[[20, 2]]`, dW `[[4, 6]]`
/// and db `[2]`.
///
/// # Guidance
///
/// Which cells of `y` does one weight enter, and with which factor? If a weight moves two cells of `y`, how far does it
/// move the loss?
///
/// What you can use:
///
/// - `a.at(&[i, j]) -> f32`, and `a.shape() -> &[usize]`
/// - `Tensor::from_fn(&[rows, columns], |i| …)`, which asks for each cell by its index, `[i[0], i[1]]`
/// - `a.data() -> &[f32]`, all cells row by row, and `chunks(n)` of them, which gives the rows
/// - iterators: `(0..n).map(|i| …).sum::<f32>()`
///
/// Every layer of `mine train` will call your function. Code that goes through `data()` row by row runs about ten times
/// as fast as code that asks for each cell with `at`.
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let _ = (x, weight, bias, dy);
    todo!("write linear")
}
