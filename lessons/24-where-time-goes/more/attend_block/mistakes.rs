//! The classic mistakes in attention block by block.

use super::given::State;

/// The signature of the function to write.
pub type BlockFn = fn(&mut State, &[f32], &[Vec<f32>], &[Vec<f32>]) -> Vec<f32>;

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, BlockFn); 7] = [
    ("sum-not-rescaled", |state, q, keys, values| {
        read(state, q, keys, values, |kept| [1.0, kept])
    }),
    ("mixed-not-rescaled", |state, q, keys, values| {
        read(state, q, keys, values, |kept| [kept, 1.0])
    }),
    ("nothing-rescaled", |state, q, keys, values| {
        read(state, q, keys, values, |_| [1.0, 1.0])
    }),
    ("rescaled-upwards", |state, q, keys, values| {
        read(state, q, keys, values, |kept| match kept {
            0.0 => [1.0, 1.0],
            kept => [1.0 / kept, 1.0 / kept],
        })
    }),
    ("begins-anew", |state, q, keys, values| {
        *state = State::default();
        read(state, q, keys, values, |kept| [kept, kept])
    }),
    // The same as with a query that is longer by this factor.
    ("not-scaled", |state, q, keys, values| {
        let root = (q.len() as f32).sqrt();
        let query: Vec<f32> = q.iter().map(|x| x * root).collect();
        read(state, &query, keys, values, |kept| [kept, kept])
    }),
    ("last-largest", |state, q, keys, values| {
        let block = keys.iter().map(|key| score(q, key));
        let block = block.fold(f32::NEG_INFINITY, f32::max);
        let context = read(state, q, keys, values, |kept| [kept, kept]);
        state.largest = block;
        context
    }),
];

fn score(query: &[f32], key: &[f32]) -> f32 {
    let dot: f32 = query.iter().zip(key).map(|(q, k)| q * k).sum();
    dot / (query.len() as f32).sqrt()
}

/// Reads a block; `factors` turns the factor by which `sum` and `mixed` shrink into those that are used.
fn read(
    state: &mut State,
    query: &[f32],
    keys: &[Vec<f32>],
    values: &[Vec<f32>],
    factors: fn(f32) -> [f32; 2],
) -> Vec<f32> {
    for (key, value) in keys.iter().zip(values) {
        let score = score(query, key);
        let largest = state.largest.max(score);
        let [of_sum, of_mixed] = factors((state.largest - largest).exp());
        let weight = (score - largest).exp();
        state.largest = largest;
        state.sum = state.sum * of_sum + weight;
        state.mixed.resize(value.len(), 0.0);
        for (mixed, v) in state.mixed.iter_mut().zip(value) {
            *mixed = *mixed * of_mixed + weight * v;
        }
    }
    context(state)
}

fn context(state: &State) -> Vec<f32> {
    state.mixed.iter().map(|mixed| mixed / state.sum).collect()
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, BlockFn); 6] = [
    (
        "You take each weight against the score itself, or against the largest before it. Raise the largest score first.",
        |state, q, keys, values| {
            for (key, value) in keys.iter().zip(values) {
                let score = score(q, key);
                let before = state.largest;
                let weight = if before == f32::NEG_INFINITY {
                    1.0
                } else {
                    (score - before).exp()
                };
                state.largest = before.max(score);
                let kept = (before - state.largest).exp();
                state.sum = state.sum * kept + weight;
                state.mixed.resize(value.len(), 0.0);
                for (mixed, v) in state.mixed.iter_mut().zip(value) {
                    *mixed = *mixed * kept + weight * v;
                }
            }
            context(state)
        },
    ),
    (
        "You compare the scores with 0, too, so negative ones are measured against 0. Begin at −∞, with which the state begins.",
        |state, q, keys, values| {
            if !keys.is_empty() {
                state.largest = state.largest.max(0.0);
            }
            read(state, q, keys, values, |kept| [kept, kept])
        },
    ),
    (
        "Your largest score is that of the new block, even where an earlier one was larger. Take the larger of the two: then no exponential is above 1.",
        |state, q, keys, values| {
            let context = read(state, q, keys, values, |kept| [kept, kept]);
            if !keys.is_empty() {
                let block = keys
                    .iter()
                    .map(|key| score(q, key))
                    .fold(f32::NEG_INFINITY, f32::max);
                let grown = (state.largest - block).exp();
                state.largest = block;
                state.sum *= grown;
                state.mixed.iter_mut().for_each(|mixed| *mixed *= grown);
            }
            context
        },
    ),
    (
        "You return nothing for an empty block. The context of all blocks so far stays as it was.",
        |state, q, keys, values| {
            if keys.is_empty() {
                return Vec::new();
            }
            read(state, q, keys, values, |kept| [kept, kept])
        },
    ),
    (
        "An empty block before the first key subtracts −∞ from −∞, which is NaN. Leave the state as it is when the block is empty.",
        |state, q, keys, values| {
            if keys.is_empty() && state.largest == f32::NEG_INFINITY {
                state.sum = f32::NAN;
            }
            read(state, q, keys, values, |kept| [kept, kept])
        },
    ),
    (
        "You keep the mixed values after dividing them by the sum, so the next block divides them again. Keep them undivided; only the result is divided.",
        |state, q, keys, values| {
            let context = read(state, q, keys, values, |kept| [kept, kept]);
            state.mixed.clone_from(&context);
            context
        },
    ),
];
