//! Lesson 01: from words to ids to vectors, at the standard sizes.

use std::sync::Mutex;

use crate::autograd::{Tape, Var};
use crate::lesson::{Exercise, Knob, Lesson, Mistake, Range, Run, Settings, Stage};
use crate::nn::embeddings::{Embeddings, scale_embeddings};
use crate::ops::Layout;
use crate::params::{Init, Params, xavier_bound};
use crate::tensor::{matmul, random};
use crate::text::vocabulary::tokenize;

pub mod check;
pub mod mistakes;
mod pictures;
mod race;
mod sentences;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use pictures::Loudness;

pub static LESSON: Lesson = Lesson {
    number: 1,
    name: "embeddings",
    title: "From words to ids to vectors",
    minutes: 25,
    needs: &[],
    gains: "You can say what goes into a Transformer, what an embedding is, and when the factor √d_model matters.",
    text: include_str!("lesson.md"),
    quiz: include_str!("quiz.toml"),
    stage: || Box::new(EmbeddingStage::default()),
    mistakes: &MISTAKES,
    exercise: Exercise {
        name: "scale_embeddings",
        task: "Write the embedding: look up the row of each id, and multiply it by √d_model.",
        starter: include_str!("exercise.rs"),
        solution: "src/nn/embeddings.rs:forward",
        hints: [
            "What does an id choose in the table, and which size of the table is d_model?",
            "table.embedding(ids) copies a row for each id. The factor is the root of how wide a row is.",
            "The width is the last of table.shape(); scale takes an f32.",
            "let d_model = table.shape()[1]; table.embedding(ids).scale((d_model as f32).sqrt())",
        ],
        why: "A table begins with small numbers, so that as the matrix of the logits it keeps their spread near 1. The factor makes its rows as loud as the positions that are added to them: one matrix can then do both jobs.",
        reference: || check::check(scale_embeddings),
        unsolved: || check::check(starter::scale_embeddings),
    },
};

static MISTAKES: [Mistake; 6] = [
    Mistake {
        name: "no-scale",
        title: "forget the factor",
        watch: "The words nearly vanish beside their positions.",
        effect: "rms(embedded) < 0.05",
        settings: &[],
        hint: "Your rows are as the table holds them: multiply them by the square root of d_model.",
        check: Some(|| check::check(mistakes::no_scale)),
    },
    Mistake {
        name: "times-width",
        title: "multiply by d_model, without the root",
        watch: "The words shout: their positions can hardly be made out.",
        effect: "rms(embedded) > 2",
        settings: &[],
        hint: "Your rows are √d_model times too large: take the square root of the width.",
        check: Some(|| check::check(mistakes::times_width)),
    },
    Mistake {
        name: "divided",
        title: "divide by √d_model",
        watch: "The words vanish altogether: dividing belongs to the scores of attention.",
        effect: "rms(embedded) < 0.001",
        settings: &[],
        hint: "You divided by √d_model. Scores are divided, by √d_k; embeddings are multiplied.",
        check: Some(|| check::check(mistakes::divided)),
    },
    Mistake {
        name: "root-of-vocabulary",
        title: "take the root of the vocabulary",
        watch: "The factor is 173 instead of 22.6, and would change with every new word.",
        effect: "rms(embedded) > 1",
        settings: &[],
        hint: "You took the root of the number of words. It is the width of a row that counts: the last axis of the table.",
        check: Some(|| check::check(mistakes::root_of_vocabulary)),
    },
    Mistake {
        name: "next-row",
        title: "read the row behind",
        watch: "Every word gets its neighbour's vector; the loudness stays, the words are wrong.",
        effect: "abs(rows[0,0,0] - table[ids[0,0],0]) > 0",
        settings: &[],
        hint: "Your vectors are those of the ids one higher: an id is the number of its row, counted from 0.",
        check: Some(|| check::check(mistakes::next_row)),
    },
    Mistake {
        name: "scaled-position",
        title: "scale the position too",
        watch: "The factor comes after the sum: word and position grow alike, and nothing is gained.",
        effect: "rms(with_position) > 10",
        settings: &[],
        hint: "",
        check: None,
    },
];

