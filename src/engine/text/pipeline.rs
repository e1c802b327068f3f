//! Conversion of a line of text to ids and back, for both languages of a translator; `stored` keeps it beside the
//! weights.

mod stored;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ndarray_rand::rand::Rng;
use serde::{Deserialize, Serialize};

use super::added::{self, AddedToken, Part};
use super::bpe::{self, Bpe};
use super::sentencepiece::{self, Scored, SentencePiece};
use super::spelling::{self, Spelling};
use super::tokenize::{Form, Language, Tokenizer, normalize};
use super::vocabulary::{BOS, EOS, UNK, Vocabulary};
use super::{marian, placeholder};

/// What is done to a line before it is split into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prepare {
    /// Nothing: the words are already separated by blanks.
    Blanks,
    /// English by the rules of the Moses scripts.
    English,
    /// German by the rules of the Moses scripts.
    German,
}

impl Prepare {
    /// The language whose rules these are.
    fn language(self) -> Option<Language> {
        match self {
            Self::Blanks => None,
            Self::English => Some(Language::English),
            Self::German => Some(Language::German),
        }
    }

    /// Code of that language.
    fn code(self) -> Option<String> {
        let language = self.language();
        language.map(|language| language.code().to_owned())
    }

    /// The tokenizer of that language.
    fn tokenizer(self, lowercase: bool) -> Option<Tokenizer> {
        self.language().map(|language| Tokenizer {
            language,
            lowercase,
        })
    }
}

/// One language of a translator: how its text becomes ids, and ids become text.
#[derive(Clone, Debug)]
pub struct Side {
    /// Language code as in a model's files: `de`, `fra`, `mul`. It decides where sentences end.
    pub language: Option<String>,
    /// What is done to each line first.
    pub prepare: Prepare,
    /// True if text is converted to lower case.
    pub lowercase: bool,
    /// Merges of byte-pair encoding; `None` keeps words whole.
    pub bpe: Option<Arc<Bpe>>,
    /// A SentencePiece model, which does all of this itself.
    pub pieces: Option<Arc<SentencePiece>>,
    /// Words or subwords by id.
    pub vocabulary: Arc<Vocabulary>,
    /// Tokens that were added to the vocabulary of a published model.
    pub added: Arc<[AddedToken]>,
    /// Ids of the same tokens in the model's own files, if they differ.
    pub ids: Option<Arc<marian::Ids>>,
}

impl Side {
    /// Side of a published Marian model, given its words by Marian's ids.
    pub fn published(
        words: &[String],
        ids: Arc<marian::Ids>,
        pieces: Arc<SentencePiece>,
        added: Arc<[AddedToken]>,
    ) -> Self {
        let rest = (UNK + 1..ids.len()).map(|id| words[ids.theirs(id as u32) as usize].clone());
        Self {
            language: None,
            prepare: Prepare::Blanks,
            lowercase: false,
            bpe: None,
            pieces: Some(pieces),
            vocabulary: Arc::new(Vocabulary::listed(rest)),
            added,
            ids: Some(ids),
        }
    }

    fn tokenizer(&self) -> Option<Tokenizer> {
        self.prepare.tokenizer(self.lowercase)
    }

    /// Words of a line before it is split into subwords, for comparison with a reference.
    pub fn words(&self, line: &str) -> String {
        if self.pieces.is_some() {
            return line.to_owned();
        }
        prepared(line, self.prepare, self.lowercase)
    }

    /// Words or subwords of a line.
    pub fn tokens(&self, line: &str) -> Vec<String> {
        if let Some(pieces) = &self.pieces {
            let (code, rest) = self.language_code(line);
            let code = code.map(str::to_owned).into_iter();
            let parts = added::split(rest, &self.added).into_iter();
            let tokens = parts.flat_map(|part| match part {
                Part::Text(text) => pieces.encode(text),
                Part::Token(token) => vec![token.to_owned()],
            });
            return code.chain(tokens).collect();
        }
        let words = self.words(line);
        let pieces = self
            .bpe
            .as_ref()
            .map_or(words.clone(), |bpe| bpe.apply(&words));
        pieces.split_whitespace().map(str::to_owned).collect()
    }

