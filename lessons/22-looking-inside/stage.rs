//! Lesson 22: what attention shows about a trained model, and what it does not.

use std::sync::{Arc, LazyLock};

use crate::autograd::Trace;
use crate::lesson;
use crate::lesson::models::{self, Model};
use crate::lesson::{Facts, Lesson, Run, Settings, Stage, largest, reads_and_writes};
use crate::tensor::Tensor;
use crate::transformer::heads::{self, AttentionKind};

pub mod check;
mod corpus;
pub mod knobs;
pub mod pictures;
pub mod seen;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use knobs::Knobs;
use seen::Analysis;

pub static LESSON: LazyLock<Lesson> = lesson!("22-looking-inside", LookingStage, check::TASK);

struct LookingStage;

/// The real forward pass over the sentence, with the heads that are switched on.
fn record(knobs: &Knobs, seen: &Analysis) -> Result<Trace, String> {
    let t = &seen.model;
    let off = heads::parse(&knobs.off, &t.model)?;
    let params = heads::without(&t.params, &t.model, &off);
    let prefix = [vec!["<s>".to_owned()], seen.words(&seen.tgt, false)].concat();
    let writes = [&prefix[1..], &["</s>".to_owned()]].concat();
    let all: Vec<u32> = (0..t.pipeline.target.vocabulary.len() as u32).collect();
    Ok(seen::record(t, &params, &seen.src, &seen.tgt, false)
        .label("s", vec![seen.words(&seen.src, true)])
        .label_rows("t", vec![reads_and_writes(&prefix, &writes)])
        .label("t", vec![prefix])
        .label("v", vec![seen.words(&all, false)]))
}

/// The measurements of the sentence, and the pass over it. The error says which knob selects something that the model
/// lacks.
pub fn looked(model: Arc<Model>, knobs: &Knobs) -> Result<(Arc<Analysis>, Trace), String> {
    let seen = Analysis::of(model, knobs)?;
    let config = &seen.model.model.config;
    let layers = knobs.kind.layers(&seen.model.model);
    for (knob, at, count) in [
        ("layer", knobs.layer, layers),
        ("head", knobs.head, config.heads),
    ] {
        if at.is_some_and(|at| at >= count) {
            let last = count - 1;
            return Err(format!(
                "{knob} goes from 0 to {last} in {}",
                seen.model.about
            ));
        }
    }
    let trace = record(knobs, &seen)?;
    Ok((seen, trace))
}

impl Stage for LookingStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (knobs, align) = (settings.knobs(), check::TASK.chosen(settings));
        let (seen, trace) = looked(models::chosen(settings)?, &knobs)?;
        let pictures = pictures::all(&knobs, &seen, &trace);
        let facts = pictures::facts(&knobs, align, &seen, Facts::default());
        let mut run = Run::new(trace, pictures).telling(facts);
        run.note = seen.remarks(&knobs.sentence);
        let is_shipped = settings.text("model") == "everyday" && knobs.off == "none";
        run.sentence = is_shipped.then(|| knobs.sentence.clone());
        Ok(run)
    }

    fn fact(&self, name: &str, _: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let seen = Analysis::of(models::chosen(settings).ok()?, &knobs).ok()?;
        let t = &seen.model;
        let (ours, sound) = (check::TASK.chosen(settings), check::TASK.reference);
        let graded = || pictures::Graded::of(&knobs, &seen);
        let links = |align| graded()?.links(&knobs, align);
        let layer = seen.layer(&knobs);
        let row = |rows: &Tensor, at| Some(largest(seen::row(rows, at)) as f64);
        let at = pictures::asked(&knobs, &seen);
        match name {
            "words" => Some(seen.tgt.len() as f64),
            "source_words" => Some(seen.src.len() as f64),
            "links" => Some(links(ours)?.0.len() as f64),
            "graded_words" => Some(graded()?.seen.tgt.len() as f64),
            "true_links" => Some(graded()?.seen.truth.as_ref()?.len() as f64),
            "right" => {
                let graded = graded()?;
                let (truth, (predicted, _)) =
                    (graded.seen.truth.as_ref()?, graded.links(&knobs, ours)?);
                Some(predicted.iter().filter(|link| truth.contains(link)).count() as f64)
            }
            "error" => Some(links(ours)?.1),
            "sound_error" => Some(links(sound)?.1),
            "links_apart" => {
                let (ours, sound) = (links(ours)?.0, links(sound)?.0);
                Some(ours.iter().filter(|link| !sound.contains(link)).count() as f64)
            }
            "log_prob" => Some(seen.log_probs.all_heads.iter().sum()),
            "log_prob_off" => Some(seen.log_probs.without.iter().sum()),
            "same_translation" => Some(f64::from(
                seen.translation == seen::write(t, &t.params, &seen.src),
            )),
            "blind" => {
                // Without cross-attention every source gives the same output.
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
                Some(f64::from(all.first()?.0.kind == AttentionKind::Cross))
            }
            "attended_most" => row(&seen.attention[layer], at),
            "next_row_most" => row(&seen.attention[layer], at + 1),
            "missed_most" => row(&seen.left_out, at),
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
