//! The training configuration, read from a file or from `--set key=value`: every key, its default and its limits.

mod effect;
mod presets;
mod span;

pub use effect::Surroundings;
pub use presets::{PRESETS, Preset};
pub use span::Span;

use serde::{Deserialize, Serialize};

use super::schedule::{Schedule, ScheduleKind};
use super::step::StepOptions;
use crate::data::supplement::Share;
use crate::data::variation::Amount;
use crate::nn::activation::Activation;
use crate::nn::linear::Bias;
use crate::nn::residual::NormPlace;
use crate::ops::{Deviation, Spread};
use crate::text::pipeline::{Learning, Prepare};
use crate::transformer::Config;
use crate::transformer::config::{EmbeddingInit, Tying};

/// Everything that determines a run except the corpus. The same corpus, config and seed give the same bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainConfig {
    /// `annotated` (the Annotated Transformer's layers with the settings below) or `marian` (the form of the published
    /// opus-mt models).
    pub form: Form,
    /// Number of layers in the decoder, and in the encoder unless `encoder_layers` differs.
    pub layers: usize,
    /// Number of layers in the encoder; 0 for the same as in the decoder. Needs `form = marian`.
    pub encoder_layers: usize,
    /// Width of the model.
    pub d_model: usize,
    /// Inner width of the feed-forward layers.
    pub d_ff: usize,
    /// Number of heads in each attention layer.
    pub heads: usize,
    /// Activation function of the feed-forward layers: `relu` or another name in `nn::activation`.
    pub activation: Activation,
    /// Dropout on embeddings and sublayer outputs.
    pub dropout: f32,
    /// Dropout on attention weights and on the inner units of the feed-forward layers.
    pub inner_dropout: f32,
    /// Where LayerNorm is applied: `pre` or `post`. Marian's form is `post`.
    pub norm: NormPlace,
    /// True if source, target and generator share one embedding matrix; needs `joint`. In Marian's form they do.
    pub tied: bool,

    /// Number of pairs to take from the phrasebook, if it is the corpus.
    pub pairs: usize,
    /// Preparation of the source before it is cut into tokens: `blanks`, `english` or `german`.
    pub source: Prepare,
    /// Preparation of the target.
    pub target: Prepare,
    /// True if text is converted to lower case.
    pub lowercase: bool,
    /// Number of subword merges (BPE); 0 keeps words whole.
    pub merges: usize,
    /// Number of pieces in one SentencePiece unigram model for both languages, used instead of merges; 0 for none.
    pub pieces: usize,
    /// Exponent of subword regularisation: in every epoch, a segmentation into pieces is drawn in proportion to its
    /// likelihood raised to this power (Kudo 2018). 0 always takes the most likely.
    pub sampling: f32,
    /// Fraction of German source sentences that are respelled as people type them, differently in every epoch.
    pub typing: f32,
    /// Fraction of pairs whose names are replaced with new ones in every epoch, so that the model learns to copy names.
    pub names: f32,
    /// Generated German and English sentence pairs added to every epoch, per pair of the corpus, with randomly drawn
    /// names, numbers and dictionary words.
    pub patterns: f32,
    /// Fraction of the dictionary's phrases added to an epoch. Needs `--dictionary`, as do the next two.
    pub phrases: f32,
    /// Single dictionary words added to an epoch, per pair of the corpus.
    pub words: f32,
    /// Fraction of training, at its end, over which the numbers of phrases and words fall to 0.
    pub fade: f32,
    /// True if both languages share one set of merges and one vocabulary.
    pub joint: bool,
    /// Number of times a word must occur to enter the vocabulary.
    pub min_count: usize,
    /// Maximum length of a sentence, in tokens.
    pub max_length: usize,

    /// Maximum size of a batch in tokens: the number of sentences times the length of the longest.
    pub batch_tokens: usize,
    /// Number of batches per update.
    pub accumulate: usize,
    /// Number of updates.
    pub steps: usize,
    /// Shape of the learning rate schedule: `noam`, `inverse-sqrt`, `constant` or `cosine`.
    pub schedule: ScheduleKind,
    /// Peak learning rate; for `noam`, the factor.
    pub rate: f64,
    /// Number of updates until the rate reaches its peak.
    pub warmup: usize,
    /// Number of updates at the end over which the rate falls linearly to 0; 0 for none.
    pub cooldown: usize,
    /// Fraction of Adam's mean gradient that is kept at each step.
    pub beta1: f32,
    /// Fraction of Adam's mean square that is kept at each step.
    pub beta2: f32,
    /// Added to the square root in Adam to avoid division by 0.
    pub epsilon: f32,
    /// Weight decay of AdamW; 0 is Adam.
    pub decay: f32,
    /// Maximum norm of the gradient, which is scaled down if it is larger; 0 for no clipping.
    pub clip: f64,
    /// ε of label smoothing.
    pub smoothing: f32,
    /// Tokens over which ε is distributed: `all`, `others` or `no-padding`.
    pub spread: Spread,

    /// Number of updates between measurements on the held-out corpus, each of which writes a checkpoint.
    pub evaluate_every: usize,
    /// Number of checkpoints to keep in addition to the best.
    pub keep: usize,
    /// Number of measurements without a new best after which training stops; 0 for no early stopping.
    pub patience: usize,
    /// Number of shards per batch. It affects rounding, while the number of threads does not.
    pub shards: usize,
    /// Seed of the initial weights, of dropout and of the order of sentences.
    pub seed: u64,

    /// What held instead of these settings during earlier updates, oldest first; see [`Span`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Span>,
}

