//! Sinusoidal position table (Vaswani et al. 2017, section 3.5), and its TensorFlow layout.

use serde::{Deserialize, Serialize};

use crate::autograd::{Explanation, Op, OpRun, Tape, Var};
use crate::tensor::{Axes, Tensor};

/// The order of the waves among the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// The paper and the Annotated Transformer: column 2i is sin, 2i+1 cos, of
    /// `position / 10000^(2i / d_model)`.
    Interleaved,
    /// TensorFlow's official Transformer: sines in the first half, cosines in the second, of
    /// `position / 10000^(i / (d_model/2 − 1))`.
    Halves,
}

/// The wave of one column.
struct Wave {
    /// Index of its pair of sine and cosine.
    pair: usize,
    /// Divisor of `pair` in the exponent.
    pairs: f64,
    cosine: bool,
}

impl Layout {
    fn wave(self, column: usize, d_model: usize) -> Wave {
        match self {
            Self::Interleaved => Wave {
                pair: column / 2,
                pairs: d_model as f64 / 2.0,
                cosine: column % 2 == 1,
            },
            Self::Halves => {
                let half = d_model / 2;
                Wave {
                    pair: column % half,
                    pairs: (half as f64 - 1.0).max(1.0),
                    cosine: column >= half,
                }
            }
        }
    }
}

crate::reference! { "positional_encoding";
// ANCHOR: forward
/// The position table `[length, d_model]`.
///
/// Angles are in radians; positions count from 0. Panics if `d_model` is odd.
#[track_caller]
pub fn position_table(length: usize, d_model: usize, layout: Layout) -> Tensor {
    assert!(
        d_model.is_multiple_of(2),
        "positional encoding: {} cosines do not fit into {} columns: d_model {d_model} must be even",
        d_model.div_ceil(2),
        d_model / 2
    );
    let waves: Vec<(f64, bool)> = (0..d_model)
        .map(|column| {
            let Wave { pair, pairs, cosine } = layout.wave(column, d_model);
            (10_000_f64.powf(-(pair as f64) / pairs), cosine)
        })
        .collect();
    // From one position to the next, a pair rotates by a fixed angle. A rotation costs four
    // multiplications, a sine twenty. Starting afresh every 64 rows keeps every bit of f32.
    let turns: Vec<(f64, f64)> = waves.iter().map(|(rate, _)| rate.sin_cos()).collect();
    let mut row = vec![(0.0, 1.0); d_model];
    let mut table = Vec::with_capacity(length * d_model);
    for position in 0..length {
        if position % 64 == 0 {
            for ((sin, cos), (rate, _)) in row.iter_mut().zip(&waves) {
                (*sin, *cos) = (position as f64 * rate).sin_cos();
            }
        }
        for (((sin, cos), (_, cosine)), (s, c)) in row.iter_mut().zip(&waves).zip(&turns) {
            table.push(if *cosine { *cos } else { *sin } as f32);
            (*sin, *cos) = (*sin * c + *cos * s, *cos * c - *sin * s);
        }
    }
    Tensor::new(&[length, d_model], table)
}
// ANCHOR_END: forward
}

struct Sinusoid {
    length: usize,
    d_model: usize,
    layout: Layout,
}

impl Tape {
    /// Records a [`position_table`], a constant without parameters or gradient.
    #[track_caller]
    pub fn sinusoid(&self, length: usize, d_model: usize, layout: Layout) -> Var {
        let op = Sinusoid {
            length,
            d_model,
            layout,
        };
        self.apply(op, &[])
    }
}

impl Op for Sinusoid {
    fn name(&self) -> &'static str {
        "sinusoid"
    }

    fn forward(&self, _: &[Tensor]) -> Tensor {
        position_table(self.length, self.d_model, self.layout)
    }

    fn backward(&self, _: OpRun<'_>, _: &Tensor) -> Vec<Option<Tensor>> {
        Vec::new()
    }

    fn explain(&self, run: OpRun<'_>, index: &[usize]) -> Explanation {
        let wave = self.layout.wave(index[1], run.output.last());
        let Wave {
            pair,
            pairs,
            cosine,
        } = wave;
        let wave = if cosine { "cos" } else { "sin" };
        Explanation::new(format!("{wave}(position / 10000 ^ (pair / pairs))"))
            .constant("position", index[0] as f32)
            .constant("pair", pair as f32)
            .constant("pairs", pairs as f32)
    }

    fn axes(&self, _: &[Axes], _: &Tensor) -> Axes {
        vec!["p", "d"]
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::Case;

    let case = |about, [length, width]: [usize; 2], layout| {
        Case::new(about, [], move |tape, _| {
            tape.sinusoid(length, width, layout)
        })
    };
    vec![
        case("the paper's", [20, 16], Layout::Interleaved),
        case("TensorFlow's", [20, 16], Layout::Halves),
        case("one position", [1, 2], Layout::Halves),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    fn row(position: usize, layout: Layout) -> Vec<f32> {
        let table = Tape::eval(&Params::new(0))
            .sinusoid(position + 1, 8, layout)
            .value();
        table.data()[position * 8..].to_vec()
    }

    #[track_caller]
    fn close(row: &[f32], expected: [f32; 8]) {
        for (x, e) in row.iter().zip(expected) {
            assert!((x - e).abs() < 1e-6, "{row:?}");
        }
    }

    #[test]
    fn the_papers_layout_alternates() {
        let one = [
            0.841471, 0.540302, 0.099833, 0.995004, 0.010000, 0.999950, 0.001000, 1.0,
        ];
        close(&row(1, Layout::Interleaved), one);
        let two = [
            0.909297, -0.416147, 0.198669, 0.980067, 0.019999, 0.999800, 0.002000, 0.999998,
        ];
        close(&row(2, Layout::Interleaved), two);
    }

    #[test]
    fn tensorflows_layout_has_sines_first() {
        close(
            &row(0, Layout::Halves),
            [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0],
        );
        let one = [
            0.841471, 0.046399, 0.002154, 0.000100, 0.540302, 0.998923, 0.999998, 1.0,
        ];
        close(&row(1, Layout::Halves), one);
    }

    #[test]
    fn turning_from_row_to_row_keeps_every_bit_that_f32_has() {
        let table = Tape::eval(&Params::default())
            .sinusoid(5000, 64, Layout::Interleaved)
            .value();
        for index in [
            [4999, 0],
            [4999, 1],
            [63, 2],
            [64, 3],
            [2047, 17],
            [4990, 63],
        ] {
            let rate = 10_000_f64.powf(-((index[1] / 2) as f64) / 32.0);
            let angle = index[0] as f64 * rate;
            let exact = if index[1] % 2 == 1 {
                angle.cos()
            } else {
                angle.sin()
            };
            assert!(
                (f64::from(table.at(&index)) - exact).abs() < 6.1e-8,
                "{index:?}"
            );
        }
    }

    #[test]
    #[should_panic(expected = "64 cosines do not fit into 63 columns")]
    fn an_odd_width_is_refused() {
        Tape::eval(&Params::new(0)).sinusoid(2, 127, Layout::Interleaved);
    }
}
