//! The trained model as a scene of many lessons: the sentence that runs through the course, or the learner's own, in
//! the model that comes with the program. A lesson whose `lesson.toml` says `trained = true` has it beside its own stage.

mod pictures;
mod planes;
mod reading;

pub use pictures::all as drawings;
pub use reading::{Flaw, Reading};

use super::knob::{self, Knob, Range};
use super::{Lesson, Run, Settings, Stage};

/// The sentence that runs through the course.
pub const SENTENCE: &str = "Der kleine Hund schläft im Garten.";

/// Which scene is shown.
const SCENE: &str = knob::SCENE[0];

/// The scene of the lesson's own stage.
const EXPERIMENT: &str = "experiment";

/// What the model reads.
const TEXT: &str = knob::SCENE[1];

/// The most characters of a sentence.
pub const MOST: usize = 200;

/// The knobs that such a lesson has beside its own.
pub const KNOBS: [Knob; 2] = [
    Knob {
        name: SCENE,
        about: "experiment: this lesson's own tensors; sentence: a real sentence in the trained model",
        range: Range::Choice(&[EXPERIMENT, "sentence"]),
        default: EXPERIMENT,
    },
    Knob {
        name: TEXT,
        about: "the German sentence that the trained model reads (scene = sentence)",
        range: Range::Text {
            most: MOST,
            stops: &[
                SENTENCE,
                "Ich habe keine Zeit.",
                "Das Buch, das du mir gegeben hast, ist sehr interessant.",
            ],
        },
        default: SENTENCE,
    },
];

impl Lesson {
    /// Whether turning `knob` changes what is shown now: in the scene of the trained model the lesson's own knobs do
    /// not, and beside it the model's sentence does not.
    pub fn matters(&self, settings: &Settings, knob: &str) -> bool {
        match (self.trained, self.trained && reads(settings)) {
            (false, _) => true,
            (true, true) => knob == SCENE || knob == TEXT,
            (true, false) => knob != TEXT,
        }
    }

    /// Goes back to the lesson's own experiment, if `changed`, a knob or a mistake, is a part of it.
    pub fn leave_scene(&self, settings: &mut Settings, changed: &str) -> Result<(), String> {
        if !self.trained || changed == SCENE || changed == TEXT {
            return Ok(());
        }
        settings.set(self.knobs, SCENE, EXPERIMENT)
    }
}

/// A stage with the trained model as its second scene.
pub fn beside(own: Box<dyn Stage>) -> Box<dyn Stage> {
    Box::new(Scenes { own })
}

struct Scenes {
    own: Box<dyn Stage>,
}

/// The settings of the lesson's own stage.
fn own(settings: &Settings) -> Settings {
    settings.without(&knob::SCENE)
}

fn reads(settings: &Settings) -> bool {
    settings.text(SCENE) == "sentence"
}

impl Stage for Scenes {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        if !reads(settings) {
            return self.own.run(&own(settings));
        }
        if settings.mistakes().next().is_some() {
            return Err(
                "The switches break this lesson's own experiment, and here the trained model is shown whole. Set scene to experiment first, or open lesson 00 to break the trained model."
                    .to_owned(),
            );
        }
        let reading = Reading::of(settings.text(TEXT), None);
        Ok(Run::new(reading.trace.clone(), drawings(&reading, None)))
    }

    fn exclude(&self, one: &str, other: &str) -> bool {
        self.own.exclude(one, other)
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        match reads(settings) {
            true => {
                let reading = Reading::of(settings.text(TEXT), None);
                planes::fact(&reading, name).or_else(|| reading.fact(name))
            }
            false => self.own.fact(name, run, &own(settings)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::LESSONS;

    #[test]
    fn a_lesson_with_the_scene_shows_the_sentence_in_every_tensor_of_the_model() {
        let lessons = LESSONS.iter().filter(|lesson| lesson.trained);
        for lesson in lessons {
            let stage = lesson.stage();
            let settings = lesson.settings(&[(SCENE, "sentence")]).unwrap();
            let run = stage.run(&settings).unwrap();
            let weights = run.trace.tensor("decoder.layers.1.src_attn.weights");
            let shape = weights.expect("the decoder reads the source").shape();
            let tokens = stage.fact("source_tokens", &run, &settings).unwrap();
            assert_eq!(shape[3] as f64, tokens, "{}", lesson.name);
            let own = stage.run(&lesson.settings(&[]).unwrap()).unwrap();
            assert!(own.trace.tensor("generator.log_probs").is_none() || lesson.number > 11);
        }
    }

    #[test]
    fn a_switch_of_the_lesson_is_refused_in_the_scene_with_the_way_out() {
        let Some(lesson) = LESSONS.iter().find(|lesson| lesson.trained) else {
            panic!("no lesson has the scene");
        };
        let mistake = lesson.mistakes[0].name;
        let settings = lesson.settings(&[(SCENE, "sentence"), ("break", mistake)]);
        let refused = lesson.stage().run(&settings.unwrap()).err().unwrap();
        assert!(refused.contains("Set scene to experiment"), "{refused}");
    }
}
