//! Lesson 21: how a trained model writes a sentence, and what it caches meanwhile.

use crate::autograd::{Tape, Trace};
use crate::decode::beam::Fate;
use crate::lesson;
use crate::lesson::models;
use crate::lesson::spelled;
use crate::lesson::{Facts, Lesson, Run, Settings, Stage, reads_and_writes};
use crate::text::vocabulary::{BOS, EOS};
use crate::transformer::pass;
use std::sync::LazyLock;

use board::Setup;
use watched::Fault;

#[path = "more/attend_next/check.rs"]
pub mod attend_next;
pub mod board;
pub mod check;
mod curse;
#[path = "more/greedy_decode/check.rs"]
pub mod greedy_decode;
mod knobs;
pub mod pictures;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
mod watched;

pub static LESSON: LazyLock<Lesson> = lesson!("21-decoding", DecodingStage, check::TASK; "greedy_decode" => greedy_decode::TASK, "attend_next" => attend_next::TASK);

/// A sentence on which greedy decoding does not end; it is still running at the knob's maximum.
const RUNAWAY: &str = "Jeder Ingenieur, der keinen Hut weggeworfen hat, hat eingekauft, aber ich habe meinen süßen Tee getrunken.";

struct DecodingStage;

/// The real forward pass over the source and the winning translation.
fn record(setup: &Setup<'_>) -> Trace {
    let t = &setup.model;
    let (src, translation) = (setup.source(), board::best(setup));
    let prefix = [&[BOS as u32], &translation.ids[..]].concat();
    let tape = Tape::eval(&t.params);
    let (src_ids, tgt_ids) = (
        models::sentence(&tape, "src", &src, "s"),
        models::sentence(&tape, "tgt", &prefix, "t"),
    );
    pass(&t.model, &src_ids, &tgt_ids);
    let source = src.iter();
    let source = source.map(|&id| spelled(&t.pipeline.source, id));
    let words = 0..t.pipeline.target.vocabulary.len() as u32;
    let reads: Vec<String> = prefix.iter().map(|&id| setup.word(id)).collect();
    let writes = [&reads[1..], &[setup.word(EOS as u32)]].concat();
    tape.trace()
        .label("s", vec![source.collect()])
        .label_rows("t", vec![reads_and_writes(&reads, &writes)])
        .label("t", vec![reads])
        .label("v", vec![words.map(|id| setup.word(id)).collect()])
}

impl Stage for DecodingStage {
    fn exclude(&self, one: &str, other: &str) -> bool {
        let fault = |name| Fault::ALL.iter().any(|(of, _)| *of == name);
        fault(one) && fault(other)
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let setup = Setup::of(settings)?;
        let pictures = [pictures::all(&setup), vec![curse::picture()]].concat();
        let run = Run::new(record(&setup), pictures);
        let mut run = run.telling(pictures::facts(&setup, Facts::default()));
        run.note = setup.remarks();
        Ok(run)
    }

    fn fact(&self, name: &str, _: &Run, settings: &Settings) -> Option<f64> {
        let setup = &Setup::of(settings).ok()?;
        loop_fact(name, setup, settings)
            .or_else(|| search_fact(name, setup))
            .or_else(|| cost_fact(name, setup))
            .or_else(|| sampling_fact(name, setup))
            .or_else(|| curse_fact(name))
    }
}

/// Facts about the greedy loop.
fn loop_fact(name: &str, setup: &Setup<'_>, settings: &Settings) -> Option<f64> {
    match name {
        "runaway" => {
            let mut other = settings.sound();
            let knobs = LESSON.knobs;
            other.set(knobs, "model", "phrasebook").ok()?;
            other.set(knobs, "sentence", RUNAWAY).ok()?;
            other.set(knobs, "limit", "60").ok()?;
            let turns = board::turns(&Setup::of(&other).ok()?);
            (turns.last()?.word != EOS as u32).then_some(turns.len() as f64)
        }
        "same_words" => {
            // Compare the loop's sentence without EOS with the best one.
            let turns = board::turns(setup);
            let ids: Vec<u32> = turns.iter().map(|turn| turn.word).collect();
            Some(f64::from(
                ids.strip_suffix(&[EOS as u32])? == board::best(setup).ids,
            ))
        }
        _ => None,
    }
}

