//! SentencePiece models (Kudo and Richardson 2018), the `.spm` files of published translators: text to pieces and back.
//!
//! Unigram and BPE models are read, with the normalisation that is compiled into them. `proto` reads and writes the file,
//! `charsmap` normalises, and `learn` finds the pieces of a new unigram model (Kudo 2018). The search for the likeliest
//! pieces is in this module, the merges of BPE are in `merge`.

mod charsmap;
mod lattice;
mod learn;
mod merge;
mod proto;
mod trie;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use charsmap::CharsMap;
use lattice::Lattice;
pub use learn::{Scored, learn};
use ndarray_rand::rand::Rng;
pub use proto::Cut;
use proto::{Kind, Model};
use trie::Trie;

/// The symbol that SentencePiece writes for a blank: U+2581.
pub const BLANK: &str = "▁";

/// Difference in score between the least likely piece and an unknown character.
const UNKNOWN_PENALTY: f32 = 10.0;

/// A model with its normaliser.
#[derive(Debug)]
pub struct SentencePiece {
    model: Model,
    cut: Cut,
    normalizer: Option<CharsMap>,
    trie: Trie,
    /// True if some pieces are user-defined.
    defined: bool,
    /// Score of a character that is not a piece.
    unknown: f32,
    /// Contents of the file.
    bytes: Vec<u8>,
    /// See [`weight`](Self::weight).
    weights: OnceLock<HashMap<char, f64>>,
}

