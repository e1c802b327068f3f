//! Checks of every lesson: its numbers are claims that hold, its questions have one right answer, its mistakes do what
//! they say, its exercise catches them, and every cell of its run can be recomputed from its explanation.

mod form;
mod hunt;
mod length;
mod voice;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;

use transformer_tutor::autograd::{Nature, Tape, Trace, recompute};
use transformer_tutor::curriculum::{self, LESSONS, PARTS, PLAYGROUND};
use transformer_tutor::expr::{Env, Select};
use transformer_tutor::lesson::claim::{RunEnv, equal, states, states_about};
use transformer_tutor::lesson::page::{self, Block, Page, Predict};
use transformer_tutor::lesson::session::{Session, run_stage};
use transformer_tutor::lesson::{
    Body, FrontEnd, Lesson, Mark, Run, Settings, Stage, for_front_end, marks, quiz,
};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, shared};
use transformer_tutor::transformer::{Config, Transformer};

fn pages(lesson: &Lesson) -> Vec<Page> {
    // A writer's lesson that is wrong would not be the one that is tested.
    assert_eq!(lesson.wrong, None);
    lesson.pages().unwrap_or_else(|e| panic!("{e}"))
}

/// Runs of one stage, each computed once.
struct Runs {
    lesson: &'static Lesson,
    stage: Box<dyn Stage>,
    made: HashMap<String, (Settings, Run)>,
}

impl Runs {
    fn new(lesson: &'static Lesson) -> Self {
        Self {
            lesson,
            stage: lesson.stage(),
            made: HashMap::new(),
        }
    }

    /// The run with the settings `words`: pairs of knob and value, or of "break" and a mistake.
    fn under<'a>(
        &mut self,
        words: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(&dyn Stage, &Settings, &Run), String> {
        let words: Vec<_> = words.into_iter().collect();
        let settings = self.lesson.settings(&words)?;
        let key = settings.to_string();
        if !self.made.contains_key(&key) {
            let run = run_stage(self.stage.as_ref(), &settings)?;
            self.made.insert(key.clone(), (settings, run));
        }
        let (settings, run) = &self.made[&key];
        Ok((self.stage.as_ref(), settings, run))
    }

    /// The run that a question is about.
    fn live(&mut self, question: &Predict) -> Result<RunEnv<'_>, String> {
        let words = question.set.iter().map(|(k, v)| (&**k, &**v));
        let (stage, settings, run) = self.under(words)?;
        Ok(RunEnv {
            stage,
            run,
            settings,
        })
    }

    fn evaluate<'a>(
        &mut self,
        words: impl IntoIterator<Item = (&'a str, &'a str)>,
        expression: &str,
    ) -> Result<Vec<f64>, String> {
        let (stage, settings, run) = self.under(words)?;
        RunEnv {
            stage,
            run,
            settings,
        }
        .evaluate(expression)
        .map_err(|e| format!("{expression}: {e}"))
    }
}

