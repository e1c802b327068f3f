//! Leaving a shared scene, such as the running sentence in the trained model, for the lesson's own experiment or the
//! other way round, and returning to the same place.

use super::{Focus, Session};
use crate::lesson::knob::{PARTS, RUNNING, SCENE, SO_FAR};
use crate::lesson::page::StageBlock;
use crate::lesson::{Run, Settings};

/// State of a scene when it was left.
#[derive(Clone)]
pub(super) struct LeftScene {
    /// The settings, without mistakes.
    settings: Settings,
    /// What was shown, and at which cell.
    looked_at: StageBlock,
}

impl Session {
    /// Switches to the scene that `mistake` breaks, which is not the one shown, and remembers what was shown.
    pub(super) fn leave_for_scene_of(
        &mut self,
        mut settings: Settings,
        mistake: &str,
    ) -> Result<(), String> {
        self.lesson.to_scene_of(mistake, &mut settings)?;
        let left = LeftScene {
            settings: self.requested().sound(),
            looked_at: StageBlock {
                show: self.name_looked_at(),
                at: self.view.cursor.clone(),
                ..StageBlock::default()
            },
        };
        self.scene = Some(left);
        let broken = match settings.text(SCENE) {
            RUNNING => "the trained translator",
            SO_FAR => "your translator",
            _ => "this lesson's own experiment",
        };
        let adopted = self.apply(Ok(settings));
        match &adopted {
            // Only the other scene is impossible, and this one is still shown.
            Err(_) => self.scene = None,
            Ok(()) => {
                let number = self.lesson.switch_number(mistake).unwrap_or(0);
                self.messages.remark = Some(format!(
                    "Switch {number} breaks {broken}, which the stage shows now; switch it off to come back."
                ));
            }
        }
        adopted
    }

    /// The state to return to, if `settings` are those of the other scene with the mistake off again and nothing else
    /// has changed.
    pub(super) fn left_for(&mut self, settings: &Settings) -> Option<LeftScene> {
        let left = self.scene.as_ref()?;
        let mut there = left.settings.clone();
        let scene = settings.text(SCENE);
        there.set(self.lesson.knobs, SCENE, scene).ok()?;
        if there == *settings {
            self.scene.take()
        } else {
            None
        }
    }

    /// Shows a scene again as it was left.
    pub(super) fn come_back(&mut self, left: LeftScene) -> Result<(), String> {
        self.apply(Ok(left.settings))?;
        match &mut self.background.pending {
            Some(pending) => {
                pending.then = Some(left.looked_at);
                Ok(())
            }
            None => self.show_block(&left.looked_at),
        }
    }

    /// Sets the message that turning `knob` has led to the experiment.
    pub(super) fn say_that_scene_was_left(&mut self, knob: &str) {
        self.messages.remark = Some(format!(
            "{knob} is a knob of this lesson's own experiment, which the stage shows now. The knob scene leads back."
        ));
    }

    pub(super) fn say_that_knob_has_no_effect(&mut self, knob: &str) {
        let (what, scene) = match knob {
            PARTS => ("the parts that your translator has", SO_FAR),
            _ => ("what the trained translator reads", RUNNING),
        };
        self.messages.remark = Some(format!(
            "{knob} is kept, and changes nothing here: it is {what}, which the stage shows when the knob scene is at {scene}."
        ));
    }

    fn name_looked_at(&self) -> Option<String> {
        match self.view.focus {
            Focus::Step(n) => Some(self.shown.run.trace.steps().get(n)?.name.clone()),
            Focus::Picture(n) => Some(self.shown.run.pictures.get(n)?.name.to_owned()),
        }
    }