static KNOBS: [Knob; 5] = [
    Knob {
        name: "scale",
        about: "the factor: none, the root of d_model, or d_model in full",
        range: Range::Choice(&["none", "sqrt", "full"]),
        default: "sqrt",
    },
    Knob {
        name: "init",
        about: "how the table begins: Xavier-uniform, normal N(0,1), or TensorFlow's N(0, 1/d_model)",
        range: Range::Choice(&["xavier", "normal", "tf"]),
        default: "xavier",
    },
    Knob {
        name: "tied",
        about: "whether the race uses the same table for the logits",
        range: Range::Choice(&["no", "yes"]),
        default: "no",
    },
    Knob {
        name: "length",
        about: "words that a sentence is cut or padded to",
        range: Range::Whole {
            least: 1,
            most: 40,
            stops: &[1, 5, 11, 20],
        },
        default: "11",
    },
    Knob {
        name: "seed",
        about: "which random table",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7],
        },
        default: "7",
    },
];

const VOCABULARY: usize = 30_000;
const D_MODEL: usize = 512;

/// A drawn table and its measures; drawing 15 million numbers takes longer than a key press may.
#[derive(Clone)]
struct Drawn {
    key: (String, u64),
    params: Params,
    rms: f64,
    logits: f64,
}

#[derive(Default)]
struct EmbeddingStage {
    drawn: Mutex<Vec<Drawn>>,
}

fn init(name: &str, d_model: usize) -> Init {
    match name {
        "normal" => Init::Normal(1.0),
        "tf" => Init::Normal((d_model as f32).powf(-0.5)),
        _ => Init::XavierUniform,
    }
}

impl EmbeddingStage {
    fn table(&self, settings: &Settings) -> (Params, Embeddings, f64, f64) {
        let key = (
            settings.text("init").to_owned(),
            settings.whole("seed") as u64,
        );
        let mut drawn = self.drawn.lock().unwrap_or_else(|e| e.into_inner());
        let found = drawn.iter().position(|d| d.key == key);
        let place = found.unwrap_or_else(|| {
            let mut params = Params::new(key.1);
            let embeddings =
                Embeddings::new(&mut params, VOCABULARY, D_MODEL, init(&key.0, D_MODEL));
            let table = params.get(embeddings.table);
            // A sample of the table is measured here; the facts measure all of it.
            let hidden = random::normal(&[30, D_MODEL], 1.0, key.1, "hidden");
            let some = crate::tensor::Tensor::new(
                &[1000, D_MODEL],
                table.data()[..1000 * D_MODEL].to_vec(),
            );
            let (rms, logits) = (some.rms(), matmul::matmul_t(&hidden, &some).rms());
            // Three tables are kept, one for each way to begin: 184 MB.
            if drawn.len() == 3 {
                drawn.remove(0);
            }
            drawn.push(Drawn {
                key,
                params,
                rms,
                logits,
            });
            drawn.len() - 1
        });
        let d = &drawn[place];
        let table = d
            .params
            .iter()
            .next()
            .expect("the table is the only parameter")
            .0;
        (d.params.clone(), Embeddings { table }, d.rms, d.logits)
    }
}

/// The factor that the settings ask for.
fn factor(settings: &Settings) -> f64 {
    let root = (D_MODEL as f64).sqrt();
    match settings.text("scale") {
        "none" => 1.0,
        "full" => root * root,
        _ => root,
    }
}

