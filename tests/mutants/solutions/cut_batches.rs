//# right
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        let with = longest.max(length);
        match batches.last_mut() {
            Some(batch) if with * (batch.len() + 1) <= tokens => {
                batch.push(i);
                longest = with;
            }
            _ => {
                batches.push(vec![i]);
                longest = length;
            }
        }
    }
    batches
}

//# [classic-0] Looks only at the source for the longest side.
-    for (i, &(source, target)) in lengths.iter().enumerate() {
-        let length = source.max(target);
+    for (i, &(source, _)) in lengths.iter().enumerate() {
+        let length = source;

//# [classic-1] Takes source and target together as the length of a pair.
-        let length = source.max(target);
+        let length = source + target;

//# [classic-2] Never begins the longest side anew: it is the longest of all pairs so far, not of those in the batch.
-                longest = length;
+                longest = with;

//# [classic-3] A batch that has exactly as many cells as allowed is cut already.
-            Some(batch) if with * (batch.len() + 1) <= tokens => {
+            Some(batch) if with * (batch.len() + 1) < tokens => {

//# [classic-4] Computes the cells with the length of the newest pair alone, as if the pairs were sorted.
-    let mut longest = 0;
-        let with = longest.max(length);
+        let with = length;
-                longest = with;
-                longest = length;

//# [classic-5] Counts the pairs of the batch without the one that is to be added.
-            Some(batch) if with * (batch.len() + 1) <= tokens => {
+            Some(batch) if with * batch.len() <= tokens => {

//# [classic-6] Limits the number of sentences of a batch instead of its cells.
-    let mut longest = 0;
-    for (i, &(source, target)) in lengths.iter().enumerate() {
-        let length = source.max(target);
-        let with = longest.max(length);
+    for i in 0..lengths.len() {
-            Some(batch) if with * (batch.len() + 1) <= tokens => {
+            Some(batch) if batch.len() < tokens => {
-                longest = with;
-                longest = length;

//# [classic-7] Drops pairs that are longer than the limit.
         let length = source.max(target);
+        if length > tokens {
+            continue;
+        }

//# [words-not-cells] Adds up the lengths of the pairs as if nothing were padded.
-    let mut longest = 0;
+    let mut cells = 0;
-        let with = longest.max(length);
-            Some(batch) if with * (batch.len() + 1) <= tokens => {
+            Some(batch) if cells + length <= tokens => {
-                longest = with;
+                cells += length;
-                longest = length;
+                cells = length;

//# [classic-8] Sorts the pairs by length first, as bucketing data loaders do, so that the batches are not runs in order.
 pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
+    let side = |i: usize| lengths[i].0.max(lengths[i].1);
+    let mut order: Vec<usize> = (0..lengths.len()).collect();
+    order.sort_by_key(|&i| side(i));
-    for (i, &(source, target)) in lengths.iter().enumerate() {
-        let length = source.max(target);
-        let with = longest.max(length);
+    for i in order {
+        let length = side(i);
-            Some(batch) if with * (batch.len() + 1) <= tokens => {
+            Some(batch) if longest.max(length) * (batch.len() + 1) <= tokens => {
-                longest = with;
+                longest = longest.max(length);

//# [last-lost] Forgets to hand in the batch that is still open after the last pair.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches = Vec::new();
    let mut batch: Vec<usize> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        if !batch.is_empty() && longest.max(length) * (batch.len() + 1) > tokens {
            batches.push(batch);
            batch = Vec::new();
            longest = 0;
        }
        longest = longest.max(length);
        batch.push(i);
    }
    batches
}

//# [classic-9] Closes the batch before a pair that does not fit even if it is still empty.
-        if !batch.is_empty() && longest.max(length) * (batch.len() + 1) > tokens {
+        if longest.max(length) * (batch.len() + 1) > tokens {
     }
+    if !batch.is_empty() {
+        batches.push(batch);
+    }

//# [classic-8] Sorts the pairs by length first, although they are to be cut in their order.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&i| lengths[i].0.max(lengths[i].1));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for i in order {
        let length = lengths[i].0.max(lengths[i].1);
        match batches.last_mut() {
            Some(batch) if length * (batch.len() + 1) <= tokens => batch.push(i),
            _ => batches.push(vec![i]),
        }
    }
    batches
}

//# [classic-11] Puts a pair into any earlier batch that still has room, so that batches are no runs.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for i in 0..lengths.len() {
        let length = |n: usize| lengths[n].0.max(lengths[n].1);
        let fits = |batch: &Vec<usize>| {
            let longest = batch.iter().map(|&n| length(n)).max().unwrap_or(0);
            longest.max(length(i)) * (batch.len() + 1) <= tokens
        };
        match batches.iter().position(fits) {
            Some(place) => batches[place].push(i),
            None => batches.push(vec![i]),
        }
    }
    batches
}

//# [] Cuts all batches to one number of sentences, which the longest pair of the whole list allows.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let longest = lengths.iter().map(|pair| pair.0.max(pair.1)).max();
    let each = (tokens / longest.unwrap_or(1).max(1)).max(1);
    let numbers: Vec<usize> = (0..lengths.len()).collect();
    numbers.chunks(each).map(|batch| batch.to_vec()).collect()
}

//# [classic-2] Keeps the longest length of the batches before when a new batch begins.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        longest = longest.max(source).max(target);
        match batches.last_mut() {
            Some(batch) if longest * (batch.len() + 1) <= tokens => batch.push(i),
            _ => batches.push(vec![i]),
        }
    }
    batches
}

//# right
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (number, &(source, target)) in lengths.iter().enumerate() {
        let length = source.max(target);
        match batches.last_mut() {
            Some(batch) if longest.max(length) * (batch.len() + 1) <= tokens => {
                batch.push(number);
                longest = longest.max(length);
            }
            _ => {
                batches.push(vec![number]);
                longest = length;
            }
        }
    }
    batches
}

//# [classic-1] Takes source plus target for the length of a pair, in place of the longer of the two.
-        let length = source.max(target);
+        let length = source + target;

//# [classic-3] Refuses a batch with exactly `tokens` cells.
-            Some(batch) if longest.max(length) * (batch.len() + 1) <= tokens => {
+            Some(batch) if longest.max(length) * (batch.len() + 1) < tokens => {

//# [classic-4] Multiplies by the length of the new pair only, and forgets that an earlier one may be longer.
-    let mut longest = 0;
-            Some(batch) if longest.max(length) * (batch.len() + 1) <= tokens => {
+            Some(batch) if length * (batch.len() + 1) <= tokens => {
-                longest = longest.max(length);
-                longest = length;

//# [classic-2] Keeps the longest length of all earlier batches when a new batch begins.
-                longest = length;
+                longest = longest.max(length);

//# [classic-0] Measures the sources only, so a long target goes beyond the limit.
-    for (number, &(source, target)) in lengths.iter().enumerate() {
-        let length = source.max(target);
+    for (number, &(source, _)) in lengths.iter().enumerate() {
+        let length = source;

//# [classic-10] Always appends the open batch at the end, so an empty list of pairs gives one empty batch.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches = Vec::new();
    let mut batch: Vec<usize> = Vec::new();
    let mut longest = 0;
    for (number, (source, target)) in lengths.iter().enumerate() {
        let padded = longest.max(*source).max(*target);
        if !batch.is_empty() && padded * (batch.len() + 1) > tokens {
            batches.push(batch);
            batch = Vec::new();
            longest = 0;
        }
        batch.push(number);
        longest = longest.max(*source).max(*target);
    }
    batches.push(batch);
    batches
}

//# [words-not-cells] Adds up the lengths of the pairs, as if shorter ones were not padded to the longest.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches = Vec::new();
    let mut batch = Vec::new();
    let mut cells = 0;
    for (number, (source, target)) in lengths.iter().enumerate() {
        let length = *source.max(target);
        if !batch.is_empty() && cells + length > tokens {
            batches.push(std::mem::take(&mut batch));
            cells = 0;
        }
        batch.push(number);
        cells += length;
    }
    if !batch.is_empty() {
        batches.push(batch);
    }
    batches
}
