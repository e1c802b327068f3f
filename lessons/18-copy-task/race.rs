//! Seven ways to train, from one seed, in one chart.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::{Body, Picture, Series};

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
    let losses = Mutex::new(vec![Vec::<f64>::new(); lanes.len()]);
    let stop = Mutex::new(false);
    let (send, receive) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (send, losses, stop, lanes) = (send.clone(), &losses, &stop, &lanes);
            scope.spawn(move || {
                for (n, (_, _, lane)) in lanes.iter().enumerate().skip(worker).step_by(4) {
                    let made = training::train(*lane, STEPS, |_, so_far, _| {
                        losses.lock().expect("no lane panics with the lock")[n] = so_far.to_vec();
                        // Nobody listens any more once the race was stopped.
                        let _ = send.send(());
                        match *stop.lock().expect("no lane panics with the lock") {
                            true => ControlFlow::Break(()),
                            false => ControlFlow::Continue(()),
                        }
                    });
                    if made.losses.len() == STEPS {
                        training::keep(*lane, Arc::new(made));
                    }
                }
            });
        }
        drop(send);
        let mut told = 0_usize;
        while receive.recv().is_ok() {
            told += 1;
            if told.is_multiple_of(20) {
                let now = losses.lock().expect("no lane panics with the lock").clone();
                let share = told as f32 / (STEPS * lanes.len()) as f32;
                if report(drawing(seed, &now, None, share * 0.95)).is_break() {
                    *stop.lock().expect("no lane panics with the lock") = true;
                    break;
                }
            }
        }
    });
    let losses = losses.into_inner().expect("all lanes are done");
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

/// What a whole training of a lane is. All seven are computed at once, four at a time, and once.
pub fn finish(lane: Lane) -> Arc<Trained> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(|e| e.into_inner());
    let lanes = lanes(lane.seed);
    std::thread::scope(|scope| {
        for worker in 0..4 {
            scope.spawn(move || {
                for (_, _, lane) in lanes.iter().skip(worker).step_by(4) {
                    training::trained(*lane, STEPS);
                }
            });
        }
    });
    drop(turn);
    training::trained(lane, STEPS)
}
