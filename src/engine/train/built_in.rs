//! The German-to-English translators that come with the program.

use std::ops::Deref;
use std::path::Path;
use std::sync::OnceLock;

use super::checkpoint::{self, Translator};

/// A translator that is compiled into the program, so that no file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// The everyday model in `assets/everyday`, which has Marian's form: sentences as people say them.
    Everyday,
    /// The phrasebook model in `assets/phrasebook`: 898 German words, and sentences whose true alignment is known.
    Phrasebook,
}

impl BuiltIn {
    /// All built-in translators, the default first.
    pub const ALL: [Self; 2] = [Self::Everyday, Self::Phrasebook];

    /// Name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everyday => "everyday",
            Self::Phrasebook => "phrasebook",
        }
    }

    /// Description for titles.
    pub fn about(self) -> &'static str {
        match self {
            Self::Everyday => "the everyday model that comes with the program",
            Self::Phrasebook => "the phrasebook model that comes with the program",
        }
    }

    /// Returns the translator with this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Returns the model, ready to translate. The first call takes a few milliseconds.
    pub fn translator(self) -> &'static Translator {
        static EVERYDAY: OnceLock<Translator> = OnceLock::new();
        static PHRASEBOOK: OnceLock<Translator> = OnceLock::new();
        let cell = match self {
            Self::Everyday => &EVERYDAY,
            Self::Phrasebook => &PHRASEBOOK,
        };
        cell.get_or_init(|| {
            let files = self.files();
            checkpoint::parse(Path::new(files.folder), files.weights, files.tokenizer)
                .unwrap_or_else(|e| panic!("the model of {} cannot be used: {e}", files.folder))
        })
    }

    /// Returns its files.
    pub fn files(self) -> tutor_models::Model {
        match self {
            Self::Everyday => tutor_models::everyday(),
            Self::Phrasebook => tutor_models::PHRASEBOOK,
        }
    }
}

/// A built-in translator, or one that was read or trained.
pub enum Loaded {
    /// One of those that come with the program.
    BuiltIn(BuiltIn),
    /// A translator that was read or trained.
    Own(Box<Translator>),
}

impl Deref for Loaded {
    type Target = Translator;

    fn deref(&self) -> &Translator {
        match self {
            Self::BuiltIn(model) => model.translator(),
            Self::Own(translator) => translator,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrasebook_model_knows_the_phrasebooks_words() {
        let t = BuiltIn::Phrasebook.translator();
        assert_eq!(
            t.pipeline
                .sentence("Der alte Mann schläft .")
                .unknown()
                .len(),
            0
        );
        assert_eq!(t.model.config.layers, 2);
    }

    #[test]
    fn the_everyday_model_is_of_marians_form_and_knows_every_letter_and_digit() {
        let t = BuiltIn::Everyday.translator();
        assert_eq!(
            crate::data::marian::differences(&t.model.config),
            Vec::<String>::new()
        );
        let german = ('a'..='z').chain('A'..='Z').chain('0'..='9');
        let all: String = german.chain("äöüÄÖÜß.,!?-:;'\"„“%".chars()).collect();
        assert_eq!(t.pipeline.sentence(&all).unknown(), Vec::<String>::new());
    }

    #[test]
    fn every_name_finds_its_model() {
        for model in BuiltIn::ALL {
            assert_eq!(BuiltIn::named(model.name()), Some(model));
        }
        assert_eq!(BuiltIn::named("built-in"), None);
    }
}
