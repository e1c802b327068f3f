//! The classic mistakes in the backward pass of layer normalisation.

use transformer_tutor::tensor::Tensor;

/// The signature of the function to write.
pub type NormBackwardFn = fn(&Tensor, &Tensor, f32, &Tensor) -> [Tensor; 3];

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, NormBackwardFn); 8] = [
    ("constants", |x, s, e, dy| {
        let ways = Deviations {
            shift: 0.0,
            stretch: 0.0,
            ..SOUND
        };
        backward(x, s, e, dy, &ways)
    }),
    ("mean-is-constant", |x, s, e, dy| {
        let ways = Deviations {
            shift: 0.0,
            ..SOUND
        };
        backward(x, s, e, dy, &ways)
    }),
    ("deviation-is-constant", |x, s, e, dy| {
        let ways = Deviations {
            stretch: 0.0,
            ..SOUND
        };
        backward(x, s, e, dy, &ways)
    }),
    ("not-divided", |x, s, e, dy| {
        let ways = Deviations { power: 0, ..SOUND };
        backward(x, s, e, dy, &ways)
    }),
    ("no-scale", |x, s, e, dy| {
        let [_, dscale, dbias] = backward(x, s, e, dy, &SOUND);
        let [dx, ..] = backward(x, &Tensor::ones(s.shape()), e, dy, &SOUND);
        [dx, dscale, dbias]
    }),
    ("unbiased", |x, s, e, dy| {
        let ways = Deviations {
            unbiased: true,
            ..SOUND
        };
        backward(x, s, e, dy, &ways)
    }),
    ("epsilon-outside", |x, s, e, dy| {
        let ways = Deviations {
            outside: true,
            ..SOUND
        };
        backward(x, s, e, dy, &ways)
    }),
    ("dscale-of-x", |x, s, e, dy| {
        let [dx, _, dbias] = backward(x, s, e, dy, &SOUND);
        let d = x.last();
        let rows = || x.data().chunks(d).zip(dy.data().chunks(d));
        let sums = (0..d).map(|i| rows().map(|(x, dy)| x[i] * dy[i]).sum());
        [dx, Tensor::new(&[d], sums.collect()), dbias]
    }),
];

/// Deviations from the correct computation.
struct Deviations {
    shift: f32,
    stretch: f32,
    /// Power of the standard deviation by which dx is divided.
    power: i32,
    unbiased: bool,
    outside: bool,
    /// Factor of the mean of g ⊙ x̂ in a cell of dx, from x̂ and the deviation.
    stretched: fn(f32, f32) -> f32,
}

const SOUND: Deviations = Deviations {
    shift: 1.0,
    stretch: 1.0,
    power: 1,
    unbiased: false,
    outside: false,
    stretched: |normal, _| normal,
};

