//! The instruments for a training run. Each reads what the run recorded, beside the sound run.

use std::fmt::Write;

use super::fault::PARTS;
use super::finding::Finding;
use super::training::{MARKS, PAUSE, Record, STEPS, part, rate};
use crate::lesson::{Body, Series};
use crate::params::{Param, Params};
use crate::tensor::Tensor;

/// Mean loss over the twenty steps up to `step`.
fn around(run: &Record, step: usize) -> f64 {
    let last = &run.losses[step - 20..step];
    last.iter().sum::<f64>() / last.len() as f64
}

pub fn curve(run: &Record) -> Finding {
    let sound = Record::of(None);
    let line = |name: &str, run: &Record| {
        let finite = |(_, loss): &(usize, &f64)| loss.is_finite();
        let losses = run.losses.iter().enumerate().filter(finite);
        Series::new(name, losses.map(|(n, loss)| (n as f64 + 1.0, *loss)))
    };
    let lines = [line("this run", run), line("sound run", &sound)];
    let drawing = Body::curves("step", "loss", lines);
    let mut text = "steps        loss    sound run\n".to_owned();
    for step in (40..=STEPS).step_by(40) {
        let _ = writeln!(
            text,
            "{:>3} to {step:<3} {:>8.4} {:>12.4}",
            step - 19,
            around(run, step),
            around(&sound, step)
        );
    }
    if let Some(first) = run.losses.iter().position(|loss| !loss.is_finite()) {
        let _ = writeln!(
            text,
            "The loss is NaN or infinite from step {} on.",
            first + 1
        );
        let after = if first + 1 > PAUSE {
            ", after the pause"
        } else {
            ""
        };
        return Finding::new(text, Some(format!("NaN or infinite{after}"))).drawn(drawing);
    }
    // Describe how the two compare early on and at the end.
    let beside = |step: usize| {
        let ratio = around(run, step) / around(&sound, step);
        match ratio {
            r if r > 1.25 => "higher",
            r if r < 0.8 => "lower",
            _ => "alike",
        }
    };
    let (early, end) = (beside(40), beside(STEPS));
    let reading = (early, end) != ("alike", "alike");
    Finding::new(
        text,
        reading.then(|| format!("early {early}, at the end {end}")),
    )
    .drawn(drawing)
}

pub fn batch(run: &Record) -> Finding {
    let batch = run.batch(1);
    // The shortest sentence shows the most padding.
    let rows = batch.src.shape()[0];
    let padding = |row: &usize| {
        let width = batch.src.last();
        (0..width)
            .filter(|&t| batch.src.at(&[*row, t]) == 0.0)
            .count()
    };
    let row = (0..rows).max_by_key(padding).unwrap_or(0);
    let ids = |x: &Tensor| -> Vec<f32> { (0..x.last()).map(|t| x.at(&[row, t])).collect() };
    let (src, tgt, targets) = (ids(&batch.src), ids(&batch.tgt), ids(&batch.tgt_y));
    let line = |ids: &[f32]| ids.iter().map(|id| format!("{id:>3}")).collect::<String>();
    let counts = targets
        .iter()
        .map(|&id| if run.counts(id) { "  x" } else { "  ." });
    let text = format!(
        "the encoder reads   {}\nthe decoder reads   {}\nit is to say        {}\ncounts in the loss  {}\nid 0 is padding, id 1 is the start\n",
        line(&src),
        line(&tgt),
        line(&targets),
        counts.collect::<String>()
    );
    let one_ahead = (0..tgt.len() - 1).all(|t| targets[t] == tgt[t + 1]);
    let padding = targets.iter().any(|&id| id == 0.0 && run.counts(id));
    let signs = [
        (!one_ahead, "the labels are not one position ahead"),
        (padding, "padding counts"),
    ];
    Finding::judged(text, &signs)
}

/// Parts of the model in order, including the last LayerNorms and the generator.
fn parts(params: &Params) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (_, name, _) in params.iter() {
        let part = part(name);
        if !all.contains(&part) {
            all.push(part);
        }
    }
    all
}

