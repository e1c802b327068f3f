//! The classic mistakes of counting, each a function of the reference's signature.

use transformer_tutor::transformer::cost::Cost;

/// The signature of [`attention_cost`](transformer_tutor::transformer::cost::attention_cost).
pub type CostFn = fn(usize, usize, usize, usize, usize) -> Cost;

/// What may be counted wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// Only the multiplications.
    Half,
    /// Every head is as wide as the model.
    WideHeads,
    /// W_O is left out.
    NoOutput,
    /// The weights are read again for every sentence.
    WeightsAgain,
    /// One matrix of scores for all heads.
    OneHead,
    /// Numbers, not bytes.
    Numbers,
    /// Keys and values have as many rows as queries.
    Square,
}

/// Every mistake by the name of its switch, which its [`Flaw`] has too.
pub static ALL: [(&str, CostFn); 7] = [
    ("half", |b, t, s, d, h| {
        cost(Sizes { b, t, s, d, h }, Some(Flaw::Half))
    }),
    ("wide-heads", |b, t, s, d, h| {
        cost(Sizes { b, t, s, d, h }, Some(Flaw::WideHeads))
    }),
    ("no-output", |b, t, s, d, h| {
        cost(Sizes { b, t, s, d, h }, Some(Flaw::NoOutput))
    }),
    ("weights-again", |b, t, s, d, h| {
        cost(Sizes { b, t, s, d, h }, Some(Flaw::WeightsAgain))
    }),
    ("one-head", |b, t, s, d, h| {
        cost(Sizes { b, t, s, d, h }, Some(Flaw::OneHead))
    }),
    ("numbers", |b, t, s, d, h| {
        cost(Sizes { b, t, s, d, h }, Some(Flaw::Numbers))
    }),
    ("square", |b, t, s, d, h| {
        cost(Sizes { b, t, s, d, h }, Some(Flaw::Square))
    }),
];

/// Sentences, words that look, words that are looked at, channels, heads.
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
    /// By how much too few matrices are counted on the left, and in the result: 1 where all are.
    pub forgotten: [usize; 2],
}

/// The products of an attention layer.
pub fn products(sizes: Sizes, flaw: Option<Flaw>) -> Vec<Product> {
    let Sizes { b, t, d, h, .. } = sizes;
    let s = if flaw == Some(Flaw::Square) {
        t
    } else {
        sizes.s
    };
    let d_k = if flaw == Some(Flaw::WideHeads) {
        d
    } else {
        d / h
    };
    let map = |name, words| {
        let (times, rows) = match flaw {
            Some(Flaw::WeightsAgain) => (b, words),
            _ => (1, b * words),
        };
        Product {
            name,
            times,
            rows,
            inner: d,
            columns: d,
            forgotten: [1, 1],
        }
    };
    let few = if flaw == Some(Flaw::OneHead) { h } else { 1 };
    let heads = |name, inner, columns, forgotten| Product {
        name,
        times: b * h,
        rows: t,
        inner,
        columns,
        forgotten,
    };
    let mut all = vec![
        map("W_Q", t),
        map("W_K", s),
        map("W_V", s),
        heads("scores", d_k, s, [1, few]),
        heads("context", s, d_k, [few, 1]),
        map("W_O", t),
    ];
    if flaw == Some(Flaw::NoOutput) {
        all.pop();
    }
    all
}

/// Operations for each product of two numbers, and bytes for each number.
pub fn units(flaw: Option<Flaw>) -> (u64, u64) {
    match flaw {
        Some(Flaw::Half) => (1, 4),
        Some(Flaw::Numbers) => (2, 1),
        _ => (2, 4),
    }
}

/// What they cost together.
pub fn cost(sizes: Sizes, flaw: Option<Flaw>) -> Cost {
    let (operations, bytes) = units(flaw);
    let one = |p: Product| {
        let left = p.times * p.rows * p.inner / p.forgotten[0];
        let right = p.times * p.inner * p.columns;
        let out = p.times * p.rows * p.columns / p.forgotten[1];
        Cost {
            flops: operations * (p.times * p.rows * p.inner * p.columns) as u64,
            bytes: bytes * (left + right + out) as u64,
        }
    };
    products(sizes, flaw).into_iter().map(one).sum()
}
