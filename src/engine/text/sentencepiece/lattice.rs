//! Every segmentation of a text into pieces, with its likelihood.

use ndarray_rand::rand::Rng;

use super::trie::Trie;

/// A piece at a position in a text.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Byte at which it begins.
    pub start: usize,
    /// Byte after its last one.
    pub end: usize,
    /// Number of the piece; `None` for a character that is not a piece.
    pub piece: Option<u32>,
    /// Logarithm of its probability.
    pub score: f64,
}

/// All pieces that occur in a text, in the order of their ends.
#[derive(Debug)]
pub struct Lattice {
    edges: Vec<Edge>,
    length: usize,
}

impl Lattice {
    /// Finds the pieces of `trie` in `text`. `score` returns the score of a piece, or `None` if it may not be used; a
    /// character that is not a usable piece gets the score `unknown`.
    pub fn new(text: &str, trie: &Trie, score: impl Fn(u32) -> Option<f64>, unknown: f64) -> Self {
        let mut edges = Vec::new();
        for (start, first) in text.char_indices() {
            let mut alone = false;
            for (length, piece) in trie.prefixes(&text.as_bytes()[start..]) {
                let Some(score) = score(piece) else { continue };
                alone |= length == first.len_utf8();
                edges.push(Edge {
                    start,
                    end: start + length,
                    piece: Some(piece),
                    score,
                });
            }
            if !alone {
                edges.push(Edge {
                    start,
                    end: start + first.len_utf8(),
                    piece: None,
                    score: unknown,
                });
            }
        }
        edges.sort_by_key(|edge| edge.end);
        Self {
            edges,
            length: text.len(),
        }
    }

    /// For every byte, the logarithm of the sum over all segmentations up to it of their likelihoods, each to the power
    /// of `power`.
    fn sums(&self, power: f64) -> Vec<f64> {
        let mut sums = vec![f64::NEG_INFINITY; self.length + 1];
        sums[0] = 0.0;
        for edge in &self.edges {
            sums[edge.end] = log_add(sums[edge.end], sums[edge.start] + power * edge.score);
        }
        sums
    }

    /// Draws a segmentation with a probability proportional to its likelihood to the power of `power`: at 1 as the
    /// model says, at 0 all alike.
    pub fn sample(&self, power: f64, rng: &mut impl Rng) -> Vec<Edge> {
        let sums = self.sums(power);
        let mut path = Vec::new();
        let mut end = self.length;
        while end > 0 {
            let mut left: f64 = rng.random();
            let last = self.edges.partition_point(|edge| edge.end <= end);
            let first = self.edges.partition_point(|edge| edge.end < end);
            let mut chosen = self.edges[last - 1];
            for edge in &self.edges[first..last] {
                left -= (sums[edge.start] + power * edge.score - sums[end]).exp();
                if left < 0.0 {
                    chosen = *edge;
                    break;
                }
            }
            path.push(chosen);
            end = chosen.start;
        }
        path.reverse();
        path
    }

    /// Adds to `counts`, indexed by piece, the expected number of uses of each piece in a segmentation, multiplied by
    /// `times`. Returns the logarithm of the text's likelihood.
    pub fn expect(&self, times: f64, counts: &mut [f64]) -> f64 {
        let to = self.sums(1.0);
        let mut from = vec![f64::NEG_INFINITY; self.length + 1];
        from[self.length] = 0.0;
        for edge in self.edges.iter().rev() {
            from[edge.start] = log_add(from[edge.start], from[edge.end] + edge.score);
        }
        let whole = to[self.length];
        for edge in &self.edges {
            if let Some(piece) = edge.piece {
                let share = (to[edge.start] + edge.score + from[edge.end] - whole).exp();
                counts[piece as usize] += times * share;
            }
        }
        whole
    }

    /// Largest sum of scores of any segmentation without the piece `without`.
    pub fn best_without(&self, without: u32) -> f64 {
        let mut best = vec![f64::NEG_INFINITY; self.length + 1];
        best[0] = 0.0;
        for edge in self.edges.iter().filter(|e| e.piece != Some(without)) {
            best[edge.end] = best[edge.end].max(best[edge.start] + edge.score);
        }
        best[self.length]
    }
}

/// Logarithm of the sum of two numbers given by their logarithms.
fn log_add(a: f64, b: f64) -> f64 {
    let (low, high) = (a.min(b), a.max(b));
    if low == f64::NEG_INFINITY {
        high
    } else {
        high + (low - high).exp().ln_1p()
    }
}
