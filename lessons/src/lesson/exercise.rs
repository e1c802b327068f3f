//! Exercises: a function for the learner to write, and a check that diagnoses what is wrong with it.

use super::Settings;
use crate::autograd::reference::calls_during;
use crate::tensor::Tensor;
pub use crate::tensor::threads::is_quiet;

pub mod bench;
pub mod changes;
mod comparison;
pub mod compiler;
pub mod handover;
pub mod inputs;
mod instruments;
mod kind;
pub mod learner;
mod mistakes;
mod new_folder;
pub mod operations;
mod panics;
mod process;
mod recognition;
mod recorded;
mod reference;
mod relation;
pub mod report;
mod results;
pub mod runner;
pub mod starter;
mod supervise;
pub mod verdict;
pub mod watch;
pub mod workbook;

use changes::Change;
pub use kind::Kind;
pub use learner::learner;
pub use mistakes::Mistakes;
pub use new_folder::new_folder;
use panics::caught;
pub use panics::{attempt, catch, quietly};
#[cfg(unix)]
pub use process::end_running;
pub use process::{end_together, limit_memory};
pub use recognition::only_measured;
pub use recorded::Recorded;
pub use results::Results;

/// An exercise: a function that the learner writes.
pub struct Exercise {
    /// Name of the exercise, its file (`exercises/attention.rs`) and its test target (`cargo test --test attention`).
    pub name: &'static str,
    /// Name of its lesson.
    pub lesson: &'static str,
    /// Role within the lesson.
    pub kind: Kind,
    /// Estimated time in minutes, if `lesson.toml` states it; [`Exercise::minutes`] always gives a figure.
    pub minutes: Option<u32>,
    /// What to write, in a sentence.
    pub task: &'static str,
    /// Initial contents of the learner's file in the guided tier: `exercise.rs`. See [`Exercise::starter_at`].
    pub starter: &'static str,
    /// Source of the reference: `src/engine/nn/attention.rs:forward`.
    pub solution: &'static str,
    /// Other versions that a lesson shows and that would give the solution away: `src/engine/tensor/vector.rs:adam`.
    pub forms: &'static [&'static str],
    /// Hints in tiers: a question, the concept, the line, almost the code.
    pub hints: [&'static str; 4],
    /// Shown after passing: why it works.
    pub why: &'static str,
    /// Its mistakes as changes of the reference.
    pub changes: &'static [Change<'static>],
    /// Messages of the check for mistakes that are not switches of the stage, by key.
    pub diagnoses: &'static [(&'static str, &'static str)],
    /// The function, its known mistakes and its check.
    pub function: &'static dyn Function,
}

/// The function of an exercise: the correct version, known wrong versions, and the check that tells them apart. `F` is
/// its type, such as `fn(&Var, &Var) -> Var`.
pub struct Task<F: 'static> {
    /// The version that the engine uses.
    pub reference: F,
    /// The version that the learner's file starts with.
    pub starter: F,
    /// Known mistakes, by the name of a switch of the stage, the key of one of the exercise's diagnoses, or a name in
    /// `mistakes.diff` that has the message beside it.
    pub mistakes: Mistakes<F>,
    /// The check: the error explains what is wrong with a function and, if it is a known mistake, which one.
    pub check: fn(F) -> Outcome,
}

impl<F: Copy> Task<F> {
    /// The function that a stage runs: that of the first mistake that is on, or the correct one.
    pub fn chosen(&self, settings: &Settings) -> F {
        self.with(self.on(settings))
    }

    /// The function with the first mistake that is on.
    pub fn broken(&self, settings: &Settings) -> Option<F> {
        self.mistake(self.on(settings)?)
    }

