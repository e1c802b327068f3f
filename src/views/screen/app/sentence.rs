//! A sentence of the learner's own, translated in the tour or in the playground.

use super::{App, Overlay, Pane};
use crate::curriculum::PLAYGROUND;
use crate::lesson::MOST;

impl App {
    /// Translates a sentence: in the tour if that is open, else in the playground.
    pub fn translate(&mut self, sentence: &str) {
        // A page that still asks a question hides its picture; from the playground, q leads back to it.
        let hidden = self.unanswered().is_some();
        match &mut self.open_lesson {
            Some(open) if open.walk.is_tour() && !hidden => {
                (open.page.job, open.begun) = (None, None);
                self.notice = open.walk.translate(Some(sentence)).err();
            }
            _ => self.play(Some(sentence)),
        }
        // If only one pane is visible, show the translation.
        if self.shows_one_pane() && self.notice.is_none() {
            self.focus(Pane::Stage);
        }
    }

    /// Translates the typed sentence; if that fails, the sentence stays, with the reason.
    pub fn translate_typed(&mut self) -> bool {
        let Some(Overlay::Sentence(typed)) = &self.overlay else {
            return false;
        };
        let (sentence, count) = (typed.text(), typed.count());
        self.notice = match sentence.trim() {
            "" => Some("Type a German sentence first; Esc closes this.".to_owned()),
            _ if count > MOST => Some(format!(
                "A sentence has {MOST} characters at most; this one has {count}."
            )),
            sentence => {
                self.overlay = None;
                self.translate(sentence);
                return true;
            }
        };
        false
    }

    /// Opens the playground, if it is not open yet, with this sentence or else with what the lesson shows: its
    /// sentence and model, or the training run. Going back leads to the lesson as it was left.
    pub fn play(&mut self, sentence: Option<&str>) {
        if !self.plays() {
            let mut covered = self.open_lesson.take();
            if let Some(open) = &mut covered {
                open.page.job = None;
            }
            self.open_at(PLAYGROUND, None, None);
            let Some(open) = &mut self.open_lesson else {
                self.open_lesson = covered;
                return;
            };
            let shown = covered.as_ref().map(|open| open.walk.session.settings());
            let carried = open.walk.carry(shown, self.live.as_ref());
            self.notice = carried.err().or(self.notice.take());
            open.covered_lesson = covered.map(Box::new);
        }
        if let (Some(open), Some(sentence)) = (&mut self.open_lesson, sentence) {
            self.notice = open.walk.translate(Some(sentence)).err();
        }
    }
}
