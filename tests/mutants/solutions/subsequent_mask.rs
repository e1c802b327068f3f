//# right
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        if i[2] <= i[1] { 1.0 } else { 0.0 }
    })
}

//# [upper] Exchanges the roles of row and column: a token sees itself and what comes after it.
-        if i[2] <= i[1] { 1.0 } else { 0.0 }
+        let (target, source) = (i[2], i[1]);
+        if source <= target { 1.0 } else { 0.0 }

//# [heads-axis] Adds an axis for the heads as well.
-    Tensor::from_fn(&[1, length, length], |i| {
-        if i[2] <= i[1] { 1.0 } else { 0.0 }
+    Tensor::from_fn(&[1, 1, length, length], |i| {
+        if i[2] >= i[3] { 1.0 } else { 0.0 }

//# [rows-of-1] Shares the row out among the visible tokens, as if the mask already held weights.
-        if i[2] <= i[1] { 1.0 } else { 0.0 }
+        let visible = i[1] + 1;
+        if i[2] < visible { 1.0 / visible as f32 } else { 0.0 }

//# [only-neighbours] Shows of the past the last token alone: every token sees itself and the one before it.
-        if i[2] <= i[1] { 1.0 } else { 0.0 }
+        let (row, column) = (i[1], i[2]);
+        if column == row || column + 1 == row { 1.0 } else { 0.0 }

//# [first-hidden] Hides the first token from the others, because the start symbol is no word.
-        if i[2] <= i[1] { 1.0 } else { 0.0 }
+        let (row, column) = (i[1], i[2]);
+        let start = column == 0 && row > 0;
+        if column <= row && !start { 1.0 } else { 0.0 }

//# [anti-diagonal] Mirrors the triangle: the number of visible tokens shrinks from row to row instead of growing.
 pub fn subsequent_mask(length: usize) -> Tensor {
+    // Every step leaves one token less to look at.
-        if i[2] <= i[1] { 1.0 } else { 0.0 }
+        if i[2] < length - i[1] { 1.0 } else { 0.0 }

//# right
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        if i[2] <= i[1] { 1.0 } else { 0.0 }
    })
}
