//! Lesson 17: the optimizer, and the learning rate that warms up.

use std::sync::{Arc, LazyLock};

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::memo::Memo;
use crate::lesson::race::lane::Lane as _;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::nn::residual::NormPlace;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::adam::{AdamFn, Rules};
use crate::train::schedule::RECIPES;

pub mod check;
mod experiments;
mod knobs;
#[path = "more/noam_rate/check.rs"]
pub mod noam_rate;
mod pictures;
mod race;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
mod training;

use knobs::Knobs;
use race::Schedule;
use training::{Before, VOCABULARY, WIDTH};

pub static LESSON: LazyLock<Lesson> =
    lesson!("17-adam", AdamStage, check::TASK; "noam_rate" => noam_rate::TASK);

struct AdamStage;

/// State of the model whose step is shown: one layer, so that forty steps are quick.
fn before(knobs: &Knobs) -> Arc<Before> {
    static DONE: Memo<Before> = Memo::new("adam: states before a step");
    let rules = training::Rules {
        layers: 1,
        place: NormPlace::Pre,
        ..knobs.training()
    };
    let &Knobs {
        table,
        step,
        highest,
        ..
    } = knobs;
    DONE.get(format!("{rules:?} {table:?} {step} {highest}"), || {
        let rate = |n| Schedule::Noam.rate(n, highest);
        training::before(rules, table, step, rate)
    })
}

/// One step of the training, operation by operation.
fn record(knobs: &Knobs, walk: AdamFn) -> Trace {
    let before = before(knobs);
    let rules = Rules {
        rate: Schedule::Noam.rate(knobs.step, knobs.highest) as f32,
        beta1: 0.9,
        beta2: knobs.beta2,
        epsilon: knobs.epsilon,
        decay: knobs.decay,
    };
    let tape = Tape::eval(&Params::default());
    let input = |name, value: &Tensor| tape.input(name, value.clone(), &["v", "d"]);
    let (x, gradient) = (input("x", &before.x), input("gradient", &before.gradient));
    let (m, v) = (input("m", &before.m), input("v", &before.v));
    walk(&x, &gradient, &m, &v, knobs.step as i32, &rules);
    let marks = ["<pad>", "<s>"].map(String::from).into_iter();
    let words = marks.chain((2..VOCABULARY).map(|id| format!("token {id}")));
    tape.trace().label("v", vec![words.collect()])
}

impl Stage for AdamStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs = settings.knobs();
        let trace = record(&knobs, check::TASK.chosen(settings));
        Ok(Run::new(trace, pictures::jobs(&knobs)).telling(pictures::facts(&knobs)))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let rate = |step| knobs.rate(step);
        let still = |row: &[f32]| row.iter().all(|x| *x == 0.0);
        let tensor = |name: &str| run.trace.tensor(name);
        match name {
            "peak" => return Some(rate(knobs.warmup)),
            "tensorflow_peak" => return Some(RECIPES[1].peak(512)),
            "bare_peak" | "bare_peak_step" => {
                let updates = experiments::first_updates(knobs.beta2, false, 60);
                let (step, peak) = (1_u8..).zip(updates).max_by(|a, b| a.1.total_cmp(&b.1))?;
                return Some(if name == "bare_peak" {
                    peak
                } else {
                    step.into()
                });
            }
            "clueless" => return Some((VOCABULARY as f64).ln()),
            // Tokens that this batch does not contain.
            "still_words" => {
                return Some(
                    tensor("gradient")?
                        .data()
                        .chunks(WIDTH)
                        .filter(|r| still(r))
                        .count() as f64,
                );
            }
            // How many of those move anyway.
            "still_moved" => {
                let rows = tensor("gradient")?.data().chunks(WIDTH);
                let both = rows.zip(tensor("update")?.data().chunks(WIDTH));
                return Some(both.filter(|(g, u)| still(g) && !still(u)).count() as f64);
            }
            "decays_gradient" => return Some(f64::from(tensor("with_decay").is_some())),
            _ => {}
        }
        let (what, rest) = name.split_once('_')?;
        let step = || rest.parse::<usize>().ok();
        match what {
            "rate" => Some(rate(step()?)),
            "bare" | "corrected" => {
                let corrected = what == "corrected";
                experiments::first_updates(knobs.beta2, corrected, step()? as i32).pop()
            }
            "moved" | "movedbare" => {
                let moves = pictures::first_moves(knobs.training(), knobs.highest, what == "moved");
                moves.get(step()?.checked_sub(1)?).copied()
            }
            "hand" => {
                let (of, step) = rest.split_once('_')?;
                let step = step.parse::<usize>().ok()?.checked_sub(1)?;
                let name = match of {
                    "mhat" => "m_hat",
                    "vhat" => "v_hat",
                    "weight" => "moved",
                    "gradient" | "mean" | "square" | "update" => of,
                    _ => return None,
                };
                Some(experiments::number(experiments::by_hand().get(step)?, name))
            }
            "left" => {
                let (how, size) = rest.split_once('_')?;
                let size = if size == "small" { 0.01 } else { 1.0 };
                Some(experiments::left(size, how == "gradient"))
            }
            "race" => {
                let (lane, which) = rest.split_once('_').unwrap_or((rest, "mean"));
                let schedule = match lane {
                    "noam" => Schedule::Noam,
                    "constant" => Schedule::Constant,
                    "nowarmup" => Schedule::NoWarmup,
                    "tenth" => Schedule::Tenth,
                    _ => return None,
                };
                let lane = race::Lane {
                    rules: knobs.training(),
                    schedule,
                    highest: knobs.highest,
                };
                lane.finish().get(which)
            }
            _ => None,
        }
    }
}
