//! Judging answers to predictions.

use std::sync::Arc;

use super::{Session, run_stage};
use crate::lesson::claim::RunEnv;
use crate::lesson::page::{Predict, PredictOption};
use crate::lesson::{Lesson, Run, Settings, Stage};

impl Session {
    /// True if `option` is the right answer to `question`: the engine evaluates both.
    pub fn answers(&self, question: &Predict, option: &PredictOption) -> Result<bool, String> {
        self.judge(question, option)?()
    }

    /// Prepares [`Session::answers`] for another thread, because the question's run may have to be trained first.
    pub fn judge(
        &self,
        question: &Predict,
        option: &PredictOption,
    ) -> Result<impl FnOnce() -> Result<bool, String> + Send + use<>, String> {
        let settings = self.lesson.settings_of(question)?;
        let known = if settings == self.settings {
            Some(self.unedited().clone())
        } else {
            self.run_cache.find(&settings)
        };
        Ok(judgement(
            self.stage.clone(),
            settings,
            known,
            question,
            option,
        ))
    }
}

impl Lesson {
    /// Like [`Session::judge`], for a question of a lesson that is not open.
    pub fn judge(
        &self,
        question: &Predict,
        option: &PredictOption,
    ) -> Result<impl FnOnce() -> Result<bool, String> + Send + use<>, String> {
        let stage: Arc<dyn Stage> = Arc::from(self.stage());
        Ok(judgement(
            stage,
            self.settings_of(question)?,
            None,
            question,
            option,
        ))
    }

    /// Settings of the run that a question is about.
    fn settings_of(&self, question: &Predict) -> Result<Settings, String> {
        let mut settings = Settings::defaults(self.knobs);
        for (knob, value) in &question.set {
            settings.set(self.knobs, knob, value)?;
        }
        Ok(settings)
    }
}

/// Evaluates answer and option on a run with these settings, which is computed unless it is `known`.
fn judgement(
    stage: Arc<dyn Stage>,
    settings: Settings,
    known: Option<Arc<Run>>,
    question: &Predict,
    option: &PredictOption,
) -> impl FnOnce() -> Result<bool, String> + Send + use<> {
    let (answer, value) = (question.answer.clone(), option.value.clone());
    move || {
        let run = match known {
            Some(run) => run,
            None => Arc::new(run_stage(stage.as_ref(), &settings)?),
        };
        let live = RunEnv {
            stage: stage.as_ref(),
            run: &run,
            settings: &settings,
        };
        live.equal(&answer, &value).map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use crate::curriculum;
    use crate::lesson::quiz;
    use crate::lesson::session::{GradientOf, Session};

    #[test]
    fn gradients_on_the_stage_change_no_verdict() {
        let mut session = Session::new(curriculum::find("gradients").expect("a lesson"));
        let questions = quiz::parse(session.lesson().quiz).expect("it is part of the program");
        let verdicts = |session: &Session| -> Vec<Result<bool, String>> {
            let options = questions.iter().flat_map(|question| {
                let judge = |option| session.answers(question, option);
                question.options.iter().map(judge)
            });
            options.collect()
        };
        let of_values = verdicts(&session);
        session
            .toggle_gradients(GradientOf::Loss)
            .expect("there is a loss");
        assert!(session.gradients_of().is_some());
        assert_eq!(verdicts(&session), of_values);
        assert!(of_values.contains(&Ok(true)));
    }
}
