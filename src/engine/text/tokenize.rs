//! Splitting of text into words and punctuation, and joining them again, by the rules of the Moses scripts.

mod abbreviations;
mod detokenize;
mod escape;
mod normalize;
mod sentences;
mod split;

pub use abbreviations::abbreviations;
pub use escape::{escape, unescape};
pub use normalize::{Form, normalize, normalize_punctuation};
pub use sentences::sentences;

/// A language with known rules for apostrophes, quotes and abbreviations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
}

impl Language {
    /// Language for a code in a model's files (ISO 639), if its rules are known.
    pub fn of_code(code: &str) -> Option<Self> {
        match code {
            "en" | "eng" => Some(Self::English),
            "de" | "deu" | "ger" => Some(Self::German),
            _ => None,
        }
    }

    /// Name of the language.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "German",
        }
    }

    /// Two-letter code of the language.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }
}

/// Splits text into tokens and joins them again.
///
/// The steps have the order of Multi30k's preparation: lower case, normalised punctuation, tokens.
/// Unlike Moses' `tokenizer.perl`, it leaves `'`, `"` and `&` as they are; [`escape()`] turns them
/// into `&apos;`, `&quot;` and `&amp;`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokenizer {
    /// Language whose rules apply.
    pub language: Language,
    /// True if text is converted to lower case before anything else.
    pub lowercase: bool,
}

impl Tokenizer {
    /// Splits text into tokens: `I don't know.` becomes `I`, `don`, `'t`, `know`, `.`
    ///
    /// Text is first normalised to NFC, so that `a` and `¨` become `ä`.
    pub fn tokenize(&self, text: &str) -> Vec<String> {
        let composed = normalize(text, Form::Nfc);
        let cased = if self.lowercase {
            composed.to_lowercase()
        } else {
            composed
        };
        split::split(&normalize_punctuation(&cased, self.language), self.language)
    }

    /// Unescapes tokens and joins them, with blanks where the language has them.
    pub fn detokenize(&self, tokens: &[impl AsRef<str>]) -> String {
        let tokens: Vec<_> = tokens
            .iter()
            .map(|token| unescape(token.as_ref()))
            .collect();
        detokenize::detokenize(&tokens, self.language)
    }
}

#[cfg(test)]
mod tests;