    /// The experiment's counterpart of a step of the trained model, if it has one: `weights` for
    /// `decoder.layers.1.src_attn.weights`.
    pub(super) fn by_last_name(&self, before: &Run, focus: Focus) -> Option<Focus> {
        let Focus::Step(n) = focus else { return None };
        let name = &before.trace.steps()[n].name;
        let last = name.rsplit('.').next().filter(|last| last != name)?;
        self.shown.run.trace.find(last).map(Focus::Step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::testing::{assert_contains, assert_starts_with};

    /// The attention lesson's running sentence, at some other cell.
    fn scene() -> Session {
        let mut session = Session::new(curriculum::find("attention").unwrap());
        session.set("scene", "sentence").unwrap();
        session.show("decoder.layers.1.src_attn.weights").unwrap();
        session.put_cursor(&[0, 2, 4, 3]).unwrap();
        session
    }

    fn place(session: &Session) -> (String, Vec<usize>, String) {
        let step = session.step().expect("a tensor is looked at");
        let cursor = session.cursor().to_vec();
        (step.name.clone(), cursor, session.settings().to_string())
    }

    #[test]
    fn a_switch_that_breaks_the_trained_model_leaves_scene_step_and_cursor_as_they_are() {
        let mut session = scene();
        let before = place(&session);
        session.toggle(1).unwrap();
        assert_eq!(session.settings().text("scene"), "sentence");
        let note = session.run().note.clone().unwrap();
        assert!(note.contains("without the division by √d_k"), "{note}");
        let (step, cursor, _) = place(&session);
        assert_eq!((step, cursor), (before.0.clone(), before.1.clone()));
        session.toggle(1).unwrap();
        assert_eq!(place(&session), before);
        assert_eq!(session.run().note, None);
    }

    #[test]
    fn switching_off_an_experiments_mistake_leads_back_to_the_same_cell() {
        let mut session = scene();
        let before = place(&session);
        session.toggle(4).unwrap();
        assert_eq!(session.settings().text("scene"), "experiment");
        assert_eq!(session.step().unwrap().name, "weights");
        let remark = session.remark().unwrap();
        assert_contains(&remark, "own experiment");
        assert_contains(&remark, "come back");
        session.toggle(4).unwrap();
        assert_eq!(place(&session), before);
        assert_eq!(session.remark(), None);
    }

    #[test]
    fn a_switch_of_the_trained_model_leads_from_the_experiment_to_the_sentence_and_back() {
        let mut session = Session::new(curriculum::find("attention").unwrap());
        session.show("weights").unwrap();
        let before = place(&session);
        session.switch("similar", true).unwrap();
        assert_eq!(session.settings().text("scene"), "sentence");
        assert_contains(
            &session.run().note.clone().unwrap(),
            "by similarity writes: “The dog dog",
        );
        assert_contains(&session.remark().unwrap(), "breaks the trained translator");
        session.switch("similar", false).unwrap();
        assert_eq!(place(&session), before);
    }

    #[test]
    fn another_switch_in_between_leads_back_too_and_a_knob_that_was_turned_does_not() {
        let mut session = scene();
        let before = place(&session);
        session.toggle(4).unwrap();
        session.toggle(3).unwrap();
        session.toggle(3).unwrap();
        assert_eq!(place(&session), before);
        session.toggle(4).unwrap();
        session.set("seed", "8").unwrap();
        session.toggle(4).unwrap();
        assert_eq!(session.settings().text("scene"), "experiment");
    }

    #[test]
    fn an_experiment_that_cannot_be_is_refused_and_the_sentence_stays() {
        let mut session = scene();
        let before = place(&session);
        assert_starts_with(
            &session.toggle(5).unwrap_err(),
            "In this lesson's own experiment: ",
        );
        assert_eq!(place(&session), before);
        assert_eq!(session.remark(), None);
    }

    #[test]
    fn a_sentence_where_none_is_shown_is_said_to_change_nothing() {
        let mut session = scene();
        session.set("text", "Wo ist er?").unwrap();
        assert_eq!(session.remark(), None);
        for scene in ["experiment", "by-hand"] {
            session.set("scene", scene).unwrap();
            session.set("text", scene).unwrap();
            assert_contains(&session.remark().unwrap(), "changes nothing here");
        }
    }

    #[test]
    fn one_switch_of_the_trained_model_takes_the_place_of_another() {
        let mut session = scene();
        session.toggle(1).unwrap();
        session.toggle(7).unwrap();
        assert_eq!(
            session.settings().mistakes().collect::<Vec<_>>(),
            ["no-mask"]
        );
        assert_eq!(
            session.remark(),
            Some(
                "Missing now: the mask over the future (switch 7). Back again: the division by √d_k (switch 1)."
            )
        );
    }

    #[test]
    fn a_knob_of_the_experiment_says_where_it_leads() {
        let mut session = scene();
        session.set("seed", "8").unwrap();
        assert!(session.remark().unwrap().contains("own experiment"));
    }
}