    /// Splits a line into its leading language code, if the model has such tokens, and the rest. Other models read
    /// `>>so<<` as text.
    pub(super) fn language_code<'a>(&self, line: &'a str) -> (Option<&'a str>, &'a str) {
        let known = |code: &str| {
            let mut words = self.vocabulary.words().iter();
            self.vocabulary.id(code) != UNK || words.any(|word| marian::is_language_code(word))
        };
        let code = self.pieces.as_ref().and(marian::language_code(line));
        match code.filter(|(code, _)| known(code)) {
            Some((code, rest)) => (Some(code), rest),
            None => (None, line),
        }
    }

    /// Rewrites a line as people type it in the form that the model was trained on. If SentencePiece segments without
    /// normalising, characters absent from the training text are replaced, see [`spelling::in_known_characters`], unless
    /// it spells them as bytes. All other text only loses invisible characters inside words. If words are separated by
    /// spaces, punctuation attached to an unknown word is split off.
    pub fn spelled(&self, line: &str) -> Spelling {
        let (code, rest) = self.language_code(line);
        let mut spelling = match &self.pieces {
            Some(pieces) if !pieces.changes() && !pieces.spells_bytes() => {
                // A model that reads no tags knows < and > from quotes only: `>>so<<`.
                let is_quote = |c| self.hides() && matches!(c, '<' | '>');
                let weight = |c| if is_quote(c) { 0.0 } else { pieces.weight(c) };
                spelling::in_known_characters(rest, weight)
            }
            _ => spelling::without_invisible(rest),
        };
        if self.prepare == Prepare::Blanks && !self.in_subwords() {
            let words = spelling.text.split_whitespace();
            let words: Vec<String> = words.map(|word| self.split_punctuation(word)).collect();
            spelling.text = words.join(" ");
        }
        spelling.text.insert_str(0, code.unwrap_or_default());
        spelling
    }

    /// True if addresses, long numbers and the like are replaced by symbols, see [`placeholder`].
    pub fn hides(&self) -> bool {
        self.pieces.as_deref().is_some_and(placeholder::known)
    }

    /// True if words are split into smaller pieces.
    pub fn in_subwords(&self) -> bool {
        self.bpe.is_some() || self.pieces.is_some()
    }

    /// Puts blanks before the punctuation marks that end a word, if the vocabulary knows the word only without them.
    fn split_punctuation(&self, word: &str) -> String {
        let knows = |word: &str| self.vocabulary.id(&self.words(word)) != UNK;
        // If the vocabulary has only the composed form of a word, use that.
        let word = &*if knows(word) {
            word.to_owned()
        } else {
            normalize(word, Form::Nfc)
        };
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        if knows(word) || bare.is_empty() {
            return word.to_owned();
        }
        let marks = word[bare.len()..].chars().map(String::from);
        let parts: Vec<String> = std::iter::once(bare.to_owned()).chain(marks).collect();
        // Splitting helps only if the model knows the punctuation marks.
        if parts[1..].iter().all(|mark| knows(mark)) {
            parts.join(" ")
        } else {
            word.to_owned()
        }
    }

    /// Ids of a line's words or subwords, without start and end tokens.
    pub fn ids(&self, line: &str) -> Vec<u32> {
        self.ids_of(&self.tokens(line))
    }

    /// Like [`ids`](Self::ids), but with a segmentation drawn at random if the pieces have probabilities, see
    /// [`SentencePiece::sample`].
    pub fn sampled_ids(&self, line: &str, power: f64, rng: &mut impl Rng) -> Vec<u32> {
        match &self.pieces {
            Some(pieces) => self.ids_of(&pieces.sample(line, power, rng)),
            None => self.ids(line),
        }
    }

    /// Ids of tokens.
    pub(super) fn ids_of(&self, tokens: &[String]) -> Vec<u32> {
        let id = |token: &String| match self.vocabulary.id(token) {
            // Text that spells a special token is not one.
            id if id <= EOS && self.pieces.is_some() => UNK as u32,
            id => id as u32,
        };
        tokens.iter().map(id).collect()
    }

    /// Words with these ids, separated by blanks; start, end and padding are left out.
    pub fn joined(&self, ids: &[u32]) -> String {
        let real = ids.iter().map(|&id| id as usize).filter(|&id| id > EOS);
        if let Some(pieces) = &self.pieces {
            let special = added::special_ids(&self.added, &self.vocabulary);
            // Hugging Face's tokenizer leaves out unknown tokens as well.
            let known = real.filter(|id| *id != UNK && !special.contains(id));
            return pieces.decode(known.map(|id| self.vocabulary.word(id)));
        }
        let tokens: Vec<&str> = real.map(|id| self.vocabulary.word(id)).collect();
        let line = tokens.join(" ");
        if self.bpe.is_some() {
            bpe::join(&line)
        } else {
            line
        }
    }

    /// Text with these ids, as people write it.
    pub fn text(&self, ids: &[u32]) -> String {
        let line = self.joined(ids);
        match self.tokenizer() {
            Some(tokenizer) => tokenizer.detokenize(&line.split_whitespace().collect::<Vec<_>>()),
            None => line,
        }
    }
}

