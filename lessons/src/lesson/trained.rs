//! Scenes shared by many lessons: the trained model reading the course's running sentence, or one of the learner's; and
//! three tokens by hand.
//!
//! A lesson with `trained = true` in its `lesson.toml` has these scenes in addition to its own stage.

mod broken;
pub mod damage;
mod drawn;
mod near;
mod pictures;
mod planes;
#[cfg(test)]
mod quoted;
mod reading;
mod readout;
mod rewritten;
mod rungs;

use pictures::all as drawings;
pub use reading::{Reading, rows, spelled, translations};
pub use rewritten::{SetCell, rewritten};

use std::sync::Arc;

use super::knob::{self, Knob, PARTS, RUNNING, Range, SCENE, SO_FAR, TEXT};
use super::so_far::{self, Fault, Rung};
use super::{Flaw, Lesson, Mistake, Run, Settings, Stage, by_hand};

/// The running sentence of the course.
pub const SENTENCE: &str = "Der kleine Hund schläft im Garten.";

/// Value of [`SCENE`] for the lesson's own stage.
const EXPERIMENT: &str = "experiment";

/// Value of [`SCENE`] for the three tokens of [`by_hand`].
const BY_HAND: &str = "by-hand";

/// Maximum length of a sentence in characters.
pub const MOST: usize = 200;

/// Knobs that such a lesson has in addition to its own; `so_far` are the parts of the reader's own translator, if it has
/// that scene.
pub fn knobs(so_far: Option<Rung>) -> Vec<Knob> {
    let parts = so_far.map(so_far::knob);
    let scene = if parts.is_some() { WITH_SO_FAR } else { KNOB };
    [scene, READ].into_iter().chain(parts).collect()
}

/// The knob that selects the scene.
const KNOB: Knob = Knob {
    name: SCENE,
    about: "experiment: this lesson's own tensors; sentence: a real sentence in the trained model; by-hand: three tokens in a tiny layer, with numbers for a pocket calculator",
    range: Range::Choice(&[EXPERIMENT, RUNNING, BY_HAND]),
    default: EXPERIMENT,
    auto: None,
};

/// The same in a lesson with the reader's own translator.
const WITH_SO_FAR: Knob = Knob {
    about: "experiment: this lesson's own tensors; sentence: a real sentence in the trained model; by-hand: three tokens in a tiny layer, with numbers for a pocket calculator; so-far: your own small translator",
    range: Range::Choice(&[EXPERIMENT, RUNNING, BY_HAND, SO_FAR]),
    ..KNOB
};

/// The knob with the sentence.
const READ: Knob = Knob {
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
    auto: None,
};

impl Lesson {
    /// True if turning `knob` changes what is shown now. The lesson's own knobs have an effect only in its experiment,
    /// and the model's sentence only in the trained model.
    pub fn matters(&self, settings: &Settings, knob: &str) -> bool {
        if !self.trained || knob == SCENE {
            return true;
        }
        match settings.text(SCENE) {
            EXPERIMENT => !knob::OF_THE_TRAINED_MODEL.contains(&knob),
            RUNNING => knob == TEXT,
            SO_FAR => knob == TEXT || knob == PARTS,
            _ => false,
        }
    }

