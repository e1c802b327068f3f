//! The classic mistakes in label smoothing, each with the reference's signature.

use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::loss::smoothed_targets;

/// The signature of label smoothing.
pub type SmoothFn = fn(&Tensor, usize, f32, usize) -> Tensor;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, SmoothFn); 7] = [
    // Distributes ε over the whole vocabulary, like PyTorch and fairseq.
    ("over-all", |targets, words, smoothing, padding| {
        let part = smoothing / words as f32;
        rows(targets, words, |target, word| {
            if target == padding {
                0.0
            } else if word == target {
                1.0 - smoothing + part
            } else {
                part
            }
        })
    }),
    // Distributes ε over all but the right token, like TensorFlow's official Transformer.
    ("over-others", |targets, words, smoothing, padding| {
        rows(targets, words, |target, word| {
            if target == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (words as f32 - 1.0)
            }
        })
    }),
    // Excludes padding from the divisor, but still gives it a part.
    ("padding-shares", |targets, words, smoothing, padding| {
        rows(targets, words, |target, word| {
            if target == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (words as f32 - 2.0)
            }
        })
    }),
    // Does not set the row to 0 where the target is padding.
    ("padding-rows", |targets, words, smoothing, padding| {
        rows(targets, words, |target, word| {
            if word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing
            } else {
                smoothing / (words as f32 - 2.0)
            }
        })
    }),
    // Gives ε to the right token and the rest to the others.
    ("exchanged", |targets, words, smoothing, padding| {
        rows(targets, words, |target, word| {
            if target == padding || word == padding {
                0.0
            } else if word == target {
                smoothing
            } else {
                (1.0 - smoothing) / (words as f32 - 2.0)
            }
        })
    }),
    // Gives everything to the right token.
    ("no-smoothing", |targets, words, _, padding| {
        rows(targets, words, |target, word| {
            f32::from(target != padding && word == target)
        })
    }),
    // Gives the right token a part of ε on top of its 1 − ε.
    ("right-shares", |targets, words, smoothing, padding| {
        let part = smoothing / (words as f32 - 2.0);
        rows(targets, words, |target, word| {
            if target == padding || word == padding {
                0.0
            } else if word == target {
                1.0 - smoothing + part
            } else {
                part
            }
        })
    }),
];

/// One row per target, with each cell computed by `share` from target and word.
pub fn rows(targets: &Tensor, vocabulary: usize, share: impl Fn(usize, usize) -> f32) -> Tensor {
    let words = |target: &f32| {
        (0..vocabulary)
            .map(|word| share(*target as usize, word))
            .collect()
    };
    let cells: Vec<Vec<f32>> = targets.data().iter().map(words).collect();
    Tensor::new(&[targets.shape(), &[vocabulary]].concat(), cells.concat())
}

/// Gives `right` to the right token and `other` to each of the rest; padding gets nothing.
fn given(targets: &Tensor, words: usize, padding: usize, right: f32, other: f32) -> Tensor {
    rows(targets, words, |target, word| {
        if target == padding || word == padding {
            0.0
        } else if word == target {
            right
        } else {
            other
        }
    })
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, SmoothFn); 13] = [
    (
        "You divide ε by the whole vocabulary. Only vocabulary − 2 tokens get a part of it: all but the right one and padding.",
        |targets, words, smoothing, padding| {
            let part = smoothing / words as f32;
            given(targets, words, padding, 1.0 - smoothing, part)
        },
    ),
    (
        "You divide ε by vocabulary − 1. Padding gets no part of it either, so divide by vocabulary − 2.",
        |targets, words, smoothing, padding| {
            let part = smoothing / (words as f32 - 1.0);
            given(targets, words, padding, 1.0 - smoothing, part)
        },
    ),
    (
        "You divide ε by the whole vocabulary and give the right token a part too. It keeps 1 − ε, and the others, except padding, share ε.",
        |targets, words, smoothing, padding| {
            let part = smoothing / words as f32;
            given(targets, words, padding, 1.0 - smoothing + part, part)
        },
    ),
    (
        "You take id 0 for padding. The last argument is the id of padding.",
        |targets, words, smoothing, _| smoothed_targets(targets, words, smoothing, 0),
    ),
    (
        "Your right token has probability 1, and the others share ε as well. The right token keeps 1 − ε, so a row adds up to 1.",
        |targets, words, smoothing, padding| {
            let part = smoothing / (words as f32 - 2.0);
            given(targets, words, padding, 1.0, part)
        },
    ),
    (
        "Each of your other tokens gets the whole ε. They share it, so each gets ε / (vocabulary − 2).",
        |targets, words, smoothing, padding| {
            given(targets, words, padding, 1.0 - smoothing, smoothing)
        },
    ),
    (
        "Your rows are right, but the axes of the targets are lost. The result has the shape of the targets, with the vocabulary as an additional last axis.",
        |targets, words, smoothing, padding| {
            let rows = smoothed_targets(targets, words, smoothing, padding);
            rows.reshape(&[targets.len(), words])
        },
    ),
    (
        "Your right token has 1 − ε, but the others get nothing. They should share ε. An integer division such as 1 / (vocabulary − 2) gives 0: convert to f32 first.",
        |targets, words, smoothing, padding| given(targets, words, padding, 1.0 - smoothing, 0.0),
    ),
    (
        "You mark the column before the right one. Ids are counted from 0: id 3 is column 3.",
        |targets, words, smoothing, padding| {
            let part = smoothing / (words as f32 - 2.0);
            rows(targets, words, |target, word| {
                if target == padding || word == padding {
                    0.0
                } else if word + 1 == target {
                    1.0 - smoothing
                } else {
                    part
                }
            })
        },
    ),
    (
        "Where the target is padding, your row gives padding a probability of 1. Such a row should be all 0, so it teaches nothing.",
        |targets, words, smoothing, padding| {
            let part = smoothing / (words as f32 - 2.0);
            rows(targets, words, |target, word| {
                if word == target {
                    if target == padding {
                        1.0
                    } else {
                        1.0 - smoothing
                    }
                } else if target == padding || word == padding {
                    0.0
                } else {
                    part
                }
            })
        },
    ),
    (
        "Your right token gets a part of ε too. ε goes only to the other tokens: the right one has 1 − ε.",
        |targets, words, smoothing, padding| {
            let part = smoothing / (words as f32 - 1.0);
            rows(targets, words, |target, word| {
                if target == padding || word == padding {
                    0.0
                } else if word == target {
                    1.0 - smoothing + part
                } else {
                    part
                }
            })
        },
    ),
    (
        "You leave column 0 empty, whatever the id of padding. Leave the column of padding empty: the last argument.",
        |targets, words, smoothing, padding| {
            rows(targets, words, |target, word| {
                if target == padding || word == 0 {
                    0.0
                } else if word == target {
                    1.0 - smoothing
                } else {
                    smoothing / (words as f32 - 2.0)
                }
            })
        },
    ),
    (
        "You leave out the rows whose target is padding. They stay in their place, filled with zeros.",
        |targets, words, smoothing, padding| {
            let right = smoothed_targets(targets, words, smoothing, padding);
            let pairs = right.data().chunks(words).zip(targets.data());
            let kept = pairs.filter(|(_, target)| **target as usize != padding);
            let cells: Vec<f32> = kept.flat_map(|(row, _)| row.to_vec()).collect();
            Tensor::new(&[cells.len() / words, words], cells)
        },
    ),
];
