//# right
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

//# [first-tie] Of equally frequent pairs takes the first in the order of code points instead of the last.
-        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
+        let Some((pair, count)) = counts.into_iter().rev().max_by_key(|entry| entry.1) else {

//# [to-the-end] Also learns pairs that occur only once.
-        if count < 2 {
+        if count < 1 {

//# [once-a-word] Counts in how many words a pair occurs instead of how often: a pair that stands twice in a word counts once.
-use std::collections::BTreeMap;
+use std::collections::{BTreeMap, BTreeSet};
-            for pair in symbols.windows(2) {
+            let pairs: BTreeSet<&[String]> = symbols.windows(2).collect();
+            for pair in pairs {

//# [from-right] Merges from right to left.
-    let mut i = 0;
-    while i < symbols.len() {
-        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
+    let mut i = symbols.len();
+    while i > 0 {
+        if i > 1 && symbols[i - 2] == pair.0 && symbols[i - 1] == pair.1 {
-            i += 2;
+            i -= 2;
-            merged.push(symbols[i].clone());
-            i += 1;
+            merged.push(symbols[i - 1].clone());
+            i -= 1;
-    merged
+    merged.reverse();
+    merged

//# [once] Merges only the first place of the pair in each word.
-        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
+        let here = i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1;
+        if here && merged.len() == i {

//# right
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut texts: Vec<(Vec<String>, usize)> = words
        .iter()
        .map(|(word, count)| {
            let mut symbols: Vec<String> = word.chars().map(String::from).collect();
            if let Some(last) = symbols.last_mut() {
                last.push_str("</w>");
            }
            (symbols, *count)
        })
        .collect();
    let mut learned = Vec::new();
    while learned.len() < merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (symbols, count) in &texts {
            for pair in symbols.windows(2) {
                *counts
                    .entry((pair[0].clone(), pair[1].clone()))
                    .or_default() += count;
            }
        }
        let Some((best, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else {
            break;
        };
        if count < 2 {
            break;
        }
        for (symbols, _) in &mut texts {
            *symbols = join(symbols, &best);
        }
        learned.push(best);
    }
    learned
}

fn join(symbols: &[String], pair: &(String, String)) -> Vec<String> {
    let mut joined = Vec::new();
    let mut i = 0;
    while i < symbols.len() {
        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
            joined.push(format!("{}{}", pair.0, pair.1));
            i += 2;
        } else {
            joined.push(symbols[i].clone());
            i += 1;
        }
    }
    joined
}

//# [] Takes the longest of equally frequent pairs, and goes on with pairs that occur only once.
-        let Some((best, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else {
+        let Some((best, count)) = counts
+            .into_iter()
+            .max_by_key(|((a, b), count)| (*count, a.len() + b.len()))
+        else {
-        if count < 2 {
+        if count == 0 {
