//! A learner at a stage: the settings, the step looked at, the cursor, and the way down to a cell's
//! origin. The terminal, plain mode, `show` and the book all drive this one.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

pub mod chart;
pub mod differences;
mod pending;
mod poke;
pub mod verdict;

use super::claim::Live;
use super::knob::did_you_mean;
use super::page::{Predict, PredictOption, StageBlock};
use super::picture::{Body, Picture, Place};
use super::{Lesson, Run, Settings, Stage};
use crate::autograd::{Cell, Step, Trace};
use crate::tensor::threads::message;
use crate::tensor::{Tensor, broadcast};
use crate::widgets::curves::view::{Turn, View};

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
    focus: Focus,
    /// The cursor: an index into the tensor looked at, or `[row, column]` of a picture's matrix.
    cursor: Vec<usize>,
    /// The cells asked about, the present one last.
    why: Vec<At>,
    /// Which term of the present cell is chosen.
    term: usize,
    knob: usize,
    difference: bool,
    poked: poke::Poked,
    /// What the learner sees of each picture's charts, by the picture's name.
    charts: BTreeMap<&'static str, View>,
    /// How long a run is waited for; `None` as long as it takes.
    patience: Option<std::time::Duration>,
    /// The run being computed, if it takes longer.
    pending: Option<pending::Pending>,
    /// One clone for every thread that computes a run.
    workers: Arc<()>,
}

impl Session {
    /// A session at the lesson's stage with every knob at its default.
    /// Panics if the stage refuses its own defaults, which a test excludes.
    pub fn new(lesson: &'static Lesson) -> Self {
        let stage: Arc<dyn Stage> = Arc::from((lesson.stage)());
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
            focus: Focus::Step(0),
            cursor: Vec::new(),
            why: Vec::new(),
            term: 0,
            knob: 0,
            difference: false,
            poked: poke::Poked::default(),
            charts: BTreeMap::new(),
            patience: None,
            pending: None,
            workers: Arc::default(),
        };
        session.set_focus(Focus::Step(0));
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

