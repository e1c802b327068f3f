//# Counts each word once, however often it occurs in the text.
//= unweighted
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(Vec<String>, usize)> = Vec::new();
    for &(word, times) in words {
        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        if let Some(last) = symbols.last_mut() {
            last.push_str("</w>");
        }
        text.push((symbols, times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, _) in &text {
            for pair in symbols.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += 1;
            }
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (symbols, _) in &mut text {
            *symbols = merge(symbols, &pair);
        }
        learned.push(pair);
    }
    learned
}

fn merge(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut merged = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
            merged.push(format!("{}{}", pair.0, pair.1));
            i += 2;
        } else {
            merged.push(symbols[i].clone());
            i += 1;
        }
    }
    merged
}

//# Takes the first of equally frequent pairs in code point order instead of the last.
//= first-tie
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(Vec<String>, usize)> = Vec::new();
    for &(word, times) in words {
        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        if let Some(last) = symbols.last_mut() {
            last.push_str("</w>");
        }
        text.push((symbols, times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, times) in &text {
            for pair in symbols.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += *times;
            }
        }
        let Some((pair, count)) = counts.into_iter().rev().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (symbols, _) in &mut text {
            *symbols = merge(symbols, &pair);
        }
        learned.push(pair);
    }
    learned
}

fn merge(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut merged = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
            merged.push(format!("{}{}", pair.0, pair.1));
            i += 2;
        } else {
            merged.push(symbols[i].clone());
            i += 1;
        }
    }
    merged
}

//# Makes the end of a word a separate symbol after the last character.
//= classic-0
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(Vec<String>, usize)> = Vec::new();
    for &(word, times) in words {
        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        symbols.push("</w>".to_string());
        text.push((symbols, times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, times) in &text {
            for pair in symbols.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += *times;
            }
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (symbols, _) in &mut text {
            *symbols = merge(symbols, &pair);
        }
        learned.push(pair);
    }
    learned
}

fn merge(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut merged = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
            merged.push(format!("{}{}", pair.0, pair.1));
            i += 2;
        } else {
            merged.push(symbols[i].clone());
            i += 1;
        }
    }
    merged
}

//# Leaves out the end-of-word marker.
//= no-mark
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(Vec<String>, usize)> = Vec::new();
    for &(word, times) in words {
        let symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        text.push((symbols, times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, times) in &text {
            for pair in symbols.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += *times;
            }
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (symbols, _) in &mut text {
            *symbols = merge(symbols, &pair);
        }
        learned.push(pair);
    }
    learned
}

fn merge(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut merged = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
            merged.push(format!("{}{}", pair.0, pair.1));
            i += 2;
        } else {
            merged.push(symbols[i].clone());
            i += 1;
        }
    }
    merged
}

//# Also learns pairs that occur only once.
//= to-the-end
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(Vec<String>, usize)> = Vec::new();
    for &(word, times) in words {
        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        if let Some(last) = symbols.last_mut() {
            last.push_str("</w>");
        }
        text.push((symbols, times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, times) in &text {
            for pair in symbols.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += *times;
            }
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 1 {
            break;
        }
        for (symbols, _) in &mut text {
            *symbols = merge(symbols, &pair);
        }
        learned.push(pair);
    }
    learned
}

fn merge(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut merged = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
            merged.push(format!("{}{}", pair.0, pair.1));
            i += 2;
        } else {
            merged.push(symbols[i].clone());
            i += 1;
        }
    }
    merged
}

//# Counts the words that contain a pair instead of its occurrences: a pair that occurs twice in a word counts once.
//= classic-1
use std::collections::{BTreeMap, BTreeSet};

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(Vec<String>, usize)> = Vec::new();
    for &(word, times) in words {
        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        if let Some(last) = symbols.last_mut() {
            last.push_str("</w>");
        }
        text.push((symbols, times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, times) in &text {
            let pairs: BTreeSet<&[String]> = symbols.windows(2).collect();
            for pair in pairs {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += *times;
            }
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (symbols, _) in &mut text {
            *symbols = merge(symbols, &pair);
        }
        learned.push(pair);
    }
    learned
}

fn merge(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut merged = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
            merged.push(format!("{}{}", pair.0, pair.1));
            i += 2;
        } else {
            merged.push(symbols[i].clone());
            i += 1;
        }
    }
    merged
}