    /// Name of the first mistake that is on.
    pub fn on(&self, settings: &Settings) -> Option<&'static str> {
        let mut names = self.mistakes.iter().map(|(name, _)| *name);
        names.find(|name| settings.broken(name))
    }

    /// The function with this mistake; the correct one without a mistake, or if it has no such mistake.
    pub fn with(&self, mistake: Option<&str>) -> F {
        let function = mistake.and_then(|name| self.mistake(name));
        function.unwrap_or(self.reference)
    }

    /// Checks `function` for the exercise `name`. A function that passes only because it calls the exercise's reference
    /// fails.
    pub fn judged(&self, name: &str, function: F) -> Outcome {
        let (outcome, reference) = calls_during(name, || (self.check)(function));
        match (outcome, reference) {
            (Ok(()), Some(path)) => Err(borrowed(path)),
            (outcome, _) => outcome,
        }
    }

    fn mistake(&self, name: &str) -> Option<F> {
        let entry = self.mistakes.iter().find(|(of, _)| *of == name);
        entry.map(|(_, mistake)| *mistake)
    }

    /// Compares the result of `run` for `function` with that for the reference, on each of the named cases. If they
    /// differ, the failure names the known mistake that gives the same result.
    pub fn compared<C>(
        &self,
        function: F,
        cases: &[(&str, C)],
        tolerance: f32,
        run: impl Fn(&C, F) -> Tensor,
    ) -> Outcome {
        self.compared_in_parts(function, cases, tolerance, |case, f| [("", run(case, f))])
    }

    /// Like [`Task::compared`] for results in several parts, each with a suffix for the case's name: `, tgt`. A known
    /// mistake must agree in all parts.
    pub fn compared_in_parts<C, const N: usize>(
        &self,
        function: F,
        cases: &[(&str, C)],
        tolerance: f32,
        run: impl Fn(&C, F) -> [(&'static str, Tensor); N],
    ) -> Outcome {
        for (number, (says, case)) in cases.iter().enumerate() {
            let failed = N * number..N * (number + 1);
            let results = |f: F| {
                let parts = cases.iter().flat_map(|(_, case)| {
                    match recognition::survived(|| run(case, f)) {
                        Ok(parts) => parts.map(|(_, part)| Ok(part)),
                        Err(message) => std::array::from_fn(|_| Err(message.clone())),
                    }
                });
                parts.collect()
            };
            let expected = run(case, self.reference);
            let got = attempt(says, || run(case, function))
                .map_err(|failure| self.attributed(failure, function, failed.clone(), results))?;
            let finished = |failure: Box<Failure>| {
                let (right, own): (Results, Results) = (results(self.reference), results(function));
                let agrees = |n: usize| match (&right[n], &own[n]) {
                    (Ok(right), Ok(own)) => compare("", right, own, tolerance).is_ok(),
                    _ => false,
                };
                let parts = (0..N).filter(|&part| (part..right.len()).step_by(N).all(agrees));
                let name = |part: usize| expected[part].0.trim_start_matches([',', ':', ' ']);
                let finished = parts.map(|part| name(part).to_owned()).collect();
                Box::new(Failure {
                    finished,
                    ..*failure
                })
            };
            for ((part, expected), (_, got_part)) in expected.iter().zip(&got) {
                let compared = compare(&format!("{says}{part}"), expected, got_part, tolerance);
                compared.map_err(|failure| {
                    finished(self.attributed(failure, function, failed.clone(), results))
                })?;
            }
        }
        Ok(())
    }

    /// Like [`Task::compared`], but a mistake must give the same results on all cases. `says` makes the sentence about a
    /// case that differs.
    pub fn compared_together<C>(
        &self,
        function: F,
        cases: &[(&str, C)],
        tolerance: f32,
        says: impl Fn(&str, &C) -> String,
        run: impl Fn(&C, F) -> Tensor,
    ) -> Outcome {
        let results = |f: F| {
            let run = |(_, case): &(&str, C)| recognition::survived(|| run(case, f));
            cases.iter().map(run).collect()
        };
        let all = 0..cases.len();
        let got = cases
            .iter()
            .map(|(says, case)| attempt(says, || run(case, function)))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|failure| self.attributed(failure, function, all.clone(), results))?;
        for ((name, case), got_here) in cases.iter().zip(&got) {
            let expected = run(case, self.reference);
            compare(&says(name, case), &expected, got_here, tolerance)
                .map_err(|failure| self.attributed(failure, function, all.clone(), results))?;
        }
        Ok(())
    }

    /// Adds to a failure the first known mistake for which `run` gives the same result as `got`.
    pub fn recognised(
        &self,
        failure: Box<Failure>,
        got: &Tensor,
        run: impl Fn(F) -> Tensor,
    ) -> Box<Failure> {
        let made = self
            .mistakes
            .iter()
            .filter_map(|(name, mistake)| Some((*name, attempt("", || run(*mistake)).ok()?)));
        diagnose(failure, got, made)
    }
}