    /// The number of the knob that turning turns.
    pub fn knob(&self) -> usize {
        self.knob
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

    /// The cell asked about, and where it came from; `None` when no cell is.
    pub fn why(&self) -> Option<(&At, Cell)> {
        let at = self.why.last()?;
        Some((at, self.run.trace.explain(at.step, &at.index)))
    }

    /// All cells on the way down, the first one asked about first.
    pub fn way(&self) -> &[At] {
        &self.why
    }

    /// Which term of the present cell is chosen: a place in [`Session::terms`].
    pub fn term(&self) -> usize {
        self.term
    }

    /// The present cell's terms, those with the largest part in it first, partners together: each
    /// entry lists the places in [`Cell::terms`] that form one product, with their value.
    pub fn terms(&self) -> Vec<(Vec<usize>, f32)> {
        self.why().map_or_else(Vec::new, |(_, cell)| ranked(&cell))
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

    /// Sets a knob; an impossible value becomes the refusal, and the last good run stays.
    pub fn set(&mut self, knob: &str, value: &str) -> Result<(), String> {
        let mut settings = self.asked().clone();
        let set = settings.set(self.lesson.knobs, knob, value);
        self.adopt(set.map(|()| settings))
    }

    /// Switches a mistake on or off.
    pub fn switch(&mut self, mistake: &str, on: bool) -> Result<(), String> {
        let mut settings = self.asked().clone();
        let switched = settings.switch(self.lesson.mistakes, mistake, on);
        self.adopt(switched.map(|()| settings))
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

    /// Turns the chosen knob by `by` stops.
    pub fn turn(&mut self, by: isize) -> Result<(), String> {
        let Some(knob) = self.lesson.knobs.get(self.knob) else {
            return Ok(());
        };
        let value = knob.turn(self.asked().text(knob.name), by);
        self.set(knob.name, &value)
    }

    /// Chooses another knob.
    pub fn choose_knob(&mut self, by: isize) {
        let count = self.lesson.knobs.len().max(1) as isize;
        self.knob = (self.knob as isize + by).rem_euclid(count) as usize;
    }

    /// Chooses the knob `name`, if the stage has it.
    pub fn choose(&mut self, name: &str) {
        let found = self.lesson.knobs.iter().position(|k| k.name == name);
        self.knob = found.unwrap_or(self.knob);
    }

    /// Puts all settings in place at once, as a stage block or `show --set` does.
    pub fn configure(&mut self, settings: Settings) -> Result<(), String> {
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
        if let Some(name) = &block.show {
            self.show(name)?;
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
        let entered = settings.and_then(|settings| {
            let made = (settings != self.settings).then(|| self.made(&settings));
            match made {
                Some(None) => {}
                Some(Some(made)) => self.enter(settings, made)?,
                None => {}
            }
            match (&mut self.pending, then) {
                (Some(pending), then) => pending.then = then,
                (None, Some(block)) => self.look_as(&block)?,
                (None, None) => {}
            }
            Ok(())
        });
        self.refusal = entered.clone().err();
        entered
    }

    /// Looks at a run from now on.
    fn enter(&mut self, settings: Settings, made: pending::Made) -> Result<(), String> {
        let (run, sound) = made?;
        let place = self.place();
        (self.settings, self.run, self.sound) = (settings, run, sound);
        self.forget_edits();
        self.refusal = None;
        self.restore(place);
        Ok(())
    }

    /// What the learner looks at, in words that outlive a new run.
    fn place(&self) -> (Option<String>, Vec<usize>) {
        let name = match self.focus {
            Focus::Step(n) => self.run.trace.steps()[n].name.clone(),
            Focus::Picture(n) => self.run.pictures[n].name.to_owned(),
        };
        (Some(name), self.cursor.clone())
    }

    fn restore(&mut self, (name, cursor): (Option<String>, Vec<usize>)) {
        self.why.clear();
        self.term = 0;
        if self.settings == self.settings.sound() {
            self.difference = false;
        }
        let focus = name
            .and_then(|name| self.named(&name))
            .unwrap_or_else(|| Focus::Step(self.run.trace.steps().len() - 1));
        self.set_focus(focus);
        let shape = self.cursor_shape();
        if cursor.len() == shape.len() {
            self.cursor = cursor
                .iter()
                .zip(&shape)
                .map(|(&i, &n)| i.min(n.saturating_sub(1)))
                .collect();
        }
    }

    /// The tensor or picture named `name`.
    pub fn named(&self, name: &str) -> Option<Focus> {
        let picture = self.run.pictures.iter().position(|p| p.name == name);
        picture
            .map(Focus::Picture)
            .or_else(|| self.run.trace.find(name).map(Focus::Step))
    }

    /// Looks at the tensor or picture named `name`; `Err` names the nearest.
    pub fn show(&mut self, name: &str) -> Result<(), String> {
        let Some(focus) = self.named(name) else {
            let steps = self.run.trace.steps().iter().map(|s| s.name.as_str());
            let names: Vec<&str> = steps
                .chain(self.run.pictures.iter().map(|p| p.name))
                .collect();
            return Err(format!(
                "there is no tensor or picture '{name}'{}; there are {}",
                did_you_mean(name, names.iter().copied()),
                names.join(", ")
            ));
        };
        self.set_focus(focus);
        Ok(())
    }

    /// Looks at something else, with the cursor at its first cell.
    pub fn set_focus(&mut self, focus: Focus) {
        self.focus = focus;
        self.cursor = vec![0; self.cursor_shape().len()];
        // A map is read from below.
        if let Some(Body::Map(map)) = self.picture().map(|p| &p.body) {
            self.cursor[0] = map.rows.len().saturating_sub(1);
        }
        self.why.clear();
        self.term = 0;
    }

    /// The shape that the cursor moves in.
    pub fn cursor_shape(&self) -> Vec<usize> {
        use super::Body;
        match self.focus {
            Focus::Step(n) => self.run.trace.steps()[n].value.shape().to_vec(),
            Focus::Picture(n) => match &self.run.pictures[n].body {
                Body::Matrix { values, .. } => values.shape().to_vec(),
                Body::Map(map) => vec![map.rows.len(), 2],
                Body::Table { rows, .. } => vec![rows.len().max(1), 1],
                Body::Bars { bars, .. } => vec![bars.len().max(1), 1],
                _ => Vec::new(),
            },
        }
    }

    /// Goes `by` steps on in the recorded run.
    pub fn advance(&mut self, by: isize) {
        let last = self.run.trace.steps().len() as isize - 1;
        let now = match self.focus {
            Focus::Step(n) => n as isize,
            Focus::Picture(_) => -1,
        };
        self.set_focus(Focus::Step((now + by).clamp(0, last) as usize));
    }

    /// Goes to the next picture, or the one before.
    pub fn turn_picture(&mut self, by: isize) {
        let count = self.run.pictures.len() as isize;
        if count == 0 {
            return;
        }
        let next = match self.focus {
            Focus::Picture(n) => (n as isize + by).rem_euclid(count),
            Focus::Step(_) if by > 0 => 0,
            Focus::Step(_) => count - 1,
        };
        self.set_focus(Focus::Picture(next as usize));
    }

    /// Moves the cursor along an axis counted from the last (0 the columns, 1 the rows, 2 and more
    /// the leading indices); while a cell is asked about, along its terms.
    pub fn move_cursor(&mut self, axis_from_last: usize, by: isize) {
        if !self.why.is_empty() && axis_from_last < 2 {
            let last = self.terms().len().saturating_sub(1) as isize;
            self.term = (self.term as isize + by).clamp(0, last) as usize;
            return;
        }
        if axis_from_last == 0 && self.turn_view(Turn::Read(by)) {
            return;
        }
        let shape = self.cursor_shape();
        let Some(axis) = shape.len().checked_sub(axis_from_last + 1) else {
            return;
        };
        let last = shape[axis].saturating_sub(1) as isize;
        self.cursor[axis] = (self.cursor[axis] as isize + by).clamp(0, last) as usize;
        if axis_from_last >= 2 {
            self.why.clear();
        }
    }

    /// Moves to the next matrix of a tensor of rank 3 and more, through all its leading indices in
    /// order.
    pub fn move_lead(&mut self, by: isize) {
        let shape = self.cursor_shape();
        let Some(leading) = shape.len().checked_sub(2).filter(|&n| n > 0) else {
            return;
        };
        let count: usize = shape[..leading].iter().product();
        let now = (0..leading).fold(0, |at, i| at * shape[i] + self.cursor[i]);
        let mut next = (now as isize + by).clamp(0, count as isize - 1) as usize;
        for axis in (0..leading).rev() {
            self.cursor[axis] = next % shape[axis];
            next /= shape[axis];
        }
        self.why.clear();
        self.term = 0;
    }

    /// Puts the cursor on a cell. `Err` says why there is none.
    pub fn put_cursor(&mut self, index: &[usize]) -> Result<(), String> {
        let shape = self.cursor_shape();
        if index.len() != shape.len() || index.iter().zip(&shape).any(|(i, n)| i >= n) {
            return Err(format!("there is no cell {index:?} in shape {shape:?}"));
        }
        self.cursor = index.to_vec();
        self.why.clear();
        self.term = 0;
        Ok(())
    }

    /// Asks the cell under the cursor where it came from; asked again, follows the chosen term.
    pub fn ask(&mut self) {
        if let Some(opens) = self.place_at_cursor().map(|place| place.opens.clone()) {
            if let Some(focus) = self.named(&opens) {
                self.set_focus(focus);
            }
            return;
        }
        let next = match (self.why(), self.focus) {
            (None, Focus::Step(step)) => Some(At {
                step,
                index: self.cursor.clone(),
            }),
            (None, Focus::Picture(_)) => None,
            (Some((_, cell)), _) => self.terms().get(self.term).and_then(|(places, _)| {
                let term = &cell.terms[*places.first()?];
                term.step.map(|step| At {
                    step,
                    index: term.index.clone(),
                })
            }),
        };
        if let Some(at) = next {
            self.why.push(at);
            self.term = 0;
        }
    }

    /// The box of a map under the cursor.
    pub fn place_at_cursor(&self) -> Option<&Place> {
        let (Body::Map(map), &[row, column]) = (&self.picture()?.body, &self.cursor[..]) else {
            return None;
        };
        map.rows.get(row)?.get(column)?.as_ref()
    }

    /// Looks at a run that an experiment made, until a knob or a switch is turned.
    pub fn adopt_run(&mut self, run: Arc<Run>) {
        let place = self.place();
        (self.sound, self.run) = (run.clone(), run);
        self.forget_edits();
        self.restore(place);
    }

    /// As [`Session::ask`], but follows the chosen product's other factor.
    pub fn ask_partner(&mut self) {
        let Some((_, cell)) = self.why() else { return };
        let next = self.terms().get(self.term).and_then(|(places, _)| {
            let term = &cell.terms[*places.get(1)?];
            term.step.map(|step| At {
                step,
                index: term.index.clone(),
            })
        });
        if let Some(at) = next {
            self.why.push(at);
            self.term = 0;
        }
    }

    /// Goes on to term number `n` (from 1, as [`crate::widgets::stage::describe_why`] lists them) of the
    /// cell asked about: to its first factor, or to its `partner`. `Err` says what there is.
    pub fn follow(&mut self, n: usize, partner: bool) -> Result<(), String> {
        let Some((_, cell)) = self.why() else {
            return Err("no cell is asked about yet".to_owned());
        };
        let rows = self.terms();
        let (places, _) = n
            .checked_sub(1)
            .and_then(|i| rows.get(i))
            .ok_or_else(|| format!("this cell has {} terms, there is no number {n}", rows.len()))?;
        let term = &cell.terms[places[usize::from(partner && places.len() > 1)]];
        let step = term
            .step
            .ok_or_else(|| format!("{} is a constant: the way ends there", term.role))?;
        self.why.push(At {
            step,
            index: term.index.clone(),
        });
        self.term = 0;
        Ok(())
    }

    /// Whether `option` is the right answer to `question`: the engine evaluates both.
    pub fn answers(&self, question: &Predict, option: &PredictOption) -> Result<bool, String> {
        self.judge(question, option)?()
    }

    /// As [`Session::answers`], for a thread of its own: what is asked may have to be trained first.
    pub fn judge(
        &self,
        question: &Predict,
        option: &PredictOption,
    ) -> Result<impl FnOnce() -> Result<bool, String> + Send + 'static, String> {
        let mut settings = Settings::defaults(self.lesson.knobs);
        for (knob, value) in &question.set {
            settings.set(self.lesson.knobs, knob, value)?;
        }
        let known = (settings == self.settings).then(|| self.run.clone());
        let stage = self.stage.clone();
        let (answer, value) = (question.answer.clone(), option.value.clone());
        Ok(move || {
            let run = match known {
                Some(run) => run,
                None => Arc::new(attempt(stage.as_ref(), &settings)?),
            };
            let live = Live {
                stage: stage.as_ref(),
                run: &run,
                settings: &settings,
            };
            live.equal(&answer, &value).map_err(|e| e.to_string())
        })
    }

    /// Goes back up one cell; `false` if no cell was asked about.
    pub fn back(&mut self) -> bool {
        self.term = 0;
        self.why.pop().is_some()
    }

    /// Draws the difference to the run before the edits, else to the sound run; or no longer.
    pub fn toggle_difference(&mut self) {
        let other = !self.edits().is_empty() || self.settings.mistakes().next().is_some();
        self.difference = !self.difference && other && self.lens().is_none();
    }
}

/// Runs a stage; a panic of the engine (a shape that cannot be) becomes its sentence. A cancelled run unwinds.
pub fn attempt(stage: &dyn Stage, settings: &Settings) -> Result<Run, String> {
    super::exercise::quietly(|| catch_unwind(AssertUnwindSafe(|| stage.run(settings))))
        .unwrap_or_else(|panic| {
            Err(message(panic).unwrap_or_else(|| "the stage stopped without a word".to_owned()))
        })
}

/// Groups the terms of a cell into rows, those with the largest part in its value first.
pub fn ranked(cell: &Cell) -> Vec<(Vec<usize>, f32)> {
    let roles: Vec<&str> = {
        let mut seen = Vec::new();
        for term in &cell.terms {
            if !seen.contains(&term.role) {
                seen.push(term.role);
            }
        }
        seen
    };
    let mut rows: Vec<(Vec<usize>, f32)> = if let (true, [one, other]) = (
        cell.formula.starts_with("sum(") && cell.formula.contains('*'),
        &roles[..],
    ) {
        let of = |role: &str| -> Vec<usize> {
            (0..cell.terms.len())
                .filter(|&i| cell.terms[i].role == role)
                .collect()
        };
        let pairs = of(one).into_iter().zip(of(other));
        pairs
            .map(|(a, b)| (vec![a, b], cell.terms[a].value * cell.terms[b].value))
            .collect()
    } else {
        (0..cell.terms.len())
            .map(|i| (vec![i], cell.terms[i].value))
            .collect()
    };
    if rows.len() > 4 {
        // In a softmax the largest score has the largest part, and a blocked one none.
        let by_exp = cell.formula.contains("exp(");
        let part = |value: f32| if by_exp { value } else { value.abs() };
        rows.sort_by(|a, b| part(b.1).total_cmp(&part(a.1)));
    }
    rows
}
