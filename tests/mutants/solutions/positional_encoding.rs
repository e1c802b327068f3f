//# right
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let position = index[0] as f64;
        let i = index[1] / 2;
        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
        if index[1] % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}

//# [swapped-from-one] Two mistakes: cosine first, and positions from 1.
-        let position = index[0] as f64;
+        let position = index[0] as f64 + 1.0;
-        if index[1] % 2 == 0 {
+        if index[1] % 2 == 1 {

//# [from-one] Counts positions from 1.
-        let position = index[0] as f64;
+        let position = (index[0] + 1) as f64;

//# [to-the-base] Spaces the frequencies so that the last pair reaches 10000 exactly: divides by one pair less than there are.
 pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
+    let pairs = d_model / 2;
+    let steps = (pairs - 1).max(1) as f64;
-        let position = index[0] as f64;
-        let i = index[1] / 2;
-        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
+        let pair = (index[1] / 2) as f64;
+        let angle = index[0] as f64 / 10_000_f64.powf(pair / steps);

//# [degrees] Turns the angle from degrees into radians first, though it is in radians already.
-        let position = index[0] as f64;
-        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
+        let angle = index[0] as f64 / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
+        let angle = angle.to_radians();

//# [relative-position] Divides the position by the length of the table first, so that positions lie between 0 and 1.
-        let position = index[0] as f64;
+        let position = index[0] as f64 / length as f64;

//# [empty-first-row] Keeps row 0 for padding and leaves it at zero.
-        let position = index[0] as f64;
+        if index[0] == 0 {
+            return 0.0;
+        }
-        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
+        let angle = index[0] as f64 / 10_000_f64.powf((2 * i) as f64 / d_model as f64);

//# right
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |i| {
        let (position, column) = (i[0] as f64, i[1]);
        let even = column - column % 2;
        let angle = position / 10_000f64.powf(even as f64 / d_model as f64);
        if column % 2 == 0 {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}
