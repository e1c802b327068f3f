//! A learner's session at a stage: the settings, the step in view, the cursor, and the path of cells followed to their
//! origins. The terminal, plain mode, `show` and the book all drive this one type.

use std::collections::BTreeMap;
use std::sync::Arc;

mod answers;
mod block;
pub mod cell_name;
pub mod chart;
mod cursor;
mod edits;
pub mod gradient_check;
mod intent;
mod mistakes;
mod nearest;
mod origin;
mod pending;
mod run_cache;
mod scene;
mod shown_by;
mod turn;
pub mod verdict;

pub use intent::{Direction, GradientOf, Intent, parse_cell, parse_index};
pub use origin::{RankedTerm, ranked};
use pending::RunReply;
pub use shown_by::setting;

use super::claim::RunEnv;
use super::picture::{Body, Picture};
use super::{Lesson, Run, Settings, Stage};
use crate::autograd::{Nature, Step, Trace};
use crate::lesson::chart::View;
use crate::lesson::exercise::catch;

/// What the stage is showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// The recorded tensor with this index.
    Step(usize),
    /// The picture with this index.
    Picture(usize),
}

/// A cell of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellRef {
    /// Index of its step.
    pub step: usize,
    /// Index within the tensor.
    pub index: Vec<usize>,
}

/// A stage with everything that a learner has set and selected.
pub struct Session {
    lesson: &'static Lesson,
    stage: Arc<dyn Stage>,
    settings: Settings,
    shown: RunPair,
    messages: Messages,
    view: StageView,
    provenance: Provenance,
    /// Index of the selected knob.
    knob: usize,
    /// The text that the learner set a knob to last, if it is none of the knob's stops, and that knob's name.
    own_text: Option<(&'static str, String)>,
    edits: edits::Edits,
    background: Background,
    /// Earlier runs to return to.
    run_cache: run_cache::RunCache,
    /// The run of the settings and its sound counterpart, while a run that an experiment made is shown.
    before_experiment: Option<RunPair>,
    /// State of the running sentence's scene when it was left for the lesson's own experiment.
    scene: Option<scene::LeftScene>,
    /// Whether the reader knows what a leak is.
    names_leak: bool,
}

/// A run, and the one to compare it with.
#[derive(Clone)]
struct RunPair {
    run: Arc<Run>,
    /// The run with the same settings but no mistakes; `run` itself if no mistake is on.
    sound: Arc<Run>,
}

/// What a session says about the last request.
#[derive(Default)]
struct Messages {
    /// Why the settings last requested are impossible; the run is then still that of the last valid ones.
    refusal: Option<String>,
    /// A sentence about what was changed beyond the request.
    remark: Option<String>,
}

/// What the stage shows of the run.
struct StageView {
    focus: Focus,
    /// The cursor: an index into the tensor shown, or `[row, column]` in a picture's matrix.
    cursor: Vec<usize>,
    /// Last cursor position on each named axis, where the cursor starts in other tensors with that axis.
    axis_positions: BTreeMap<String, usize>,
    /// How a tensor is compared with that of the sound run.
    comparison: CompareMode,
    /// True if the slices of a tensor are shown side by side.
    multiples: bool,
    /// View of each picture's charts, by the picture's name.
    charts: BTreeMap<&'static str, View>,
    /// True if a learner or a page has asked to look at anything.
    touched: bool,
    /// What this run lacks of what was shown before.
    substituted: Option<nearest::Substituted>,
}

/// How a tensor is compared with that of the sound run, or of the run before the learner's edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompareMode {
    /// Only this run's tensor is drawn.
    Off,
    /// The difference is drawn.
    Difference,
    /// Both are drawn side by side.
    Beside,
}

/// The path from a cell to its origins.
#[derive(Default)]
struct Provenance {
    /// Cells whose origin was asked for, the current one last.
    path: Vec<CellRef>,
    /// Index of the selected term of the current cell.
    term: usize,
}

/// Runs computed on other threads.
#[derive(Default)]
struct Background {
    /// How long to wait for a run; `None` waits for as long as it takes.
    patience: Option<std::time::Duration>,
    /// The run being computed, if it takes longer than `patience`.
    pending: Option<pending::Pending>,
    /// Reference count of the threads that are computing runs: each holds one clone.
    workers: Arc<()>,
}

impl Session {
    /// A session at the lesson's stage with every knob at its default. Panics if the stage refuses its own defaults,
    /// which a test rules out.
    pub fn new(lesson: &'static Lesson) -> Self {
        Self::with(lesson, Settings::defaults(lesson.knobs)).unwrap_or_else(|sentence| {
            panic!(
                "lesson {} refuses its own defaults: {sentence}",
                lesson.name
            )
        })
    }

