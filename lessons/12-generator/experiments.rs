//! A softmax applied twice, and the gradient of a matrix with three uses.

use transformer_tutor::autograd::Tape;
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, matmul, random};
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::{Config, Transformer, variants};

/// A loss, and the norm of its gradient with respect to the logits.
pub struct Pull {
    pub loss: f64,
    pub pull: f64,
}

/// A model's loss from logits, and from probabilities that pass through a softmax again.
pub struct Twice {
    pub once: Pull,
    pub twice: Pull,
}

/// A model that is right and sure, its logit ten above the others.
pub static SURE: Lazy<Twice> = Lazy::new(|| twice(10.0));

/// A model at the start of training, all of whose logits are equal.
pub static EQUAL: Lazy<Twice> = Lazy::new(|| twice(0.0));

/// One position with 100 tokens, of which the right one's logit is `lead` above the others.
fn twice(lead: f32) -> Twice {
    let pull = |twice| {
        let tape = Tape::eval(&Params::default());
        let right = |i: &[usize]| if i[2] == 7 { lead } else { 0.0 };
        let logits = Tensor::from_fn(&[1, 1, 100], right);
        let logits = tape.input("logits", logits, &["b", "t", "v"]);
        let targets = tape.ids("targets", Tensor::full(&[1, 1], 7.0), &["b", "t"]);
        let seen = if twice {
            logits.softmax()
        } else {
            logits.clone()
        };
        let loss = cross_entropy(&seen, &targets, None);
        Pull {
            loss: f64::from(loss.value().at(&[])),
            pull: loss.backward().get(&logits).map_or(0.0, norm),
        }
    };
    Twice {
        once: pull(false),
        twice: pull(true),
    }
}

/// Euclidean norm of a tensor, taken as one long vector.
fn norm(t: &Tensor) -> f64 {
    t.rms() * (t.len() as f64).sqrt()
}

/// Gradients of a tied matrix, and of three matrices with the same weights.
pub struct TiedGradients {
    /// Norms of the gradients of source embedding, target embedding and generator.
    pub parts: [f64; 3],
    /// Norm of the tied matrix's gradient.
    pub tied: f64,
    /// Largest difference between the tied gradient and the sum of the three.
    pub difference: f64,
    /// Number of rows for tokens that occur in no sentence, and how many of these rows get a gradient.
    pub unread: (usize, usize),
}

/// Measured on a small model.
pub static PLACES: Lazy<TiedGradients> = Lazy::new(|| {
    const WORDS: usize = 20;
    let tied = Config::annotated(WORDS, WORDS).sized(1, 16, 32, 2).tied();
    let mut apart = Config::annotated(WORDS, WORDS).sized(1, 16, 32, 2);
    apart.generator_bias = tied.generator_bias;
    let mut tied_params = Params::new(4);
    let tied = Transformer::new(&mut tied_params, &tied);
    let mut params = Params::new(4);
    let model = Transformer::new(&mut params, &apart);
    variants::share(&tied_params, &mut params);
    let table = tied_params.get(tied.src_embed.table).clone();
    params.set(model.generator.weight, table);
    let run = |model: &Transformer, params: &Params| {
        let tape = Tape::eval(params);
        let ids = |name, from: usize, axis| {
            let ids = Tensor::from_fn(&[2, 4], |i| (from + (i[0] * 3 + i[1] * 2) % 5) as f32);
            tape.ids(name, ids, &["b", axis])
        };
        let pass = model.forward(&ids("src", 3, "s"), &ids("tgt", 6, "t"));
        let likely = pass.log_probs.pick(&ids("tgt_y", 7, "t"));
        likely.mean().scale(-1.0).backward()
    };
    let (one, three) = (run(&tied, &tied_params), run(&model, &params));
    let whole = one.param(tied.src_embed.table).expect("it was used");
    let parts = [
        model.src_embed.table,
        model.tgt_embed.table,
        model.generator.weight,
    ]
    .map(|param| three.param(param).expect("it was used"));
    let sum = parts[0].zip(parts[1], |a, b| a + b);
    let sum = sum.zip(parts[2], |a, b| a + b);
    let unread = || whole.data().chunks(16).skip(12);
    let pulled = unread().filter(|row| row.iter().any(|x| *x != 0.0));
    TiedGradients {
        parts: parts.map(norm),
        tied: norm(whole),
        difference: largest_difference(whole, &sum),
        unread: (unread().len(), pulled.count()),
    }
});

/// RMS of the logits of a tied matrix initialised with `std`, for hidden vectors of RMS 1.
pub fn logits_spread(std: f32) -> f64 {
    let table = random::normal(&[1000, 512], std, 3, "table");
    let hidden = random::normal(&[20, 512], 1.0, 3, "hidden");
    matmul::matmul_t(&hidden, &table).rms()
}
