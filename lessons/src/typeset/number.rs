//! Compact numbers, with as many digits as fit and are useful.

pub use crate::text::writing::grouped;

/// Formats `x` with four significant digits, or as many as fit into `width` columns: `0.4172`, `−1.31`, `1.2e−7`.
///
/// Whole numbers have no decimals, zero has no sign, and the minus is U+2212. NaN is `NaN`, or `!` in fewer than three
/// columns. The result is `#` if not even one digit fits.
pub fn short(x: f32, width: usize) -> String {
    if x.is_nan() {
        return if width >= 3 { "NaN" } else { "!" }.to_owned();
    }
    if x.is_infinite() {
        let infinite = if x > 0.0 { "∞" } else { "−∞" };
        return fitting(infinite.to_owned(), width).unwrap_or_else(|| "!".to_owned());
    }
    let size = x.abs();
    let plain = x == 0.0 || (1e-3..1e7).contains(&size);
    let text = if plain {
        plainly(x, width)
    } else {
        scientific(x, width)
    };
    text.or_else(|| scientific(x, width))
        .unwrap_or_else(|| "#".to_owned())
}

/// Formats `x` with this many decimals: `−0.42`. A value that rounds to zero has no sign.
pub fn fixed(x: f32, decimals: usize) -> String {
    if !x.is_finite() {
        return short(x, 3);
    }
    let text = format!("{x:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| b == b'0' || b == b'.') => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// Formats numbers that appear together with the same number of decimals, which gives the largest four digits:
/// `0.0007`, `0.9212`. If the largest is very small or very large, each is formatted on its own.
pub fn alike(numbers: &[f32]) -> Vec<String> {
    let sizes = numbers.iter().map(|x| x.abs()).filter(|x| x.is_finite());
    let most = sizes.fold(0.0, f32::max);
    let whole = numbers.iter().all(|x| x.fract() == 0.0);
    if whole && (1e4..1e15).contains(&most) {
        let sign = |x: f32| if x < 0.0 { "−" } else { "" };
        let text = |x: &f32| format!("{}{}", sign(*x), grouped(x.abs() as u64));
        return numbers.iter().map(text).collect();
    }
    if whole || !(1e-3..1e7).contains(&most) {
        return numbers.iter().map(|x| short(*x, 10)).collect();
    }
    let decimals = (3 - most.log10().floor() as i32).clamp(0, 6) as usize;
    numbers.iter().map(|x| fixed(*x, decimals)).collect()
}

/// Replaces the hyphen before a number by a minus sign: `−1e9`. Any other text stays as it is.
pub fn signed(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(size) if size.parse::<f64>().is_ok() => format!("−{size}"),
        _ => text.to_owned(),
    }
}

/// Formats a count with its noun: `1 sentence`, `2 sentences`.
pub fn counted(n: usize, noun: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{ending}")
}

/// Replaces the minus sign and `∞` in a formatted number by ASCII.
pub fn ascii(text: &str) -> String {
    text.replace('−', "-").replace('∞', "inf")
}

fn fitting(text: String, width: usize) -> Option<String> {
    (text.chars().count() <= width).then_some(text)
}

fn plainly(x: f32, width: usize) -> Option<String> {
    if x.fract() == 0.0 {
        return fitting(fixed(x, 0), width);
    }
    let before = x.abs().log10().floor() as i32;
    let most = (3 - before).clamp(0, 7) as usize;
    (0..=most).rev().find_map(|decimals| {
        let text = fixed(x, decimals);
        // Trailing zeros are kept unless the number really ends there.
        let ends = text
            .contains('.')
            .then(|| text.trim_end_matches('0').trim_end_matches('.'));
        let text = match ends {
            Some(end) if end.replace('−', "-").parse::<f32>() == Ok(x) => end.to_owned(),
            _ => text,
        };
        let without_zero = text.replacen("0.", ".", 1);
        let bare = (decimals > 0 && x.abs() < 1.0).then_some(without_zero);
        let says_something = decimals > 0 || x.abs() >= 0.5;
        fitting(text, width)
            .or_else(|| fitting(bare?, width))
            .filter(|_| says_something || width < 3)
    })
}

fn scientific(x: f32, width: usize) -> Option<String> {
    (0..=3).rev().find_map(|decimals| {
        let text = format!("{x:.decimals$e}").replace('-', "−");
        let (mantissa, exponent) = text.split_once('e')?;
        let mantissa = if mantissa.contains('.') {
            mantissa.trim_end_matches('0').trim_end_matches('.')
        } else {
            mantissa
        };
        fitting(format!("{mantissa}e{exponent}"), width)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_stand_together_are_written_alike() {
        let written = |numbers: &[f32]| alike(numbers).join(" ");
        assert_eq!(written(&[7.218e-4, 0.9212]), "0.0007 0.9212");
        assert_eq!(written(&[-0.001_07, 0.001_072]), "−0.001070 0.001072");
        assert_eq!(written(&[2.0, 0.0]), "2 0");
        assert_eq!(written(&[0.0, 39_600_000.0]), "0 39,600,000");
        assert_eq!(written(&[1.5e-7, 3e-9]), "1.5e−7 3e−9");
    }

    #[test]
    fn only_numbers_get_a_minus_sign() {
        let written = ["-1e9", "-inf", "1e-9", "post-norm", "-"].map(signed);
        assert_eq!(written, ["−1e9", "−inf", "1e-9", "post-norm", "-"]);
    }

    #[test]
    fn digits_are_given_as_far_as_they_fit() {
        let at = |width| short(-0.41725, width);
        assert_eq!(
            [7, 6, 5, 4, 3].map(at),
            ["−0.4173", "−.4173", "−.417", "−.42", "−.4"]
        );
        assert_eq!(
            [9, 5, 4].map(|w| short(12.3456, w)),
            ["12.35", "12.35", "12.3"]
        );
    }

    #[test]
    fn whole_numbers_stay_whole_and_zero_has_no_sign() {
        assert_eq!(short(1024.0, 6), "1024");
        assert_eq!(short(-0.0, 6), "0");
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(short(0.5, 6), "0.5");
        assert_eq!(short(-1e9, 9), "−1e9");
    }

    #[test]
    fn small_and_large_numbers_are_written_with_an_exponent() {
        assert_eq!(short(1.23456e-7, 8), "1.235e−7");
        assert_eq!(short(1.23456e-7, 5), "1e−7");
        assert_eq!(short(0.000_2, 8), "2e−4");
        assert_eq!(short(0.001_66, 8), "0.00166");
    }

    #[test]
    fn nan_and_infinity_fit_any_width() {
        assert_eq!(short(f32::NAN, 4), "NaN");
        assert_eq!(short(f32::NAN, 2), "!");
        assert_eq!(short(f32::NEG_INFINITY, 4), "−∞");
        assert_eq!(short(1234.5, 1), "#");
    }

    #[test]
    fn short_numbers_fit_their_width() {
        for x in [
            0.1, -0.05, 3.25, -77.7, 999.96, 1e-5, -2e8, 0.00012, 65535.4,
        ] {
            for width in 1..12 {
                let text = short(x, width);
                assert!(text.chars().count() <= width, "{x} in {width}: {text}");
            }
        }
    }
}
