//# Takes the best continuations of each hypothesis, as many as the beam, and merges them, so that none contributes more.
//= two-each classic-10
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        let mut words: Vec<usize> = (0..row.len()).collect();
        words.sort_by(|&a, &b| row[b].total_cmp(&row[a]));
        for &word in words.iter().take(beam) {
            let p = row[word];
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Keeps only as many continuations as the beam, not twice as many.
//= only-beam
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Forgets the log-probability of the hypothesis and ranks only by that of the next token.
//= last-word
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Multiplies the log-probabilities as if they were probabilities.
//= classic-3
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] * f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Gives finished continuations a place in the beam, which a live one then lacks.
//= ended-live classic-8
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
        }
        places += 1;
    }
    all
}

//# Lets a continuation finish only if it ranks within the beam, as fairseq does, and discards the others that end.
//= classic-9
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for (rank, branch) in all.iter_mut().enumerate() {
        if branch.word == eos {
            if rank < beam {
                branch.fate = Fate::Finished;
            }
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Divides 5 + length by 6 as integers.
//= classic-4
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = (((5 + length) / 6) as f64).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Raises only the penalty's numerator to the power of alpha.
//= classic-5
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = (5.0 + length as f64).powf(alpha) / 6.0;
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Divides by length to the power of alpha, as fairseq does.
//= classic-0
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = (length as f64).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Multiplies by the penalty instead of dividing.
//= times-penalty
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob * penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Assumes that length counts only the tokens before this one and adds 1 to it.
//= classic-6
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + (length + 1) as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Sorts in ascending order and reverses, which puts the later of equal continuations first.
//= classic-2
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| a.log_prob.total_cmp(&b.log_prob));
    all.reverse();
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Divides by the length penalty only when a hypothesis ends; the others keep their log-probability as the score.
//= classic-7
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
            branch.score = branch.log_prob / penalty;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Removes the end symbol before the best continuations are chosen and finishes it separately.
//=
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    let mut ends: Vec<Branch> = all.iter().copied().filter(|b| b.word == eos).collect();
    all.retain(|b| b.word != eos);
    all.truncate(2 * beam);
    all.append(&mut ends);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Numbers live continuations by their hypothesis instead of by their place in the new beam.
//=
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            let score = log_prob / penalty;
            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
        }
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(branch.parent);
            places += 1;
        }
    }
    all
}

//# Reads the table transposed: divides the index of a cell by the number of hypotheses instead of the size of the vocabulary.
//=
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut all: Vec<Branch> = Vec::new();
    let rows = alive.len();
    for (cell, &p) in next.data().iter().enumerate() {
        let (word, parent) = (cell / rows, cell % rows);
        let log_prob = alive[parent] + f64::from(p);
        let score = log_prob / penalty;
        all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
    }
    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    all.truncate(2 * beam);
    let mut places = 0;
    for branch in &mut all {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if places < beam {
            branch.fate = Fate::Alive(places);
            places += 1;
        }
    }
    all
}

//# Lets finished continuations take up places in the beam: a live one's place is its rank among all.
//= classic-8
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut branches = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            branches.push(Branch {
                parent,
                word: word as u32,
                log_prob,
                score: log_prob / penalty,
                fate: Fate::Pruned,
            });
        }
    }
    branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    branches.truncate(2 * beam);
    for (rank, branch) in branches.iter_mut().enumerate() {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if rank < beam {
            branch.fate = Fate::Alive(rank);
        }
    }
    branches
}
//# Divides the score by length^alpha, the plain length normalisation, instead of by ((5 + length) / 6)^alpha.
//= classic-0
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let penalty = (length as f64).powf(alpha);
    let mut branches = Vec::new();
    for (parent, row) in next.data().chunks(next.last()).enumerate() {
        for (word, &p) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(p);
            branches.push(Branch {
                parent,
                word: word as u32,
                log_prob,
                score: log_prob / penalty,
                fate: Fate::Pruned,
            });
        }
    }
    branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    branches.truncate(2 * beam);
    let mut living = 0;
    for branch in branches.iter_mut() {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if living < beam {
            branch.fate = Fate::Alive(living);
            living += 1;
        }
    }
    branches
}
//# Ranks the continuations only by the log-probability of the last token and adds that of the hypothesis afterwards.
//= last-word
use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let width = next.last();
    let mut order: Vec<usize> = (0..alive.len() * width).collect();
    order.sort_by(|&a, &b| next.data()[b].total_cmp(&next.data()[a]));
    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
    let mut living = 0;
    order
        .into_iter()
        .take(2 * beam)
        .map(|cell| {
            let (parent, word) = (cell / width, (cell % width) as u32);
            let log_prob = alive[parent] + f64::from(next.data()[cell]);
            let fate = if word == eos {
                Fate::Finished
            } else if living < beam {
                living += 1;
                Fate::Alive(living - 1)
            } else {
                Fate::Pruned
            };
            Branch {
                parent,
                word,
                log_prob,
                score: log_prob / penalty,
                fate,
            }
        })
        .collect()
}