fn backward(
    x: &Tensor,
    scale: &Tensor,
    epsilon: f32,
    dy: &Tensor,
    ways: &Deviations,
) -> [Tensor; 3] {
    let d = x.last();
    let mean = |row: &[f32]| row.iter().sum::<f32>() / d as f32;
    let mut dx = Vec::new();
    let (mut dscale, mut dbias) = (vec![0.0; d], vec![0.0; d]);
    for (row, dy) in x.data().chunks(d).zip(dy.data().chunks(d)) {
        let centre = mean(row);
        let squares: f32 = row.iter().map(|x| (x - centre) * (x - centre)).sum();
        let n = if ways.unbiased { d - 1 } else { d };
        let variance = squares / n as f32;
        let deviation = if ways.outside {
            variance.sqrt() + epsilon
        } else {
            (variance + epsilon).sqrt()
        };
        let normal: Vec<f32> = row.iter().map(|x| (x - centre) / deviation).collect();
        let g: Vec<f32> = scale.data().iter().zip(dy).map(|(s, dy)| s * dy).collect();
        let along: Vec<f32> = g.iter().zip(&normal).map(|(g, x)| g * x).collect();
        let (shift, stretch) = (ways.shift * mean(&g), ways.stretch * mean(&along));
        let divisor = deviation.powi(ways.power);
        dx.extend(
            g.iter()
                .zip(&normal)
                .map(|(g, x)| (g - shift - (ways.stretched)(*x, deviation) * stretch) / divisor),
        );
        for (sum, (dy, x)) in dscale.iter_mut().zip(dy.iter().zip(&normal)) {
            *sum += dy * x;
        }
        for (sum, dy) in dbias.iter_mut().zip(dy) {
            *sum += dy;
        }
    }
    let vector = |cells: Vec<f32>| Tensor::new(&[d], cells);
    [Tensor::new(x.shape(), dx), vector(dscale), vector(dbias)]
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, NormBackwardFn); 14] = [
    (
        "You multiply by the scale at the end. The means are of g = scale ⊙ dy: begin with it.",
        |x, s, e, dy| {
            let [dx, ..] = backward(x, &Tensor::ones(s.shape()), e, dy, &SOUND);
            let [_, dscale, dbias] = backward(x, s, e, dy, &SOUND);
            let scaled = Tensor::from_fn(x.shape(), |i| dx.at(i) * s.at(&i[1..]));
            [scaled, dscale, dbias]
        },
    ),
    (
        "Your gradients by scale and bias are means over the rows. They are sums: every row uses both.",
        |x, s, e, dy| {
            let [dx, dscale, dbias] = backward(x, s, e, dy, &SOUND);
            let share = 1.0 / x.shape()[0] as f32;
            [dx, dscale.map(|d| d * share), dbias.map(|d| d * share)]
        },
    ),
    (
        "Your gradients by scale and bias are those of the last row. Add the rows up: += instead of =.",
        |x, s, e, dy| {
            let [dx, ..] = backward(x, s, e, dy, &SOUND);
            let last =
                |t: &Tensor| Tensor::new(&[1, t.last()], t.data()[t.len() - t.last()..].to_vec());
            let [_, dscale, dbias] = backward(&last(x), s, e, &last(dy), &SOUND);
            [dx, dscale, dbias]
        },
    ),
    (
        "You divide dx by the variance. Divide by its root, the deviation.",
        |x, s, e, dy| {
            let ways = Deviations { power: 2, ..SOUND };
            backward(x, s, e, dy, &ways)
        },
    ),
    (
        "You subtract the sums of g and g ⊙ x̂. Subtract their means.",
        |x, s, e, dy| {
            let d = x.last() as f32;
            let ways = Deviations {
                shift: d,
                stretch: d,
                ..SOUND
            };
            backward(x, s, e, dy, &ways)
        },
    ),
    (
        "You add x̂ times the mean of g ⊙ x̂. Subtract it, as you subtract the mean of g.",
        |x, s, e, dy| {
            let ways = Deviations {
                stretch: -1.0,
                ..SOUND
            };
            backward(x, s, e, dy, &ways)
        },
    ),
    (
        "You leave ε out. The forward pass divided by sqrt(variance + ε), and so does the backward pass.",
        |x, s, _, dy| backward(x, s, 0.0, dy, &SOUND),
    ),
    (
        "You return the gradients of scale and bias in the wrong order: dx, dscale, dbias.",
        |x, s, e, dy| {
            let [dx, dscale, dbias] = backward(x, s, e, dy, &SOUND);
            [dx, dbias, dscale]
        },
    ),
    (
        "You multiply dbias by the scale. The bias is added after the scale, so dbias is the sum of dy alone.",
        |x, s, e, dy| {
            let [dx, dscale, dbias] = backward(x, s, e, dy, &SOUND);
            [dx, dscale, dbias.zip(s, |d, s| d * s)]
        },
    ),
    (
        "You multiply dscale by the scale. y = scale ⊙ x̂ + bias, so dscale is the sum of dy ⊙ x̂ alone.",
        |x, s, e, dy| {
            let [dx, dscale, dbias] = backward(x, s, e, dy, &SOUND);
            [dx, dscale.zip(s, |d, s| d * s), dbias]
        },
    ),
    (
        "You take the two means of dy. They are means of g = scale ⊙ dy, as the rest of dx.",
        |x, s, e, dy| {
            let ones = Tensor::ones(s.shape());
            let fixed = Deviations {
                shift: 0.0,
                stretch: 0.0,
                ..SOUND
            };
            // g / deviation, minus the means of dy alone.
            let [with_scale, dscale, dbias] = backward(x, s, e, dy, &fixed);
            let [without, ..] = backward(x, &ones, e, dy, &fixed);
            let [means_of_dy, ..] = backward(x, &ones, e, dy, &SOUND);
            let dx = with_scale
                .zip(&without, |a, b| a - b)
                .zip(&means_of_dy, |a, b| a + b);
            [dx, dscale, dbias]
        },
    ),
    (
        "Your dscale uses x minus its mean. Divide by the deviation too: dscale is the sum of dy ⊙ x̂.",
        |x, s, e, dy| {
            let [dx, _, dbias] = backward(x, s, e, dy, &SOUND);
            let d = x.last();
            let mut dscale = vec![0.0; d];
            for (row, dy) in x.data().chunks(d).zip(dy.data().chunks(d)) {
                let mean = row.iter().sum::<f32>() / d as f32;
                for (sum, (x, dy)) in dscale.iter_mut().zip(row.iter().zip(dy)) {
                    *sum += dy * (x - mean);
                }
            }
            [dx, Tensor::new(&[d], dscale), dbias]
        },
    ),
    (
        "Your dx uses x minus its mean where x̂ belongs. Divide it by the deviation: x̂ = (x − mean) / deviation.",
        |x, s, e, dy| {
            let ways = Deviations {
                stretched: |normal, deviation| normal * deviation,
                ..SOUND
            };
            backward(x, s, e, dy, &ways)
        },
    ),
    (
        "You subtract the mean of g ⊙ x̂ as it is. Multiply it by x̂ first, so each cell gets its own part.",
        |x, s, e, dy| {
            let ways = Deviations {
                stretched: |_, _| 1.0,
                ..SOUND
            };
            backward(x, s, e, dy, &ways)
        },
    ),
];
