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

//# [classic-24] Counts the tokens before the new one.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = ((4.0 + length as f64) / 6.0).powf(alpha);

//# [classic-25] Sorts with an unstable sort, which may exchange equal continuations.
-    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
+    all.sort_unstable_by(|a, b| b.log_prob.total_cmp(&a.log_prob));

//# [classic-11] Sorts from the least probable up.
-    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
+    all.sort_by(|a, b| a.log_prob.total_cmp(&b.log_prob));

//# [classic-12] Numbers the living by their rank among all.
-    for branch in &mut all {
+    for (rank, branch) in all.iter_mut().enumerate() {
-            branch.fate = Fate::Alive(places);
+            branch.fate = Fate::Alive(rank);

//# [classic-13] Divides length by 6 without adding 5.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = (length as f64 / 6.0).powf(alpha);

//# [classic-14] Keeps twice as many as are alive.
-    all.truncate(2 * beam);
+    all.truncate(2 * alive.len());

//# [classic-15] Prunes nothing: every continuation without EOS lives.
-        } else if places < beam {
+        } else {

//# [classic-16] Returns an empty list.
-    all
+    Vec::new()

//# [classic-20] Two mistakes: times the penalty, and only as many as the beam.
-            let score = log_prob / penalty;
+            let score = log_prob * penalty;
-    all.truncate(2 * beam);
+    all.truncate(beam);

//# [two-each classic-10] Takes the best few of each hypothesis, as many as the beam, and merges those, so that one hypothesis cannot fill more than its part.
-        for (word, &p) in row.iter().enumerate() {
+        let mut words: Vec<usize> = (0..row.len()).collect();
+        words.sort_by(|&a, &b| row[b].total_cmp(&row[a]));
+        for &word in words.iter().take(beam) {
+            let p = row[word];

//# [only-beam] Keeps only as many continuations as the beam, not twice as many.
-    all.truncate(2 * beam);
+    all.truncate(beam);

//# [last-word] Forgets the log-probability of the hypothesis and ranks by that of the next token alone.
-            let log_prob = alive[parent] + f64::from(p);
+            let log_prob = f64::from(p);

//# [classic-3] Multiplies the log-probabilities, as one would probabilities.
-            let log_prob = alive[parent] + f64::from(p);
+            let log_prob = alive[parent] * f64::from(p);

//# [ended-live classic-8] Gives finished continuations a place in the beam, so that they take it from a living one.
-            places += 1;
         }
+        places += 1;

//# [classic-9] Lets a continuation finish only if it is among the first of the beam, as fairseq does, and gives up the other ends.
-    for branch in &mut all {
+    for (rank, branch) in all.iter_mut().enumerate() {
-            branch.fate = Fate::Finished;
+            if rank < beam {
+                branch.fate = Fate::Finished;
+            }

//# [classic-4] Divides 5 + length by 6 as integers.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = (((5 + length) / 6) as f64).powf(alpha);

//# [classic-5] Raises only the numerator of the penalty to alpha.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = (5.0 + length as f64).powf(alpha) / 6.0;

//# [classic-0] Divides by length to the power of alpha, as fairseq does.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = (length as f64).powf(alpha);

//# [times-penalty] Multiplies by the penalty instead of dividing.
-            let score = log_prob / penalty;
+            let score = log_prob * penalty;

//# [classic-6] Counts the tokens before this one and adds 1 to length.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = ((5.0 + (length + 1) as f64) / 6.0).powf(alpha);

//# [classic-2] Sorts from the least probable up and reverses, which puts the later of equal continuations first.
-    all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
+    all.sort_by(|a, b| a.log_prob.total_cmp(&b.log_prob));
+    all.reverse();

//# [classic-7] Divides by the length penalty only where a hypothesis ends; the others keep their log-probability as the score.
-            let score = log_prob / penalty;
+            let score = log_prob;
             branch.fate = Fate::Finished;
+            branch.score = branch.log_prob / penalty;

//# [classic-22] Takes the end symbol out of the continuations before the best are chosen and lets it finish only beside them.
     all.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
+    let mut ends: Vec<Branch> = all.iter().copied().filter(|b| b.word == eos).collect();
+    all.retain(|b| b.word != eos);
     all.truncate(2 * beam);
+    all.append(&mut ends);

//# [classic-17] Numbers the living by their hypothesis instead of by their place in the new beam.
-            branch.fate = Fate::Alive(places);
+            branch.fate = Fate::Alive(branch.parent);

//# [classic-19] Reads the table the wrong way round: divides the number of a cell by the number of hypotheses instead of the size of the vocabulary.
-    for (parent, row) in next.data().chunks(next.last()).enumerate() {
-        for (word, &p) in row.iter().enumerate() {
-            let log_prob = alive[parent] + f64::from(p);
-            let score = log_prob / penalty;
-            all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });
-        }
+    let rows = alive.len();
+    for (cell, &p) in next.data().iter().enumerate() {
+        let (word, parent) = (cell / rows, cell % rows);
+        let log_prob = alive[parent] + f64::from(p);
+        let score = log_prob / penalty;
+        all.push(Branch { parent, word: word as u32, log_prob, score, fate: Fate::Pruned });

//# [classic-8] Lets finished continuations take up places of the beam: the place alive is the rank among all.
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

//# [classic-0] Divides the score by length^alpha, the plain length normalisation, instead of by ((5 + length) / 6)^alpha.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = (length as f64).powf(alpha);
-    for (rank, branch) in branches.iter_mut().enumerate() {
+    let mut living = 0;
+    for branch in branches.iter_mut() {
-        } else if rank < beam {
-            branch.fate = Fate::Alive(rank);
+        } else if living < beam {
+            branch.fate = Fate::Alive(living);
+            living += 1;

//# [classic-18] Ranks the continuations by the log-probability of the last token alone and adds that of the hypothesis only afterwards.
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

//# [classic-2] Sorts upwards and turns the list around, which turns equals around too.
-    branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
+    branches.sort_by(|a, b| a.log_prob.total_cmp(&b.log_prob));
+    branches.reverse();

//# [classic-8] A finished continuation uses up one of the living places.
             branch.fate = Fate::Finished;
+            place += 1;

//# [only-beam] Keeps only `beam` continuations, so finished ones leave too few living.
-    branches.truncate(2 * beam);
+    branches.truncate(beam);

//# [classic-4] Divides by 6 as whole numbers, so the penalty is right only where 6 divides five more than the length.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = (((5 + length) / 6) as f64).powf(alpha);

//# [classic-23] Divides by the length penalty without raising it to the power of alpha.
-    let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
+    let penalty = ((5.0 + length as f64) / 6.0);

//# [classic-18] Ranks the continuations by the log-probability of the new token, without that of the hypothesis.
-    branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
+    branches.sort_by(|a, b| {
+        let (a, b) = (a.log_prob - alive[a.parent], b.log_prob - alive[b.parent]);
+        b.total_cmp(&a)
+    });

//# [two-each] Takes the best two continuations of each hypothesis in place of the best 2 · beam of all.
-        for (word, step) in row.iter().enumerate() {
+        let mut words: Vec<(usize, &f32)> = row.iter().enumerate().collect();
+        words.sort_by(|a, b| b.1.total_cmp(a.1));
+        words.truncate(2);
+        for (word, step) in words {
