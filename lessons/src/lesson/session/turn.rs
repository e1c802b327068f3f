//! Turning a knob from stop to stop, skipping impossible ones.

use super::Session;
use crate::lesson::knob::Range;
use crate::lesson::{Knob, Settings, knob};

/// A knob on its way to the next possible stop.
pub(super) struct Turning {
    knob: &'static Knob,
    by: isize,
    /// The settings before the turn.
    base: Settings,
    /// The stop tried last.
    pub(super) from: String,
    /// The impossible stops, each with the reason.
    pub(super) passed: Vec<(String, String)>,
}

impl Turning {
    /// Message about the last stop skipped: `Skipped d_model 127: …`.
    pub(super) fn message(&self) -> Option<String> {
        let (value, why) = self.passed.last()?;
        Some(format!("Skipped {} {value}: {why}", self.knob.name))
    }
}

impl Session {
    /// Index of the selected knob. If that is the running sentence's text while the sentence is not shown, the first
    /// knob takes its place.
    pub fn knob(&self) -> usize {
        let chosen = self.lesson.knobs.get(self.knob);
        let of_sentence = chosen.is_some_and(|knob| knob.name == knob::TEXT);
        let idle = of_sentence && !self.lesson.matters(self.requested(), knob::TEXT);
        if idle { 0 } else { self.knob }
    }

    /// Selects the knob `by` places on, wrapping around.
    pub fn choose_knob(&mut self, by: isize) {
        let count = self.lesson.knobs.len().max(1) as isize;
        self.knob = (self.knob() as isize + by).rem_euclid(count) as usize;
    }

    /// Selects the knob `name`, if the stage has it.
    pub fn choose(&mut self, name: &str) {
        let index = self.lesson.knobs.iter().position(|k| k.name == name);
        self.knob = index.unwrap_or(self.knob);
    }

    /// Keeps the text of the knob `name` for later turns, if it is none of the knob's stops.
    pub(super) fn keep_own_text(&mut self, name: &str) {
        let Ok(knob) = self.lesson.knob(name) else {
            return;
        };
        let value = self.requested().text(knob.name);
        if let Range::Text { stops, .. } = knob.range
            && !stops.contains(&value)
        {
            self.own_text = Some((knob.name, value.to_owned()));
        }
    }

    /// The learner's own text for a knob, if the last one set was for this knob.
    pub fn own_text(&self, knob: &Knob) -> Option<&str> {
        let own = self.own_text.as_ref();
        own.filter(|(name, _)| *name == knob.name)
            .map(|(_, text)| &**text)
    }

    /// The values that turning a knob goes through: the learner's own text, if there is one, then the knob's stops.
    pub fn stops(&self, knob: &Knob) -> Vec<String> {
        let own = self.own_text(knob).map(ToOwned::to_owned);
        own.into_iter().chain(knob.stops()).collect()
    }

    /// Turns the selected knob to its next possible stop and says why others were skipped. `Err` if no stop is left.
    pub fn turn(&mut self, by: isize) -> Result<(), String> {
        let Some(knob) = self.lesson.knobs.get(self.knob()) else {
            return Ok(());
        };
        let base = self.requested().clone();
        let from = base.text(knob.name).to_owned();
        self.turn_on(Turning {
            knob,
            by,
            base,
            from,
            passed: Vec::new(),
        })
    }

    /// Continues turning from `turning.from`, which is either the current stop or an impossible one.
    pub(super) fn turn_on(&mut self, mut turning: Turning) -> Result<(), String> {
        let knob = turning.knob;
        let stops = self.stops(knob);
        loop {
            let next = Knob::turn(&stops, &turning.from, turning.by);
            if next == turning.from {
                self.apply(Ok(turning.base))?;
                if let Some((_, why)) = turning.passed.pop() {
                    return Err(why);
                }
                self.messages.remark = Some(at_end(knob.name, &stops, turning.by));
                return Ok(());
            }
            let mut settings = turning.base.clone();
            let set = settings.set(self.lesson.knobs, knob.name, &next);
            let left = set.and_then(|()| self.lesson.leave_scene(&mut settings, knob.name));
            self.scene = None;
            match self.apply(left.clone().map(|_| settings)) {
                Ok(()) => {
                    if left == Ok(true) {
                        self.say_that_scene_was_left(knob.name);
                    }
                    turning.from = next;
                    match &mut self.background.pending {
                        Some(pending) => pending.turning = Some(turning),
                        None => {
                            self.messages.remark = turning.message().or(self.messages.remark.take())
                        }
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

/// Sentence for a knob that is at the last of its stops, in the direction of `by`.
fn at_end(knob: &str, stops: &[String], by: isize) -> String {
    let (stop, way) = if by > 0 {
        (stops.last(), "up")
    } else {
        (stops.first(), "down")
    };
    let stop = stop.map_or("", String::as_str);
    format!("{knob} is {stop}: turning {way} ends here.")
}