/// Fails with all problems, not only the first.
#[track_caller]
fn none(problems: Vec<String>) {
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn lessons_stand_in_order_and_need_only_earlier_ones() {
    for (index, lesson) in LESSONS.iter().enumerate() {
        assert!(
            index == 0 || LESSONS[index - 1].number < lesson.number,
            "{}",
            lesson.name
        );
        for need in lesson.needs {
            assert!(
                LESSONS[..index].iter().any(|l| l.name == *need),
                "{} needs {need}",
                lesson.name
            );
        }
        assert_eq!(lesson.page_count(), pages(lesson).len(), "{}", lesson.name);
        let parts = PARTS
            .iter()
            .filter(|(_, from, to)| (*from..=*to).contains(&lesson.number));
        assert_eq!(parts.count(), 1, "{} is in one part", lesson.name);
        assert!(
            lesson.minutes > 0 && !lesson.gains.is_empty(),
            "{}",
            lesson.name
        );
    }
}

#[test]
fn every_number_in_a_text_is_a_claim_that_holds() {
    let problems = Mutex::new(Vec::new());
    // The later lessons train models, so they start first.
    let all = LESSONS.into_iter().rev().chain([PLAYGROUND]);
    shared(all.collect(), |lesson| {
        let claims = claim_problems(lesson);
        problems.lock().unwrap().extend(claims);
    });
    let mut problems = problems.into_inner().unwrap();
    problems.sort();
    none(problems);
}

/// Numbers in a lesson that no claim covers, and claims that do not hold.
fn claim_problems(lesson: &'static Lesson) -> Vec<String> {
    let mut problems = Vec::new();
    let pages = pages(lesson);
    let at_line = |line| format!("lessons/{}/lesson.md:{line}", lesson.folder);
    for (line, number) in page::unclaimed_numbers(&pages) {
        problems.push(format!("{}: {number} has no claim", at_line(line)));
    }
    let mut runs = Runs::new(lesson);
    let claims = page::claims(&pages);
    assert!(!claims.is_empty(), "{} claims nothing", lesson.name);
    for claim in claims {
        let words = claim.settings.iter().map(|(k, v)| (k.as_str(), v.as_str()));
        let value = match runs.evaluate(words, &claim.expr) {
            Ok(value) => value,
            Err(e) => {
                problems.push(format!("{}: {e}", at_line(claim.line)));
                continue;
            }
        };
        let exact = states(&claim.printed, &value);
        let about = || match value[..] {
            [one] if claim.about => states_about(&claim.printed, one),
            _ => Ok(false),
        };
        match exact.and_then(|holds| Ok(holds || about()?)) {
            Ok(true) => {}
            Ok(false) => problems.push(format!(
                "{}: the text says {}{}, {} is {value:?}",
                at_line(claim.line),
                if claim.about { "about " } else { "" },
                claim.printed,
                claim.expr
            )),
            Err(e) => problems.push(format!("{}: {e}", at_line(claim.line))),
        }
    }
    problems
}

/// A `[[holds]]` of a lesson: claims that hold in every combination of settings.
#[derive(serde::Deserialize)]
struct Holds {
    that: String,
    #[serde(default)]
    with: BTreeMap<String, Values>,
    claims: Vec<String>,
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Values {
    One(String),
    Each(Vec<String>),
}

#[test]
fn what_a_lesson_says_holds_with_other_settings_holds() {
    #[derive(serde::Deserialize)]
    struct Words {
        #[serde(default)]
        holds: Vec<Holds>,
    }
    let problems = Mutex::new(Vec::new());
    shared(LESSONS.into_iter().rev().collect(), |lesson| {
        let words: Words = toml::from_str(lesson.quiz).unwrap_or_else(|e| panic!("{e}"));
        for Holds { that, with, claims } in &words.holds {
            let mut all = vec![Vec::new()];
            for (knob, values) in with {
                let values = match values {
                    Values::One(value) => std::slice::from_ref(value),
                    Values::Each(values) => values,
                };
                let with = |set: &Vec<_>| {
                    let each = values.iter().map(|value| (knob.as_str(), value.as_str()));
                    each.map(|one| [&set[..], &[one]].concat()).collect()
                };
                all = all
                    .iter()
                    .flat_map(|set| -> Vec<Vec<_>> { with(set) })
                    .collect();
            }
            for set in all {
                let mut runs = Runs::new(lesson);
                for claim in claims {
                    let held = runs.evaluate(set.iter().copied(), claim);
                    if !held.as_ref().is_ok_and(|all| all.iter().all(|x| *x != 0.0)) {
                        let problem = format!("{}: {that}: {set:?}: {claim}", lesson.name);
                        problems.lock().unwrap().push(problem);
                    }
                }
            }
        }
    });
    none(problems.into_inner().unwrap());
}

fn question_problems(runs: &mut Runs, location: &str, predict: &Predict) -> Vec<String> {
    let mut problems = Vec::new();
    let mut right = 0;
    for option in &predict.options {
        if option.why.is_empty() {
            problems.push(format!("{location}: '{}' does not say why", option.text));
        }
        let equal = runs.live(predict).and_then(|live| {
            live.equal(&predict.answer, &option.value)
                .map_err(|e| format!("{}: {e}", option.value))
        });
        match equal {
            Ok(equal) => right += usize::from(equal),
            Err(e) => problems.push(format!("{location}: {e}")),
        }
    }
    if right != 1 {
        problems.push(format!(
            "{location}: {right} right answers to '{}'",
            predict.ask
        ));
    }
    problems
}

#[test]
fn every_prediction_has_one_right_answer_and_the_engine_gives_it() {
    let mut problems = Vec::new();
    for lesson in LESSONS {
        let mut runs = Runs::new(lesson);
        let pages = pages(lesson);
        let asked = pages.iter().flat_map(Page::predictions).count();
        assert!(asked >= 2, "{} asks for {asked} predictions", lesson.name);
        for predict in pages.iter().flat_map(Page::predictions) {
            let location = format!("lessons/{}/lesson.md:{}", lesson.folder, predict.line);
            problems.extend(question_problems(&mut runs, &location, predict));
        }
    }
    none(problems);
}

/// An answer that stays right whatever the numbers of the run says nothing about the run.
#[test]
fn every_right_answer_depends_on_the_run() {
    let mut problems = Vec::new();
    for lesson in LESSONS {
        let mut runs = Runs::new(lesson);
        let quiz = quiz::parse(lesson.quiz).unwrap_or_else(|e| panic!("{e}"));
        let pages = pages(lesson);
        for question in pages.iter().flat_map(Page::predictions).chain(&quiz) {
            let live = runs.live(question).unwrap_or_else(|e| panic!("{e}"));
            let right = |how| {
                let env = Disturbed { live: &live, how };
                let right = |option: &page::PredictOption| {
                    equal(&env, &question.answer, &option.value).unwrap_or(false)
                };
                question.options.iter().map(right).collect::<Vec<_>>()
            };
            let now = right(Disturbance::None);
            if Disturbance::ALL.into_iter().all(|how| right(how) == now) {
                problems.push(format!("{}: {}", lesson.name, question.id));
            }
        }
    }
    none(problems);
}

/// A run with altered numbers.
struct Disturbed<'a> {
    live: &'a RunEnv<'a>,
    how: Disturbance,
}

/// How the numbers of a run are altered.
#[derive(Clone, Copy)]
enum Disturbance {
    None,
    Moved,
    Negated,
    Zero,
    /// Every list of numbers gets longer, by an amount that depends on its name, to alter shapes.
    Longer,
}

impl Disturbance {
    const ALL: [Self; 4] = [Self::Moved, Self::Negated, Self::Zero, Self::Longer];
}

/// The number of values that [`Disturbance::Longer`] adds to a name.
fn more(name: &str) -> usize {
    1 + name.bytes().map(usize::from).sum::<usize>() % 11
}

impl Env for Disturbed<'_> {
    fn get(&self, name: &str, select: Option<&[Select]>) -> Result<Vec<f64>, String> {
        let mut all = self.live.get(name, select)?;
        match self.how {
            Disturbance::None => {}
            // The factor depends on the name, so that equal tensors become unequal.
            Disturbance::Moved => {
                let factor = 1.0 + name.bytes().map(f64::from).sum::<f64>() / 1e3;
                all.iter_mut().for_each(|x| *x = *x * factor + 0.25);
            }
            Disturbance::Negated => all.iter_mut().for_each(|x| *x = -*x),
            Disturbance::Zero => all.fill(0.0),
            Disturbance::Longer => {
                all.extend(all.first().copied().into_iter().cycle().take(more(name)))
            }
        }
        Ok(all)
    }

    fn shape(&self, name: &str) -> Result<Vec<usize>, String> {
        let shape = self.live.shape(name)?;
        Ok(match self.how {
            Disturbance::Longer => shape.into_iter().map(|n| n + more(name)).collect(),
            _ => shape,
        })
    }
}

