//! The reference solution of the challenge: learning merges with counts that are kept up to date.

use std::collections::{HashMap, HashSet};

transformer_tutor::reference! { "fast_byte_pairs";
// ANCHOR: forward
/// The merges that byte-pair encoding learns from `words`, which are given with their counts.
pub fn fast_byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text = Text::new(words);
    let mut learned = Vec::new();
    while learned.len() < merges {
        let Some(pair) = text.most_frequent() else {
            break;
        };
        learned.push((text.symbols[pair.0].clone(), text.symbols[pair.1].clone()));
        text.merge(pair);
    }
    learned
}

/// Two neighbouring symbols, by their numbers.
type Pair = (usize, usize);

#[derive(Default)]
struct Text {
    /// The symbols of each word, and its count.
    words: Vec<(Vec<usize>, usize)>,
    /// The text of each symbol.
    symbols: Vec<String>,
    numbers: HashMap<String, usize>,
    counts: HashMap<Pair, usize>,
    /// The words that have a pair. Some may have lost it since.
    places: HashMap<Pair, HashSet<usize>>,
}

impl Text {
    fn new(words: &[(&str, usize)]) -> Self {
        let mut text = Self::default();
        for (number, (word, times)) in words.iter().enumerate() {
            let mut symbols: Vec<String> = word.chars().map(String::from).collect();
            if let Some(last) = symbols.last_mut() {
                last.push_str("</w>");
            }
            let symbols: Vec<usize> = symbols.into_iter().map(|s| text.number(s)).collect();
            text.words.push((symbols, *times));
            text.count(number);
        }
        text
    }

    /// The number of a symbol. The same text always has the same number.
    fn number(&mut self, symbol: String) -> usize {
        if let Some(&number) = self.numbers.get(&symbol) {
            return number;
        }
        self.numbers.insert(symbol.clone(), self.symbols.len());
        self.symbols.push(symbol);
        self.symbols.len() - 1
    }

    fn most_frequent(&self) -> Option<Pair> {
        let text = |pair: &Pair| (&self.symbols[pair.0], &self.symbols[pair.1]);
        let often = self.counts.iter().filter(|(_, count)| **count >= 2);
        let best = often.max_by(|(a, n), (b, m)| n.cmp(m).then_with(|| text(a).cmp(&text(b))));
        best.map(|(pair, _)| *pair)
    }

    fn merge(&mut self, pair: Pair) {
        let joined = self.number(self.symbols[pair.0].clone() + &self.symbols[pair.1]);
        for number in self.places.remove(&pair).unwrap_or_default() {
            self.discount(number);
            let mut merged: Vec<usize> = Vec::new();
            let mut rest = &self.words[number].0[..];
            while let [first, others @ ..] = rest {
                let is_pair = *first == pair.0 && others.first() == Some(&pair.1);
                merged.push(if is_pair { joined } else { *first });
                rest = if is_pair { &others[1..] } else { others };
            }
            self.words[number].0 = merged;
            self.count(number);
        }
    }

    /// Adds the pairs of a word to the counts.
    fn count(&mut self, number: usize) {
        let (symbols, times) = &self.words[number];
        for pair in symbols.windows(2).map(|pair| (pair[0], pair[1])) {
            *self.counts.entry(pair).or_default() += times;
            self.places.entry(pair).or_default().insert(number);
        }
    }

    /// Takes the pairs of a word out of the counts.
    fn discount(&mut self, number: usize) {
        let (symbols, times) = &self.words[number];
        for pair in symbols.windows(2) {
            *self.counts.entry((pair[0], pair[1])).or_default() -= times;
        }
    }
}
// ANCHOR_END: forward
}
