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

//# [unweighted] Counts each word once, however often it occurs in the text.
-        for (symbols, times) in &text {
+        for (symbols, _) in &text {
-                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += *times;
+                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += 1;

//# [first-tie] Of equally frequent pairs takes the first in the order of code points instead of the last.
-        let Some((pair, count)) = counts.into_iter().max_by_key(|entry| entry.1) else {
+        let Some((pair, count)) = counts.into_iter().rev().max_by_key(|entry| entry.1) else {

//# [classic-0] Makes the end of a word a symbol of its own behind the last character.
-        if let Some(last) = symbols.last_mut() {
-            last.push_str("</w>");
-        }
+        symbols.push("</w>".to_string());

//# [no-mark] Leaves out the mark for the end of a word.
-        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
-        if let Some(last) = symbols.last_mut() {
-            last.push_str("</w>");
-        }
+        let symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();

//# [to-the-end] Also learns pairs that occur only once.
-        if count < 2 {
+        if count < 1 {

//# [classic-1] Counts in how many words a pair occurs instead of how often: a pair that stands twice in a word counts once.
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
     }
+    merged.reverse();

//# [once] Merges only the first place of the pair in each word.
-        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
+        let here = i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1;
+        if here && merged.len() == i {

//# [classic-3] Cuts words into bytes instead of characters, as byte-level BPE does.
-        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
+        let mut symbols: Vec<String> = word.bytes().map(|byte| char::from(byte).to_string()).collect();

//# [classic-0] Makes the end of the word a symbol of its own instead of a part of the last character's.
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

//# [unweighted] Counts a pair once for each different word, not as often as the word occurs.
 use std::collections::BTreeMap;
+
+fn split(word: &str) -> Vec<String> {
+    let mut symbols: Vec<String> = word.chars().map(String::from).collect();
+    if let Some(last) = symbols.last_mut() {
+        last.push_str("</w>");
+    }
+    symbols
+}
-    let mut texts: Vec<(Vec<String>, usize)> = Vec::new();
-    for (word, times) in words {
-        let mut symbols: Vec<String> = word.chars().map(|c| c.to_string()).collect();
-        symbols.push("</w>".to_string());
-        texts.push((symbols, *times));
-    }
+    let mut texts: Vec<Vec<String>> = words.iter().map(|(word, _)| split(word)).collect();
-        for (text, times) in &texts {
+        for text in &texts {
-                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += times;
+                *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += 1;
-        for (text, _) in &mut texts {
+        for text in &mut texts {

//# [classic-2] Counts the pairs of characters once and takes the most frequent of them, without counting again after a merge.
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

//# [classic-4] Replaces the pair in the word written with blanks as plain text, so that it also matches the end of one symbol and the beginning of another.
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

//# [across-words] Takes the words for one long text, so that pairs across the border of two words count and merge, too.
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

//# [classic-4] Merges by replacing text in the word written with spaces, which also joins the ends of longer symbols.
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

//# [classic-0] Appends </w> as a symbol of its own in place of joining it to the last character.
-            if let Some(last) = symbols.last_mut() {
-                last.push_str("</w>");
-            }
+            symbols.push("</w>".to_string());

//# [first-tie] Of equally frequent pairs it takes the first in the order in place of the last.
-        let Some((best, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else {
+        let Some((best, count)) = counts.into_iter().rev().max_by_key(|(_, count)| *count) else {

//# [from-right] Joins from right to left, which differs where a symbol is repeated an odd number of times.
-    let mut i = 0;
-    while i < symbols.len() {
-        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
+    let mut i = symbols.len();
+    while i > 0 {
+        if i > 1 && symbols[i - 2] == pair.0 && symbols[i - 1] == pair.1 {
-            i += 2;
+            i -= 2;
-            joined.push(symbols[i].clone());
-            i += 1;
+            joined.push(symbols[i - 1].clone());
+            i -= 1;
     }
+    joined.reverse();

//# [to-the-end] Goes on with pairs that occur only once.
-        if count < 2 {
+        if count < 1 {

//# [once] Joins only the first occurrence of the pair in each word.
-        if i + 1 < symbols.len() && symbols[i] == pair.0 && symbols[i + 1] == pair.1 {
+        if joined.len() == i
+            && i + 1 < symbols.len()
+            && symbols[i] == pair.0
+            && symbols[i + 1] == pair.1
+        {

//# [] Takes the longest of equally frequent pairs, and goes on with pairs that occur only once.
-        let Some((best, count)) = counts.into_iter().max_by_key(|(_, count)| *count) else {
+        let Some((best, count)) = counts
+            .into_iter()
+            .max_by_key(|((a, b), count)| (*count, a.len() + b.len()))
+        else {
-        if count < 2 {
+        if count == 0 {

//# [unweighted] Counts each pair once per entry of the list and does not weigh it by the count of the word.
-        for (symbols, count) in &texts {
+        for (symbols, _) in &texts {
-                    .or_default() += count;
+                    .or_default() += 1;

//# [classic-4] Joins by replacing text in a line of symbols separated by spaces, which also hits symbols that merely end or begin like the pair.
use std::collections::BTreeMap;

pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut lines: Vec<(String, usize)> = words
        .iter()
        .map(|(word, count)| {
            let symbols: Vec<String> = word.chars().map(String::from).collect();
            (symbols.join(" ") + "</w>", *count)
        })
        .collect();
    let mut learned = Vec::new();
    for _ in 0..merges {
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (line, count) in &lines {
            let symbols: Vec<&str> = line.split(' ').collect();
            for pair in symbols.windows(2) {
                *counts
                    .entry((pair[0].to_string(), pair[1].to_string()))
                    .or_insert(0) += count;
            }
        }
        match counts.into_iter().max_by_key(|(_, count)| *count) {
            Some(((a, b), count)) if count >= 2 => {
                for (line, _) in &mut lines {
                    *line = line.replace(&format!("{a} {b}"), &format!("{a}{b}"));
                }
                learned.push((a, b));
            }
            _ => break,
        }
    }
    learned
}