//# Merges from right to left.
//= from-right
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(Vec<String>, usize)> = Vec::new();
    for &(word, times) in words {
        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        if let Some(last) = symbols.last_mut() {
            last.push_str("</w>");
        }
        text.push((symbols, times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, times) in &text {
            for pair in symbols.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += *times;
            }
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (symbols, _) in &mut text {
            *symbols = merge(symbols, &pair);
        }
        learned.push(pair);
    }
    learned
}

fn merge(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut merged = Vec::new();
    let mut i = symbols.len();
    while i > 0 {
        if i > 1 && symbols[i - 2] == pair.0 && symbols[i - 1] == pair.1 {
            merged.push(format!("{}{}", pair.0, pair.1));
            i -= 2;
        } else {
            merged.push(symbols[i - 1].clone());
            i -= 1;
        }
    }
    merged.reverse();
    merged
}

//# Merges only the first occurrence of the pair in each word.
//= once
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(Vec<String>, usize)> = Vec::new();
    for &(word, times) in words {
        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        if let Some(last) = symbols.last_mut() {
            last.push_str("</w>");
        }
        text.push((symbols, times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, times) in &text {
            for pair in symbols.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += *times;
            }
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (symbols, _) in &mut text {
            *symbols = merge(symbols, &pair);
        }
        learned.push(pair);
    }
    learned
}

fn merge(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut merged = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        let here = i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1;
        if here && merged.len() == i {
            merged.push(format!("{}{}", pair.0, pair.1));
            i += 2;
        } else {
            merged.push(symbols[i].clone());
            i += 1;
        }
    }
    merged
}

//# Splits words into bytes instead of characters, as byte-level BPE does.
//= classic-3
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(Vec<String>, usize)> = Vec::new();
    for &(word, times) in words {
        let mut symbols: Vec<String> = word.bytes().map(|byte| char::from(byte).to_string()).collect();
        if let Some(last) = symbols.last_mut() {
            last.push_str("</w>");
        }
        text.push((symbols, times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, times) in &text {
            for pair in symbols.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += *times;
            }
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (symbols, _) in &mut text {
            *symbols = merge(symbols, &pair);
        }
        learned.push(pair);
    }
    learned
}

fn merge(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut merged = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
            merged.push(format!("{}{}", pair.0, pair.1));
            i += 2;
        } else {
            merged.push(symbols[i].clone());
            i += 1;
        }
    }
    merged
}

//# Counts the character pairs once and takes the most frequent ones, without counting again after a merge.
//= classic-2
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for &(word, times) in words {
        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        if let Some(last) = symbols.last_mut() {
            last.push_str("</w>");
        }
        for pair in symbols.windows(2) {
            *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += times;
        }
    }
    let mut pairs: Vec<((String, String), usize)> = counts.into_iter().collect();
    pairs.reverse();
    pairs.sort_by(|a, b| b.1.cmp(&a.1));
    pairs
        .into_iter()
        .filter(|entry| entry.1 >= 2)
        .take(merges)
        .map(|entry| entry.0)
        .collect()
}

//# Merges by text replacement in the space-separated word, which also matches the end of one symbol and the beginning of another.
//= classic-4
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<(String, usize)> = Vec::new();
    for &(word, times) in words {
        let symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        text.push((symbols.join(" ") + "</w>", times));
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (word, times) in &text {
            let symbols: Vec<&str> = word.split(' ').collect();
            for pair in symbols.windows(2) {
                *counts
                    .entry((pair[0].to_string(), pair[1].to_string()))
                    .or_insert(0) += *times;
            }
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        let apart = format!("{} {}", pair.0, pair.1);
        let together = format!("{}{}", pair.0, pair.1);
        for (word, _) in &mut text {
            *word = word.replace(&apart, &together);
        }
        learned.push(pair);
    }
    learned
}

