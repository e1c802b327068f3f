//# right
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let (heads, positions, source) = (weights.shape()[0], weights.shape()[1], weights.shape()[2]);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for t in 0..positions - 1 {
        let mut best = 0;
        let mut largest = f32::NEG_INFINITY;
        for s in 0..source {
            let mut sum = 0.0;
            for h in 0..heads {
                sum += weights.at(&[h, t, s]);
            }
            if sum > largest {
                largest = sum;
                best = s;
            }
        }
        found.push((best, t));
    }
    let both = found.iter().filter(|&link| truth.contains(link)).count();
    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}

//# [with-end] Also links the EOS, which the last position predicts.
-    for t in 0..positions - 1 {
+    for t in 0..positions {

//# [classic-0] Takes the largest weight of any head instead of the mean over the heads.
-            let mut sum = 0.0;
+            let mut sum: f32 = 0.0;
-                sum += weights.at(&[h, t, s]);
+                sum = sum.max(weights.at(&[h, t, s]));

//# [classic-1] Of equal weights takes the last source token.
-            if sum > largest {
+            if sum >= largest {

//# [classic-2] Measures the error as 1 − |found ∩ truth| / |found ∪ truth|, the Jaccard distance.
-    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    let error = 1.0 - both as f64 / (found.len() + truth.len() - both) as f64;

//# [found-only] Measures only how many of the found links are true (precision) and forgets the true ones that were not found.
-    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    let error = 1.0 - both as f64 / found.len() as f64;

//# [classic-3] Measures only how many of the true links were found (recall).
-    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    let error = 1.0 - both as f64 / truth.len() as f64;

//# [classic-4] Returns the agreement (F1) instead of the error.
-    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    let error = 2.0 * both as f64 / (found.len() + truth.len()) as f64;

//# [counted-once] Forgets the factor 2 of the agreement.
-    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    let error = 1.0 - both as f64 / (found.len() + truth.len()) as f64;

//# [classic-5] Divides the counts as integers.
-    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    let error = 1.0 - (2 * both / (found.len() + truth.len())) as f64;

//# [classic-9] Leaves the last source position out, too, as if it were always the EOS of the source.
-        for s in 0..source {
+        for s in 0..source - 1 {

//# [row-that-reads] Skips the position of BOS: links from the row that reads the token instead of the one that predicts it.
-    for t in 0..positions - 1 {
+    for t in 1..positions {
-        found.push((best, t));
+        found.push((best, t - 1));

//# [classic-7] Begins with the row of token 1, because it takes position 0 for BOS, and numbers the targets by their position.
-    for t in 0..positions - 1 {
+    for t in 1..positions - 1 {

//# [classic-8] Lets the found links agree with the truth only in the same place of the list.
-    let both = found.iter().filter(|&link| truth.contains(link)).count();
+    let both = found.iter().zip(truth).filter(|(a, b)| a == b).count();

//# [classic-6] Returns the links in the order of the source tokens.
     let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    found.sort();

//# [] Lets every source token have at most one link: those that are taken are not looked at again.
         for s in 0..source {
+            if found.iter().any(|link| link.0 == s) {
+                continue;
+            }

//# [] Lets the heads vote: each names its largest weight, and the source token with the most votes is linked.
-                sum += weights.at(&[h, t, s]);
+                let weight = weights.at(&[h, t, s]);
+                if (0..source).all(|other| weights.at(&[h, t, other]) <= weight) {
+                    sum += 1.0;
+                }

//# [] Links every source token with more than an even share, not only the one with the largest weight.
-        let mut best = 0;
-        let mut largest = f32::NEG_INFINITY;
-            if sum > largest {
-                largest = sum;
-                best = s;
+            if sum / heads as f32 > 1.0 / source as f32 {
+                found.push((s, t));
-        found.push((best, t));

//# [by-source] Looks for each source token's best target instead of each target's best source.
-    for t in 0..positions - 1 {
+    for s in 0..source {
-        for s in 0..source {
+        for t in 0..positions - 1 {
-                best = s;
+                best = t;
-        found.push((best, t));
+        found.push((s, best));

//# [row-that-reads] Takes for token t the position that reads it, t + 1, instead of the one that predicts it.
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let shape = weights.shape();
    let (heads, positions, source) = (shape[0], shape[1], shape[2]);
    let mut found = Vec::new();
    for t in 0..positions - 1 {
        let mean = |s: usize| (0..heads).map(|h| weights.at(&[h, t + 1, s])).sum::<f32>();
        let mut best = 0;
        for s in 1..source {
            if mean(s) > mean(best) {
                best = s;
            }
        }
        found.push((best, t));
    }
    let both = found.iter().filter(|link| truth.contains(link)).count();
    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}

//# [classic-0] Takes the source token with the largest single weight of any head instead of the largest mean of all.
-        let mean = |s: usize| (0..heads).map(|h| weights.at(&[h, t + 1, s])).sum::<f32>();
-        for s in 1..source {
-            if mean(s) > mean(best) {
-                best = s;
+        let mut most = f32::NEG_INFINITY;
+        for s in 0..source {
+            for head in 0..heads {
+                let weight = weights.at(&[head, t, s]);
+                if weight > most {
+                    most = weight;
+                    best = s;
+                }

//# [classic-3] Computes the error as 1 minus the recall, |found ∩ truth| / |truth|, instead of with both sizes.
-        let mean = |s: usize| (0..heads).map(|h| weights.at(&[h, t + 1, s])).sum::<f32>();
+        let mean = |s: usize| (0..heads).map(|h| weights.at(&[h, t, s])).sum::<f32>();
-    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    let error = 1.0 - both as f64 / truth.len() as f64;

//# right
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let [heads, positions, source] = [weights.shape()[0], weights.shape()[1], weights.shape()[2]];
    let mut links = Vec::new();
    for target in 0..positions - 1 {
        let mean = |s: usize| {
            (0..heads)
                .map(|head| weights.at(&[head, target, s]))
                .sum::<f32>()
                / heads as f32
        };
        let mut best = 0;
        for s in 1..source {
            if mean(s) > mean(best) {
                best = s;
            }
        }
        links.push((best, target));
    }
    let hits = links.iter().filter(|link| truth.contains(link)).count();
    let total = links.len() + truth.len();
    let error = if total == 0 {
        0.0
    } else {
        1.0 - 2.0 * hits as f64 / total as f64
    };
    (links, error)
}

//# [classic-8] Compares the two lists place by place, so a true link counts only if it is at the same place in both.
-    let hits = links.iter().filter(|link| truth.contains(link)).count();
+    let hits = links
+        .iter()
+        .zip(truth)
+        .filter(|(link, true_link)| link == true_link)
+        .count();

//# [with-end] Links the last position too, which predicts the end.
-    for target in 0..positions - 1 {
+    for target in 0..positions {

//# [classic-0] Compares the largest weight of any head in place of the average over heads.
-                .sum::<f32>()
-                / heads as f32
+                .fold(0.0, f32::max)

//# [classic-1] Of equally large weights it takes the last source token.
-            if mean(s) > mean(best) {
+            if mean(s) >= mean(best) {

//# [classic-3] Divides by the number of true links only, so links that are found but not true cost nothing.
-        1.0 - 2.0 * hits as f64 / total as f64
+        1.0 - hits as f64 / truth.len() as f64

//# [row-that-reads] Reads for each token the row after the one that predicts it.
-                .map(|head| weights.at(&[head, target, s]))
+                .map(|head| weights.at(&[head, target + 1, s]))

//# [] Writes the links as (target, source), and counts a link that is found and true only once.
-        links.push((best, target));
+        links.push((target, best));
-        1.0 - 2.0 * hits as f64 / total as f64
+        1.0 - hits as f64 / total as f64
