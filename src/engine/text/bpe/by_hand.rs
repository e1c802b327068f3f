//! A short way to learn merges, which counts every pair again before each one. The fast learner gives the same result.

use std::collections::BTreeMap;

use super::END_OF_WORD;

crate::reference! { "byte_pairs";
// ANCHOR: forward
/// Merges that byte-pair encoding learns from `words`, which are given with their counts.
///
/// A word starts as its characters, the last one with `</w>`. The most frequent pair of neighbours
/// becomes one symbol; of equally frequent pairs, the last in code point order. Learning ends after
/// `merges` of them, or before a pair that occurs only once.
pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut words: Vec<(Vec<String>, usize)> =
        words.iter().map(|(w, n)| (symbols(w), *n)).collect();
    let mut learned = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, times) in &words {
            for pair in symbols.windows(2) {
                *counts
                    .entry((pair[0].clone(), pair[1].clone()))
                    .or_default() += times;
            }
        }
        // The map is sorted, and max_by_key returns the last of equal counts.
        match counts.into_iter().max_by_key(|(_, count)| *count) {
            Some((pair, count)) if count >= 2 => {
                for (symbols, _) in &mut words {
                    merge(symbols, &pair);
                }
                learned.push(pair);
            }
            _ => break,
        }
    }
    learned
}

/// Characters of `word`, the last one with `</w>`.
fn symbols(word: &str) -> Vec<String> {
    let mut symbols: Vec<String> = word.chars().map(String::from).collect();
    if let Some(last) = symbols.last_mut() {
        last.push_str(END_OF_WORD);
    }
    symbols
}

/// Makes each `pair` of neighbours one symbol, from left to right.
fn merge(symbols: &mut Vec<String>, pair: &(String, String)) {
    let mut i = 0;
    while i + 1 < symbols.len() {
        if symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
            let second = symbols.remove(i + 1);
            symbols[i].push_str(&second);
        }
        i += 1;
    }
}
// ANCHOR_END: forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::bpe::Bpe;

    #[test]
    fn it_learns_what_the_fast_learner_learns() {
        let words = [
            ("low", 5),
            ("lower", 2),
            ("newest", 6),
            ("widest", 3),
            ("aaaaa", 4),
        ];
        let lines: Vec<String> = words.map(|(w, n)| [w].repeat(n).join(" ")).into();
        let fast = Bpe::learn(lines.iter().map(String::as_str), 30, 2);
        for merges in [0, 1, 7, 30] {
            let upto = merges.min(fast.merges().len());
            assert_eq!(byte_pairs(&words, merges), fast.merges()[..upto]);
        }
    }
}
