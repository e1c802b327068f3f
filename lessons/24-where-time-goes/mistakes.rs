//! The classic mistakes in counting the cost, each with the reference's signature.

use transformer_tutor::transformer::cost::Cost;

/// The signature of [`attention_cost`](transformer_tutor::transformer::cost::attention_cost).
pub type CostFn = fn(usize, usize, usize, usize, usize) -> Cost;

/// Mistakes in counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// Counts only the multiplications.
    Half,
    /// Makes every head as wide as the model.
    WideHeads,
    /// Leaves out W_O.
    NoOutput,
    /// Reads the weights again for every sentence.
    WeightsAgain,
    /// Counts one matrix of scores for all heads.
    OneHead,
    /// Counts numbers, not bytes.
    Numbers,
    /// Gives keys and values as many rows as queries.
    Square,
}

/// Every mistake, by the name of the switch that turns it on, which is also that of its [`Flaw`].
pub static ALL: [(&str, CostFn); 7] = [
    ("half", |b, t, s, d, h| with([b, t, s, d, h], Flaw::Half)),
    ("wide-heads", |b, t, s, d, h| {
        with([b, t, s, d, h], Flaw::WideHeads)
    }),
    ("no-output", |b, t, s, d, h| {
        with([b, t, s, d, h], Flaw::NoOutput)
    }),
    ("weights-again", |b, t, s, d, h| {
        with([b, t, s, d, h], Flaw::WeightsAgain)
    }),
    ("one-head", |b, t, s, d, h| {
        with([b, t, s, d, h], Flaw::OneHead)
    }),
    ("numbers", |b, t, s, d, h| {
        with([b, t, s, d, h], Flaw::Numbers)
    }),
    ("square", |b, t, s, d, h| {
        with([b, t, s, d, h], Flaw::Square)
    }),
];

fn with([b, t, s, d, h]: [usize; 5], flaw: Flaw) -> Cost {
    cost(Sizes { b, t, s, d, h }, Some(flaw))
}

/// Batch, target length, source length, d_model, heads.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub b: usize,
    pub t: usize,
    pub s: usize,
    pub d: usize,
    pub h: usize,
}

/// One line of the table: `times` products `[rows, inner] · [inner, columns]`.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    pub name: &'static str,
    pub times: usize,
    pub rows: usize,
    pub inner: usize,
    pub columns: usize,
    /// Factors by which the matrices on the left and in the result are undercounted: 1 where all are counted.
    pub forgotten: [usize; 2],
}

impl Product {
    /// Whether it computes queries, keys or values.
    fn makes_heads(&self) -> bool {
        ["W_Q", "W_K", "W_V"].contains(&self.name)
    }

    /// Whether it has no weights: scores and context.
    fn mixes(&self) -> bool {
        !self.name.starts_with("W_")
    }

    /// Number of cells in the result.
    fn cells(&self) -> usize {
        self.times * self.rows * self.columns
    }
}

/// Products of an attention layer.
pub fn products(sizes: Sizes, flaw: Option<Flaw>) -> Vec<Product> {
    let Sizes { b, t, d, h, .. } = sizes;
    let is = |one| flaw == Some(one);
    let s = if is(Flaw::Square) { t } else { sizes.s };
    let d_k = if is(Flaw::WideHeads) { d } else { d / h };
    let few = if is(Flaw::OneHead) { h } else { 1 };
    let product = |name, (times, rows), inner, columns, forgotten| Product {
        name,
        times,
        rows,
        inner,
        columns,
        forgotten,
    };
    let map = |name, words| {
        let times = if is(Flaw::WeightsAgain) { b } else { 1 };
        product(name, (times, b / times * words), d, d, [1, 1])
    };
    let heads =
        |name, inner, columns, forgotten| product(name, (b * h, t), inner, columns, forgotten);
    let mut all = vec![
        map("W_Q", t),
        map("W_K", s),
        map("W_V", s),
        heads("scores", d_k, s, [1, few]),
        heads("context", s, d_k, [few, 1]),
        map("W_O", t),
    ];
    if is(Flaw::NoOutput) {
        all.pop();
    }
    all
}

/// Operations per product of two numbers, and bytes per number.
pub fn units(flaw: Option<Flaw>) -> (u64, u64) {
    match flaw {
        Some(Flaw::Half) => (1, 4),
        Some(Flaw::Numbers) => (2, 1),
        _ => (2, 4),
    }
}

/// Total cost of the products.
pub fn cost(sizes: Sizes, flaw: Option<Flaw>) -> Cost {
    let all = products(sizes, flaw).into_iter();
    all.map(|product| counted(product, units(flaw))).sum()
}

fn counted(p: Product, (operations, bytes): (u64, u64)) -> Cost {
    let left = p.times * p.rows * p.inner / p.forgotten[0];
    let right = p.times * p.inner * p.columns;
    let out = p.times * p.rows * p.columns / p.forgotten[1];
    Cost {
        flops: operations * (p.times * p.rows * p.inner * p.columns) as u64,
        bytes: bytes * (left + right + out) as u64,
    }
}

