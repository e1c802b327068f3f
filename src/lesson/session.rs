//! A learner at a stage: the settings, the step looked at, the cursor, and the way down to a cell's
//! origin. The terminal, plain mode, `show` and the book all drive this one.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

mod answers;
pub mod chart;
mod cursor;
pub mod differences;
mod kept;
mod nearest;
mod origin;
mod pending;
mod poke;
mod scene;
mod turn;
pub mod verdict;

pub use origin::ranked;

use super::claim::Live;
use super::page::StageBlock;
use super::picture::{Body, Picture};
use super::{Lesson, Run, Settings, Stage};
use crate::autograd::{Step, Trace};
use crate::lesson::chart::View;
use crate::tensor::threads::message;
use crate::tensor::{Tensor, broadcast};

/// What the stage shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// The recorded tensor with this number.
    Step(usize),
    /// The picture with this number.
    Picture(usize),
}

/// One cell of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The number of its step.
    pub step: usize,
    /// Where in the tensor.
    pub index: Vec<usize>,
}

/// The state of a stage that a learner works at.
pub struct Session {
    lesson: &'static Lesson,
    stage: Arc<dyn Stage>,
    settings: Settings,
    run: Arc<Run>,
    /// The same settings without mistakes; the run itself where none is on.
    sound: Arc<Run>,
    /// Why the last settings asked for could not be; the run is of the last good ones.
    refusal: Option<String>,
    /// What was done beside what was asked, in a sentence.
    said: Option<String>,
    focus: Focus,
    /// The cursor: an index into the tensor looked at, or `[row, column]` of a picture's matrix.
    cursor: Vec<usize>,
    /// Where the cursor stood last on each named axis: another tensor with that axis begins there.
    places: BTreeMap<String, usize>,
    /// The cells asked about, the present one last.
    why: Vec<At>,
    /// Which term of the present cell is chosen.
    term: usize,
    knob: usize,
    difference: bool,
    multiples: bool,
    poked: poke::Poked,
    /// Whether anything was looked at that a learner or a page asked for.
    looked: bool,
    /// What the learner sees of each picture's charts, by the picture's name.
    charts: BTreeMap<&'static str, View>,
    /// How long a run is waited for; `None` as long as it takes.
    patience: Option<std::time::Duration>,
    /// The run being computed, if it takes longer.
    pending: Option<pending::Pending>,
    /// Runs to come back to.
    kept: kept::Kept,
    /// The running sentence, as it was left for the lesson's own experiment.
    scene: Option<scene::Left>,
    /// One clone for every thread that computes a run.
    workers: Arc<()>,
}

impl Session {
    /// A session at the lesson's stage with every knob at its default.
    /// Panics if the stage refuses its own defaults, which a test excludes.
    pub fn new(lesson: &'static Lesson) -> Self {
        let stage: Arc<dyn Stage> = Arc::from(lesson.stage());
        let settings = Settings::defaults(lesson.knobs);
        let run = Arc::new(
            attempt(stage.as_ref(), &settings).unwrap_or_else(|sentence| {
                panic!(
                    "lesson {} refuses its own defaults: {sentence}",
                    lesson.name
                )
            }),
        );
        let mut session = Self {
            lesson,
            stage,
            settings,
            sound: run.clone(),
            run,
            refusal: None,
            said: None,
            focus: Focus::Step(0),
            cursor: Vec::new(),
            places: BTreeMap::new(),
            why: Vec::new(),
            term: 0,
            knob: 0,
            difference: false,
            multiples: false,
            poked: poke::Poked::default(),
            looked: false,
            charts: BTreeMap::new(),
            patience: None,
            pending: None,
            kept: kept::Kept::default(),
            scene: None,
            workers: Arc::default(),
        };
        session.set_focus(Focus::Step(0));
        session.looked = false;
        session
    }

    // What is there.

