//! The operations. Each computes its result `y`, and from the gradient `dy` of the loss with respect to `y` those with
//! respect to its inputs.

use crate::autograd::{Tape, Var};
use crate::functions::{softmax, softmax_backward};
use crate::params::Params;
use crate::tensor::Tensor;

/// The divisor of a variance over `n` numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deviation {
    /// `n − 1`.
    Unbiased,
    /// `n`.
    Population,
}

impl Deviation {
    /// The factor that makes this variance of a mean of squares.
    pub fn correction(self, n: usize) -> f32 {
        match self {
            Self::Unbiased => n as f32 / (n as f32 - 1.0),
            Self::Population => 1.0,
        }
    }
}

/// Cell by cell. Where two tensors meet, an axis of size 1 repeats.
impl Var {
    pub fn add(&self, other: &Var) -> Var {
        self.pairs("add", other, |a, b| a + b, |_, _| (1.0, 1.0))
    }

    pub fn sub(&self, other: &Var) -> Var {
        self.pairs("sub", other, |a, b| a - b, |_, _| (1.0, -1.0))
    }

    pub fn mul(&self, other: &Var) -> Var {
        self.pairs("mul", other, |a, b| a * b, |a, b| (b, a))
    }

    pub fn div(&self, other: &Var) -> Var {
        self.pairs("div", other, |a, b| a / b, |a, b| (1.0 / b, -a / (b * b)))
    }

    pub fn scale(&self, factor: f32) -> Var {
        self.cells("scale", |x| x * factor, move |_| factor)
    }

    pub fn sqrt(&self) -> Var {
        self.cells("sqrt", f32::sqrt, |x| 0.5 / x.sqrt())
    }

    pub fn exp(&self) -> Var {
        self.cells("exp", f32::exp, f32::exp)
    }

    pub fn log(&self) -> Var {
        self.cells("log", f32::ln, |x| 1.0 / x)
    }

    pub fn relu(&self) -> Var {
        self.cells("relu", |x| x.max(0.0), |x| if x > 0.0 { 1.0 } else { 0.0 })
    }

    /// `fill` where the mask is 0.
    pub fn mask_fill(&self, mask: &Var, fill: f32) -> Var {
        let fill = move |x, open| if open == 0.0 { fill } else { x };
        let open = |_, open| (if open == 0.0 { 0.0 } else { 1.0 }, 0.0);
        self.pairs("mask_fill", mask, fill, open)
    }

    /// Drops cells with probability `p` while training. The others grow, so that the mean stays.
    pub fn dropout(&self, p: f32) -> Var {
        match self.tape().dropped(&self.shape(), p) {
            Some(kept) => self.mul(&self.tape().constant("kept", kept, &[])),
            None => self.clone(),
        }
    }

    /// `y = f(x)`, where `slope(x)` is the derivative of `f`.
    fn cells(
        &self,
        name: &str,
        f: impl Fn(f32) -> f32,
        slope: impl Fn(f32) -> f32 + 'static,
    ) -> Var {
        let x = self.value();
        let y = x.map(f);
        Self::record(name, &[self], y, move |dy| {
            vec![dy.zip(&x, |dy, x| dy * slope(x))]
        })
    }

    /// `y = f(a, b)`, where `slopes(a, b)` are the derivatives of `f` with respect to `a` and `b`.
    fn pairs(
        &self,
        name: &str,
        other: &Var,
        f: impl Fn(f32, f32) -> f32,
        slopes: impl Fn(f32, f32) -> (f32, f32) + 'static,
    ) -> Var {
        let (a, b) = (self.value(), other.value());
        let y = a.zip(&b, f);
        Self::record(name, &[self, other], y, move |dy| {
            let da = dy.zip(&a.zip(&b, |a, b| slopes(a, b).0), |dy, slope| dy * slope);
            let db = dy.zip(&a.zip(&b, |a, b| slopes(a, b).1), |dy, slope| dy * slope);
            vec![da.sum_to(a.shape()), db.sum_to(b.shape())]
        })
    }
}

/// Row by row, over the last axis.
impl Var {
    pub fn softmax(&self) -> Var {
        let y = self.value().map_rows(softmax);
        let weights = y.clone();
        Self::record("softmax", &[self], y, move |dy| {
            let tape = Tape::eval(&Params::default());
            let [y, dy] = [&weights, dy].map(|x| tape.constant("", x.clone(), &[]));
            vec![softmax_backward(&y, &dy).value()]
        })
    }

    // y = x − ln Σ exp x: dx = dy − softmax(x) Σ dy
    pub fn log_softmax(&self) -> Var {
        let y = self.value().map_rows(|row| {
            // Subtract the maximum: exp overflows f32 above 88.
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = row.iter().map(|x| (x - most).exp()).sum();
            row.iter().map(|x| x - most - sum.ln()).collect()
        });
        let log_probs = y.clone();
        Self::record("log_softmax", &[self], y, move |dy| {
            let sums = row_sums(dy);
            let pull = log_probs.map(f32::exp).zip(&sums, |p, sum| p * sum);
            vec![dy.zip(&pull, |dy, pull| dy - pull)]
        })
    }

