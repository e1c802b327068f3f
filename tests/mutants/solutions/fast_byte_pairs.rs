//# right
use std::collections::HashMap;

type Pair = (usize, usize);

pub fn fast_byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let mut names: Vec<String> = Vec::new();
    let mut text: Vec<(Vec<usize>, usize)> = Vec::new();
    for &(word, times) in words {
        let last = word.chars().count();
        let mut ids = Vec::new();
        for (n, c) in word.chars().enumerate() {
            let name = if n + 1 == last { format!("{c}</w>") } else { c.to_string() };
            ids.push(id(&mut names, name));
        }
        text.push((ids, times));
    }
    let mut counts: HashMap<Pair, usize> = HashMap::new();
    let mut where_is: HashMap<Pair, Vec<usize>> = HashMap::new();
    for (n, (ids, times)) in text.iter().enumerate() {
        add(&mut counts, &mut where_is, n, ids, *times);
    }
    let mut known: HashMap<String, usize> = HashMap::new();
    for (n, name) in names.iter().enumerate() {
        known.insert(name.clone(), n);
    }
    let mut learned = Vec::new();
    while learned.len() < merges {
        let mut best: Option<(usize, Pair)> = None;
        for (&pair, &count) in &counts {
            let better = match best {
                None => true,
                Some((most, other)) => {
                    count > most
                        || count == most
                            && (&names[pair.0], &names[pair.1]) > (&names[other.0], &names[other.1])
                }
            };
            if count >= 2 && better {
                best = Some((count, pair));
            }
        }
        let Some((_, pair)) = best else { break };
        learned.push((names[pair.0].clone(), names[pair.1].clone()));
        let name = format!("{}{}", names[pair.0], names[pair.1]);
        let new = *known.entry(name.clone()).or_insert(names.len());
        if new == names.len() {
            names.push(name);
        }
        for n in where_is.remove(&pair).unwrap_or_default() {
            let (ids, times) = text[n].clone();
            if !ids.windows(2).any(|p| (p[0], p[1]) == pair) {
                continue;
            }
            for p in ids.windows(2) {
                *counts.get_mut(&(p[0], p[1])).unwrap() -= times;
            }
            let mut after = Vec::new();
            let mut i = 0;
            while i < ids.len() {
                if i + 1 < ids.len() && (ids[i], ids[i + 1]) == pair {
                    after.push(new);
                    i += 2;
                } else {
                    after.push(ids[i]);
                    i += 1;
                }
            }
            add(&mut counts, &mut where_is, n, &after, times);
            text[n].0 = after;
        }
    }
    learned
}

fn id(names: &mut Vec<String>, name: String) -> usize {
    if let Some(n) = names.iter().position(|other| *other == name) {
        return n;
    }
    names.push(name);
    names.len() - 1
}

fn add(
    counts: &mut HashMap<Pair, usize>,
    where_is: &mut HashMap<Pair, Vec<usize>>,
    n: usize,
    ids: &[usize],
    times: usize,
) {
    for p in ids.windows(2) {
        *counts.entry((p[0], p[1])).or_insert(0) += times;
        where_is.entry((p[0], p[1])).or_default().push(n);
    }
}

//# [not-discounted] Leaves the old pairs of a changed word in the counts.
-            for p in ids.windows(2) {
-                *counts.get_mut(&(p[0], p[1])).unwrap() -= times;
-            }

//# [first-tie] Takes the first of equally frequent pairs in the order of code points.
-                            && (&names[pair.0], &names[pair.1]) > (&names[other.0], &names[other.1])
+                            && (&names[pair.0], &names[pair.1]) < (&names[other.0], &names[other.1])

//# [by-number] Compares the numbers of the symbols where pairs are equally frequent.
-                            && (&names[pair.0], &names[pair.1]) > (&names[other.0], &names[other.1])
+                            && pair > other

//# [to-the-end] Merges pairs that occur once, too.
-            if count >= 2 && better {
+            if count >= 1 && better {

//# [once] Merges only the first occurrence in a word.
-                if i + 1 < ids.len() && (ids[i], ids[i + 1]) == pair {
+                if i + 1 < ids.len() && (ids[i], ids[i + 1]) == pair && !after.contains(&new) {

//# [unweighted] Counts each word once.
-        text.push((ids, times));
+        let _ = times;
+        text.push((ids, 1));