//# Treats the words as one long text, so that pairs across word boundaries count and merge too.
//= across-words
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut text: Vec<String> = Vec::new();
    for &(word, times) in words {
        for _ in 0..times {
            text.extend(word.chars().map(|c| c.to_string()));
            if let Some(last) = text.last_mut() {
                if !word.is_empty() {
                    last.push_str("</w>");
                }
            }
        }
    }
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for pair in text.windows(2) {
            *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += 1;
        }
        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
            break;
        };
        if count < 2 {
            break;
        }
        let mut merged: Vec<String> = Vec::new();
        let mut i = 0;
        while i < text.len() {
            if i + 1 < text.len() && text[i] == pair.0 && text[i + 1] == pair.1 {
                merged.push(format!("{}{}", pair.0, pair.1));
                i += 2;
            } else {
                merged.push(text[i].clone());
                i += 1;
            }
        }
        text = merged;
        learned.push(pair);
    }
    learned
}

//# Counts a pair once per distinct word, not as often as the word occurs.
//= unweighted
use std::collections::BTreeMap;

fn split(word: &str) -> Vec<String> {
    let mut symbols: Vec<String> = word.chars().map(String::from).collect();
    if let Some(last) = symbols.last_mut() {
        last.push_str("</w>");
    }
    symbols
}

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut texts: Vec<Vec<String>> = words.iter().map(|(word, _)| split(word)).collect();
    let mut learned = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for text in &texts {
            for pair in text.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += 1;
            }
        }
        let Some((best, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else {
            break;
        };
        if count < 2 {
            break;
        }
        for text in &mut texts {
            let mut i = 0;
            while i + 1 < text.len() {
                if text[i] == best.0 && text[i + 1] == best.1 {
                    let second = text.remove(i + 1);
                    text[i].push_str(&second);
                }
                i += 1;
            }
        }
        learned.push(best);
    }
    learned
}
//# Makes the end of the word a separate symbol instead of part of the last character's.
//= classic-0
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut texts: Vec<(Vec<String>, usize)> = Vec::new();
    for (word, times) in words {
        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        symbols.push("</w>".to_string());
        texts.push((symbols, *times));
    }
    let mut learned = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (text, times) in &texts {
            for pair in text.windows(2) {
                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += times;
            }
        }
        let Some((best, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (text, _) in &mut texts {
            let mut i = 0;
            while i + 1 < text.len() {
                if text[i] == best.0 && text[i + 1] == best.1 {
                    let second = text.remove(i + 1);
                    text[i].push_str(&second);
                }
                i += 1;
            }
        }
        learned.push(best);
    }
    learned
}
//# Merges by text replacement in the space-separated word, which also joins the ends of longer symbols.
//= classic-4
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut texts: Vec<(String, usize)> = words
        .iter()
        .map(|(word, times)| {
            let symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
            (symbols.join(" ") + "</w>", *times)
        })
        .collect();
    let mut learned: Vec<(String, String)> = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (text, times) in &texts {
            let symbols: Vec<&str> = text.split(' ').collect();
            for pair in symbols.windows(2) {
                let pair = (pair[0].to_string(), pair[1].to_string());
                *counts.entry(pair).or_insert(0) += *times;
            }
        }
        let Some((best, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else {
            break;
        };
        if count < 2 {
            break;
        }
        let apart = format!("{} {}", best.0, best.1);
        let joined = format!("{}{}", best.0, best.1);
        for (text, _) in &mut texts {
            *text = text.replace(&apart, &joined);
        }
        learned.push(best);
    }
    learned
}