    /// What `settings` run, in a few words.
    pub fn runs(&self, settings: &Settings) -> &'static str {
        match self.trained.then(|| settings.text(SCENE)) {
            Some(RUNNING) => "trained translator",
            Some(BY_HAND) => "three tokens by hand",
            Some(SO_FAR) => "your small translator",
            _ => {
                let mut other = self.runs_with.iter();
                let other = other.find(|(set, _)| {
                    let knob = set.split_once('=');
                    knob.is_some_and(|(knob, value)| settings.text(knob) == value)
                });
                other.map_or(self.runs, |(_, runs)| runs)
            }
        }
    }

    /// True if `settings` show the running sentence in the trained model.
    pub fn shows_sentence(&self, settings: &Settings) -> bool {
        self.trained && settings.text(SCENE) == RUNNING
    }

    /// True if `settings` show the lesson's own experiment.
    pub fn shows_experiment(&self, settings: &Settings) -> bool {
        !self.trained || settings.text(SCENE) == EXPERIMENT
    }

    /// True if a mistake breaks what `settings` show. Some mistakes of a lesson break both its own experiment and a shared
    /// scene, others one of the two.
    pub fn breaks(&self, settings: &Settings, mistake: &str) -> bool {
        if self.shows_experiment(settings) {
            return self.only_in(mistake).is_none();
        }
        match settings.text(SCENE) {
            RUNNING => flaw(self.mistakes, mistake).is_some(),
            SO_FAR => Fault::named(mistake).is_some(),
            _ => false,
        }
    }

    /// The only scene that a mistake breaks, if it does not break the experiment.
    fn only_in(&self, mistake: &str) -> Option<&'static str> {
        let mut all = self.mistakes.iter();
        all.find(|m| m.name == mistake)?.only_in()
    }

    /// True if what to watch while a mistake is on applies to what `settings` show.
    pub fn advises(&self, settings: &Settings, mistake: &Mistake) -> bool {
        match mistake.only_in() {
            Some(scene) => settings.text(SCENE) == scene,
            None => self.shows_experiment(settings),
        }
    }

    /// Switches to the lesson's own experiment if `changed`, a knob or a mistake, belongs only to that. Returns true if
    /// a different scene was shown before. Mistakes that break only the scene that is left go off.
    pub fn leave_scene(&self, settings: &mut Settings, changed: &str) -> Result<bool, String> {
        let left = self.to_scene_of_knob(settings, changed)?;
        if left || changed == SCENE {
            self.repair_elsewhere(settings)?;
        }
        Ok(left)
    }

    fn repair_elsewhere(&self, settings: &mut Settings) -> Result<(), String> {
        let on: Vec<&str> = settings.mistakes().collect();
        for mistake in on {
            let only = self.only_in(mistake);
            if only.is_some_and(|scene| scene != settings.text(SCENE)) {
                settings.switch(self.mistakes, mistake, false)?;
            }
        }
        Ok(())
    }

    fn to_scene_of_knob(&self, settings: &mut Settings, changed: &str) -> Result<bool, String> {
        if knob::OF_THE_TRAINED_MODEL.contains(&changed) || self.shows_experiment(settings) {
            return Ok(false);
        }
        self.to_experiment(settings)?;
        Ok(true)
    }

    /// Switches to the lesson's own experiment.
    pub fn to_experiment(&self, settings: &mut Settings) -> Result<(), String> {
        settings.set(self.knobs, SCENE, EXPERIMENT)
    }

    /// Switches to the scene that `mistake` breaks: the only one, or else the lesson's own experiment.
    pub fn to_scene_of(&self, mistake: &str, settings: &mut Settings) -> Result<(), String> {
        match self.only_in(mistake) {
            Some(scene) => settings.set(self.knobs, SCENE, scene),
            None => self.to_experiment(settings),
        }
    }
}

/// Why a mistake can't be switched on in a shared scene.
const ONLY_EXPERIMENT: &str = "This switch breaks the lesson's own experiment, and not what is shown. Set scene to experiment first, or open lesson 00 to break the trained model.";

/// How a mistake breaks the trained model, if it does.
fn flaw(mistakes: &[Mistake], name: &str) -> Option<Flaw> {
    mistakes.iter().find(|m| m.name == name)?.flaw
}

/// A stage with the shared scenes beside its own. Those of `mistakes` that have a flaw break the model too.
pub fn beside(own: Box<dyn Stage>, mistakes: &'static [Mistake]) -> Box<dyn Stage> {
    Box::new(Scenes { own, mistakes })
}

/// The run that shows a reading; `step` is passed on to [`drawings`].
pub fn run(reading: &Reading, step: Option<usize>) -> Run {
    let mut run = Run::new(reading.trace.clone(), drawings(reading, step));
    let broken = reading.flaw().map(|_| reading.sentence());
    let notes = broken.into_iter().chain(reading.remarks());
    run.note = notes.reduce(|all, note| format!("{all} {note}"));
    run.sentence = reading.flaw().is_none().then(|| reading.source.clone());
    run.written = Some([&reading.text, &reading.sound().text].map(Clone::clone));
    run
}

