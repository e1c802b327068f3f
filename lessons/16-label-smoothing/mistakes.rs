//! The classic mistakes of label smoothing, each a function of the reference's signature.

use transformer_tutor::tensor::Tensor;

/// The signature of label smoothing.
pub type SmoothFn = fn(&Tensor, usize, f32, usize) -> Tensor;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, SmoothFn); 7] = [
    // ε is distributed over the whole vocabulary, as PyTorch and fairseq do.
    ("over-all", |targets, words, smoothing, padding| {
        let part = smoothing / words as f32;
        rows(targets, words, |target, word| match () {
            () if target == padding => 0.0,
            () if word == target => 1.0 - smoothing + part,
            () => part,
        })
    }),
    // ε is distributed over all but the right token, as TensorFlow's official Transformer does.
    ("over-others", |targets, words, smoothing, padding| {
        rows(targets, words, |target, word| match () {
            () if target == padding => 0.0,
            () if word == target => 1.0 - smoothing,
            () => smoothing / (words as f32 - 1.0),
        })
    }),
    // The divisor leaves padding out, and padding gets a part all the same.
    ("padding-shares", |targets, words, smoothing, padding| {
        rows(targets, words, |target, word| match () {
            () if target == padding => 0.0,
            () if word == target => 1.0 - smoothing,
            () => smoothing / (words as f32 - 2.0),
        })
    }),
    // Where the target is padding, the row is not set to 0.
    ("padding-rows", |targets, words, smoothing, padding| {
        rows(targets, words, |target, word| match () {
            () if word == padding => 0.0,
            () if word == target => 1.0 - smoothing,
            () => smoothing / (words as f32 - 2.0),
        })
    }),
    // ε goes to the right token and the rest to the others.
    ("exchanged", |targets, words, smoothing, padding| {
        rows(targets, words, |target, word| match () {
            () if target == padding || word == padding => 0.0,
            () if word == target => smoothing,
            () => (1.0 - smoothing) / (words as f32 - 2.0),
        })
    }),
    // The right token keeps all.
    ("no-smoothing", |targets, words, _, padding| {
        rows(targets, words, |target, word| {
            f32::from(target != padding && word == target)
        })
    }),
    // The right token keeps 1 − ε and gets a part besides.
    ("right-shares", |targets, words, smoothing, padding| {
        let part = smoothing / (words as f32 - 2.0);
        rows(targets, words, |target, word| match () {
            () if target == padding || word == padding => 0.0,
            () if word == target => 1.0 - smoothing + part,
            () => part,
        })
    }),
];

/// A row for every target, each cell by `share` of target and word.
pub fn rows(targets: &Tensor, vocabulary: usize, share: impl Fn(usize, usize) -> f32) -> Tensor {
    let words = |target: &f32| {
        (0..vocabulary)
            .map(|word| share(*target as usize, word))
            .collect()
    };
    let cells: Vec<Vec<f32>> = targets.data().iter().map(words).collect();
    Tensor::new(&[targets.shape(), &[vocabulary]].concat(), cells.concat())
}

/// What else is got wrong, with what the check says of it.
pub static CLASSICS: [(&str, SmoothFn); 3] = [
    (
        "You divide ε by the whole vocabulary. Only vocabulary − 2 tokens have a part of it: neither the right one nor padding.",
        |targets, words, smoothing, padding| {
            rows(targets, words, |target, word| match () {
                () if target == padding || word == padding => 0.0,
                () if word == target => 1.0 - smoothing,
                () => smoothing / words as f32,
            })
        },
    ),
    (
        "You divide ε by vocabulary − 1. Padding has no part of it either: divide by vocabulary − 2.",
        |targets, words, smoothing, padding| {
            rows(targets, words, |target, word| match () {
                () if target == padding || word == padding => 0.0,
                () if word == target => 1.0 - smoothing,
                () => smoothing / (words as f32 - 1.0),
            })
        },
    ),
    (
        "You divide ε by the whole vocabulary and give the right token a part too. It keeps 1 − ε; the others, without padding, share ε.",
        |targets, words, smoothing, padding| {
            let part = smoothing / words as f32;
            rows(targets, words, |target, word| match () {
                () if target == padding || word == padding => 0.0,
                () if word == target => 1.0 - smoothing + part,
                () => part,
            })
        },
    ),
];