/// Norm of the tensors that `of` gives for the parameters of a part; `None` if it gives none.
fn norm<'a>(
    params: &Params,
    wanted: &str,
    of: impl Fn(usize) -> Option<&'a Tensor>,
) -> Option<f64> {
    let mut sum = None;
    for (n, (_, name, _)) in params.iter().enumerate() {
        if part(name) != wanted {
            continue;
        }
        if let Some(x) = of(n) {
            let squares: f64 = x.data().iter().map(|&x| f64::from(x) * f64::from(x)).sum();
            *sum.get_or_insert(0.0) += squares;
        }
    }
    sum.map(f64::sqrt)
}

pub fn updates(run: &Record) -> Finding {
    let moved = |run: &Record, wanted: &str| {
        let [first, _, last] = &run.weights;
        let pairs = first.iter().zip(last.iter());
        let apart: Vec<Tensor> = pairs.map(|(a, b)| b.2.zip(a.2, |b, a| b - a)).collect();
        let whole: Vec<&Tensor> = first.iter().map(|(_, _, x)| x).collect();
        let far = norm(first, wanted, |n| apart.get(n)).unwrap_or(0.0);
        far / norm(first, wanted, |n| whole.get(n).copied()).unwrap_or(1.0)
    };
    let sound = Record::of(None);
    let mut text = "the norm of what was added to the weights, as a proportion of their norm at the start\npart           this run   sound run\n".to_owned();
    let mut reading = None;
    for part in parts(&run.weights[0]) {
        let (here, there) = (moved(run, &part), moved(&sound, &part));
        let _ = writeln!(text, "{part:<12} {here:>10.4} {there:>11.4}");
        if !here.is_finite() {
            reading.get_or_insert("NaN or infinite".to_owned());
        } else if here == 0.0 {
            reading.get_or_insert(format!("{part} has not moved"));
        }
    }
    Finding::new(text, reading)
}

pub fn gradients(run: &Record) -> Finding {
    let mut text = format!(
        "part          step {:>4}   step {:>4}   step {:>4}\n",
        MARKS[0], MARKS[1], MARKS[2]
    );
    let mut missing = None;
    for part in parts(&run.weights[0]) {
        let _ = write!(text, "{part:<12}");
        for mark in &run.marks {
            match norm(&mark.params, &part, |n| mark.grads[n].as_ref()) {
                Some(norm) => {
                    let _ = write!(text, " {norm:>10.4} ");
                }
                None => {
                    let _ = write!(text, " {:>10} ", "none");
                    missing.get_or_insert(format!("no gradient for {part}"));
                }
            }
        }
        text.push('\n');
    }
    Finding::new(text, missing)
}

/// Distance by which a weight is nudged in each direction.
const NUDGE: f32 = 4e-3;

pub fn slopes(run: &Record) -> Finding {
    let mut text = "For one weight of each part: the gradient that the optimizer was given, and the slope by finite differences\nstep  part          gradient        slope\n".to_owned();
    let mut wrong: Vec<String> = Vec::new();
    for mark in &run.marks[..2] {
        let own = run.slope(mark);
        for wanted in PARTS {
            // The cell with the largest true gradient, regardless of what the optimizer was given.
            let mut best: Option<(Param, usize, f32)> = None;
            for (n, (param, name, _)) in mark.params.iter().enumerate() {
                let Some(own) = own[n].as_ref().filter(|_| part(name) == wanted) else {
                    continue;
                };
                for (cell, g) in own.data().iter().enumerate() {
                    if best.is_none_or(|(_, _, most)| g.abs() > most) {
                        best = Some((param, cell, g.abs()));
                    }
                }
            }
            let Some((param, cell, _)) = best else {
                continue;
            };
            let grad = mark.grads[param.index()].as_ref();
            let gradient = grad.map_or(0.0, |grad| grad.data()[cell]);
            let [up, down] = [NUDGE, -NUDGE].map(|by| run.nudged(mark, param, cell, by));
            let slope = (up - down) / f64::from(2.0 * NUDGE);
            let apart = (f64::from(gradient) - slope).abs();
            let off = apart > 0.2 * slope.abs().max(f64::from(gradient.abs())) && apart > 1e-3;
            let note = if off { "   <- they differ" } else { "" };
            let _ = writeln!(
                text,
                "{:>4}  {wanted:<12} {gradient:>9.4} {slope:>12.4}{note}",
                mark.step
            );
            if off && !wrong.iter().any(|part| part == wanted) {
                wrong.push(wanted.to_owned());
            }
        }
    }
    let reading = match wrong.len() {
        0 => None,
        n if n == PARTS.len() => Some("no gradient is the slope of the loss".to_owned()),
        _ => Some(format!(
            "the gradients of {} are not slopes of the loss",
            wrong.join(", ")
        )),
    };
    Finding::new(text, reading)
}