impl Default for TrainConfig {
    /// The phrasebook preset.
    fn default() -> Self {
        Self {
            form: Form::Annotated,
            layers: 2,
            encoder_layers: 0,
            d_model: 128,
            d_ff: 256,
            heads: 4,
            activation: Activation::Relu,
            dropout: 0.0,
            inner_dropout: 0.0,
            norm: NormPlace::Pre,
            tied: false,
            pairs: 100_000,
            source: Prepare::Blanks,
            target: Prepare::Blanks,
            lowercase: false,
            merges: 0,
            pieces: 0,
            sampling: 0.0,
            typing: 0.0,
            names: 0.0,
            patterns: 0.0,
            phrases: 0.0,
            words: 0.0,
            fade: 0.0,
            joint: false,
            min_count: 1,
            max_length: 100,
            batch_tokens: 2048,
            accumulate: 1,
            steps: 2000,
            schedule: ScheduleKind::Cosine,
            rate: 0.002,
            warmup: 200,
            cooldown: 0,
            beta1: 0.9,
            beta2: 0.98,
            epsilon: 1e-9,
            decay: 0.0,
            clip: 1.0,
            smoothing: 0.05,
            spread: Spread::All,
            evaluate_every: 250,
            keep: 3,
            patience: 0,
            shards: 4,
            seed: 1,
            before: Vec::new(),
        }
    }
}

/// The architecture that a model follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The Annotated Transformer's layers.
    Annotated,
    /// The form of the published opus-mt models.
    Marian,
}

/// Keys that must not change when a run resumes.
const FIXED: &str = "form activation patterns phrases words encoder_layers pieces layers d_model d_ff heads norm \
    tied pairs source target lowercase merges joint min_count max_length batch_tokens seed";

impl TrainConfig {
    /// Returns the names of all keys.
    pub fn keys() -> Vec<String> {
        Self::default().table().keys().cloned().collect()
    }

