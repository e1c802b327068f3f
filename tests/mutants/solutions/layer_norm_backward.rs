//# right
use transformer_tutor::tensor::Tensor;
pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
    let d = x.last();
    let n = x.len() / d;
    let mut dx = vec![0.0; x.len()];
    let mut dscale = vec![0.0; d];
    let mut dbias = vec![0.0; d];
    for r in 0..n {
        let row = &x.data()[r * d..(r + 1) * d];
        let up = &dy.data()[r * d..(r + 1) * d];
        let mean = row.iter().sum::<f32>() / d as f32;
        let variance = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / d as f32;
        let std = (variance + epsilon).sqrt();
        let hat: Vec<f32> = row.iter().map(|v| (v - mean) / std).collect();
        let g: Vec<f32> = up.iter().zip(scale.data()).map(|(u, s)| u * s).collect();
        let mean_g = g.iter().sum::<f32>() / d as f32;
        let mean_gx = g.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;
        for i in 0..d {
            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
            dscale[i] += up[i] * hat[i];
            dbias[i] += up[i];
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}

//# [classic-8] Sums scale · dy in dbias.
-            dbias[i] += up[i];
+            dbias[i] += g[i];

//# [classic-9 classic-8] Two mistakes: scale · dy in dscale and in dbias.
-            dscale[i] += up[i] * hat[i];
-            dbias[i] += up[i];
+            dscale[i] += g[i] * hat[i];
+            dbias[i] += g[i];

//# [constants] Mean and deviation are taken as constants, so dx is only scale times dy over the deviation.
-        let mean_g = g.iter().sum::<f32>() / d as f32;
-        let mean_gx = g.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = g[i] / std;

//# [deviation-is-constant] The deviation is taken as a constant; only the mean is differentiated.
-        let mean_gx = g.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = (g[i] - mean_g) / std;

//# [mean-is-constant] The mean is taken as a constant; only the deviation is differentiated.
-        let mean_g = g.iter().sum::<f32>() / d as f32;
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = (g[i] - hat[i] * mean_gx) / std;

//# [no-scale] dx leaves the scale out: it is computed from dy and not from scale times dy.
-        let g: Vec<f32> = up.iter().zip(scale.data()).map(|(u, s)| u * s).collect();
+        let _ = scale;
+        let g = up;

//# [classic-0] The scale is multiplied at the end, outside of the two means.
-        let g: Vec<f32> = up.iter().zip(scale.data()).map(|(u, s)| u * s).collect();
+        let g = up;
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = scale.data()[i] * (g[i] - mean_g - hat[i] * mean_gx) / std;

//# [unbiased] The variance is the unbiased one, over d − 1.
-        let variance = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / d as f32;
+        let variance = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / (d as f32 - 1.0);

//# [epsilon-outside] Epsilon is added to the standard deviation instead of the variance under the root.
-        let std = (variance + epsilon).sqrt();
+        let std = variance.sqrt() + epsilon;

//# [dscale-of-x] dscale is multiplied with x itself instead of the normalised x.
-            dscale[i] += up[i] * hat[i];
+            dscale[i] += up[i] * row[i];

//# [classic-11] dscale is multiplied with the centred x that was not divided by the deviation.
-            dscale[i] += up[i] * hat[i];
+            dscale[i] += up[i] * (row[i] - mean);

//# [classic-1] dscale and dbias are averaged over the rows instead of summed.
-            dscale[i] += up[i] * hat[i];
-            dbias[i] += up[i];
+            dscale[i] += up[i] * hat[i] / n as f32;
+            dbias[i] += up[i] / n as f32;

//# [classic-2] dscale and dbias are overwritten by each row instead of summed, so only the last row counts.
-            dscale[i] += up[i] * hat[i];
-            dbias[i] += up[i];
+            dscale[i] = up[i] * hat[i];
+            dbias[i] = up[i];

//# [not-divided] dx is not divided by the deviation.
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = g[i] - mean_g - hat[i] * mean_gx;

//# [classic-3] dx is divided by the variance instead of the deviation.
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / (variance + epsilon);

//# [classic-4] The two corrections are sums over the row instead of means.
-        let mean_g = g.iter().sum::<f32>() / d as f32;
-        let mean_gx = g.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;
+        let sum_g = g.iter().sum::<f32>();
+        let sum_gx = g.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>();
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = (g[i] - sum_g - hat[i] * sum_gx) / std;

//# [classic-8] dbias is summed from scale times dy instead of dy.
-            dbias[i] += up[i];
+            dbias[i] += g[i];

//# [classic-9] dscale is summed from scale times dy instead of dy.
-            dscale[i] += up[i] * hat[i];
+            dscale[i] += g[i] * hat[i];

//# [classic-5] The correction for the deviation is added instead of subtracted.
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = (g[i] - mean_g + hat[i] * mean_gx) / std;

//# [classic-12] The correction for the deviation uses x minus mean in the place of the normalised x.
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = (g[i] - mean_g - (row[i] - mean) * mean_gx) / std;

//# [classic-13] The correction for the deviation lacks its factor x̂, the same number is subtracted from every cell.
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = (g[i] - mean_g - mean_gx) / std;

//# [classic-6] Epsilon is left out of the backward pass.
 pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
+    let _ = epsilon;
-        let std = (variance + epsilon).sqrt();
+        let std = variance.sqrt();

//# [classic-7] The gradients of scale and bias are returned in the wrong order.
         Tensor::new(x.shape(), dx),
+        Tensor::new(&[d], dbias),
-        Tensor::new(&[d], dbias),

//# [classic-0] Applies the scale at the end, to the centred gradient, instead of to dy before the two means are taken.
use transformer_tutor::tensor::Tensor;

pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
    let d = x.last();
    let n = d as f32;
    let mut dx = Vec::new();
    let mut dscale = vec![0.0; d];
    let mut dbias = vec![0.0; d];
    for (row, drow) in x.data().chunks(d).zip(dy.data().chunks(d)) {
        let mean = row.iter().sum::<f32>() / n;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
        let deviation = (variance + epsilon).sqrt();
        let normal: Vec<f32> = row.iter().map(|x| (x - mean) / deviation).collect();
        let mean_dy = drow.iter().sum::<f32>() / n;
        let mean_dy_normal = drow.iter().zip(&normal).map(|(a, b)| a * b).sum::<f32>() / n;
        for j in 0..d {
            dscale[j] += drow[j] * normal[j];
            dbias[j] += drow[j];
            let centred = drow[j] - mean_dy - normal[j] * mean_dy_normal;
            dx.push(scale.data()[j] * centred / deviation);
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}

//# [constants] Treats mean and variance as constants: dx is only the scaled gradient over the deviation.
-    let n = d as f32;
-        let mean = row.iter().sum::<f32>() / n;
-        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
+        let mean = row.iter().sum::<f32>() / d as f32;
+        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / d as f32;
-        let normal: Vec<f32> = row.iter().map(|x| (x - mean) / deviation).collect();
-        let mean_dy = drow.iter().sum::<f32>() / n;
-        let mean_dy_normal = drow.iter().zip(&normal).map(|(a, b)| a * b).sum::<f32>() / n;
-            dscale[j] += drow[j] * normal[j];
+            let normal = (row[j] - mean) / deviation;
+            dscale[j] += drow[j] * normal;
-            let centred = drow[j] - mean_dy - normal[j] * mean_dy_normal;
-            dx.push(scale.data()[j] * centred / deviation);
+            dx.push(drow[j] * scale.data()[j] / deviation);

//# [classic-1] Averages the gradients of scale and bias over the rows instead of adding them up.
     let n = d as f32;
+    let rows = x.shape()[0] as f32;
-        let mean_dy = drow.iter().sum::<f32>() / n;
-        let mean_dy_normal = drow.iter().zip(&normal).map(|(a, b)| a * b).sum::<f32>() / n;
+        let g: Vec<f32> = drow.iter().zip(scale.data()).map(|(a, b)| a * b).collect();
+        let mean_g = g.iter().sum::<f32>() / n;
+        let mean_g_normal = g.iter().zip(&normal).map(|(a, b)| a * b).sum::<f32>() / n;
-            dscale[j] += drow[j] * normal[j];
-            dbias[j] += drow[j];
-            let centred = drow[j] - mean_dy - normal[j] * mean_dy_normal;
-            dx.push(scale.data()[j] * centred / deviation);
+            dscale[j] += drow[j] * normal[j] / rows;
+            dbias[j] += drow[j] / rows;
+            dx.push((g[j] - mean_g - normal[j] * mean_g_normal) / deviation);

//# right
use transformer_tutor::tensor::Tensor;

pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
    let d = x.last();
    let mut dx = Vec::new();
    let mut dscale = vec![0.0; d];
    let mut dbias = vec![0.0; d];
    for (row, dy_row) in x.data().chunks(d).zip(dy.data().chunks(d)) {
        let mean = row.iter().sum::<f32>() / d as f32;
        let variance = row.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / d as f32;
        let root = (variance + epsilon).sqrt();
        let hat: Vec<f32> = row.iter().map(|v| (v - mean) / root).collect();
        let dhat: Vec<f32> = dy_row
            .iter()
            .zip(scale.data())
            .map(|(g, s)| g * s)
            .collect();
        let through_mean = dhat.iter().sum::<f32>() / d as f32;
        let through_variance = dhat.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;
        for j in 0..d {
            dx.push((dhat[j] - through_mean - hat[j] * through_variance) / root);
            dscale[j] += dy_row[j] * hat[j];
            dbias[j] += dy_row[j];
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}

//# [epsilon-outside] Adds epsilon to the standard deviation in place of the variance.
-        let root = (variance + epsilon).sqrt();
+        let root = variance.sqrt() + epsilon;

//# [classic-10] Takes the two means from dy without the scale; they are right only if all scales are equal to 1.
-        let through_mean = dhat.iter().sum::<f32>() / d as f32;
-        let through_variance = dhat.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;
+        let through_mean = dy_row.iter().sum::<f32>() / d as f32;
+        let through_variance = dy_row.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;

//# [classic-1] Averages the gradients of scale and bias over the rows in place of summing them.
     let d = x.last();
+    let n = (x.data().len() / d) as f32;
-            dscale[j] += dy_row[j] * hat[j];
-            dbias[j] += dy_row[j];
+            dscale[j] += dy_row[j] * hat[j] / n;
+            dbias[j] += dy_row[j] / n;

//# [dscale-of-x] Multiplies dy by x in place of the normalised x for the gradient of the scale.
-            dscale[j] += dy_row[j] * hat[j];
+            dscale[j] += dy_row[j] * row[j];

//# [] Multiplies dx by the scale a second time at the end, and forgets the way through the mean.
-        let through_mean = dhat.iter().sum::<f32>() / d as f32;
-            dx.push((dhat[j] - through_mean - hat[j] * through_variance) / root);
+            dx.push(scale.data()[j] * (dhat[j] - hat[j] * through_variance) / root);

//# [unbiased] Divides the squared distances by d − 1, where this LayerNorm divides by d.
-        let variance = row.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / d as f32;
+        let variance = row.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / (d - 1) as f32;

//# [deviation-is-constant] Treats the variance as a constant, so the way of x through it is missing.
-        let through_variance = dhat.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;
-            dx.push((dhat[j] - through_mean - hat[j] * through_variance) / root);
+            dx.push((dhat[j] - through_mean) / root);