    /// The lesson.
    pub fn lesson(&self) -> &'static Lesson {
        self.lesson
    }

    /// The stage, for work on another thread.
    pub fn stage(&self) -> Arc<dyn Stage> {
        self.stage.clone()
    }

    /// Where the knobs and switches stand.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The run of these settings.
    pub fn run(&self) -> &Arc<Run> {
        &self.run
    }

    /// The run of these settings without mistakes.
    pub fn sound(&self) -> &Arc<Run> {
        &self.sound
    }

    /// The recorded operations.
    pub fn trace(&self) -> &Trace {
        &self.run.trace
    }

    /// Why the last settings asked for could not be.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// What else was done to make the last settings possible: a stop was skipped, a switch went off.
    pub fn said(&self) -> Option<&str> {
        self.said.as_deref()
    }

    /// What is looked at.
    pub fn focus(&self) -> Focus {
        self.focus
    }

    /// The step looked at; `None` while a picture is.
    pub fn step(&self) -> Option<&Step> {
        match self.focus {
            Focus::Step(n) => Some(&self.run.trace.steps()[n]),
            Focus::Picture(_) => None,
        }
    }

    /// The picture looked at.
    pub fn picture(&self) -> Option<&Picture> {
        match self.focus {
            Focus::Picture(n) => Some(&self.run.pictures[n]),
            Focus::Step(_) => None,
        }
    }

    /// The cursor's index.
    pub fn cursor(&self) -> &[usize] {
        &self.cursor
    }

    /// Whether the slices of a tensor (its heads) are shown side by side, where they have room.
    pub fn shows_multiples(&self) -> bool {
        self.multiples
    }

    /// Shows the slices of tensors side by side, or one at a time again.
    pub(super) fn toggle_multiples(&mut self) -> Result<(), String> {
        let rank = self.step().map_or(0, |step| step.value.rank());
        if !self.multiples && rank < 3 {
            return Err("This has no slices: only tensors of three axes and more do.".to_owned());
        }
        self.multiples = !self.multiples;
        Ok(())
    }

    /// Whether the difference to the sound run is drawn.
    pub fn shows_difference(&self) -> bool {
        self.difference
    }

    /// This step minus the step of the same name in the [`Session::reference`] run; `None` where there is none of the
    /// same shape.
    pub fn difference_of(&self, step: &Step) -> Option<Tensor> {
        let sound = self.reference().trace.tensor(&step.name)?;
        (sound.shape() == step.value.shape())
            .then(|| broadcast::zip(&step.value, sound, |a, b| a - b))
    }

    /// An expression's environment over the present run.
    pub fn live(&self) -> Live<'_> {
        Live {
            stage: self.stage.as_ref(),
            run: &self.run,
            settings: &self.settings,
        }
    }

    // What the learner does.

    /// Says from now on why what was asked for last cannot be, or nothing any more.
    pub fn refuse(&mut self, why: Option<String>) {
        self.said = None;
        self.refusal = why;
    }

    /// Sets a knob; an impossible value becomes the refusal, and the last good run stays.
    pub fn set(&mut self, knob: &str, value: &str) -> Result<(), String> {
        let mut settings = self.asked().clone();
        let set = settings.set(self.lesson.knobs, knob, value);
        let left = set.and_then(|()| self.lesson.leave_scene(&mut settings, knob));
        self.scene = None;
        self.adopt(left.clone().map(|_| settings))?;
        if left == Ok(true) {
            self.say_that_scene_was_left(knob);
        }
        Ok(())
    }

    /// Switches a mistake on or off. Those whose place it takes go off, and [`Session::said`] says so.
    pub fn switch(&mut self, mistake: &str, on: bool) -> Result<(), String> {
        let mut settings = self.asked().clone();
        let mut off = Vec::new();
        let mut switched = settings.switch(self.lesson.mistakes, mistake, on);
        let in_scene = self.lesson.shows_scene(&settings);
        if on && switched.is_ok() {
            let others = self.asked().mistakes();
            // The trained model is broken in one way at a time, and whole again where it is left.
            off = others
                .filter(|other| *other != mistake && (in_scene || self.exclude(mistake, other)))
                .collect();
            for other in &off {
                switched = switched.and(settings.switch(self.lesson.mistakes, other, false));
            }
        }
        if let Err(unknown) = switched {
            return self.adopt(Err(unknown));
        }
        if in_scene && on && !self.lesson.breaks_scene(mistake) {
            return self.leave_for_experiment(settings, mistake);
        }
        if let Some(left) = self.left_for(&settings) {
            return self.come_back(left);
        }
        self.adopt(Ok(settings))?;
        if let [other] = off[..] {
            self.said = Some(format!(
                "{} took the place of {}, which is off now.",
                self.number(mistake),
                self.number(other)
            ));
        }
        Ok(())
    }

    /// Whether two mistakes take each other's place: then both are never on.
    pub fn exclude(&self, one: &str, other: &str) -> bool {
        let exercise = self.lesson.exercise.as_ref();
        let made = exercise.map_or_else(Vec::new, |exercise| exercise.function.mistakes());
        let in_exercise = [one, other].iter().all(|name| made.contains(name));
        in_exercise || self.stage.exclude(one, other)
    }

    /// `switch 3 (mask after the softmax)`.
    fn number(&self, mistake: &str) -> String {
        let all = self.lesson.mistakes;
        all.iter()
            .position(|m| m.name == mistake)
            .map_or_else(String::new, |i| {
                format!("Switch {} ({})", i + 1, all[i].title)
            })
    }

    /// Turns mistake number `n` (from 1) over.
    pub fn toggle(&mut self, n: usize) -> Result<(), String> {
        match n.checked_sub(1).and_then(|i| self.lesson.mistakes.get(i)) {
            Some(mistake) => self.switch(mistake.name, !self.asked().broken(mistake.name)),
            None => self.adopt(Err(format!(
                "this lesson has {} switches",
                self.lesson.mistakes.len()
            ))),
        }
    }

    /// Puts all settings in place at once, as a stage block or `show --set` does.
    pub fn configure(&mut self, settings: Settings) -> Result<(), String> {
        self.scene = None;
        self.adopt(Ok(settings))
    }

    /// Puts the stage as a page's block asks, from the defaults: knobs, mistakes, what to look at.
    /// The block's key presses are the front end's.
    pub fn arrange(&mut self, block: &StageBlock) -> Result<(), String> {
        let mut settings = Settings::defaults(self.lesson.knobs);
        for (knob, value) in &block.set {
            settings.set(self.lesson.knobs, knob, value)?;
        }
        for mistake in &block.mistakes {
            settings.switch(self.lesson.mistakes, mistake, true)?;
        }
        // What the page before wanted to show is no longer wanted.
        if let Some(pending) = &mut self.pending {
            pending.then = None;
        }
        self.configure(settings)?;
        match &mut self.pending {
            Some(pending) => {
                pending.then = Some(block.clone());
                Ok(())
            }
            None => self.look_as(block),
        }
    }

    /// Looks at what a page's block shows, with the cursor where it asks.
    fn look_as(&mut self, block: &StageBlock) -> Result<(), String> {
        if let Some(cell) = &block.gradient {
            self.show_gradients_of(&cell.of, &cell.at)?;
        }
        if let Some(name) = &block.show {
            // A page begins at the first cell, wherever the learner was before.
            self.cursor.fill(0);
            self.places.clear();
            self.multiples = false;
            self.show(name)?;
            self.said = None;
        }
        if !block.at.is_empty() {
            let mut index = self.cursor.clone();
            if block.at.len() > index.len() {
                return Err(format!(
                    "at = {:?} has more indices than {index:?}",
                    block.at
                ));
            }
            index[..block.at.len()].copy_from_slice(&block.at);
            self.put_cursor(&index)?;
        }
        Ok(())
    }

    fn adopt(&mut self, settings: Result<Settings, String>) -> Result<(), String> {
        // What a page wants to be looked at, still to come, holds for the run that is asked for instead.
        let then = self
            .pending
            .take()
            .and_then(|mut pending| pending.then.take());
        self.said = None;
        let entered = settings.and_then(|settings| {
            let made = (settings != self.settings).then(|| self.made(&settings));
            match made {
                Some(None) => {}
                Some(Some(made)) => self.enter(settings, made)?,
                None => {}
            }
            match (&mut self.pending, then) {
                (Some(pending), then) => pending.then = then,
                // In another scene there may be no such thing, and the learner did not ask for it.
                (None, Some(block)) => drop(self.look_as(&block)),
                (None, None) => {}
            }
            Ok(())
        });
        self.refusal = entered.clone().err();
        entered
    }

    /// Looks at a run from now on.
    fn enter(&mut self, settings: Settings, made: pending::Made) -> Result<(), String> {
        let (run, sound) = made.map_err(|why| self.refused(&settings, why))?;
        self.remember();
        let before = std::mem::replace(&mut self.run, run);
        (self.settings, self.sound) = (settings, sound);
        self.forget_edits();
        self.refusal = None;
        self.restore(&before);
        Ok(())
    }

    /// Why settings cannot be, with the scene that this is about where it is another than the one shown.
    fn refused(&mut self, settings: &Settings, why: String) -> String {
        self.said = None;
        let leaves = self.lesson.shows_scene(&self.settings) && !self.lesson.shows_scene(settings);
        match leaves {
            true => format!("In this lesson's own experiment: {why}"),
            false => why,
        }
    }

    /// Looks in this run at what was looked at in the run `before`, or at what stands nearest to it.
    fn restore(&mut self, before: &Run) {
        let cursor = self.cursor.clone();
        self.why.clear();
        self.term = 0;
        if self.settings == self.settings.sound() {
            self.difference = false;
        }
        let (focus, said) = self.nearest(before, self.focus);
        // That another scene is shown says more than that it has other steps.
        self.said = match self.scene {
            Some(_) => self.said.take().or(said),
            None => said.or(self.said.take()),
        };
        self.look_at(focus);
        let shape = self.cursor_shape();
        if cursor.len() == shape.len() {
            self.cursor = cursor
                .iter()
                .zip(&shape)
                .map(|(&i, &n)| i.min(n.saturating_sub(1)))
                .collect();
        }
    }

    /// Looks at a run that an experiment made, until a knob or a switch is turned.
    pub fn adopt_run(&mut self, run: Arc<Run>) {
        self.remember();
        self.sound = run.clone();
        let before = std::mem::replace(&mut self.run, run);
        self.forget_edits();
        self.restore(&before);
    }

    /// Draws the difference to the run before the edits, else to the sound run; or no longer. `Err` says why there is
    /// none.
    pub fn toggle_difference(&mut self) -> Result<(), String> {
        let broken = self.settings.mistakes().next().is_some();
        if !self.difference && self.edits().is_empty() && !broken {
            return Err("No mistake is on, so there is no difference to the sound run.".to_owned());
        }
        self.difference = !self.difference && self.lens().is_none();
        Ok(())
    }
}

/// Runs a stage; a panic of the engine (a shape that cannot be) becomes its sentence. A cancelled run unwinds.
pub fn attempt(stage: &dyn Stage, settings: &Settings) -> Result<Run, String> {
    super::exercise::quietly(|| catch_unwind(AssertUnwindSafe(|| stage.run(settings))))
        .unwrap_or_else(|panic| {
            Err(message(panic).unwrap_or_else(|| "the stage stopped without a word".to_owned()))
        })
}
