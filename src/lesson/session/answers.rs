//! Judging answers to predictions.

use std::sync::Arc;

use super::{Session, attempt};
use crate::lesson::Settings;
use crate::lesson::claim::Live;
use crate::lesson::page::{Predict, PredictOption};

impl Session {
    /// Whether `option` is the right answer to `question`: the engine evaluates both.
    pub fn answers(&self, question: &Predict, option: &PredictOption) -> Result<bool, String> {
        self.judge(question, option)?()
    }

    /// Prepares [`Session::answers`] for another thread, because the question's run may have to be trained first.
    pub fn judge(
        &self,
        question: &Predict,
        option: &PredictOption,
    ) -> Result<impl FnOnce() -> Result<bool, String> + Send + 'static, String> {
        let mut settings = Settings::defaults(self.lesson.knobs);
        for (knob, value) in &question.set {
            settings.set(self.lesson.knobs, knob, value)?;
        }
        let known = match settings == self.settings {
            true => Some(self.run.clone()),
            false => self.kept.find(&settings),
        };
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
}
