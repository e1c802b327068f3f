//! Seven ways to train, from one seed, in one chart.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::race::side_by_side;
use transformer_tutor::lesson::{Body, Picture, Series};
use transformer_tutor::tensor::shared;
use transformer_tutor::tensor::threads::wait_for;

use super::model::Cut;
use super::training::{self, Lane, STEPS, Trained};

/// The lanes, by the words of the chart and of the facts.
pub fn lanes(seed: u64) -> [(&'static str, &'static str, Lane); 7] {
    let sound = Lane {
        seed,
        ..Lane::default()
    };
    let cut = |cut| Lane { cut, ..sound };
    let none = Cut::default();
    [
        ("as it is", "sound", sound),
        (
            "no √d",
            "noscale",
            cut(Cut {
                scale: true,
                ..none
            }),
        ),
        (
            "no positions",
            "nopositions",
            cut(Cut {
                positions: true,
                ..none
            }),
        ),
        (
            "no mask",
            "nomask",
            Lane {
                batch: "no-future",
                ..sound
            },
        ),
        (
            "no warm-up",
            "nowarmup",
            Lane {
                cold: true,
                ..sound
            },
        ),
        (
            "no residual",
            "noresidual",
            cut(Cut {
                residual: true,
                ..none
            }),
        ),
        ("post-norm", "post", cut(Cut { post: true, ..none })),
    ]
}

/// The mean of the last twenty losses of a lane.
pub fn last(losses: &[f64]) -> f64 {
    let end = &losses[losses.len().saturating_sub(20)..];
    end.iter().sum::<f64>() / end.len().max(1) as f64
}

/// The picture of the race; it is run when the learner starts it.
pub fn picture(seed: u64) -> Picture {
    Picture {
        name: "race",
        title: format!("Seven lanes, {STEPS} steps, one seed"),
        says: "The same weights to begin with, the same batches. Each lane lacks one thing."
            .to_owned(),
        body: Body::Job(Job {
            about: format!(
                "Trains seven small models for {STEPS} steps, four at a time, and lets each write twenty sentences; some seconds."
            ),
            run: Arc::new(move |report| run(seed, report)),
        }),
    }
}

fn run(seed: u64, report: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Progress {
    let lanes = lanes(seed);
    let train = |n: usize, tell: &mut dyn FnMut(Vec<f64>) -> ControlFlow<()>| {
        let (_, _, lane) = lanes[n];
        let made = training::train(lane, STEPS, |_, so_far, _| tell(so_far.to_vec()));
        if made.losses.len() == STEPS {
            training::keep(lane, Arc::new(made));
        }
    };
    let none = vec![Vec::new(); lanes.len()];
    let losses = side_by_side(none, 4, train, &mut |now, told| {
        if !told.is_multiple_of(20) {
            return ControlFlow::Continue(());
        }
        let share = told as f32 / (STEPS * lanes.len()) as f32;
        report(drawing(seed, now, None, share * 0.95))
    });
    let whole = losses.iter().all(|l| l.len() == STEPS);
    let right = whole.then(|| lanes.map(|(_, _, lane)| training::right(lane, STEPS)));
    drawing(seed, &losses, right, 1.0)
}

fn drawing(seed: u64, losses: &[Vec<f64>], right: Option<[f64; 7]>, done: f32) -> Progress {
    let lanes = lanes(seed);
    let series = lanes.iter().zip(losses).map(|((name, ..), losses)| Series {
        name: (*name).to_owned(),
        points: smooth(losses),
    });
    let says = match right {
        Some(right) => {
            let ends = lanes.iter().zip(losses).zip(right);
            let ends = ends.map(|(((name, ..), losses), right)| {
                format!("{name} {:.3}, {:.0} %", last(losses), 100.0 * right)
            });
            format!(
                "Loss at the end, and how many words each then writes rightly alone: {}.",
                ends.collect::<Vec<_>>().join("; ")
            )
        }
        None => format!(
            "Who guesses among ten words has a loss of {:.3}.",
            10_f64.ln()
        ),
    };
    Progress {
        body: Body::Curves {
            x: "step".into(),
            y: "loss".into(),
            log: true,
            series: series.collect(),
        },
        says,
        done,
        run: None,
    }
}

/// Ten steps a point: a single batch says little.
pub fn smooth(losses: &[f64]) -> Vec<(f64, f64)> {
    let ten = losses.chunks(10).enumerate();
    ten.map(|(n, ten)| {
        let mean = ten.iter().sum::<f64>() / ten.len() as f64;
        (10.0 * n as f64 + 5.0, mean)
    })
    .collect()
}

/// What a whole training of a lane is. All seven are computed at once, and once.
pub fn finish(lane: Lane) -> Arc<Trained> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = wait_for(&TURN);
    shared(lanes(lane.seed).to_vec(), |(_, _, lane)| {
        training::trained(lane, STEPS);
    });
    drop(turn);
    training::trained(lane, STEPS)
}
