//! Lesson 01: from words to ids to vectors, at the standard sizes.

use std::sync::Arc;
use std::sync::LazyLock;

use crate::autograd::{Tape, Var};
use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::nn::embeddings::{scale_embeddings, zero_padding};
use crate::ops::Layout;
use crate::params::{Init, xavier_bound};
use crate::text::vocabulary::tokenize;

pub mod check;
pub mod mistakes;
mod pictures;
mod race;
mod sentences;
#[path = "exercise.rs"]
mod starter;
mod tables;
#[cfg(test)]
mod tests;

use pictures::Loudness;
use tables::Tables;

pub static LESSON: LazyLock<Lesson> =
    lesson!("01-embeddings", EmbeddingStage::default(), check::TASK);

pub const VOCABULARY: usize = 30_000;
pub const D_MODEL: usize = 512;

struct EmbeddingStage {
    tables: Arc<Tables>,
}

impl Default for EmbeddingStage {
    fn default() -> Self {
        Self {
            tables: Tables::shared(),
        }
    }
}

fn embed(settings: &Settings, table: &Var, ids: &Var) -> Var {
    if let Some((_, mistake)) = mistakes::ALL.iter().find(|(name, _)| settings.broken(name)) {
        return mistake(table, ids);
    }
    if settings.broken("scaled-position") {
        // The sum is scaled instead of the word.
        return mistakes::no_scale(table, ids);
    }
    match settings.text("scale") {
        "none" => mistakes::no_scale(table, ids),
        "full" => mistakes::times_width(table, ids),
        _ => scale_embeddings(table, ids),
    }
}

fn rules(settings: &Settings) -> race::Rules {
    // The race's table is small. By Xavier's rule it would begin louder than that of 30,000 words, so it
    // takes over the loudness of the large one; what depends on the width alone follows its own.
    let loudness = match settings.text("init") {
        "xavier" => xavier_bound(&[VOCABULARY, D_MODEL]) / 3_f32.sqrt(),
        "tf" => (race::WIDTH as f32).powf(-0.5),
        _ => 1.0,
    };
    race::Rules {
        init: Init::Normal(loudness),
        tied: settings.text("tied") == "yes",
        seed: settings.whole("seed") as u64,
    }
}

impl Stage for EmbeddingStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let length = settings.whole("length");
        let drawn = self.tables.get(&tables::key(settings));
        let tape = Tape::eval(&drawn.params);
        let all = sentences::all();
        let batch = sentences::VOCABULARY.batch(all.iter().map(String::as_str), length);
        let ids = tape.ids("ids", batch.clone(), &["b", "s"]);
        let table = tape.param(drawn.table);
        let embedded = embed(settings, &table, &ids);
        let entering = match settings.text("padding") {
            "zero" => zero_padding(&embedded, &ids),
            _ => embedded,
        };
        let pe = tape
            .sinusoid(length, D_MODEL, Layout::Interleaved)
            .named("pe");
        if settings.broken("scaled-position") {
            let sum = entering.add(&pe).named("sum");
            let _ = sum.scale((D_MODEL as f32).sqrt()).named("with_position");
        } else {
            let _ = entering.add(&pe).named("with_position");
        }
        let words = all.iter().map(|s| {
            let padding = std::iter::repeat_with(|| "<pad>".to_owned());
            tokenize(s)
                .into_iter()
                .chain(padding)
                .take(length)
                .collect()
        });
        let trace = tape.trace().label("s", words.collect());
        let pictures = vec![
            pictures::loudness(&Loudness::of(&trace, drawn.logits)),
            pictures::one_hot_picture(drawn.params.get(drawn.table).clone(), batch),
            race::picture(rules(settings)),
        ];
        Ok(Run {
            trace,
            pictures,
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let table = run.trace.tensor("table")?;
        let loudness = Loudness::of(&run.trace, 0.0);
        Some(match name {
            "d_model" => D_MODEL as f64,
            "vocabulary" => VOCABULARY as f64,
            "known_words" => sentences::VOCABULARY.len() as f64,
            "parameters" => table.len() as f64,
            "bound" => f64::from(xavier_bound(table.shape())),
            "std_table" => table.rms(),
            "rms_token" => loudness.token,
            "rms_position" => loudness.position,
            "quieter" => loudness.position / loudness.token,
            "louder" => loudness.token / loudness.position,
            "logits" => self.tables.get(&tables::key(settings)).logits,
            "one_hot_difference" => pictures::one_hot_difference(table, run.trace.tensor("ids")?),
            "one_hot_bytes" => pictures::bytes(run.trace.tensor("ids")?.len() * VOCABULARY) as f64,
            "id_bytes" => pictures::bytes(run.trace.tensor("ids")?.len()) as f64,
            "race_none" => race::finish(rules(settings), race::lanes()[0].1),
            "race_sqrt" => race::finish(rules(settings), race::lanes()[1].1),
            "race_width" => race::WIDTH as f64,
            "race_start_none" => race::start(rules(settings), race::lanes()[0].1),
            "race_start_sqrt" => race::start(rules(settings), race::lanes()[1].1),
            "race_full" => race::finish(rules(settings), race::lanes()[2].1),
            _ => return None,
        })
    }
}
