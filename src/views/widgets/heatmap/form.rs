//! A common format for all numbers of a map, with as many digits as tell them apart.

use super::{Range, Scale};
use crate::autograd::Nature;
use crate::typeset::number::{fixed, grouped, short};
use crate::widgets::lines::width;

/// Format of a map's numbers. A number below 1 is as clear without its leading 0, so `0.42` is written as `.42`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// Width of the longest number, in columns.
    pub digits: usize,
    decimals: usize,
    /// Factor applied to every number: very small and very large ones share a power of ten.
    factor: f32,
}

impl Form {
    /// Possible formats for values of this kind, the most precise first: two decimals, or three where a cell is `asked`
    /// about.
    pub fn choices(nature: Nature, range: &Range, scale: Scale, asked: bool) -> Vec<Self> {
        if range.least > range.most || nature == Nature::Ids || range.whole {
            return vec![Self::new(0, 1.0, range)];
        }
        let factor = factor(nature, range).unwrap_or(1.0);
        let span = scale.span(range) * factor;
        let usual = 2 + usize::from(asked);
        // Numbers that are all small or close together need more digits to be told apart.
        let most = if span >= 0.1 {
            decimals(span, 3).clamp(usize::from(asked), usual)
        } else {
            decimals(span, 2)
        };
        let least = match nature {
            Nature::Probability => most.min(2),
            _ => decimals(span, 2).min(most),
        };
        let choices = (least..=most).rev();
        choices.map(|n| Self::new(n, factor, range)).collect()
    }

    /// Probabilities in hundredths, as in `38`, for the narrowest cells.
    pub fn hundredths(range: &Range) -> Self {
        Self::new(0, 100.0, range)
    }

    /// Whether the numbers are hundredths.
    pub fn is_in_hundredths(&self) -> bool {
        (self.decimals, self.factor) == (0, 100.0)
    }

    fn new(decimals: usize, factor: f32, range: &Range) -> Self {
        let mut form = Self {
            digits: 1,
            decimals,
            factor,
        };
        let ends = [range.least, range.most].map(|x| width(&form.text(x)));
        if range.least <= range.most {
            form.digits = ends[0].max(ends[1]);
        }
        form
    }

    /// The number in this format; NaN and infinities are written as such, and a number that is exactly 0 as `0`.
    pub fn text(&self, x: f32) -> String {
        if !x.is_finite() {
            return short(x, self.digits.max(3));
        }
        let x = x * self.factor;
        if self.decimals == 0 && x.abs() >= 1e4 && x.abs() < 1e15 {
            let sign = if x < 0.0 { "−" } else { "" };
            return format!("{sign}{}", grouped(x.abs().round() as u64));
        }
        if x == 0.0 {
            return "0".to_owned();
        }
        let mut text = fixed(x, self.decimals);
        if let Some(at) = text
            .find("0.")
            .filter(|&at| at == 0 || text.starts_with('−'))
        {
            // `10.5` has the same three characters in a row.
            if text[..at].chars().all(|c| c == '−') {
                text.remove(at);
            }
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
        Form::choices(nature, &range, Scale::of(nature, &range), false)
    }

    fn written(nature: Nature, least: f32, most: f32, x: f32) -> Vec<String> {
        let forms = forms(nature, least, most, false);
        forms.iter().map(|form| form.text(x)).collect()
    }

    #[test]
    fn two_or_three_digits_tell_numbers_apart() {
        assert_eq!(written(Nature::Probability, 0.1, 0.62, 0.3784), [".38"]);
        let certain = forms(Nature::Probability, 0.0, 1.0, false).pop().unwrap();
        let numbers = [0.0, 0.71, 0.994, 1.0];
        assert_eq!(
            numbers.map(|x| certain.text(x)),
            ["0", ".71", ".99", "1.00"]
        );
        assert_eq!(certain.digits, 4);
        assert_eq!(written(Nature::Signed, -2.1, 3.4, -0.05), ["−.05", "−.1"]);
        assert_eq!(written(Nature::Signed, -2.1, 10.5, 10.5), ["10.5", "10"]);
        assert_eq!(written(Nature::Signed, 138.2, 256.0, 140.0), ["140"]);
        // They are close together, so the digits that differ are shown.
        assert_eq!(written(Nature::Signed, 255.1, 255.9, 255.4321)[0], "255.43");
    }

    #[test]
    fn a_cell_that_is_asked_about_has_one_decimal_more() {
        let range = Range {
            least: 0.1,
            most: 0.9123,
            blocked: 0,
            strange: 0,
            whole: false,
        };
        let forms = Form::choices(Nature::Probability, &range, Scale::Share, true);
        assert_eq!(forms[0].text(0.9123), ".912");
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
            ["−1.07", "1.07", "0"]
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
