//! What a setting needs to have an effect: the one table from which the refusals and their test come.

use super::{Form, TrainConfig};
use crate::text::pipeline::{Learning, Prepare};

/// What a run has besides its settings.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// True if the corpus is the phrasebook.
    pub phrasebook: bool,
    /// True if there is a dictionary.
    pub dictionary: bool,
    /// Vocabulary of the model that the run begins with.
    pub vocabulary: Option<Learning>,
}

/// What a setting needs.
#[derive(Clone, Copy)]
enum Need {
    /// This form of model.
    Form(Form),
    /// The phrasebook as corpus.
    Phrasebook,
    /// A dictionary beside the corpus.
    Dictionary,
    /// A vocabulary learned from the text.
    OwnVocabulary,
    /// One of these settings above 0.
    AnyOf(&'static [&'static str]),
    /// Text with names, which the phrasebook does not have.
    Names,
    /// Source text that is not respelled as people type German.
    NotTyped,
}

/// Settings that Marian's form determines: LayerNorm after the sums, one embedding matrix, pieces shared by both
/// languages.
pub(super) const SETTLED_BY_MARIAN: [&str; 6] =
    ["norm", "tied", "lowercase", "merges", "joint", "min_count"];

/// Settings that have no effect without what they need. All others always have one.
const NEEDS: [(Need, &[&str]); 10] = [
    (Need::Form(Form::Annotated), &SETTLED_BY_MARIAN),
    (Need::Form(Form::Marian), &["encoder_layers"]),
    (Need::Phrasebook, &["pairs"]),
    (Need::Dictionary, &["phrases", "words", "fade"]),
    (
        Need::OwnVocabulary,
        &[
            "source",
            "target",
            "lowercase",
            "merges",
            "pieces",
            "joint",
            "min_count",
        ],
    ),
    (Need::Names, &["names"]),
    (Need::NotTyped, &["source"]),
    (Need::AnyOf(&["pieces"]), &["sampling"]),
    (Need::AnyOf(&["smoothing"]), &["spread"]),
    (Need::AnyOf(&["phrases", "words"]), &["fade"]),
];

impl TrainConfig {
    /// True if the form determines the value of this key.
    pub(super) fn settles(&self, key: &str) -> bool {
        self.form == Form::Marian && SETTLED_BY_MARIAN.contains(&key)
    }

    /// Returns the settings that hold in these surroundings: where one has no effect, the value that the run has instead.
    #[must_use]
    pub fn within(&self, around: &Surroundings) -> Self {
        let mut held = self.clone();
        if let Some(vocabulary) = &around.vocabulary {
            held.source = vocabulary.prepare_source;
            held.target = vocabulary.prepare_target;
            held.lowercase = vocabulary.lowercase;
            held.merges = vocabulary.merges;
            held.pieces = vocabulary.pieces;
            held.joint = vocabulary.joint;
            held.min_count = vocabulary.min_count;
        } else if !self.has(Need::NotTyped, around) {
            held.source = Prepare::German;
        }
        let defaults = Self::default().table();
        let mut table = held.table();
        for (need, keys) in NEEDS {
            // These are in place, and what Marian's form determines is in no file.
            let is_done = matches!(
                need,
                Need::OwnVocabulary | Need::NotTyped | Need::Form(Form::Annotated)
            );
            if !is_done && !held.has(need, around) {
                for key in keys {
                    table.insert((*key).to_owned(), defaults[*key].clone());
                }
            }
        }
        table.try_into().expect("values of configs")
    }

    /// Checks that each of these keys, which the user has set, has an effect. The error names all that have none, and
    /// what they need. A key whose value is the one that holds anyway is no error, unless the form determines it.
    pub fn effective<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a str>,
        around: &Surroundings,
    ) -> Result<(), String> {
        let [wanted, held] = [self, &self.within(around)].map(Self::table);
        let mut reasons: Vec<String> = Vec::new();
        for key in keys {
            let mut needs = NEEDS.iter().filter(|(_, keys)| keys.contains(&key));
            let unmet = needs.find(|(need, _)| !self.has(*need, around));
            let Some((need, _)) = unmet else { continue };
            let reason = need.reason(key, &held);
            if (self.settles(key) || wanted.get(key) != held.get(key)) && !reasons.contains(&reason)
            {
                reasons.push(reason);
            }
        }
        match reasons[..] {
            [] => Ok(()),
            _ => Err(format!(
                "{}; leave out what has no effect",
                reasons.join("; ")
            )),
        }
    }

    /// True if the run has what a setting needs.
    fn has(&self, need: Need, around: &Surroundings) -> bool {
        match need {
            Need::Form(form) => self.form == form,
            Need::Phrasebook => around.phrasebook,
            Need::Dictionary => around.dictionary,
            Need::OwnVocabulary => around.vocabulary.is_none(),
            Need::Names => !around.phrasebook || around.dictionary || self.patterns > 0.0,
            Need::NotTyped => self.pieces == 0 || self.typing == 0.0,
            Need::AnyOf(keys) => {
                let table = self.table();
                let above_0 = |key: &&str| match &table[*key] {
                    toml::Value::Integer(n) => *n > 0,
                    toml::Value::Float(x) => *x > 0.0,
                    _ => false,
                };
                keys.iter().any(above_0)
            }
        }
    }
}

impl Need {
    /// Says what `key` needs, given the settings that hold.
    fn reason(self, key: &str, held: &toml::Table) -> String {
        match self {
            Self::Form(Form::Annotated) => format!("form = marian determines {key}"),
            Self::Form(Form::Marian) => format!("{key} needs form = marian"),
            Self::Phrasebook => format!("{key} needs the phrasebook as the corpus"),
            Self::Dictionary => format!("{key} needs --dictionary"),
            Self::OwnVocabulary => {
                format!(
                    "the model of --from determines {key}, which is {}",
                    held[key]
                )
            }
            Self::Names => format!("{key} needs text with names: your own, or patterns above 0"),
            Self::NotTyped => "typing respells German, so source is german".to_owned(),
            Self::AnyOf(keys) => format!("{key} needs {} above 0", keys.join(" or ")),
        }
    }
}