impl SentencePiece {
    /// Reads the `bytes` of an `.spm` file. The error explains what is wrong with it, or which of its features is not
    /// supported.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, String> {
        let model = Model::parse(&bytes)?;
        let cut = model.readable()?;
        if model.for_others {
            return Self::of(&scored(&model));
        }
        let normalizer = match &model.charsmap[..] {
            [] => None,
            blob => Some(CharsMap::parse(blob)?),
        };
        let mut trie = Trie::default();
        for (n, piece) in model.pieces.iter().enumerate() {
            if !matches!(piece.kind, Kind::Normal | Kind::UserDefined | Kind::Unused) {
                continue;
            }
            if piece.text.is_empty() {
                return Err(format!("its piece {n} is empty"));
            }
            if trie.insert(piece.text.as_bytes(), n as u32).is_some() {
                return Err(format!("it has the piece '{}' twice", piece.text));
            }
        }
        let normal = model.pieces.iter().filter(|p| p.kind == Kind::Normal);
        let least = normal.map(|p| p.score).fold(f32::MAX, f32::min);
        Ok(Self {
            normalizer,
            trie,
            defined: model.pieces.iter().any(|p| p.kind == Kind::UserDefined),
            unknown: least - UNKNOWN_PENALTY,
            cut,
            model,
            bytes,
            weights: OnceLock::new(),
        })
    }

    /// Model with these pieces, which changes no character. The error explains why the pieces are not valid.
    pub fn of(pieces: &[Scored]) -> Result<Self, String> {
        Self::parse(proto::write(pieces))
    }

    /// Contents of a file in which other programs find, besides the pieces, the normalisation that this one applies
    /// itself: `replacements` of strings. A file that was not made here is returned as it is.
    pub fn for_others(&self, replacements: impl FnOnce() -> BTreeMap<String, String>) -> Vec<u8> {
        let pieces = self.scored();
        if self.bytes != proto::write(&pieces) {
            return self.bytes.clone();
        }
        proto::write_normalising(&pieces, &charsmap::compile(&replacements()))
    }

    /// Contents of the model's file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Pieces that text can be split into.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        let normal = self.model.pieces.iter();
        normal
            .filter(|p| matches!(p.kind, Kind::Normal | Kind::UserDefined))
            .map(|p| p.text.as_str())
    }

    /// How text is cut.
    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// True if characters without a piece are spelled as bytes, so that none is unknown.
    pub fn spells_bytes(&self) -> bool {
        self.model.byte_fallback
    }

    /// True if characters are changed before text is split.
    pub fn changes(&self) -> bool {
        self.normalizer.is_some()
    }

    /// Frequency of a character in the text that the pieces were learned from: the sum of the probabilities of all
    /// pieces that contain it. 0 if no piece is exactly this character, because then some texts with it cannot be
    /// segmented. In models without probabilities, all characters that have a piece are equally frequent.
    pub fn weight(&self, character: char) -> f64 {
        if self.cut != Cut::Unigram {
            return f64::from(u8::from(self.has(character)));
        }
        let weights = self.weights.get_or_init(|| {
            let mut weights = HashMap::new();
            for (piece, score) in self.scored() {
                for c in piece.chars() {
                    *weights.entry(c).or_insert(0.0) += f64::from(score).exp();
                }
            }
            weights.retain(|c, _| self.has(*c));
            weights
        });
        weights.get(&character).copied().unwrap_or(0.0)
    }

    /// Mean of a measure over the pieces for which it is not 0, as often as they occur. `None` for models without
    /// probabilities.
    pub fn mean(&self, measure: impl Fn(&str) -> usize) -> Option<f64> {
        let (mut sum, mut all) = (0.0, 0.0);
        for (piece, score) in self.scored() {
            let (size, share) = (measure(&piece), f64::from(score).exp());
            if size > 0 {
                (sum, all) = (sum + share * size as f64, all + share);
            }
        }
        (self.cut == Cut::Unigram && all > 0.0).then(|| sum / all)
    }

    /// True if a piece is exactly this character.
    fn has(&self, character: char) -> bool {
        let mut bytes = [0; 4];
        let bytes = character.encode_utf8(&mut bytes).as_bytes();
        self.trie.exact(bytes).is_some()
    }

    /// Learned pieces that text can be split into, with the logarithms of their probabilities.
    pub fn scored(&self) -> Vec<Scored> {
        scored(&self.model)
    }

    /// Pieces of a line; adjacent characters that no piece has form one piece, or, with byte fallback, one piece for each
    /// byte.
    pub fn encode(&self, line: &str) -> Vec<String> {
        let text = self.normalize(line);
        self.spelled(match self.cut {
            Cut::Unigram => self.likeliest(&text),
            Cut::Bpe => self.merged(&text),
        })
    }

    /// Pieces of a line in a segmentation drawn with a probability proportional to its likelihood to the power of
    /// `power`: subword regularisation (Kudo 2018). Models without probabilities have only one segmentation.
    pub fn sample(&self, line: &str, power: f64, rng: &mut impl Rng) -> Vec<String> {
        if self.cut != Cut::Unigram {
            return self.encode(line);
        }
        let text = self.normalize(line);
        let score = |piece| match self.kind(piece) {
            Kind::Unused => None,
            _ => Some(f64::from(self.model.pieces[piece as usize].score)),
        };
        let lattice = Lattice::new(&text, &self.trie, score, self.unknown.into());
        let path = lattice.sample(power, rng);
        self.spelled(
            path.iter()
                .map(|e| (&text[e.start..e.end], e.piece.is_some())),
        )
    }

    /// Spells unknown characters: as bytes, or adjacent ones as one piece. Each piece comes with whether it is known.
    fn spelled<'t>(&self, pieces: impl IntoIterator<Item = (&'t str, bool)>) -> Vec<String> {
        if !self.spells_bytes() {
            return together(pieces);
        }
        let spelled = pieces.into_iter().flat_map(|(piece, known)| {
            if known {
                vec![piece.to_owned()]
            } else {
                piece
                    .bytes()
                    .map(|byte| format!("<0x{byte:02X}>"))
                    .collect()
            }
        });
        spelled.collect()
    }

    /// Joins pieces into text, with a blank for each [`BLANK`], but none at the ends. Runs of bytes become characters;
    /// bytes that are not UTF-8 become U+FFFD each.
    pub fn decode<'a>(&self, pieces: impl IntoIterator<Item = &'a str>) -> String {
        let (mut text, mut bytes) = (String::new(), Vec::new());
        for piece in pieces {
            match self.byte(piece) {
                Some(byte) => bytes.push(byte),
                None => {
                    add_bytes(&mut text, &mut bytes);
                    text.push_str(piece);
                }
            }
        }
        add_bytes(&mut text, &mut bytes);
        text.replace(BLANK, " ").trim().to_owned()
    }

    /// The byte that a piece of the form `<0xE7>` spells.
    fn byte(&self, piece: &str) -> Option<u8> {
        let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
        let spells = self.spells_bytes() && digits.len() == 2;
        spells.then(|| u8::from_str_radix(digits, 16).ok())?
    }

    /// Prepares a line for segmentation: maps characters, makes runs of blanks one [`BLANK`], and puts one in front.
    fn normalize(&self, line: &str) -> String {
        let model = &self.model;
        let blank = if model.escape_blanks { BLANK } else { " " };
        let mut out = String::with_capacity(line.len() + BLANK.len());
        let mut after_blank = model.remove_extra_blanks;
        let mut rest = line;
        while !rest.is_empty() {
            let (mut piece, taken) = self.prefix(rest);
            rest = &rest[taken..];
            if after_blank {
                piece = piece.trim_start_matches(' ');
            }
            if !piece.is_empty() {
                out.push_str(&piece.replace(' ', blank));
                after_blank = piece.ends_with(' ');
            }
            if !model.remove_extra_blanks {
                after_blank = false;
            }
        }
        if model.remove_extra_blanks {
            out.truncate(out.trim_end_matches(blank).len());
        }
        // A line of only blanks stays empty, without a blank in front.
        let nothing = out.is_empty() && (model.remove_extra_blanks || line.is_empty());
        if !model.dummy_prefix || nothing {
            out
        } else if model.blank_behind {
            out + blank
        } else {
            format!("{blank}{out}")
        }
    }

    /// Replacement for the beginning of `rest`, and how many bytes it replaces.
    fn prefix<'a>(&'a self, rest: &'a str) -> (&'a str, usize) {
        // User-defined pieces stay as they are.
        if let Some(length) = self.user_defined(rest) {
            return (&rest[..length], length);
        }
        let mapped = self.normalizer.as_ref().and_then(|map| map.prefix(rest));
        mapped.unwrap_or_else(|| {
            let length = rest.chars().next().map_or(0, char::len_utf8);
            (&rest[..length], length)
        })
    }

    /// Length of the longest user-defined piece that a text begins with.
    fn user_defined(&self, text: &str) -> Option<usize> {
        if !self.defined {
            return None;
        }
        let all = self.trie.prefixes(text.as_bytes());
        let defined = all.filter(|(_, n)| self.kind(*n) == Kind::UserDefined);
        defined.last().map(|(length, _)| length)
    }

    fn kind(&self, piece: u32) -> Kind {
        self.model.pieces[piece as usize].kind
    }

    /// The segmentation of `text` with the largest sum of scores. Each piece comes with whether it is known.
    fn likeliest<'t>(&self, text: &'t str) -> Vec<(&'t str, bool)> {
        /// Best segmentation that ends at a byte.
        #[derive(Clone, Copy, Default)]
        struct Best {
            score: f32,
            /// Start of its last piece, and whether that is known; `None` while no segmentation ends here.
            last: Option<(usize, bool)>,
        }
        let mut best = vec![Best::default(); text.len() + 1];
        let offer = |best: &mut Best, score: f64, last| {
            // Compare in double precision and store in single, as SentencePiece does.
            if best.last.is_none() || score > f64::from(best.score) {
                *best = Best {
                    score: score as f32,
                    last: Some(last),
                };
            }
        };
        for (at, first) in text.char_indices() {
            let before = best[at].score;
            let mut one = false;
            for (length, piece) in self.trie.prefixes(&text.as_bytes()[at..]) {
                let score = match self.kind(piece) {
                    Kind::Unused => continue,
                    // SentencePiece's score is length · max_score − 0.1, where max_score starts at the smallest
                    // positive float, about 0.
                    Kind::UserDefined => -0.1,
                    _ => f64::from(self.model.pieces[piece as usize].score),
                };
                offer(
                    &mut best[at + length],
                    score + f64::from(before),
                    (at, true),
                );
                one |= length == first.len_utf8();
            }
            if !one {
                let score = f64::from(self.unknown + before);
                offer(&mut best[at + first.len_utf8()], score, (at, false));
            }
        }
        let mut pieces = Vec::new();
        let mut end = text.len();
        while let Some((start, known)) = best[end].last {
            pieces.push((&text[start..end], known));
            end = start;
        }
        pieces.reverse();
        pieces
    }
}

