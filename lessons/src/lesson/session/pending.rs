//! Runs that take longer than a key press, computed on another thread while the previous run stays on the screen.

use std::sync::Arc;
use std::time::Duration;

use super::turn::Turning;
use super::{RunPair, Session, run_stage};
use crate::lesson::awaited::Awaited;
use crate::lesson::page::StageBlock;
use crate::lesson::{Run, Settings, Stage};

/// Both runs, or why the settings are impossible.
pub(super) type PairResult = Result<RunPair, String>;

/// A run in progress.
pub(super) struct Pending {
    settings: Settings,
    made: Awaited<RunPair>,
    /// What to show when it is ready.
    pub(super) then: Option<StageBlock>,
    /// The knob being turned: if this stop turns out to be impossible, it moves on to the next.
    pub(super) turning: Option<Turning>,
}

/// The reply to a request for settings.
pub(super) enum RunReply {
    /// The run on the screen has them.
    Current,
    /// Their run is ready, or they are impossible.
    Ready(PairResult),
    /// Their run takes longer than the session waits.
    Pending(Box<Pending>),
}

/// Runs the stage; computes the sound run too unless it is given or is the same run.
fn make(stage: &dyn Stage, settings: &Settings, sound: Option<Arc<Run>>) -> PairResult {
    let sound_settings = settings.sound();
    let sound = match sound {
        Some(sound) => sound,
        None => Arc::new(run_stage(stage, &sound_settings)?),
    };
    let run = if *settings == sound_settings {
        sound.clone()
    } else {
        Arc::new(run_stage(stage, settings)?)
    };
    Ok(RunPair { run, sound })
}

impl Session {
    /// Limits the wait for a run to `patience`; a run that takes longer is collected by [`Session::take_computed`].
    /// Without a limit, a session waits for as long as it takes.
    pub fn set_patience(&mut self, patience: Duration) {
        self.background.patience = Some(patience);
    }

    /// True if a run is in progress.
    pub fn is_computing(&self) -> bool {
        self.background.pending.is_some()
    }

    /// True if the view that a page asks for is still being computed, so that what is shown now is not the page's.
    pub fn awaits_page_view(&self) -> bool {
        let pending = self.background.pending.as_ref();
        pending.is_some_and(|pending| pending.then.is_some())
    }

    /// True if no view has been shown before the one that is being computed.
    pub fn awaits_first_view(&self) -> bool {
        !self.view.touched && self.awaits_page_view()
    }

    /// Time since the run in progress began.
    pub fn computing_for(&self) -> Duration {
        let pending = self.background.pending.as_ref();
        pending.map_or(Duration::ZERO, |pending| pending.made.elapsed())
    }

    /// The settings last requested: those of the run in progress or, without one, of the current run.
    pub fn requested(&self) -> &Settings {
        let pending = self.background.pending.as_ref();
        pending.map_or(&self.settings, |pending| &pending.settings)
    }

    /// Number of threads computing runs for this session. A cancelled one ends a few milliseconds later.
    #[cfg(test)]
    fn workers(&self) -> usize {
        Arc::strong_count(&self.background.workers) - 1
    }

    /// Requests the run with `settings`, and waits for it as long as the session is patient.
    pub(super) fn request(&mut self, settings: &Settings) -> RunReply {
        if *settings == self.settings {
            return RunReply::Current;
        }
        let sound = (settings.sound() == self.settings.sound()).then(|| self.shown.sound.clone());
        let sound = sound.or_else(|| self.run_cache.find(&settings.sound()));
        if let (Some(run), Some(sound)) = (self.run_cache.find(settings), &sound) {
            let sound = sound.clone();
            return RunReply::Ready(Ok(RunPair { run, sound }));
        }
        let Some(patience) = self.background.patience else {
            return RunReply::Ready(make(self.stage.as_ref(), settings, sound));
        };
        let (stage, requested, worker) = (
            self.stage.clone(),
            settings.clone(),
            self.background.workers.clone(),
        );
        let made = Awaited::begin(move || {
            let _worker = worker;
            make(stage.as_ref(), &requested, sound)
        });
        match made.within(patience) {
            Some(made) => RunReply::Ready(made),
            None => RunReply::Pending(Box::new(Pending {
                settings: settings.clone(),
                made,
                then: None,
                turning: None,
            })),
        }
    }

