//! The classic mistakes in attention with a cache.

use super::given::Cache;

/// The signature of the function to write.
pub type NextFn = fn(&mut Cache, &[f32], &[f32], &[f32]) -> Vec<f32>;

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, NextFn); 8] = [
    // Attends first, and stores the new rows afterwards.
    ("not-itself", |cache, q, k, v| {
        let context = if cache.keys.is_empty() {
            v.to_vec()
        } else {
            attended(cache, q, &SOUND)
        };
        keep(cache, k, v);
        context
    }),
    ("not-kept", |cache, q, k, v| {
        let mut longer = cache.clone();
        keep(&mut longer, k, v);
        attended(&longer, q, &SOUND)
    }),
    ("kept-twice", |cache, q, k, v| {
        keep(cache, k, v);
        keep(cache, k, v);
        attended(cache, q, &SOUND)
    }),
    ("in-front", |cache, q, k, v| {
        cache.keys.insert(0, k.to_vec());
        cache.values.insert(0, v.to_vec());
        attended(cache, q, &SOUND)
    }),
    ("not-scaled", |cache, q, k, v| {
        divided(cache, q, k, v, |_, _| 1.0)
    }),
    ("root-of-d-v", |cache, q, k, v| {
        divided(cache, q, k, v, |_, d_v| (d_v as f32).sqrt())
    }),
    ("no-root", |cache, q, k, v| {
        divided(cache, q, k, v, |d_k, _| d_k as f32)
    }),
    ("overflows", |cache, q, k, v| {
        keep(cache, k, v);
        attended(
            cache,
            q,
            &Deviations {
                largest: |_| 0.0,
                ..SOUND
            },
        )
    }),
];

/// Deviations from the correct computation.
struct Deviations {
    divisor: fn(usize, usize) -> f32,
    /// The number subtracted from the scores before `exp`.
    largest: fn(&[f32]) -> f32,
}

const SOUND: Deviations = Deviations {
    divisor: |d_k, _| (d_k as f32).sqrt(),
    largest: |scores| scores.iter().copied().fold(f32::NEG_INFINITY, f32::max),
};

fn keep(cache: &mut Cache, key: &[f32], value: &[f32]) {
    cache.keys.push(key.to_vec());
    cache.values.push(value.to_vec());
}

/// Divides the scores by a different number, computed from d_k and d_v.
fn divided(
    cache: &mut Cache,
    query: &[f32],
    key: &[f32],
    value: &[f32],
    divisor: fn(usize, usize) -> f32,
) -> Vec<f32> {
    keep(cache, key, value);
    attended(cache, query, &Deviations { divisor, ..SOUND })
}

fn attended(cache: &Cache, query: &[f32], ways: &Deviations) -> Vec<f32> {
    let d_v = cache.values.first().map_or(0, Vec::len);
    let divisor = (ways.divisor)(query.len(), d_v);
    let product = |key: &Vec<f32>| query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>();
    let scores: Vec<f32> = cache
        .keys
        .iter()
        .map(|key| product(key) / divisor)
        .collect();
    let largest = (ways.largest)(&scores);
    let exps: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
    let sum: f32 = exps.iter().sum();
    let cell = |i: usize| {
        let rows = exps.iter().zip(&cache.values);
        rows.map(|(exp, row)| exp / sum * row[i]).sum()
    };
    (0..d_v).map(cell).collect()
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, NextFn); 10] = [
    (
        "Your search for the largest score begins at 0. Where all scores are far below 0 every exponential becomes 0: begin at −∞.",
        |cache, q, k, v| {
            keep(cache, k, v);
            let largest = |scores: &[f32]| scores.iter().copied().fold(0.0, f32::max);
            attended(cache, q, &Deviations { largest, ..SOUND })
        },
    ),
    (
        "The new rows replace those in the cache. Append them: the tokens before are still needed.",
        |cache, q, k, v| {
            *cache = Cache::default();
            keep(cache, k, v);
            attended(cache, q, &SOUND)
        },
    ),
    (
        "You divide by the root of d_k after softmax. The scores are divided, before softmax.",
        |cache, q, k, v| {
            let context = divided(cache, q, k, v, |_, _| 1.0);
            let root = (q.len() as f32).sqrt();
            context.iter().map(|cell| cell / root).collect()
        },
    ),
    (
        "You divide the key by the root of d_k before you keep it. Keep it as it is, and divide the scores.",
        |cache, q, k, v| {
            let root = (k.len() as f32).sqrt();
            let key: Vec<f32> = k.iter().map(|cell| cell / root).collect();
            divided(cache, q, &key, v, |_, _| 1.0)
        },
    ),
    (
        "You compare the new key with the keys. Compare the query with them.",
        |cache, _, k, v| {
            keep(cache, k, v);
            attended(cache, k, &SOUND)
        },
    ),
    (
        "You keep the query in the cache, in the place of the key. Later tokens compare their own query with this token's key: nothing needs an old query.",
        |cache, q, _, v| {
            keep(cache, q, v);
            attended(cache, q, &SOUND)
        },
    ),
    (
        "You keep the result in the cache. Keep the new token's value: the result is only for this step.",
        |cache, q, k, v| {
            keep(cache, k, v);
            let context = attended(cache, q, &SOUND);
            if let Some(last) = cache.values.last_mut() {
                last.clone_from(&context);
            }
            context
        },
    ),
    (
        "You return the value of the token with the largest score. Softmax mixes the values of all tokens.",
        |cache, q, k, v| {
            keep(cache, k, v);
            let score = |key: &Vec<f32>| q.iter().zip(key).map(|(q, k)| q * k).sum::<f32>();
            let best = |a: &&(Vec<f32>, Vec<f32>), b: &&(Vec<f32>, Vec<f32>)| {
                score(&a.0).total_cmp(&score(&b.0))
            };
            let rows: Vec<_> = cache
                .keys
                .iter()
                .cloned()
                .zip(cache.values.iter().cloned())
                .collect();
            rows.iter()
                .max_by(best)
                .map_or_else(Vec::new, |(_, value)| value.clone())
        },
    ),
    (
        "You put the new key in front and the new value at the end, so they no longer belong together. Append both.",
        |cache, q, k, v| {
            cache.keys.insert(0, k.to_vec());
            cache.values.push(v.to_vec());
            attended(cache, q, &SOUND)
        },
    ),
    (
        "You attend before you keep the new token, so the first token has nothing to read. Keep its key and value first: a token attends to itself, too.",
        |cache, q, k, v| {
            let context = if cache.keys.is_empty() {
                vec![0.0; v.len()]
            } else {
                attended(cache, q, &SOUND)
            };
            keep(cache, k, v);
            context
        },
    ),
];
