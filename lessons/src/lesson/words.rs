//! `lesson.toml`: a lesson's words other than its text, and its knobs and mistakes.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use super::environment;
use super::exercise::{Function, Kind, changes};
use super::flaw::Flaw;
use super::knob::{Knob, Range};
use super::so_far::Rung;
use super::source::{Embedded, Files};
use super::{
    Declared, Exercise, ExtraExercise, Lesson, Mistake, ModelPart, OwnWords, Parts, trained,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    title: String,
    minutes: u32,
    /// What the stage runs, apart from the shared scenes.
    runs: String,
    /// What it runs instead while a knob has a certain value: `"example=worked" = "chosen numbers"`.
    #[serde(default)]
    runs_with: BTreeMap<String, String>,
    /// The parts of the model that the lesson is about.
    #[serde(default)]
    lights: Vec<ModelPart>,
    /// Pages and the parts of the model that they mention first.
    #[serde(default)]
    reveals: BTreeMap<String, Vec<ModelPart>>,
    needs: Vec<String>,
    gains: String,
    /// True if the lesson includes the trained model's scene.
    #[serde(default)]
    trained: bool,
    /// The parts that the reader's own translator has by its end, if the lesson shows it.
    so_far: Option<Rung>,
    own_words: Option<Open>,
    exercise: Option<ExerciseWords>,
    /// Exercises other than the core one.
    #[serde(default)]
    more: Vec<ExerciseWords>,
    #[serde(default)]
    picture: Vec<Declared>,
    #[serde(default)]
    knob: Vec<KnobWords>,
    #[serde(default)]
    mistake: Vec<MistakeWords>,
    /// Read by [`super::quiz`].
    #[serde(default, rename = "question")]
    _questions: Vec<toml::Value>,
    /// Read by the tests of all lessons.
    #[serde(default, rename = "holds")]
    _holds: Vec<toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    ask: String,
    points: [String; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExerciseWords {
    name: String,
    kind: Option<Kind>,
    minutes: Option<u32>,
    task: String,
    solution: String,
    /// Other versions of the solution, hidden like it.
    #[serde(default)]
    forms: Vec<String>,
    hints: [String; 4],
    why: String,
    /// Messages of the check for mistakes that are not switches of the stage, by key.
    #[serde(default)]
    diagnoses: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnobWords {
    name: String,
    about: String,
    whole: Option<Span<usize>>,
    real: Option<Span<f64>>,
    choice: Option<Vec<String>>,
    text: Option<Line>,
    default: toml::Value,
    auto: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Span<T> {
    least: T,
    most: T,
    stops: Vec<T>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    most: usize,
    stops: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MistakeWords {
    name: String,
    title: String,
    watch: String,
    effect: String,
    #[serde(default)]
    settings: BTreeMap<String, String>,
    #[serde(default)]
    hint: String,
    /// How it breaks the trained model as well.
    flaw: Option<Flaw>,
}

/// The files of a lesson that a writer's folder can replace.
pub const FILES: [&str; 2] = ["lesson.md", "lesson.toml"];

/// Builds the lesson from `parts`, with a writer's text and words where they exist. If those are wrong, it is the
/// built-in lesson, and its `wrong` says why. Panics if the built-in words are wrong, which a test of all lessons
/// detects.
pub(super) fn read(parts: &Parts) -> Lesson {
    let written = |file: &str, content| of_writer(&Path::new(parts.folder).join(file), content);
    let of_writer = || {
        lesson(&Parts {
            text: written(FILES[0], parts.text)?,
            words: written(FILES[1], parts.words)?,
            ..parts.clone()
        })
    };
    of_writer().unwrap_or_else(|wrong| Lesson {
        wrong: Some(wrong),
        ..lesson(parts).unwrap_or_else(|wrong| panic!("{wrong}"))
    })
}

/// The text of `file` in a writer's folder of lessons, or else `built_in`. The error names the file that cannot be read.
pub fn of_writer(file: &Path, built_in: &'static str) -> Result<&'static str, String> {
    let Some(lessons) = environment::value(environment::LESSONS) else {
        return Ok(built_in);
    };
    let path = Path::new(&lessons).join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(leaked(text)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(built_in),
        Err(e) => Err(format!("{} cannot be read: {e}", path.display())),
    }
}

/// Builds the lesson from `parts`. The error explains what is wrong with its `lesson.toml`.
fn lesson(parts: &Parts) -> Result<Lesson, String> {
    let wrong = |e: String| format!("lessons/{}/lesson.toml: {e}", parts.folder);
    let words: Words = toml::from_str(parts.words).map_err(|e| wrong(e.to_string()))?;
    let numbered = parts.folder.split_once('-');
    let numbered = numbered.and_then(|(number, name)| Some((number.parse::<usize>().ok()?, name)));
    let (number, name) = numbered.unwrap_or((0, parts.folder));
    let knobs: Result<Vec<_>, _> = words.knob.into_iter().map(knob).collect();
    let mut knobs = knobs.map_err(wrong)?;
    if words.trained {
        knobs.extend(trained::knobs(words.so_far));
    }
    let exercise = match (words.exercise, parts.function) {
        (Some(core), Some((starter, function))) => match core.kind {
            None | Some(Kind::Core) => {
                Some(core.exercise(name, Kind::Core, parts.folder, starter, function))
            }
            Some(other) => return Err(wrong(format!("[exercise] is the core one, no {other}"))),
        },
        (None, None) => None,
        (Some(_), None) => return Err(wrong("there is [exercise] and no function".to_owned())),
        (None, Some(_)) => return Err(wrong("there is a function and no [exercise]".to_owned())),
    };
    let mut more = further(name, parts.folder, words.more, &parts.more).map_err(wrong)?;
    more.sort_by_key(|exercise| exercise.kind);
    let mistakes = words.mistake.into_iter().map(|made| Mistake {
        name: leaked(made.name),
        title: leaked(made.title),
        watch: leaked(made.watch),
        effect: leaked(made.effect),
        settings: pairs(made.settings),
        hint: leaked(made.hint),
        flaw: made.flaw,
    });
    let reveals = words.reveals.into_iter();
    let reveals = reveals.map(|(page, parts)| (leaked(page), &*parts.leak()));
    Ok(Lesson {
        number,
        folder: parts.folder,
        name,
        title: leaked(words.title),
        minutes: words.minutes,
        runs: leaked(words.runs),
        runs_with: pairs(words.runs_with),
        lights: words.lights.leak(),
        reveals: reveals.collect::<Vec<_>>().leak(),
        needs: list(words.needs),
        gains: leaked(words.gains),
        wrong: None,
        text: parts.text,
        quiz: parts.words,
        own_stage: parts.stage,
        trained: words.trained,
        so_far: words.so_far,
        own_words: words.own_words.map(|open| OwnWords {
            ask: leaked(open.ask),
            points: open.points.map(leaked),
        }),
        pictures: words.picture.leak(),
        knobs: knobs.leak(),
        mistakes: mistakes.collect::<Vec<_>>().leak(),
        exercise,
        more: more.leak(),
    })
}

/// The exercises of `[[more]]`, each combined with the code of the same name.
fn further(
    lesson: &'static str,
    folder: &str,
    all: Vec<ExerciseWords>,
    code: &[ExtraExercise],
) -> Result<Vec<Exercise>, String> {
    let unnamed = |code: &&ExtraExercise| all.iter().all(|words| words.name != code.name);
    if let Some(code) = code.iter().find(unnamed) {
        return Err(format!(
            "there is a function {} and no [[more]] of that name",
            code.name
        ));
    }
    let one = |words: ExerciseWords| {
        let code = code.iter().find(|code| words.name == code.name);
        let code =
            code.ok_or_else(|| format!("there is no function for [[more]] {}", words.name))?;
        match words.kind {
            Some(kind @ (Kind::WarmUp | Kind::Challenge)) => {
                let folder = format!("{folder}/more/{}", code.name);
                Ok(words.exercise(lesson, kind, &folder, code.text, code.function))
            }
            _ => Err(format!(
                "{} is a warm-up or a challenge: say its kind",
                words.name
            )),
        }
    };
    all.into_iter().map(one).collect()
}

impl ExerciseWords {
    fn exercise(
        self,
        lesson: &'static str,
        kind: Kind,
        folder: &str,
        starter: &'static str,
        function: &'static dyn Function,
    ) -> Exercise {
        let text = Embedded.read(&format!("lessons/{folder}/mistakes.diff"));
        let text = text.unwrap_or_default();
        Exercise {
            name: leaked(self.name),
            lesson,
            kind,
            minutes: self.minutes,
            task: leaked(self.task),
            starter,
            solution: leaked(self.solution),
            forms: list(self.forms),
            hints: self.hints.map(leaked),
            why: leaked(self.why),
            changes: changes::parse(text).collect::<Vec<_>>().leak(),
            diagnoses: pairs(self.diagnoses),
            function,
        }
    }
}

fn knob(turned: KnobWords) -> Result<Knob, String> {
    let range = match (turned.whole, turned.real, turned.choice, turned.text) {
        (Some(span), None, None, None) => Range::Whole {
            least: span.least,
            most: span.most,
            stops: span.stops.leak(),
        },
        (None, Some(span), None, None) => Range::Real {
            least: span.least,
            most: span.most,
            stops: span.stops.leak(),
        },
        (None, None, Some(words), None) => Range::Choice(list(words)),
        (None, None, None, Some(line)) => Range::Text {
            most: line.most,
            stops: list(line.stops),
        },
        _ => {
            return Err(format!(
                "knob {} needs one of whole, real, choice and text",
                turned.name
            ));
        }
    };
    let mut knob = Knob {
        name: leaked(turned.name),
        about: leaked(turned.about),
        range,
        default: "",
        auto: turned.auto.map(leaked),
    };
    let default = match turned.default {
        toml::Value::String(words) => words,
        number => number.to_string(),
    };
    knob.default = leaked(knob.accept(&default)?);
    Ok(knob)
}

/// Leaks a string: a lesson is read once and never freed.
fn leaked(words: String) -> &'static str {
    words.leak()
}

fn list(words: Vec<String>) -> &'static [&'static str] {
    words.into_iter().map(leaked).collect::<Vec<_>>().leak()
}

fn pairs(words: BTreeMap<String, String>) -> &'static [(&'static str, &'static str)] {
    let pairs = words
        .into_iter()
        .map(|(key, value)| (leaked(key), leaked(value)));
    pairs.collect::<Vec<_>>().leak()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_starts_with;

    fn read(words: &'static str) -> Result<Lesson, String> {
        lesson(&Parts {
            folder: "07-thing",
            text: "",
            words,
            stage: || unreachable!("nobody opens it"),
            function: None,
            more: Vec::new(),
        })
    }

    const HEAD: &str =
        "title = 'A thing'\nminutes = 1\nruns = 'numbers'\nneeds = []\ngains = 'Nothing.'\n";

    #[test]
    fn a_folder_gives_number_and_name_and_the_rest_is_in_its_words() {
        let words = format!(
            "{HEAD}[[knob]]\nname = 'x'\nabout = 'how'\nreal = {{ least = 0.0, most = 1.0, stops = [0.5] }}\ndefault = 0.5\n\
             [[mistake]]\nname = 'm'\ntitle = 't'\nwatch = 'w'\neffect = 'fails'\nsettings = {{ x = '1' }}\n"
        );
        let parsed = read(words.leak()).unwrap();
        assert_eq!(
            (parsed.number, parsed.name, parsed.title),
            (7, "thing", "A thing")
        );
        assert_eq!(parsed.knobs[0].default, "0.5");
        assert_eq!(parsed.mistakes[0].settings, [("x", "1")]);
    }

    #[test]
    fn errors_in_lesson_words_name_the_file() {
        let wrong = |more: &str| read(format!("{HEAD}{more}").leak()).err().unwrap();
        for (more, says) in [
            ("colour = 'red'", "colour"),
            (
                "[[knob]]\nname = 'x'\nabout = ''\ndefault = 1",
                "one of whole",
            ),
            (
                "[[knob]]\nname = 'x'\nabout = ''\nchoice = ['a']\ndefault = 'b'",
                "x can be a, not b",
            ),
            (
                "[exercise]\nname = ''\ntask = ''\nsolution = ''\nhints = ['', '', '', '']\nwhy = ''",
                "no function",
            ),
            (
                "[[more]]\nname = 'small'\nkind = 'warm-up'\ntask = ''\nsolution = ''\nhints = ['', '', '', '']\nwhy = ''",
                "no function for [[more]] small",
            ),
        ] {
            let wrong = wrong(more);
            assert_starts_with(&wrong, "lessons/07-thing/lesson.toml: ");
            assert!(wrong.contains(says), "{wrong}");
        }
    }
}
