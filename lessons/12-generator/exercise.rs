//! Write the generator. Save, and the check runs.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;

/// The logarithm of each next token's probability.
///
/// hidden `[batch, target, d_model]`; the result `[batch, target, vocabulary]`.
///
/// What you can use: `generator.weight` `[vocabulary, d_model]` and `generator.bias` `[vocabulary]`, if
/// there is one, with `hidden.tape().param(…)`; `a.matmul_t(&b)` multiplies rows with rows;
/// `a.add(&b)` broadcasts; `x.softmax()` and `x.log_softmax()` run over the last axis.
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let _ = (generator, hidden);
    todo!("logits, then their log-probabilities")
}
