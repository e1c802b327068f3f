//! A line of text as a translator reads it: split into sentences, spelled like its training text, and converted to ids.

use super::pipeline::{Pipeline, Side};
use super::placeholder::{self, Placeholder};
use super::sentencepiece::BLANK;
use super::spelling::{Spelling, with_plain_marks};
use super::tokenize::{self, Language};
use super::vocabulary::{EOS, UNK};

/// A sentence for a translator, as built by every command and lesson that reads a person's text.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// Sentence as written, with the language code of its line.
    pub written: String,
    /// Sentence as the model reads it, with the changes made.
    pub spelling: Spelling,
    /// Words or subwords that the model reads.
    pub tokens: Vec<String>,
    /// Ids of the tokens, followed by the end token.
    pub ids: Vec<u32>,
    /// Parts of `written` that the model does not read, see [`placeholder`].
    pub placeholders: Vec<Placeholder>,
    /// True if it has neither letters nor digits; then it is its own translation.
    pub is_marks: bool,
}

impl Sentence {
    /// Tokens that the model does not know: words, or runs of characters.
    pub fn unknown(&self) -> Vec<String> {
        let tokens = self.tokens.iter().zip(&self.ids);
        let unknown = tokens.filter(|(_, id)| **id == UNK as u32);
        unknown
            .map(|(token, _)| token.trim_start_matches(BLANK).to_owned())
            .collect()
    }

    /// True if a translation contains each placeholder once, and no other.
    pub fn is_kept_by(&self, target: &Side, ids: &[u32]) -> bool {
        let text = target.text(ids);
        let mut symbols: Vec<char> = text
            .chars()
            .filter(|c| placeholder::SYMBOLS.contains(c))
            .collect();
        symbols.sort_unstable();
        symbols
            .into_iter()
            .eq(self.placeholders.iter().map(|one| one.symbol))
    }

    /// True if nothing is left to translate.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// First `most` ids, and whether the end of the sentence had to be left out. Empty for a sentence without words.
    pub fn within(&self, most: usize) -> (Vec<u32>, bool) {
        if self.is_marks || self.is_empty() {
            return (Vec::new(), false);
        }
        let mut ids = self.ids.clone();
        let long = ids.len() > most;
        if long {
            ids.truncate(most.saturating_sub(1));
            ids.push(EOS as u32);
        }
        (ids, long)
    }
}

impl Pipeline {
    /// Reads a line as one sentence.
    pub fn sentence(&self, line: &str) -> Sentence {
        let (_, text) = self.source.language_code(line);
        let (hidden, placeholders) = if self.source.hides() {
            placeholder::hide(line)
        } else {
            (line.to_owned(), Vec::new())
        };
        let spelling = self.source.spelled(&hidden);
        let tokens = self.source.tokens(&spelling.text);
        let mut ids = self.source.ids_of(&tokens);
        ids.push(EOS as u32);
        Sentence {
            written: line.to_owned(),
            spelling,
            tokens,
            ids,
            placeholders,
            is_marks: !text.contains(char::is_alphanumeric),
        }
    }

    /// The translation of a sentence, as people write it, given the ids that the model wrote.
    pub fn translation(&self, sentence: &Sentence, ids: &[u32]) -> String {
        self.finished(sentence, self.target.text(ids))
    }

    /// What becomes of the text that a model wrote: placeholders return, a line without words stays what it is, and a
    /// sentence in double quotes gets double quotes, because models confuse them with single ones.
    pub fn finished(&self, sentence: &Sentence, text: String) -> String {
        if sentence.is_marks {
            let (_, marks) = self.source.language_code(&sentence.written);
            return marks.trim().to_owned();
        }
        let text = placeholder::restore(&text, &sentence.placeholders);
        let source = with_plain_marks(sentence.written.trim());
        if quoted(&source, &['"']).is_none_or(|inner| inner.contains('"')) {
            return text;
        }
        match quoted(&text, &['"', '\'']).filter(|inner| !inner.contains('"')) {
            Some(inner) => format!("\"{inner}\""),
            None => text,
        }
    }

    /// Splits a text into sentences if the model was trained on single sentences, which holds for models with
    /// SentencePiece. Other models read the text as one sentence, as does a text without any sentence.
    ///
    /// The rules of the source language decide where sentences end. A language code at the start of a line applies to
    /// each of its sentences.
    pub fn sentences(&self, text: &str) -> Vec<Sentence> {
        let mut all = Vec::new();
        if self.source.pieces.is_some() {
            let rules = self.source.language.as_deref().and_then(Language::of_code);
            for line in text.lines() {
                let (code, rest) = self.source.language_code(line.trim_start());
                let coded = |sentence: &str| match code {
                    Some(code) => format!("{code} {sentence}"),
                    None => sentence.to_owned(),
                };
                let parts = tokenize::sentences(rest, rules).into_iter();
                all.extend(parts.map(|part| self.sentence(&coded(part))));
            }
        }
        if all.is_empty() {
            all.push(self.sentence(text));
        }
        all
    }
}