/// Facts about the beam search: its best hypothesis and its tree.
fn search_fact(name: &str, setup: &Setup<'_>) -> Option<f64> {
    let t = &setup.model;
    let tree = &board::grown(setup).tree;
    let best = || board::best(setup);
    match name {
        "words" => Some(best().ids.len() as f64),
        "log_prob" => Some(best().log_prob),
        "score" => Some(best().score),
        "score_factor" => Some(best().score / best().log_prob),
        "penalty" => {
            let length = best().ids.len() + 1;
            Some(board::penalty(length, board::exponent(setup)))
        }
        "sum_apart" => {
            let best = best();
            let all = crate::decode::score(&t.model, &t.params, &setup.source(), &best.ids);
            let taken = all.len() - usize::from(!best.finished);
            Some((all[..taken].iter().sum::<f64>() - best.log_prob).abs())
        }
        "steps" => Some(tree.steps.len() as f64),
        "offered" => Some(tree.steps.get(1)?.branches.len() as f64),
        "competing" => {
            let alive = tree.alive.get(1)?.len() * t.pipeline.target.vocabulary.len();
            Some(alive as f64)
        }
        "ended" => Some(tree.ended(0.0).len() as f64),
        "alive_least" => {
            let alive = tree.alive[1..].iter().map(Vec::len).min();
            alive.map(|n| n as f64)
        }
        "lived_on" => {
            let over = |ids: &&Vec<u32>| ids.contains(&(EOS as u32));
            Some(tree.alive.iter().flatten().filter(over).count() as f64)
        }
        "crowd" => {
            let most = tree.steps.iter().skip(1).map(|step| {
                let of = |p| step.branches.iter().filter(|b| b.parent == p).count();
                (0..setup.knobs.beam).map(of).max().unwrap_or(0)
            });
            most.max().map(|n| n as f64)
        }
        "pruned" => {
            let all = tree.steps.iter().flat_map(|step| &step.branches);
            Some(all.filter(|b| b.fate == Fate::Pruned).count() as f64)
        }
        _ => None,
    }
}

/// Facts about the cache: what it computes, what it reuses, and how it differs from computing anew.
fn cost_fact(name: &str, setup: &Setup<'_>) -> Option<f64> {
    let grown = board::grown(setup);
    let last_cost = || board::cost(setup).cached.last().copied();
    let anew = |of: fn(&(u64, u64)) -> u64| {
        let all = &board::cost(setup).anew;
        Some(all.iter().map(of).sum::<u64>() as f64)
    };
    match name {
        "lamp" => {
            let all = grown.lamps.iter().map(|lamp| f64::from(lamp.apart));
            Some(all.fold(0.0, f64::max))
        }
        "first_lamp" => grown.lamps.first().map(|lamp| f64::from(lamp.apart)),
        "discarded" => grown.lamps.last().map(|l| l.stats.discarded as f64),
        "rows_cached" => last_cost().map(|books| books.projected as f64),
        "rows_reused" => last_cost().map(|books| books.reused as f64),
        "rows_source" => last_cost().map(|books| books.source as f64),
        "bytes" => last_cost().map(|books| books.bytes as f64),
        "flops_cached" => last_cost().map(|books| books.flops as f64),
        "rows_anew" => anew(|(rows, _)| *rows),
        "flops_anew" => anew(|(_, flops)| *flops),
        "earlier_rows" => Some(board::earlier_rows(setup)),
        _ => None,
    }
}

/// Facts about sampling.
fn sampling_fact(name: &str, setup: &Setup<'_>) -> Option<f64> {
    let choices = || setup.knobs.sampling().choices(&pictures::row_of(setup));
    match name {
        "may_be_drawn" => Some(choices().len() as f64),
        "first_share" => choices().first().map(|(_, share)| *share),
        "different_samples" => {
            let all: std::collections::BTreeSet<Vec<u32>> =
                pictures::drawn(setup).into_iter().map(|h| h.ids).collect();
            Some(all.len() as f64)
        }
        _ => None,
    }
}

/// Facts about beams of different sizes on hard sentences, which were measured once: `hard_length_4`.
fn curse_fact(name: &str) -> Option<f64> {
    match name {
        "hard_cut" => return Some(curse::SMALL[0].cut),
        "sentences" => return Some(curse::SENTENCES as f64),
        _ => {}
    }
    let (what, beam) = name.strip_prefix("hard_")?.rsplit_once('_')?;
    let beam: usize = beam.parse().ok()?;
    let measured = curse::SMALL.iter().find(|m| m.beam == beam)?;
    match what {
        "length" => Some(measured.ratio),
        "log" => Some(measured.log_prob),
        "bleu" => Some(measured.bleu),
        _ => None,
    }
}
