//# Attends only to earlier tokens and puts the new one into the cache afterwards.
//= not-itself
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    if cache.keys.is_empty() {
        cache.keys.push(key.to_vec());
        cache.values.push(value.to_vec());
        return value.to_vec();
    }
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
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    context
}

//# Divides the scores by d_k instead of its root.
//= no-root
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let scale = query.len() as f32;
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

//# Divides by the root of the values' width instead of the keys'.
//= root-of-d-v
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let scale = (value.len() as f32).sqrt();
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

//# Does not subtract the maximum before exp, so that large scores become infinite.
//= overflows
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
    let exps: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
    let sum: f32 = exps.iter().sum();
    let mut context = vec![0.0; value.len()];
    for (exp, row) in exps.iter().zip(&cache.values) {
        for (cell, v) in context.iter_mut().zip(row) {
            *cell += exp / sum * v;
        }
    }
    context
}

//# Starts the search for the largest score at 0, which is wrong if all scores are far below it.
//= classic-0
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
    let largest = scores.iter().copied().fold(0.0, f32::max);
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

//# Puts the newest token at the front of the cache.
//= in-front
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.insert(0, key.to_vec());
    cache.values.insert(0, value.to_vec());
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

//# Replaces the cache with the new token instead of appending to it.
//= classic-1
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys = vec![key.to_vec()];
    cache.values = vec![value.to_vec()];
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

//# Divides the weights after softmax by the root instead of the scores before it.
//= not-scaled classic-2
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let scale = (query.len() as f32).sqrt();
    let mut scores: Vec<f32> = Vec::new();
    for row in &cache.keys {
        let product: f32 = query.iter().zip(row).map(|(q, k)| q * k).sum();
        scores.push(product);
    }
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f32 = exps.iter().sum();
    let mut context = vec![0.0; value.len()];
    for (exp, row) in exps.iter().zip(&cache.values) {
        for (cell, v) in context.iter_mut().zip(row) {
            *cell += exp / sum / scale * v;
        }
    }
    context
}

//# Stores the new key in the cache already divided by the root of d_k.
//= classic-3
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    let root = (query.len() as f32).sqrt();
    cache.keys.push(key.iter().map(|k| k / root).collect());
    cache.values.push(value.to_vec());
    let mut scores: Vec<f32> = Vec::new();
    for row in &cache.keys {
        let product: f32 = query.iter().zip(row).map(|(q, k)| q * k).sum();
        scores.push(product);
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

//# Stores the result of the step in the cache instead of the new token's value.
//=
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
    if let Some(last) = cache.values.last_mut() {
        last.copy_from_slice(&context);
    }
    context
}

//# Compares the new key with the keys and never uses the query.
//= classic-4
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let scale = (query.len() as f32).sqrt();
    let mut scores: Vec<f32> = Vec::new();
    for row in &cache.keys {
        let product: f32 = key.iter().zip(row).map(|(q, k)| q * k).sum();
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

//# Leaves the scores unscaled.
//= not-scaled
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let mut scores: Vec<f32> = Vec::new();
    for row in &cache.keys {
        let product: f32 = query.iter().zip(row).map(|(q, k)| q * k).sum();
        scores.push(product);
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

//# Attends to all tokens, but does not store the new one in the cache.
//= not-kept
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
    cache.keys.pop();
    cache.values.pop();
    context
}

//# Uses hard attention: the value of the token with the largest score.
//=
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
    let place = scores.iter().position(|&score| score == largest).unwrap_or(0);
    cache.values[place].clone()
}

//# Attends first and appends the new key and value only afterwards, so that the token cannot see itself.
//= not-itself
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    let root = (query.len() as f32).sqrt();
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
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    out
}
//# Divides the scores by the root of d_v, the width of the values, instead of that of d_k.
//= root-of-d-v
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
//# Starts the search for the largest score at 0, so that exp underflows to 0 if all scores are very negative.
//= classic-0
use transformer_tutor::curriculum::decoding::attend_next::Cache;

pub fn attend_next(cache: &mut Cache, query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
    let root = (key.len() as f32).sqrt();
    let mut scores = Vec::new();
    for k in &cache.keys {
        let dot: f32 = k.iter().zip(query).map(|(a, b)| a * b).sum();
        scores.push(dot / root);
    }
    let most = scores.iter().copied().fold(0.0, f32::max);
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
