//! Segmentation of a word: which merge is applied next, and where, in O(n log n) for a word of length n.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::{Bpe, END_OF_WORD, Version, mark};

/// Neighbours that a merge joins: its rank, and where they begin, meet and end. The lowest rank comes first, and for
/// equal ranks the leftmost neighbours.
type Found = Reverse<(usize, usize, usize, usize)>;

/// A word on its way from characters to subwords.
pub(super) struct Segments<'a> {
    bpe: &'a Bpe,
    marked: String,
    /// End of the symbol that begins at a byte; 0 if none does.
    end: Vec<usize>,
    /// Start of the symbol that ends at a byte.
    start: Vec<usize>,
    /// Neighbours that a merge joins, including some that are no longer neighbours.
    queue: BinaryHeap<Found>,
}

impl<'a> Segments<'a> {
    /// Starts with the characters of `word`, the last with the end mark, which in old files is a symbol itself.
    pub fn new(bpe: &'a Bpe, word: &str) -> Self {
        let marked = mark(word);
        let mut this = Self {
            bpe,
            end: vec![0; marked.len() + 1],
            start: vec![0; marked.len() + 1],
            queue: BinaryHeap::new(),
            marked,
        };
        for (start, c) in word.char_indices() {
            let end = start + c.len_utf8();
            let end = match bpe.version {
                Version::New if end == word.len() => end + END_OF_WORD.len(),
                _ => end,
            };
            (this.end[start], this.start[end]) = (end, start);
        }
        if bpe.version == Version::Old && !word.is_empty() {
            let end = this.marked.len();
            (this.end[word.len()], this.start[end]) = (end, word.len());
        }
        if !word.is_empty() {
            for span in this.spans() {
                this.offer(span.start);
            }
        }
        this
    }

    /// Current symbols, from left to right.
    pub fn spans(&self) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let mut start = 0;
        while start < self.marked.len() && self.end[start] > 0 {
            spans.push(start..self.end[start]);
            start = self.end[start];
        }
        spans
    }

    /// Texts of the symbols, the last with the end mark.
    pub fn texts(&self) -> Vec<String> {
        let spans = self.spans().into_iter();
        spans.map(|span| self.marked[span].to_owned()).collect()
    }

    /// Queues the symbol at `start` with the one after it, if a merge joins them.
    fn offer(&mut self, start: usize) {
        let middle = self.end[start];
        let end = self.end.get(middle).copied().unwrap_or(0);
        if end == 0 {
            return;
        }
        let (first, second) = (&self.marked[start..middle], &self.marked[middle..end]);
        let rank = self
            .bpe
            .ranks
            .get(first)
            .and_then(|seconds| seconds.get(second));
        if let Some(&rank) = rank {
            self.queue.push(Reverse((rank, start, middle, end)));
        }
    }

    /// Applies the possible merge with the lowest rank everywhere, from left to right, and returns its rank.
    pub fn merge(&mut self) -> Option<usize> {
        let mut merged: Vec<usize> = Vec::new();
        let mut lowest = None;
        while let Some(&Reverse((rank, start, middle, end))) = self.queue.peek() {
            if lowest.is_some_and(|lowest| lowest != rank) {
                break;
            }
            self.queue.pop();
            // Either of the two may have become part of another symbol.
            if self.end[start] != middle || self.end[middle] != end {
                continue;
            }
            lowest = Some(rank);
            (self.end[start], self.end[middle]) = (end, 0);
            self.start[end] = start;
            merged.push(start);
        }
        // What a merge makes possible waits for the next call, even if its rank is lower.
        for start in merged {
            self.offer(start);
            if start > 0 {
                self.offer(self.start[start]);
            }
        }
        lowest
    }
}
