//! Cutting a word: which merge is applied next, and where, in time that grows with the word's length times its
//! logarithm.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::{Bpe, END_OF_WORD, mark};

/// Two neighbours that some merge joins: the merge's rank, where they begin, meet and end. Those of the lowest rank
/// come first, and of equal ones the leftmost.
type Found = Reverse<(usize, usize, usize, usize)>;

/// A word on its way from characters to subwords.
pub(super) struct Segments<'a> {
    bpe: &'a Bpe,
    marked: String,
    /// Where the symbol that begins at a byte ends; 0 where none begins.
    end: Vec<usize>,
    /// Where the symbol that ends at a byte begins.
    start: Vec<usize>,
    /// Neighbours that some merge joins, and some that are neighbours no more.
    queue: BinaryHeap<Found>,
}

impl<'a> Segments<'a> {
    /// The characters of `word`, the mark of its end with the last.
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
            let end = if end == word.len() {
                end + END_OF_WORD.len()
            } else {
                end
            };
            (this.end[start], this.start[end]) = (end, start);
        }
        if !word.is_empty() {
            for span in this.spans() {
                this.offer(span.start);
            }
        }
        this
    }

    /// The symbols now, from left to right.
    pub fn spans(&self) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let mut start = 0;
        while start < self.marked.len() && self.end[start] > 0 {
            spans.push(start..self.end[start]);
            start = self.end[start];
        }
        spans
    }

    /// Their texts, the last with its mark.
    pub fn texts(&self) -> Vec<String> {
        let spans = self.spans().into_iter();
        spans.map(|span| self.marked[span].to_owned()).collect()
    }

    /// Queues the symbol at `start` with the one behind it, if a merge joins them.
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

    /// Applies the lowest-ranked merge that fits, wherever it fits, from left to right; its rank.
    pub fn merge(&mut self) -> Option<usize> {
        let mut merged: Vec<usize> = Vec::new();
        let mut lowest = None;
        while let Some(&Reverse((rank, start, middle, end))) = self.queue.peek() {
            if lowest.is_some_and(|lowest| lowest != rank) {
                break;
            }
            self.queue.pop();
            // One of the two may have gone into another symbol since.
            if self.end[start] != middle || self.end[middle] != end {
                continue;
            }
            lowest = Some(rank);
            (self.end[start], self.end[middle]) = (end, 0);
            self.start[end] = start;
            merged.push(start);
        }
        // What a merge makes possible waits for the next turn, even if its rank is lower.
        for start in merged {
            self.offer(start);
            if start > 0 {
                self.offer(self.start[start]);
            }
        }
        lowest
    }
}