    // y = Σ x / n: dx = dy / n
    pub fn row_mean(&self) -> Var {
        let x = self.value();
        let y = row_sums(&x).map(|sum| sum / x.last() as f32);
        Self::record("row_mean", &[self], y, move |dy| {
            vec![Tensor::ones(x.shape()).zip(dy, |_, dy| dy / x.last() as f32)]
        })
    }

    /// The standard deviation of each row, as an axis of size 1.
    pub fn row_std(&self, deviation: Deviation) -> Var {
        let centred = self.sub(&self.row_mean());
        let squares = centred.mul(&centred).row_mean();
        squares
            .scale(deviation.correction(self.value().last()))
            .sqrt()
    }
}

/// Shapes.
impl Var {
    pub fn reshape(&self, shape: &[usize], axes: &[&str]) -> Var {
        assert!(
            axes.len() == shape.len(),
            "one name per axis: {axes:?} for {shape:?}"
        );
        let before = self.shape();
        let y = self.value().reshape(shape);
        Self::record("reshape", &[self], y, move |dy| vec![dy.reshape(&before)])
    }

    pub fn unsqueeze(&self, axis: usize) -> Var {
        let mut shape = self.shape();
        shape.insert(axis, 1);
        self.reshape(&shape, &vec![""; shape.len()])
    }

    pub fn permute(&self, order: &[usize]) -> Var {
        let y = self.value().permute(order);
        let place = |axis| order.iter().position(|&from| from == axis);
        let back: Vec<usize> = (0..order.len()).filter_map(place).collect();
        Self::record("permute", &[self], y, move |dy| vec![dy.permute(&back)])
    }
}

/// Matrices, tables, and the loss.
impl Var {
    /// Exchanges the last two axes.
    pub fn transpose(&self) -> Var {
        let mut order: Vec<usize> = (0..self.shape().len()).collect();
        let last = order.len() - 1;
        order.swap(last, last - 1);
        self.permute(&order)
    }

    // y = a b: da = dy bᵀ, db = aᵀ dy
    pub fn matmul(&self, other: &Var) -> Var {
        let (a, b) = (self.value(), other.value());
        let y = a.matmul(&b);
        Self::record("matmul", &[self, other], y, move |dy| {
            let db = match b.rank() {
                2 => a.rows().t_matmul(&dy.rows()),
                _ => a.t_matmul(dy),
            };
            vec![dy.matmul_t(&b), db]
        })
    }

    // y = a bᵀ: da = dy b, db = dyᵀ a
    pub fn matmul_t(&self, other: &Var) -> Var {
        let (a, b) = (self.value(), other.value());
        let y = a.matmul_t(&b);
        Self::record("matmul_t", &[self, other], y, move |dy| {
            let db = match b.rank() {
                2 => dy.rows().t_matmul(&a.rows()),
                _ => dy.t_matmul(&a),
            };
            vec![dy.matmul(&b), db]
        })
    }

    /// The row of this table for each id: `ids […]` become `[…, columns]`.
    pub fn embedding(&self, ids: &Var) -> Var {
        let (table, ids) = (self.value(), ids.value());
        let (shape, columns) = (table.shape().to_vec(), table.last());
        let rows = ids.data().iter();
        let cells = rows.flat_map(|&id| table.data()[id as usize * columns..][..columns].to_vec());
        let y = Tensor::new(&[ids.shape(), &[columns]].concat(), cells.collect());
        Self::record("embedding", &[self], y, move |dy| {
            let mut sums = Tensor::zeros(&shape);
            let cells = sums.data_mut();
            for (&id, dy) in ids.data().iter().zip(dy.data().chunks(columns)) {
                let row = &mut cells[id as usize * columns..][..columns];
                row.iter_mut().zip(dy).for_each(|(sum, dy)| *sum += dy);
            }
            vec![sums]
        })
    }

    /// The divergence of log-probabilities from the distributions `targets`, summed: `Σ t (ln t − log p)`, in nats.
    pub fn kl_divergence(&self, targets: &Var) -> Var {
        let (log_probs, targets) = (self.value(), targets.value());
        let cells = log_probs.zip(
            &targets,
            |log_p, t| {
                if t > 0.0 { t * (t.ln() - log_p) } else { 0.0 }
            },
        );
        Self::record(
            "kl_divergence",
            &[self],
            Tensor::scalar(cells.sum() as f32),
            move |dy| vec![targets.zip(dy, |t, dy| -t * dy)],
        )
    }
}

/// The sum of each row, as an axis of size 1.
fn row_sums(x: &Tensor) -> Tensor {
    let mut shape = x.shape().to_vec();
    if let Some(last) = shape.last_mut() {
        *last = 1;
    }
    let rows = x.data().chunks(x.last().max(1));
    Tensor::new(&shape, rows.map(|row| row.iter().sum()).collect())
}
