//! Byte-pair encoding: pieces that are merged from characters, those with the best score first.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use super::SentencePiece;
use super::proto::Kind;

/// A part of a text, and whether the model has it as a piece.
type Piece<'t> = (&'t str, bool);

/// A part of a text that may still be merged with its neighbours.
struct Symbol {
    start: usize,
    /// Byte behind it; `start` if it was merged into its left neighbour.
    end: usize,
    /// Neighbours that are left.
    before: Option<usize>,
    after: Option<usize>,
    /// True for a user-defined piece, which stays as it is.
    frozen: bool,
}

/// Two neighbours that form a piece together.
struct Pair {
    score: f32,
    left: usize,
    right: usize,
    /// Bytes of both; if they have changed, one of the two was merged meanwhile.
    size: usize,
}

impl Ord for Pair {
    /// The best score first, then the leftmost.
    fn cmp(&self, other: &Self) -> Ordering {
        let scores = self.score.total_cmp(&other.score);
        scores.then_with(|| other.left.cmp(&self.left))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pair {}

impl SentencePiece {
    /// Pieces of a text after merging neighbours, those with the best score first.
    pub(super) fn merged<'t>(&self, text: &'t str) -> Vec<Piece<'t>> {
        let mut symbols = self.symbols(text);
        let mut pairs = BinaryHeap::new();
        // Unused pieces are cut again where they were merged.
        let mut cuts: HashMap<&str, usize> = HashMap::new();
        let offer = |symbols: &[Symbol], left: usize, cuts: &mut HashMap<&'t str, usize>| {
            let (a, right) = (&symbols[left], symbols[left].after?);
            let b = &symbols[right];
            if a.frozen || b.frozen {
                return None;
            }
            let both = &text[a.start..b.end];
            let piece = self.trie.exact(both.as_bytes())?;
            if self.kind(piece) == Kind::Unused {
                cuts.insert(both, a.end - a.start);
            }
            Some(Pair {
                score: self.model.pieces[piece as usize].score,
                left,
                right,
                size: both.len(),
            })
        };
        for left in 0..symbols.len() {
            pairs.extend(offer(&symbols, left, &mut cuts));
        }
        while let Some(Pair {
            left, right, size, ..
        }) = pairs.pop()
        {
            let (a, b) = (&symbols[left], &symbols[right]);
            let gone = a.start == a.end || b.start == b.end;
            if gone || a.after != Some(right) || b.end - a.start != size {
                continue;
            }
            let (before, after, end) = (a.before, b.after, b.end);
            symbols[left].end = end;
            symbols[left].after = after;
            symbols[right].start = end;
            if let Some(after) = after {
                symbols[after].before = Some(left);
            }
            pairs.extend(before.and_then(|before| offer(&symbols, before, &mut cuts)));
            pairs.extend(offer(&symbols, left, &mut cuts));
        }
        let left = symbols.iter().filter(|symbol| symbol.start < symbol.end);
        let mut pieces = Vec::new();
        for symbol in left {
            self.cut_again(&text[symbol.start..symbol.end], &cuts, &mut pieces);
        }
        pieces
    }

    /// Adds a piece, or, if it is unused, the pieces that it was merged from.
    fn cut_again<'t>(
        &self,
        piece: &'t str,
        cuts: &HashMap<&str, usize>,
        pieces: &mut Vec<Piece<'t>>,
    ) {
        let mut open = vec![piece];
        while let Some(piece) = open.pop() {
            match cuts.get(piece) {
                Some(&at) => open.extend([&piece[at..], &piece[..at]]),
                None => pieces.push(self.judged(piece)),
            }
        }
    }

    fn judged<'t>(&self, piece: &'t str) -> Piece<'t> {
        (piece, self.trie.exact(piece.as_bytes()).is_some())
    }

    fn symbols(&self, text: &str) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut start = 0;
        while let Some(first) = text[start..].chars().next() {
            let defined = self.user_defined(&text[start..]);
            let end = start + defined.unwrap_or(first.len_utf8());
            let n = symbols.len();
            symbols.push(Symbol {
                start,
                end,
                before: n.checked_sub(1),
                after: (end < text.len()).then_some(n + 1),
                frozen: defined.is_some(),
            });
            start = end;
        }
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::super::proto::write_cut;
    use super::*;
    use crate::text::sentencepiece::proto::Cut;

    fn model(pieces: &[(&str, f32)]) -> SentencePiece {
        let pieces: Vec<(String, f32)> =
            pieces.iter().map(|(p, s)| ((*p).to_owned(), *s)).collect();
        SentencePiece::parse(write_cut(&pieces, Cut::Bpe)).unwrap()
    }

    /// Pieces of byte-pair encoding have the negative number of their merge as score.
    const MERGES: [(&str, f32); 8] = [
        ("lo", -0.0),
        ("el", -1.0),
        ("▁h", -2.0),
        ("▁hel", -3.0),
        ("▁", -4.0),
        ("h", -5.0),
        ("l", -6.0),
        ("e", -7.0),
    ];

    #[test]
    fn neighbours_with_the_best_score_are_merged_first_and_the_leftmost_of_equals() {
        let bpe = model(&MERGES);
        // h e l l o: lo, then el, then ▁h, and at last ▁h with el.
        assert_eq!(bpe.encode("hello"), ["▁hel", "lo"]);
        assert_eq!(bpe.encode("ell"), ["▁", "el", "l"]);
        let tie = model(&[("aa", -1.0), ("▁", -2.0), ("a", -3.0)]);
        assert_eq!(tie.encode("aaa"), ["▁", "aa", "a"]);
    }

    #[test]
    fn characters_that_no_piece_has_are_one_unknown_piece() {
        let bpe = model(&MERGES);
        assert_eq!(bpe.encode("heyyo"), ["▁h", "e", "yyo"]);
    }
}
