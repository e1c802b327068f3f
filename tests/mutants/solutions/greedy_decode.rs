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

//# [writes-padding] Does not keep padding from being chosen.
-use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};
+use transformer_tutor::text::vocabulary::{BOS, EOS};
-            if id == PAD {
-                continue;
-            }

//# [writes-before-the-limit] Writes a token before it looks at the limit, so that the limit 0 writes one.
-    for _ in 0..limit {
+    loop {
             _ => break,
         }
+        if tokens.len() > limit {
+            break;
+        }

//# [goes-on more-than-half] Calls the end only where EOS has more than half of the probability.
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

//# [largest-from-0] Begins the search for the largest at 0, as if the model gave probabilities, so that no log-probability is larger.
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
