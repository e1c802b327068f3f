//# The rest is divided by vocabulary − 1, although padding gets none of it.
//= classic-1
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 1.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# The rest is divided by the whole vocabulary, although the right token and padding get none of it.
//= classic-0
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / vocabulary as f32
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# The padding column gets a part like every other token, over vocabulary − 1.
//= over-others
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 1.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# The rest is spread uniformly over all tokens, including the right one and padding, as in PyTorch.
//= over-all
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding {
                0.0
            } else if word == target {
                1.0 - smoothing + smoothing / vocabulary as f32
            } else {
                smoothing / vocabulary as f32
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# The right token gets its part of the rest in addition to 1 − smoothing.
//= right-shares
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing + smoothing / (vocabulary as f32 - 2.0)
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# Rows whose target is padding are not zeroed; only the padding column is.
//= padding-rows
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# Rows whose target is padding give padding the probability 1.
//= padding-rows
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding {
                if word == padding { 1.0 } else { 0.0 }
            } else if word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# Padding is assumed to be id 0, whatever the caller says.
//= classic-3
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let _ = padding;
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == 0 || word == 0 {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# The padding column is assumed to be column 0; only the rows use the padding id.
//=
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == 0 {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# Smoothing and confidence are swapped.
//= exchanged
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                smoothing
            } else {
                (1.0 - smoothing) / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# The right token keeps the probability 1 and the others get the smoothing on top.
//= no-smoothing right-shares classic-4
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# Each of the others gets the whole smoothing instead of sharing it.
//= classic-5
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# Ids are counted from 1, so the column before the right one is chosen.
//=
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word + 1 == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# The result is one table of rows, without the axes of the targets.
//= classic-6
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    Tensor::new(&[targets.len(), vocabulary], cells)
}
//# The vocabulary axis comes first instead of last.
//=
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    let mut shape = vec![vocabulary];
    shape.extend(targets.shape());
    Tensor::new(&shape, cells)
}
//# Rows whose target is padding are left out instead of being zero.
//=
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        if target == padding {
            continue;
        }
        for word in 0..vocabulary {
            cells.push(if word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (vocabulary as f32 - 2.0)
            });
        }
    }
    Tensor::new(&[cells.len() / vocabulary, vocabulary], cells)
}
//# The rest is spread uniformly over all tokens, then padding is zeroed and each row divided by its sum.
//= over-all classic-2
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let total = 1.0 - smoothing / vocabulary as f32;
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                (1.0 - smoothing + smoothing / vocabulary as f32) / total
            } else {
                smoothing / vocabulary as f32 / total
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# The part is computed with an integer division before multiplying by smoothing, so it is 0.
//= classic-7
use transformer_tutor::tensor::Tensor;
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            cells.push(if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing * (1 / (vocabulary - 2)) as f32
            });
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# Divides the rest by vocabulary − 1, as if padding got a part of it.
//= classic-1 over-others
use transformer_tutor::tensor::Tensor;

pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let share = smoothing / (vocabulary - 1) as f32;
    let mut cells = Vec::new();
    for &target in targets.data() {
        for word in 0..vocabulary {
            cells.push(if word == padding || target as usize == padding {
                0.0
            } else if word == target as usize {
                1.0 - smoothing
            } else {
                share
            });
        }
    }
    let shape = [targets.shape(), &[vocabulary]].concat();
    Tensor::new(&shape, cells)
}
//# Mixes with the uniform distribution, like PyTorch's label_smoothing: every token but padding gets a part, even the right one.
//= right-shares over-all classic-2
use transformer_tutor::tensor::Tensor;

pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let share = smoothing / (vocabulary - 1) as f32;
    let mut cells = Vec::new();
    for &target in targets.data() {
        let target = target as usize;
        for word in 0..vocabulary {
            if target == padding || word == padding {
                cells.push(0.0);
                continue;
            }
            let right = if word == target { 1.0 - smoothing } else { 0.0 };
            cells.push(right + share);
        }
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
//# Forgets that a row whose target is padding must be all 0, and only sets the column of padding to 0.
//= padding-rows
use transformer_tutor::tensor::Tensor;

pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let share = smoothing / (vocabulary as f32 - 2.0);
    let mut cells = Vec::new();
    for &target in targets.data() {
        let mut row = vec![share; vocabulary];
        row[target as usize] = 1.0 - smoothing;
        row[padding] = 0.0;
        cells.extend(row);
    }
    let mut shape = targets.shape().to_vec();
    shape.push(vocabulary);
    Tensor::new(&shape, cells)
}
