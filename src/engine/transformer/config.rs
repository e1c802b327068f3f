//! The options in which Transformers of this family differ, and the source of each choice.
//!
//! "AT" is the code of the Annotated Transformer, which differs from the paper where noted. "TF" is Google's official
//! TensorFlow Transformer, version 2, and "Marian" the form of the published opus-mt models (`MarianMTModel` of Hugging
//! Face's transformers).

use serde::{Deserialize, Serialize};

use crate::nn::activation::Activation;
use crate::nn::linear::Bias;
use crate::nn::residual::NormPlace;
use crate::ops::{Deviation, Layout, position_table};
use crate::tensor::Tensor;

/// The sizes and options of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Size of the source vocabulary.
    pub src_vocab: usize,
    /// Size of the target vocabulary.
    pub tgt_vocab: usize,
    /// Number of layers in the decoder and in the encoder: N.
    pub layers: usize,
    /// Number of layers in the encoder, if different: Marian.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoder_layers: Option<usize>,
    /// The width of the residual stream.
    pub d_model: usize,
    /// The inner width of the feed-forward layers.
    pub d_ff: usize,
    /// The inner width of the encoder's feed-forward layers, if different: Marian.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoder_d_ff: Option<usize>,
    /// Number of heads in every attention.
    pub heads: usize,
    /// The dropout rate in training: after embedding and position, of the attention weights, of the
    /// feed-forward layer's inner cells, and of each sublayer's output.
    pub dropout: f32,
    /// The dropout rate of attention weights and of the feed-forward layer's inner cells, if different: 0 in fairseq.
    /// `None` means `dropout`: AT.
    #[serde(default)]
    pub inner_dropout: Option<f32>,
    /// The longest sentence.
    pub max_len: usize,
    /// Where LayerNorm is applied. Pre-norm: AT's code, TF. Post-norm: the paper.
    pub norm_place: NormPlace,
    /// The standard deviation in LayerNorm. Unbiased, ε outside the root: AT. Population, ε inside: TF.
    pub deviation: Deviation,
    /// LayerNorm's ε: 1e-6 in AT and TF, 1e-5 in Marian.
    pub epsilon: f32,
    /// The bias of attention's four maps. AT has one, TF none.
    pub projection_bias: Bias,
    /// The bias of the feed-forward layers. AT and TF both have one, but initialise it differently.
    pub feed_forward_bias: Bias,
    /// The order of columns in the position table. Interleaved: the paper, AT. Halves: TF.
    pub positions: Layout,
    /// The wavelengths of the position table.
    #[serde(default)]
    pub waves: Waves,
    /// The position of the first token: 0 in AT and TF; fairseq counts from 2.
    pub first_position: usize,
    /// How scores are blocked.
    pub masks: Masks,
    /// How the target is shifted by one position.
    pub shift: Shift,
    /// What the decoder reads first, if the ids are shifted.
    #[serde(default)]
    pub start: Start,
    /// Which tables are tied.
    pub tying: Tying,
    /// The generator's bias: AT has one; a tied generator has none, but Marian's has.
    pub generator_bias: Bias,
    /// True if embeddings are multiplied by √d_model: the paper, AT and TF. Optional in Marian.
    #[serde(default = "yes")]
    pub scale_embeddings: bool,
    /// True if the vectors of padding are zero: TF. AT leaves them as they are.
    pub zero_padding: bool,
    /// The activation function of the feed-forward layers: ReLU in AT and TF, mostly Swish in Marian.
    pub activation: Activation,
    /// How embedding matrices are initialised. AT: Xavier-uniform, like every matrix. TF: N(0, 1/d_model).
    pub embedding_init: EmbeddingInit,
}

/// How scores are blocked, and which targets are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Masks {
    /// AT: a mask of 1 and 0; blocked scores *become* −1e9. The decoder's mask blocks padding and future.
    Fill,
    /// TF: a bias of 0 and −1e9 is *added* to the scores. The decoder's bias blocks only the future.
    Bias,
}

/// How the decoder is kept from reading the token that it has to predict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shift {
    /// AT: the caller cuts the ids, `tgt[:, :-1]` against `tgt[:, 1:]`, and the first is a start token.
    Ids,
    /// TF: the model shifts the *embeddings* by one and puts a vector of zeros in front.
    Embeddings,
}

/// The wavelengths of the position table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Waves {
    /// Those of the [`Layout`]: the paper, AT, TF.
    #[default]
    OfLayout,
    /// The paper's in any layout: Marian, with the layout in halves.
    Paper,
    /// No waves, so that all positions are the same, which shows why positions are needed.
    None,
}

/// What the decoder reads before the first token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// A start token with its own vector: AT.
    #[default]
    Own,
    /// The vector of padding, instead of the start token's: Marian.
    Padding,
}

/// Which of the three embedding matrices are tied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tying {
    /// None: AT as it runs.
    None,
    /// All three: the paper, TF. Needs one vocabulary for both languages.
    All,
}

/// How an embedding matrix is initialised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EmbeddingInit {
    /// Uniform within ±√(6 / (rows + columns)).
    Xavier,
    /// Normal with standard deviation 1/√d_model, which scaling by √d_model brings to 1.
    Normal,
}

/// Keys of a [`Config`] that do not decide what a trained model computes from its weights, or that the shapes of its
/// tensors show, and the activation function, to another of which the weights adapt.
const NO_FORM: [&str; 13] = [
    "src_vocab",
    "tgt_vocab",
    "layers",
    "encoder_layers",
    "d_ff",
    "encoder_d_ff",
    "dropout",
    "inner_dropout",
    "max_len",
    "activation",
    "embedding_init",
    "projection_bias",
    "feed_forward_bias",
];

