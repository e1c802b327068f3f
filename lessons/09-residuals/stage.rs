//! Lesson 09: the residual connection, and the place of its LayerNorm.

use std::sync::LazyLock;

use crate::autograd::{Step, Trace};
use crate::lesson;
use crate::lesson::measure::{count, flag, parameters, zeros};
use crate::lesson::race::lane::Lane as _;
use crate::lesson::{Lesson, Run, Settings, Stage, batch};
use crate::nn::activation::Activation;
use crate::nn::feed_forward::FeedForward;
use crate::nn::layer_norm::LayerNorm;
use crate::nn::linear::Bias;
use crate::nn::residual::{NormPlace, post_norm};
use crate::ops::Deviation;
use crate::params::Params;
use crate::tensor::threads::both;
use crate::text::sample::{self, Language};

pub mod check;
mod drops;
mod knobs;
mod pictures;
mod probe;
mod race;
mod rank;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
mod tower;

use check::{ResidualFn, TASK};
use knobs::Knobs;
use tower::{WIRINGS, Wiring, measured};

const D_MODEL: usize = 512;
const D_FF: usize = 2048;
const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("09-residuals", ResidualStage, check::TASK);

struct ResidualStage;

/// The first mistake that is switched on, or the correct function for the place that the knob selects.
fn connection(knobs: &Knobs, settings: &Settings) -> ResidualFn {
    let mistake = TASK.broken(settings);
    mistake.unwrap_or(match knobs.place {
        NormPlace::Pre => TASK.reference,
        NormPlace::Post => |x, norm, dropout, f| post_norm(x, norm, dropout, f),
    })
}

/// One feed-forward sublayer in its residual connection, at the standard sizes.
fn record(knobs: &Knobs, connect: ResidualFn) -> Trace {
    let mut params = Params::new(knobs.seed);
    let norm = params.scoped("norm", |params| {
        LayerNorm::new(params, D_MODEL, Deviation::Unbiased, 1e-6)
    });
    // The dropout inside the sublayer belongs to the sublayer, and is off here.
    let relu = Activation::Relu;
    let ffn = FeedForward::new(&mut params, D_MODEL, D_FF, Bias::Uniform, relu, 0.0);
    let tape = batch::tape(&params, knobs.dropout, knobs.seed);
    let x = batch::vectors(
        &tape,
        ("x", Language::English),
        (TARGET, D_MODEL),
        knobs.seed,
    );
    connect(&x, &norm, knobs.dropout, &|x| ffn.forward(x));
    let words = sample::all_words(TARGET, Language::English);
    tape.trace().label("t", words)
}

impl Stage for ResidualStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (knobs, bare): (Knobs, _) = (settings.knobs(), settings.broken("no-last-norm"));
        let (facts, trace) = both(
            || pictures::facts(&knobs, bare),
            || record(&knobs, connection(&knobs, settings)),
        );
        Ok(Run::new(trace, pictures::jobs(&knobs)).telling(facts))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let (depth, seed, dropout) = (knobs.layers, knobs.seed, knobs.dropout_or_tenth());
        if let Some(fact) = of_trace(name, &run.trace) {
            return Some(fact);
        }
        match name {
            "bare_logits" => return Some(measured(Wiring::Pre, depth, seed).bare_logits),
            "clueless" => return Some(race::clueless()),
            "logits" => {
                let measured = measured(Wiring::Pre, depth, seed);
                return Some(if settings.broken("no-last-norm") {
                    measured.bare_logits
                } else {
                    measured.logits
                });
            }
            _ => {}
        }
        let (what, rest) = name.split_once('_')?;
        let wiring = |word: &str| {
            let mut all = WIRINGS.into_iter();
            all.find(|(name, _)| *name == word)
                .map(|(_, wiring)| wiring)
        };
        if what == "race" {
            let (lane, which) = rest.split_once('_').unwrap_or((rest, "mean"));
            let (rules, wiring) = (knobs.rules(), wiring(lane)?);
            return race::Lane { rules, wiring }.finish().get(which);
        }
        let (word, place) = rest.split_once('_')?;
        if what == "off" {
            let what = match word {
                "sublayer" => drops::What::Sublayer,
                "stack" => drops::What::Stack,
                _ => return None,
            };
            return drops::distance(what, dropout, seed, place.parse().ok()?);
        }
        let wiring = wiring(word)?;
        let at = |list: &[f64]| match place {
            "top" => list.last().copied(),
            n => list.get(n.parse::<usize>().ok()?).copied(),
        };
        match what {
            "stream" => at(&measured(wiring, depth, seed).stream),
            "gradient" => at(&measured(wiring, depth, seed).gradient),
            "weight" => at(&measured(wiring, depth, seed).weight_gradient),
            "probe" => at(&probe::read(wiring, seed)),
            "rank" => {
                let ranks = rank::ranks(wiring, seed);
                let n = place.parse::<usize>().ok()?.checked_sub(1)?;
                ranks.get(n).map(|&r| r as f64)
            }
            _ => None,
        }
    }
}

/// Facts that can be read off the recorded connection.
fn of_trace(name: &str, trace: &Trace) -> Option<f64> {
    let steps = trace.steps();
    let x = trace.find("x")?;
    let adds = |reads: &dyn Fn(&Step) -> bool| {
        let mut sums = steps
            .iter()
            .filter(|s| s.op() == "add" && s.name == "residual");
        sums.any(|s| s.inputs().iter().any(|&i| reads(&steps[i])))
    };
    let place = |name: &str| trace.find(name).unwrap_or(usize::MAX);
    Some(match name {
        "parameters" => parameters(trace),
        "x_is_added" => flag(adds(&|s| s.name == steps[x].name)),
        "norm_is_added" => flag(adds(&|s| s.name == "norm")),
        "norms" => count(trace, |s| s.op() == "normalize"),
        "norm_is_last" => flag(steps.last()?.name == "norm"),
        "result_is_normed" => {
            flag(place("norm") > place("ffn") && place("norm") < place("residual"))
        }
        "drops" => count(trace, |s| s.op() == "dropout"),
        "sum_is_dropped" => flag(steps.last()?.op() == "dropout"),
        "norm_is_dropped" => flag(place("dropout") < place("ffn")),
        "fallen" => zeros(trace.tensor("dropout")?),
        _ => return None,
    })
}
