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

//# [scaled-at-the-end] The scale is multiplied at the end, outside of the two means.
-        let g: Vec<f32> = up.iter().zip(scale.data()).map(|(u, s)| u * s).collect();
+        let g = up;
-            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / std;
+            dx[r * d + i] = scale.data()[i] * (g[i] - mean_g - hat[i] * mean_gx) / std;

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

//# [] Multiplies dx by the scale a second time at the end, and forgets the way through the mean.
-        let through_mean = dhat.iter().sum::<f32>() / d as f32;
-            dx.push((dhat[j] - through_mean - hat[j] * through_variance) / root);
+            dx.push(scale.data()[j] * (dhat[j] - hat[j] * through_variance) / root);
