//! The classic mistakes of label smoothing, each a function of the reference's signature.

use transformer_tutor::tensor::Tensor;

/// The signature of label smoothing.
pub type SmoothFn = fn(&Tensor, usize, f32, usize) -> Tensor;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, SmoothFn); 7] = [
    ("over-all", over_all),
    ("over-others", over_others),
    ("padding-shares", padding_shares),
    ("padding-rows", padding_rows),
    ("exchanged", exchanged),
    ("no-smoothing", no_smoothing),
    ("right-shares", right_shares),
];

/// A row for every target, each cell by `share` of target and word.
fn rows(targets: &Tensor, vocabulary: usize, share: impl Fn(usize, usize) -> f32) -> Tensor {
    let share = &share;
    let cells = targets
        .data()
        .iter()
        .flat_map(|&target| (0..vocabulary).map(move |word| share(target as usize, word)));
    let shape = [targets.shape(), &[vocabulary]].concat();
    Tensor::new(&shape, cells.collect())
}

/// ε is spread over the whole vocabulary, as PyTorch and fairseq do.
pub fn over_all(targets: &Tensor, vocabulary: usize, smoothing: f32, padding: usize) -> Tensor {
    let part = smoothing / vocabulary as f32;
    rows(targets, vocabulary, |target, word| match () {
        () if target == padding => 0.0,
        () if word == target => 1.0 - smoothing + part,
        () => part,
    })
}

/// ε is spread over all but the right word, as TensorFlow's official Transformer does.
pub fn over_others(targets: &Tensor, vocabulary: usize, smoothing: f32, padding: usize) -> Tensor {
    let part = smoothing / (vocabulary as f32 - 1.0);
    rows(targets, vocabulary, |target, word| match () {
        () if target == padding => 0.0,
        () if word == target => 1.0 - smoothing,
        () => part,
    })
}

/// Shares are counted without padding, and padding gets one all the same.
pub fn padding_shares(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let part = smoothing / (vocabulary as f32 - 2.0);
    rows(targets, vocabulary, |target, word| match () {
        () if target == padding => 0.0,
        () if word == target => 1.0 - smoothing,
        () => part,
    })
}

/// Where the target is padding, the row is not set to 0.
pub fn padding_rows(targets: &Tensor, vocabulary: usize, smoothing: f32, padding: usize) -> Tensor {
    let part = smoothing / (vocabulary as f32 - 2.0);
    rows(targets, vocabulary, |target, word| match () {
        () if word == padding => 0.0,
        () if word == target => 1.0 - smoothing,
        () => part,
    })
}

/// ε goes to the right word and the rest to the others.
pub fn exchanged(targets: &Tensor, vocabulary: usize, smoothing: f32, padding: usize) -> Tensor {
    let part = (1.0 - smoothing) / (vocabulary as f32 - 2.0);
    rows(targets, vocabulary, |target, word| match () {
        () if target == padding || word == padding => 0.0,
        () if word == target => smoothing,
        () => part,
    })
}

/// The right word keeps all.
pub fn no_smoothing(targets: &Tensor, vocabulary: usize, _: f32, padding: usize) -> Tensor {
    rows(targets, vocabulary, |target, word| {
        f32::from(target != padding && word == target)
    })
}

/// The right word keeps 1 − ε and takes a share besides.
pub fn right_shares(targets: &Tensor, vocabulary: usize, smoothing: f32, padding: usize) -> Tensor {
    let part = smoothing / (vocabulary as f32 - 2.0);
    rows(targets, vocabulary, |target, word| match () {
        () if target == padding || word == padding => 0.0,
        () if word == target => 1.0 - smoothing + part,
        () => part,
    })
}
