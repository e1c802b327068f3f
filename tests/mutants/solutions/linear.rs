//# The forward pass multiplies by W instead of its transpose.
//= not-transposed
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[k, i[1]]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The weight is assumed to have the shape [in, out] everywhere.
//= classic-0
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[1];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[k, i[1]]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[i[1], o]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[inputs, outputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[1]]) * x.at(&[r, i[0]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The bias is left out of the forward pass.
//= no-bias
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let _ = bias;
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>()
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The bias is added to every product instead of once to their sum.
//= classic-1
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs).map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]) + bias.at(&[i[1]]));
        sum.sum::<f32>()
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# dx multiplies by the transpose of W instead of W.
//= dx-not-transposed
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[i[1], o]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The gradient of the weight is transposed, [in, out].
//= dweight-transposed
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[inputs, outputs], |i| {
        (0..n)
            .map(|r| x.at(&[r, i[0]]) * dy.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The gradient of the bias is averaged over the rows instead of summed.
//= dbias-mean mean-over-rows
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>() / n as f32
    });
    (y, [dx, dweight, dbias])
}
//# The gradient of the weight is averaged over the rows instead of summed.
//= classic-5
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
            / n as f32
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The gradient of the bias is dy itself; it is not summed over the rows.
//= classic-2
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = dy.clone();
    (y, [dx, dweight, dbias])
}
//# The gradient of the bias is summed over the outputs instead of the rows.
//= classic-3
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[n], |i| {
        (0..outputs).map(|o| dy.at(&[i[0], o])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The gradient of the weight is the product of two sums over the rows instead of the sum of the products.
//=
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        let up = (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>();
        let input = (0..n).map(|r| x.at(&[r, i[1]])).sum::<f32>();
        up * input
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# dy is ignored in dx, which becomes the gradient of the sum of y instead of the loss.
//= no-upstream
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs).map(|o| weight.at(&[o, i[1]])).sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# dy is ignored in the gradient of the weight, which becomes the sum of x.
//= no-upstream
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n).map(|r| x.at(&[r, i[1]])).sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The gradient of the bias is 1 for each output, without dy.
//= no-upstream
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::ones(&[outputs]);
    (y, [dx, dweight, dbias])
}
//# The gradient of the weight is taken from the first row only.
//=
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| dy.at(&[0, i[0]]) * x.at(&[0, i[1]]));
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The layer's result y is used instead of dy in the gradients of x and weight.
//=
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| y.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| y.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}
//# The gradients of x and of the weight are returned in the wrong order.
//= classic-4
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dweight, dx, dbias])
}
//# The gradients are negated, as if they were a step downhill.
//= classic-6
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx.map(|g| -g), dweight.map(|g| -g), dbias.map(|g| -g)])
}
//# Computes the gradient of the weight as xᵀ dy, in the textbook layout [in, out] instead of W's.
//= dweight-transposed
use transformer_tutor::tensor::Tensor;

pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let n = x.shape()[0];
    let (outs, ins) = (weight.shape()[0], weight.shape()[1]);
    let y = Tensor::from_fn(&[n, outs], |i| {
        (0..ins)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>()
            + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, ins], |i| {
        (0..outs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[ins, outs], |i| {
        (0..n)
            .map(|r| x.at(&[r, i[0]]) * dy.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outs], |i| (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>());
    (y, [dx, dweight, dbias])
}
//# Averages the gradients of weight and bias over the n rows instead of summing them.
//= mean-over-rows
use transformer_tutor::tensor::Tensor;

pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let n = x.shape()[0];
    let (outs, ins) = (weight.shape()[0], weight.shape()[1]);
    let y = Tensor::from_fn(&[n, outs], |i| {
        (0..ins)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>()
            + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, ins], |i| {
        (0..outs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outs, ins], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
            / n as f32
    });
    let dbias = Tensor::from_fn(&[outs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>() / n as f32
    });
    (y, [dx, dweight, dbias])
}
//# Overwrites the gradient of the weight row by row instead of adding, so that only the last position counts.
//=
use transformer_tutor::tensor::Tensor;

pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let n = x.shape()[0];
    let (outs, ins) = (weight.shape()[0], weight.shape()[1]);
    let mut y = vec![0.0; n * outs];
    let mut dx = vec![0.0; n * ins];
    let mut dweight = vec![0.0; outs * ins];
    let mut dbias = vec![0.0; outs];
    for r in 0..n {
        for o in 0..outs {
            y[r * outs + o] = bias.at(&[o]);
            dbias[o] += dy.at(&[r, o]);
            for k in 0..ins {
                y[r * outs + o] += x.at(&[r, k]) * weight.at(&[o, k]);
                dx[r * ins + k] += dy.at(&[r, o]) * weight.at(&[o, k]);
                dweight[o * ins + k] = dy.at(&[r, o]) * x.at(&[r, k]);
            }
        }
    }
    (
        Tensor::new(&[n, outs], y),
        [
            Tensor::new(&[n, ins], dx),
            Tensor::new(&[outs, ins], dweight),
            Tensor::new(&[outs], dbias),
        ],
    )
}
