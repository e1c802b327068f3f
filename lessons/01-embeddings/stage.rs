//! Lesson 01: from words to ids to vectors, at the standard sizes.

use std::iter::repeat_with;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use crate::autograd::Tape;
use crate::lesson;
use crate::lesson::race::lane::Lane as _;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::nn::embeddings::zero_padding;
use crate::ops::Layout;
use crate::params::{Init, xavier_bound};
use crate::text::vocabulary::tokenize;

pub mod check;
mod pictures;
mod race;
mod sentences;
#[path = "exercise.rs"]
mod starter;
mod tables;
#[cfg(test)]
mod tests;

use tables::{Begin, D_MODEL, Tables, VOCABULARY};

pub static LESSON: LazyLock<Lesson> =
    lesson!("01-embeddings", EmbeddingStage::default(), check::TASK);

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

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    scale: Scale,
    init: Begin,
    tied: bool,
    padding: Padding,
    length: usize,
    seed: u64,
}

/// Factor applied to the rows: none, √d_model or d_model.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Scale {
    None,
    Sqrt,
    Full,
}

/// Vector of the padding: a row of the table like any other, or zeros.
#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Padding {
    Row,
    Zero,
}

/// The function selected by the switches and the knob.
fn embed(knobs: &Knobs, settings: &Settings) -> check::Embed {
    check::TASK.with(check::TASK.on(settings).or(match knobs.scale {
        // With this switch the sum is scaled instead of the token.
        _ if settings.broken("scaled-position") => Some("no-scale"),
        Scale::None => Some("no-scale"),
        Scale::Sqrt => None,
        Scale::Full => Some("times-width"),
    }))
}

fn rules(knobs: &Knobs) -> race::Rules {
    // The race's table is small, so Xavier's rule would initialise it with larger numbers than a table of 30,000 rows.
    // It therefore takes the standard deviation of the large table; initialisations that depend only on the width use
    // the race's own.
    let deviation = match knobs.init {
        Begin::Xavier => xavier_bound(&[VOCABULARY, D_MODEL]) / 3_f32.sqrt(),
        Begin::Normal => 1.0,
        Begin::Tf => (race::WIDTH as f32).powf(-0.5),
    };
    race::Rules {
        init: Init::Normal(deviation),
        tied: knobs.tied,
        seed: knobs.seed,
    }
}

impl Stage for EmbeddingStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let drawn = self.tables.get((knobs.init, knobs.seed));
        let tape = Tape::eval(&drawn.params);
        let all = sentences::all();
        let batch = sentences::VOCABULARY.batch(all.iter().map(String::as_str), knobs.length);
        let ids = tape.ids("ids", batch.clone(), &["b", "s"]);
        let mut entering = embed(&knobs, settings)(&tape.param(drawn.table), &ids);
        if knobs.padding == Padding::Zero {
            entering = zero_padding(&entering, &ids);
        }
        let pe = tape.sinusoid(knobs.length, D_MODEL, Layout::Interleaved);
        let sum = entering.add(&pe.named("pe"));
        if settings.broken("scaled-position") {
            let scaled = sum.named("sum").scale((D_MODEL as f32).sqrt());
            let _ = scaled.named("with_position");
        } else {
            let _ = sum.named("with_position");
        }
        let words = all.iter().map(|sentence| {
            let padding = repeat_with(|| "<pad>".to_owned());
            let words = tokenize(sentence).into_iter().chain(padding);
            words.take(knobs.length).collect()
        });
        let trace = tape.trace().label("s", words.collect());
        let pictures = vec![
            pictures::one_hot_picture(drawn.params.get(drawn.table).clone(), batch),
            race::picture(rules(&knobs)),
        ];
        let facts = pictures::sizes(&trace, drawn.logits);
        Ok(Run::new(trace, pictures).telling(facts))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let (table, ids) = (run.trace.tensor("table")?, run.trace.tensor("ids")?);
        let lane = |n: usize| race::lanes(rules(&knobs))[n];
        Some(match name {
            "d_model" => D_MODEL as f64,
            "vocabulary" => VOCABULARY as f64,
            "known_words" => sentences::VOCABULARY.len() as f64,
            "parameters" => table.len() as f64,
            "bound" => f64::from(xavier_bound(table.shape())),
            "std_table" => table.rms(),
            "one_hot_difference" => pictures::one_hot_difference(table, ids),
            "one_hot_bytes" => pictures::bytes(ids.len() * VOCABULARY) as f64,
            "id_bytes" => pictures::bytes(ids.len()) as f64,
            "race_none" => lane(0).finish().mean,
            "race_none_least" => lane(0).finish().least,
            "race_none_most" => lane(0).finish().most,
            "race_sqrt" => lane(1).finish().mean,
            "race_sqrt_least" => lane(1).finish().least,
            "race_sqrt_most" => lane(1).finish().most,
            "race_width" => race::WIDTH as f64,
            "race_vocabulary" => race::VOCABULARY as f64,
            "race_start_none" => lane(0).start(),
            "race_start_sqrt" => lane(1).start(),
            "race_full" => lane(2).finish().mean,
            _ => return None,
        })
    }
}
