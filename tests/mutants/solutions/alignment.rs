//# Also links the EOS, which the last position predicts.
//= with-end
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let (heads, positions, source) = (weights.shape()[0], weights.shape()[1], weights.shape()[2]);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for t in 0..positions {
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

//# Takes the largest weight of any head instead of the mean over the heads.
//= classic-0
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let (heads, positions, source) = (weights.shape()[0], weights.shape()[1], weights.shape()[2]);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for t in 0..positions - 1 {
        let mut best = 0;
        let mut largest = f32::NEG_INFINITY;
        for s in 0..source {
            let mut sum: f32 = 0.0;
            for h in 0..heads {
                sum = sum.max(weights.at(&[h, t, s]));
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

//# Takes the last source token among equal weights.
//= classic-1
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
            if sum >= largest {
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

//# Measures the error as 1 − |found ∩ truth| / |found ∪ truth|, the Jaccard distance.
//= classic-2
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
    let error = 1.0 - both as f64 / (found.len() + truth.len() - both) as f64;
    (found, error)
}

//# Measures only how many of the found links are true (precision) and ignores the true ones that were not found.
//= found-only
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
    let error = 1.0 - both as f64 / found.len() as f64;
    (found, error)
}

//# Measures only how many of the true links were found (recall).
//= classic-3
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
    let error = 1.0 - both as f64 / truth.len() as f64;
    (found, error)
}

//# Returns the agreement (F1) instead of the error.
//= classic-4
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
    let error = 2.0 * both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}

//# Forgets the factor 2 of the agreement.
//= counted-once
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
    let error = 1.0 - both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}

//# Divides the counts as integers.
//= classic-5
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
    let error = 1.0 - (2 * both / (found.len() + truth.len())) as f64;
    (found, error)
}

//# Leaves out the last source position too, as if it were always the EOS of the source.
//=
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let (heads, positions, source) = (weights.shape()[0], weights.shape()[1], weights.shape()[2]);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for t in 0..positions - 1 {
        let mut best = 0;
        let mut largest = f32::NEG_INFINITY;
        for s in 0..source - 1 {
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

//# Skips the position of BOS, so it links from the row that reads the token instead of the one that predicts it.
//= row-that-reads
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let (heads, positions, source) = (weights.shape()[0], weights.shape()[1], weights.shape()[2]);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for t in 1..positions {
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
        found.push((best, t - 1));
    }
    let both = found.iter().filter(|&link| truth.contains(link)).count();
    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}

//# Starts with the row of token 1, because it takes position 0 for BOS, and numbers the targets by their position.
//= classic-7
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let (heads, positions, source) = (weights.shape()[0], weights.shape()[1], weights.shape()[2]);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for t in 1..positions - 1 {
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

//# Counts a found link as true only at the same place in the list.
//=
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
    let both = found.iter().zip(truth).filter(|(a, b)| a == b).count();
    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}

//# Returns the links in the order of the source tokens.
//= classic-6
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
    found.sort();
    (found, error)
}

//# Allows at most one link per source token: linked tokens are not considered again.
//=
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let (heads, positions, source) = (weights.shape()[0], weights.shape()[1], weights.shape()[2]);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for t in 0..positions - 1 {
        let mut best = 0;
        let mut largest = f32::NEG_INFINITY;
        for s in 0..source {
            if found.iter().any(|link| link.0 == s) {
                continue;
            }
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

//# Lets the heads vote with their largest weights and links the source token with the most votes.
//=
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
                let weight = weights.at(&[h, t, s]);
                if (0..source).all(|other| weights.at(&[h, t, other]) <= weight) {
                    sum += 1.0;
                }
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

//# Links every source token whose weight is above average, not only the one with the largest weight.
//=
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let (heads, positions, source) = (weights.shape()[0], weights.shape()[1], weights.shape()[2]);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for t in 0..positions - 1 {
        for s in 0..source {
            let mut sum = 0.0;
            for h in 0..heads {
                sum += weights.at(&[h, t, s]);
            }
            if sum / heads as f32 > 1.0 / source as f32 {
                found.push((s, t));
            }
        }
    }
    let both = found.iter().filter(|&link| truth.contains(link)).count();
    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}

//# Finds each source token's best target instead of each target's best source.
//= by-source
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let (heads, positions, source) = (weights.shape()[0], weights.shape()[1], weights.shape()[2]);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for s in 0..source {
        let mut best = 0;
        let mut largest = f32::NEG_INFINITY;
        for t in 0..positions - 1 {
            let mut sum = 0.0;
            for h in 0..heads {
                sum += weights.at(&[h, t, s]);
            }
            if sum > largest {
                largest = sum;
                best = t;
            }
        }
        found.push((s, best));
    }
    let both = found.iter().filter(|&link| truth.contains(link)).count();
    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}

//# Uses the position that reads token t, t + 1, instead of the one that predicts it.
//= row-that-reads
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
//# Takes the source token with the largest weight in any single head instead of the largest mean over the heads.
//= classic-0
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let shape = weights.shape();
    let (heads, positions, source) = (shape[0], shape[1], shape[2]);
    let mut found = Vec::new();
    for t in 0..positions - 1 {
        let mut best = 0;
        let mut most = f32::NEG_INFINITY;
        for s in 0..source {
            for head in 0..heads {
                let weight = weights.at(&[head, t, s]);
                if weight > most {
                    most = weight;
                    best = s;
                }
            }
        }
        found.push((best, t));
    }
    let both = found.iter().filter(|link| truth.contains(link)).count();
    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}
//# Computes the error as 1 minus the recall, |found ∩ truth| / |truth|, instead of using both sizes.
//= classic-3
use transformer_tutor::tensor::Tensor;

pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Vec<(usize, usize)>, f64) {
    let shape = weights.shape();
    let (heads, positions, source) = (shape[0], shape[1], shape[2]);
    let mut found = Vec::new();
    for t in 0..positions - 1 {
        let mean = |s: usize| (0..heads).map(|h| weights.at(&[h, t, s])).sum::<f32>();
        let mut best = 0;
        for s in 1..source {
            if mean(s) > mean(best) {
                best = s;
            }
        }
        found.push((best, t));
    }
    let both = found.iter().filter(|link| truth.contains(link)).count();
    let error = 1.0 - both as f64 / truth.len() as f64;
    (found, error)
}