fn scored(model: &Model) -> Vec<Scored> {
    let normal = model.pieces.iter().filter(|p| p.kind == Kind::Normal);
    normal.map(|p| (p.text.clone(), p.score)).collect()
}

/// Adds a run of bytes as characters, and empties it.
fn add_bytes(text: &mut String, bytes: &mut Vec<u8>) {
    let mut rest = &bytes[..];
    while !rest.is_empty() {
        let (valid, behind) = match std::str::from_utf8(rest) {
            Ok(valid) => (valid, &rest[rest.len()..]),
            Err(e) => {
                let (valid, behind) = rest.split_at(e.valid_up_to());
                (std::str::from_utf8(valid).unwrap_or_default(), behind)
            }
        };
        text.push_str(valid);
        rest = behind;
        if let Some((_, behind)) = rest.split_first() {
            text.push('\u{FFFD}');
            rest = behind;
        }
    }
    bytes.clear();
}

/// Joins adjacent unknown characters. Each piece comes with whether it is known.
fn together<'t>(pieces: impl IntoIterator<Item = (&'t str, bool)>) -> Vec<String> {
    let mut joined: Vec<(String, bool)> = Vec::new();
    for (piece, known) in pieces {
        match joined.last_mut() {
            Some((last, false)) if !known => last.push_str(piece),
            _ => joined.push((piece.to_owned(), known)),
        }
    }
    joined.into_iter().map(|(piece, _)| piece).collect()
}