pub fn rates(run: &Record) -> Finding {
    let mut text = "step   learning rate   in the plan\n".to_owned();
    for step in [1, 2, 5, 10, 30, 60, 120, STEPS] {
        let _ = writeln!(
            text,
            "{step:>4} {:>15.6} {:>13.6}",
            run.rates[step - 1],
            rate(step, true)
        );
    }
    let line = |name: &str, rates: Vec<f64>| {
        let points = rates.into_iter().enumerate();
        Series::new(name, points.map(|(n, rate)| (n as f64 + 1.0, rate)))
    };
    let here = line("this run", run.rates.clone());
    let plan = line("plan", (1..=STEPS).map(|step| rate(step, true)).collect());
    let mut rates = run.rates.iter().enumerate();
    let other = rates.any(|(n, here)| *here != rate(n + 1, true));
    Finding::judged(text, &[(other, "not the planned learning rate")]).drawn(Body::curves(
        "step",
        "learning rate",
        [here, plan],
    ))
}

pub fn moments(run: &Record) -> Finding {
    let [before, after, _] = &run.weights;
    let (mut sum, mut count) = (0.0, 0);
    for (n, ((_, _, a), (_, _, b))) in before.iter().zip(after.iter()).enumerate() {
        let Some(grad) = &run.first[n] else { continue };
        for ((a, b), g) in a.data().iter().zip(b.data()).zip(grad.data()) {
            // Where the gradient is nearly 0, the rounding of the weight dominates.
            if g.abs() > 1e-4 {
                sum += f64::from((b - a).abs());
                count += 1;
            }
        }
    }
    let first = sum / f64::from(count.max(1)) / run.rates[0];
    let cells = run.adam.moments.iter().flat_map(|(_, v)| v.data());
    let (negative, all) = cells.fold((0_usize, 0_usize), |(bad, all), v| {
        (bad + usize::from(v.is_nan() || *v < 0.0), all + 1)
    });
    let text = format!(
        "mean size of the first update, in learning rates: {first:.3} (by the definition: 1)\ncells of the mean square v that are negative or NaN at the end: {negative} of {all}\n"
    );
    let signs = [
        (negative > 0, "v is negative or NaN"),
        (
            (first - 1.0).abs() > 0.1,
            "the first update has another size",
        ),
    ];
    Finding::judged(text, &signs)
}

pub fn write(run: &Record) -> Finding {
    let right = |run: &Record| {
        let (mut same, mut ahead, mut all) = (0, 0, 0);
        for (src, output) in run.written(12) {
            for (t, id) in output.iter().enumerate() {
                all += 1;
                same += usize::from(src[t] == *id);
                ahead += usize::from(src.get(t + 1) == Some(id));
            }
        }
        (same as f64 / all as f64, ahead as f64 / all as f64)
    };
    let mut text = String::new();
    let line = |ids: &[u32]| ids.iter().map(|id| format!("{id:>3}")).collect::<String>();
    for (src, output) in run.written(12).iter().take(3) {
        let _ = writeln!(text, "to copy  {}\nwritten  {}\n", line(src), line(output));
    }
    let ((here, ahead), (sound, _)) = (right(run), right(&Record::of(None)));
    let _ = writeln!(
        text,
        "Of twelve sentences, {:.0} % of the tokens are right; in the correct run {:.0} %.",
        100.0 * here,
        100.0 * sound
    );
    let signs = [
        (ahead > here, "it leaves out the first token"),
        (here < sound - 0.1, "fewer tokens are right"),
        (here > sound + 0.1, "more tokens are right"),
    ];
    Finding::judged(text, &signs)
}