impl Config {
    /// Returns the first key in which a trained model is of another form than this one, so that its weights cannot
    /// serve here, with both values.
    pub fn other_form(&self, trained: &Self) -> Option<String> {
        let [ours, theirs] =
            [self, trained].map(|config| serde_json::to_value(config).expect("plain data"));
        let keys = ours.as_object()?.keys();
        let mut form = keys.filter(|key| !NO_FORM.contains(&key.as_str()));
        let key = form.find(|key| ours.get(key) != theirs.get(key))?;
        let [here, there] = [&ours, &theirs].map(|config| &config[key]);
        Some(format!(
            "{key} is {there} in the model and {here} with these settings"
        ))
    }

    /// The Annotated Transformer at the paper's base size.
    pub fn annotated(src_vocab: usize, tgt_vocab: usize) -> Self {
        Self {
            src_vocab,
            tgt_vocab,
            layers: 6,
            encoder_layers: None,
            d_model: 512,
            d_ff: 2048,
            encoder_d_ff: None,
            heads: 8,
            dropout: 0.1,
            inner_dropout: None,
            max_len: 5000,
            norm_place: NormPlace::Pre,
            deviation: Deviation::Unbiased,
            epsilon: 1e-6,
            projection_bias: Bias::Uniform,
            feed_forward_bias: Bias::Uniform,
            positions: Layout::Interleaved,
            waves: Waves::OfLayout,
            first_position: 0,
            masks: Masks::Fill,
            shift: Shift::Ids,
            start: Start::Own,
            tying: Tying::None,
            generator_bias: Bias::Uniform,
            scale_embeddings: true,
            zero_padding: false,
            activation: Activation::Relu,
            embedding_init: EmbeddingInit::Xavier,
        }
    }

    /// Google's official TensorFlow Transformer, version 2, at the paper's base size.
    pub fn tensorflow(vocab: usize) -> Self {
        Self {
            deviation: Deviation::Population,
            projection_bias: Bias::None,
            feed_forward_bias: Bias::Zero,
            positions: Layout::Halves,
            masks: Masks::Bias,
            shift: Shift::Embeddings,
            tying: Tying::All,
            generator_bias: Bias::None,
            zero_padding: true,
            embedding_init: EmbeddingInit::Normal,
            ..Self::annotated(vocab, vocab)
        }
    }

    /// The paper's own model at its base size (Vaswani et al. 2017): post-norm, one tied table, and, as in
    /// its formulas, attention maps without bias.
    pub fn paper(vocab: usize) -> Self {
        Self {
            norm_place: NormPlace::Post,
            deviation: Deviation::Population,
            projection_bias: Bias::None,
            ..Self::annotated(vocab, vocab).tied()
        }
    }

    /// The form of the published opus-mt models at their usual size: post-norm, a bias everywhere, one tied table, the
    /// paper's waves in halves.
    pub fn marian(vocab: usize) -> Self {
        Self {
            max_len: 512,
            norm_place: NormPlace::Post,
            deviation: Deviation::Population,
            epsilon: 1e-5,
            projection_bias: Bias::Zero,
            feed_forward_bias: Bias::Zero,
            positions: Layout::Halves,
            waves: Waves::Paper,
            masks: Masks::Bias,
            start: Start::Padding,
            tying: Tying::All,
            generator_bias: Bias::Zero,
            activation: Activation::Silu,
            embedding_init: EmbeddingInit::Normal,
            ..Self::annotated(vocab, vocab)
        }
    }

    /// True if the position table holds the paper's waves with the sines in the first half of the columns and the
    /// cosines in the second.
    pub fn halves_of_the_papers_waves(&self) -> bool {
        self.waves == Waves::Paper && self.positions == Layout::Halves
    }

    /// The position table `[rows, d_model]`.
    pub fn position_table(&self, rows: usize) -> Tensor {
        if self.waves == Waves::None {
            return Tensor::zeros(&[rows, self.d_model]);
        }
        if self.halves_of_the_papers_waves() {
            let table = position_table(rows, self.d_model, Layout::Interleaved);
            let half = self.d_model / 2;
            return Tensor::from_fn(&[rows, self.d_model], |i| {
                table.at(&[i[0], 2 * (i[1] % half) + i[1] / half])
            });
        }
        position_table(rows, self.d_model, self.positions)
    }

    /// Number of layers in the encoder.
    pub fn encoder_layers(&self) -> usize {
        self.encoder_layers.unwrap_or(self.layers)
    }

    /// The inner width of the encoder's feed-forward layers.
    pub fn encoder_d_ff(&self) -> usize {
        self.encoder_d_ff.unwrap_or(self.d_ff)
    }

    /// The same options with other sizes, equal for encoder and decoder.
    #[must_use]
    pub fn sized(self, layers: usize, d_model: usize, d_ff: usize, heads: usize) -> Self {
        Self {
            layers,
            encoder_layers: None,
            d_model,
            d_ff,
            encoder_d_ff: None,
            heads,
            ..self
        }
    }

    /// Ties all three tables and removes the generator's bias.
    #[must_use]
    pub fn tied(self) -> Self {
        Self {
            tying: Tying::All,
            generator_bias: Bias::None,
            ..self
        }
    }
}

fn yes() -> bool {
    true
}
