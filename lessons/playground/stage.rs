//! The playground: the learner's own sentence, any checkpoint of any model, and everything that lessons 21 and 22 show
//! of them. It reuses their stages, so it is the only place that refers to other lessons.

use std::sync::LazyLock;

use crate::curriculum::decoding::{self, board, board::Setup};
use crate::curriculum::looking_inside::{self, knobs::Knobs, seen, seen::Analysis};
use crate::lesson::{Facts, Knob, Lesson, Parts, Picture, Run, Settings, Stage, models};

#[cfg(test)]
mod tests;

pub static LESSON: LazyLock<Lesson> = LazyLock::new(|| {
    let own = Lesson::read(&Parts {
        folder: "playground",
        text: include_str!("lesson.md"),
        words: include_str!("lesson.toml"),
        stage: || Box::new(PlayStage),
        function: None,
        more: Vec::new(),
    });
    let borrowed = BORROWED.iter().map(|(from, name, default)| {
        let knob = from.knob(name);
        let knob = *knob.unwrap_or_else(|wrong| panic!("{}: {wrong}", from.name));
        Knob {
            default: default.unwrap_or(knob.default),
            ..knob
        }
    });
    let knobs: Vec<Knob> = own.knobs.iter().copied().chain(borrowed).collect();
    let (search, inside) = (decoding::LESSON.pictures, looking_inside::LESSON.pictures);
    Lesson {
        knobs: knobs.leak(),
        pictures: [own.pictures, search, inside].concat().leak(),
        mistakes: decoding::LESSON.mistakes,
        ..own
    }
});

/// The knobs of the two lessons, with different defaults where a short sentence needs them. The knobs turned most often
/// come first.
static BORROWED: [(&LazyLock<Lesson>, &str, Option<&str>); 16] = {
    let (search, inside) = (&decoding::LESSON, &looking_inside::LESSON);
    [
        (search, "model", None),
        (search, "back", None),
        (search, "beam", None),
        (search, "alpha", None),
        (search, "step", Some("2")),
        (inside, "off", None),
        (inside, "kind", None),
        (inside, "layer", None),
        (inside, "head", None),
        (inside, "word", Some("1")),
        (search, "temperature", None),
        (search, "top_k", None),
        (search, "top_p", None),
        (search, "seed", None),
        (search, "limit", None),
        (search, "length", None),
    ]
};

struct PlayStage;

/// The sentence, the model's reading of it, and its output.
fn translation(setup: &Setup<'_>, seen: &Analysis, off: &str) -> Picture {
    let (pipeline, line) = (&setup.model.pipeline, &setup.knobs.sentence);
    let best = board::best(setup);
    let greedy: Vec<u32> = board::turns(setup).iter().map(|turn| turn.word).collect();
    let row = |what: &str, words: String| vec![what.to_owned(), words];
    let mut rows = vec![row("yours", line.clone())];
    let source = seen.words(&setup.source(), true).join(" ");
    if source != format!("{line} </s>") {
        rows.push(row("it reads", source));
    }
    let beam = format!("beam of {}", setup.knobs.beam);
    rows.push(row(&beam, setup.written(&best.ids)));
    rows.push(row("greedy", setup.written(&greedy)));
    if off != "none" {
        let whole = seen::write(&seen.model, &seen.model.params, &seen.src);
        rows.push(row("greedy, all heads", setup.written(&whole)));
    }
    if seen.truth.is_some() {
        rows.push(row("reference", pipeline.target.text(&seen.tgt)));
    }
    let words = best.ids.len() + usize::from(best.finished);
    let mut says = format!(
        "{}: log-probability {:.2}, {:.2} per token.",
        capital(&setup.model.about),
        best.log_prob,
        best.log_prob / words.max(1) as f64
    );
    if let Some(remarks) = setup.remarks() {
        says += &format!(" {remarks}");
    }
    Picture::table("translation", "Your sentence", says, &["", "text"], rows)
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

impl Stage for PlayStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let whole = models::chosen(settings)?;
        let inside: Knobs = settings.knobs();
        let setup = Setup::with(settings, whole.without(&inside.off)?);
        let (seen, trace) = looking_inside::looked(whole, &inside)?;
        let align = looking_inside::check::TASK.chosen(settings);
        let mut pictures = vec![translation(&setup, &seen, &inside.off)];
        pictures.extend(decoding::pictures::all(&setup));
        pictures.extend(looking_inside::pictures::all(&inside, &seen, &trace));
        let facts = decoding::pictures::facts(&setup, Facts::default());
        let facts = looking_inside::pictures::facts(&inside, align, &seen, facts);
        Ok(Run::new(trace, pictures).telling(facts))
    }

    fn fact(&self, name: &str, _: &Run, settings: &Settings) -> Option<f64> {
        let setup = &Setup::of(settings).ok()?;
        match name {
            "words" => Some(board::best(setup).ids.len() as f64),
            "log_prob" => Some(board::best(setup).log_prob),
            "parameters" => Some(setup.model.params.count() as f64),
            _ => None,
        }
    }
}
