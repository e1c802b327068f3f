//# It returns probabilities instead of their logarithms.
//= probabilities
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.softmax()
}
//# It returns the raw logits and leaves softmax to the loss, as with PyTorch's CrossEntropyLoss.
//= logits-only
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits
}
//# The bias is left out.
//= no-bias
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let weight = hidden.tape().param(generator.weight);
    hidden.matmul_t(&weight).log_softmax()
}
//# The weight is not transposed: rows of x are multiplied by its columns.
//= classic-0
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.log_softmax()
}
//# Softmax and logarithm are two steps, so small probabilities round to 0 and their logarithm is −∞.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.softmax().log()
}
//# Softmax runs over the positions instead of the vocabulary.
//= over-positions
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.transpose().log_softmax().transpose()
}
//# Softmax is applied twice, once separately and once inside log_softmax.
//= softmax-twice
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.softmax().log_softmax()
}
//# The bias is added after log_softmax.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let fit = hidden.matmul_t(&tape.param(generator.weight)).log_softmax();
    match generator.bias {
        Some(bias) => fit.add(&tape.param(bias)),
        None => fit,
    }
}
//# The logits are divided by the root of d_model, as attention scores are.
//= classic-3
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    let d_model = *hidden.shape().last().unwrap() as f32;
    logits.scale(1.0 / d_model.sqrt()).log_softmax()
}
//# It assumes that there is always a bias.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let weight = tape.param(generator.weight);
    let bias = tape.param(generator.bias.expect("a linear layer has a bias"));
    hidden.matmul_t(&weight).add(&bias).log_softmax()
}
//# The logits are divided by the mean of the exponentials instead of their sum.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    let mean = logits.exp().row_mean().log();
    logits.sub(&mean)
}
//# Only the last position is predicted, as in generation.
//= classic-5
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let hidden = hidden.last_position();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.log_softmax()
}
//# It returns the negative logarithm, which is the loss instead of the log-probability.
//= classic-4
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.log_softmax().scale(-1.0)
}
//# It takes the logarithm of the logits instead of the softmax.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.log().softmax()
}
//# The logarithm is to base 2 instead of natural.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.log_softmax().scale(1.0 / std::f32::consts::LN_2)
}
//# A ReLU sets negative logits to 0, as after a hidden layer.
//=
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.relu().log_softmax()
}
//# Takes the logarithm of the softmax in a second step, after small probabilities have rounded to 0.
//= classic-1
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;

pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let mut logits = hidden.matmul_t(&tape.param(generator.weight));
    if let Some(bias) = generator.bias {
        logits = logits.add(&tape.param(bias));
    }
    logits.softmax().log()
}
//# Returns the logits, as for PyTorch's CrossEntropyLoss, which does the log-softmax itself.
//= logits-only
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;

pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let tape = hidden.tape();
    let logits = hidden.matmul_t(&tape.param(generator.weight));
    match generator.bias {
        Some(bias) => logits.add(&tape.param(bias)),
        None => logits,
    }
}
//# Adds the bias to the log-probabilities, after the log-softmax.
//= classic-2
use transformer_tutor::autograd::Var;
use transformer_tutor::transformer::generator::Generator;

pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    let weight = hidden.tape().param(generator.weight);
    let log_probs = hidden.matmul_t(&weight).log_softmax();
    match generator.bias {
        Some(bias) => log_probs.add(&hidden.tape().param(bias)),
        None => log_probs,
    }
}
