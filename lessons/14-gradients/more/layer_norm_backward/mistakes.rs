//! The classic mistakes of a layer norm's backward pass.

use transformer_tutor::tensor::Tensor;

/// The signature of what is to be written.
pub type NormBackwardFn = fn(&Tensor, &Tensor, f32, &Tensor) -> [Tensor; 3];

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, NormBackwardFn); 8] = [
    ("constants", |x, s, e, dy| {
        backward(
            x,
            s,
            e,
            dy,
            &Ways {
                shift: 0.0,
                stretch: 0.0,
                ..SOUND
            },
        )
    }),
    ("mean-is-constant", |x, s, e, dy| {
        backward(
            x,
            s,
            e,
            dy,
            &Ways {
                shift: 0.0,
                ..SOUND
            },
        )
    }),
    ("deviation-is-constant", |x, s, e, dy| {
        backward(
            x,
            s,
            e,
            dy,
            &Ways {
                stretch: 0.0,
                ..SOUND
            },
        )
    }),
    ("not-divided", |x, s, e, dy| {
        backward(
            x,
            s,
            e,
            dy,
            &Ways {
                divided: false,
                ..SOUND
            },
        )
    }),
    ("no-scale", |x, s, e, dy| {
        let [_, dscale, dbias] = backward(x, s, e, dy, &SOUND);
        let [dx, ..] = backward(x, &Tensor::ones(s.shape()), e, dy, &SOUND);
        [dx, dscale, dbias]
    }),
    ("unbiased", |x, s, e, dy| {
        backward(
            x,
            s,
            e,
            dy,
            &Ways {
                unbiased: true,
                ..SOUND
            },
        )
    }),
    ("epsilon-outside", |x, s, e, dy| {
        backward(
            x,
            s,
            e,
            dy,
            &Ways {
                outside: true,
                ..SOUND
            },
        )
    }),
    ("dscale-of-x", |x, s, e, dy| {
        let [dx, _, dbias] = backward(x, s, e, dy, &SOUND);
        let d = x.last();
        let rows = || x.data().chunks(d).zip(dy.data().chunks(d));
        let sums = (0..d).map(|i| rows().map(|(x, dy)| x[i] * dy[i]).sum());
        [dx, Tensor::new(&[d], sums.collect()), dbias]
    }),
];

/// What is done otherwise.
struct Ways {
    shift: f32,
    stretch: f32,
    divided: bool,
    unbiased: bool,
    outside: bool,
}

const SOUND: Ways = Ways {
    shift: 1.0,
    stretch: 1.0,
    divided: true,
    unbiased: false,
    outside: false,
};

fn backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor, ways: &Ways) -> [Tensor; 3] {
    let d = x.last();
    let mean = |row: &[f32]| row.iter().sum::<f32>() / d as f32;
    let mut dx = Vec::new();
    let (mut dscale, mut dbias) = (vec![0.0; d], vec![0.0; d]);
    for (row, dy) in x.data().chunks(d).zip(dy.data().chunks(d)) {
        let centre = mean(row);
        let squares: f32 = row.iter().map(|x| (x - centre) * (x - centre)).sum();
        let n = if ways.unbiased { d - 1 } else { d };
        let variance = squares / n as f32;
        let deviation = match ways.outside {
            true => variance.sqrt() + epsilon,
            false => (variance + epsilon).sqrt(),
        };
        let normal: Vec<f32> = row.iter().map(|x| (x - centre) / deviation).collect();
        let g: Vec<f32> = scale.data().iter().zip(dy).map(|(s, dy)| s * dy).collect();
        let along: Vec<f32> = g.iter().zip(&normal).map(|(g, x)| g * x).collect();
        let (shift, stretch) = (ways.shift * mean(&g), ways.stretch * mean(&along));
        let divisor = if ways.divided { deviation } else { 1.0 };
        dx.extend(
            g.iter()
                .zip(&normal)
                .map(|(g, x)| (g - shift - x * stretch) / divisor),
        );
        for i in 0..d {
            dscale[i] += dy[i] * normal[i];
            dbias[i] += dy[i];
        }
    }
    let vector = |cells: Vec<f32>| Tensor::new(&[d], cells);
    [Tensor::new(x.shape(), dx), vector(dscale), vector(dbias)]
}
