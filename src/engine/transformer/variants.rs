//! The differences between the sources, one row per option, and the first step at which two runs differ.

use super::config::{Config, EmbeddingInit, Masks, Shift, Tying, Waves};
use crate::autograd::Trace;
use crate::nn::linear::Bias;
use crate::nn::residual::NormPlace;
use crate::ops::{Deviation, Layout};
use crate::params::Params;
use crate::tensor::Tensor;

/// One option in which the sources differ.
pub struct Difference {
    /// Its name, which a knob of the lesson takes.
    pub name: &'static str,
    /// A model's choice, in words.
    pub choice: fn(&Config) -> &'static str,
    /// Copies the choice of the second model to the first.
    pub adopt: fn(&mut Config, &Config),
    /// The consequence of the choice.
    pub why: &'static str,
}

/// Every option in which the Annotated Transformer and TensorFlow's official Transformer differ, in the
/// order in which a pass through the model meets them, and the place of LayerNorm, in which the paper
/// differs from both.
pub const DIFFERENCES: [Difference; 10] = [
    Difference {
        name: "tables",
        choice: |c| match c.embedding_init {
            EmbeddingInit::Xavier => "Xavier-uniform",
            EmbeddingInit::Normal => "N(0, 1/d_model)",
        },
        adopt: |c, from| c.embedding_init = from.embedding_init,
        why: "Only the initialisation differs; trained or loaded matrices are not changed by it.",
    },
    Difference {
        name: "tying",
        choice: |c| match c.tying {
            Tying::None => "none",
            Tying::All => "all three",
        },
        adopt: |c, from| {
            (c.tying, c.generator_bias) = (from.tying, from.generator_bias);
        },
        why: "Target tokens are looked up in the source embedding, and the logits are computed from it too.",
    },
    Difference {
        name: "padding",
        choice: |c| {
            if c.zero_padding {
                "zero"
            } else {
                "as in the embedding matrix"
            }
        },
        adopt: |c, from| c.zero_padding = from.zero_padding,
        why: "Only the rows of padding change, and no real token gives them attention weight.",
    },
    Difference {
        name: "shift",
        choice: |c| match c.shift {
            Shift::Ids => "the ids, behind a start token",
            Shift::Embeddings => "the embeddings, behind a vector of zeros",
        },
        adopt: |c, from| c.shift = from.shift,
        why: "Given the same ids, one decoder reads them as they are and the other one position later.",
    },
    Difference {
        name: "positions",
        choice: |c| match c.positions {
            _ if c.waves == Waves::None => "none",
            Layout::Interleaved => "sin and cos in turn, 10000^(2i/d)",
            Layout::Halves if c.waves == Waves::Paper => "sines, then cosines, 10000^(2i/d)",
            Layout::Halves => "sines, then cosines, 10000^(i/(d/2−1))",
        },
        adopt: |c, from| (c.positions, c.waves) = (from.positions, from.waves),
        why: "The same sinusoids in other columns, with slightly other wavelengths.",
    },
    Difference {
        name: "place",
        choice: |c| match c.norm_place {
            NormPlace::Pre => "before each sublayer, and on top",
            NormPlace::Post => "after each sum",
        },
        adopt: |c, from| c.norm_place = from.norm_place,
        why: "The paper's text and figure put the norm after the sum; both codes put it before.",
    },
    Difference {
        name: "norm",
        choice: |c| match c.deviation {
            Deviation::Unbiased => "std over n − 1, plus ε",
            Deviation::Population => "√(variance over n, plus ε)",
        },
        adopt: |c, from| c.deviation = from.deviation,
        why: "The results differ by the factor √(d/(d−1)).",
    },
    Difference {
        name: "bias",
        choice: |c| {
            if c.projection_bias == Bias::None {
                "none"
            } else {
                "one each"
            }
        },
        adopt: |c, from| c.projection_bias = from.projection_bias,
        why: "Each projection adds a vector of its own, or nothing.",
    },
    Difference {
        name: "masks",
        choice: |c| match c.masks {
            Masks::Fill => "they become −1e9; padding and future",
            Masks::Bias => "−1e9 is added; in the decoder the future alone",
        },
        adopt: |c, from| c.masks = from.masks,
        why: "Where a score is blocked, both leave −1e9 to the last bit; but TensorFlow's decoder does not hide \
              the padding of the target, which only padding itself comes late enough to see.",
    },
    Difference {
        name: "ffn bias",
        choice: |c| match c.feed_forward_bias {
            Bias::None => "none",
            Bias::Zero => "at zero",
            Bias::Uniform => "uniform within ±1/√in",
        },
        adopt: |c, from| c.feed_forward_bias = from.feed_forward_bias,
        why: "Only the initialisation differs; trained or loaded biases are not changed by it.",
    },
];

/// Copies every weight that `from` and `to` both have, by name, from `from` to `to`. A tied table is
/// taken from the source embeddings, and untied tables from a tied one.
pub fn share(from: &Params, to: &mut Params) {
    let all: Vec<_> = to
        .iter()
        .map(|(param, name, _)| (param, name.to_owned()))
        .collect();
    for (param, name) in all {
        let partner = match name.as_str() {
            "embed.table" => from.find(&name).or_else(|| from.find("src_embed.table")),
            "src_embed.table" | "tgt_embed.table" => {
                from.find(&name).or_else(|| from.find("embed.table"))
            }
            name => from.find(name),
        };
        if let Some(partner) = partner.filter(|&p| from.shape(p) == to.shape(param)) {
            to.set(param, from.get(partner).clone());
        }
    }
}

/// The first place where two runs differ.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstDifference {
    /// The step's name, in both runs.
    pub step: String,
    /// The index at which the difference is largest; empty if the shapes differ.
    pub index: Vec<usize>,
    /// The two values there.
    pub values: (f32, f32),
}

/// Relative to a tensor's largest entry, differences below this count as rounding.
const ROUNDING: f32 = 2e-6;

/// The first computed step of `one` that `other` also has, but with different values; `None` if there is none.
pub fn first_difference(one: &Trace, other: &Trace) -> Option<FirstDifference> {
    one.steps()
        .iter()
        .filter(|s| s.computed().is_some())
        .find_map(|step| {
            let partner = &other.steps()[other.find(&step.name)?];
            // A mask of 1 and 0 and a bias of 0 and −1e9 are two notations for the same thing: compare their effects.
            if partner.nature != step.nature {
                return None;
            }
            differ(&step.value, &partner.value).map(|(index, values)| FirstDifference {
                step: step.name.clone(),
                index,
                values,
            })
        })
}

/// The index and values at which two tensors differ most, if by more than rounding.
pub fn differ(a: &Tensor, b: &Tensor) -> Option<(Vec<usize>, (f32, f32))> {
    if a.shape() != b.shape() {
        return Some((Vec::new(), (f32::NAN, f32::NAN)));
    }
    let largest = a
        .data()
        .iter()
        .fold(0.0_f32, |m, x| m.max(x.abs()).min(1e6));
    let apart = a.data().iter().zip(b.data()).map(|(x, y)| (x - y).abs());
    let (at, most) = apart.enumerate().fold((0, 0.0), |best, (i, d)| {
        if d > best.1 || d.is_nan() {
            (i, d)
        } else {
            best
        }
    });
    (most > ROUNDING * largest || most.is_nan()).then(|| {
        let index = a.indices().nth(at).expect("the cell exists");
        (index, (a.data()[at], b.data()[at]))
    })
}
