//! Round marks along an axis.

use crate::typeset::number::{fixed, grouped, short};

/// Maximum number of marks along an axis.
const MOST: usize = 6;

/// Positions and labels of an axis's marks. Positions are in the axis's own units: base-10 logarithms if it is
/// logarithmic.
pub fn ticks((low, high): (f64, f64), log: bool, most: usize) -> Vec<(f64, String)> {
    let most = most.clamp(3, MOST);
    if !log {
        return linear((low, high), most);
    }
    let powers = |digits: &[f64]| -> Vec<f64> {
        let decades = low.floor() as i32..=high.floor() as i32;
        let all = decades.flat_map(|k| digits.iter().map(move |d| d.log10() + f64::from(k)));
        all.filter(|y| (low - 1e-9..=high + 1e-9).contains(y))
            .collect()
    };
    let places = [&[1.0, 2.0, 5.0][..], &[1.0, 3.0], &[1.0]].map(powers);
    let Some(fitting) = places.into_iter().find(|fitting| fitting.len() <= most) else {
        // With many decades, mark every second, fifth, …
        let decades = powers(&[1.0]);
        let every = decades.len().div_ceil(most);
        let kept = decades.into_iter().step_by(every);
        return kept.map(|y| (y, short(10f64.powf(y) as f32, 7))).collect();
    };
    if fitting.len() >= 2 {
        return fitting
            .into_iter()
            .map(|y| (y, short(10f64.powf(y) as f32, 7)))
            .collect();
    }
    // Within a decade, mark round numbers at their logarithms.
    let round = linear((10f64.powf(low), 10f64.powf(high)), most).into_iter();
    round
        .filter(|(x, _)| *x > 0.0)
        .map(|(x, text)| (x.log10(), text))
        .collect()
}

fn linear((low, high): (f64, f64), most: usize) -> Vec<(f64, String)> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0) {
        return Vec::new();
    }
    let first = 10f64.powf((span / most as f64).log10().floor());
    let inside = |step: f64| {
        let (from, to) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        (from, (to - from + 1.0).max(0.0) as usize)
    };
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0].map(|n| n * first);
    let fits = steps.iter().position(|step| inside(*step).1 <= most);
    let fits = fits.unwrap_or(steps.len() - 1);
    // A single mark shows no distance.
    let step = match inside(steps[fits]).1 {
        0 | 1 => steps[fits.saturating_sub(1)],
        _ => steps[fits],
    };
    let (from, count) = inside(step);
    let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize;
    let text = |x: f64| match x.abs() {
        0.0 => "0".to_owned(),
        _ if decimals > 4 || low.abs().max(high.abs()) >= 1e7 => short(x as f32, 7),
        size if size >= 1e4 => {
            let sign = if x < 0.0 { "−" } else { "" };
            format!("{sign}{}", grouped(size.round() as u64))
        }
        _ => fixed(x as f32, decimals),
    };
    (0..count)
        .map(|i| (from + i as f64) * step)
        .map(|x| (x, text(x)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(range: (f64, f64), log: bool) -> String {
        let all: Vec<String> = ticks(range, log, 6).into_iter().map(|t| t.1).collect();
        all.join(" ")
    }

    #[test]
    fn ticks_are_round_and_written_alike() {
        assert_eq!(labels((0.0, 20.0), false), "0 5 10 15 20");
        assert_eq!(labels((-1.0, 1.0), false), "−1.0 −0.5 0 0.5 1.0");
        assert_eq!(labels((16.3, 64.9), false), "20 30 40 50 60");
        assert_eq!(
            labels((0.0, 20_000.0), false),
            "0 5000 10,000 15,000 20,000"
        );
        assert_eq!(labels((2.11, 2.47), false), "2.2 2.3 2.4");
    }

    #[test]
    fn a_logarithmic_axis_has_powers_of_ten_or_what_lies_between_them() {
        assert_eq!(labels((0.0, 2.0), true), "1 3 10 30 100");
        assert_eq!(labels((-5.0, 0.0), true), "1e−5 1e−4 0.001 0.01 0.1 1");
        assert_eq!(labels((-12.0, 0.0), true), "1e−12 1e−9 1e−6 0.001 1");
        assert_eq!(labels((0.1, 0.75), true), "2 5");
        assert_eq!(labels((0.31, 0.6), true), "2.5 3.0 3.5");
    }

    #[test]
    fn there_are_between_two_and_six_whatever_the_range() {
        for i in 1..400 {
            let low = f64::from(i) * 0.37 - 60.0;
            for span in [1e-6, 0.03, 0.9, 7.7, 123.0, 4.2e6] {
                let count = ticks((low, low + span), false, 6).len();
                assert!((2..=6).contains(&count), "{low} + {span}: {count}");
            }
        }
    }
}
