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
