//! Every way in which a text can be cut into pieces, with how likely each is.

use ndarray_rand::rand::Rng;

use super::trie::Trie;

/// A piece that stands at a place of the text.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The byte where it begins.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
    /// The number of the piece; `None` is a character that no piece has.
    pub piece: Option<u32>,
    /// The logarithm of its probability.
    pub score: f64,
}

/// All pieces that stand anywhere in a text, in the order of their ends.
#[derive(Debug)]
pub struct Lattice {
    edges: Vec<Edge>,
    length: usize,
}

impl Lattice {
    /// The pieces of `trie` in `text`. `score` gives those of a number that may be used; a character that none of them
    /// begins with and ends at costs `unknown`.
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

    /// For every byte the logarithm of the sum of the likelihoods of all ways to it, each to the power of `power`.
    fn sums(&self, power: f64) -> Vec<f64> {
        let mut sums = vec![f64::NEG_INFINITY; self.length + 1];
        sums[0] = 0.0;
        for edge in &self.edges {
            sums[edge.end] = log_add(sums[edge.end], sums[edge.start] + power * edge.score);
        }
        sums
    }

    /// One way, drawn with a probability that is its likelihood to the power of `power`: 1 as the model says, 0 all
    /// ways alike.
    pub fn sample(&self, power: f64, rng: &mut impl Rng) -> Vec<Edge> {
        let sums = self.sums(power);
        let mut way = Vec::new();
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
            way.push(chosen);
            end = chosen.start;
        }
        way.reverse();
        way
    }

    /// Adds to `counts`, by piece, how often each is used on average over all ways, `times` as much; returns the
    /// logarithm of the text's likelihood.
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

    /// The largest sum of scores of any way that does not take `without` by itself.
    pub fn best_without(&self, without: u32) -> f64 {
        let mut best = vec![f64::NEG_INFINITY; self.length + 1];
        best[0] = 0.0;
        for edge in self.edges.iter().filter(|e| e.piece != Some(without)) {
            best[edge.end] = best[edge.end].max(best[edge.start] + edge.score);
        }
        best[self.length]
    }
}

/// The logarithm of the sum of two numbers that are given by their logarithms.
fn log_add(a: f64, b: f64) -> f64 {
    let (low, high) = (a.min(b), a.max(b));
    match low == f64::NEG_INFINITY {
        true => high,
        false => high + (low - high).exp().ln_1p(),
    }
}
