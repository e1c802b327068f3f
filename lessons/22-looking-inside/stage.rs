//! Lesson 22: what attention shows of a trained model, and what it does not.

use std::sync::Arc;
use std::sync::LazyLock;

use crate::autograd::Trace;
use crate::lesson;
use crate::lesson::models::{self, Model};
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::transformer::heads;

pub mod check;
mod corpus;
pub mod mistakes;
pub mod pictures;
pub mod seen;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use seen::Seen;

pub static LESSON: LazyLock<Lesson> = lesson!("22-looking-inside", LookingStage, check::TASK);

struct LookingStage;

/// The real pass over the sentence with the heads that are on.
fn record(settings: &Settings, seen: &Seen) -> Result<Trace, String> {
    let t = &seen.model;
    let off = heads::parse(settings.text("off"), &t.model)?;
    let params = heads::without(&t.params, &t.model, &off);
    let read = [vec!["<s>".to_owned()], seen.words(&seen.tgt, false)].concat();
    let all: Vec<u32> = (0..t.pipeline.target.vocabulary.len() as u32).collect();
    Ok(seen::record(t, &params, &seen.src, &seen.tgt, false)
        .label("s", vec![seen.words(&seen.src, true)])
        .label("t", vec![read])
        .label("v", vec![seen.words(&all, false)]))
}

/// The sentence under the lens, and the pass over it. `Err` says which knob asks for what the model has not.
pub fn looked(model: Arc<Model>, settings: &Settings) -> Result<(Arc<Seen>, Trace), String> {
    let seen = Seen::of(model, settings)?;
    let config = &seen.model.model.config;
    for (knob, most) in [("layer", config.layers), ("head", config.heads)] {
        if settings.whole(knob) > most {
            return Err(format!("{knob} goes up to {most} in {}", seen.model.about));
        }
    }
    let trace = record(settings, &seen)?;
    Ok((seen, trace))
}

impl Stage for LookingStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (seen, trace) = looked(models::chosen(settings)?, settings)?;
        let pictures = pictures::all(settings, &seen, &trace);
        Ok(Run::new(trace, pictures))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let yes = |yes| f64::from(yes);
        let seen = Seen::of(models::chosen(settings).ok()?, settings).ok()?;
        let t = &seen.model;
        let links = |sound| pictures::aligned(settings, &seen, &run.trace, sound);
        let layer = seen.layer(settings);
        let at = pictures::asked(settings, &seen);
        match name {
            "words" => Some(seen.tgt.len() as f64),
            "source_words" => Some(seen.src.len() as f64),
            "links" => Some(links(false)?.0.len() as f64),
            "true_links" => Some(seen.truth.as_ref()?.len() as f64),
            "right" => {
                let (truth, (found, _)) = (seen.truth.as_ref()?, links(false)?);
                Some(found.iter().filter(|link| truth.contains(link)).count() as f64)
            }
            "error" => Some(links(false)?.1),
            "sound_error" => Some(links(true)?.1),
            "links_apart" => {
                let (ours, sound) = (links(false)?.0, links(true)?.0);
                Some(ours.iter().filter(|link| !sound.contains(link)).count() as f64)
            }
            "log_prob" => Some(seen.log_probs.0.iter().sum()),
            "log_prob_off" => Some(seen.log_probs.1.iter().sum()),
            "same_translation" => {
                Some(yes(seen.translation == seen::write(t, &t.params, &seen.src)))
            }
            "blind" => {
                // Without cross attention every source gives the same words.
                let off = heads::parse("cross", &t.model).ok()?;
                let params = heads::without(&t.params, &t.model, &off);
                let write = |line: &str| seen::write(t, &params, &t.pipeline.source_ids(line));
                let first = write("Wer ist ins Büro gegangen ?");
                let all = seen::PAIRS.iter().take(10);
                let same = all.filter(|pair| {
                    let other = write(&pair.german.join(" "));
                    let short = first.len().min(other.len());
                    first[..short] == other[..short]
                });
                Some(same.count() as f64)
            }
            "heads" => Some(heads::every(&t.model).len() as f64),
            "harmless" => {
                let all = seen.without_each();
                Some(all.iter().filter(|(_, change)| *change > -0.1).count() as f64)
            }
            "worst_head" => {
                let all = seen.without_each();
                all.iter().map(|(_, change)| *change).reduce(f64::min)
            }
            "worst_is_cross" => {
                let mut all = seen.without_each().to_vec();
                all.sort_by(|a, b| a.1.total_cmp(&b.1));
                Some(yes(all.first()?.0.kind == 2))
            }
            "attended_most" => Some(seen::largest(seen::row(&seen.attention[layer], at)) as f64),
            "next_row_most" => {
                Some(seen::largest(seen::row(&seen.attention[layer], at + 1)) as f64)
            }
            "missed_most" => Some(seen::largest(seen::row(&seen.left_out, at)) as f64),
            "end_share" => {
                let end = seen.src.iter().position(|id| seen::is_end(*id))?;
                let rows = 0..seen.tgt.len();
                let sum: f32 = rows
                    .map(|t| seen::row(&seen.attention[layer], t)[end])
                    .sum();
                Some(f64::from(sum) / seen.tgt.len() as f64)
            }
            "diagonal_error" => Some(corpus::errors(t).diagonal),
            "error_1" => Some(corpus::errors(t).layers[0][0]),
            "error_2" => Some(corpus::errors(t).layers[1][0]),
            "late_error_1" => Some(corpus::errors(t).late[0]),
            "late_error_2" => Some(corpus::errors(t).late[1]),
            "best_layer" => Some(corpus::errors(t).best_layer() as f64 + 1.0),
            "head_errors" => {
                let errors = corpus::errors(t);
                let all = errors.layers.iter().flat_map(|layer| &layer[1..]);
                let (least, most) = all.fold((1.0_f64, 0.0_f64), |(least, most), x| {
                    (least.min(*x), most.max(*x))
                });
                Some(most - least)
            }
            "pairs" => Some(seen::PAIRS.len() as f64),
            "compared" => Some(corpus::agreement(t).words as f64),
            "agreement_attention" => Some(corpus::agreement(t).attention),
            "agreement_gradient" => Some(corpus::agreement(t).gradient),
            "attention_differs" => Some(corpus::agreement(t).attention_differs),
            "gradient_differs" => Some(corpus::agreement(t).gradient_differs),
            _ => None,
        }
    }
}
