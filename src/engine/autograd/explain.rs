//! The explanation of one cell: a formula over named terms.

use crate::expr::{self, Env, ExprError, Select};
use crate::tensor::Tensor;

/// The source of a term's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A cell of the operation's input with this index.
    Input(usize),
    /// A number that no tensor holds: a factor, a position, a fill value.
    Constant,
}

/// One number from which a cell was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Which tensor, or a constant.
    pub operand: Operand,
    /// The index of the cell; empty for a constant.
    pub index: Vec<usize>,
    /// The number.
    pub value: f32,
    /// Its name in the formula.
    pub role: &'static str,
}

/// How the terms of an explanation combine, which decides how they are listed and ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combination {
    /// Each term counts on its own.
    #[default]
    Separate,
    /// The terms are added.
    Sum,
    /// The terms are the factors of a sum of products: the first term of one role belongs to the first of the other.
    Products,
    /// The factors of a sum of products, as in [`Combination::Products`], and last a term that is added: a bias.
    BiasedProducts,
    /// The terms belong together in pairs, as in [`Combination::Products`]. The product of a pair ranks it, but is not what
    /// it adds to the value.
    Pairs,
    /// Each term enters by its exponential: the largest contributes most, and a blocked score nothing.
    Exponentials,
}

impl Combination {
    /// True if the value is a sum, of terms or of products of terms.
    pub fn is_sum(self) -> bool {
        matches!(self, Self::Sum | Self::Products | Self::BiasedProducts)
    }
}

/// How one cell was computed.
///
/// `formula` is an expression of [`crate::expr`]. Each role in it is the list of the values of all
/// terms with that role, in order. [`recompute`] evaluates it to the cell's value.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The expression.
    pub formula: String,
    /// Its terms.
    pub terms: Vec<Term>,
    /// How they combine.
    pub combination: Combination,
}

impl Explanation {
    /// Creates an explanation with `formula` and no terms, each of which will count on its own.
    pub fn new(formula: impl Into<String>) -> Self {
        Self::of(Combination::Separate, formula)
    }

    /// Creates an explanation with `formula` and no terms, which will combine as `combination` says.
    pub fn of(combination: Combination, formula: impl Into<String>) -> Self {
        Self {
            formula: formula.into(),
            terms: Vec::new(),
            combination,
        }
    }

    /// Adds the cell `index` of input `number`, whose tensor is `tensor`.
    #[must_use]
    pub fn cell(
        mut self,
        role: &'static str,
        number: usize,
        tensor: &Tensor,
        index: &[usize],
    ) -> Self {
        let (operand, index, value) = (Operand::Input(number), index.to_vec(), tensor.at(index));
        self.terms.push(Term {
            operand,
            index,
            value,
            role,
        });
        self
    }

    /// Adds a constant.
    #[must_use]
    pub fn constant(mut self, role: &'static str, value: f32) -> Self {
        self.terms.push(Term {
            operand: Operand::Constant,
            index: Vec::new(),
            value,
            role,
        });
        self
    }
}

/// The value of `formula` over `(role, value)` pairs, for checking an explanation.
pub fn recompute(formula: &str, terms: &[(&str, f32)]) -> Result<f64, ExprError> {
    expr::number(formula, &Roles(terms))
}

struct Roles<'a>(&'a [(&'a str, f32)]);

impl Env for Roles<'_> {
    fn get(&self, name: &str, _: Option<&[Select]>) -> Result<Vec<f64>, String> {
        let all = self.0.iter().filter(|(role, _)| *role == name);
        let values: Vec<f64> = all.map(|&(_, value)| f64::from(value)).collect();
        if values.is_empty() {
            Err(format!("no term has the role '{name}'"))
        } else {
            Ok(values)
        }
    }
}
