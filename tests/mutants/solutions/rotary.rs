//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

fn angle(position: usize, column: usize, d_k: usize) -> f64 {
    let pair = column / 2;
    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
}

pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.shape()[3]);
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    // (a, b) -> (-b, a), as a matrix [out, in]
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        let (to, from) = (i[0], i[1]);
        if to % 2 == 0 && from == to + 1 {
            -1.0
        } else if to % 2 == 1 && from + 1 == to {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}

//# [channels-of-all-heads] Divides the exponent by the channels of all heads instead of those of one.
-fn angle(position: usize, column: usize, d_k: usize) -> f64 {
+fn angle(position: usize, column: usize, d_model: usize) -> f64 {
-    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_k as f64)
+    position as f64 / 10_000_f64.powf(2.0 * pair as f64 / d_model as f64)
-    let (length, d_k) = (x.shape()[2], x.shape()[3]);
+    let (heads, length, d_k) = (x.shape()[1], x.shape()[2], x.shape()[3]);
+    let d_model = heads * d_k;
-    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
-    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
+    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_model).cos() as f32);
+    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_model).sin() as f32);

//# [no-gradient] Lets the gradient pass through the cosine part alone: the partner of a channel is read as a plain number.
-    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
+    let partner = tape.constant("partner", x.matmul_t(&turn).value(), &["b", "h", "t", "k"]);
+    x.mul(&cos).add(&partner.mul(&sin))

//# [one-position last-position] Turns every row by the angle of the last position, which the whole cache has reached.
-    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).cos() as f32);
-    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + i[0], i[1], d_k).sin() as f32);
+    let cos = Tensor::from_fn(&[length, d_k], |i| angle(first + length - 1, i[1], d_k).cos() as f32);
+    let sin = Tensor::from_fn(&[length, d_k], |i| angle(first + length - 1, i[1], d_k).sin() as f32);

//# right
use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

pub fn rotary(x: &Var, first: usize) -> Var {
    let shape = x.shape();
    let (length, d_k) = (shape[2], shape[3]);
    let angle = |row: usize, column: usize| {
        let pair = column / 2;
        (first + row) as f64 / 10_000f64.powf(2.0 * pair as f64 / d_k as f64)
    };
    let tape = x.tape();
    let cos = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1]).cos() as f32);
    let sin = Tensor::from_fn(&[length, d_k], |i| angle(i[0], i[1]).sin() as f32);
    let cos = tape.constant("cos", cos, &["t", "k"]);
    let sin = tape.constant("sin", sin, &["t", "k"]);
    let turn = Tensor::from_fn(&[d_k, d_k], |i| {
        if i[0] % 2 == 0 && i[1] == i[0] + 1 {
            -1.0
        } else if i[0] % 2 == 1 && i[1] + 1 == i[0] {
            1.0
        } else {
            0.0
        }
    });
    let turn = tape.constant("turn", turn, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
}

//# [backwards] Subtracts the turned part, so it rotates clockwise.
-    x.mul(&cos).add(&x.matmul_t(&turn).mul(&sin))
+    x.mul(&cos).sub(&x.matmul_t(&turn).mul(&sin))

//# [channel-exponent] Takes the column itself for 2i, so the two channels of a pair are rotated by different angles.
-        let pair = column / 2;
-        (first + row) as f64 / 10_000f64.powf(2.0 * pair as f64 / d_k as f64)
+        (first + row) as f64 / 10_000f64.powf(column as f64 / d_k as f64)

//# [] Counts positions one too high, and gives both channels of a pair a plus.
-        (first + row) as f64 / 10_000f64.powf(2.0 * pair as f64 / d_k as f64)
+        (first + row + 1) as f64 / 10_000f64.powf(2.0 * pair as f64 / d_k as f64)
-            -1.0
+            1.0
