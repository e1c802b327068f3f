//# right
use transformer_tutor::tensor::Tensor;
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.shape()[1]);
    let outputs = weight.shape()[0];
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let sum = (0..inputs)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>();
        sum + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}

//# [classic-12] Computes the gradients of x and W from y.
-            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
+            .map(|o| y.at(&[i[0], o]) * weight.at(&[o, i[1]]))
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
+            .map(|r| y.at(&[r, i[0]]) * x.at(&[r, i[1]]))

//# [classic-5] Divides the gradient of the weight by the number of rows.
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
-            .sum::<f32>()
+            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
+            .sum::<f32>()
+            / n as f32

//# [not-transposed] The forward pass multiplies with W instead of its transpose.
-            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
+            .map(|k| x.at(&[i[0], k]) * weight.at(&[k, i[1]]))

//# [classic-0] The weight is taken to have the shape in by out, everywhere.
-    let outputs = weight.shape()[0];
+    let outputs = weight.shape()[1];
-            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
+            .map(|k| x.at(&[i[0], k]) * weight.at(&[k, i[1]]))
-            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
+            .map(|o| dy.at(&[i[0], o]) * weight.at(&[i[1], o]))
-    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
+    let dweight = Tensor::from_fn(&[inputs, outputs], |i| {
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
+            .map(|r| dy.at(&[r, i[1]]) * x.at(&[r, i[0]]))

//# [no-bias] The bias is left out of the forward pass.
     let (n, inputs) = (x.shape()[0], x.shape()[1]);
+    let _ = bias;
-        let sum = (0..inputs)
+        (0..inputs)
-            .sum::<f32>();
-        sum + bias.at(&[i[1]])
+            .sum::<f32>()

//# [classic-1] The bias is added to every product instead of once to their sum.
-        let sum = (0..inputs)
-            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
-            .sum::<f32>();
-        sum + bias.at(&[i[1]])
+        let sum = (0..inputs).map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]) + bias.at(&[i[1]]));
+        sum.sum::<f32>()

//# [dx-not-transposed] dx multiplies with the transpose of W instead of W.
-            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
+            .map(|o| dy.at(&[i[0], o]) * weight.at(&[i[1], o]))

