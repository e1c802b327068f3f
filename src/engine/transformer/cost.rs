//! The cost of matrix products, from their shapes: operations, and bytes moved between processor and memory.

use std::iter::Sum;
use std::ops::Add;

/// The minimum cost of a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Multiplications and additions of floating-point numbers.
    pub flops: u64,
    /// Bytes of f32 read and written, counting each number once.
    pub bytes: u64,
}

impl Cost {
    /// Operations per byte: the arithmetic intensity.
    pub fn intensity(self) -> f64 {
        self.flops as f64 / self.bytes as f64
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            flops: self.flops + other.flops,
            bytes: self.bytes + other.bytes,
        }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

crate::reference! { "attention_cost";
// ANCHOR: forward
/// The cost of an attention layer's six products: W_Q, W_K, W_V, scores, context, W_O.
///
/// `batch` sentences of `target` queries and `source` keys, without biases, mask, scale, softmax.
pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let map = |words| product(1, batch * words, d_model, d_model); // one weight for all rows
    let d_k = d_model / heads;
    let scores = product(batch * heads, target, d_k, source);
    let context = product(batch * heads, target, source, d_k);
    map(target) + map(source) + map(source) + scores + context + map(target)
}

/// The cost of `times` products `[rows, inner] · [inner, columns]`: one multiplication and addition
/// for each pair of numbers; both factors are read and the result is written.
pub fn product(times: usize, rows: usize, inner: usize, columns: usize) -> Cost {
    let numbers = rows * inner + inner * columns + rows * columns;
    Cost {
        flops: (2 * times * rows * inner * columns) as u64,
        bytes: (4 * times * numbers) as u64,
    }
}
// ANCHOR_END: forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::nn::linear::Bias;
    use crate::nn::multi_head_attention::MultiHeadAttention;
    use crate::params::Params;
    use crate::tensor::Tensor;

    #[test]
    fn the_count_is_that_of_the_recorded_layer() {
        for (batch, target, source, d_model, heads) in [(3, 5, 7, 12, 3), (1, 1, 9, 8, 4)] {
            let mut params = Params::new(1);
            let maps = MultiHeadAttention::new(&mut params, heads, d_model, Bias::None, 0.0);
            let tape = Tape::eval(&params);
            let input =
                |name, n| tape.input(name, Tensor::ones(&[batch, n, d_model]), &["b", "t", "d"]);
            let (x, memory) = (input("x", target), input("memory", source));
            maps.forward(&x, &memory, &memory, None);
            let trace = tape.trace();
            let products = trace.steps().iter().filter_map(|step| {
                let op = step
                    .computed()
                    .filter(|op| op.name().starts_with("matmul"))?;
                let inputs: Vec<Tensor> = step
                    .inputs()
                    .iter()
                    .map(|&i| trace.steps()[i].value.clone())
                    .collect();
                let numbers: usize =
                    inputs.iter().map(Tensor::len).sum::<usize>() + step.value.len();
                Some(Cost {
                    flops: op.flops(&inputs, &step.value),
                    bytes: 4 * numbers as u64,
                })
            });
            let counted: Cost = products.sum();
            assert_eq!(
                attention_cost(batch, target, source, d_model, heads),
                counted
            );
        }
    }
}
