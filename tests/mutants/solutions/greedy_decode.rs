//# right
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
    tokens[1..].to_vec()
}

//# [keeps-end] Writes EOS before it ends.
-            Some(id) if id != EOS => tokens.push(id),
+            Some(id) if id != EOS => tokens.push(id),
+            Some(id) => {
+                tokens.push(id);
+                break;
+            }

//# [keeps-begin] Leaves BOS at the beginning of the result.
-    tokens[1..].to_vec()
+    tokens

//# [keeps-end] Writes EOS into the result before it ends.
-            Some(id) if id != EOS => tokens.push(id),
-            _ => break,
+            Some(id) => {
+                tokens.push(id);
+                if id == EOS {
+                    break;
+                }
+            }
+            None => break,

//# [one-too-few] Counts BOS as one of the tokens that the limit allows.
-    for _ in 0..limit {
+    while tokens.len() < limit {

//# [last-of-equal] Of equally probable tokens takes the last.
-            if best.is_none_or(|b| p > log_probs[b]) {
+            if best.is_none_or(|b| p >= log_probs[b]) {

//# [writes-padding] Does not keep padding from being chosen.
-use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};
+use transformer_tutor::text::vocabulary::{BOS, EOS};
-            if id == PAD {
-                continue;
-            }

//# [classic-1] Takes padding for an end: stops where it is the most probable token.
-            if id == PAD {
-                continue;
-            }
-            Some(id) if id != EOS => tokens.push(id),
+            Some(id) if id != EOS && id != PAD => tokens.push(id),

//# [classic-7] Shows the model only the last token, as one would a recurrent network.
-        let log_probs = next(&tokens);
+        let log_probs = next(&tokens[tokens.len() - 1..]);

//# [classic-2] Writes a token before it looks at the limit, so that the limit 0 writes one.
-    for _ in 0..limit {
+    loop {
             _ => break,
         }
+        if tokens.len() > limit {
+            break;
+        }

//# [classic-3] Skips padding by leaving the first cell out, and forgets that this moves all ids by one.
-        let log_probs = next(&tokens);
+        let log_probs = next(&tokens)[PAD + 1..].to_vec();
-            if id == PAD {
-                continue;
-            }

//# [classic-4] Switches padding off with a log-probability of 0, which is the probability 1.
-        let log_probs = next(&tokens);
+        let mut log_probs = next(&tokens);
+        log_probs[PAD] = 0.0;
-            if id == PAD {
-                continue;
-            }

//# [classic-6] Takes every special token out of the result, also a BOS that the model wrote.
-    tokens[1..].to_vec()
+    tokens.retain(|&id| id != BOS && id != EOS && id != PAD);
+    tokens

//# [goes-on classic-0] Calls the end only where EOS has more than half of the probability.
-            if id == PAD {
+            if id == PAD || id == EOS {
-        match best {
-            Some(id) if id != EOS => tokens.push(id),
-            _ => break,
+        if log_probs[EOS].exp() > 0.5 {
+            break;
+        }
+        if let Some(id) = best {
+            tokens.push(id);

//# [] Asks the model once and writes its tokens in the order of their probability.
     let mut tokens = vec![BOS];
+    if limit == 0 {
+        return Vec::new();
+    }
+    let mut log_probs = next(&tokens);
-        let log_probs = next(&tokens);
-            Some(id) if id != EOS => tokens.push(id),
+            Some(id) if id != EOS => {
+                tokens.push(id);
+                log_probs[id] = f32::NEG_INFINITY;
+            }

//# [one-too-few] Counts BOS as one of the tokens that the limit allows.
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

//# [classic-5] Begins the search for the largest at 0, as if the model gave probabilities, so that no log-probability is larger.
-    while tokens.len() < limit {
+    for _ in 0..limit {
-        let mut most = f32::NEG_INFINITY;
+        let mut largest = 0.0;
-            if id != PAD && p > most {
+            if id == PAD {
+                continue;
+            }
+            if p > largest {
+                largest = p;
-                most = p;
-    tokens.remove(0);
-    tokens
+    tokens[1..].to_vec()

//# [forgets classic-7] Gives the model only the newest token at each step, as if it had a cache, instead of all tokens so far.
-    let mut tokens = vec![BOS];
-    while tokens.len() < limit {
-        let log_probs = next(&tokens);
+    let mut written = Vec::new();
+    let mut last = BOS;
+    for _ in 0..limit {
+        let log_probs = next(&[last]);
-        tokens.push(best);
+        written.push(best);
+        last = best;
-    tokens.remove(0);
-    tokens
+    written

//# [last-of-equal] Takes the last of equally probable tokens, because max_by does.
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

//# right
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    while tokens.len() <= limit {
        let log_probs = next(&tokens);
        let mut best = None;
        for (id, &log_prob) in log_probs.iter().enumerate() {
            if id != PAD && best.is_none_or(|(_, highest)| log_prob > highest) {
                best = Some((id, log_prob));
            }
        }
        match best {
            Some((id, _)) if id != EOS => tokens.push(id),
            _ => break,
        }
    }
    tokens.split_off(1)
}

//# [keeps-end] Leaves EOS in the result.
-            Some((id, _)) if id != EOS => tokens.push(id),
-            _ => break,
+            Some((id, _)) => {
+                tokens.push(id);
+                if id == EOS {
+                    break;
+                }
+            }
+            None => break,

//# [last-of-equal] Of equally probable tokens it takes the one with the largest id.
-            if id != PAD && best.is_none_or(|(_, highest)| log_prob > highest) {
+            if id != PAD && best.is_none_or(|(_, highest)| log_prob >= highest) {

//# [classic-7] Gives the model only the last token in place of all so far.
-        let log_probs = next(&tokens);
+        let log_probs = next(&tokens[tokens.len() - 1..]);

//# [one-too-few] Counts BOS as a written token, so it writes one token too few.
-    while tokens.len() <= limit {
+    while tokens.len() < limit {

//# [classic-3] Leaves the column of padding out of the list and forgets to map the index back to an id.
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut written = vec![BOS];
    while written.len() < limit + 1 {
        let mut log_probs = next(&written);
        log_probs.remove(PAD);
        let mut best = 0;
        for (id, log_prob) in log_probs.iter().enumerate() {
            if *log_prob > log_probs[best] {
                best = id;
            }
        }
        if best == EOS {
            break;
        }
        written.push(best);
    }
    written.drain(1..).collect()
}

//# [classic-1] Ends when padding is the most probable token, in place of taking the next best.
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    for _ in 0..limit {
        let log_probs = next(&tokens);
        let mut best = 0;
        for id in 1..log_probs.len() {
            if log_probs[id] > log_probs[best] {
                best = id;
            }
        }
        if best == EOS || best == PAD {
            break;
        }
        tokens.push(best);
    }
    tokens.remove(0);
    tokens
}

//# [classic-2] Tests the limit only after it has written a token, so limit 0 writes one.
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let mut tokens = vec![BOS];
    loop {
        let log_probs = next(&tokens);
        let candidates = (0..log_probs.len()).filter(|id| *id != PAD);
        let best = candidates
            .rev()
            .max_by(|a, b| log_probs[*a].total_cmp(&log_probs[*b]))
            .unwrap_or(EOS);
        if best == EOS {
            break;
        }
        tokens.push(best);
        if tokens.len() > limit {
            break;
        }
    }
    tokens[1..].to_vec()
}