/// Cost of the correct products, each modified by `change`.
fn changed([b, t, s, d, h]: [usize; 5], change: impl Fn(&mut Product, Sizes)) -> Cost {
    let sizes = Sizes { b, t, s, d, h };
    let mut all = products(sizes, None);
    all.iter_mut().for_each(|product| change(product, sizes));
    all.into_iter()
        .map(|product| counted(product, units(None)))
        .sum()
}

/// The correct cost minus, for each product, the operations and moved numbers that `less` returns.
fn without([b, t, s, d, h]: [usize; 5], less: impl Fn(Product) -> [usize; 2]) -> Cost {
    let sizes = Sizes { b, t, s, d, h };
    let right = cost(sizes, None);
    let parts = products(sizes, None).into_iter().map(less);
    parts.fold(right, |cost, [operations, numbers]| Cost {
        flops: cost.flops - operations as u64,
        bytes: cost.bytes - 4 * numbers as u64,
    })
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, CostFn); 15] = [
    (
        "You count the numbers that are read and not those that are written. Every product writes its result, too.",
        |b, t, s, d, h| without([b, t, s, d, h], |product| [0, product.cells()]),
    ),
    (
        "You count k − 1 additions for a sum of k products. Here a multiplication and an addition are two operations for each of them.",
        |b, t, s, d, h| without([b, t, s, d, h], |product| [product.cells(), 0]),
    ),
    (
        "You leave out the bytes of the weights. A map reads its matrix, too, once for the whole batch.",
        |b, t, s, d, h| {
            without([b, t, s, d, h], |product| {
                if product.mixes() {
                    [0, 0]
                } else {
                    [0, product.inner * product.columns]
                }
            })
        },
    ),
    (
        "You count 2 bytes for a number, as in half precision. An f32 has 4.",
        |b, t, s, d, h| {
            let numbers = with([b, t, s, d, h], Flaw::Numbers);
            let bytes = 2 * numbers.bytes;
            Cost { bytes, ..numbers }
        },
    ),
    (
        "You leave out the context, the product of the weights and the values.",
        |b, t, s, d, h| {
            changed([b, t, s, d, h], |product, _| {
                if product.name == "context" {
                    product.times = 0;
                }
            })
        },
    ),
    (
        "You count scores and context for one sentence. Every sentence of the batch has its own, in every head.",
        |b, t, s, d, h| {
            changed([b, t, s, d, h], |product, sizes| {
                if product.mixes() {
                    product.times /= sizes.b;
                }
            })
        },
    ),
    (
        "Your W_Q, W_K and W_V are those of one head, d_model × d_k. All heads together have d_model × d_model.",
        |b, t, s, d, h| {
            changed([b, t, s, d, h], |product, sizes| {
                if product.makes_heads() {
                    product.columns = sizes.d / sizes.h;
                }
            })
        },
    ),
    (
        "You count W_Q, W_K and W_V in full for every head. A head has only its part of them, d_model / heads columns.",
        |b, t, s, d, h| {
            changed([b, t, s, d, h], |product, sizes| {
                if product.makes_heads() {
                    product.times = sizes.h;
                }
            })
        },
    ),
    (
        "You apply W_K or W_V to the tokens of the target. Keys and values are both made from the source.",
        |b, t, s, d, h| {
            changed([b, t, s, d, h], |product, sizes| {
                if product.name == "W_V" {
                    product.rows = sizes.b * sizes.t;
                }
            })
        },
    ),
    (
        "You apply W_O to the tokens of the source. The context has one row per token of the target.",
        |b, t, s, d, h| {
            changed([b, t, s, d, h], |product, sizes| {
                if product.name == "W_O" {
                    product.rows = sizes.b * sizes.s;
                }
            })
        },
    ),
    (
        "You let every head read the input for its own narrow W_Q, W_K and W_V. They are one product each, which reads the input once.",
        |b, t, s, d, h| {
            changed([b, t, s, d, h], |product, sizes| {
                if product.makes_heads() {
                    product.times = sizes.h;
                    product.columns = sizes.d / sizes.h;
                }
            })
        },
    ),
    (
        "You count one product for keys and values together. W_K and W_V are two maps: both read the source and write a result.",
        |b, t, s, d, h| {
            changed([b, t, s, d, h], |product, _| {
                if product.name == "W_V" {
                    product.times = 0;
                }
            })
        },
    ),
    (
        "You don't move the scores to memory and back, as a fused kernel would. Here each product reads its matrices and writes its result.",
        |b, t, s, d, h| {
            without([b, t, s, d, h], |product| match product.name {
                "scores" => [0, product.cells()],
                "context" => [0, product.times * product.rows * product.inner],
                _ => [0, 0],
            })
        },
    ),
    (
        "You count the backward pass too. The cost is that of the forward pass.",
        |b, t, s, d, h| {
            let forward = cost(Sizes { b, t, s, d, h }, None);
            Cost {
                flops: 3 * forward.flops,
                bytes: 3 * forward.bytes,
            }
        },
    ),
    (
        "You mixed up the number of heads and the width of a head. There are `heads` heads, each d_model / heads wide.",
        |b, t, s, d, h| {
            changed([b, t, s, d, h], |product, sizes| {
                if product.mixes() {
                    product.times = sizes.b * (sizes.d / sizes.h);
                    match product.name {
                        "scores" => product.inner = sizes.h,
                        _ => product.columns = sizes.h,
                    }
                }
            })
        },
    ),
];
