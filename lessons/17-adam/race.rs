//! Four schedules from one seed.

use std::ops::ControlFlow;
use std::sync::Arc;

use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::train::schedule::noam_rate;

use super::training::{Rules, VOCABULARY, WIDTH, train};

/// Steps of each lane, and of its warm-up.
pub const STEPS: usize = 240;
pub const WARMUP: usize = 60;

/// How a lane's learning rate goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Schedule {
    /// The paper's: up for the warm-up, then down with the root.
    Noam,
    /// The highest rate from the first step to the last.
    Constant,
    /// The paper's without its beginning: the highest rate until the warm-up would end, then down.
    NoWarmup,
    /// A tenth of the highest rate throughout.
    Tenth,
}

pub const LANES: [Schedule; 4] = [
    Schedule::Noam,
    Schedule::Constant,
    Schedule::NoWarmup,
    Schedule::Tenth,
];

impl Schedule {
    pub fn name(self) -> &'static str {
        match self {
            Self::Noam => "warm-up, then down",
            Self::Constant => "constant",
            Self::NoWarmup => "no warm-up, then down",
            Self::Tenth => "constant, a tenth",
        }
    }

    /// The learning rate of `step`, from 1, where `highest` is the highest.
    pub fn rate(self, step: usize, highest: f64) -> f64 {
        // The factor that puts the peak of the paper's curve at `highest`.
        let factor = highest / noam_rate(WARMUP, WIDTH, 1.0, WARMUP);
        match self {
            Self::Noam => noam_rate(step, WIDTH, factor, WARMUP),
            Self::NoWarmup => noam_rate(step.max(WARMUP), WIDTH, factor, WARMUP),
            Self::Constant => highest,
            Self::Tenth => highest / 10.0,
        }
    }
}

fn mean(losses: &[f64]) -> f64 {
    losses.iter().sum::<f64>() / losses.len().max(1) as f64
}

/// The mean loss of the last twenty steps of a lane. Computed once.
pub fn finish(rules: Rules, schedule: Schedule, highest: f64) -> f64 {
    static DONE: Memo<f64> = Memo::new("adam: finishes");
    let key = format!("{rules:?} {schedule:?} {highest}");
    *DONE.get(key, || {
        let rate = |step| schedule.rate(step, highest);
        let losses = train(rules, STEPS, rate, |_| ControlFlow::Continue(()));
        mean(&losses[STEPS - 20..])
    })
}

/// The picture of the race; it is run when the learner starts it.
pub fn picture(rules: Rules, highest: f64) -> Picture {
    Picture {
        name: "race",
        title: format!("Four schedules, {STEPS} steps, one seed"),
        says: "A small Transformer learns to copy, four times with the same weights and words. Only the learning rates differ.".to_owned(),
        body: Body::Job(Job {
            about: format!(
                "Trains four models of {} + {} layers, norms {}, for {STEPS} steps, highest rate {highest}, warm-up {WARMUP} steps; about {} s.",
                rules.layers,
                rules.layers,
                if rules.post { "after" } else { "before" },
                2 * rules.layers
            ),
            run: Arc::new(move |report| run(rules, highest, report)),
        }),
    }
}

fn run(
    rules: Rules,
    highest: f64,
    report: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Progress {
    let mut series: Vec<Series> = Vec::new();
    let mut stopped = false;
    let total = (STEPS * LANES.len()) as f32;
    for (lane, schedule) in LANES.into_iter().enumerate() {
        if stopped {
            break;
        }
        let before = series.clone();
        let rate = |step| schedule.rate(step, highest);
        let losses = train(rules, STEPS, rate, |step| {
            if step % 10 != 0 {
                return ControlFlow::Continue(());
            }
            let done = (lane * STEPS + step) as f32 / total * 0.99;
            let on = report(drawing(&before, done));
            stopped = on.is_break();
            on
        });
        // Ten steps a point: a single batch says little.
        let points = losses.chunks(10).enumerate();
        series.push(Series {
            name: schedule.name().to_owned(),
            points: points
                .map(|(n, ten)| (10.0 * n as f64 + 5.0, mean(ten)))
                .collect(),
        });
    }
    drawing(&series, 1.0)
}

/// What [`finish`] measures: the last twenty steps are the last two points.
fn end(lane: &Series) -> f64 {
    let losses: Vec<f64> = lane.points.iter().rev().take(2).map(|p| p.1).collect();
    mean(&losses)
}

fn drawing(series: &[Series], done: f32) -> Progress {
    let ends = series.iter().map(|s| format!("{} {:.3}", s.name, end(s)));
    let ends: Vec<String> = ends.collect();
    let clueless = (VOCABULARY as f64).ln();
    Progress {
        body: Body::Curves {
            x: "step".into(),
            y: "loss".into(),
            log: true,
            series: series.to_vec(),
        },
        says: if ends.is_empty() {
            format!("A model that knows nothing has a loss of log {VOCABULARY} = {clueless:.3}.")
        } else {
            format!("Loss over the last 20 steps: {}.", ends.join(", "))
        },
        done,
        run: None,
    }
}
