//! Stacks of encoder layers, wired with and without residuals and LayerNorm, that the lesson measures.

use std::sync::Arc;

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::nn::layer_norm::LayerNorm;
use transformer_tutor::params::{Init, Param, Params};
use transformer_tutor::tensor::{Tensor, random, shared};
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Config;
use transformer_tutor::transformer::encoder::EncoderLayer;

/// How a sublayer `f` is connected to the residual stream `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wiring {
    /// `x + f(norm(x))`, as in most implementations.
    Pre,
    /// `norm(x + f(x))`, as in the paper.
    Post,
    /// `x + f(x)`: only a residual connection.
    Sum,
    /// `f(norm(x))`: only a LayerNorm.
    Norm,
    /// `f(x)`: neither.
    Plain,
}

/// Every wiring, with its word in facts.
pub const WIRINGS: [(&str, Wiring); 5] = [
    ("pre", Wiring::Pre),
    ("post", Wiring::Post),
    ("sum", Wiring::Sum),
    ("norm", Wiring::Norm),
    ("plain", Wiring::Plain),
];

impl Wiring {
    /// Name in a legend.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pre => "pre-norm",
            Self::Post => "post-norm",
            Self::Sum => "residual, no LayerNorm",
            Self::Norm => "LayerNorm, no residual",
            Self::Plain => "neither",
        }
    }

    /// Connects one sublayer.
    pub fn connect(self, x: &Var, norm: &LayerNorm, f: impl FnOnce(&Var) -> Var) -> Var {
        match self {
            Self::Pre => x.add(&f(&norm.forward(x))),
            Self::Post => norm.forward(&x.add(&f(x))),
            Self::Sum => x.add(&f(x)),
            Self::Norm => f(&norm.forward(x)),
            Self::Plain => f(x),
        }
    }

    /// One encoder layer: self-attention over all tokens, then feed-forward.
    pub fn layer(self, layer: &EncoderLayer, x: &Var) -> Var {
        let [first, second] = &layer.sublayer;
        let x = self.connect(x, &first.norm, |x| {
            layer.self_attn.forward(x, x, x, None).output
        });
        self.connect(&x, &second.norm, |x| layer.feed_forward.forward(x))
    }
}

/// Width, sentences, tokens per sentence, tokens that the generator distinguishes.
const WIDTH: usize = 32;
const BATCH: usize = 2;
const LENGTH: usize = 8;
const CLASSES: usize = 50;

/// A stack with a LayerNorm and a generator on top.
pub struct Tower {
    /// All parameters.
    pub params: Params,
    /// The layers, from the bottom up.
    pub layers: Vec<EncoderLayer>,
    /// LayerNorm on top of the stack.
    pub norm: LayerNorm,
    generator: Param,
}

/// Measurements of one run of a tower, from the bottom up.
#[derive(Clone, Debug)]
pub struct Measured {
    /// RMS of the residual stream as it enters, and after each layer.
    pub stream: Vec<f64>,
    /// Norm of the loss's gradient with respect to the stream as it enters, and after each layer.
    pub gradient: Vec<f64>,
    /// Norm of the loss's gradient with respect to the second feed-forward matrix of each layer.
    pub weight_gradient: Vec<f64>,
    /// RMS of the logits, with a LayerNorm on top of the stack except after post-norm layers.
    pub logits: f64,
    /// RMS of the logits that the same generator computes from the stream without the LayerNorm on top.
    pub bare_logits: f64,
}

/// Measures a tower of `depth` layers, forward and backward. Computed once.
pub fn measured(wiring: Wiring, depth: usize, seed: u64) -> Arc<Measured> {
    static DONE: Memo<Measured> = Memo::new("residuals: towers");
    let key = format!("{wiring:?} {depth} {seed}");
    DONE.get(key, || Tower::new(depth, WIDTH, seed).measure(wiring, seed))
}

transformer_tutor::weigh!(Measured: stream, gradient, weight_gradient);

/// Measures all of `wanted` on several threads, which reduces 30 ms to 20 on four busy cores.
pub fn prepare(wanted: &[(Wiring, usize)], seed: u64) {
    shared(wanted.to_vec(), |(wiring, depth)| {
        measured(wiring, depth, seed);
    });
}

/// The layers of a stack, initialised like the model's own.
pub fn layers(params: &mut Params, config: &Config) -> Vec<EncoderLayer> {
    let mut layer = |n| {
        params.scoped(&format!("layers.{n}"), |params| {
            EncoderLayer::new(params, config)
        })
    };
    (0..config.layers).map(&mut layer).collect()
}

impl Tower {
    /// A tower of `depth` layers of width `d_model`, initialised like the model.
    pub fn new(depth: usize, d_model: usize, seed: u64) -> Self {
        let config = Config::annotated(1, 1).sized(depth, d_model, 4 * d_model, 4);
        let mut params = Params::new(seed);
        let layers = layers(&mut params, &config);
        let norm = params.scoped("norm", |params| {
            LayerNorm::new(params, d_model, config.deviation, config.epsilon)
        });
        let (shape, init) = ([CLASSES, d_model], Init::XavierUniform);
        let generator = params.add("generator", &shape, &["v", "d"], init);
        Self {
            params,
            layers,
            norm,
            generator,
        }
    }

    /// Runs forward and backward over random vectors, with random target tokens. Every stack gets a LayerNorm on top,
    /// except post-norm, which already ends in one.
    fn measure(&self, wiring: Wiring, seed: u64) -> Measured {
        let tape = Tape::eval(&self.params);
        let d_model = self.params.shape(self.generator)[1];
        let x = random::normal(&[BATCH, LENGTH, d_model], 1.0, seed, "words");
        let mut stream = vec![tape.input("x", x, &["b", "s", "d"])];
        for layer in &self.layers {
            let x = stream.last().expect("it begins with the words");
            stream.push(wiring.layer(layer, x));
        }
        let last = stream.last().expect("it begins with the words");
        let ends = match wiring {
            Wiring::Post => last.clone(),
            _ => self.norm.forward(last),
        };
        let generator = tape.param(self.generator);
        let logits = ends.matmul_t(&generator);
        let draw = random::uniform(&[BATCH, LENGTH], 0.5, seed, "targets");
        let most = CLASSES as f32 - 1.0;
        let targets = draw.map(|x| ((x + 0.5) * CLASSES as f32).floor().min(most));
        let loss = cross_entropy(&logits, &tape.ids("targets", targets, &["b", "s"]), None);
        let grads = loss.backward();
        let size = |t: Option<&Tensor>| t.map_or(0.0, norm);
        let weight = |layer: &EncoderLayer| size(grads.param(layer.feed_forward.w_2.weight));
        Measured {
            stream: stream.iter().map(|x| x.value().rms()).collect(),
            gradient: stream.iter().map(|x| size(grads.get(x))).collect(),
            weight_gradient: self.layers.iter().map(weight).collect(),
            logits: logits.value().rms(),
            bare_logits: last.matmul_t(&generator).value().rms(),
        }
    }
}

/// Euclidean norm of a tensor, taken as one long vector.
fn norm(t: &Tensor) -> f64 {
    t.rms() * (t.len() as f64).sqrt()
}