    /// Collects the run in progress if it is ready; true if there is something new to see.
    pub fn take_computed(&mut self) -> bool {
        let made = (self.background.pending.as_ref())
            .and_then(|pending| pending.made.within(Duration::ZERO));
        let Some(made) = made else { return false };
        let Some(mut pending) = self.background.pending.take() else {
            return false;
        };
        let turning = pending.turning.take();
        let looked = match (self.show_run(pending.settings.clone(), made), turning) {
            (Err(why), Some(mut turning)) => {
                turning.passed.push((turning.from.clone(), why));
                self.turn_on(turning)
            }
            (Ok(()), turning) => {
                self.messages.remark = turning
                    .and_then(|turning| turning.message())
                    .or(self.messages.remark.take());
                Ok(())
            }
            (entered, None) => entered,
        };
        if let (Ok(()), Some(block)) = (&looked, pending.then.take()) {
            // A knob turned meanwhile may have led to a run without what the page shows. A test of all pages ensures
            // that each page's own run has it.
            let _ = self.show_block(&block);
        }
        if let Err(sentence) = looked {
            self.messages.refusal = Some(sentence);
        }
        true
    }

    /// Cancels the run in progress and keeps the previous one; false if there is none.
    pub fn stop_computing(&mut self) -> bool {
        self.background.pending.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use crate::clock::Instant;

    use super::*;
    use crate::curriculum;
    use crate::lesson::session::Intent;

    /// A session that never waits, at a stage that has to train.
    fn hurried() -> Session {
        let mut session = Session::new(curriculum::find("copy-task").unwrap());
        session.set_patience(Duration::ZERO);
        session
    }

    #[track_caller]
    fn wait(session: &mut Session) {
        let end = Instant::now() + Duration::from_secs(60);
        while !session.take_computed() {
            assert!(Instant::now() < end, "the run never came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_slow_run_arrives_later_and_the_previous_one_stays_until_then() {
        let mut session = hurried();
        let before = session.run().clone();
        // Set both at once: a run with no training steps might be ready at once.
        let mut settings = session.settings().clone();
        for (knob, value) in [("seed", "301"), ("step", "60")] {
            settings.set(session.lesson().knobs, knob, value).unwrap();
        }
        session.configure(settings).unwrap();
        session.set("step", "120").unwrap();
        assert!(session.is_computing());
        assert!(Arc::ptr_eq(session.run(), &before));
        let seed_and_step =
            |settings: &Settings| (settings.integer("seed"), settings.integer("step"));
        assert_eq!(seed_and_step(session.settings()), (7, 0));
        assert_eq!(
            seed_and_step(session.requested()),
            (301, 120),
            "the knob set before, too"
        );
        wait(&mut session);
        assert_eq!(seed_and_step(session.settings()), (301, 120));
        assert!(!session.is_computing() && !Arc::ptr_eq(session.run(), &before));
    }

    #[test]
    fn a_knob_that_is_turned_back_shows_its_run_at_once() {
        let mut session = hurried();
        session.keep_runs(1 << 26);
        let first = session.run().clone();
        session.set("seed", "305").unwrap();
        if session.is_computing() {
            wait(&mut session);
        }
        let other = session.run().clone();
        for (seed, run) in [("7", &first), ("305", &other)] {
            session.set("seed", seed).unwrap();
            assert!(!session.is_computing() && Arc::ptr_eq(session.run(), run));
        }
        let mistake = session.lesson().mistakes[0].name;
        session.act(&Intent::Break(1)).unwrap();
        if session.is_computing() {
            wait(&mut session);
        }
        assert_eq!(session.settings().mistakes().next(), Some(mistake));
        session.act(&Intent::Break(1)).unwrap();
        assert!(!session.is_computing() && Arc::ptr_eq(session.run(), &other));
    }

    #[test]
    fn stopping_a_computation_keeps_the_previous_run() {
        let mut session = hurried();
        session.set("seed", "302").unwrap();
        session.set("step", "60").unwrap();
        assert!(session.stop_computing());
        assert_eq!(session.requested().integer("step"), 0);
        assert!(!session.take_computed());
    }

    #[test]
    fn what_a_run_in_progress_may_have_is_shown_when_it_comes() {
        let mut session = hurried();
        session.set("seed", "304").unwrap();
        session.set("step", "60").unwrap();
        assert!(session.is_computing());
        session.show("a_tensor_of_it").unwrap();
        session.show("tgt_y").unwrap();
        wait(&mut session);
        assert_eq!(session.step().unwrap().name, "tgt_y");
        assert!(session.show("a_tensor_of_it").is_err());
    }

    #[test]
    fn a_page_shows_what_it_asks_for_as_soon_as_it_is_there() {
        let mut session = hurried();
        let block = StageBlock {
            show: Some("tgt_y".to_owned()),
            set: [("seed", "303"), ("step", "60")]
                .map(|(knob, value)| (knob.to_owned(), value.to_owned()))
                .into(),
            at: vec![2, 3],
            ..StageBlock::default()
        };
        session.arrange(&block).unwrap();
        assert!(session.is_computing());
        wait(&mut session);
        assert_eq!(session.step().unwrap().name, "tgt_y");
        assert_eq!(session.cursor(), [2, 3]);
    }
    #[test]
    fn a_page_turned_during_a_run_shows_its_own_view() {
        let mut session = hurried();
        let of_the_run_before = StageBlock {
            show: Some("no step of the defaults".to_owned()),
            set: [("seed", "304"), ("step", "60")]
                .map(|(knob, value)| (knob.to_owned(), value.to_owned()))
                .into(),
            ..StageBlock::default()
        };
        session.arrange(&of_the_run_before).unwrap();
        assert!(session.is_computing());
        let next = StageBlock {
            show: Some("tgt_y".to_owned()),
            ..StageBlock::default()
        };
        session.arrange(&next).unwrap();
        if session.is_computing() {
            wait(&mut session);
        }
        assert_eq!(session.step().unwrap().name, "tgt_y");
        assert!(session.refusal().is_none());
    }

    /// Cancels a run of `lesson` with `knobs` once it has started, and waits until its thread has ended.
    #[track_caller]
    fn cancel(lesson: &str, knobs: &[(&str, &str)]) {
        let mut session = Session::new(curriculum::find(lesson).unwrap());
        session.set_patience(Duration::ZERO);
        let mut settings = session.settings().clone();
        for (knob, value) in knobs {
            settings.set(session.lesson().knobs, knob, value).unwrap();
        }
        session.configure(settings).unwrap();
        assert!(session.is_computing(), "{lesson} {knobs:?} takes time");
        let begun = Instant::now();
        while session.workers() == 0 {
            let waited = begun.elapsed();
            assert!(
                waited < Duration::from_secs(10),
                "{lesson} {knobs:?} begins"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(20));
        assert!(session.stop_computing());
        let begun = Instant::now();
        while session.workers() > 0 {
            let waited = begun.elapsed();
            assert!(
                waited < Duration::from_secs(10),
                "{lesson} {knobs:?} works on"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Uses seeds of its own, because a run cached by another test takes no time.
    #[test]
    fn a_cancelled_run_stops_computing() {
        cancel("graduation", &[("step", "120"), ("seed", "311")]);
        cancel("copy-task", &[("step", "240"), ("seed", "312")]);
    }

    #[test]
    fn turning_a_knob_on_and_leaving_the_lesson_cancel_what_was_asked_before() {
        let mut session = hurried();
        let workers = session.background.workers.clone();
        for seed in 320..330 {
            let mut settings = session.settings().clone();
            for (knob, value) in [("seed", seed.to_string()), ("step", "240".to_owned())] {
                settings.set(session.lesson().knobs, knob, &value).unwrap();
            }
            session.configure(settings).unwrap();
        }
        drop(session);
        let end = Instant::now() + Duration::from_secs(20);
        while Arc::strong_count(&workers) > 1 {
            assert!(Instant::now() < end, "some of the ten work on");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Cancels every knob's last stop and every mistake of every lesson in mid-run.
    #[test]
    fn every_stage_can_be_cancelled_whatever_is_asked_of_it() {
        let mut cancelled = 0;
        for lesson in curriculum::LESSONS {
            let mut session = Session::new(lesson);
            session.set_patience(Duration::ZERO);
            let before = session.settings().clone();
            let stops = |knob: &crate::lesson::Knob| Some((knob.name, knob.stops().pop()?));
            let knobs: Vec<_> = session.lesson().knobs.iter().filter_map(stops).collect();
            let mut asked = Vec::new();
            for (knob, value) in knobs {
                let mut settings = before.clone();
                let set = settings.set(session.lesson().knobs, knob, &value);
                asked.extend(set.is_ok().then_some((knob, settings)));
            }
            for mistake in lesson.mistakes {
                let mut settings = before.clone();
                settings
                    .switch(lesson.mistakes, mistake.name, true)
                    .unwrap();
                asked.push((mistake.name, settings));
            }
            for (what, settings) in asked {
                if session.configure(settings).is_err() || !session.is_computing() {
                    session.configure(before.clone()).unwrap();
                    continue;
                }
                std::thread::sleep(Duration::from_millis(15));
                session.stop_computing();
                let begun = Instant::now();
                while session.workers() > 0 {
                    let waited = begun.elapsed();
                    assert!(
                        waited < Duration::from_secs(30),
                        "{} {what} works on",
                        lesson.name
                    );
                    std::thread::sleep(Duration::from_millis(1));
                }
                cancelled += 1;
            }
        }
        // The others are refused, or ready at once.
        assert!(cancelled >= 100, "only {cancelled} runs were cancelled");
    }
}
