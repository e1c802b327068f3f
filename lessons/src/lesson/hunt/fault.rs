//! The faults that the hunt can hide: their names, the parts they can sit in, and their descriptions from
//! `faults.toml`.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::train::built_in::BuiltIn;
use crate::transformer::heads::AttentionKind;

/// What is under suspicion: a model or a training run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// The everyday model, with a fault in its code, its files or its weights.
    Model,
    /// A training run of a small model on the copy task.
    Training,
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// No position encoding is added.
    NoPositions,
    /// Embeddings are not multiplied by √d_model.
    NoEmbeddingScale,
    /// Source token ids are one too high.
    ShiftedIds,
    /// The generator has its own matrix, which was never trained.
    Untied,
    /// W_O of one attention is transposed.
    TransposedOutput,
    /// Source padding is attended to.
    NoSourceMask,
    /// The decoder's self-attention sees the future.
    NoFutureMask,
    /// One attention does not divide its scores by √d_k.
    NoScale,
    /// One sublayer omits its residual connection.
    NoResidual,
    /// One LayerNorm does not multiply by its scale.
    NormWithoutScale,
    /// Every target token has position 0.
    RestartedPositions,
    /// Cross-attention reads the memory of the previous sentence.
    StaleMemory,
    /// Dropout stays on during evaluation.
    DropoutOn,
    /// One decoder layer also sees the next token.
    MaskOffByOne,
    /// Positions on one side are counted from 1.
    PositionsOffByOne,
    /// The columns of the positional encoding are permuted.
    PositionColumns,
    /// The heads of one attention are combined channel by channel.
    HeadsOrder,
    /// The weights are the average of two models.
    AveragedModels,
    /// The feed-forward layers use a different activation function.
    WrongActivation,
    /// W_K and W_V of one attention are swapped.
    KeyForValue,
    /// The labels are two positions ahead of the decoder's input.
    ShiftedTwice,
    /// One part of the model is never updated.
    FrozenPart,
    /// Adam's two moments were swapped when the run was resumed.
    SwappedMoments,
    /// Padding counts towards the loss.
    PaddingInLoss,
    /// The learning rate is at its peak from the first step.
    NoWarmUp,
    /// Gradients accumulate over all steps.
    GradientsKept,
    /// Adam's moments lack the bias correction.
    NoBiasCorrection,
}

/// Description of a fault.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Name, as the learner types it.
    pub name: Kind,
    /// What it is a fault of.
    pub subject: Subject,
    /// Where it can sit, see [`Kind::places`]; `every …` stands for several places.
    places: Vec<String>,
    /// Difficulty, 1 to 3.
    pub level: u8,
    /// Description in one line.
    pub title: String,
    /// Report by the users.
    pub symptom: String,
    /// Explanation of its effect.
    pub why: String,
    /// Lesson that covers it.
    pub lesson: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fault: Vec<Fault>,
}

/// Every fault, in order of level.
pub fn all() -> &'static [Fault] {
    static ALL: LazyLock<Vec<Fault>> = LazyLock::new(|| {
        let file: File = toml::from_str(include_str!("faults.toml"))
            .unwrap_or_else(|e| panic!("faults.toml: {e}"));
        file.fault
    });
    &ALL
}

impl Kind {
    /// Its description. Panics if `faults.toml` has none, which a test detects.
    pub fn fault(self) -> &'static Fault {
        let hit = all().iter().find(|fault| fault.name == self);
        hit.unwrap_or_else(|| panic!("faults.toml has no words for {self:?}"))
    }

    /// The parts in which it can sit; at least one.
    pub fn places(self) -> Vec<String> {
        let place = |place: &String| match place.as_str() {
            "every attention" => AttentionKind::ALL
                .into_iter()
                .flat_map(attentions)
                .collect(),
            "every attention of the decoder" => attentions(AttentionKind::Decoder),
            "every sublayer" => sublayers(),
            "every part" => PARTS.map(str::to_owned).to_vec(),
            place => vec![place.to_owned()],
        };
        self.fault().places.iter().flat_map(place).collect()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for c in format!("{self:?}").chars() {
            if c.is_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.extend(c.to_lowercase());
        }
        f.write_str(&name)
    }
}

/// Parts of the copy task's small model: prefixes of its parameter names.
pub const PARTS: [&str; 6] = [
    "src_embed",
    "tgt_embed",
    "encoder.0",
    "encoder.1",
    "decoder.0",
    "decoder.1",
];

/// A fault at a particular place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Defect {
    /// What is wrong.
    pub kind: Kind,
    /// Where it is: `encoder.1.self_attn`.
    pub place: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.place)
    }
}

/// Every fault of a subject and level at each of its places.
pub fn defects(subject: Subject, level: u8) -> Vec<Defect> {
    let of = |fault: &&Fault| fault.subject == subject && fault.level == level;
    let placed = |fault: &Fault| {
        let kind = fault.name;
        let places = kind.places().into_iter();
        places.map(move |place| Defect { kind, place })
    };
    all().iter().filter(of).flat_map(placed).collect()
}

/// Scope of a place's recorded steps and parameters: `encoder.layers.1.self_attn` for `encoder.1.self_attn`.
pub fn scope(place: &str) -> String {
    match place.split_once('.') {
        Some((stack, rest)) => format!("{stack}.layers.{rest}"),
        None => place.to_owned(),
    }
}

/// Place of a scope; the inverse of [`scope`].
pub fn place(scope: &str) -> String {
    scope.replace(".layers.", ".")
}

/// Places of one kind of attention in the everyday model.
fn attentions(kind: AttentionKind) -> Vec<String> {
    let layers = kind.layers(&BuiltIn::Everyday.translator().model);
    (0..layers).map(|layer| place(&kind.scope(layer))).collect()
}

/// Places of the everyday model's sublayers, in the order of a forward pass.
fn sublayers() -> Vec<String> {
    let config = &BuiltIn::Everyday.translator().model.config;
    let of = |stack: &'static str, layers: usize, parts: &'static [&'static str]| {
        (0..layers).flat_map(move |n| parts.iter().map(move |part| format!("{stack}.{n}.{part}")))
    };
    let encoder = of(
        "encoder",
        config.encoder_layers(),
        &["self_attn", "feed_forward"],
    );
    let decoder = of(
        "decoder",
        config.layers,
        &["self_attn", "src_attn", "feed_forward"],
    );
    encoder.chain(decoder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_named_as_its_words_name_it_and_has_a_place() {
        for fault in all() {
            let name = fault.name.to_string();
            let parsed: Kind = serde_json::from_str(&format!("\"{name}\"")).unwrap();
            assert_eq!(parsed, fault.name);
            assert!(!fault.name.places().is_empty(), "{name}");
            assert!((1..=3).contains(&fault.level), "{name}");
        }
        assert_eq!(all().len(), 27);
    }

    #[test]
    fn places_are_scopes_without_the_word_layers() {
        assert_eq!(scope("encoder.1.self_attn"), "encoder.layers.1.self_attn");
        assert_eq!(place(&scope("decoder.0.src_attn")), "decoder.0.src_attn");
        assert_eq!(scope("tgt_embed"), "tgt_embed");
        assert_eq!(Kind::NoResidual.places().len(), 12);
        assert_eq!(Kind::NoScale.places().len(), 7);
    }
}
