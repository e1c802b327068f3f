//! Learning of merges, with pair counts and an index from pairs to words that are updated at each merge.

use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::rc::Rc;

use super::END_OF_WORD;

type Symbol = u32;
type Pair = (Symbol, Symbol);

/// A word as symbols, with its count.
struct Word {
    symbols: Vec<Symbol>,
    count: usize,
}

/// A pair with the count it had when it was queued. The derived order is the one of learning: by
/// count, then by the text of the two symbols.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    count: usize,
    first: Rc<str>,
    second: Rc<str>,
    pair: Pair,
}

/// Learns the merges of `words` and returns them as text, in the order of learning.
pub(super) fn learn(
    words: HashMap<&str, usize>,
    merges: usize,
    min_frequency: usize,
) -> Vec<(String, String)> {
    let mut learner = Learner::new(words);
    let mut learned = Vec::new();
    while learned.len() < merges {
        // A pair that occurs nowhere cannot be merged, so the minimum frequency is at least 1.
        let Some(best) = learner.most_frequent(min_frequency.max(1)) else {
            break;
        };
        learned.push((best.first.to_string(), best.second.to_string()));
        learner.merge(best.pair);
    }
    learned
}

struct Learner {
    words: Vec<Word>,
    texts: Vec<Rc<str>>,
    symbols: HashMap<Rc<str>, Symbol>,
    counts: HashMap<Pair, usize>,
    /// Words that contain a pair. Some may have lost it since.
    index: HashMap<Pair, Vec<usize>>,
    /// Contains every pair at least once, with its count or a larger one.
    queue: BinaryHeap<Candidate>,
}

impl Learner {
    fn new(words: HashMap<&str, usize>) -> Self {
        let mut learner = Self {
            words: Vec::with_capacity(words.len()),
            texts: Vec::new(),
            symbols: HashMap::new(),
            counts: HashMap::new(),
            index: HashMap::new(),
            queue: BinaryHeap::new(),
        };
        for (word, count) in words {
            let mut texts: Vec<_> = word.chars().map(String::from).collect();
            if let Some(last) = texts.last_mut() {
                last.push_str(END_OF_WORD);
            }
            let symbols: Vec<_> = texts.iter().map(|text| learner.symbol(text)).collect();
            let id = learner.words.len();
            for pair in pairs(&symbols) {
                *learner.counts.entry(pair).or_default() += count;
                note(learner.index.entry(pair).or_default(), id);
            }
            learner.words.push(Word { symbols, count });
        }
        for pair in learner.counts.keys().copied().collect::<Vec<_>>() {
            learner.enqueue(pair);
        }
        learner
    }

    /// Id of a symbol. Two ways to merge the same text give the same symbol.
    fn symbol(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = self.texts.len() as Symbol;
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.symbols.insert(text, symbol);
        symbol
    }

    fn text(&self, symbol: Symbol) -> &Rc<str> {
        &self.texts[symbol as usize]
    }

    fn enqueue(&mut self, pair: Pair) {
        if let Some(&count) = self.counts.get(&pair) {
            self.queue.push(Candidate {
                count,
                first: self.text(pair.0).clone(),
                second: self.text(pair.1).clone(),
                pair,
            });
        }
    }

    fn most_frequent(&mut self, min_frequency: usize) -> Option<Candidate> {
        while let Some(best) = self.queue.pop() {
            if best.count < min_frequency {
                return None;
            }
            match self.counts.get(&best.pair) {
                Some(&count) if count == best.count => return Some(best),
                // Other merges took some of its occurrences, so queue it again with its new count.
                Some(&count) if count < best.count => self.enqueue(best.pair),
                _ => {}
            }
        }
        None
    }

    fn merge(&mut self, pair: Pair) {
        let merged = self.symbol(&format!("{}{}", self.text(pair.0), self.text(pair.1)));
        let mut grown = HashSet::new();
        for id in self.index.remove(&pair).unwrap_or_default() {
            let word = &mut self.words[id];
            let (after, places) = replace(&word.symbols, pair, merged);
            // Pairs change only beside the merged symbols. Each merge shifts the places after it left by one.
            let before = places.iter().enumerate().map(|(n, index)| index + n);
            for old in beside(before, 2, word.symbols.len()) {
                let old = (word.symbols[old], word.symbols[old + 1]);
                subtract(&mut self.counts, old, word.count);
            }
            for new in beside(places.iter().copied(), 1, after.len()) {
                let new = (after[new], after[new + 1]);
                *self.counts.entry(new).or_default() += word.count;
                note(self.index.entry(new).or_default(), id);
                grown.insert(new);
            }
            word.symbols = after;
        }
        for pair in grown {
            self.enqueue(pair);
        }
    }
}

/// Adds the word `id`, but only once if it contains a pair many times.
fn note(words: &mut Vec<usize>, id: usize) {
    if words.last() != Some(&id) {
        words.push(id);
    }
}

fn pairs(symbols: &[Symbol]) -> impl Iterator<Item = Pair> {
    symbols.windows(2).map(|pair| (pair[0], pair[1]))
}

/// Positions of the pairs of neighbours, among `length` symbols, that include a merged symbol. Merged symbols are at
/// `places` and as wide as `width` symbols; each position comes once, from left to right.
fn beside(
    places: impl Iterator<Item = usize>,
    width: usize,
    length: usize,
) -> impl Iterator<Item = usize> {
    let mut next = 0;
    places.flat_map(move |index| {
        let first = next.max(index.saturating_sub(1));
        let end = (index + width).min(length.saturating_sub(1));
        next = next.max(end);
        first..end
    })
}

/// Replaces each `pair` by `merged`, from left to right: `x x x` becomes `xx x`. Also returns the positions of
/// `merged`.
fn replace(symbols: &[Symbol], pair: Pair, merged: Symbol) -> (Vec<Symbol>, Vec<usize>) {
    let mut after = Vec::with_capacity(symbols.len());
    let mut places = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        if symbols[i] == pair.0 && symbols.get(i + 1) == Some(&pair.1) {
            places.push(after.len());
            after.push(merged);
            i += 2;
        } else {
            after.push(symbols[i]);
            i += 1;
        }
    }
    (after, places)
}

fn subtract(counts: &mut HashMap<Pair, usize>, pair: Pair, count: usize) {
    if let Entry::Occupied(mut entry) = counts.entry(pair) {
        *entry.get_mut() -= count;
        if *entry.get() == 0 {
            entry.remove();
        }
    }
}
