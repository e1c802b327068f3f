//# Mean and standard deviation are treated as constants, so dx is only scale times dy over the standard deviation.
//= constants
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
        for i in 0..d {
            dx[r * d + i] = g[i] / std;
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
//# The standard deviation is treated as a constant; only the mean is differentiated.
//= deviation-is-constant
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
        for i in 0..d {
            dx[r * d + i] = (g[i] - mean_g) / std;
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
//# The mean is treated as a constant; only the standard deviation is differentiated.
//= mean-is-constant
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
        let mean_gx = g.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;
        for i in 0..d {
            dx[r * d + i] = (g[i] - hat[i] * mean_gx) / std;
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
//# dx leaves out the scale: it is computed from dy instead of scale times dy.
//= no-scale
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
        let _ = scale;
        let g = up;
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
//# The scale is multiplied at the end, outside the two means.
//= classic-0
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
        let g = up;
        let mean_g = g.iter().sum::<f32>() / d as f32;
        let mean_gx = g.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>() / d as f32;
        for i in 0..d {
            dx[r * d + i] = scale.data()[i] * (g[i] - mean_g - hat[i] * mean_gx) / std;
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
//# The variance is the unbiased one, over d − 1.
//= unbiased
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
        let variance = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / (d as f32 - 1.0);
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
//# Epsilon is added to the standard deviation instead of the variance under the root.
//= epsilon-outside
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
        let std = variance.sqrt() + epsilon;
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
//# dscale uses x itself instead of the normalised x.
//= dscale-of-x
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
            dscale[i] += up[i] * row[i];
            dbias[i] += up[i];
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}
//# dscale uses the centred x, which was not divided by the standard deviation.
//=
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
            dscale[i] += up[i] * (row[i] - mean);
            dbias[i] += up[i];
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}
//# dscale and dbias are averaged over the rows instead of summed.
//= classic-1
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
            dscale[i] += up[i] * hat[i] / n as f32;
            dbias[i] += up[i] / n as f32;
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}
//# dscale and dbias are overwritten by each row instead of summed, so only the last row counts.
//= classic-2
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
            dscale[i] = up[i] * hat[i];
            dbias[i] = up[i];
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}
//# dx is not divided by the standard deviation.
//= not-divided
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
            dx[r * d + i] = g[i] - mean_g - hat[i] * mean_gx;
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
//# dx is divided by the variance instead of the standard deviation.
//= classic-3
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
            dx[r * d + i] = (g[i] - mean_g - hat[i] * mean_gx) / (variance + epsilon);
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
//# The two corrections are sums over the row instead of means.
//= classic-4
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
        let sum_g = g.iter().sum::<f32>();
        let sum_gx = g.iter().zip(&hat).map(|(g, h)| g * h).sum::<f32>();
        for i in 0..d {
            dx[r * d + i] = (g[i] - sum_g - hat[i] * sum_gx) / std;
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
//# dbias is summed from scale times dy instead of dy.
//=
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
            dbias[i] += g[i];
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}
//# dscale is summed from scale times dy instead of dy.
//=
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
            dscale[i] += g[i] * hat[i];
            dbias[i] += up[i];
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}
//# The correction for the standard deviation is added instead of subtracted.
//= classic-5
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
            dx[r * d + i] = (g[i] - mean_g + hat[i] * mean_gx) / std;
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
//# The correction for the standard deviation uses x minus mean instead of the normalised x.
//=
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
            dx[r * d + i] = (g[i] - mean_g - (row[i] - mean) * mean_gx) / std;
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
//# The correction for the standard deviation lacks its factor x̂, so every cell gets the same correction.
//=
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
            dx[r * d + i] = (g[i] - mean_g - mean_gx) / std;
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
//# Epsilon is left out of the backward pass.
//= classic-6
use transformer_tutor::tensor::Tensor;
pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
    let _ = epsilon;
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
        let std = variance.sqrt();
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
//# The gradients of scale and bias are returned in the wrong order.
//= classic-7
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
        Tensor::new(&[d], dbias),
        Tensor::new(&[d], dscale),
    ]
}
//# Treats mean and variance as constants: dx is only the scaled gradient over the standard deviation.
//= constants
use transformer_tutor::tensor::Tensor;

pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
    let d = x.last();
    let mut dx = Vec::new();
    let mut dscale = vec![0.0; d];
    let mut dbias = vec![0.0; d];
    for (row, drow) in x.data().chunks(d).zip(dy.data().chunks(d)) {
        let mean = row.iter().sum::<f32>() / d as f32;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / d as f32;
        let deviation = (variance + epsilon).sqrt();
        for j in 0..d {
            let normal = (row[j] - mean) / deviation;
            dscale[j] += drow[j] * normal;
            dbias[j] += drow[j];
            dx.push(drow[j] * scale.data()[j] / deviation);
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}
//# Applies the scale at the end, to the centred gradient, instead of to dy before the two means are taken.
//= classic-0
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
//# Averages the gradients of scale and bias over the rows instead of summing them.
//= classic-1
use transformer_tutor::tensor::Tensor;

pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
    let d = x.last();
    let n = d as f32;
    let rows = x.shape()[0] as f32;
    let mut dx = Vec::new();
    let mut dscale = vec![0.0; d];
    let mut dbias = vec![0.0; d];
    for (row, drow) in x.data().chunks(d).zip(dy.data().chunks(d)) {
        let mean = row.iter().sum::<f32>() / n;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
        let deviation = (variance + epsilon).sqrt();
        let normal: Vec<f32> = row.iter().map(|x| (x - mean) / deviation).collect();
        let g: Vec<f32> = drow.iter().zip(scale.data()).map(|(a, b)| a * b).collect();
        let mean_g = g.iter().sum::<f32>() / n;
        let mean_g_normal = g.iter().zip(&normal).map(|(a, b)| a * b).sum::<f32>() / n;
        for j in 0..d {
            dscale[j] += drow[j] * normal[j] / rows;
            dbias[j] += drow[j] / rows;
            dx.push((g[j] - mean_g - normal[j] * mean_g_normal) / deviation);
        }
    }
    [
        Tensor::new(x.shape(), dx),
        Tensor::new(&[d], dscale),
        Tensor::new(&[d], dbias),
    ]
}
