//! The scene of the reader's own translator, in the lessons whose last page is “So far”.

use super::built::Built;
use super::outcome::{apart, unknown};
use super::pictures;
use super::record::FIRST;
use super::rung::{Fault, Rung};
use crate::autograd::{Tape, Trace};
use crate::lesson::knob::{Knob, PARTS, Range};
use crate::lesson::short_run::ground::ground;
use crate::lesson::short_run::{Recipe, Seen, reached, seen};
use crate::lesson::{Run, Settings, models};
use crate::text::vocabulary::{BOS, EOS};

/// The knob [`PARTS`] of a lesson that has built `most` parts.
pub fn knob(most: Rung) -> Knob {
    Knob {
        name: PARTS,
        about: "the parts that your translator has, each with those before it (scene = so-far)",
        range: Range::Choice(&Rung::NAMES[..=most as usize]),
        default: most.name(),
        auto: None,
    }
}

/// The translator that `settings` choose. The error says which mistake cannot be made in it.
pub fn built(settings: &Settings) -> Result<Built, String> {
    let rung = Rung::named(settings.text(PARTS)).unwrap_or_default();
    let mut fault = None;
    for mistake in settings.mistakes() {
        let Some(found) = Fault::named(mistake) else {
            return Err("This switch breaks the lesson's own experiment, and not your translator. Set scene to experiment first.".to_owned());
        };
        if let Some(other) = fault.replace(found) {
            return Err(format!(
                "Your translator is trained with one mistake at a time. Switch {} or {mistake} off.",
                other.name()
            ));
        }
    }
    if fault == Some(Fault::NoMask) && rung < Rung::SelfAttention {
        return Err("Before self-attention there is no mask to leave out: no English row reads another. Set parts to self-attention first.".to_owned());
    }
    Ok(Built {
        rung,
        fault,
        seed: FIRST,
    })
}

/// The run of the scene: the model as far as it has been trained, with the sentence `text`.
pub fn run(settings: &Settings, text: &str) -> Result<Run, String> {
    Ok(of(built(settings)?, text))
}

/// The same for one translator.
pub(super) fn of(built: Built, text: &str) -> Run {
    let now = seen(built, reached(built));
    let mut run = Run::new(
        record(&now, text),
        vec![
            pictures::ladder(built.rung, built.fault).turned_by(PARTS),
            pictures::training(built, text, of),
        ],
    );
    let step = now.now().step;
    run.note = Some(if step == 0 {
        "Your own run has not begun, so the tensors are random.".to_owned()
    } else {
        format!("Tensors of your translator after {step} updates.")
    });
    if let words @ [_, ..] = &unknown(text)[..] {
        run.note = run.note.map(|note| {
            format!(
                "{note} Not among the words that it learns: {}.",
                words.join(", ")
            )
        });
    }
    run
}

/// The pass over `text` and what the model writes for it.
fn record(seen: &Seen<Built>, text: &str) -> Trace {
    let pipeline = &ground().pipeline;
    let source = pipeline.source_ids(&apart(text));
    let mut ids = seen.written(std::slice::from_ref(&source)).remove(0);
    ids.push(EOS as u32);
    let reads = [&[BOS as u32], &ids[..ids.len() - 1]].concat();
    let tape = Tape::eval(&seen.now().params);
    let src = models::sentence(&tape, "src", &source, "s");
    let tgt = models::sentence(&tape, "tgt", &reads, "t");
    let hidden = seen.recipe.hidden(&seen.model, &src, &tgt);
    seen.model.generator.forward(&hidden);
    let german = source
        .iter()
        .map(|&id| pipeline.source.vocabulary.word(id as usize));
    let english = |id: &u32| pipeline.target.vocabulary.word(*id as usize).to_owned();
    let rows = reads.iter().zip(&ids);
    let rows = rows.map(|(reads, writes)| format!("{} → {}", english(reads), english(writes)));
    let all = 0..pipeline.target.vocabulary.len();
    tape.trace()
        .label("s", vec![german.map(str::to_owned).collect()])
        .label("t", vec![rows.collect()])
        .label("v", vec![all.map(|id| english(&(id as u32))).collect()])
}
