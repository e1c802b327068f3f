//! The lesson's two networks: five operations whose gradients can be worked out on paper, and one attention head.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::linear::{Bias, Linear};
use transformer_tutor::params::{Param, Params};
use transformer_tutor::tensor::{Tensor, random};

/// The tiny network: `loss = (v · relu(W x + b) − target)²`.
pub struct Tiny {
    pub params: Params,
    weight: Param,
    bias: Param,
    out: Param,
}

/// Tensors recorded by one run.
pub struct TinyRun {
    pub x: Var,
    pub weight: Var,
    pub out: Var,
    pub hidden: Var,
    pub error: Var,
    pub loss: Var,
}

impl Tiny {
    /// Creates the network; its last unit is `room` above the kink of the ReLU, and the one before is off.
    pub fn new(room: f32) -> Self {
        let mut params = Params::new(0);
        let weight = Tensor::new(&[3, 2], vec![0.5, 0.25, -1.0, 0.3, 0.2, -0.1]);
        let bias = Tensor::new(&[3], vec![0.0, -0.1, room]);
        let out = Tensor::new(&[1, 3], vec![2.0, 1.0, -3.0]);
        Self {
            weight: params.insert("weight", weight, &["f", "d"]),
            bias: params.insert("bias", bias, &["f"]),
            out: params.insert("v", out, &["o", "f"]),
            params,
        }
    }

    /// Records one run.
    pub fn run(&self, tape: &Tape) -> TinyRun {
        let x = tape.input("x", Tensor::new(&[1, 2], vec![1.0, 2.0]), &["t", "d"]);
        let [weight, bias, out] = [self.weight, self.bias, self.out].map(|p| tape.param(p));
        let pre = x.matmul_t(&weight).named("product").add(&bias).named("pre");
        let hidden = pre.relu().named("hidden");
        let output = hidden.matmul_t(&out).named("output");
        let target = tape.constant("target", Tensor::ones(&[1, 1]), &["t", "o"]);
        let error = output.sub(&target).named("error");
        let loss = error.mul(&error).named("square").sum().named("loss");
        TinyRun {
            x,
            weight,
            out,
            hidden,
            error,
            loss,
        }
    }
}

/// Tokens of the sentence, the width of their vectors, and the width of the head.
pub const WORDS: usize = 5;
const WIDTH: usize = 6;
const HEAD: usize = 4;

/// One head of self-attention over one sentence, with the distance of its result from a target as the loss.
pub struct Head {
    pub params: Params,
    maps: [Linear; 3],
    seed: u64,
}

/// Tensors recorded by one run.
pub struct HeadRun {
    pub query: Var,
    pub key: Var,
    pub weights: Var,
    pub loss: Var,
}

impl Head {
    pub fn new(seed: u64) -> Self {
        let mut params = Params::new(seed);
        let maps = ["query", "key", "value"].map(|name| {
            params.scoped(name, |params| {
                Linear::new(params, ("d", WIDTH), ("k", HEAD), Bias::Uniform)
            })
        });
        Self { params, maps, seed }
    }

    /// Records one run.
    pub fn run(&self, tape: &Tape) -> HeadRun {
        let normal = |shape: &[usize], name| random::normal(shape, 1.0, self.seed, name);
        let x = tape.input("x", normal(&[1, WORDS, WIDTH], "x"), &["b", "t", "d"]);
        let [query, key, value] = [0, 1, 2].map(|n| self.maps[n].forward(&x));
        let query = query.named("query");
        let key = key.named("key").with_axes(&["b", "s", "k"]);
        let value = value.named("value").with_axes(&["b", "s", "k"]);
        let mixed = attention(&query, &key, &value, None, 0.0);
        let target = normal(&[1, WORDS, HEAD], "target");
        let target = tape.constant("target", target, &["b", "t", "k"]);
        let error = mixed.context.sub(&target).named("error");
        let loss = error.mul(&error).named("square").mean().named("loss");
        HeadRun {
            query,
            key,
            weights: mixed.weights,
            loss,
        }
    }
}