    /// Sets `key` to the value written in `text`. The error explains what it must be.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), String> {
        let mut table = self.table();
        let line = format!("value = {text}");
        let quoted = || format!("value = {text:?}");
        let value = line
            .parse::<toml::Table>()
            .or_else(|_| quoted().parse::<toml::Table>());
        let mut value = value
            .map_err(|e| e.to_string())?
            .remove("value")
            .expect("it was just written");
        // TOML reads the 1 of `rate=1` as an integer, but the field is a float.
        if let (Some(toml::Value::Float(_)), toml::Value::Integer(whole)) = (table.get(key), &value)
        {
            value = toml::Value::Float(*whole as f64);
        }
        table.insert(key.to_owned(), value);
        let parsed: Result<Self, _> = table.try_into();
        *self = parsed.map_err(|e| format!("{key}={text}: {}", e.message()))?;
        Ok(())
    }

    /// Reads a file of keys; keys that it leaves out have their defaults. The error names the line.
    ///
    /// Files of Marian's form from before `activation` was a key mean SiLU.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut table: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        if table.get("form").and_then(toml::Value::as_str) == Some("marian") {
            table.entry("activation").or_insert("silu".into());
        }
        let config: Self = table.try_into().map_err(|unnamed| {
            // An error from a table does not name the line; the same one from the text does.
            let error = toml::from_str::<Self>(text).err().unwrap_or(unnamed);
            error.to_string()
        })?;
        Ok(match config.form {
            Form::Annotated => config,
            Form::Marian => {
                let mut own = config.table();
                own.retain(|key, _| !config.settles(key));
                own.try_into().expect("fewer keys of a config")
            }
        })
    }

    /// Converts it to TOML, without the keys that the form determines.
    pub fn to_toml(&self) -> String {
        let text = toml::to_string(self).expect("a config is plain data");
        let lines = text.split_inclusive('\n');
        let settled = |line: &&str| {
            line.split(" = ")
                .next()
                .is_some_and(|key| self.settles(key))
        };
        lines.filter(|line| !settled(line)).collect()
    }

    fn table(&self) -> toml::Table {
        toml::Table::try_from(self).expect("a config is plain data")
    }

    /// Checks that a run begun with these settings can resume with `other`. The error names the first key that differs
    /// but must not, because it determines the model, the text or the order of the batches.
    pub fn same_run(&self, other: &Self) -> Result<(), String> {
        let [ours, theirs] = [self, other].map(Self::table);
        let mut fixed = FIXED.split(' ').filter(|key| !self.settles(key));
        match fixed.find(|key| ours.get(*key) != theirs.get(*key)) {
            Some(key) => Err(format!("{key} ({}, here {})", ours[key], theirs[key])),
            None => Ok(()),
        }
    }

    /// Checks that a run can begin with these settings. The error explains why it cannot.
    pub fn check(&self) -> Result<(), String> {
        self.within_limits()?;
        if self.tied && !self.joint {
            return Err(
                "tied needs joint: one table serves both languages only with one vocabulary"
                    .to_owned(),
            );
        }
        let marian = self.form == Form::Marian;
        if marian != (self.pieces > 0) {
            return Err(
                "form = marian and pieces need each other: Marian's words are pieces of SentencePiece, for example \
                 --set form=marian --set pieces=8000"
                    .to_owned(),
            );
        }
        self.model(5, 5).check()
    }

    /// Returns the model's configuration for vocabularies of these sizes.
    pub fn model(&self, src_vocab: usize, tgt_vocab: usize) -> Config {
        let max_len = self.max_length + 64;
        if self.form == Form::Marian {
            return Config {
                encoder_layers: (self.encoder_layers > 0).then_some(self.encoder_layers),
                dropout: self.dropout,
                inner_dropout: Some(self.inner_dropout),
                activation: self.activation,
                max_len,
                ..Config::marian(src_vocab).sized(self.layers, self.d_model, self.d_ff, self.heads)
            };
        }
        let config = Config {
            dropout: self.dropout,
            inner_dropout: Some(self.inner_dropout),
            activation: self.activation,
            max_len,
            norm_place: self.norm,
            deviation: Deviation::Population,
            embedding_init: EmbeddingInit::Normal,
            projection_bias: Bias::Zero,
            feed_forward_bias: Bias::Zero,
            generator_bias: Bias::Zero,
            tying: Tying::None,
            ..Config::annotated(src_vocab, tgt_vocab).sized(
                self.layers,
                self.d_model,
                self.d_ff,
                self.heads,
            )
        };
        if self.tied { config.tied() } else { config }
    }

    /// Returns how the vocabulary and tokenizer are learned.
    pub fn learning(&self) -> Learning {
        // Only German can be spelled as people type it, so German rules apply even where the text needs no other
        // preparation.
        let source = if self.pieces > 0 && self.typing > 0.0 {
            Prepare::German
        } else {
            self.source
        };
        Learning {
            prepare_source: source,
            prepare_target: self.target,
            lowercase: self.lowercase,
            merges: self.merges,
            pieces: self.pieces,
            joint: self.joint,
            min_count: self.min_count,
            limit: None,
        }
    }

    /// Returns the learning rate schedule.
    pub fn schedule(&self) -> Schedule {
        Schedule {
            kind: self.schedule,
            rate: self.rate,
            warmup: self.warmup,
            cooldown: self.cooldown,
            steps: self.steps,
            d_model: self.d_model,
        }
    }

    /// Returns how much sentences vary from epoch to epoch.
    pub fn variation(&self) -> Amount {
        Amount {
            sampling: self.sampling,
            typing: self.typing,
            names: self.names,
        }
    }

    /// Returns what is added to the corpus in every epoch.
    pub fn supplement(&self) -> Share {
        Share {
            phrases: self.phrases,
            words: self.words,
            patterns: self.patterns,
            fade: self.fade,
        }
    }

    /// Returns the options of a training step.
    pub fn step(&self) -> StepOptions {
        StepOptions {
            smoothing: self.smoothing,
            spread: self.spread,
            shards: self.shards,
        }
    }
}

#[cfg(test)]
mod tests;
