//! Turning a knob from stop to stop, over those that cannot be.

use super::Session;
use crate::lesson::{Knob, Settings};

/// A knob on its way to the next stop that can be.
pub(super) struct Turning {
    knob: &'static Knob,
    by: isize,
    /// The settings before it was turned.
    base: Settings,
    /// The stop that was tried last.
    pub(super) from: String,
    /// The stops that cannot be, each with why.
    pub(super) passed: Vec<(String, String)>,
}

impl Turning {
    /// `Skipped d_model 127: …`, of the last stop that was passed over.
    pub(super) fn words(&self) -> Option<String> {
        let (value, why) = self.passed.last()?;
        Some(format!("Skipped {} {value}: {why}", self.knob.name))
    }
}

impl Session {
    /// The number of the knob that turning turns; the first in the place of the running sentence's own where that
    /// sentence is not shown.
    pub fn knob(&self) -> usize {
        let chosen = self.lesson.knobs.get(self.knob);
        let of_sentence = chosen.is_some_and(|knob| knob.name == super::super::knob::SCENE[1]);
        let idle = of_sentence && self.lesson.trained && !self.lesson.shows_scene(self.asked());
        if idle { 0 } else { self.knob }
    }

    /// Chooses another knob.
    pub fn choose_knob(&mut self, by: isize) {
        let count = self.lesson.knobs.len().max(1) as isize;
        self.knob = (self.knob() as isize + by).rem_euclid(count) as usize;
    }

    /// Chooses the knob `name`, if the stage has it.
    pub fn choose(&mut self, name: &str) {
        let found = self.lesson.knobs.iter().position(|k| k.name == name);
        self.knob = found.unwrap_or(self.knob);
    }

    /// Turns the chosen knob to its next stop, over those that cannot be, and says why they cannot. `Err` where none is
    /// left.
    pub fn turn(&mut self, by: isize) -> Result<(), String> {
        let Some(knob) = self.lesson.knobs.get(self.knob()) else {
            return Ok(());
        };
        let base = self.asked().clone();
        let from = base.text(knob.name).to_owned();
        self.turn_on(Turning {
            knob,
            by,
            base,
            from,
            passed: Vec::new(),
        })
    }

    /// Goes on turning from a stop that is the present one, or cannot be.
    pub(super) fn turn_on(&mut self, mut turning: Turning) -> Result<(), String> {
        let knob = turning.knob;
        loop {
            let next = knob.turn(&turning.from, turning.by);
            if next == turning.from {
                let end = match turning.passed.last() {
                    Some((_, why)) => Err(why.clone()),
                    None => Ok(()),
                };
                self.adopt(Ok(turning.base))?;
                return end;
            }
            let mut settings = turning.base.clone();
            let set = settings.set(self.lesson.knobs, knob.name, &next);
            let left = set.and_then(|()| self.lesson.leave_scene(&mut settings, knob.name));
            self.scene = None;
            match self.adopt(left.clone().map(|_| settings)) {
                Ok(()) => {
                    if left == Ok(true) {
                        self.say_that_scene_was_left(knob.name);
                    }
                    turning.from = next;
                    match &mut self.pending {
                        Some(pending) => pending.turning = Some(turning),
                        None => self.said = turning.words().or(self.said.take()),
                    }
                    return Ok(());
                }
                Err(why) => {
                    turning.passed.push((next.clone(), why));
                    turning.from = next;
                }
            }
        }
    }
}