#[test]
fn every_page_and_every_question_has_an_id_of_its_own() {
    let mut problems = Vec::new();
    for lesson in LESSONS.iter().copied().chain([PLAYGROUND]) {
        let location = format!("lessons/{}/lesson.md", lesson.folder);
        let pages = pages(lesson);
        // An id derived from a title would change with it, so each page needs an explicit id.
        for (line, text) in (1..).zip(lesson.text.lines()) {
            if pages.iter().skip(1).any(|p| p.line == line) && !text.ends_with('}') {
                problems.push(format!(
                    "{location}:{line}: the page has no {{#id}}: {text}"
                ));
            }
        }
        let mut seen = HashMap::new();
        for page in &pages {
            if seen.insert(page.id.clone(), ()).is_some() {
                problems.push(format!(
                    "{location}:{}: a second page {}",
                    page.line, page.id
                ));
            }
        }
        let mut seen: HashMap<String, String> = HashMap::new();
        let quiz = quiz::parse(lesson.quiz).unwrap_or_else(|e| panic!("{location}: {e}"));
        let asked = pages.iter().flat_map(Page::predictions).chain(&quiz);
        for question in asked {
            if let Some(other) = seen.insert(question.id.clone(), question.ask.clone()) {
                problems.push(format!(
                    "{location}: '{}' has the id {} of '{other}'",
                    question.ask, question.id
                ));
            }
        }
    }
    none(problems);
}

