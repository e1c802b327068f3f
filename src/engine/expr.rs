//! The small arithmetic language in which operations explain themselves and lessons make claims.
//!
//! Examples: `sum(a * b)`, `exp(x - max(row)) / sum(exp(row - max(row)))`, `weights[0, 0, 2, :]`.
//! Every value is a list of numbers. A single number is a list of length one and broadcasts to the
//! length of the other operand. Names are looked up in an [`Env`](crate::expr::Env), and `[…]` after a name selects
//! cells, except in an explanation: there, `table[id]` only shows which cell the term `table` is.

use std::fmt;

/// One entry between the brackets of a selection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Select {
    /// `:`, the whole axis.
    All,
    /// One index.
    One(usize),
}

/// The source of the values that an expression names.
pub trait Env {
    /// Returns the numbers called `name`, or only the cells that `select` picks.
    fn get(&self, name: &str, select: Option<&[Select]>) -> Result<Vec<f64>, String>;

    /// Returns the shape of the tensor `name`, for `shape(name)`.
    fn shape(&self, name: &str) -> Result<Vec<usize>, String> {
        Err(format!("'{name}' has no shape"))
    }
}

/// An error in an expression, with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprError {
    /// Byte offset in the expression.
    pub at: usize,
    /// What is wrong at that position.
    pub message: String,
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.message, self.at + 1)
    }
}

impl std::error::Error for ExprError {}

/// Evaluates `text`, looking up names in `env`.
pub fn evaluate(text: &str, env: &dyn Env) -> Result<Vec<f64>, ExprError> {
    let mut parser = Parser {
        text,
        at: 0,
        env,
        depth: 0,
    };
    let value = parser.comparison()?;
    match parser.peek() {
        None => Ok(value),
        Some(c) => parser.fail(format!("'{c}' was not expected here")),
    }
}

/// Evaluates `text` to a single number; fails if the value is a longer list.
pub fn number(text: &str, env: &dyn Env) -> Result<f64, ExprError> {
    match evaluate(text, env)?[..] {
        [x] => Ok(x),
        ref list => Err(ExprError {
            at: 0,
            message: format!("'{text}' is a list of {} numbers, not one", list.len()),
        }),
    }
}

/// Nesting limit, deeper than any lesson needs; it keeps an expression from overflowing the stack.
const DEPTH: usize = 64;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    env: &'a dyn Env,
    depth: usize,
}

type Value = Result<Vec<f64>, ExprError>;

