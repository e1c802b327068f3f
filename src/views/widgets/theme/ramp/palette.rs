//! Ramps in the 256-colour palette, as even in lightness as its colours allow.
//!
//! Taking the nearest colour for each step would not do: the palette has few dark colours, so some steps would look
//! alike and others far apart. Instead, a whole ramp is chosen at once.

use super::{Rgb, at_lightness, linear};

/// Approximate lightness (CIE L*, from 0 to 100) between two steps: closer colours do not exist for every hue.
const STEP: f32 = 10.0;

/// Weights of the squared errors in step size, lightness and hue. An even ramp may drift in hue.
const UNEVEN: f32 = 6.0;
const LIGHTNESS: f32 = 1.0;
const HUE: f32 = 0.25;

/// A path through the palette: its last lightness, its cost, and its colours.
type Route = (f32, f32, Vec<u8>);

/// The colour with this number in the palette; the first 16 belong to the terminal and are black here.
pub fn rgb(number: u8) -> Rgb {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |n: u8| LEVELS[usize::from(n % 6)];
    match number {
        0..16 => (0, 0, 0),
        16..232 => {
            let n = number - 16;
            (level(n / 36), level(n / 6), level(n))
        }
        _ => {
            let grey = 8 + 10 * (number - 232);
            (grey, grey, grey)
        }
    }
}

/// Numbers of the colours that lead from the first to the last stop. Their lightness rises or falls throughout, in
/// steps as equal as the palette allows, near the hues of the stops.
pub fn ramp(stops: &[Rgb]) -> Vec<u8> {
    let stops: Vec<[f32; 3]> = stops.iter().map(|&stop| lab(stop)).collect();
    let colours: Vec<(u8, [f32; 3])> = (16..=255).map(|n| (n, lab(rgb(n)))).collect();
    let (first, last) = (stops[0], stops[stops.len() - 1]);
    let far = |colour: &(u8, [f32; 3])| distance(colour.1, first, 0);
    let nearest = colours.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    let Some(&(begin, at)) = nearest else {
        return Vec::new();
    };
    let span = last[0] - at[0];
    let steps = (span.abs() / STEP).round().max(4.0) as usize;
    let even = span / steps as f32;
    let mut ways: Vec<Route> = vec![(at[0], 0.0, vec![begin])];
    for step in 1..=steps {
        let wanted = at_lightness(&stops, at[0] + even * step as f32);
        let near = |colour: &&(u8, [f32; 3])| (colour.1[0] - wanted[0]).abs() <= even.abs();
        let reached = colours.iter().filter(near).filter_map(|&(number, colour)| {
            let cost = |route: &Route| route.1 + UNEVEN * (colour[0] - route.0 - even).powi(2);
            let before = ways
                .iter()
                .filter(|route| (colour[0] - route.0) * even > 0.0);
            let before = before.min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
            let off = LIGHTNESS * (colour[0] - wanted[0]).powi(2);
            let own = off + HUE * distance(colour, wanted, 1);
            let numbers = [&before.2[..], &[number]].concat();
            Some((colour[0], cost(before) + own, numbers))
        });
        let reached: Vec<Route> = reached.collect();
        if reached.is_empty() {
            break;
        }
        ways = reached;
    }
    let best = ways.into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or_else(|| vec![begin], |route| route.2)
}

/// Squared distance of two colours, from this coordinate on.
fn distance(a: [f32; 3], b: [f32; 3], from: usize) -> f32 {
    (from..3).map(|i| (a[i] - b[i]).powi(2)).sum()
}

/// Converts to CIE L*a*b* under D65: lightness from 0 to 100, green to red, blue to yellow.
fn lab(colour: Rgb) -> [f32; 3] {
    let [r, g, b] = linear(colour);
    let x = (0.412_4 * r + 0.357_6 * g + 0.180_5 * b) / 0.950_47;
    let y = 0.212_6 * r + 0.715_2 * g + 0.072_2 * b;
    let z = (0.019_3 * r + 0.119_2 * g + 0.950_5 * b) / 1.088_83;
    let f = |t: f32| {
        if t > 0.008_856 {
            t.cbrt()
        } else {
            t / 0.128_419 + 4.0 / 29.0
        }
    };
    [
        116.0 * f(y) - 16.0,
        500.0 * (f(x) - f(y)),
        200.0 * (f(y) - f(z)),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::Ramp;
    use super::*;
    use crate::widgets::theme::Theme;

    #[test]
    fn the_palette_is_the_one_of_every_terminal() {
        assert_eq!(
            [16, 196, 231].map(rgb),
            [(0, 0, 0), (255, 0, 0), (255, 255, 255)]
        );
        assert_eq!(
            [110, 232, 255].map(rgb),
            [(135, 175, 215), (8, 8, 8), (238, 238, 238)]
        );
    }

    #[test]
    fn lightness_is_that_of_the_cie() {
        let known = [
            ((0, 0, 0), 0.0),
            ((255, 255, 255), 100.0),
            ((119, 119, 119), 50.03),
            ((255, 0, 0), 53.24),
        ];
        for (colour, light) in known {
            assert!(
                (lab(colour)[0] - light).abs() < 0.05,
                "{colour:?}: {:?}",
                lab(colour)
            );
        }
    }

    #[test]
    fn in_256_colours_lightness_rises_or_falls_by_steps_that_are_nearly_even() {
        for name in ["dark", "light", "colour-blind"] {
            let theme = Theme::by_name(name).unwrap().in_256();
            for ramp in [&theme.positive, &theme.negative, &theme.share] {
                let Ramp::Palette(numbers) = ramp else {
                    panic!("{name}: {ramp:?}");
                };
                let lights: Vec<f32> = numbers.iter().map(|&n| lab(rgb(n))[0]).collect();
                let steps: Vec<f32> = lights.windows(2).map(|pair| pair[1] - pair[0]).collect();
                let even = steps.iter().sum::<f32>() / steps.len() as f32;
                assert!(steps.len() >= 4 && even.abs() > 8.0, "{name}: {lights:?}");
                // Steps within two fifths of the mean are the best that the palette allows.
                let near = |step: &f32| (0.6..1.4).contains(&(step / even));
                assert!(steps.iter().all(near), "{name}: {numbers:?} {steps:?}");
            }
        }
    }
}