/// Words of a line after `prepare`, separated by blanks.
pub fn prepared(line: &str, prepare: Prepare, lowercase: bool) -> String {
    if let Some(tokenizer) = prepare.tokenizer(lowercase) {
        return tokenizer.tokenize(line).join(" ");
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = words.join(" ");
    if lowercase { line.to_lowercase() } else { line }
}

/// Both languages of a translator.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The language that is read.
    pub source: Side,
    /// The language that is written.
    pub target: Side,
}

/// How a [`Pipeline`] is learned from a corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    /// What is done first to the source.
    pub prepare_source: Prepare,
    /// What is done first to the target.
    pub prepare_target: Prepare,
    /// True if text is converted to lower case.
    pub lowercase: bool,
    /// Number of merges to learn; 0 keeps words whole.
    pub merges: usize,
    /// Number of pieces of one unigram model for both languages, in place of merges; 0 for none.
    pub pieces: usize,
    /// True if both languages share merges and vocabulary.
    pub joint: bool,
    /// Minimum count of a word in the vocabulary.
    pub min_count: usize,
    /// Maximum size of the vocabulary, without special tokens.
    pub limit: Option<usize>,
}

impl Pipeline {
    /// Learns subwords and vocabularies from the lines of both languages.
    pub fn learn(source: &[String], target: &[String], learning: &Learning) -> Self {
        if learning.pieces > 0 {
            let lines = source.iter().chain(target).map(String::as_str);
            let learned = Self::of_pieces(&sentencepiece::learn(lines, learning.pieces));
            return learned.between([
                learning.prepare_source.code(),
                learning.prepare_target.code(),
            ]);
        }
        let ready = |lines: &[String], prepare| -> Vec<String> {
            lines
                .iter()
                .map(|line| prepared(line, prepare, learning.lowercase))
                .collect()
        };
        let (src, tgt) = (
            ready(source, learning.prepare_source),
            ready(target, learning.prepare_target),
        );
        let merges = |lines: &[&[String]]| {
            let lines = lines
                .iter()
                .flat_map(|lines| lines.iter())
                .map(String::as_str);
            (learning.merges > 0).then(|| Arc::new(Bpe::learn(lines, learning.merges, 2)))
        };
        let count = |lines: &[(&[String], &Option<Arc<Bpe>>)]| {
            let cut = |(lines, bpe): &(&[String], &Option<Arc<Bpe>>)| -> Vec<String> {
                let apply = |line: &String| {
                    bpe.as_ref()
                        .map_or_else(|| line.clone(), |bpe| bpe.apply(line))
                };
                lines.iter().map(apply).collect()
            };
            let all: Vec<String> = lines.iter().flat_map(cut).collect();
            Arc::new(Vocabulary::counted(
                all.iter().map(String::as_str),
                learning.min_count,
                learning.limit,
            ))
        };
        let side = |prepare: Prepare, bpe, vocabulary| Side {
            language: prepare.code(),
            prepare,
            lowercase: learning.lowercase,
            bpe,
            pieces: None,
            vocabulary,
            added: Arc::default(),
            ids: None,
        };
        let (one, other, words, others);
        if learning.joint {
            one = merges(&[&src, &tgt]);
            words = count(&[(&src, &one), (&tgt, &one)]);
            (other, others) = (one.clone(), words.clone());
        } else {
            (one, other) = (merges(&[&src]), merges(&[&tgt]));
            words = count(&[(&src, &one)]);
            others = count(&[(&tgt, &other)]);
        }
        Self {
            source: side(learning.prepare_source, one, words),
            target: side(learning.prepare_target, other, others),
        }
    }

    /// Pipeline of one unigram model for both languages, with its vocabulary in Marian's order: the end, unknown, the
    /// pieces, padding. Panics if the pieces are not a valid model.
    pub fn of_pieces(pieces: &[Scored]) -> Self {
        Self::try_pieces(pieces).unwrap_or_else(|why| panic!("pieces that were learned: {why}"))
    }

