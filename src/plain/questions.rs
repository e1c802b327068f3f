//! Predictions and the quiz.

use super::{At, Prompt, WIDTH};
use crate::lesson::page::unmarked;
use crate::lesson::walk::Asked;
use crate::widgets::prose;

impl At<'_> {
    pub(super) fn predict(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let mut asked = self.walk.predictions();
        if asked.is_empty() {
            return prompt.say("This page asks nothing.");
        }
        let before = self.walk.blocks_shown(self.progress);
        if !self.questions(&mut asked, prompt)? {
            return Ok(());
        }
        // The page continues after the question.
        let blocks = self.walk.blocks(self.progress);
        prompt.say(&prose::plain(&blocks[before..], WIDTH))?;
        self.stage(prompt)
    }

    pub(super) fn quiz(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let mut asked = self.walk.quiz().map_err(anyhow::Error::msg)?;
        if asked.is_empty() {
            return prompt.say("There is no quiz here.");
        }
        match self.questions(&mut asked, prompt)? {
            true => prompt.say(&asked.score()),
            false => Ok(()),
        }
    }

    /// Asks each question until the right option is chosen; `false` at the end of input.
    fn questions(&mut self, asked: &mut Asked, prompt: &mut Prompt<'_>) -> anyhow::Result<bool> {
        loop {
            if asked.tried().is_empty() {
                let question = asked.question();
                prompt.say(&format!("\n{}", unmarked(&question.ask)))?;
                for (i, option) in question.options.iter().enumerate() {
                    prompt.say(&format!("  {} {}", i + 1, unmarked(&option.text)))?;
                }
            }
            let Some(line) = prompt.ask("Your choice")? else {
                return Ok(false);
            };
            let chosen = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let count = asked.question().options.len();
            let Some(n) = chosen.filter(|&n| n < count) else {
                prompt.say(&format!("a number from 1 to {count}"))?;
                continue;
            };
            let Some(option) = asked.option(n) else {
                prompt.say("You tried this one; choose another.")?;
                continue;
            };
            let right = self.walk.session.answers(asked.question(), option);
            let right = right.map_err(anyhow::Error::msg)?;
            let yes = if right { "Yes" } else { "No" };
            prompt.say(&format!("{yes}. {}", unmarked(&option.why)))?;
            let done = self.progress.lesson_mut(self.walk.lesson().name);
            asked.enter(n, right, done);
            if right && !asked.go_on() {
                return Ok(true);
            }
        }
    }
}
