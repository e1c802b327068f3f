//! A common format for all numbers of a map, with as many digits as tell them apart.

use super::{Range, Scale};
use crate::autograd::Nature;
use crate::typeset::number::{fixed, grouped, short};
use crate::widgets::lines::width;

/// Format of a map's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// Width of the longest number, in columns.
    pub digits: usize,
    decimals: usize,
    /// Whether `0.42` is written as `.42`.
    bare: bool,
    /// Factor applied to every number: very small and very large ones share a power of ten.
    factor: f32,
}

impl Form {
    /// Possible formats for values of this kind, the most precise first.
    pub fn choices(nature: Nature, range: &Range, scale: Scale) -> Vec<Self> {
        if range.least > range.most {
            return vec![Self::new(0, false, 1.0, range)];
        }
        if nature == Nature::Ids || range.whole {
            return vec![Self::new(0, false, 1.0, range)];
        }
        let factor = factor(nature, range).unwrap_or(1.0);
        let span = scale.span(range) * factor;
        let three = decimals(span, 3);
        let least = match nature {
            Nature::Probability => 2,
            _ => decimals(span, 2),
        };
        let mut all = vec![Self::new(three, false, factor, range)];
        let mut decimals = three;
        while decimals > least {
            decimals -= 1;
            all.push(Self::new(decimals, false, factor, range));
        }
        // A number below 1 is just as clear without its leading 0; a probability of 1 is then a 1 between blanks.
        let most = match nature {
            Nature::Probability => 1.0 + f32::EPSILON,
            _ => 0.995,
        };
        if range.bound() * factor < most && decimals > 0 {
            all.push(Self::new(decimals, true, factor, range));
        }
        all
    }

    /// Probabilities in hundredths, as in `38`, for the narrowest cells.
    pub fn hundredths(range: &Range) -> Self {
        Self::new(0, false, 100.0, range)
    }

    /// Whether the numbers are hundredths.
    pub fn is_in_hundredths(&self) -> bool {
        (self.decimals, self.factor) == (0, 100.0)
    }

    fn new(decimals: usize, bare: bool, factor: f32, range: &Range) -> Self {
        let mut form = Self {
            digits: 1,
            decimals,
            bare,
            factor,
        };
        let ends = [range.least, range.most].map(|x| width(&form.text(x)));
        form.digits = if range.least > range.most {
            1
        } else {
            ends[0].max(ends[1])
        };
        form
    }

    /// The number in this format; NaN and infinities are written as such.
    pub fn text(&self, x: f32) -> String {
        if !x.is_finite() {
            return short(x, self.digits.max(3));
        }
        let x = x * self.factor;
        if self.decimals == 0 && x.abs() >= 1e4 && x.abs() < 1e15 {
            let sign = if x < 0.0 { "−" } else { "" };
            return format!("{sign}{}", grouped(x.abs().round() as u64));
        }
        let mut text = fixed(x, self.decimals);
        if self.bare
            && let Some(at) = text
                .find("0.")
                .filter(|&at| at == 0 || text.starts_with('−'))
        {
            text.remove(at);
        } else if self.bare {
            text.truncate(text.find('.').unwrap_or(text.len()));
            text.push(' ');
        }
        text
    }
}

/// Number of decimals that gives a number of this size `digits` significant digits.
fn decimals(size: f32, digits: i32) -> usize {
    if size > 0.0 && size.is_finite() {
        (digits - 1 - size.log10().floor() as i32).clamp(0, 6) as usize
    } else {
        1
    }
}

/// Common factor of the numbers in the cells, if they need one.
pub fn factor(nature: Nature, range: &Range) -> Option<f32> {
    let bound = range.bound();
    let odd = bound > 0.0 && !(0.005..1e5).contains(&bound);
    (odd && nature == Nature::Signed && !range.whole)
        .then(|| 10f32.powi(-(bound.log10().floor() as i32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(nature: Nature, least: f32, most: f32, whole: bool) -> Vec<Form> {
        let range = Range {
            least,
            most,
            blocked: 0,
            strange: 0,
            whole,
        };
        Form::choices(nature, &range, Scale::of(nature, &range))
    }

    fn written(nature: Nature, least: f32, most: f32, x: f32) -> Vec<String> {
        let forms = forms(nature, least, most, false);
        forms.iter().map(|form| form.text(x)).collect()
    }

    #[test]
    fn two_or_three_digits_tell_numbers_apart() {
        assert_eq!(
            written(Nature::Probability, 0.1, 0.62, 0.3784),
            ["0.378", "0.38", ".38"]
        );
        let certain = forms(Nature::Probability, 0.0, 1.0, false).pop().unwrap();
        let numbers = [0.0, 0.71, 0.999, 1.0];
        assert_eq!(numbers.map(|x| certain.text(x)), [".00", ".71", "1 ", "1 "]);
        assert_eq!(certain.digits, 3);
        assert_eq!(written(Nature::Signed, -2.1, 3.4, -0.05), ["−0.05", "−0.1"]);
        assert_eq!(written(Nature::Signed, 138.2, 256.0, 140.0), ["140"]);
        // They are close together, so the digits that differ are shown.
        assert_eq!(
            written(Nature::Signed, 255.1, 255.9, 255.4321)[0],
            "255.432"
        );
    }

    #[test]
    fn in_the_narrowest_cells_probabilities_are_in_hundredths() {
        let form = |most| {
            Form::hundredths(&Range {
                least: 0.0,
                most,
                blocked: 0,
                strange: 0,
                whole: false,
            })
        };
        let numbers = [0.0, 1.0 / 6.0, 0.25, 0.959, 1.0];
        let texts = numbers.map(|x| form(1.0).text(x));
        assert_eq!(texts, ["0", "17", "25", "96", "100"]);
        assert_eq!([0.959, 1.0].map(|most| form(most).digits), [2, 3]);
    }

    #[test]
    fn numbers_of_one_map_are_written_alike() {
        let form = forms(Nature::Signed, -0.001_07, 0.001_072, false)[0];
        assert_eq!(
            [-0.001_07, 0.001_072, 0.0].map(|x| form.text(x)),
            ["−1.07", "1.07", "0.00"]
        );
        assert_eq!(form.digits, 5);
    }

    #[test]
    fn large_whole_numbers_are_grouped_and_measured_so() {
        let form = forms(Nature::Signed, 0.0, 39_600_000.0, true)[0];
        assert_eq!(form.text(39_600_000.0), "39,600,000");
        assert_eq!(form.digits, 10);
    }
}