    fn try_pieces(pieces: &[Scored]) -> Result<Self, String> {
        let words = ["</s>", "<unk>"].into_iter();
        let words = words.chain(pieces.iter().map(|(piece, _)| piece.as_str()));
        let words: Vec<String> = words.chain(["<pad>"]).map(str::to_owned).collect();
        let ids = marian::Ids::new(words.len(), words.len() - 1, 0, 1);
        let ids = ids.expect("three specials have three ids");
        let model = Arc::new(SentencePiece::of(pieces)?);
        Ok(Self::published(&words, ids, model.clone(), model))
    }

    /// Pipeline of a published Marian model with one vocabulary, given its words by Marian's ids and its two
    /// SentencePiece models.
    pub fn published(
        words: &[String],
        ids: marian::Ids,
        source: Arc<SentencePiece>,
        target: Arc<SentencePiece>,
    ) -> Self {
        let source = Side::published(words, Arc::new(ids), source, Arc::default());
        let target = Side {
            pieces: Some(target),
            ..source.clone()
        };
        Self { source, target }
    }

    /// Number of words in the source's and the target's vocabulary.
    pub fn vocabulary_sizes(&self) -> (usize, usize) {
        let [source, target] = [&self.source, &self.target].map(|side| side.vocabulary.len());
        (source, target)
    }

    /// The same pipeline with a piece for every character that lacks one and occurs in at least `min_count` of the
    /// lines, so that a trained model can go on with new text. The new pieces follow the old ones, which keep their
    /// ids. Only pieces that were learned here, for both languages at once, can grow; other pipelines stay as they are.
    #[must_use]
    pub fn with_characters<'a>(
        &self,
        lines: impl IntoIterator<Item = &'a str>,
        min_count: usize,
    ) -> Self {
        let (Some(ours), Some(theirs)) = (&self.source.pieces, &self.target.pieces) else {
            return self.clone();
        };
        if ours.bytes() != theirs.bytes() || ours.changes() {
            return self.clone();
        }
        let mut counts: BTreeMap<char, usize> = BTreeMap::new();
        for line in lines {
            let characters: BTreeSet<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
            for character in characters {
                *counts.entry(character).or_default() += 1;
            }
        }
        let mut pieces = ours.scored();
        let least = pieces.iter().map(|(_, score)| *score);
        let least = least.fold(f32::MAX, f32::min);
        let new = counts
            .into_iter()
            .filter(|&(c, count)| count >= min_count && ours.weight(c) == 0.0);
        pieces.extend(new.map(|(c, _)| (c.to_string(), least)));
        let languages = [&self.source, &self.target].map(|side| side.language.clone());
        Self::of_pieces(&pieces).between(languages)
    }

    /// How a pipeline like this one is learned.
    pub fn learning(&self) -> Learning {
        let prepare = |side: &Side| match (&side.pieces, side.language.as_deref()) {
            (Some(_), Some("de")) => Prepare::German,
            (Some(_), Some("en")) => Prepare::English,
            _ => side.prepare,
        };
        let Side { bpe, pieces, .. } = &self.source;
        Learning {
            prepare_source: prepare(&self.source),
            prepare_target: prepare(&self.target),
            lowercase: self.source.lowercase,
            merges: bpe.as_ref().map_or(0, |bpe| bpe.merges().len()),
            pieces: pieces.as_ref().map_or(0, |pieces| pieces.scored().len()),
            joint: !self.is_separate(),
            min_count: 1,
            limit: None,
        }
    }

    /// True if source and target have a vocabulary each.
    pub fn is_separate(&self) -> bool {
        !Arc::ptr_eq(&self.source.vocabulary, &self.target.vocabulary)
    }

    /// The same pipeline with language codes, the source's first.
    pub fn between(mut self, [source, target]: [Option<String>; 2]) -> Self {
        (self.source.language, self.target.language) = (source, target);
        self
    }

    /// Source ids of a line as the encoder reads them, with an end token. A line typed by a person goes through
    /// [`sentence`](Self::sentence).
    pub fn source_ids(&self, line: &str) -> Vec<u32> {
        let mut ids = self.source.ids(line);
        ids.push(EOS as u32);
        ids
    }

    /// Target ids of a line, with start and end tokens.
    pub fn target_ids(&self, line: &str) -> Vec<u32> {
        let mut ids = vec![BOS as u32];
        ids.extend(self.target.ids(line));
        ids.push(EOS as u32);
        ids
    }
}

#[cfg(test)]
mod tests;
