//! The stage's pictures beyond its tensors.

use transformer_tutor::autograd::Trace;
use transformer_tutor::lesson::{Body, Fact, Facts};
use transformer_tutor::tensor::Tensor;

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

/// The tape as a table: one row per cell of each step up to the loss, with its gradient. Also the number of its steps,
/// and the names of those that are used more than once.
pub fn tape(trace: &Trace) -> (Body, Facts) {
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
    let facts = Facts::default()
        .with("recorded", loss + 1)
        .with("used_twice", twice.join(", "));
    let header = ["tensor", "from", "value", "gradient"];
    (
        Body::table(&header, (0..=loss).flat_map(rows).collect()),
        facts,
    )
}

/// Relative errors below this are drawn at this value.
const FLOOR: f64 = 1e-8;

/// The loss as a function of one number, the slopes by every step size, and the relative errors for three cells, in
/// addition to `facts`.
pub fn measured(probe: Probe, step: f64, facts: Facts) -> Facts {
    let reach = 1.5 * step;
    let changes: Vec<f64> = (-30..=30).map(|n| f64::from(n) / 30.0 * reach).collect();
    let (here, analytic) = (probe.loss(0.0), probe.analytic());
    let slopes = STEPS.map(|step| probe.numeric(step));
    let verdict = |(&step, &numeric): (&f64, &f64)| {
        // Both losses may be off in their last digit, and dividing by 2h magnifies that.
        let rounding = f64::from(f32::EPSILON) * here / step;
        match relative(numeric, analytic) {
            r if r < 1e-3 => "agree",
            _ if (numeric - analytic).abs() <= rounding => "rounding",
            r if r < 0.05 => "nearly",
            _ => "differ",
        }
    };
    let verdicts = STEPS.iter().zip(&slopes).map(verdict);
    let exponents: Vec<f64> = (-12..=0).map(|n| f64::from(n) / 2.0).collect();
    let errors = |cell| {
        let probe = Probe { cell, ..probe };
        let analytic = probe.analytic();
        let error = |exponent: &f64| relative(probe.numeric(10_f64.powf(*exponent)), analytic);
        Fact::numbers(exponents.iter().map(|e| error(e).max(FLOOR)))
    };
    facts
        .with("cell", probe.cell.says())
        .with("analytic", analytic)
        .with("numeric", probe.numeric(step))
        .with("relative", probe.relative(step))
        .with(
            "losses",
            Fact::numbers(changes.iter().map(|x| probe.loss(*x))),
        )
        .with("changes", changes)
        .with("loss_here", here)
        .with("loss_between", (probe.loss(step) + probe.loss(-step)) / 2.0)
        .with("steps_tried", Fact::numbers(STEPS))
        .with(
            "errors",
            Fact::numbers(slopes.map(|slope| relative(slope, analytic))),
        )
        .with("verdicts", Fact::words(verdicts))
        .with("slopes", Fact::numbers(slopes))
        .with("errors_query", errors(Cell::Query))
        .with("errors_near", errors(Cell::Near))
        .with("errors_far", errors(Cell::Far))
        .with("exponents", exponents)
}