/// Failure of a function that gets its results by calling the reference at `path`.
fn borrowed(path: &str) -> Box<Failure> {
    // Learners reach the engine through the program, which re-exports it.
    let path = path
        .replacen("tutor_engine::", "transformer_tutor::", 1)
        .replacen("tutor_course::", "transformer_tutor::", 1);
    let sentence = format!(
        "Every result is right, but not your own work yet: your function calls {path}, directly or through another \
         function. This is the reference, which the exercise asks you to write. The guided starter lists what you can use."
    );
    Box::new(Failure {
        calls: Some(path),
        ..*Failure::new(sentence)
    })
}

/// A [`Task`] with its function type erased.
pub trait Function: Sync {
    /// Checks the reference: passes.
    fn reference(&self) -> Outcome;

    /// Outcome for a function that calls the reference of the exercise `name`: a failure.
    fn borrowed(&self, name: &str) -> Outcome;

    /// Checks the starter: fails.
    fn unsolved(&self) -> Outcome;

    /// Checks the function with the mistake `name`, if it is a known one.
    fn mistaken(&self, name: &str) -> Option<Outcome>;

    /// Names of the known mistakes.
    fn mistakes(&self) -> Vec<&'static str>;
}

impl<F: Copy + Sync> Function for Task<F> {
    fn reference(&self) -> Outcome {
        (self.check)(self.reference)
    }

    fn borrowed(&self, name: &str) -> Outcome {
        self.judged(name, self.reference)
    }

    fn unsolved(&self) -> Outcome {
        (self.check)(self.starter)
    }

    fn mistaken(&self, name: &str) -> Option<Outcome> {
        self.mistake(name).map(self.check)
    }

    fn mistakes(&self) -> Vec<&'static str> {
        self.mistakes.iter().map(|(name, _)| *name).collect()
    }
}

/// Result of a check.
pub type Outcome = Result<(), Box<Failure>>;

/// What is wrong with an implementation.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Failure {
    /// The case and what is wrong: `with a mask, the weights differ`.
    pub sentence: String,
    /// Expected shape, if the shape is wrong.
    pub expected_shape: Option<Vec<usize>>,
    /// Actual shape, if it is wrong.
    pub shape: Option<Vec<usize>>,
    /// The first wrong cell.
    pub cell: Option<WrongCell>,
    /// Relation that holds for all cells: `All your numbers are 2 times the right ones.`
    #[serde(default)]
    pub relation: Option<String>,
    /// The likely mistake, as a hint.
    pub likely: Option<String>,
    /// A second mistake beside the likely one, as a hint.
    #[serde(default)]
    pub also: Option<String>,
    /// Parts of the result that are right already, in all cases: `dscale`.
    #[serde(default)]
    pub finished: Vec<String>,
    /// Names of the mistakes, at most two, until their hints have been looked up: see
    /// [`Lesson::explained`](super::Lesson::explained).
    #[serde(default, skip)]
    pub mistakes: Vec<String>,
    /// Where the function panicked, if it did: `exercises/attention.rs:12:5`.
    #[serde(default)]
    pub at: Option<String>,
    /// Path of the reference, if the results are right because the function calls it.
    #[serde(default)]
    pub calls: Option<String>,
}

/// The first cell in which two tensors differ.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct WrongCell {
    /// Index of the cell.
    pub index: Vec<usize>,
    /// Expected value.
    #[serde(with = "number")]
    pub expected: f32,
    /// Actual value.
    #[serde(with = "number")]
    pub got: f32,
}

impl Failure {
    /// A failure that consists of a sentence only.
    pub fn new(sentence: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            sentence: sentence.into(),
            ..Self::default()
        })
    }

    /// The same failure, attributed to the mistake `name`.
    #[must_use]
    pub fn because(mut self: Box<Self>, name: &str) -> Box<Self> {
        self.mistakes = vec![name.to_owned()];
        self
    }
}

/// Serialises NaN and infinity as strings, because JSON has neither and a wrong softmax yields both.
mod number {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(x: &f32, out: S) -> Result<S::Ok, S::Error> {
        if x.is_finite() {
            out.serialize_f32(*x)
        } else {
            out.serialize_str(&x.to_string())
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(f32),
            Word(String),
        }
        match Either::deserialize(from)? {
            Either::Number(x) => Ok(x),
            Either::Word(word) => word.parse().map_err(D::Error::custom),
        }
    }
}

