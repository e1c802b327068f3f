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

//# [classic-10] Two mistakes: cosine first, and positions from 1.
-        let position = index[0] as f64;
+        let position = index[0] as f64 + 1.0;
-        if index[1] % 2 == 0 {
+        if index[1] % 2 == 1 {

//# [classic-0] Puts the number of the column itself into the exponent, so that the cosine has another frequency than its sine.
-    Tensor::from_fn(&[length, d_model], |index| {
-        let position = index[0] as f64;
-        let i = index[1] / 2;
-        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
-        if index[1] % 2 == 0 {
+    Tensor::from_fn(&[length, d_model], |i| {
+        let (position, column) = (i[0] as f64, i[1] as f64);
+        let angle = position / 10000_f64.powf(column / d_model as f64);
+        if i[1] % 2 == 0 {

//# [from-one] Counts positions from 1.
-        let position = index[0] as f64;
+        let position = (index[0] + 1) as f64;

//# [classic-9] Spaces the frequencies so that the last pair reaches 10000 exactly: divides by one pair less than there are.
 pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
+    let pairs = d_model / 2;
+    let steps = (pairs - 1).max(1) as f64;
-        let position = index[0] as f64;
-        let i = index[1] / 2;
-        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
+        let pair = (index[1] / 2) as f64;
+        let angle = index[0] as f64 / 10_000_f64.powf(pair / steps);

//# [classic-5] Turns the angle from degrees into radians first, though it is in radians already.
-        let position = index[0] as f64;
-        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
+        let angle = index[0] as f64 / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
+        let angle = angle.to_radians();

//# [classic-6] Divides the position by the length of the table first, so that positions lie between 0 and 1.
-        let position = index[0] as f64;
+        let position = index[0] as f64 / length as f64;

//# [classic-7] Chooses sine or cosine by the position instead of the column.
-        let position = index[0] as f64;
-        let i = index[1] / 2;
-        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
-        if index[1] % 2 == 0 {
+        let (position, column) = (index[0], index[1]);
+        let angle = position as f64 / 10_000_f64.powf((column / 2 * 2) as f64 / d_model as f64);
+        if position % 2 == 0 {

//# [classic-8] Keeps row 0 for padding and leaves it at zero.
-        let position = index[0] as f64;
+        if index[0] == 0 {
+            return 0.0;
+        }
-        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
+        let angle = index[0] as f64 / 10_000_f64.powf((2 * i) as f64 / d_model as f64);

//# [classic-2] Multiplies the position by the power instead of dividing: the later pairs turn faster.
-        let position = index[0] as f64;
-        let angle = position / 10_000_f64.powf((2 * i) as f64 / d_model as f64);
+        let angle = index[0] as f64 * 10_000_f64.powf((2 * i) as f64 / d_model as f64);

//# [classic-4] Computes the exponent with whole numbers, where 2i / d_model is always 0.
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let (position, column) = (index[0], index[1]);
        let i = column / 2;
        let exponent = 2 * i / d_model;
        let angle = position as f64 / 10_000_f64.powf(exponent as f64);
        match column % 2 {
            0 => angle.sin() as f32,
            _ => angle.cos() as f32,
        }
    })
}

//# [half-exponent] Leaves the 2 of 2i out of the exponent: divides the number of the pair by d_model.
-        let i = column / 2;
-        let exponent = 2 * i / d_model;
-        let angle = position as f64 / 10_000_f64.powf(exponent as f64);
+        let pair = column / 2;
+        let exponent = pair as f64 / d_model as f64;
+        let angle = position as f64 / 10_000_f64.powf(exponent);

//# [classic-4] Divides 2i by d_model as whole numbers before the conversion, so the exponent is always 0.
-        let exponent = 2 * i / d_model;
-        let angle = position as f64 / 10_000_f64.powf(exponent as f64);
+        let exponent = (2 * i / d_model) as f64;
+        let angle = position as f64 / 10000_f64.powf(exponent);

//# [classic-1] Puts all sines into the first half of the columns and all cosines into the second, as TensorFlow does.
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    let half = d_model / 2;
    Tensor::from_fn(&[length, d_model], |index| {
        let (position, column) = (index[0] as f64, index[1]);
        let i = column % half;
        let angle = position / 10_000_f64.powf(2.0 * i as f64 / d_model as f64);
        if column < half {
            angle.sin() as f32
        } else {
            angle.cos() as f32
        }
    })
}

//# [classic-0 own-frequency] Takes the column itself for 2i in the exponent, so that a cosine does not share the frequency of its sine.
-    let half = d_model / 2;
-        let i = column % half;
-        let angle = position / 10_000_f64.powf(2.0 * i as f64 / d_model as f64);
-        if column < half {
+        let angle = position / 10000_f64.powf(column as f64 / d_model as f64);
+        if column % 2 == 0 {

//# [classic-1] Puts all sines into the first half of the columns and all cosines into the second, as tensor2tensor does.
-        let angle = position / 10_000_f64.powf(2.0 * i as f64 / d_model as f64);
+        let angle = position / 10000_f64.powf(2.0 * i as f64 / d_model as f64);

//# [classic-3] Takes the even column for i and doubles it once more in the exponent.
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let position = index[0] as f64;
        let i = (index[1] - index[1] % 2) as f64;
        let angle = position / 10000_f64.powf(2.0 * i / d_model as f64);
        (if index[1] % 2 == 0 { angle.sin() } else { angle.cos() }) as f32
    })
}

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

//# [classic-9] Spreads the exponents from 0 to 1 so that the last pair itself is divided by 10,000, where only one pair after the last would be.
-        let angle = position / 10_000f64.powf(even as f64 / d_model as f64);
+        let angle = position / 10_000f64.powf(even as f64 / (d_model as f64 - 2.0).max(1.0));

//# [classic-0] The cosine uses its own odd column in the exponent, so the two columns of a pair have different angles.
-        let even = column - column % 2;
+        let even = column;

//# [half-exponent] The exponent is i / d_model in place of 2i / d_model, so the waves slow down only half as much.
-        let even = column - column % 2;
+        let even = column / 2;

//# [classic-4] Divides the column by d_model as whole numbers, so every exponent is 0 and all pairs have the same wave.
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    Tensor::from_fn(&[length, d_model], |index| {
        let [row, column] = [index[0], index[1]];
        let pair = column / 2;
        let exponent = (2 * pair / d_model) as f32;
        let angle = row as f32 / 10_000f32.powf(exponent);
        if column % 2 == 0 {
            angle.sin()
        } else {
            angle.cos()
        }
    })
}

//# [classic-1] Puts all the sines in the left half and all the cosines in the right half, where they should alternate.
use transformer_tutor::tensor::Tensor;

pub fn positional_encoding(length: usize, d_model: usize) -> Tensor {
    let half = d_model / 2;
    Tensor::from_fn(&[length, d_model], |i| {
        let pair = i[1] % half;
        let divisor = 10_000f32.powf(2.0 * pair as f32 / d_model as f32);
        let angle = i[0] as f32 / divisor;
        if i[1] < half {
            angle.sin()
        } else {
            angle.cos()
        }
    })
}