/// Most minutes that lead from the first sentence to a trained translator.
const CORE_MINUTES: u32 = 310;

#[test]
fn the_core_path_has_pages_and_questions_that_are_there_and_takes_about_five_hours() {
    let path = curriculum::core_path();
    assert_eq!(path.wrong, None);
    let ids: HashSet<_> = path
        .steps
        .iter()
        .map(|s| (s.lesson.name, &s.page))
        .collect();
    assert_eq!(ids.len(), path.steps.len(), "a page is on the path twice");
    for part in &path.parts {
        assert!(
            part.gains.contains("ou can "),
            "{}: {}",
            part.title,
            part.gains
        );
    }
    let minutes = path.minutes();
    assert!(minutes <= CORE_MINUTES, "{minutes}");
}

#[test]
fn every_page_puts_its_stage_in_place() {
    let mut problems = Vec::new();
    for lesson in LESSONS {
        let mut session = Session::new(lesson);
        for page in pages(lesson) {
            if let Some(block) = page.stage() {
                let location = format!("lessons/{}/lesson.md:{}", lesson.folder, block.line);
                if let Err(e) = session.arrange(block) {
                    problems.push(format!("{location}: {e}"));
                }
            }
            for question in page.predictions() {
                if let Some(mistake) = &question.breaks
                    && !lesson.mistakes.iter().any(|known| known.name == mistake)
                {
                    problems.push(format!("{}: there is no mistake {mistake}", question.id));
                }
                let Some(tensor) = &question.given else {
                    continue;
                };
                let location = format!("lessons/{}/lesson.md:{}", lesson.folder, question.line);
                match session.named(tensor) {
                    None => problems.push(format!("{location}: the page's run has no '{tensor}'")),
                    Some(focus) if focus == session.focus() => {
                        problems.push(format!("{location}: '{tensor}' is what the answer reveals"));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    none(problems);
}

#[test]
fn no_stage_stands_before_a_question_of_its_page() {
    let mut problems = Vec::new();
    for lesson in LESSONS {
        for page in pages(lesson) {
            let blocks = &page.blocks;
            let stage = blocks.iter().position(|b| matches!(b, Block::Stage(_)));
            let question = blocks.iter().rposition(|b| matches!(b, Block::Predict(_)));
            if stage.is_some_and(|stage| question.is_some_and(|question| stage < question)) {
                // Its caption would be shown above a stage that the screen hides.
                problems.push(format!("{}: \"{}\"", lesson.folder, page.title));
            }
        }
    }
    none(problems);
}

#[test]
fn every_stop_of_every_knob_runs_or_teaches_why_not() {
    for lesson in LESSONS.into_iter().chain([PLAYGROUND]) {
        let mut session = Session::new(lesson);
        let defaults = session.settings().clone();
        for knob in session.lesson().knobs {
            assert!(
                knob.stops().contains(&knob.default.to_owned()),
                "{} {}",
                lesson.name,
                knob.name
            );
            for stop in knob.stops() {
                if let Err(sentence) = session.set(knob.name, &stop) {
                    assert!(
                        sentence.len() > 30,
                        "{} {}={stop}: {sentence}",
                        lesson.name,
                        knob.name
                    );
                }
            }
            session
                .configure(defaults.clone())
                .expect("the defaults ran before");
        }
    }
}

#[test]
fn every_mistake_does_what_its_text_says() {
    let mut problems = Vec::new();
    for lesson in LESSONS {
        assert!(
            lesson.mistakes.len() >= 4,
            "{} has {} mistakes",
            lesson.name,
            lesson.mistakes.len()
        );
        let mut runs = Runs::new(lesson);
        for mistake in lesson.mistakes {
            let name = format!("{} {}", lesson.name, mistake.name);
            assert!(
                !mistake.watch.is_empty() && !mistake.title.is_empty(),
                "{name}"
            );
            let sound: Vec<_> = mistake.settings.to_vec();
            let broken = [&sound[..], &[("break", mistake.name)]].concat();
            if mistake.effect == "fails" {
                if let Err(e) = runs.under(sound) {
                    problems.push(format!("{name}: the sound run fails: {e}"));
                }
                if runs.under(broken).is_ok() {
                    problems.push(format!("{name}: the broken run does not fail"));
                }
                continue;
            }
            let mut holds = |words: Vec<(&str, &str)>| {
                runs.evaluate(words, mistake.effect)
                    .map(|all| all.iter().all(|&x| x != 0.0))
            };
            match (holds(sound), holds(broken)) {
                (Ok(false), Ok(true)) => {}
                (sound, broken) => problems.push(format!(
                    "{name}: {} is {sound:?} when sound and {broken:?} when broken",
                    mistake.effect
                )),
            }
        }
    }
    none(problems);
}

#[test]
fn every_exercise_passes_solved_and_fails_unsolved_and_with_each_mistake() {
    let mut problems = Vec::new();
    for lesson in LESSONS {
        let core = lesson.exercise.is_some();
        assert_eq!(
            core,
            lesson.name != "tour",
            "every other lesson has an exercise"
        );
    }
    let all = LESSONS.iter();
    for (lesson, exercise) in all.flat_map(|l| l.exercises().map(move |e| (l, e))) {
        if let Err(failure) = exercise.function.reference() {
            problems.push(format!(
                "{}: the reference fails: {failure:?}",
                exercise.name
            ));
        }
        if exercise.function.unsolved().is_ok() {
            problems.push(format!("{}: the starter passes", exercise.name));
        }
        let known = exercise.function.mistakes();
        assert!(
            known.len() >= 3,
            "{} knows {} mistakes",
            exercise.name,
            known.len()
        );
        for (n, change) in exercise.changes.iter().enumerate() {
            let is_switch = lesson
                .exercise
                .as_ref()
                .is_some_and(|e| e.name == exercise.name)
                && lesson.switch_number(change.name).is_some();
            let again = exercise.changes[..n].iter().any(|c| c.name == change.name);
            if again || change.says.is_some() && is_switch {
                problems.push(format!("{}: two are {}", exercise.name, change.name));
            }
        }
        for name in known {
            let hint = lesson.hint(exercise, name);
            assert!(
                hint.is_some_and(|hint| !hint.is_empty()),
                "{}: {name} has no hint",
                exercise.name
            );
            let outcome = exercise.function.mistaken(name).expect("it is a known one");
            match outcome.map_err(|failure| lesson.explained(exercise, failure)) {
                Err(failure) if failure.likely.as_deref() == hint => {}
                Err(failure) => problems.push(format!(
                    "{}: {name} is taken for {:?}",
                    exercise.name, failure.likely
                )),
                Ok(()) => problems.push(format!("{}: {name} passes", exercise.name)),
            }
        }
        assert!(
            exercise.hints.iter().all(|hint| !hint.is_empty()) && !exercise.why.is_empty(),
            "{}",
            exercise.name
        );
    }
    none(problems);
}

/// A few pseudo-random cells of every step, the same on every machine.
fn sample(trace: &Trace) -> Vec<(usize, Vec<usize>)> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut draw = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut cells = Vec::new();
    for (number, step) in trace.steps().iter().enumerate() {
        if !step.value.is_empty() {
            let pick = |_| step.value.shape().iter().map(|&n| draw(n)).collect();
            cells.extend((0..3).map(pick).map(|index: Vec<usize>| (number, index)));
        }
    }
    cells
}

/// Recomputes a cell from its explanation, then three of its terms, three terms of each, and from there one term per
/// level down to a leaf. (Three at every level would be 3 to the power of the depth.)
fn descend(trace: &Trace, step: usize, index: &[usize], seen: &mut usize) -> Result<(), String> {
    descend_from(trace, step, index, 0, seen)
}

fn descend_from(
    trace: &Trace,
    step: usize,
    index: &[usize],
    depth: usize,
    seen: &mut usize,
) -> Result<(), String> {
    *seen += 1;
    let cell = trace.explain(step, index);
    let at = &trace.steps()[step];
    if at.computed().is_none() {
        return if cell.terms.is_empty() && cell.formula == at.op() {
            Ok(())
        } else {
            Err(format!("leaf {} explains itself", at.name))
        };
    }
    let terms: Vec<_> = cell.terms.iter().map(|t| (t.role, t.value)).collect();
    let value = recompute(&cell.formula, &terms)
        .map_err(|e| format!("{}{index:?}: {}: {e}", at.name, cell.formula))?;
    let got = f64::from(cell.value);
    let both_nan = value.is_nan() && got.is_nan();
    // The rounding error of a sum grows with the size of its terms, not with the result.
    let scale: f64 = cell
        .terms
        .iter()
        .map(|t| f64::from(t.value).abs())
        .filter(|x| *x < 1e6)
        .fold(1.0, f64::max);
    if !both_nan && (value - got).abs() > 2e-5 * scale.max(got.abs()) {
        return Err(format!(
            "{}{index:?} is {got}, {} gives {value}",
            at.name, cell.formula
        ));
    }
    for term in &cell.terms {
        if let Some(from) = term.step {
            let held = trace.steps()[from].value.at(&term.index);
            if held.to_bits() != term.value.to_bits() {
                return Err(format!(
                    "{}{:?} holds {held}, the term says {}",
                    term.tensor, term.index, term.value
                ));
            }
        }
    }
    let inside: Vec<_> = cell
        .terms
        .iter()
        .filter(|term| term.step.is_some())
        .collect();
    let ways = if depth < 2 { 3 } else { 1 };
    let spread = inside.len().div_ceil(ways).max(1);
    // A different term at every depth, so that all roles are followed.
    let first = (*seen + depth) % spread;
    for term in inside.into_iter().skip(first).step_by(spread) {
        let from = term.step.expect("the others were left out");
        descend_from(trace, from, &term.index, depth + 1, seen)?;
    }
    Ok(())
}

#[test]
fn any_cell_can_be_recomputed_from_its_terms_down_to_the_leaves() {
    let mut problems = Vec::new();
    for lesson in LESSONS.into_iter().chain([PLAYGROUND]) {
        let mut runs = Runs::new(lesson);
        let mut seen = 0;
        let switches = lesson.mistakes.iter().map(|m| vec![("break", m.name)]);
        for words in [Vec::new()].into_iter().chain(switches) {
            // A mistake whose run ends in an error has no cells.
            let Ok((_, settings, run)) = runs.under(words) else {
                continue;
            };
            for (step, index) in sample(&run.trace) {
                if let Err(e) = descend(&run.trace, step, &index, &mut seen) {
                    problems.push(format!("{} {settings}: {e}", lesson.name));
                }
            }
        }
        assert!(seen > 50, "{}: {seen} cells recomputed", lesson.name);
    }
    none(problems);
}

#[test]
fn any_cell_of_the_full_size_model_can_be_recomputed_in_all_six_layers() {
    let mut params = Params::new(3);
    let config = Config::annotated(30_000, 30_000);
    let model = Transformer::new(&mut params, &config);
    assert_eq!(params.count(), 90_250_544);
    let tape = Tape::eval(&params);
    let ids = |rows: [f32; 8]| Tensor::new(&[2, 4], rows.to_vec());
    let src = ids([17.0, 4000.0, 29_999.0, 5.0, 8.0, 123.0, 0.0, 0.0]);
    let tgt = ids([1.0, 17_000.0, 25.0, 9.0, 1.0, 6.0, 0.0, 0.0]);
    model.forward(
        &tape.ids("src", src, &["b", "s"]),
        &tape.ids("tgt", tgt, &["b", "t"]),
    );
    let trace = tape.trace();
    let (mut seen, mut problems) = (0, Vec::new());
    let mut layers = std::collections::BTreeSet::new();
    for (step, index) in sample(&trace) {
        if let Err(e) = descend(&trace, step, &index, &mut seen) {
            problems.push(e);
        }
        let name = &trace.steps()[step].name;
        layers.extend(
            name.split_once(".layers.")
                .map(|(side, rest)| (side.to_owned(), rest[..1].to_owned())),
        );
    }
    none(problems);
    assert_eq!(layers.len(), 12, "{layers:?}");
    assert!(seen > 5000, "{seen} cells recomputed");
}

#[test]
fn every_tensor_has_named_axes_and_a_nature_that_fits() {
    for lesson in LESSONS.into_iter().chain([PLAYGROUND]) {
        for step in Session::new(lesson).trace().steps() {
            let (name, axes) = (&step.name, &step.axes);
            assert_eq!(axes.len(), step.value.rank(), "{} {name}", lesson.name);
            for (axis, &size) in axes.iter().zip(step.value.shape()) {
                assert!(
                    size == 1 || !axis.is_empty(),
                    "{} {name}: {axes:?} of {:?}",
                    lesson.name,
                    step.value.shape()
                );
            }
            let whole = step.value.data().iter().all(|x| x.fract() == 0.0);
            assert!(
                whole || matches!(step.nature, Nature::Signed | Nature::Probability),
                "{} {name}",
                lesson.name
            );
        }
    }
}

#[test]
fn every_quiz_question_has_one_right_answer_and_the_engine_gives_it() {
    let mut problems = Vec::new();
    for lesson in LESSONS {
        let questions = quiz::parse(lesson.quiz).unwrap_or_else(|e| panic!("{}: {e}", lesson.name));
        assert!(
            questions.len() >= 3,
            "{} asks {} questions",
            lesson.name,
            questions.len()
        );
        let mut runs = Runs::new(lesson);
        for question in questions {
            problems.extend(question_problems(&mut runs, lesson.name, &question));
        }
    }
    none(problems);
}

/// The questions of a lesson, each with the number of its right option, from 0.
fn answered(lesson: &'static Lesson) -> Vec<(Predict, usize)> {
    let mut runs = Runs::new(lesson);
    let quiz = quiz::parse(lesson.quiz).unwrap_or_else(|e| panic!("{e}"));
    let of_pages = pages(lesson);
    let of_pages = of_pages.iter().flat_map(Page::predictions).cloned();
    let with_right = |question: Predict| {
        let live = runs.live(&question).unwrap_or_else(|e| panic!("{e}"));
        let is_right = |option: &page::PredictOption| {
            live.equal(&question.answer, &option.value).unwrap_or(false)
        };
        let right = question.options.iter().position(is_right);
        let right = right.unwrap_or_else(|| panic!("no right option: {}", question.ask));
        (question, right)
    };
    of_pages.chain(quiz).map(with_right).collect()
}

/// Nothing but its meaning may tell the right option from the others.
#[test]
fn the_right_option_has_neither_a_favourite_place_nor_the_most_words() {
    let all: Vec<(Predict, usize)> = LESSONS.iter().flat_map(|lesson| answered(lesson)).collect();
    let share = |count: usize, of: usize| 100.0 * count as f64 / of as f64;
    let of_four: Vec<usize> = all
        .iter()
        .filter(|(question, _)| question.options.len() == 4)
        .map(|(_, right)| *right)
        .collect();
    let mut problems = Vec::new();
    for index in 0..4 {
        let percent = share(
            of_four.iter().filter(|right| **right == index).count(),
            of_four.len(),
        );
        if !(20.0..=30.0).contains(&percent) {
            problems.push(format!(
                "option {} is right in {percent:.0} % of {}",
                index + 1,
                of_four.len()
            ));
        }
    }
    let longest = |(question, right): &&(Predict, usize)| {
        let lengths: Vec<usize> = question
            .options
            .iter()
            .map(|option| page::unmarked(&option.text).chars().count())
            .collect();
        let others = lengths.iter().enumerate().filter(|(n, _)| n != right);
        others.map(|(_, length)| *length).max() < Some(lengths[*right])
    };
    let percent = share(all.iter().filter(longest).count(), all.len());
    if percent > 30.0 {
        problems.push(format!(
            "the right option is the longest in {percent:.0} % of {}",
            all.len()
        ));
    }
    let counts = |(question, _): &&(Predict, usize)| {
        let ask = question.ask.to_lowercase();
        ["shape", "how many", "number of"]
            .iter()
            .any(|words| ask.contains(words))
    };
    let percent = share(all.iter().filter(counts).count(), all.len());
    if percent > 10.0 {
        problems.push(format!(
            "{percent:.0} % of {} ask for a shape or a count",
            all.len()
        ));
    }
    none(problems);
}

/// The marks in a text, with their line numbers.
fn marks_of(text: &str) -> Vec<(usize, Mark<'_>)> {
    let all = marks(text);
    all.map(|(line, mark)| (line, mark.unwrap_or_else(|e| panic!("line {line}: {e}"))))
        .collect()
}

#[test]
fn every_mark_names_something_that_is_there() {
    let mut wrong = Vec::new();
    for lesson in all_lessons() {
        let pages = pages(lesson);
        let mut session = Session::new(lesson);
        let mut before = 0;
        let all = marks_of(lesson.text);
        let starts = |mark: &Mark| matches!(mark, Mark::Do(action) if action.name == "run");
        let starts = all.iter().filter(|(_, mark)| starts(mark));
        let starts: Vec<usize> = starts.map(|(line, _)| *line).collect();
        for (line, mark) in all {
            let at = |why: String| format!("lessons/{}/lesson.md:{line}: {why}", lesson.folder);
            wrong.extend(mark.resolve(lesson).err().map(at));
            // Arrange the stage as the page does. Marks on the same line keep the knobs that earlier ones have set.
            let page = pages.iter().rfind(|page| page.line <= line);
            let stage = page.and_then(Page::stage).filter(|_| line != before);
            wrong.extend(stage.and_then(|stage| session.arrange(stage).err().map(at)));
            before = line;
            match mark {
                // A lesson may demonstrate a value that the run refuses.
                Mark::Set { knob, value } => drop(session.set(knob, value)),
                Mark::Look(name) | Mark::Cell(name) => {
                    let tensor = name.split('[').next().unwrap_or(name);
                    wrong.extend(session.show(tensor).err().map(at));
                    let body = session.picture().map(|picture| &picture.body);
                    let waits = matches!(body, Some(Body::Job(job)) if job.pace.is_zero());
                    let next = pages.iter().map(|page| page.line).find(|next| *next > line);
                    let page = page.map_or(0, |page| page.line)..next.unwrap_or(usize::MAX);
                    if waits && !starts.iter().any(|start| page.contains(start)) {
                        let why = format!("{name} waits, and no do:run of the page starts it");
                        wrong.push(at(why));
                    }
                }
                _ => {}
            }
        }
        for (line, mark) in marks_of(lesson.quiz) {
            let at = |why: String| format!("lessons/{}/lesson.toml:{line}: {why}", lesson.folder);
            wrong.extend(mark.resolve(lesson).err().map(at));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A key of the screen or a command that a text names outside its marks.
fn key_in(text: &str) -> Option<&'static str> {
    const SIGNS: [&str; 14] = [
        "< and >", "{ and }", "[ and ]", " with }", " with ]", " `:", "(`:", "type :", "Type :",
        "Ctrl-", "←", "↓", "`]`", "`}`",
    ];
    const WORDS: [&str; 9] = [
        "press",
        "Press",
        "Enter",
        "Backspace",
        "Space",
        "Esc",
        "Tab",
        "palette",
        "cursor",
    ];
    let tied = text.replace("Press and Wolf", "");
    let named = |word: &&&str| {
        let mut words = tied.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.any(|other| other == **word)
    };
    let sign = SIGNS.iter().find(|sign| tied.contains(**sign));
    sign.or_else(|| WORDS.iter().find(named)).copied()
}

#[test]
fn no_text_names_a_key_where_a_mark_says_what_to_do() {
    let mut named = Vec::new();
    for lesson in all_lessons() {
        // Text for all front ends, such as the book's, names no key.
        let text = for_front_end(lesson.text, FrontEnd::Book);
        let mut code = false;
        for (at, line) in text.lines().enumerate() {
            if let Some(language) = line.strip_prefix("```") {
                code = !code && !matches!(language, "stage" | "predict");
            }
            // The keys that a stage block presses are not text.
            let read = !code && !line.starts_with("press = ");
            if let Some(key) = key_in(&lesson.says(line, FrontEnd::Book)).filter(|_| read) {
                named.push(format!(
                    "lessons/{}/lesson.md:{}: {key}: {line}",
                    lesson.folder,
                    at + 1
                ));
            }
        }
        let mistakes = lesson.mistakes.iter().map(|mistake| mistake.watch);
        let texts = mistakes.chain(lesson.knobs.iter().map(|knob| knob.about));
        for text in texts.chain(
            lesson
                .quiz
                .lines()
                .filter(|line| line.starts_with("why = ") || line.starts_with("ask = ")),
        ) {
            if let Some(key) = key_in(text) {
                named.push(format!(
                    "lessons/{}/lesson.toml: {key}: {text}",
                    lesson.folder
                ));
            }
        }
    }
    assert!(named.is_empty(), "write a mark:\n{}", named.join("\n"));
}

#[test]
fn no_lesson_calls_another_by_a_number_that_it_has_typed() {
    let mut typed = Vec::new();
    for lesson in all_lessons() {
        for (at, line) in lesson.text.lines().enumerate() {
            let lower = line.to_lowercase();
            let named = lower.match_indices("lesson").any(|(at, word)| {
                let after = lower[at + word.len()..].trim_start_matches('s');
                let number: String = after.chars().skip(1).take(2).collect();
                after.starts_with(' ')
                    && number.len() == 2
                    && number.chars().all(|c| c.is_ascii_digit())
            });
            if named {
                typed.push(format!(
                    "lessons/{}/lesson.md:{}: {line}",
                    lesson.folder,
                    at + 1
                ));
            }
        }
    }
    assert!(
        typed.is_empty(),
        "write [lesson](lesson:NAME):\n{}",
        typed.join("\n")
    );
}

fn all_lessons() -> impl Iterator<Item = &'static Lesson> {
    LESSONS
        .iter()
        .copied()
        .chain([PLAYGROUND])
        .map(|lesson| &**lesson)
}