impl Parser<'_> {
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, ExprError> {
        Err(ExprError {
            at: self.at.min(self.text.len()),
            message: message.into(),
        })
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, token: &str) -> bool {
        self.peek();
        let matches = self.text[self.at..].starts_with(token);
        if matches {
            self.at += token.len();
        }
        matches
    }

    fn expect(&mut self, token: &str) -> Result<(), ExprError> {
        if self.eat(token) {
            Ok(())
        } else {
            self.fail(format!("'{token}' is missing"))
        }
    }

    fn pair(&self, a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) -> Value {
        let n = if a.len() == 1 { b.len() } else { a.len() };
        if (a.len() != 1 && a.len() != n) || (b.len() != 1 && b.len() != n) {
            return self.fail(format!(
                "lists of {} and {} numbers do not pair",
                a.len(),
                b.len()
            ));
        }
        let pick = |list: &[f64], i: usize| if list.len() == 1 { list[0] } else { list[i] };
        Ok((0..n).map(|i| f(pick(a, i), pick(b, i))).collect())
    }

    fn comparison(&mut self) -> Value {
        let left = self.sum()?;
        type Compare = fn(f64, f64) -> bool;
        let operators: [(&str, Compare); 6] = [
            ("<=", |a, b| a <= b),
            (">=", |a, b| a >= b),
            ("==", |a, b| a == b),
            ("!=", |a, b| a != b),
            ("<", |a, b| a < b),
            (">", |a, b| a > b),
        ];
        for (token, holds) in operators {
            if self.eat(token) {
                let right = self.sum()?;
                return self.pair(&left, &right, |a, b| f64::from(u8::from(holds(a, b))));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Value {
        let mut value = self.product()?;
        loop {
            if self.eat("+") {
                let right = self.product()?;
                value = self.pair(&value, &right, |a, b| a + b)?;
            } else if self.eat("-") || self.eat("−") {
                let right = self.product()?;
                value = self.pair(&value, &right, |a, b| a - b)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Value {
        let mut value = self.unary()?;
        loop {
            if self.eat("*") || self.eat("·") {
                let right = self.unary()?;
                value = self.pair(&value, &right, |a, b| a * b)?;
            } else if self.eat("/") {
                let right = self.unary()?;
                value = self.pair(&value, &right, |a, b| a / b)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn deeper(&mut self) -> Result<(), ExprError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail("the expression is nested too deeply");
        }
        Ok(())
    }

    fn unary(&mut self) -> Value {
        self.deeper()?;
        let value = if self.eat("-") || self.eat("−") {
            self.unary()?.into_iter().map(|x| -x).collect()
        } else {
            let base = self.atom()?;
            if self.eat("^") {
                let exponent = self.unary()?;
                self.pair(&base, &exponent, f64::powf)?
            } else {
                base
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn atom(&mut self) -> Value {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let list = self.list(")")?;
                Ok(list.concat())
            }
            Some('√') => {
                self.at += '√'.len_utf8();
                self.deeper()?;
                let value = self.atom()?;
                self.depth -= 1;
                Ok(value.into_iter().map(f64::sqrt).collect())
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.literal(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => self.fail(format!("'{c}' was not expected here")),
            None => self.fail("the expression ends too early"),
        }
    }

    fn literal(&mut self) -> Value {
        let rest = &self.text.as_bytes()[self.at..];
        let mut end = 0;
        while end < rest.len() {
            let exponent_sign = end > 0
                && matches!(rest[end], b'-' | b'+')
                && matches!(rest[end - 1], b'e' | b'E')
                && rest.get(end + 1).is_some_and(u8::is_ascii_digit);
            let digit = rest[end].is_ascii_digit() || matches!(rest[end], b'.' | b'e' | b'E');
            if !(digit || exponent_sign) {
                break;
            }
            end += 1;
        }
        match self.text[self.at..self.at + end].parse() {
            Ok(x) => {
                self.at += end;
                Ok(vec![x])
            }
            Err(_) => self.fail("this is not a number"),
        }
    }

    fn word(&mut self) -> &str {
        let rest = &self.text[self.at..];
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '#');
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        self.at += end;
        &self.text[self.at - end..self.at]
    }

    fn name(&mut self) -> Value {
        let start = self.at;
        let name = self.word().to_owned();
        if self.eat("(") {
            if name == "shape" {
                self.peek();
                let tensor = self.word().to_owned();
                self.expect(")")?;
                return match self.env.shape(&tensor) {
                    Ok(shape) => Ok(shape.into_iter().map(|n| n as f64).collect()),
                    Err(message) => Err(ExprError { at: start, message }),
                };
            }
            let arguments = self.list(")")?;
            return self.call(&name, &arguments);
        }
        let select = if self.eat("[") {
            Some(self.selection()?)
        } else {
            None
        };
        let value = self.env.get(&name, select.as_deref());
        value.map_err(|message| ExprError { at: start, message })
    }

    fn selection(&mut self) -> Result<Vec<Select>, ExprError> {
        let mut all = Vec::new();
        loop {
            if self.eat(":") {
                all.push(Select::All);
            } else {
                match self.sum()?[..] {
                    [x] if x >= 0.0 && x.fract() == 0.0 => all.push(Select::One(x as usize)),
                    _ => return self.fail("an index is a whole number from 0, or ':'"),
                }
            }
            if self.eat("]") {
                return Ok(all);
            }
            self.expect(",")?;
        }
    }

    fn list(&mut self, end: &str) -> Result<Vec<Vec<f64>>, ExprError> {
        let mut all = Vec::new();
        loop {
            all.push(self.comparison()?);
            if self.eat(end) {
                return Ok(all);
            }
            self.expect(",")?;
        }
    }

    fn call(&self, name: &str, arguments: &[Vec<f64>]) -> Value {
        let each = |f: fn(f64) -> f64| Ok(arguments.concat().into_iter().map(f).collect());
        let all = arguments.concat();
        let n = all.len() as f64;
        let mean = || all.iter().sum::<f64>() / n;
        match name {
            "exp" => each(f64::exp),
            "log" => each(f64::ln),
            "sqrt" => each(f64::sqrt),
            "abs" => each(f64::abs),
            "sin" => each(f64::sin),
            "cos" => each(f64::cos),
            "tanh" => each(f64::tanh),
            "erf" => each(libm::erf),
            "floor" => each(f64::floor),
            "count" => Ok(vec![n]),
            "sum" => Ok(vec![all.iter().sum()]),
            "product" => Ok(vec![all.iter().product()]),
            "mean" => Ok(vec![mean()]),
            "max" => Ok(vec![all.iter().copied().fold(f64::NEG_INFINITY, f64::max)]),
            "min" => Ok(vec![all.iter().copied().fold(f64::INFINITY, f64::min)]),
            "rms" => Ok(vec![(all.iter().map(|x| x * x).sum::<f64>() / n).sqrt()]),
            "std" => {
                let mean = mean();
                Ok(vec![
                    (all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt(),
                ])
            }
            "select" => match arguments {
                [condition, yes, no] => {
                    let chosen =
                        self.pair(condition, yes, |c, x| if c != 0.0 { x } else { 0.0 })?;
                    let other = self.pair(condition, no, |c, x| if c != 0.0 { 0.0 } else { x })?;
                    self.pair(&chosen, &other, |a, b| a + b)
                }
                _ => self.fail("select takes a condition, a value if it holds, and one if not"),
            },
            _ => self.fail(format!("there is no function '{name}'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_starts_with;

    struct Words;

    impl Env for Words {
        fn get(&self, name: &str, select: Option<&[Select]>) -> Result<Vec<f64>, String> {
            match (name, select) {
                ("row", None) => Ok(vec![1.0, 2.0, 3.0]),
                ("row", Some([Select::One(i)])) => Ok(vec![*i as f64 + 1.0]),
                ("row", Some([Select::All])) => Ok(vec![1.0, 2.0, 3.0]),
                ("encoder.layers.0.x", None) => Ok(vec![5.0]),
                _ => Err(format!("no {name}")),
            }
        }

        fn shape(&self, _: &str) -> Result<Vec<usize>, String> {
            Ok(vec![30, 8, 10, 11])
        }
    }

    fn value(text: &str) -> Vec<f64> {
        evaluate(text, &Words).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn arithmetic_binds_as_usual() {
        assert_eq!(value("1 + 2 * 3 ^ 2"), [19.0]);
        assert_eq!(value("-2 ^ 2"), [-4.0]);
        assert_eq!(value("(1 + 2) * 3 / 2 − 1"), [3.5]);
        assert_eq!(value("6 / √4 + 1e-1"), [3.1]);
        assert_eq!(value("2 ^ -1"), [0.5]);
    }

    #[test]
    fn lists_pair_with_lists_and_numbers() {
        assert_eq!(value("row * 2"), [2.0, 4.0, 6.0]);
        assert_eq!(value("sum(row * row)"), [14.0]);
        assert_eq!(value("row[2] - row[0]"), [2.0]);
        assert_eq!(value("encoder.layers.0.x"), [5.0]);
        assert_eq!(value("select(row > 1, row, -1)"), [-1.0, 2.0, 3.0]);
        let softmax = value("exp(row - max(row)) / sum(exp(row - max(row)))");
        assert!((softmax[2] - 0.665_240_955_774_822).abs() < 1e-12);
    }

    #[test]
    fn a_shape_equals_a_list() {
        assert_eq!(value("shape(scores)"), value("(30, 8, 10, 11)"));
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let error = |text| evaluate(text, &Words).unwrap_err().to_string();
        assert_eq!(
            error("1 +"),
            "the expression ends too early (at character 4)"
        );
        assert_eq!(error("nothing"), "no nothing (at character 1)");
        assert_eq!(
            error("row + (1, 2)"),
            "lists of 3 and 2 numbers do not pair (at character 13)"
        );
        assert_eq!(error("1 2"), "'2' was not expected here (at character 3)");
        for opened in ["(", "√", "-", "2^"] {
            let text = opened.repeat(100_000);
            let message = evaluate(&text, &Words).unwrap_err().to_string();
            assert_starts_with(&message, "the expression is nested too deeply");
        }
    }
}
