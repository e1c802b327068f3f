//# right
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let scale = (query.len() as f32).sqrt();
    let mut scores: Vec<f32> = Vec::new();
    for row in &cache.keys {
        let product: f32 = query.iter().zip(row).map(|(q, k)| q * k).sum();
        scores.push(product / scale);
    }
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f32 = exps.iter().sum();
    let mut context = vec![0.0; value.len()];
    for (exp, row) in exps.iter().zip(&cache.values) {
        for (cell, v) in context.iter_mut().zip(row) {
            *cell += exp / sum * v;
        }
    }
    context
}

//# [overflows] Takes no maximum off before exp, so that large scores become infinite.
-    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
-    let exps: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
+    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();

//# [result-kept] Keeps the result of the step in the cache instead of the new token's value.
-    context
+    if let Some(last) = cache.values.last_mut() {
+        last.copy_from_slice(&context);
+    }
+    context

//# [root-of-d-v] Divides the scores by the root of d_v, the width of the values, instead of that of d_k.
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let root = (value.len() as f32).sqrt();
    let scores: Vec<f32> = cache
        .keys
        .iter()
        .map(|k| k.iter().zip(query).map(|(a, b)| a * b).sum::<f32>() / root)
        .collect();
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = scores.iter().map(|s| (s - most).exp()).collect();
    let sum: f32 = exps.iter().sum();
    let mut out = vec![0.0; value.len()];
    for (e, row) in exps.iter().zip(&cache.values) {
        for (o, v) in out.iter_mut().zip(row) {
            *o += e / sum * v;
        }
    }
    out
}

//# [not-itself attends-first] Attends first and appends the new key and value only afterwards, so that the token does not see itself.
-    cache.keys.push(key.to_vec());
-    cache.values.push(value.to_vec());
-    let root = (value.len() as f32).sqrt();
+    let root = (query.len() as f32).sqrt();
-    out
+    cache.keys.push(key.to_vec());
+    cache.values.push(value.to_vec());
+    out

//# [largest-from-0] Looks for the largest score from 0 on, so that very negative scores all become 0 under exp.
-    let root = (value.len() as f32).sqrt();
-    let scores: Vec<f32> = cache
-        .keys
-        .iter()
-        .map(|k| k.iter().zip(query).map(|(a, b)| a * b).sum::<f32>() / root)
-        .collect();
-    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
+    let root = (key.len() as f32).sqrt();
+    let mut scores = Vec::new();
+    for k in &cache.keys {
+        let dot: f32 = k.iter().zip(query).map(|(a, b)| a * b).sum();
+        scores.push(dot / root);
+    }
+    let most = scores.iter().copied().fold(0.0, f32::max);

//# right
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let root = (query.len() as f32).sqrt();
    let scores: Vec<f32> = cache
        .keys
        .iter()
        .map(|key| key.iter().zip(query).map(|(k, q)| k * q).sum::<f32>() / root)
        .collect();
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f32 = weights.iter().sum();
    let mut context = vec![0.0; value.len()];
    for (weight, row) in weights.iter().zip(&cache.values) {
        for (cell, v) in context.iter_mut().zip(row) {
            *cell += weight / sum * v;
        }
    }
    context
}

//# [not-kept] Returns the value at once when the cache is empty, and forgets to store the token.
 pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
+    if cache.keys.is_empty() {
+        return value.to_vec();
+    }

//# [key-in-front] Puts new keys in front and new values at the end, so they no longer belong together.
-    cache.keys.push(key.to_vec());
+    cache.keys.insert(0, key.to_vec());
