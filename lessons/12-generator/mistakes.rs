//! The classic mistakes of the generator, each a function of the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;

/// The signature of the generator.
pub type WordsFn = fn(&Generator, &Var) -> Var;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, WordsFn); 5] = [
    ("softmax-twice", softmax_twice),
    ("logits-only", logits_only),
    ("probabilities", probabilities),
    ("no-bias", no_bias),
    ("over-positions", over_positions),
];

fn scoped(hidden: &Var, run: impl FnOnce() -> Var) -> Var {
    hidden.tape().scoped("generator", run)
}

/// A softmax, and a log-softmax over its result.
pub fn softmax_twice(generator: &Generator, hidden: &Var) -> Var {
    scoped(hidden, || {
        let once = generator.logits(hidden).softmax().named("probabilities");
        once.log_softmax().named("log_probs")
    })
}

/// The logits as they are.
pub fn logits_only(generator: &Generator, hidden: &Var) -> Var {
    scoped(hidden, || generator.logits(hidden))
}

/// Probabilities instead of their logarithms.
pub fn probabilities(generator: &Generator, hidden: &Var) -> Var {
    scoped(hidden, || {
        generator.logits(hidden).softmax().named("log_probs")
    })
}

/// The linear map without its bias.
pub fn no_bias(generator: &Generator, hidden: &Var) -> Var {
    scoped(hidden, || {
        let weight = hidden.tape().param(generator.weight);
        hidden
            .matmul_t(&weight)
            .named("logits")
            .log_softmax()
            .named("log_probs")
    })
}

/// Normalised over the positions instead of the tokens.
pub fn over_positions(generator: &Generator, hidden: &Var) -> Var {
    scoped(hidden, || {
        let turned = generator.logits(hidden).transpose();
        turned.log_softmax().transpose().named("log_probs")
    })
}
