//! Arranging the stage as a page asks.

use super::Session;
use crate::lesson::page::StageBlock;
use crate::lesson::{Lesson, Settings};

impl Session {
    /// A session for the page with this block. If the block shows the intact trained model, that is its first run: the
    /// lesson's experiment would only delay it. Other runs may take seconds, and the page is read meanwhile.
    pub fn for_page(lesson: &'static Lesson, block: Option<&StageBlock>) -> Self {
        let shown = block.filter(|block| block.mistakes.is_empty() && block.show.is_some());
        let settings = shown.and_then(|block| block_settings(lesson, block).ok());
        let trained = settings.filter(|settings| !lesson.shows_experiment(settings));
        match trained.map(|settings| Self::with(lesson, settings)) {
            Some(Ok(session)) => session,
            _ => Self::new(lesson),
        }
    }

    /// Arranges the stage as a page's block asks, starting from the defaults: knobs, mistakes, what to show. The
    /// block's key presses are left to the front end.
    pub fn arrange(&mut self, block: &StageBlock) -> Result<(), String> {
        let settings = block_settings(self.lesson, block)?;
        if let Some(kept) = self.before_experiment.take() {
            let before = std::mem::replace(&mut self.shown, kept);
            self.forget_edits();
            self.restore(&before.run);
        }
        // A view that the previous page was waiting to show is no longer wanted.
        if let Some(pending) = &mut self.background.pending {
            pending.then = None;
        }
        self.configure(settings)?;
        match &mut self.background.pending {
            Some(pending) => {
                pending.then = Some(block.clone());
                Ok(())
            }
            None => self.show_block(block),
        }
    }

    /// Shows what a page's block asks for, with the cursor where it asks.
    pub(super) fn show_block(&mut self, block: &StageBlock) -> Result<(), String> {
        if let Some(cell) = &block.gradient {
            self.show_gradients_of(&cell.of, &cell.at)?;
        }
        if let Some(name) = &block.show {
            // A page starts at the first cell, wherever the learner was before.
            self.view.cursor.fill(0);
            self.view.axis_positions.clear();
            self.view.multiples = false;
            self.show(name)?;
            self.messages.remark = None;
        }
        if !block.at.is_empty() {
            let mut index = self.view.cursor.clone();
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
}

/// Settings that a page's block asks for: the lesson's defaults, with the block's knobs and mistakes.
fn block_settings(lesson: &Lesson, block: &StageBlock) -> Result<Settings, String> {
    let mut settings = Settings::defaults(lesson.knobs);
    for (knob, value) in &block.set {
        settings.set(lesson.knobs, knob, value)?;
    }
    for mistake in &block.mistakes {
        settings.switch(lesson.mistakes, mistake, true)?;
    }
    Ok(settings)
}
