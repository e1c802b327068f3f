//! Learns the pieces of a unigram model (Kudo 2018). It begins with too many, estimates their probabilities by
//! expectation–maximisation, and repeatedly removes those that would be missed least.

use std::collections::{BTreeMap, HashMap};

use super::BLANK;
use super::lattice::Lattice;
use super::trie::Trie;

/// Maximum number of pieces of several characters with which learning begins.
const SEEDS: usize = 200_000;
/// Maximum length of a piece, in characters.
const LONGEST: usize = 16;
/// Minimum count of a character that becomes a piece.
const RARE: u64 = 5;
/// Share of the pieces that each pruning step keeps.
const KEPT: f64 = 0.75;
/// Minimum expected count of a piece that is kept.
const USED: f64 = 0.5;

/// A piece and the logarithm of its probability.
pub type Scored = (String, f32);

/// Learns the `size` pieces of a unigram model for `lines`, the likeliest first. Returns more only if there are more
/// characters, and fewer only if the text does not yield as many. A piece is a run of letters within a word, or one
/// other character, with or without the blank in front of it.
pub fn learn<'a>(lines: impl IntoIterator<Item = &'a str>, size: usize) -> Vec<Scored> {
    let segments = segments(lines);
    let mut pieces = seeds(&segments);
    loop {
        for _ in 0..2 {
            pieces = expected(&pieces, &segments);
        }
        if pieces.len() <= size.max(characters(&pieces)) {
            break;
        }
        pieces = pruned(pieces, size);
    }
    let mut scored: Vec<Scored> = pieces
        .into_iter()
        .map(|p| (p.text, p.score as f32))
        .collect();
    scored.sort_by(|(a, x), (b, y)| y.total_cmp(x).then_with(|| a.cmp(b)));
    scored
}

#[derive(Clone, Debug)]
struct Piece {
    text: String,
    score: f64,
    /// Expected number of uses over all segmentations of the text.
    count: f64,
}

impl Piece {
    /// True for single characters, which are never removed, so that every word can be spelled.
    fn is_character(&self) -> bool {
        self.text.chars().nth(1).is_none()
    }
}

fn characters(pieces: &[Piece]) -> usize {
    pieces.iter().filter(|p| p.is_character()).count()
}

/// Segments that pieces are cut from, with their counts.
fn segments<'a>(lines: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, u64> {
    let mut words: HashMap<&str, u64> = HashMap::new();
    for word in lines.into_iter().flat_map(str::split_whitespace) {
        *words.entry(word).or_default() += 1;
    }
    let mut segments = BTreeMap::new();
    for (word, times) in words {
        for segment in cut(word) {
            *segments.entry(segment).or_default() += times;
        }
    }
    segments
}

/// Splits a word, with its blank, into runs of letters and single other characters.
fn cut(word: &str) -> Vec<String> {
    let mut parts = vec![BLANK.to_owned()];
    let mut before = None;
    for character in word.chars() {
        let letter = character.is_alphabetic();
        match parts.last_mut() {
            // The first character joins its blank.
            Some(last) if before.is_none_or(|before| before && letter) => last.push(character),
            _ => parts.push(character.into()),
        }
        before = Some(letter);
    }
    parts
}

/// Characters that are not rare, and those of their runs that cover the most text.
fn seeds(segments: &BTreeMap<String, u64>) -> Vec<Piece> {
    let mut alone: BTreeMap<char, u64> = BTreeMap::new();
    for (segment, times) in segments {
        for character in segment.chars() {
            *alone.entry(character).or_default() += times;
        }
    }
    // In a text of a few words, no character counts as rare.
    let rare = if alone.values().any(|times| *times >= RARE) {
        RARE
    } else {
        1
    };
    let known = |text: &str| text.chars().all(|c| alone[&c] >= rare);
    let mut runs: HashMap<&str, u64> = HashMap::new();
    for (segment, times) in segments {
        let starts: Vec<usize> = segment.char_indices().map(|(at, _)| at).collect();
        let ends = starts.iter().copied().skip(1).chain([segment.len()]);
        let ends: Vec<usize> = ends.collect();
        for (n, &start) in starts.iter().enumerate() {
            for &end in ends[n..].iter().take(LONGEST).skip(1) {
                *runs.entry(&segment[start..end]).or_default() += times;
            }
        }
    }
    let mut runs: Vec<(&str, u64)> = runs
        .into_iter()
        .filter(|(run, times)| *times > 1 && known(run))
        .collect();
    let covered = |(run, times): &(&str, u64)| *times * run.chars().count() as u64;
    runs.sort_by(|a, b| covered(b).cmp(&covered(a)).then_with(|| a.0.cmp(b.0)));
    runs.truncate(SEEDS);
    let alone = alone.iter().filter(|(_, times)| **times >= rare);
    let alone = alone.map(|(character, times)| (character.to_string(), *times));
    let runs = runs.into_iter().map(|(run, times)| (run.to_owned(), times));
    let counted: Vec<(String, f64)> = alone
        .chain(runs)
        .map(|(text, times)| (text, times as f64))
        .collect();
    let whole: f64 = counted.iter().map(|(_, count)| count).sum();
    let piece = |(text, count): (String, f64)| Piece {
        text,
        score: (count / whole).ln(),
        count,
    };
    counted.into_iter().map(piece).collect()
}

