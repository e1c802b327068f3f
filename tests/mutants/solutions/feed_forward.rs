//# Leaves out the activation function.
//= no-activation
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).dropout(maps.dropout);
    maps.w_2.forward(&inner)
}
//# Applies the activation function after the second map instead of between the maps.
//= activation-last
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).dropout(maps.dropout);
    maps.activation.forward(&maps.w_2.forward(&inner))
}
//# Applies the activation function after both maps, as in a stack of layers.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x));
    let outer = maps.w_2.forward(&inner.dropout(maps.dropout));
    maps.activation.forward(&outer)
}
//# Applies the activation function to the input, before the first map.
//= classic-6
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let active = maps.activation.forward(x);
    let inner = maps.w_1.forward(&active).dropout(maps.dropout);
    maps.w_2.forward(&inner)
}
//# Applies dropout before the activation function instead of after it.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).dropout(maps.dropout);
    let active = maps.activation.forward(&inner);
    maps.w_2.forward(&active)
}
//# Applies dropout to the result instead of the inner layer.
//= late-dropout
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x));
    maps.w_2.forward(&inner).dropout(maps.dropout)
}
//# Applies dropout to the input instead of the inner layer.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let kept = x.dropout(maps.dropout);
    let inner = maps.activation.forward(&maps.w_1.forward(&kept));
    maps.w_2.forward(&inner)
}
//# Forgets the dropout.
//= no-dropout
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x);
    let active = maps.activation.forward(&inner);
    maps.w_2.forward(&active)
}
//# Applies dropout twice, to the inner layer and to the result.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x));
    let kept = inner.dropout(maps.dropout);
    maps.w_2.forward(&kept).dropout(maps.dropout)
}
//# Always uses ReLU, whatever activation function the layer has.
//= always-relu
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).relu();
    maps.w_2.forward(&inner.dropout(maps.dropout))
}
//# Adds the input to the result, as if the residual connection were part of the layer.
//= residual-inside
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x));
    let y = maps.w_2.forward(&inner.dropout(maps.dropout));
    x.add(&y)
}
//# Multiplies the active cells by the inner ones, as a gated layer does with a second map.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x);
    let gate = maps.activation.forward(&inner);
    let gated = gate.mul(&inner).dropout(maps.dropout);
    maps.w_2.forward(&gated)
}
//# Makes the inner cells sum to 1 with a softmax after the activation function.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x)).softmax();
    maps.w_2.forward(&inner.dropout(maps.dropout))
}
//# Takes dropout for the probability of keeping a cell.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x));
    let kept = if maps.dropout > 0.0 {
        inner.dropout(1.0 - maps.dropout)
    } else {
        inner
    };
    maps.w_2.forward(&kept)
}
//# Scales the kept cells by 1 − p, though dropout has already preserved the expected value.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x));
    let kept = inner.dropout(maps.dropout).scale(1.0 - maps.dropout);
    maps.w_2.forward(&kept)
}
//# Subtracts the mean of every row first, as if part of the preceding LayerNorm belonged to the layer.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let centred = x.sub(&x.row_mean());
    let inner = maps.activation.forward(&maps.w_1.forward(&centred));
    maps.w_2.forward(&inner.dropout(maps.dropout))
}
//# Always uses ReLU, as the paper does, and ignores the layer's activation function.
//= always-relu
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x).relu().dropout(maps.dropout);
    maps.w_2.forward(&inner)
}
//# Applies dropout to the result, after the second map, not to the inner layer.
//= late-dropout
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.w_1.forward(x);
    let active = maps.activation.forward(&inner);
    maps.w_2.forward(&active).dropout(maps.dropout)
}
//# Adds x to the result, though the residual connection is outside this layer.
//= residual-inside
use transformer_tutor::autograd::Var;
use transformer_tutor::nn::feed_forward::FeedForward;

pub fn feed_forward(maps: &FeedForward, x: &Var) -> Var {
    let inner = maps.activation.forward(&maps.w_1.forward(x));
    let out = maps.w_2.forward(&inner.dropout(maps.dropout));
    x.add(&out)
}
