//! The playground: the learner's own sentence, any checkpoint of any model, and everything that lessons 21 and 22
//! show of it. It is made of their stages, so it is the one place that names other lessons.

use crate::curriculum::decoding::{self, board, board::Desk};
use crate::curriculum::looking_inside;
use crate::lesson::{Body, Knob, Lesson, Picture, Range, Run, Settings, Stage, models};

#[cfg(test)]
mod tests;

pub static LESSON: Lesson = Lesson {
    number: 0,
    name: "playground",
    title: "Playground",
    minutes: 10,
    needs: &["training", "decoding", "looking-inside"],
    gains: "You can translate a sentence of your own with a model of your own, and look at every reason for every word.",
    text: include_str!("lesson.md"),
    quiz: "",
    stage: || Box::new(PlayStage),
    mistakes: &decoding::switches::MISTAKES,
    exercise: None,
};

struct PlayStage;

/// A knob of one of the two lessons.
const fn of<const N: usize>(knobs: &[Knob; N], at: usize) -> Knob {
    knobs[at]
}

/// What is turned most comes first.
static KNOBS: [Knob; 17] = {
    let (search, inside) = (&decoding::switches::KNOBS, &looking_inside::switches::KNOBS);
    [
        Knob {
            name: "sentence",
            about: "what is translated (:translate and the sentence, then Enter)",
            range: Range::Text {
                most: 200,
                stops: &[
                    "Der kleine Hund schläft im Garten .",
                    "Weil es geregnet hat , hast du zwei Bücher geschrieben .",
                    "Der Koch , der unseren Mantel verloren hat , trägt seine Jacke .",
                    "Vier Schüler treffen im Winter den Großvater nicht , aber sie finden das schwarze Messer .",
                    "Wer ist ins Büro gegangen ?",
                ],
            },
            default: "Der kleine Hund schläft im Garten .",
        },
        models::MODEL,
        models::BACK,
        of(search, 1),
        of(search, 2),
        // A short sentence has few steps and words.
        Knob {
            default: "2",
            ..of(search, 3)
        },
        of(inside, 4),
        of(inside, 1),
        of(inside, 2),
        of(inside, 3),
        Knob {
            default: "2",
            ..of(inside, 5)
        },
        of(search, 5),
        of(search, 6),
        of(search, 7),
        of(search, 9),
        of(search, 4),
        of(search, 8),
    ]
};

/// The sentence, what the model reads of it, and what it writes.
fn translation(desk: &Desk<'_>, seen: &looking_inside::seen::Seen) -> Picture {
    let (pipeline, settings) = (&desk.model.pipeline, desk.settings);
    let line = settings.text("sentence");
    let best = board::best(desk);
    let greedy: Vec<u32> = board::turns(desk).iter().map(|turn| turn.word).collect();
    let row = |what: &str, words: String| vec![what.to_owned(), words];
    let mut rows = vec![row("yours", line.to_owned())];
    let read = seen.words(&desk.source(), true).join(" ");
    if read != format!("{line} </s>") {
        rows.push(row("it reads", read));
    }
    let beam = settings.whole("beam");
    rows.push(row(
        &format!("beam of {beam}"),
        pipeline.target.text(&best.ids),
    ));
    rows.push(row("greedy", pipeline.target.text(&greedy)));
    if settings.text("off") != "none" {
        let whole = looking_inside::seen::write(&seen.model, &seen.model.params, &seen.src);
        rows.push(row("greedy, all heads", pipeline.target.text(&whole)));
    }
    if seen.truth.is_some() {
        rows.push(row("should be", pipeline.target.text(&seen.tgt)));
    }
    let words = best.ids.len() + usize::from(best.finished);
    let mut says = format!(
        "{}: log-probability {:.2}, {:.2} a word.",
        capital(&desk.model.about),
        best.log_prob,
        best.log_prob / words.max(1) as f64
    );
    let unknown = desk.model.unknown(line);
    if !unknown.is_empty() {
        says += &format!(
            " It has never seen {}, and reads <unk> there.",
            unknown.join(", ")
        );
    }
    if !best.finished {
        says += " The limit cut the translation off.";
    }
    Picture {
        name: "translation",
        title: "Your sentence".to_owned(),
        says,
        body: Body::Table {
            header: ["", "words"].map(String::from).to_vec(),
            rows,
        },
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

impl Stage for PlayStage {
    fn knobs(&self) -> &'static [Knob] {
        &KNOBS
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let whole = models::chosen(settings)?;
        let model = whole.without(settings.text("off"))?;
        let desk = Desk { settings, model };
        let (seen, trace) = looking_inside::looked(whole, settings)?;
        let mut pictures = vec![translation(&desk, &seen)];
        pictures.extend(decoding::pictures::all(&desk));
        pictures.extend(looking_inside::pictures::all(settings, &seen, &trace));
        Ok(Run {
            trace,
            pictures,
            leak: None,
        })
    }

    fn fact(&self, name: &str, _: &Run, settings: &Settings) -> Option<f64> {
        let desk = &Desk::of(settings).ok()?;
        match name {
            "words" => Some(board::best(desk).ids.len() as f64),
            "log_prob" => Some(board::best(desk).log_prob),
            "parameters" => Some(desk.model.params.count() as f64),
            _ => None,
        }
    }
}
