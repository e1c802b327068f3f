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

//# [sentences] Limits the number of sentences of a batch instead of its cells.
-    let mut longest = 0;
-    for (i, &(source, target)) in lengths.iter().enumerate() {
-        let length = source.max(target);
-        let with = longest.max(length);
+    for i in 0..lengths.len() {
-            Some(batch) if with * (batch.len() + 1) <= tokens => {
+            Some(batch) if batch.len() < tokens => {
-                longest = with;
-                longest = length;

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

//# [empty-first] Closes the batch before a pair that does not fit even if it is still empty.
-        if !batch.is_empty() && longest.max(length) * (batch.len() + 1) > tokens {
+        if longest.max(length) * (batch.len() + 1) > tokens {
-    batches
+    if !batch.is_empty() {
+        batches.push(batch);
+    }
+    batches

//# [sorted] Sorts the pairs by length first, although they are to be cut in their order.
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

//# [] Cuts all batches to one number of sentences, which the longest pair of the whole list allows.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let longest = lengths.iter().map(|pair| pair.0.max(pair.1)).max();
    let each = (tokens / longest.unwrap_or(1).max(1)).max(1);
    let numbers: Vec<usize> = (0..lengths.len()).collect();
    numbers.chunks(each).map(|batch| batch.to_vec()).collect()
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

//# [sides-added] Takes source plus target for the length of a pair, in place of the longer of the two.
-        let length = source.max(target);
+        let length = source + target;

//# [new-pair-alone] Multiplies by the length of the new pair only, and forgets that an earlier one may be longer.
-    let mut longest = 0;
-            Some(batch) if longest.max(length) * (batch.len() + 1) <= tokens => {
+            Some(batch) if length * (batch.len() + 1) <= tokens => {
-                longest = longest.max(length);
-                longest = length;
