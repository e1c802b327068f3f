//! Switching mistakes on and off.

use super::Session;
use crate::lesson::{Flaw, Mistake};

impl Session {
    /// Switches a mistake on or off. Mistakes that it excludes go off, and [`Session::remark`] names them.
    pub fn switch(&mut self, mistake: &str, on: bool) -> Result<(), String> {
        let mut settings = self.requested().clone();
        let mut off = Vec::new();
        let mut switched = settings.switch(self.lesson.mistakes, mistake, on);
        let mut there = settings.clone();
        if on && !self.lesson.breaks(&settings, mistake) {
            self.lesson.to_scene_of(mistake, &mut there)?;
        }
        let in_scene = [&settings, &there].map(|settings| !self.lesson.shows_experiment(settings));
        let in_scene = in_scene.contains(&true);
        if on && switched.is_ok() {
            let others = self.requested().mistakes();
            // The trained model is broken in one way at a time, and repaired when its scene is left.
            off = others
                .filter(|other| *other != mistake && (in_scene || self.exclude(mistake, other)))
                .collect();
            for other in &off {
                switched = switched.and(settings.switch(self.lesson.mistakes, other, false));
            }
        }
        if let Err(unknown) = switched {
            return self.apply(Err(unknown));
        }
        if on && !self.lesson.breaks(&settings, mistake) {
            return self.leave_for_scene_of(settings, mistake);
        }
        if let Some(left) = self.left_for(&settings) {
            return self.come_back(left);
        }
        self.apply(Ok(settings))?;
        if let [other] = off[..] {
            self.messages.remark = self.replacement(mistake, other);
        }
        Ok(())
    }

    /// True if two mistakes are mutually exclusive.
    pub fn exclude(&self, one: &str, other: &str) -> bool {
        let exercise = self.lesson.exercise.as_ref();
        let made = exercise.map_or_else(Vec::new, |exercise| exercise.function.mistakes());
        let in_exercise = [one, other].iter().all(|name| made.contains(name));
        in_exercise || self.stage.exclude(one, other)
    }

    /// Sentence about the mistake `on`, which took the place of the mistake `off`.
    fn replacement(&self, on: &str, off: &str) -> Option<String> {
        let [on, off] = [on, off].map(|name| {
            let mut mistakes = self.lesson.mistakes.iter().enumerate();
            mistakes.find(|(_, mistake)| mistake.name == name)
        });
        let ((m, on), (n, off)) = (on?, off?);
        let (m, n) = (m + 1, n + 1);
        let flaw = |mistake: &Mistake| mistake.flaw.or_else(|| Flaw::named(mistake.name));
        Some(match (flaw(on), flaw(off)) {
            (Some(on), Some(off)) => format!(
                "Missing now: {} (switch {m}). Back again: {} (switch {n}).",
                on.missing(),
                off.missing()
            ),
            _ => format!(
                "Switch {m} is on now: {}. Switch {n} is off again: {}.",
                on.title, off.title
            ),
        })
    }

    /// Toggles mistake number `n`, from 1.
    pub fn toggle(&mut self, n: usize) -> Result<(), String> {
        match n.checked_sub(1).and_then(|i| self.lesson.mistakes.get(i)) {
            Some(mistake) => self.switch(mistake.name, !self.requested().broken(mistake.name)),
            None => self.apply(Err(format!(
                "this lesson has {} switches",
                self.lesson.mistakes.len()
            ))),
        }
    }
}