    /// A session at the lesson's stage with these settings, which switch no mistake on. The error explains why they are
    /// impossible.
    fn with(lesson: &'static Lesson, settings: Settings) -> Result<Self, String> {
        let stage: Arc<dyn Stage> = Arc::from(lesson.stage());
        let run = Arc::new(run_stage(stage.as_ref(), &settings)?);
        let mut session = Self {
            lesson,
            stage,
            settings,
            shown: RunPair {
                sound: run.clone(),
                run,
            },
            messages: Messages::default(),
            view: StageView {
                focus: Focus::Step(0),
                cursor: Vec::new(),
                axis_positions: BTreeMap::new(),
                comparison: CompareMode::Off,
                multiples: false,
                charts: BTreeMap::new(),
                touched: false,
                substituted: None,
            },
            provenance: Provenance::default(),
            knob: 0,
            own_text: None,
            edits: edits::Edits::default(),
            background: Background::default(),
            run_cache: run_cache::RunCache::default(),
            before_experiment: None,
            scene: None,
            names_leak: true,
        };
        session.set_focus(Focus::Step(0));
        session.view.touched = false;
        Ok(session)
    }

    /// The lesson.
    pub fn lesson(&self) -> &'static Lesson {
        self.lesson
    }

    /// The stage, to be used on another thread.
    pub fn stage(&self) -> Arc<dyn Stage> {
        self.stage.clone()
    }

    /// Current knobs and mistakes.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The run with these settings.
    pub fn run(&self) -> &Arc<Run> {
        &self.shown.run
    }

    /// The run with these settings but no mistakes.
    pub fn sound(&self) -> &Arc<Run> {
        &self.shown.sound
    }

    /// The recorded operations.
    pub fn trace(&self) -> &Trace {
        &self.shown.run.trace
    }

    /// The run's leak, unless the reader doesn't know yet what that is.
    pub fn leak(&self) -> Option<f32> {
        self.shown.run.leak.filter(|_| self.names_leak)
    }

    /// Sets whether the reader knows what a leak is.
    pub fn name_leak(&mut self, is_known: bool) {
        self.names_leak = is_known;
    }

    /// Why the settings last requested are impossible.
    pub fn refusal(&self) -> Option<&str> {
        self.messages.refusal.as_deref()
    }

    /// What else had to change for the last request: a stop was skipped, a switch went off.
    pub fn remark(&self) -> Option<&str> {
        self.messages.remark.as_deref()
    }

    /// What is being shown.
    pub fn focus(&self) -> Focus {
        self.view.focus
    }

    /// The step being shown; `None` if a picture is.
    pub fn step(&self) -> Option<&Step> {
        match self.view.focus {
            Focus::Step(n) => Some(&self.shown.run.trace.steps()[n]),
            Focus::Picture(_) => None,
        }
    }

    /// The picture being shown; `None` if a step is.
    pub fn picture(&self) -> Option<&Picture> {
        match self.view.focus {
            Focus::Picture(n) => Some(&self.shown.run.pictures[n]),
            Focus::Step(_) => None,
        }
    }

    /// Index of the cell under the cursor.
    pub fn cursor(&self) -> &[usize] {
        &self.view.cursor
    }

    /// True if the slices of a tensor (its heads) are shown side by side where there is room.
    pub fn shows_multiples(&self) -> bool {
        self.view.multiples
    }

    /// Toggles between showing a tensor's slices side by side and one at a time.
    pub(super) fn toggle_multiples(&mut self) -> Result<(), String> {
        let rank = self.step().map_or(0, |step| step.value.rank());
        if !self.view.multiples && rank < 3 {
            return Err("This has no slices: only tensors of three axes and more do.".to_owned());
        }
        self.view.multiples = !self.view.multiples;
        Ok(())
    }

    /// True if the difference from the sound run is drawn.
    pub fn shows_difference(&self) -> bool {
        self.view.comparison == CompareMode::Difference
    }

    /// True if a tensor is drawn beside that of the sound run.
    pub fn shows_both(&self) -> bool {
        self.view.comparison == CompareMode::Beside
    }

    /// The current run as the environment of an expression.
    pub fn live(&self) -> RunEnv<'_> {
        RunEnv {
            stage: self.stage.as_ref(),
            run: &self.shown.run,
            settings: &self.settings,
        }
    }

    /// Sets the explanation of why the last request is impossible, or clears it.
    pub fn refuse(&mut self, why: Option<String>) {
        self.messages.remark = None;
        self.messages.refusal = why;
    }

    /// Sets a knob. If the value is impossible, the reason becomes the refusal and the last valid run stays.
    pub fn set(&mut self, knob: &str, value: &str) -> Result<(), String> {
        let mut settings = self.requested().clone();
        let set = settings.set(self.lesson.knobs, knob, value);
        let left = set.and_then(|()| self.lesson.leave_scene(&mut settings, knob));
        self.scene = None;
        self.apply(left.clone().map(|_| settings))?;
        self.keep_own_text(knob);
        if left == Ok(true) {
            self.say_that_scene_was_left(knob);
        } else if !self.lesson.matters(self.requested(), knob) {
            self.say_that_knob_has_no_effect(knob);
        }
        Ok(())
    }

    /// Replaces all settings at once, as a stage block or `show --set` does.
    pub fn configure(&mut self, settings: Settings) -> Result<(), String> {
        self.scene = None;
        self.apply(Ok(settings))
    }

    /// Shows the run of `settings`, at once or as soon as it is computed. An error becomes the refusal.
    fn apply(&mut self, settings: Result<Settings, String>) -> Result<(), String> {
        // A page's view that is still waiting for its run now waits for the new one.
        let then = self
            .background
            .pending
            .take()
            .and_then(|pending| pending.then);
        self.messages.remark = None;
        let entered = settings.and_then(|settings| {
            match self.request(&settings) {
                RunReply::Current => {}
                RunReply::Ready(made) => self.show_run(settings, made)?,
                RunReply::Pending(mut pending) => {
                    pending.then = then;
                    self.background.pending = Some(*pending);
                    return Ok(());
                }
            }
            if let Some(block) = then {
                // A different scene may not have the tensor or picture, and the learner did not ask for it.
                let _ = self.show_block(&block);
            }
            Ok(())
        });
        self.messages.refusal = entered.clone().err();
        entered
    }

    /// Shows a run that has been made with `settings`.
    fn show_run(&mut self, settings: Settings, made: pending::PairResult) -> Result<(), String> {
        let made = made.map_err(|why| self.refused(&settings, why))?;
        self.run_cache.put(&settings.sound(), &made.sound);
        self.run_cache.put(&settings, &made.run);
        self.remember();
        self.before_experiment = None;
        let before = std::mem::replace(&mut self.shown, made);
        self.settings = settings;
        self.forget_edits();
        self.messages.refusal = None;
        self.restore(&before.run);
        Ok(())
    }

    /// Why settings are impossible. Says so if that is about the lesson's own experiment while the trained model is
    /// shown.
    fn refused(&mut self, settings: &Settings, why: String) -> String {
        self.messages.remark = None;
        let leaves =
            !self.lesson.shows_experiment(&self.settings) && self.lesson.shows_experiment(settings);
        if leaves {
            format!("In this lesson's own experiment: {why}")
        } else {
            why
        }
    }

    /// Shows in this run what was shown in the run `before`, or what is nearest to it.
    fn restore(&mut self, before: &Run) {
        self.forget_why();
        if self.settings == self.settings.sound() {
            self.view.comparison = CompareMode::Off;
        }
        let remark = self.look_as_before(before);
        // The message about the change of scene matters more than the one about missing steps.
        self.messages.remark = match self.scene {
            Some(_) => self.messages.remark.take().or(remark),
            None => remark.or(self.messages.remark.take()),
        };
    }

    /// Shows a run that an experiment made, until a knob or switch changes or a page asks for its own.
    pub fn adopt_run(&mut self, run: Arc<Run>) {
        self.remember();
        let adopted = RunPair {
            sound: run.clone(),
            run,
        };
        let before = std::mem::replace(&mut self.shown, adopted);
        self.before_experiment.get_or_insert_with(|| before.clone());
        self.forget_edits();
        self.restore(&before.run);
    }

    /// Ends the explanation of a cell.
    fn forget_why(&mut self) {
        self.provenance = Provenance::default();
    }

    /// The run with its values, even while gradients are shown.
    fn values(&self) -> &Arc<Run> {
        self.edits
            .gradients
            .as_ref()
            .map_or(&self.shown.run, |(_, run)| run)
    }

    /// Compares with the run before the edits, or else with the sound run: draws the difference, then both side by side,
    /// then only this run again. The error explains why there is nothing to compare with.
    pub fn compare(&mut self) -> Result<(), String> {
        let broken = self.settings.mistakes().next().is_some();
        let off = self.view.comparison == CompareMode::Off;
        if off && self.edits().is_empty() && !broken {
            return Err(
                "No mistake is on, so there is no difference from the correct run to show."
                    .to_owned(),
            );
        }
        self.view.comparison = match self.view.comparison {
            _ if self.gradients_of().is_some() => CompareMode::Off,
            CompareMode::Off => CompareMode::Difference,
            CompareMode::Difference => CompareMode::Beside,
            CompareMode::Beside => CompareMode::Off,
        };
        Ok(())
    }
}

/// The last single number that a run computes.
fn loss(trace: &Trace) -> Option<CellRef> {
    let single = |s: &Step| s.value.rank() == 0 && s.computed().is_some() && numeric(s);
    let step = trace.steps().iter().rposition(single)?;
    let index = Vec::new();
    Some(CellRef { step, index })
}

/// True if a step's cells are quantities rather than ids or mask bits.
fn numeric(step: &Step) -> bool {
    !matches!(step.nature, Nature::Ids | Nature::Mask) && !step.value.is_empty()
}

/// Runs a stage. A panic of the engine (an impossible shape) becomes an error with its message; a cancelled run
/// unwinds.
pub fn run_stage(stage: &dyn Stage, settings: &Settings) -> Result<Run, String> {
    catch(|| stage.run(settings)).flatten()
}
