//! Lesson 17: the optimizer, and the learning rate that warms up.

use std::sync::Arc;
use std::sync::LazyLock;

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::memo::{Memo, Weigh};
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::params::Params;
use crate::train::adam::{Rules, adam_step};
use crate::train::schedule::{RECIPES, noam_rate};

pub mod check;
mod experiments;
pub mod mistakes;
mod pictures;
mod race;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
mod training;

use race::Schedule;
use training::{Before, VOCABULARY};

pub static LESSON: LazyLock<Lesson> = lesson!("17-adam", AdamStage, check::TASK);

struct AdamStage;

fn training_rules(settings: &Settings) -> training::Rules {
    training::Rules {
        layers: settings.whole("layers"),
        post: settings.text("place") == "post",
        beta2: settings.real("beta2") as f32,
        corrected: true,
        seed: settings.whole("seed") as u64,
    }
}

/// The model that is taken apart: one layer, so that forty steps are soon done.
fn before(settings: &Settings) -> Arc<Before> {
    static DONE: Memo<Before> = Memo::new("adam: states before a step");
    let rules = training::Rules {
        layers: 1,
        post: false,
        ..training_rules(settings)
    };
    let (table, step) = (settings.text("table"), settings.whole("step"));
    let highest = settings.real("highest");
    let key = format!("{rules:?} {table} {step} {highest}");
    DONE.get(key, || {
        let rate = |n| Schedule::Noam.rate(n, highest);
        training::before(rules, table, step, rate)
    })
}

impl Weigh for Before {
    fn heap(&self) -> usize {
        [&self.x, &self.gradient, &self.m, &self.v]
            .map(Weigh::heap)
            .iter()
            .sum()
    }
}

/// One step of the training, operation by operation.
fn record(settings: &Settings) -> Trace {
    let before = before(settings);
    let step = settings.whole("step");
    let rules = Rules {
        rate: Schedule::Noam.rate(step, settings.real("highest")) as f32,
        beta1: 0.9,
        beta2: settings.real("beta2") as f32,
        epsilon: settings.real("epsilon") as f32,
        decay: settings.real("decay") as f32,
    };
    let tape = Tape::eval(&Params::default());
    let input = |name, value: &crate::tensor::Tensor| tape.input(name, value.clone(), &["v", "d"]);
    let (x, gradient) = (input("x", &before.x), input("gradient", &before.gradient));
    let (m, v) = (input("m", &before.m), input("v", &before.v));
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    let walk = on.map_or(adam_step as mistakes::AdamFn, |(_, mistake)| mistake);
    walk(&x, &gradient, &m, &v, step as i32, &rules);
    let marks = ["<pad>", "<s>"].map(String::from).into_iter();
    let words = marks.chain((2..VOCABULARY).map(|id| format!("word {id}")));
    tape.trace().label("v", vec![words.collect()])
}

impl Stage for AdamStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        Ok(Run {
            trace: record(settings),
            pictures: pictures::all(settings, training_rules(settings)),
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let rules = training_rules(settings);
        let highest = settings.real("highest");
        let rate = |step| {
            let (d_model, warmup) = (settings.whole("d_model"), settings.whole("warmup"));
            noam_rate(step, d_model, settings.real("factor"), warmup)
        };
        let tensor = |name: &str| run.trace.tensor(name);
        match name {
            "peak" => return Some(rate(settings.whole("warmup"))),
            "tensorflow_peak" => return Some(RECIPES[1].peak(512)),
            "clueless" => return Some((VOCABULARY as f64).ln()),
            // Words that this batch does not have.
            "still_words" => {
                let rows = tensor("gradient")?.data().chunks(training::WIDTH);
                return Some(rows.filter(|r| r.iter().all(|g| *g == 0.0)).count() as f64);
            }
            // Of those, the ones that move all the same.
            "still_moved" => {
                let rows = tensor("gradient")?.data().chunks(training::WIDTH);
                let updates = tensor("update")?.data().chunks(training::WIDTH);
                let both = rows.zip(updates);
                let moved = both
                    .filter(|(g, u)| g.iter().all(|g| *g == 0.0) && u.iter().any(|u| *u != 0.0));
                return Some(moved.count() as f64);
            }
            "decays_gradient" => return Some(f64::from(u8::from(tensor("with_decay").is_some()))),
            _ => {}
        }
        let (what, rest) = name.split_once('_')?;
        let step = || rest.parse::<usize>().ok();
        match what {
            "rate" => Some(rate(step()?)),
            "bare" => {
                let beta2 = settings.real("beta2") as f32;
                experiments::first_updates(beta2, false, step()? as i32).pop()
            }
            "corrected" => {
                let beta2 = settings.real("beta2") as f32;
                experiments::first_updates(beta2, true, step()? as i32).pop()
            }
            "moved" | "movedbare" => {
                let rules = training::Rules {
                    layers: 1,
                    corrected: what == "moved",
                    ..rules
                };
                let moves = pictures::first_moves(rules, highest);
                moves.get(step()?.checked_sub(1)?).copied()
            }
            "hand" => {
                let (of, step) = rest.split_once('_')?;
                let row =
                    *experiments::by_hand().get(step.parse::<usize>().ok()?.checked_sub(1)?)?;
                Some(match of {
                    "mean" => row.mean,
                    "square" => row.square,
                    "mhat" => row.m_hat,
                    "vhat" => row.v_hat,
                    "update" => row.update,
                    "weight" => row.weight,
                    _ => return None,
                })
            }
            "left" => {
                let (how, size) = rest.split_once('_')?;
                let size = if size == "small" { 0.01 } else { 1.0 };
                Some(experiments::left(size, how == "gradient"))
            }
            "race" => {
                let lane = match rest {
                    "noam" => Schedule::Noam,
                    "constant" => Schedule::Constant,
                    "nowarmup" => Schedule::NoWarmup,
                    "tenth" => Schedule::Tenth,
                    _ => return None,
                };
                Some(race::finish(rules, lane, highest))
            }
            _ => None,
        }
    }
}
