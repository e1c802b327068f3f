//! The translator that comes with the program: German to English, trained on the phrasebook.

use std::ops::Deref;
use std::path::Path;
use std::sync::OnceLock;

use super::checkpoint::{self, Translator};

const FOLDER: &str = "assets/phrasebook";
static WEIGHTS: &[u8] = include_bytes!("../../assets/phrasebook/model.safetensors");
static TOKENIZER: &str = include_str!("../../assets/phrasebook/tokenizer.json");

/// The translator of assets/phrasebook, which is a part of the program itself: no file is read. The first call takes a
/// few milliseconds.
pub fn translator() -> &'static Translator {
    static TRANSLATOR: OnceLock<Translator> = OnceLock::new();
    TRANSLATOR.get_or_init(|| {
        checkpoint::parse(Path::new(FOLDER), WEIGHTS, TOKENIZER)
            .unwrap_or_else(|e| panic!("the built-in model cannot be used: {e}"))
    })
}

/// The built-in translator or one that was read or trained.
pub enum Loaded {
    /// See [`translator`].
    BuiltIn,
    /// Another one.
    Own(Box<Translator>),
}

impl Deref for Loaded {
    type Target = Translator;

    fn deref(&self) -> &Translator {
        match self {
            Self::BuiltIn => translator(),
            Self::Own(translator) => translator,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_translator_knows_the_phrasebooks_words() {
        let t = translator();
        assert_eq!(t.pipeline.unknown("Der alte Mann schläft ."), 0);
        assert_eq!(t.model.config.layers, 2);
    }
}
