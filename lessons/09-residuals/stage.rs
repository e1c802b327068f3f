//! Lesson 09: the residual connection, and where its norm stands.

use crate::autograd::{Step, Tape, Trace};
use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::nn::activation::Activation;
use crate::nn::feed_forward::FeedForward;
use crate::nn::layer_norm::LayerNorm;
use crate::nn::linear::Bias;
use crate::nn::residual::{post_norm, residual};
use crate::ops::Deviation;
use crate::params::Params;
use crate::tensor::random;
use crate::tensor::threads::Scope;
use crate::text::sample::{self, BATCH, Language};
use std::sync::LazyLock;

pub mod check;
mod drops;
pub mod mistakes;
mod pictures;
mod probe;
mod race;
mod rank;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
mod tower;

use mistakes::ResidualFn;
use tower::{Wiring, measured};

const D_MODEL: usize = 512;
const D_FF: usize = 2048;
const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("09-residuals", ResidualStage, check::TASK);

struct ResidualStage;

/// The sound function of the place that the knob asks for, or the first mistake that is on.
fn implementation(settings: &Settings) -> ResidualFn {
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    match on {
        Some((_, mistake)) => mistake,
        None if settings.text("place") == "post" => |x, n, p, f| post_norm(x, n, p, f),
        None => |x, n, p, f| residual(x, n, p, f),
    }
}

/// One feed-forward sublayer in its connection, at the standard sizes.
fn record(settings: &Settings) -> Trace {
    let seed = settings.whole("seed") as u64;
    let dropout = settings.real("dropout") as f32;
    let mut params = Params::new(seed);
    let norm = params.scoped("norm", |params| {
        LayerNorm::new(params, D_MODEL, Deviation::Unbiased, 1e-6)
    });
    // The dropout inside the sublayer is the sublayer's affair, and off here.
    let ffn = FeedForward::new(
        &mut params,
        D_MODEL,
        D_FF,
        Bias::Uniform,
        Activation::Relu,
        0.0,
    );
    let tape = if dropout > 0.0 {
        Tape::train(&params, seed)
    } else {
        Tape::eval(&params)
    };
    let x = random::normal(&[BATCH, TARGET, D_MODEL], 1.0, seed, "x");
    let x = tape.input("x", x, &["b", "t", "d"]);
    implementation(settings)(&x, &norm, dropout, &|x| ffn.forward(x));
    let words = sample::all_words(TARGET, Language::English);
    tape.trace().label("t", words)
}

/// The dropout of the experiments: the knob's, or where that is 0, the paper's.
fn dropout_or_tenth(settings: &Settings) -> f32 {
    match settings.real("dropout") as f32 {
        0.0 => 0.1,
        dropout => dropout,
    }
}

fn rules(settings: &Settings) -> race::Rules {
    race::Rules {
        depth: settings.whole("layers"),
        rate: settings.real("rate") as f32,
        seed: settings.whole("seed") as u64,
    }
}

fn wiring(word: &str) -> Option<Wiring> {
    Some(match word {
        "pre" => Wiring::Pre,
        "post" => Wiring::Post,
        "sum" => Wiring::Sum,
        "norm" => Wiring::Norm,
        "plain" => Wiring::Plain,
        _ => return None,
    })
}

impl Stage for ResidualStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (trace, pictures) = std::thread::scope(|scope| {
            let here = Scope::here();
            let pictures = scope.spawn(|| here.enter(|| pictures::all(settings)));
            (record(settings), pictures.join())
        });
        Ok(Run {
            trace,
            pictures: pictures.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let seed = settings.whole("seed") as u64;
        let depth = settings.whole("layers");
        let dropout = dropout_or_tenth(settings);
        if let Some(fact) = of_trace(name, &run.trace) {
            return Some(fact);
        }
        match name {
            "places" => return Some(drops::places(dropout, seed).len() as f64),
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
        if what == "race" {
            return Some(race::finish(rules(settings), wiring(rest)?));
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

/// What can be read off the recorded connection itself.
fn of_trace(name: &str, trace: &Trace) -> Option<f64> {
    let steps = trace.steps();
    let x = trace.find("x")?;
    let adds = |reads: &dyn Fn(&Step) -> bool| {
        steps.iter().any(|s| {
            s.op() == "add" && s.name == "residual" && s.inputs().iter().any(|&i| reads(&steps[i]))
        })
    };
    let flag = |is: bool| Some(f64::from(u8::from(is)));
    let place = |name: &str| trace.find(name).unwrap_or(usize::MAX);
    match name {
        "parameters" => {
            let leaves = steps.iter().filter(|s| s.op() == "parameter");
            Some(leaves.map(|s| s.value.len()).sum::<usize>() as f64)
        }
        "x_is_added" => flag(adds(&|s| s.name == steps[x].name)),
        "norm_is_added" => flag(adds(&|s| s.name == "norm")),
        "norms" => Some(steps.iter().filter(|s| s.op() == "normalize").count() as f64),
        "norm_is_last" => flag(steps.last()?.name == "norm"),
        "result_is_normed" => {
            flag(place("norm") > place("ffn") && place("norm") < place("residual"))
        }
        "drops" => Some(steps.iter().filter(|s| s.op() == "dropout").count() as f64),
        "sum_is_dropped" => flag(steps.last()?.op() == "dropout"),
        "norm_is_dropped" => flag(place("dropout") < place("ffn")),
        "fallen" => {
            let dropped = trace.tensor("dropout")?;
            let zeros = dropped.data().iter().filter(|x| **x == 0.0).count();
            Some(zeros as f64 / dropped.len() as f64)
        }
        _ => None,
    }
}
