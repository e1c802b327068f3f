//# The limit depends only on fan_in, as in He initialisation.
//= fan-in-alone
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / fan_in as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# The limit is the standard deviation of the normal variant, with 2 instead of 6.
//= deviation
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (2.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# The root is forgotten.
//= no-root
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = 6.0 / (fan_in + fan_out) as f32;
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# The root covers only the 6.
//= classic-1
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = 6.0_f32.sqrt() / (fan_in + fan_out) as f32;
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# The matrix has the shape [fan_in, fan_out].
//= transposed
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_in, fan_out], |_| (2.0 * uniform() - 1.0) * limit)
}
//# The random numbers are not centred on 0, so all weights are positive.
//= positive
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| uniform() * limit)
}
//# The random numbers are centred but not doubled, so they reach only half of the limit.
//= half-the-range
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (uniform() - 0.5) * limit)
}
//# 6 is divided as an integer, so the remainder is lost.
//= classic-2
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = ((6 / (fan_in + fan_out)) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# It is PyTorch's default for a linear layer, 1 over the root of fan_in.
//= classic-0
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = 1.0 / (fan_in as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# It averages fan_in and fan_out but keeps the 6: the denominator is halved.
//= classic-3
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / ((fan_in + fan_out) as f32 / 2.0)).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# It is 3 over the sum of the fans; the 3 belongs to their mean.
//= classic-4
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (3.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# The denominator is the product of the fans instead of their sum.
//= classic-5
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in * fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# One random number is drawn and used for all cells.
//= one-number
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    let number = 2.0 * uniform() - 1.0;
    Tensor::full(&[fan_out, fan_in], number * limit)
}
//# The numbers are drawn column by column.
//= classic-6
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    let mut cells = vec![0.0; fan_out * fan_in];
    for column in 0..fan_in {
        for row in 0..fan_out {
            cells[row * fan_in + column] = (2.0 * uniform() - 1.0) * limit;
        }
    }
    Tensor::new(&[fan_out, fan_in], cells)
}
//# The sign is drawn separately, so each cell takes two random numbers.
//=
use transformer_tutor::tensor::Tensor;
pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| {
        let sign = if uniform() < 0.5 { -1.0 } else { 1.0 };
        sign * uniform() * limit
    })
}
//# Centres the random number but does not double it, so the cells fill only half of the range.
//= half-the-range
use transformer_tutor::tensor::Tensor;

pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (uniform() - 0.5) * limit)
}
//# Uses the limit of He (Kaiming) initialisation, which divides only by fan_in.
//= fan-in-alone
use transformer_tutor::tensor::Tensor;

pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / fan_in as f32).sqrt();
    Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * limit)
}
//# Lays out the matrix as [fan_in, fan_out], as TensorFlow stores weights.
//= transposed
use transformer_tutor::tensor::Tensor;

pub fn xavier_uniform(fan_in: usize, fan_out: usize, uniform: &mut dyn FnMut() -> f32) -> Tensor {
    let limit = (6.0 / (fan_in + fan_out) as f32).sqrt();
    Tensor::from_fn(&[fan_in, fan_out], |_| (2.0 * uniform() - 1.0) * limit)
}