fn trie(pieces: &[Piece]) -> Trie {
    let mut trie = Trie::default();
    for (n, piece) in pieces.iter().enumerate() {
        trie.insert(piece.text.as_bytes(), n as u32);
    }
    trie
}

/// Score of a character that is not a piece: less than that of the least likely piece.
fn unknown(pieces: &[Piece]) -> f64 {
    pieces.iter().map(|p| p.score).fold(0.0, f64::min) - 10.0
}

/// Pieces with counts and scores after one step of expectation–maximisation. As in SentencePiece, scores are digamma
/// values instead of logarithms, from a variational posterior that penalises rare pieces.
fn expected(pieces: &[Piece], segments: &BTreeMap<String, u64>) -> Vec<Piece> {
    let (trie, unknown) = (trie(pieces), unknown(pieces));
    let mut counts = vec![0.0; pieces.len()];
    for (segment, times) in segments {
        let score = |piece: u32| Some(pieces[piece as usize].score);
        Lattice::new(segment, &trie, score, unknown).expect(*times as f64, &mut counts);
    }
    let counted = pieces.iter().zip(counts);
    let mut kept: Vec<Piece> = counted
        .filter(|(piece, count)| *count >= USED || piece.is_character())
        .map(|(piece, count)| Piece {
            count: count.max(USED),
            ..piece.clone()
        })
        .collect();
    let whole = digamma(kept.iter().map(|piece| piece.count).sum());
    for piece in &mut kept {
        piece.score = digamma(piece.count) - whole;
    }
    kept
}

/// Removes a quarter of the pieces, but keeps at least `size`: those without which the text would be least likely.
fn pruned(pieces: Vec<Piece>, size: usize) -> Vec<Piece> {
    let trie = trie(&pieces);
    let unknown = unknown(&pieces);
    let lost = |n: usize| {
        let piece = &pieces[n];
        if piece.is_character() {
            return f64::INFINITY;
        }
        let score = |piece: u32| Some(pieces[piece as usize].score);
        let without = Lattice::new(&piece.text, &trie, score, unknown).best_without(n as u32);
        piece.count * (piece.score - without)
    };
    let mut order: Vec<(f64, usize)> = (0..pieces.len()).map(|n| (lost(n), n)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let kept = size.max((KEPT * pieces.len() as f64) as usize);
    order.truncate(kept.max(characters(&pieces)));
    order.sort_by_key(|(_, n)| *n);
    order.into_iter().map(|(_, n)| pieces[n].clone()).collect()
}

/// Derivative of the logarithm of the gamma function (Abramowitz and Stegun 1964, 6.3.5 and 6.3.18).
fn digamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 7.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let tail = square * (1.0 / 12.0 - square * (1.0 / 120.0 - square / 252.0));
    sum + x.ln() - 0.5 / x - tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fall_into_runs_of_letters_and_single_marks() {
        assert_eq!(cut("Bahnhof?"), ["▁Bahnhof", "?"]);
        assert_eq!(cut("„Ja!“"), ["▁„", "Ja", "!", "“"]);
        assert_eq!(cut("2018"), ["▁2", "0", "1", "8"]);
    }

    #[test]
    fn digamma_has_its_known_values() {
        for (x, value) in [
            (1.0, -0.577_215_664_9),
            (0.5, -1.963_510_026_0),
            (10.0, 2.251_752_589_1),
        ] {
            assert!((digamma(x) - value).abs() < 1e-9, "{x}: {}", digamma(x));
        }
    }

    #[test]
    fn frequent_strings_become_pieces_and_every_word_can_be_spelled() {
        let text: Vec<String> = (0..400)
            .map(|n| {
                let (stem, end) = (
                    ["lauf", "kauf", "sing"][n % 3],
                    ["en", "t", "st"][n / 3 % 3],
                );
                format!("{stem}{end}.")
            })
            .collect();
        let learned = |size| learn(text.iter().map(String::as_str), size);
        let pieces = learned(22);
        let has = |pieces: &[Scored], text: &str| pieces.iter().any(|(piece, _)| piece == text);
        assert_eq!(pieces.len(), 22, "{pieces:?}");
        for piece in ["▁laufen", "▁singst", "▁kauft", ".", "▁", "s", "i"] {
            assert!(has(&pieces, piece), "{piece} of {pieces:?}");
        }
        // A small model gets parts that several words share, and keeps the characters.
        let few = learned(17);
        assert_eq!(few.len(), 17, "{few:?}");
        let long: Vec<&str> = few
            .iter()
            .map(|(piece, _)| piece.as_str())
            .filter(|piece| piece.chars().count() > 1)
            .collect();
        assert_eq!(long.len(), 4, "{few:?}");
        assert!(
            "laufkausing▁.ent"
                .chars()
                .all(|c| has(&few, &c.to_string()))
        );
        let sum: f32 = pieces.iter().map(|(_, score)| score.exp()).sum();
        assert!((0.8..=1.0).contains(&sum), "{sum}");
        assert!(pieces.is_sorted_by(|a, b| a.1 >= b.1));
    }
}
