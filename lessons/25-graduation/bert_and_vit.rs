//! One forward pass each of BERT and ViT: the engine's encoder with untrained weights.

use crate::autograd::{Tape, Trace, Var};
use crate::nn::embeddings::Embeddings;
use crate::nn::linear::{Bias, Linear};
use crate::nn::masks;
use crate::params::{Init, Param, Params};
use crate::tensor::Tensor;
use crate::transformer::Config;
use crate::transformer::encoder::Encoder;

const D_MODEL: usize = 32;

/// The tokens that this BERT knows; the first is padding.
const VOCABULARY: [&str; 11] = [
    "[PAD]", "[CLS]", "[SEP]", "[MASK]", "the", "little", "dog", "in", "garden", "house", "sleeps",
];

/// A text with a gap.
type Text = [&'static str; 9];

/// The text that BERT reads.
const TEXT: Text = [
    "[CLS]", "the", "little", "dog", "[MASK]", "in", "the", "garden", "[SEP]",
];

/// The same text with another place, three tokens behind the gap.
const OTHER_TEXT: Text = [
    "[CLS]", "the", "little", "dog", "[MASK]", "in", "the", "house", "[SEP]",
];

/// Position of the gap.
const GAP: usize = 4;

/// Which tokens a token may read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// All of them, as in BERT.
    BothSides,
    /// Itself and earlier ones, as in a decoder.
    Past,
}

/// Side of the square picture, in pixels.
const SIDE: usize = 16;

/// Side of a patch, in pixels.
const PATCH: usize = 4;

/// Patches along a side of the picture.
const ACROSS: usize = SIDE / PATCH;

/// A stack of encoder layers, and the learned vector that is added at each position.
struct Reader {
    positions: Param,
    encoder: Encoder,
}

impl Reader {
    /// Creates the parts for inputs of `length` vectors.
    fn new(params: &mut Params, length: usize) -> Self {
        let config = Config {
            dropout: 0.0,
            ..Config::annotated(VOCABULARY.len(), VOCABULARY.len()).sized(2, D_MODEL, 64, 4)
        };
        let positions = Init::Normal(0.5);
        Self {
            positions: params.add("positions", &[length, D_MODEL], &["s", "d"], positions),
            encoder: Encoder::new(params, &config),
        }
    }

    /// Adds the positions to `x [batch, length, d_model]` and runs the stack.
    fn forward(&self, x: &Var, mask: &Var) -> Var {
        let x = x.add(&x.tape().param(self.positions).unsqueeze(0));
        let memory = self.encoder.forward(&x.named("with_position"), mask);
        memory.named("memory")
    }
}

/// BERT reads the text with the gap, and predicts a token at every position.
pub fn bert(seed: u64) -> Trace {
    read(seed, TEXT, Visibility::BothSides)
}

fn read(seed: u64, text: Text, sight: Visibility) -> Trace {
    let mut params = Params::new(seed);
    let words = VOCABULARY.len();
    let embeddings = params.scoped("embed", |p| {
        Embeddings::new(p, words, D_MODEL, Init::XavierUniform)
    });
    let reader = Reader::new(&mut params, text.len());
    let output = params.scoped("output", |p| {
        Linear::new(p, ("d", D_MODEL), ("v", words), Bias::Uniform)
    });

    let tape = Tape::eval(&params);
    let id = |word| VOCABULARY.iter().position(|known| *known == word);
    let id = |word| id(word).unwrap_or_else(|| panic!("{word} is in the vocabulary"));
    let ids = Tensor::from_fn(&[1, text.len()], |i| id(text[i[1]]) as f32);
    let ids = tape.ids("ids", ids, &["b", "s"]);
    let mask = match sight {
        Visibility::BothSides => masks::src_mask(&ids),
        Visibility::Past => masks::past(&tape, text.len()),
    };
    let memory = reader.forward(&tape.scoped("embed", || embeddings.forward(&ids)), &mask);
    let _ = output.forward(&memory).log_softmax().named("log_probs");
    let spelled = |all: &[&str]| vec![all.iter().map(ToString::to_string).collect()];
    tape.trace()
        .label("s", spelled(&text))
        .label("v", spelled(&VOCABULARY))
}

/// Largest change of a number in the gap's row of the tensor `name`, when the last noun of the text is exchanged.
pub fn gap_moved(seed: u64, sight: Visibility, name: &str) -> f64 {
    let [garden, house] = [TEXT, OTHER_TEXT].map(|text| {
        let trace = read(seed, text, sight);
        let tensor = trace.tensor(name);
        let tensor = tensor.unwrap_or_else(|| panic!("the pass records {name}"));
        tensor.data()[GAP * D_MODEL..][..D_MODEL].to_vec()
    });
    let moved = garden.iter().zip(&house).map(|(a, b)| (a - b).abs());
    f64::from(moved.fold(0.0, f32::max))
}

/// The picture that ViT sees, `[1, SIDE, SIDE]`: a bright ring on a dark ground.
fn ring() -> Tensor {
    let middle = (SIDE as f32 - 1.0) / 2.0;
    Tensor::from_fn(&[1, SIDE, SIDE], |i| {
        let distance = (i[1] as f32 - middle).hypot(i[2] as f32 - middle);
        if (4.0..6.5).contains(&distance) {
            1.0
        } else {
            0.0
        }
    })
}

// ANCHOR: patches
/// Cuts `picture [batch, SIDE, SIDE]` into square patches and lays the pixels of each in one row:
/// `[batch, ACROSS², PATCH²]`.
fn patches(picture: &Var) -> Var {
    let batch = picture.shape()[0];
    picture
        .reshape(
            &[batch, ACROSS, PATCH, ACROSS, PATCH],
            &["b", "r", "y", "c", "x"],
        )
        .permute(&[0, 1, 3, 2, 4])
        .reshape(
            &[batch, ACROSS * ACROSS, PATCH * PATCH],
            &["b", "s", "pixel"],
        )
        .named("patches")
}
// ANCHOR_END: patches

/// ViT reads a picture patch by patch, and averages what its encoder returns.
pub fn vit(seed: u64) -> Trace {
    let count = ACROSS * ACROSS;
    let mut params = Params::new(seed);
    let embed = params.scoped("embed", |p| {
        let pixels = PATCH * PATCH;
        Linear::new(p, ("pixel", pixels), ("d", D_MODEL), Bias::Uniform)
    });
    let reader = Reader::new(&mut params, count);

    let tape = Tape::eval(&params);
    let picture = tape.input("picture", ring(), &["b", "y", "x"]);
    let embedded = tape.scoped("embed", || {
        embed.forward(&patches(&picture)).named("embedded")
    });
    let open = tape.mask("open", Tensor::full(&[1, 1, count], 1.0), &["b", "", "s"]);
    let memory = reader.forward(&embedded, &open);
    let each = Tensor::full(&[1, 1, count], 1.0 / count as f32);
    let average = tape.constant("average", each, &["b", "", "s"]);
    let _ = average.matmul(&memory).named("summary");
    let patch_name = |n| format!("{},{}", n / ACROSS, n % ACROSS);
    tape.trace()
        .label("s", vec![(0..count).map(patch_name).collect()])
}
