//# The largest logit is not subtracted before exp, so large logits overflow.
//= overflows classic-0
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let sum: f32 = row.iter().map(|x| x.exp()).sum();
        loss += sum.ln() - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = x.exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The logarithm is taken of the softmax, where a tiny probability has already rounded to 0.
//= log-of-zero
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += -((row[target] - max).exp() / sum).ln();
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The probability is clipped at 1e-9 before the logarithm, so a very wrong prediction costs too little.
//= classic-3
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += -((row[target] - max).exp() / sum).max(1e-9).ln();
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The largest logit of the whole batch is subtracted instead of that of the row, so other rows underflow.
//= classic-1
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let max = logits
        .data()
        .iter()
        .copied()
        .fold(f32::NEG_INFINITY, f32::max);
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The mean is over all positions, including padding.
//= divided-by-all
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.len().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The loss is the mean over the real positions, but its gradient is divided by all positions.
//= divided-by-all classic-5
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / targets.len() as f32;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The gradient is that of the sum; it is not divided by the number of positions.
//= gradient-of-the-sum
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = p - hot;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The loss is the sum instead of the mean, though the gradient is of the mean.
//= sum classic-6
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss, Tensor::new(logits.shape(), gradient))
}
//# Positions whose target is padding count like any other.
//= padding-counts
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let _ = padding;
    let count = targets.len().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# Padding is left out of the loss, but its rows still get a gradient.
//= classic-4
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        if target != padding {
            loss += sum.ln() + max - row[target];
        }
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The gradient is just the softmax; the target's 1 is not subtracted.
//= no-one-hot
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            gradient[i * width + j] = p / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The gradient reaches only the target's logit, as if the loss did not depend on the others.
//=
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = hot * (p - 1.0) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The gradient is with respect to the probabilities, −1 / p at the target, instead of the logits.
//= classic-7
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = -hot / p / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The gradient has the wrong sign: target minus softmax.
//= ascent
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (hot - p) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The gradient is multiplied by a derivative of the softmax again: (p − target) · p · (1 − p).
//= classic-8
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) * p * (1.0 - p) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The loss is measured in bits, with the logarithm to base 2.
//= base-2
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += (sum.ln() + max - row[target]) / std::f32::consts::LN_2;
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# It divides by 0 if no position counts.
//= classic-11
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count() as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# Padding targets are filtered out before targets are paired with rows, so later targets get the wrong rows.
//= classic-9
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    let real = targets.iter().filter(|&&t| t != padding);
    for (i, (row, &target)) in logits.data().chunks(width).zip(real).enumerate() {
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# Padding is assumed to be id 0, whatever the caller says.
//= classic-10
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let _ = padding;
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != 0).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == 0 {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# Loss and gradient are averaged over all cells of the table, so they are also divided by the vocabulary.
//=
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32 * width as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The column of padding is left out of the softmax, so rows are divided by too small a sum.
//=
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = (0..width)
            .filter(|&j| j != padding)
            .map(|j| (row[j] - max).exp())
            .sum();
        loss += sum.ln() + max - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# The largest logit is subtracted in the sum but not added back, so the loss lacks it.
//= classic-2
use transformer_tutor::tensor::Tensor;
pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    for (i, row) in logits.data().chunks(width).enumerate() {
        let target = targets[i];
        if target == padding {
            continue;
        }
        let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - max).exp()).sum();
        loss += sum.ln() - row[target];
        for (j, x) in row.iter().enumerate() {
            let p = (x - max).exp() / sum;
            let hot = if j == target { 1.0 } else { 0.0 };
            gradient[i * width + j] = (p - hot) / count;
        }
    }
    (loss / count, Tensor::new(logits.shape(), gradient))
}
//# Divides loss and gradient by the number of all positions, including padding.
//= divided-by-all
use transformer_tutor::tensor::Tensor;

pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.len() as f32;
    let mut loss = 0.0;
    let mut cells = Vec::new();
    for (row, &target) in logits.data().chunks(width).zip(targets) {
        if target == padding {
            cells.extend(vec![0.0; width]);
            continue;
        }
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum = row.iter().map(|x| (x - most).exp()).sum::<f32>();
        loss += sum.ln() + most - row[target];
        for (word, x) in row.iter().enumerate() {
            let p = (x - most).exp() / sum;
            let hit = if word == target { 1.0 } else { 0.0 };
            cells.push((p - hit) / count);
        }
    }
    (loss / count.max(1.0), Tensor::new(logits.shape(), cells))
}
//# Takes the mean of the loss but returns the gradient of the sum, p − 1 at each target.
//= gradient-of-the-sum
use transformer_tutor::tensor::Tensor;

pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let mut count = 0;
    let mut loss = 0.0;
    let mut cells = Vec::new();
    for (row, &target) in logits.data().chunks(width).zip(targets) {
        if target == padding {
            cells.extend(vec![0.0; width]);
            continue;
        }
        count += 1;
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum = row.iter().map(|x| (x - most).exp()).sum::<f32>();
        loss += sum.ln() + most - row[target];
        for (word, x) in row.iter().enumerate() {
            let p = (x - most).exp() / sum;
            cells.push(if word == target { p - 1.0 } else { p });
        }
    }
    if count > 0 {
        loss /= count as f32;
    }
    (loss, Tensor::new(logits.shape(), cells))
}
//# Takes the logarithm of the probability plus a tiny number, which caps the loss when the probability underflows.
//= classic-3
use transformer_tutor::tensor::Tensor;

pub fn cross_entropy(logits: &Tensor, targets: &[usize], padding: usize) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut cells = Vec::new();
    for (row, &target) in logits.data().chunks(width).zip(targets) {
        if target == padding {
            cells.extend(vec![0.0; width]);
            continue;
        }
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exps: Vec<f32> = row.iter().map(|x| (x - most).exp()).collect();
        let sum = exps.iter().sum::<f32>();
        loss -= (exps[target] / sum + 1e-12).ln() / count;
        for (word, e) in exps.iter().enumerate() {
            let hit = if word == target { 1.0 } else { 0.0 };
            cells.push((e / sum - hit) / count);
        }
    }
    (loss, Tensor::new(logits.shape(), cells))
}
