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

//# [by-the-union] Measures the error as 1 − |found ∩ truth| / |found ∪ truth|, the Jaccard distance.
-    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    let error = 1.0 - both as f64 / (found.len() + truth.len() - both) as f64;

//# [found-only] Measures only how many of the found links are true (precision) and forgets the true ones that were not found.
-    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
+    let error = 1.0 - both as f64 / found.len() as f64;

//# [] Lets every source token have at most one link: those that are taken are not looked at again.
         for s in 0..source {
+            if found.iter().any(|link| link.0 == s) {
+                continue;
+            }

//# [votes] Lets the heads vote: each names its largest weight, and the source token with the most votes is linked.
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

//# [] Writes the links as (target, source), and counts a link that is found and true only once.
-        links.push((best, target));
+        links.push((target, best));
-        1.0 - 2.0 * hits as f64 / total as f64
+        1.0 - hits as f64 / total as f64
