//! Write the generator. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;

/// The logarithm of each next token's probability. The score of a token is how well the decoder's vector matches the
/// token's row, plus the token's bias if there is one.
///
/// - `hidden [batch, target, d_model]`; the result `[batch, target, vocabulary]`
/// - `generator`: the parameters `weight [vocabulary, d_model]` and, if there is one, `bias [vocabulary]`, which
///   is an `Option`
/// - Scores may be so far apart that a probability is 0 in `f32`; its logarithm must be finite.
///
/// An example: hidden `[1, 2]`, weight `[[1, 0], [0, 1]]` and bias `[0, 1]` give `[-2.127, -0.127]`.
///
/// # Guidance
///
/// In the example the scores are 1 · 1 + 2 · 0 + 0 = 1 and 1 · 0 + 2 · 1 + 1 = 3. Their difference of 2 makes the
/// probabilities 0.119 and 0.881, whose logarithms are −2.127 and −0.127.
///
/// What you can use:
///
/// - `hidden.tape().param(generator.weight) -> Var`: a parameter as a tensor
/// - `a.matmul(&b) -> Var` multiplies rows of `a` by columns of `b`; `a.matmul_t(&b) -> Var` rows by rows
/// - `a.add(&b) -> Var`, which broadcasts
/// - `x.softmax() -> Var`, `x.log_softmax() -> Var` and `x.log() -> Var`; the first two over the last axis
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let _ = (generator, hidden);
    todo!("write next_words")
}