fn embed(settings: &Settings, table: &Var, ids: &Var) -> Var {
    type Embed = fn(&Var, &Var) -> Var;
    let broken: [(&str, Embed); 5] = [
        ("no-scale", mistakes::no_scale),
        ("times-width", mistakes::times_width),
        ("divided", mistakes::divided),
        ("root-of-vocabulary", mistakes::root_of_vocabulary),
        ("next-row", mistakes::next_row),
    ];
    if let Some((_, mistake)) = broken.into_iter().find(|(name, _)| settings.broken(name)) {
        return mistake(table, ids);
    }
    match settings.text("scale") {
        "none" => mistakes::no_scale(table, ids),
        "full" => mistakes::times_width(table, ids),
        _ => scale_embeddings(table, ids),
    }
}

fn rules(settings: &Settings) -> race::Rules {
    // The race's table is small, but begins as loud as the large one: that is what the factor is about.
    let loudness = match settings.text("init") {
        "xavier" => xavier_bound(&[VOCABULARY, D_MODEL]) / 3_f32.sqrt(),
        "tf" => (D_MODEL as f32).powf(-0.5),
        _ => 1.0,
    };
    race::Rules {
        init: Init::Normal(loudness),
        tied: settings.text("tied") == "yes",
        seed: settings.whole("seed") as u64,
    }
}

impl Stage for EmbeddingStage {
    fn knobs(&self) -> &'static [Knob] {
        &KNOBS
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let length = settings.whole("length");
        let (params, embeddings, rms, logits) = self.table(settings);
        let tape = Tape::eval(&params);
        let all = sentences::all();
        let batch = sentences::VOCABULARY.batch(all.iter().map(String::as_str), length);
        let ids = tape.ids("ids", batch.clone(), &["b", "s"]);
        let table = tape.param(embeddings.table);
        let embedded = embed(settings, &table, &ids);
        let pe = tape
            .sinusoid(length, D_MODEL, Layout::Interleaved)
            .named("pe");
        let sum = embedded.add(&pe).named("with_position");
        if settings.broken("scaled-position") {
            let _ = sum
                .named("sum")
                .scale((D_MODEL as f32).sqrt())
                .named("with_position");
        }
        let words = all.iter().map(|s| {
            let padding = std::iter::repeat_with(|| "<pad>".to_owned());
            tokenize(s)
                .into_iter()
                .chain(padding)
                .take(length)
                .collect()
        });
        let of = Loudness {
            token: rms * factor(settings),
            position: pe.value().rms(),
            logits,
        };
        let pictures = vec![
            pictures::loudness(&of),
            pictures::one_hot_picture(params.get(embeddings.table).clone(), batch),
            race::picture(rules(settings)),
        ];
        Ok(Run {
            trace: tape.trace().label("s", words.collect()),
            pictures,
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let table = run.trace.tensor("table")?;
        let token = || table.rms() * factor(settings);
        let position = || run.trace.tensor("pe").map(|pe| pe.rms());
        let hidden = || random::normal(&[30, D_MODEL], 1.0, 5, "hidden");
        Some(match name {
            "d_model" => D_MODEL as f64,
            "vocabulary" => VOCABULARY as f64,
            "known_words" => sentences::VOCABULARY.len() as f64,
            "parameters" => self.table(settings).0.count() as f64,
            "bound" => f64::from(xavier_bound(table.shape())),
            "std_table" => table.rms(),
            "rms_token" => token(),
            "rms_position" => position()?,
            "quieter" => position()? / token(),
            "louder" => token() / position()?,
            "logits" => matmul::matmul_t(&hidden(), table).rms(),
            "one_hot_difference" => pictures::one_hot_difference(table, run.trace.tensor("ids")?),
            "one_hot_bytes" => pictures::bytes(run.trace.tensor("ids")?.len() * VOCABULARY) as f64,
            "id_bytes" => pictures::bytes(run.trace.tensor("ids")?.len()) as f64,
            "race_none" => race::finish(rules(settings), race::lanes()[0].1),
            "race_sqrt" => race::finish(rules(settings), race::lanes()[1].1),
            "race_full" => race::finish(rules(settings), race::lanes()[2].1),
            _ => return None,
        })
    }
}
