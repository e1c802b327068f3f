//! Claims: expressions over the live run that must equal a number stated in the text.
//!
//! Names refer to tensors of the run (`weights[0, 0, 2, :]`, `shape(scores)`), knobs (`heads`), and the stage's facts
//! (`rms_position`). A claim holds if its value rounds to the printed number, to the last printed digit.

use super::page::is_number;
use super::{Run, Settings, Stage};
use crate::expr::{self, Env, ExprError, Select};

/// A run, with everything that an expression about it may name.
pub struct RunEnv<'a> {
    /// Stage that made the run.
    pub stage: &'a dyn Stage,
    /// The run.
    pub run: &'a Run,
    /// Settings that it was made with.
    pub settings: &'a Settings,
}

impl RunEnv<'_> {
    /// The value of `expression`.
    pub fn evaluate(&self, expression: &str) -> Result<Vec<f64>, ExprError> {
        expr::evaluate(expression, self)
    }

    /// True if `expression` is true: none of its numbers is 0.
    pub fn holds(&self, expression: &str) -> Result<bool, ExprError> {
        Ok(self.evaluate(expression)?.iter().all(|&x| x != 0.0))
    }

    /// True if two expressions are equal up to rounding.
    pub fn equal(&self, one: &str, other: &str) -> Result<bool, ExprError> {
        equal(self, one, other)
    }
}

/// True if two expressions about `env` are equal up to rounding.
pub fn equal(env: &dyn Env, one: &str, other: &str) -> Result<bool, ExprError> {
    let (a, b) = (expr::evaluate(one, env)?, expr::evaluate(other, env)?);
    let near = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-4 * x.abs().max(y.abs()).max(1e-6);
    Ok(a.len() == b.len() && a.iter().zip(&b).all(near))
}

impl Env for RunEnv<'_> {
    fn get(&self, name: &str, select: Option<&[Select]>) -> Result<Vec<f64>, String> {
        if let Some(tensor) = self.run.trace.tensor(name) {
            let all = tensor.data().iter().map(|&x| f64::from(x));
            return match select {
                None => Ok(all.collect()),
                Some(select) => cells(name, tensor.shape(), all, select),
            };
        }
        if let Some((_, value)) = self.settings.iter().find(|(knob, _)| *knob == name) {
            return value
                .parse()
                .map(|x| vec![x])
                .map_err(|_| format!("{name} is '{value}', not a number"));
        }
        if let Some(numbers) = self.run.facts.numbers(name) {
            return match select {
                None => Ok(numbers.to_vec()),
                Some(select) => cells(name, &[numbers.len()], numbers.iter().copied(), select),
            };
        }
        let fact = self.stage.fact(name, self.run, self.settings);
        fact.map(|x| vec![x])
            .ok_or_else(|| format!("there is no tensor, knob or fact '{name}'"))
    }

    fn shape(&self, name: &str) -> Result<Vec<usize>, String> {
        let tensor = self
            .run
            .trace
            .tensor(name)
            .ok_or_else(|| format!("there is no tensor '{name}'"))?;
        Ok(tensor.shape().to_vec())
    }
}

/// The numbers that `select` picks of `all`, which have this shape.
fn cells(
    name: &str,
    shape: &[usize],
    all: impl Iterator<Item = f64>,
    select: &[Select],
) -> Result<Vec<f64>, String> {
    if select.len() != shape.len() {
        return Err(format!(
            "{name} has {} axes, not {}",
            shape.len(),
            select.len()
        ));
    }
    let mut picked = vec![0];
    for (axis, (choice, &size)) in select.iter().zip(shape).enumerate() {
        let range = match choice {
            Select::All => 0..size,
            Select::One(i) if *i < size => *i..i + 1,
            Select::One(i) => {
                return Err(format!(
                    "axis {axis} of {name} has no entry {i}: it has {size}"
                ));
            }
        };
        picked = picked
            .into_iter()
            .flat_map(|at| range.clone().map(move |i| at * size + i))
            .collect();
    }
    let all: Vec<f64> = all.collect();
    Ok(picked.into_iter().map(|at| all[at]).collect())
}

