//! Write scaled dot-product attention. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::nn::attention::Attention;

/// query [b, h, t, k], key [b, h, s, k], value [b, h, s, k], mask stretching to [b, h, t, s].
/// Return the weights [b, h, t, s] and the context [b, h, t, k].
pub fn attention(
    _query: &Var,
    _key: &Var,
    _value: &Var,
    _mask: Option<&Var>,
    _dropout: f32,
) -> Attention {
    todo!("scores, scale, mask, softmax, and the mixture of the values")
}