/// What is between the `marks` at both ends of a text.
fn quoted<'a>(text: &'a str, marks: &[char]) -> Option<&'a str> {
    let inner = text.strip_prefix(marks)?.strip_suffix(marks)?;
    Some(inner).filter(|inner| !inner.is_empty())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::text::marian::Ids;
    use crate::text::sentencepiece::SentencePiece;
    use crate::train::built_in::BuiltIn;

    /// A model in Marian's format with `codes` among its words.
    fn multilingual(codes: &[&str], language: &str) -> Pipeline {
        let pieces: Vec<(String, f32)> = ['▁', 'G', 'd', 'H', 'i', 'o', '.', '?', ',']
            .iter()
            .map(|c| (c.to_string(), -2.0))
            .collect();
        let words = ["</s>", "<unk>"].into_iter().map(str::to_owned);
        let words = words.chain(pieces.iter().map(|(piece, _)| piece.clone()));
        let words = words.chain(
            codes
                .iter()
                .chain(&["<pad>"])
                .map(|word| (*word).to_owned()),
        );
        let words: Vec<String> = words.collect();
        let ids = Ids::new(words.len(), words.len() - 1, 0, 1).unwrap();
        let model = Arc::new(SentencePiece::of(&pieces).unwrap());
        let pipeline = Pipeline::published(&words, ids, model.clone(), model);
        pipeline.between([Some(language.to_owned()), None])
    }

    fn written(pipeline: &Pipeline, text: &str) -> Vec<String> {
        let all = pipeline.sentences(text).into_iter();
        all.map(|sentence| sentence.written).collect()
    }

    #[test]
    fn every_sentence_of_a_line_has_the_lines_language_code() {
        let pipeline = multilingual(&[">>fra<<", ">>por<<"], "en");
        assert_eq!(
            written(&pipeline, ">>por<< Good. Good?\nHi. Hi."),
            [">>por<< Good.", ">>por<< Good?", "Hi.", "Hi."]
        );
        let code = pipeline.source.vocabulary.id(">>por<<") as u32;
        for sentence in pipeline.sentences(">>por<< Good. Hi?") {
            assert_eq!(sentence.ids[0], code);
            assert!(sentence.unknown().is_empty(), "{sentence:?}");
        }
    }

    #[test]
    fn a_language_code_that_the_model_does_not_have_is_unknown_and_quotes_are_text() {
        let pipeline = multilingual(&[">>fra<<"], "en");
        assert_eq!(pipeline.sentence(">>deu<< Hi.").unknown(), [">>deu<<"]);
        // Without codes there are only quotes, and none of their words is lost.
        let pipeline = multilingual(&[], "en");
        for line in [">>Hi<< Good.", "Good >>Hi<<.", ">>Hi<<, Good, >>Hi<<."] {
            let tokens = pipeline.sentence(line).tokens.concat();
            assert_eq!(tokens.matches("Hi").count(), line.matches("Hi").count());
        }
    }

    #[test]
    fn the_everyday_model_reads_other_ways_to_write_as_the_plain_one() {
        let pipeline = &BuiltIn::Everyday.translator().pipeline;
        for (written, plain) in [
            (
                "Ich habe >>keine Zeit<< und <<Geld>>.",
                "Ich habe \"keine Zeit\" und \"Geld\".",
            ),
            ("Er sagte: „Komm her!“", "Er sagte: \"Komm her!\""),
            ("Er sagte: »Komm her!«", "Er sagte: \"Komm her!\""),
            ("Wie geht’s dir?", "Wie geht's dir?"),
            ("Wie geht‘s dir?", "Wie geht's dir?"),
            ("Das Wörter\u{ad}buch ist gut.", "Das Wörterbuch ist gut."),
            ("Das Wörter\u{200b}buch ist gut.", "Das Wörterbuch ist gut."),
            (
                "Das Wörter\u{2060}buch\u{feff} ist gut.",
                "Das Wörterbuch ist gut.",
            ),
            (
                "Ich gehe nach Hause – jetzt.",
                "Ich gehe nach Hause - jetzt.",
            ),
            (
                "Ich\u{2009}gehe\u{202f}nach\u{a0}Hause.",
                "Ich gehe nach Hause.",
            ),
            ("Ｈａｌｌｏ Ｔｏｍ！", "Hallo Tom!"),
            ("Scho\u{308}ne Gru\u{308}ße.", "Schöne Grüße."),
        ] {
            let sentence = pipeline.sentence(written);
            assert_eq!(sentence.spelling.text, plain, "{written}");
            assert_eq!(sentence.ids, pipeline.sentence(plain).ids, "{written}");
        }
    }

    #[test]
    fn a_line_of_marks_is_copied_and_a_quoted_sentence_keeps_double_quotes() {
        let pipeline = &BuiltIn::Everyday.translator().pipeline;
        for line in [".", "…", "\"", "(", " - ", "!?", "– – –", "€", ""] {
            let sentence = pipeline.sentence(line);
            assert!(sentence.within(100).0.is_empty(), "{line}");
            assert_eq!(pipeline.translation(&sentence, &[]), line.trim());
        }
        for (line, written, finished) in [
            ("„Guten Morgen!“", "'Good morning!'", "\"Good morning!\""),
            ("»Guten Morgen!«", "'Good morning!\"", "\"Good morning!\""),
            ("\"Guten Morgen!\"", "Good morning!", "Good morning!"),
            ("„Ja“ und „Nein“", "'Yes' and 'No'", "'Yes' and 'No'"),
            ("‚Guten Morgen!‘", "'Good morning!'", "'Good morning!'"),
            ("„Sag ‚Ja‘!“", "'Say \"yes\"!'", "'Say \"yes\"!'"),
        ] {
            let sentence = pipeline.sentence(line);
            assert_eq!(
                pipeline.finished(&sentence, written.to_owned()),
                finished,
                "{line}"
            );
        }
    }

    #[test]
    fn a_sentence_that_is_too_long_is_cut_and_keeps_its_end() {
        let pipeline = multilingual(&[], "en");
        let sentence = pipeline.sentence("Good.");
        assert_eq!(sentence.within(100), (sentence.ids.clone(), false));
        let (ids, long) = sentence.within(3);
        assert!(long && ids.len() == 3 && ids[2] == EOS as u32);
        assert_eq!(pipeline.sentence("  ").within(3), (vec![], false));
    }
}