//# [dweight-transposed] The gradient of the weight is transposed, in by out.
-    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
+    let dweight = Tensor::from_fn(&[inputs, outputs], |i| {
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
+            .map(|r| x.at(&[r, i[0]]) * dy.at(&[r, i[1]]))

//# [dbias-mean mean-over-rows] The gradient of the bias is averaged over the rows instead of summed.
-        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
+        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>() / n as f32

//# [classic-5] The gradient of the weight is averaged over the rows instead of summed.
             .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
             .sum::<f32>()
+            / n as f32

//# [classic-2] The gradient of the bias is dy itself; it is not summed over the rows.
-    let dbias = Tensor::from_fn(&[outputs], |i| {
-        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
-    });
+    let dbias = dy.clone();

//# [classic-3] The gradient of the bias is summed over the outputs instead of the rows.
-    let dbias = Tensor::from_fn(&[outputs], |i| {
-        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
+    let dbias = Tensor::from_fn(&[n], |i| {
+        (0..outputs).map(|o| dy.at(&[i[0], o])).sum::<f32>()

//# [classic-13] The gradient of the weight is the product of two sums over the rows instead of the sum of the products.
-        (0..n)
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
-            .sum::<f32>()
+        let up = (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>();
+        let input = (0..n).map(|r| x.at(&[r, i[1]])).sum::<f32>();
+        up * input

//# [no-upstream classic-7] dy is ignored in dx: it gives the derivative of the sum of y, not of the loss.
-        (0..outputs)
-            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
-            .sum::<f32>()
+        (0..outputs).map(|o| weight.at(&[o, i[1]])).sum::<f32>()

//# [no-upstream classic-8] dy is ignored in the gradient of the weight: it gives only the sum of x.
-        (0..n)
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
-            .sum::<f32>()
+        (0..n).map(|r| x.at(&[r, i[1]])).sum::<f32>()

//# [no-upstream classic-9] The gradient of the bias is 1 for each output, without dy.
-    let dbias = Tensor::from_fn(&[outputs], |i| {
-        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>()
-    });
+    let dbias = Tensor::ones(&[outputs]);

//# [classic-11] The gradient of the weight is taken from the first row only.
-    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
-        (0..n)
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
-            .sum::<f32>()
-    });
+    let dweight = Tensor::from_fn(&[outputs, inputs], |i| dy.at(&[0, i[0]]) * x.at(&[0, i[1]]));

//# [classic-12] The layer's result y is used in the place of dy in the gradients of x and weight.
-            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
+            .map(|o| y.at(&[i[0], o]) * weight.at(&[o, i[1]]))
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
+            .map(|r| y.at(&[r, i[0]]) * x.at(&[r, i[1]]))

//# [classic-4] The gradients of x and of the weight are returned in the wrong order.
-    (y, [dx, dweight, dbias])
+    (y, [dweight, dx, dbias])

//# [classic-6] The gradients are negated, as if a step downhill were asked for.
-    (y, [dx, dweight, dbias])
+    (y, [dx.map(|g| -g), dweight.map(|g| -g), dbias.map(|g| -g)])

//# [dweight-transposed] Computes the gradient of the weight as xᵀ dy, the layout [in, out] of the textbooks, not that of W.
use transformer_tutor::tensor::Tensor;

pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let n = x.shape()[0];
    let (outs, ins) = (weight.shape()[0], weight.shape()[1]);
    let y = Tensor::from_fn(&[n, outs], |i| {
        (0..ins)
            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
            .sum::<f32>()
            + bias.at(&[i[1]])
    });
    let dx = Tensor::from_fn(&[n, ins], |i| {
        (0..outs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[ins, outs], |i| {
        (0..n)
            .map(|r| x.at(&[r, i[0]]) * dy.at(&[r, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outs], |i| (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>());
    (y, [dx, dweight, dbias])
}

//# [mean-over-rows] Averages the gradients of weight and bias over the n rows instead of adding them up.
-    let dweight = Tensor::from_fn(&[ins, outs], |i| {
+    let dweight = Tensor::from_fn(&[outs, ins], |i| {
-            .map(|r| x.at(&[r, i[0]]) * dy.at(&[r, i[1]]))
+            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
             .sum::<f32>()
+            / n as f32
-    let dbias = Tensor::from_fn(&[outs], |i| (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>());
+    let dbias = Tensor::from_fn(&[outs], |i| {
+        (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>() / n as f32
+    });

//# [classic-10] Overwrites the gradient of the weight row by row instead of adding, so that only the last position counts in it.
use transformer_tutor::tensor::Tensor;

pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let n = x.shape()[0];
    let (outs, ins) = (weight.shape()[0], weight.shape()[1]);
    let mut y = vec![0.0; n * outs];
    let mut dx = vec![0.0; n * ins];
    let mut dweight = vec![0.0; outs * ins];
    let mut dbias = vec![0.0; outs];
    for r in 0..n {
        for o in 0..outs {
            y[r * outs + o] = bias.at(&[o]);
            dbias[o] += dy.at(&[r, o]);
            for k in 0..ins {
                y[r * outs + o] += x.at(&[r, k]) * weight.at(&[o, k]);
                dx[r * ins + k] += dy.at(&[r, o]) * weight.at(&[o, k]);
                dweight[o * ins + k] = dy.at(&[r, o]) * x.at(&[r, k]);
            }
        }
    }
    (
        Tensor::new(&[n, outs], y),
        [
            Tensor::new(&[n, ins], dx),
            Tensor::new(&[outs, ins], dweight),
            Tensor::new(&[outs], dbias),
        ],
    )
}

//# right
use transformer_tutor::tensor::Tensor;

pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs, outputs) = (x.shape()[0], x.shape()[1], weight.shape()[0]);
    let y = Tensor::from_fn(&[n, outputs], |i| {
        bias.at(&[i[1]])
            + (0..inputs)
                .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
                .sum::<f32>()
    });
    let dx = Tensor::from_fn(&[n, inputs], |i| {
        (0..outputs)
            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
            .sum::<f32>()
    });
    let dweight = Tensor::from_fn(&[outputs, inputs], |i| {
        (0..n)
            .map(|row| dy.at(&[row, i[0]]) * x.at(&[row, i[1]]))
            .sum::<f32>()
    });
    let dbias = Tensor::from_fn(&[outputs], |i| {
        (0..n).map(|row| dy.at(&[row, i[0]])).sum::<f32>()
    });
    (y, [dx, dweight, dbias])
}

//# [dbias-mean] Averages the bias gradient over the positions in place of summing it.
-        (0..n).map(|row| dy.at(&[row, i[0]])).sum::<f32>()
+        (0..n).map(|row| dy.at(&[row, i[0]])).sum::<f32>() / n as f32

//# [dbias-first-row] Takes the bias gradient from the first position only.
-    let dbias = Tensor::from_fn(&[outputs], |i| {
-        (0..n).map(|row| dy.at(&[row, i[0]])).sum::<f32>()
-    });
+    let dbias = Tensor::from_fn(&[outputs], |i| dy.at(&[0, i[0]]));

//# [classic-3] Sums dy over the outputs of a position in place of over the positions.
-        (0..n).map(|row| dy.at(&[row, i[0]])).sum::<f32>()
+        (0..outputs).map(|o| dy.at(&[i[0], o])).sum::<f32>()

//# [dx-not-transposed] Sums over the wrong axis of the weight for dx, which fits only if it is square, and is right only if it is symmetric.
-            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
+            .map(|o| dy.at(&[i[0], o]) * weight.at(&[i[1], o]))

//# [classic-10] Overwrites the weight gradient for every position, so only the last position counts.
             .map(|row| dy.at(&[row, i[0]]) * x.at(&[row, i[1]]))
-            .sum::<f32>()
+            .last()
+            .unwrap_or(0.0)