/// Compares a result with the expected one: first the shape, then all cells within `tolerance`.
pub fn compare(case: &str, expected: &Tensor, got: &Tensor, tolerance: f32) -> Outcome {
    if expected.shape() != got.shape() {
        return Err(Box::new(Failure {
            sentence: format!("{case}: the shape is wrong"),
            expected_shape: Some(expected.shape().to_vec()),
            shape: Some(got.shape().to_vec()),
            relation: relation::axes(expected, got),
            ..Failure::default()
        }));
    }
    let Some(cell) = first_wrong(expected, got, tolerance) else {
        return Ok(());
    };
    Err(Box::new(Failure {
        sentence: format!("{case}: the values differ"),
        cell: Some(cell),
        relation: relation::relation(expected, got),
        ..Failure::default()
    }))
}

/// The first cell of two tensors of the same shape that is not within `tolerance`.
fn first_wrong(expected: &Tensor, got: &Tensor, tolerance: f32) -> Option<WrongCell> {
    // Written so that NaN counts as wrong; an infinite number is only matched by itself.
    let right =
        |e: f32, g: f32| e == g || (e - g).abs() <= tolerance * e.abs().clamp(1.0, f32::MAX);
    let cells = expected.data().iter().zip(got.data());
    let wrong = cells
        .zip(expected.indices())
        .find(|((e, g), _)| !right(**e, **g));
    wrong.map(|((&expected, &got), index)| WrongCell {
        index,
        expected,
        got,
    })
}

/// Adds to a failure the first known mistake whose result equals `got`.
fn diagnose<'a>(
    failure: Box<Failure>,
    got: &Tensor,
    mistakes: impl IntoIterator<Item = (&'a str, Tensor)>,
) -> Box<Failure> {
    let known = mistakes
        .into_iter()
        .find(|(_, result)| same_result(result, got));
    match known {
        Some((name, _)) => failure.because(name),
        None => failure,
    }
}

/// True if two wrong results come from the same mistake: same shape, same numbers, NaN in the same cells.
fn same_result(a: &Tensor, b: &Tensor) -> bool {
    if a.shape() != b.shape() {
        return false;
    }
    // Count NaN as 0 in both, so that the remaining numbers decide.
    let places_agree = a.zip(b, |a, b| f32::from(u8::from(a.is_nan() == b.is_nan())));
    let known = |t: &Tensor| t.map(|x| if x.is_nan() { 0.0 } else { x });
    places_agree.data().iter().all(|&same| same == 1.0)
        && first_wrong(&known(a), &known(b), 1e-5).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinite_number_has_no_neighbours() {
        let endless = Tensor::new(&[2], vec![f32::INFINITY, 1.0]);
        let finite = Tensor::new(&[2], vec![2.0, 1.0]);
        assert!(compare("", &endless, &finite, 1e-5).is_err());
        assert!(compare("", &finite, &endless, 1e-5).is_err());
        assert!(compare("", &endless, &endless, 1e-5).is_ok());
    }

    #[test]
    fn the_first_wrong_cell_is_named() {
        let expected = Tensor::new(&[2, 2], vec![1.0, 2.0, 3.0, 4.0]);
        let got = Tensor::new(&[2, 2], vec![1.0, 2.0, f32::NAN, 5.0]);
        let failure = compare("plain", &expected, &got, 1e-5).unwrap_err();
        let cell = failure.cell.expect("a cell is wrong");
        assert_eq!((cell.index, cell.expected), (vec![1, 0], 3.0));
    }

    #[test]
    fn a_mistake_that_gives_nan_is_known_by_where_it_gives_it() {
        let tensor = |cells: [f32; 3]| Tensor::new(&[3], cells.to_vec());
        let got = tensor([1.0, f32::NAN, 2.0]);
        let named = |made: [f32; 3]| {
            diagnose(Failure::new(""), &got, [("overflow", tensor(made))]).mistakes
        };
        assert_eq!(named([1.0, f32::NAN, 2.0]), ["overflow"]);
        assert!(named([1.0, f32::NAN, 3.0]).is_empty());
        assert!(named([f32::NAN, 1.0, 2.0]).is_empty());
        assert!(named([1.0, 0.0, 2.0]).is_empty());
    }

    #[test]
    fn a_cell_that_is_not_a_number_survives_json() {
        for got in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.125] {
            let cell = WrongCell {
                index: vec![0],
                expected: 0.5,
                got,
            };
            let json = serde_json::to_string(&cell).expect("a cell is JSON");
            let back: WrongCell = serde_json::from_str(&json).expect(&json);
            assert_eq!(back.got.to_bits(), got.to_bits(), "{json}");
        }
    }
}
