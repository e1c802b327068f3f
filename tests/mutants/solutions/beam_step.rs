//# right
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
            places += 1;
        }
    }
    all
}

//# [no-five] Divides length by 6 without adding 5.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = (length as f64 / 6.0).powf(alpha);

//# [only-beam-times-penalty] Two mistakes: times the penalty, and only as many as the beam.
-            let score = log_prob / penalty;
+            let score = log_prob * penalty;
-    all.truncate(2 * beam);
+    all.truncate(beam);

//# [two-each beam-each] Takes the best few of each hypothesis, as many as the beam, and merges those, so that one hypothesis cannot fill more than its part.
-        for (word, &p) in row.iter().enumerate() {
+        let mut words: Vec<usize> = (0..row.len()).collect();
+        words.sort_by(|&a, &b| row[b].total_cmp(&row[a]));
+        for &word in words.iter().take(beam) {
+            let p = row[word];

//# [only-beam] Keeps only as many continuations as the beam, not twice as many.
-    all.truncate(2 * beam);
+    all.truncate(beam);

//# [power-of-length] Divides by length to the power of alpha, as fairseq does.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = (length as f64).powf(alpha);

//# [only-ended-divided] Divides by the length penalty only where a hypothesis ends; the others keep their log-probability as the score.
-            let score = log_prob / penalty;
+            let score = log_prob;
             branch.fate = Fate::Finished;
+            branch.score = branch.log_prob / penalty;

//# right
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
        for (word, step) in row.iter().enumerate() {
            let log_prob = alive[parent] + f64::from(*step);
            let score = log_prob / penalty;
            branches.push(Branch {
                parent,
                word: word as u32,
                log_prob,
                score,
                fate: Fate::Pruned,
            });
        }
    }
    branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    branches.truncate(2 * beam);
    let mut place = 0;
    for branch in &mut branches {
        if branch.word == eos {
            branch.fate = Fate::Finished;
        } else if place < beam {
            branch.fate = Fate::Alive(place);
            place += 1;
        }
    }
    branches
}
