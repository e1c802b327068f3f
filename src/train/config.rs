//! How a translator is trained, as a file or as `--set key=value`: every key, its default, and what it must be.

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

/// Everything that decides a run but the corpus. The same corpus, config and seed give the same bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainConfig {
    /// `annotated`, the Annotated Transformer's layers with the settings below, or `marian`, the form of the published
    /// opus-mt models.
    pub form: Form,
    /// Layers of the decoder, and of the encoder.
    pub layers: usize,
    /// Layers of the encoder, where they are another number; 0: as many. Needs `form = marian`.
    pub encoder_layers: usize,
    /// The width of the model.
    pub d_model: usize,
    /// The inner width of the feed-forward layers.
    pub d_ff: usize,
    /// Heads of every attention.
    pub heads: usize,
    /// The bend of the feed-forward layers: `relu`, or another of the names in `nn::activation`.
    pub activation: Activation,
    /// Dropout of embeddings and sublayers.
    pub dropout: f32,
    /// Dropout of attention's weights and of the feed-forward layer's inner cells.
    pub inner_dropout: f32,
    /// `pre` or `post`; Marian's form is `post`.
    pub norm: NormPlace,
    /// One table for source, target and generator; needs `joint`. Marian's form has one.
    pub tied: bool,

    /// Pairs that are drawn from the phrasebook, where it is the corpus.
    pub pairs: usize,
    /// What is done to the source before it is cut: `blanks`, `english`, `german`.
    pub source: Prepare,
    /// What is done to the target.
    pub target: Prepare,
    /// Whether text becomes lower case.
    pub lowercase: bool,
    /// Merges of subwords; 0 keeps words whole.
    pub merges: usize,
    /// Pieces of one unigram model of SentencePiece for both languages, in the place of merges; 0 for none.
    pub pieces: usize,
    /// The power of subword regularisation: in every pass, a cut into pieces is drawn by its likelihood to this power
    /// (Kudo 2018). 0 takes the likeliest.
    pub sampling: f32,
    /// The share of German source sentences that are spelled as people type, otherwise in every pass.
    pub typing: f32,
    /// The share of pairs whose names are made up anew in every pass, so that the model learns to copy names.
    pub names: f32,
    /// Sentences with drawn names, numbers and words of the dictionary that every pass has, for each pair of the corpus;
    /// they are German and English.
    pub patterns: f32,
    /// Of the dictionary's phrases, the share that a pass has. Needs `--dictionary`, as the next two.
    pub phrases: f32,
    /// Single words of the dictionary that a pass has, for each pair of the corpus.
    pub words: f32,
    /// The last part of training in which phrases and words become fewer until none is left.
    pub fade: f32,
    /// One set of merges and one vocabulary for both languages.
    pub joint: bool,
    /// How often a word must occur to be known.
    pub min_count: usize,
    /// The longest sentence, in tokens.
    pub max_length: usize,

    /// The most tokens of a batch: sentences times the longest of them.
    pub batch_tokens: usize,
    /// Batches that make one update.
    pub accumulate: usize,
    /// Updates.
    pub steps: usize,
    /// `noam`, `inverse-sqrt`, `constant`, `cosine`.
    pub schedule: ScheduleKind,
    /// The highest learning rate; for `noam` the factor.
    pub rate: f64,
    /// Updates until the rate is at its highest.
    pub warmup: usize,
    /// The last updates, in which the rate goes down to 0 in a straight line; 0 for none.
    pub cooldown: usize,
    /// Adam's: how much of the mean gradient is kept.
    pub beta1: f32,
    /// How much of the mean square is kept.
    pub beta2: f32,
    /// Added to the root.
    pub epsilon: f32,
    /// AdamW's share of the weights that a step takes away; 0 is Adam.
    pub decay: f32,
    /// The largest gradient norm; larger ones are scaled down to it. 0 does not clip.
    pub clip: f64,
    /// ε of label smoothing.
    pub smoothing: f32,
    /// Over which words it is spread: `all`, `others`, `no-padding`.
    pub spread: Spread,

    /// Updates between two measurements on the held-out corpus, each with a checkpoint.
    pub evaluate_every: usize,
    /// Checkpoints that are kept beside the best.
    pub keep: usize,
    /// Measurements without a new best until training stops; 0 goes on.
    pub patience: usize,
    /// Parts of a batch. Other numbers give other rounding; the number of threads does not.
    pub shards: usize,
    /// Decides the first weights, dropout and the order of sentences.
    pub seed: u64,
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
        }
    }
}

/// Whose form a model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The Annotated Transformer's layers.
    Annotated,
    /// That of the published opus-mt models.
    Marian,
}

/// A named configuration.
pub struct Preset {
    /// Its name: `--preset multi30k`.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Its keys.
    pub config: fn() -> TrainConfig,
}

