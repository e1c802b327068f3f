//! The classic mistakes in the generator, each with the reference's signature.

use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;

/// The signature of the generator.
pub type WordsFn = fn(&Generator, &Var) -> Var;

/// Every mistake, by the name of the switch that turns it on.
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

/// Adds the bias, if there is one.
fn biased(generator: &Generator, x: &Var) -> Var {
    match generator.bias {
        Some(bias) => x.add(&x.tape().param(bias)),
        None => x.clone(),
    }
}

/// Applies softmax, and log-softmax to its result.
pub fn softmax_twice(generator: &Generator, hidden: &Var) -> Var {
    scoped(hidden, || {
        let once = generator.logits(hidden).softmax().named("probabilities");
        once.log_softmax().named("log_probs")
    })
}

/// Returns the logits.
pub fn logits_only(generator: &Generator, hidden: &Var) -> Var {
    scoped(hidden, || generator.logits(hidden))
}

/// Returns probabilities instead of their logarithms.
pub fn probabilities(generator: &Generator, hidden: &Var) -> Var {
    scoped(hidden, || {
        generator.logits(hidden).softmax().named("log_probs")
    })
}

/// Leaves out the bias.
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

/// Normalises over the positions instead of the vocabulary.
pub fn over_positions(generator: &Generator, hidden: &Var) -> Var {
    scoped(hidden, || {
        let turned = generator.logits(hidden).transpose();
        turned.log_softmax().transpose().named("log_probs")
    })
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, WordsFn); 10] = [
    (
        "You multiply by the columns of the weight. Its rows are the tokens: matmul_t multiplies rows by rows.",
        |generator, hidden| {
            let weight = hidden.tape().param(generator.weight);
            biased(generator, &hidden.matmul(&weight)).log_softmax()
        },
    ),
    (
        "You take the logarithm of a softmax. Small probabilities round to 0, and their logarithm is −∞. log_softmax does both steps in one.",
        |generator, hidden| generator.logits(hidden).softmax().log(),
    ),
    (
        "You add the bias after log_softmax. It is part of the logits, so add it before.",
        |generator, hidden| biased(generator, &no_bias(generator, hidden)),
    ),
    (
        "You divide the logits by √d_model. Attention scores are divided by a root; logits are not.",
        |generator, hidden| {
            let root = (hidden.value().last() as f32).sqrt();
            generator.logits(hidden).scale(1.0 / root).log_softmax()
        },
    ),
    (
        "You return the negative logarithm, which is the loss. Log-probabilities are 0 or less.",
        |generator, hidden| generator.forward(hidden).scale(-1.0),
    ),
    (
        "You predict only from the last position, as when writing a sentence. Every position predicts its next token.",
        |generator, hidden| generator.forward(&hidden.last_position()),
    ),
    (
        "Your logarithm is to base 2. log_softmax uses the natural logarithm.",
        |generator, hidden| {
            let weight = hidden.tape().param(generator.weight);
            let logits = biased(generator, &hidden.matmul_t(&weight));
            logits.log_softmax().scale(std::f32::consts::LOG2_E)
        },
    ),
    (
        "Your logits pass through a ReLU, which sets the negative ones to 0. Logits may be negative: pass them to log_softmax as they are.",
        |generator, hidden| {
            let weight = hidden.tape().param(generator.weight);
            biased(generator, &hidden.matmul_t(&weight))
                .relu()
                .log_softmax()
        },
    ),
    (
        "You divide by the mean of the exponentials. Divide by their sum, as log_softmax does.",
        |generator, hidden| {
            let logits = generator.logits(hidden);
            logits.sub(&logits.exp().row_mean().log())
        },
    ),
    (
        "You apply softmax to the logarithm of the logits. The logarithm comes last: log_softmax.",
        |generator, hidden| generator.logits(hidden).log().softmax(),
    ),
];
