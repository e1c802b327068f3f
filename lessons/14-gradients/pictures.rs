//! The stage's pictures beyond its tensors.

use transformer_tutor::autograd::Trace;
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::typeset::number::{fixed, short};

use super::differences::{Cell, Probe, STEPS, relative};

/// Maximum number of cells shown; for larger tensors only the RMS is.
const CELLS_SHOWN: usize = 6;

fn number(x: f32) -> String {
    let shown = if x.abs() < 0.005 { 0.0 } else { x };
    format!("{shown:.2}").replace('-', "−")
}

fn size(x: &Tensor) -> String {
    format!("RMS {:.3}", x.rms())
}

/// The tape as a table: one row per cell of each step up to the loss, with its gradient.
pub fn tape(trace: &Trace) -> Picture {
    let steps = trace.steps();
    let loss = trace.find("loss").expect("both networks end in a loss");
    let grads = trace.gradients(loss, &[]);
    let rows = |n: usize| {
        let (step, grad) = (&steps[n], &grads[n]);
        let from: Vec<String> = step.inputs().iter().map(|i| (i + 1).to_string()).collect();
        let name = format!("{:>2} {}", n + 1, step.name);
        let line = |name: String, from: String, value: String, grad: Option<String>| {
            vec![name, from, value, grad.unwrap_or_else(|| "none".to_owned())]
        };
        if step.value.len() > CELLS_SHOWN {
            let grad = grad.as_ref().map(size);
            return vec![line(name, from.join(", "), size(&step.value), grad)];
        }
        let cell = |(nth, index): (usize, Vec<usize>)| {
            let grad = grad.as_ref().map(|g| number(g.at(&index)));
            let first = |words: String| if nth == 0 { words } else { String::new() };
            let value = number(step.value.at(&index));
            line(first(name.clone()), first(from.join(", ")), value, grad)
        };
        step.value.indices().enumerate().map(cell).collect()
    };
    let twice = (0..=loss).filter(|n| {
        let uses = steps[..=loss].iter().flat_map(|s| s.inputs());
        uses.filter(|i| *i == n).count() > 1
    });
    let twice: Vec<&str> = twice.map(|n| steps[n].name.as_str()).collect();
    Picture::table(
        "tape",
        "The tape: values from top to bottom, gradients from bottom to top",
        format!(
            "{} steps. Used more than once, so that several gradients are added: {}.",
            loss + 1,
            twice.join(", ")
        ),
        &["tensor", "from", "value", "gradient"],
        (0..=loss).flat_map(rows).collect(),
    )
}

/// The loss as a function of one number, with its tangent and the line of the finite difference.
pub fn kink(probe: Probe, step: f64) -> Picture {
    let reach = 1.5 * step;
    let points: Vec<f64> = (-30..=30).map(|n| f64::from(n) / 30.0 * reach).collect();
    let (here, slope, numeric) = (probe.loss(0.0), probe.analytic(), probe.numeric(step));
    let middle = (probe.loss(step) + probe.loss(-step)) / 2.0;
    let series =
        |name: &str, f: &dyn Fn(f64) -> f64| Series::new(name, points.iter().map(|&x| (x, f(x))));
    Picture::new(
        "kink",
        format!("The loss over {}", probe.cell.says()),
        format!(
            "Gradient {}, by a difference of step {step} {}: relative error {}.",
            fixed(slope as f32, 4),
            fixed(numeric as f32, 4),
            short(relative(numeric, slope) as f32, 6)
        ),
        Body::curves(
            "change of the bias",
            "loss",
            [
                series("loss", &|x| probe.loss(x)),
                series("gradient", &|x| here + slope * x),
                series("difference", &|x| middle + numeric * x),
            ],
        ),
    )
}

/// Slopes of the chosen cell at every step size.
pub fn slopes(probe: Probe) -> Picture {
    let (here, analytic) = (probe.loss(0.0), probe.analytic());
    let row = |&step: &f64| {
        let numeric = probe.numeric(step);
        let relative = relative(numeric, analytic);
        // Both losses may be off in their last digit, and dividing by 2h magnifies that.
        let rounding = f64::from(f32::EPSILON) * here / step;
        let verdict = match relative {
            r if r < 1e-3 => "agree",
            _ if (numeric - analytic).abs() <= rounding => "rounding",
            r if r < 0.05 => "nearly",
            _ => "differ",
        };
        vec![
            step.to_string(),
            fixed(numeric as f32, 6),
            format!("{relative:.1e}"),
            verdict.to_owned(),
        ]
    };
    Picture::table(
        "slopes",
        format!("The slope of the loss by {}", probe.cell.says()),
        format!(
            "One backward pass gives the gradient {}. The error says how far a finite difference is from it, relative to the larger.",
            fixed(analytic as f32, 6)
        ),
        &["step", "difference", "error", ""],
        STEPS.iter().map(row).collect(),
    )
}

/// Relative errors below this are drawn at this value.
const FLOOR: f64 = 1e-8;

/// The relative error against the step size, for three cells.
pub fn differences(room: f32, seed: u64) -> Picture {
    let line = |cell: Cell, name: &str| {
        let probe = Probe { cell, room, seed };
        let analytic = probe.analytic();
        let point = |n: i32| {
            let exponent = f64::from(n) / 2.0;
            let numeric = probe.numeric(10_f64.powf(exponent));
            (exponent, relative(numeric, analytic).max(FLOOR))
        };
        Series::new(name.to_owned(), (-12..=0).map(point))
    };
    Picture::new(
        "differences",
        "Relative error of a finite difference, by its step",
        "On the right the step is too long: it reaches across a kink or a curved part. On the left it is too short: the two losses share all digits but the last.",
        Body::curves(
            "step, as a power of 10",
            "relative error",
            [
                line(Cell::Query, "W_Q"),
                line(Cell::Near, "unit 2"),
                line(Cell::Far, "unit 0"),
            ],
        )
        .by_logarithm(),
    )
}
