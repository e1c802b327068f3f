//# right
use transformer_tutor::curriculum::where_time_goes::attend_block::State;

pub fn attend_block(
    state: &mut State,
    query: &[f32],
    keys: &[Vec<f32>],
    values: &[Vec<f32>],
) -> Vec<f32> {
    if keys.is_empty() {
        return state.mixed.iter().map(|cell| cell / state.sum).collect();
    }
    let root = (query.len() as f32).sqrt();
    let scores: Vec<f32> = keys
        .iter()
        .map(|key| key.iter().zip(query).map(|(k, q)| k * q).sum::<f32>() / root)
        .collect();
    let largest = scores.iter().copied().fold(state.largest, f32::max);
    let correction = (state.largest - largest).exp();
    state.mixed.resize(values[0].len(), 0.0);
    state.sum *= correction;
    for cell in &mut state.mixed {
        *cell *= correction;
    }
    for (score, value) in scores.iter().zip(values) {
        let weight = (score - largest).exp();
        state.sum += weight;
        for (cell, v) in state.mixed.iter_mut().zip(value) {
            *cell += weight * v;
        }
    }
    state.largest = largest;
    state.mixed.iter().map(|cell| cell / state.sum).collect()
}

//# [rescaled-upwards] Corrects by the exponential of new minus old, so the earlier blocks grow in place of shrinking.
-    let correction = (state.largest - largest).exp();
+    let correction = if state.largest == f32::NEG_INFINITY {
+        0.0
+    } else {
+        (largest - state.largest).exp()
+    };

//# [nothing-for-nothing] Returns an empty list for every empty block, though there may be a context already.
-        return state.mixed.iter().map(|cell| cell / state.sum).collect();
+        return Vec::new();

//# [nan-for-nothing] Has no case for an empty block, so before the first key it subtracts −∞ from −∞ and leaves NaN in the sum.
-    if keys.is_empty() {
-        return state.mixed.iter().map(|cell| cell / state.sum).collect();
-    }
-    state.mixed.resize(values[0].len(), 0.0);
+    if let Some(value) = values.first() {
+        state.mixed.resize(value.len(), 0.0);
+    }

//# [largest-from-0] Compares the scores with 0 too, so negative scores are measured against 0.
-    let largest = scores.iter().copied().fold(state.largest, f32::max);
+    let largest = scores
+        .iter()
+        .copied()
+        .fold(state.largest.max(0.0), f32::max);

//# [largest-of-the-block] Takes the largest score of the new block even if an earlier one was larger, so exp may overflow.
-    let largest = scores.iter().copied().fold(state.largest, f32::max);
+    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);

//# [kept-divided] Divides the kept values by the sum after each block, and then treats them as undivided in the next.
-        return state.mixed.iter().map(|cell| cell / state.sum).collect();
+        return state.mixed.clone();
-    state.mixed.iter().map(|cell| cell / state.sum).collect()
+    for cell in &mut state.mixed {
+        *cell /= state.sum;
+    }
+    state.mixed.clone()