/// True if `printed`, a number or shape as written in the text, equals `value` to its last digit.
///
/// Understands `15,360,000`, `−.5`, `(30, 8, 10, 11)`, `87×`, `66.6 %` (a share of 1), `6.98771e-4`. The error explains
/// which number has a comma that groups no three digits.
pub fn states(printed: &str, value: &[f64]) -> Result<bool, String> {
    let text = printed
        .trim()
        .trim_matches('`')
        .replace('−', "-")
        .replace('\u{a0}', " ");
    let inner = text
        .trim_start_matches(['(', '['])
        .trim_end_matches([')', ']']);
    // Commas group thousands, unless brackets or several values make the text a list.
    let parts: Vec<String> = if text.starts_with(['(', '[']) {
        inner.split(',').map(|p| p.trim().to_owned()).collect()
    } else if value.len() > 1 {
        inner
            .split([',', ' '])
            .filter(|p| !p.is_empty())
            .map(str::to_owned)
            .collect()
    } else {
        vec![ungrouped(inner)?]
    };
    let mut pairs = parts.iter().zip(value);
    Ok(parts.len() == value.len() && pairs.all(|(part, &value)| states_one(part, value)))
}

/// True if `printed` is approximately `value`: within six percentage points for a percentage, else within 15 %.
///
/// `Err` is that of [`states`].
pub fn states_about(printed: &str, value: f64) -> Result<bool, String> {
    let number = ungrouped(printed.trim_end_matches(['%', '×', ' ']))?;
    let stated = number.replace('−', "-").parse::<f64>();
    Ok(stated.is_ok_and(|stated| {
        if printed.ends_with('%') {
            (stated - 100.0 * value).abs() <= 6.0
        } else {
            (stated - value).abs() <= 0.15 * value.abs()
        }
    }))
}

/// The number without the commas that group its digits. `Err` if a comma does anything else.
fn ungrouped(number: &str) -> Result<String, String> {
    let digits = number.trim_matches(|c: char| !c.is_ascii_digit() && c != ',' && c != '.');
    if !number.contains(',') || is_number(digits) {
        Ok(number.replace(',', ""))
    } else {
        Err(format!(
            "{number}: a comma groups three digits; decimals follow a full stop"
        ))
    }
}

fn states_one(printed: &str, value: f64) -> bool {
    let percent = printed.ends_with('%');
    let number = printed.trim_end_matches(['%', '×', ' ']);
    let Ok(stated) = number.parse::<f64>() else {
        return false;
    };
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let digits = mantissa
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len() as i32);
    let half = 0.5 * 10_f64.powi(exponent.parse::<i32>().unwrap_or(0) - digits);
    let value = if percent { value * 100.0 } else { value };
    // An f32 result may sit on the edge between two roundings.
    (stated - value).abs() <= half * 1.02 + 1e-9 * value.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_number_states_values_that_round_to_it() {
        for (printed, value) in [
            ("22.627", 22.627_416),
            ("15,360,000", 15_360_000.0),
            ("−.416147", -0.416_146_84),
            ("87×", 87.28),
            ("66.6 %", 0.66607),
            ("6.987712e-4", 6.987_712_4e-4),
        ] {
            assert_eq!(states(printed, &[value]), Ok(true), "{printed} {value}");
            let other = value * 1.05 + 0.01;
            assert_eq!(states(printed, &[other]), Ok(false), "{printed}");
        }
    }

    #[test]
    fn about_has_a_margin_and_no_more() {
        for (printed, value, holds) in [
            ("72%", 0.77, true),
            ("72%", 0.79, false),
            ("3.6", 3.3, true),
            ("3.6", 2.9, false),
            ("3.6", f64::NAN, false),
            ("few", 3.6, false),
            ("−1,500", -1400.0, true),
        ] {
            assert_eq!(states_about(printed, value), Ok(holds), "{printed} {value}");
        }
    }

    #[test]
    fn a_comma_that_groups_no_three_digits_is_an_error() {
        for printed in ["1,5", "−1,5", "1,5 %", "1,50,000", "15,36×", ",500", "1,"] {
            assert!(states(printed, &[15.0]).is_err(), "{printed}");
            assert!(states_about(printed, 15.0).is_err(), "{printed}");
        }
    }

    #[test]
    fn a_printed_shape_states_a_shape() {
        let shape = [30.0, 8.0, 10.0, 11.0];
        assert_eq!(states("(30, 8, 10, 11)", &shape), Ok(true));
        assert_eq!(states("`(30,8,10,11)`", &shape), Ok(true));
        assert_eq!(states("(30, 8, 10)", &shape), Ok(false));
    }
}
