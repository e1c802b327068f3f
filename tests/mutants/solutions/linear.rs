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

//# [y-for-dy] Computes the gradients of x and W from y.
-            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
+            .map(|o| y.at(&[i[0], o]) * weight.at(&[o, i[1]]))
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
+            .map(|r| y.at(&[r, i[0]]) * x.at(&[r, i[1]]))

//# [no-bias] The bias is left out of the forward pass.
     let (n, inputs) = (x.shape()[0], x.shape()[1]);
+    let _ = bias;
-        let sum = (0..inputs)
+        (0..inputs)
-            .sum::<f32>();
-        sum + bias.at(&[i[1]])
+            .sum::<f32>()

//# [bias-in-the-sum] The bias is added to every product instead of once to their sum.
-        let sum = (0..inputs)
-            .map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]))
-            .sum::<f32>();
-        sum + bias.at(&[i[1]])
+        let sum = (0..inputs).map(|k| x.at(&[i[0], k]) * weight.at(&[i[1], k]) + bias.at(&[i[1]]));
+        sum.sum::<f32>()

//# [product-of-sums] The gradient of the weight is the product of two sums over the rows instead of the sum of the products.
-        (0..n)
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
-            .sum::<f32>()
+        let up = (0..n).map(|r| dy.at(&[r, i[0]])).sum::<f32>();
+        let input = (0..n).map(|r| x.at(&[r, i[1]])).sum::<f32>();
+        up * input

//# [no-upstream dx-ignores-dy] dy is ignored in dx: it gives the derivative of the sum of y, not of the loss.
-        (0..outputs)
-            .map(|o| dy.at(&[i[0], o]) * weight.at(&[o, i[1]]))
-            .sum::<f32>()
+        (0..outputs).map(|o| weight.at(&[o, i[1]])).sum::<f32>()

//# [no-upstream dweight-ignores-dy] dy is ignored in the gradient of the weight: it gives only the sum of x.
-        (0..n)
-            .map(|r| dy.at(&[r, i[0]]) * x.at(&[r, i[1]]))
-            .sum::<f32>()
+        (0..n).map(|r| x.at(&[r, i[1]])).sum::<f32>()

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
