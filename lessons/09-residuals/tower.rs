//! Stacks of encoder layers, wired with and without residuals and norms: what the lesson measures.

use std::sync::Arc;

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::memo::{Memo, Weigh};
use transformer_tutor::nn::layer_norm::LayerNorm;
use transformer_tutor::params::{Init, Param, Params};
use transformer_tutor::tensor::{Tensor, random, shared};
use transformer_tutor::train::loss::cross_entropy;
use transformer_tutor::transformer::Config;
use transformer_tutor::transformer::encoder::EncoderLayer;

/// How a sublayer `f` and the stream `x` are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wiring {
    /// `x + f(norm(x))`: the code of the sources.
    Pre,
    /// `norm(x + f(x))`: the paper.
    Post,
    /// `x + f(x)`: a residual alone.
    Sum,
    /// `f(norm(x))`: a norm alone.
    Norm,
    /// `f(x)`: neither.
    Plain,
}

impl Wiring {
    /// What a legend calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pre => "pre-norm",
            Self::Post => "post-norm",
            Self::Sum => "residual, no norm",
            Self::Norm => "norm, no residual",
            Self::Plain => "neither",
        }
    }

    /// One sublayer.
    pub fn connect(self, x: &Var, norm: &LayerNorm, f: impl FnOnce(&Var) -> Var) -> Var {
        match self {
            Self::Pre => x.add(&f(&norm.forward(x))),
            Self::Post => norm.forward(&x.add(&f(x))),
            Self::Sum => x.add(&f(x)),
            Self::Norm => f(&norm.forward(x)),
            Self::Plain => f(x),
        }
    }

    /// One encoder layer: attention over all words, then feed-forward.
    pub fn layer(self, layer: &EncoderLayer, x: &Var) -> Var {
        let [first, second] = &layer.sublayer;
        let x = self.connect(x, &first.norm, |x| {
            layer.self_attn.forward(x, x, x, None).output
        });
        self.connect(&x, &second.norm, |x| layer.feed_forward.forward(x))
    }
}

/// Channels, sentences, words a sentence, words of the vocabulary that the top tells apart.
const WIDTH: usize = 32;
const BATCH: usize = 2;
const LENGTH: usize = 8;
const CLASSES: usize = 50;

/// A stack with a norm and a generator on top.
pub struct Tower {
    /// Everything that could learn.
    pub params: Params,
    /// From the words up.
    pub layers: Vec<EncoderLayer>,
    /// On top.
    pub norm: LayerNorm,
    generator: Param,
}

/// What one run of a tower shows, from the bottom up.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The rms of the stream as it enters, and after each layer.
    pub stream: Vec<f64>,
    /// The norm of the loss's gradient by the stream as it enters, and after each layer.
    pub gradient: Vec<f64>,
    /// The norm of the loss's gradient by the second feed-forward matrix of each layer.
    pub weight_gradient: Vec<f64>,
    /// The rms of the logits, with the norm on top of a pre-norm stack.
    pub logits: f64,
    /// The rms of the logits that the same generator makes of the bare stream.
    pub bare_logits: f64,
}

/// One run of a tower of `depth` layers, forward and back. Computed once.
pub fn measured(wiring: Wiring, depth: usize, seed: u64) -> Arc<Measured> {
    static DONE: Memo<Measured> = Memo::new("residuals: towers");
    let key = format!("{wiring:?} {depth} {seed}");
    DONE.get(key, || Tower::new(depth, WIDTH, seed).measure(wiring, seed))
}

impl Weigh for Measured {
    fn heap(&self) -> usize {
        self.stream.heap() + self.gradient.heap() + self.weight_gradient.heap()
    }
}

/// Measures all of `wanted`, shared among threads: 30 ms become 20 on four busy cores.
pub fn prepare(wanted: &[(Wiring, usize)], seed: u64) {
    shared(wanted.to_vec(), |(wiring, depth)| {
        measured(wiring, depth, seed);
    });
}

/// The layers of a stack, drawn as the model's own are.
pub fn layers(params: &mut Params, config: &Config) -> Vec<EncoderLayer> {
    let mut layer = |n| {
        params.scoped(&format!("layers.{n}"), |params| {
            EncoderLayer::new(params, config)
        })
    };
    (0..config.layers).map(&mut layer).collect()
}

impl Tower {
    /// A tower of `depth` layers of width `d_model`, drawn as the model's own are.
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

    /// One run forward and back over random vectors, against random words. All but post-norm stacks,
    /// which end in a norm of their own, get one on top.
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
