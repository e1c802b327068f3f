//# Leaves BOS at the beginning of the result.
//= keeps-begin
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD {
                continue;
            }
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens
}

//# Writes EOS into the result before it ends.
//= keeps-end
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD {
                continue;
            }
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) => {
                tokens.push(id);
                if id == EOS {
                    break;
                }
            }
            None => break,
        }
    }
    tokens[1..].to_vec()
}

//# Counts BOS as one of the tokens that the limit allows.
//= one-too-few
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    while tokens.len() < limit {
        let log_probs = next(&tokens);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD {
                continue;
            }
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens[1..].to_vec()
}

//# Takes the last of equally probable tokens.
//= last-of-equal
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD {
                continue;
            }
            if best.is_none_or(|b| p >= log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens[1..].to_vec()
}

//# Does not keep padding from being chosen.
//= writes-padding
use transformer_tutor::text::vocabulary::{BOS, EOS};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens[1..].to_vec()
}

//# Treats padding as an end: stops when it is the most probable token.
//= classic-1
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS && id != PAD => tokens.push(id),
            _ => break,
        }
    }
    tokens[1..].to_vec()
}

//# Shows the model only the last token, as one would a recurrent network.
//=
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens[tokens.len() - 1..]);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD {
                continue;
            }
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens[1..].to_vec()
}

//# Writes a token before it checks the limit, so that a limit of 0 writes one.
//= classic-2
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    loop {
        let log_probs = next(&tokens);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD {
                continue;
            }
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
        if tokens.len() > limit {
            break;
        }
    }
    tokens[1..].to_vec()
}

//# Skips padding by leaving out the first cell, and forgets that this shifts all ids by one.
//= classic-3
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens)[PAD + 1..].to_vec();
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens[1..].to_vec()
}

//# Excludes padding with a log-probability of 0, which is a probability of 1.
//= classic-4
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let mut log_probs = next(&tokens);
        log_probs[PAD] = 0.0;
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens[1..].to_vec()
}

//# Starts the search for the maximum at 0, as if the model gave probabilities, so that no log-probability is larger.
//= classic-5
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let mut best = EOS;
        let mut largest = 0.0;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD {
                continue;
            }
            if p > largest {
                largest = p;
                best = id;
            }
        }
        if best == EOS {
            break;
        }
        tokens.push(best);
    }
    tokens[1..].to_vec()
}

//# Removes every special token from the result, even a BOS that the model wrote.
//= classic-6
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD {
                continue;
            }
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens.retain(|&id| id != BOS && id != EOS && id != PAD);
    tokens
}

//# Ends only if EOS has more than half of the probability.
//= goes-on classic-0
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD || id == EOS {
                continue;
            }
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        if log_probs[EOS].exp() > 0.5 {
            break;
        }
        if let Some(id) = best {
            tokens.push(id);
        }
    }
    tokens[1..].to_vec()
}

//# Runs the model once and writes tokens in the order of their probability.
//=
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    if limit == 0 {
        return Vec::new();
    }
    let mut log_probs = next(&tokens);
    for _ in 0..limit {
        let mut best: Option<usize> = None;
        for (id, &p) in log_probs.iter().enumerate() {
            if id == PAD {
                continue;
            }
            if best.is_none_or(|b| p > log_probs[b]) {
                best = Some(id);
            }
        }
        match best {
            Some(id) if id != EOS => {
                tokens.push(id);
                log_probs[id] = f32::NEG_INFINITY;
            }
            _ => break,
        }
    }
    tokens[1..].to_vec()
}

//# Takes the last of equally probable tokens, because max_by does.
//= last-of-equal
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let best = (0..log_probs.len())
            .filter(|&id| id != PAD)
            .max_by(|&a, &b| log_probs[a].total_cmp(&log_probs[b]))
            .unwrap();
        if best == EOS {
            break;
        }
        tokens.push(best);
    }
    tokens[1..].to_vec()
}
//# Counts BOS as one of the tokens that the limit allows.
//= one-too-few
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    while tokens.len() < limit {
        let log_probs = next(&tokens);
        let mut best = EOS;
        let mut most = f32::NEG_INFINITY;
        for (id, &p) in log_probs.iter().enumerate() {
            if id != PAD && p > most {
                best = id;
                most = p;
            }
        }
        if best == EOS {
            break;
        }
        tokens.push(best);
    }
    tokens.remove(0);
    tokens
}
//# Shows the model only the newest token at each step, as if it had a cache, instead of all tokens so far.
//= forgets
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut written = Vec::new();
    let mut last = BOS;
    for _ in 0..limit {
        let log_probs = next(&[last]);
        let mut best = EOS;
        let mut most = f32::NEG_INFINITY;
        for (id, &p) in log_probs.iter().enumerate() {
            if id != PAD && p > most {
                best = id;
                most = p;
            }
        }
        if best == EOS {
            break;
        }
        written.push(best);
        last = best;
    }
    written
}