/// All of them; the first is the default.
pub const PRESETS: [Preset; 4] = [
    Preset {
        name: "phrasebook",
        about: "German to English on the built-in phrasebook, in two minutes",
        config: TrainConfig::default,
    },
    Preset {
        name: "multi30k",
        about: "the published recipe for Multi30k, 2.57 million parameters (Wu et al. 2021)",
        config: || TrainConfig {
            layers: 4,
            dropout: 0.3,
            norm: NormPlace::Post,
            tied: true,
            merges: 10_000,
            joint: true,
            batch_tokens: 8192,
            steps: 8000,
            schedule: ScheduleKind::InverseSqrt,
            rate: 0.005,
            warmup: 2000,
            epsilon: 1e-8,
            clip: 25.0,
            smoothing: 0.1,
            evaluate_every: 60,
            keep: 10,
            ..TrainConfig::default()
        },
    },
    Preset {
        name: "everyday",
        about: "the built-in German to English translator, on Tatoeba and a dictionary: five hours on two cores",
        config: || TrainConfig {
            form: Form::Marian,
            layers: 2,
            encoder_layers: 4,
            d_model: 256,
            d_ff: 768,
            dropout: 0.1,
            pieces: 5000,
            sampling: 0.5,
            typing: 0.5,
            names: 0.5,
            patterns: 0.28,
            phrases: 1.0,
            words: 0.05,
            fade: 0.2,
            batch_tokens: 4096,
            steps: 25_000,
            schedule: ScheduleKind::InverseSqrt,
            rate: 0.0025,
            warmup: 2000,
            cooldown: 6000,
            smoothing: 0.1,
            evaluate_every: 500,
            keep: 8,
            ..TrainConfig::default()
        },
    },
    Preset {
        name: "copy",
        about: "the Annotated Transformer's first example: learn to copy ten numbers",
        config: || TrainConfig {
            d_model: 64,
            d_ff: 128,
            batch_tokens: 960,
            steps: 400,
            schedule: ScheduleKind::Noam,
            rate: 1.0,
            warmup: 100,
            smoothing: 0.0,
            evaluate_every: 100,
            keep: 1,
            ..TrainConfig::default()
        },
    },
];

/// The keys that stay what they were when a run goes on.
const FIXED: [&str; 23] = [
    "form",
    "activation",
    "patterns",
    "phrases",
    "words",
    "encoder_layers",
    "pieces",
    "layers",
    "d_model",
    "d_ff",
    "heads",
    "norm",
    "tied",
    "pairs",
    "source",
    "target",
    "lowercase",
    "merges",
    "joint",
    "min_count",
    "max_length",
    "batch_tokens",
    "seed",
];

/// The keys that Marian's form leaves no choice about: norms after the sums, one table, pieces for both languages.
const SETTLED_BY_MARIAN: [&str; 6] = ["norm", "tied", "lowercase", "merges", "joint", "min_count"];

impl TrainConfig {
    /// The preset named `name`.
    pub fn preset(name: &str) -> Option<Self> {
        let preset = PRESETS.iter().find(|preset| preset.name == name)?;
        Some((preset.config)())
    }

    /// Every key.
    pub fn keys() -> Vec<String> {
        Self::default().table().keys().cloned().collect()
    }

    /// Gives `key` the value that `text` says. The error says what it must be.
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
        // `rate=1` means 1.0.
        if let (Some(toml::Value::Float(_)), toml::Value::Integer(whole)) = (table.get(key), &value)
        {
            value = toml::Value::Float(*whole as f64);
        }
        table.insert(key.to_owned(), value);
        let read: Result<Self, _> = table.try_into();
        *self = read.map_err(|e| format!("{key}={text}: {}", e.message()))?;
        Ok(())
    }

    /// What a file of keys says, over these values. The error names the line.
    ///
    /// Files of Marian's form that were written before there was `activation` mean SiLU.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut table: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        if table.get("form").and_then(toml::Value::as_str) == Some("marian") {
            table.entry("activation").or_insert("silu".into());
            table.retain(|key, _| !SETTLED_BY_MARIAN.contains(&key));
        }
        // Errors of the whole text name the line.
        let _: Self = toml::from_str(text).map_err(|e| e.to_string())?;
        table.try_into().map_err(|e| e.to_string())
    }

    /// As a file, without the keys that the form settles.
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

    /// Whether the form leaves no choice about this key.
    fn settles(&self, key: &str) -> bool {
        self.form == Form::Marian && SETTLED_BY_MARIAN.contains(&key)
    }

    /// Whether a run that was begun with these settings can go on with `other`. The error names the first that may
    /// not change: it decides the model, the text, or which batch is the next.
    pub fn same_run(&self, other: &Self) -> Result<(), String> {
        let [ours, theirs] = [self, other].map(Self::table);
        let mut fixed = FIXED.iter().filter(|key| !self.settles(key));
        match fixed.find(|key| ours.get(**key) != theirs.get(**key)) {
            Some(key) => Err(format!("{key} ({}, here {})", ours[*key], theirs[*key])),
            None => Ok(()),
        }
    }

    /// Why no run can begin with it.
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
        if !marian && self.encoder_layers > 0 {
            return Err("encoder_layers needs form = marian".to_owned());
        }
        if self.pieces > 0 && self.merges > 0 {
            return Err(
                "merges and pieces are two ways to cut words; one of them must be 0".to_owned(),
            );
        }
        if self.sampling > 0.0 && self.pieces == 0 {
            return Err("sampling needs pieces: only they have likelihoods".to_owned());
        }
        self.model(5, 5).check()
    }

    /// The model, for vocabularies of these sizes.
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

    /// How its text becomes ids.
    pub fn learning(&self) -> Learning {
        // Only German can be spelled as people type it, so German rules apply even where the text needs no other
        // preparation.
        let source = match self.pieces > 0 && self.typing > 0.0 {
            true => Prepare::German,
            false => self.source,
        };
        Learning {
            prepare: (source, self.target),
            lowercase: self.lowercase,
            merges: self.merges,
            pieces: self.pieces,
            joint: self.joint,
            min_count: self.min_count,
            limit: None,
        }
    }

    /// The learning rate's curve.
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

    /// How much its sentences vary from pass to pass.
    pub fn variation(&self) -> Amount {
        Amount {
            sampling: self.sampling,
            typing: self.typing,
            names: self.names,
        }
    }

    /// What every pass has beside the corpus.
    pub fn supplement(&self) -> Share {
        Share {
            phrases: self.phrases,
            words: self.words,
            patterns: self.patterns,
            fade: self.fade,
        }
    }

    /// How a step runs.
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