/// A number of a reading by name: see [`Reading::fact`], and the numbers of its planes and read-outs.
pub fn fact(reading: &Reading, name: &str) -> Option<f64> {
    let of_pictures = planes::fact(reading, name).or_else(|| readout::fact(reading, name));
    of_pictures.or_else(|| reading.fact(name))
}

struct Scenes {
    own: Box<dyn Stage>,
    mistakes: &'static [Mistake],
}

impl Scenes {
    /// The sentence in the trained model, broken by the mistake that is on.
    fn reading(&self, settings: &Settings) -> Result<Arc<Reading>, String> {
        let on: Vec<Option<Flaw>> = settings
            .mistakes()
            .map(|m| flaw(self.mistakes, m))
            .collect();
        let flaw = match on[..] {
            [] => None,
            [Some(flaw)] => Some(flaw),
            [None] => {
                return Err(ONLY_EXPERIMENT.to_owned());
            }
            _ => return Err("The trained model is broken by one switch at a time.".to_owned()),
        };
        Ok(Reading::of(settings.text(TEXT), flaw))
    }

    /// The scene of a mistake that is on and breaks nothing else, if that is not the one shown.
    fn elsewhere(&self, settings: &Settings) -> Option<&'static str> {
        let mut on = self.mistakes.iter().filter(|m| settings.broken(m.name));
        on.find_map(|mistake| {
            mistake
                .only_in()
                .filter(|scene| *scene != settings.text(SCENE))
        })
    }
}

/// Settings for the lesson's own stage.
fn own(settings: &Settings) -> Settings {
    settings.without(&knob::OF_THE_TRAINED_MODEL)
}

impl Stage for Scenes {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        match settings.text(SCENE) {
            RUNNING => Ok(run(&*self.reading(settings)?, None)),
            SO_FAR => so_far::run(settings, settings.text(TEXT)),
            _ if let Some(scene) = self.elsewhere(settings) => Err(format!(
                "This switch breaks another scene, and not what is shown. Set scene to {scene} first."
            )),
            BY_HAND if settings.mistakes().next().is_some() => Err(ONLY_EXPERIMENT.to_owned()),
            BY_HAND => Ok(by_hand::run()),
            _ => self.own.run(&own(settings)),
        }
    }

    fn exclude(&self, one: &str, other: &str) -> bool {
        self.own.exclude(one, other)
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        match settings.text(SCENE) {
            RUNNING => {
                let reading = self.reading(settings).ok()?;
                fact(&reading, name)
            }
            BY_HAND => by_hand::fact(name),
            SO_FAR => so_far::fact(name, Some(so_far::built(settings).ok()?)),
            _ => self.own.fact(name, run, &own(settings)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::LESSONS;
    use crate::testing::assert_contains;

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
        let lesson = crate::curriculum::find("attention").unwrap();
        let broken = |mistakes: &[&str]| {
            let on = mistakes.iter().map(|name| ("break", *name));
            let all: Vec<_> = [(SCENE, "sentence")].into_iter().chain(on).collect();
            lesson.stage().run(&lesson.settings(&all).unwrap())
        };
        assert_contains(
            &broken(&["mask-after"]).err().unwrap(),
            "Set scene to experiment",
        );
        assert_contains(
            &broken(&["no-scale", "no-mask"]).err().unwrap(),
            "one switch at a time",
        );
    }

    #[test]
    fn a_switch_that_breaks_the_trained_model_too_changes_what_it_writes() {
        let lessons = LESSONS.iter().filter(|lesson| lesson.trained);
        let mut tried = 0;
        for lesson in lessons {
            for mistake in lesson.mistakes.iter().filter(|m| m.flaw.is_some()) {
                let settings = [(SCENE, "sentence"), ("break", mistake.name)];
                let run = lesson.stage().run(&lesson.settings(&settings).unwrap());
                let note = run
                    .unwrap()
                    .note
                    .expect("a broken model says what it writes");
                let (name, what) = (lesson.name, mistake.name);
                assert!(note.starts_with("The model with"), "{name} {what}: {note}");
                // Its scale and shift make up for the mean.
                let changes = reading::changes_a_translation(mistake.flaw);
                assert!(
                    changes || mistake.flaw == Some(Flaw::NoMean),
                    "{name} {what}"
                );
                tried += 1;
            }
        }
        assert!(tried > 8, "{tried} switches break the trained model");
    }
}
