//! Predictions and the quiz.

use std::time::Duration;

use super::{PlainLesson, Prompt, WIDTH};
use crate::curriculum;
use crate::lesson::own_words::{LONGEST, score};
use crate::lesson::page::unmarked;
use crate::lesson::progress::{Explanation, today};
use crate::lesson::walk::{Attempt, Questions};
use crate::widgets::prose;

impl PlainLesson<'_> {
    pub(super) fn predict(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let mut questions = self.walk.predictions();
        if questions.is_empty() {
            return prompt.say("This page asks nothing.");
        }
        let before = self.walk.blocks_shown(self.progress);
        if !self.questions(&mut questions, prompt)? {
            return Ok(());
        }
        // The page continues after the question.
        let blocks = self.walk.blocks(self.progress);
        let on = self.walk.session.requested().mistakes();
        prompt.say(&prose::plain(&blocks[before..], WIDTH, on))?;
        self.stage(prompt)
    }

    pub(super) fn quiz(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let mut questions = match self.quiz.take() {
            Some(left) => left,
            None => {
                let earlier = curriculum::before(&self.walk, self.progress);
                let questions = self.walk.quiz(&earlier, self.progress, today());
                questions.map_err(anyhow::Error::msg)?
            }
        };
        if questions.is_empty() {
            return prompt.say("There is no quiz here.");
        }
        if self.questions(&mut questions, prompt)? {
            prompt.say(&questions.score())
        } else {
            self.quiz = Some(questions);
            Ok(())
        }
    }

    pub(super) fn explain(&mut self, prompt: &mut Prompt<'_>) -> anyhow::Result<()> {
        let lesson = self.walk.lesson();
        let Some(open) = lesson.own_words else {
            return prompt.say("This lesson asks for no explanation.");
        };
        if let Some(before) = self.progress.lesson(lesson.name).explained {
            prompt.say(&format!("\nYou wrote: {}", before.text))?;
        }
        prompt.say(&format!("\n{}", unmarked(open.ask)))?;
        let Some(text) = prompt.ask("Your explanation, in two or three sentences")? else {
            return Ok(());
        };
        let text: String = text.trim().chars().take(LONGEST).collect();
        if text.is_empty() {
            return prompt.say("Nothing was written, so nothing has changed.");
        }
        prompt.say("Which of these points does it contain?")?;
        let mut points = [false; 3];
        for (point, has) in std::iter::zip(open.points, &mut points) {
            prompt.say(&format!("- {}", unmarked(point)))?;
            let Some(line) = prompt.ask("y or n")? else {
                return Ok(());
            };
            *has = line.trim().starts_with(['y', 'Y']);
        }
        self.progress.lesson_mut(lesson.name).explained = Some(Explanation {
            text,
            points,
            ..Explanation::default()
        });
        prompt.say(&score(&points))
    }

    /// Asks each question until the right option is chosen; `false` if the learner leaves it, or at the end of input.
    fn questions(
        &mut self,
        questions: &mut Questions,
        prompt: &mut Prompt<'_>,
    ) -> anyhow::Result<bool> {
        // A question is asked once, and again when it is returned to.
        let mut asks = true;
        loop {
            if asks {
                let question = questions.question();
                let place = if questions.quiz {
                    format!("\n{}", questions.place())
                } else {
                    String::new()
                };
                prompt.say(&format!("{place}\n{}", unmarked(&question.ask)))?;
                for (i, option) in question.options.iter().enumerate() {
                    prompt.say(&format!("  {} {}", i + 1, unmarked(&option.text)))?;
                }
            }
            asks = false;
            let Some(line) = prompt.ask("Your choice (Return leaves it for later)")? else {
                return Ok(false);
            };
            if matches!(line.as_str(), "" | "n" | "next" | "later" | "q" | "quit") {
                prompt.say("The question stays open.")?;
                return Ok(false);
            }
            if matches!(line.as_str(), "?" | "h" | "help") {
                prompt.say(
                    "A number chooses an answer. Return or n leaves the question open and goes on.",
                )?;
                continue;
            }
            let chosen = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let count = questions.question().options.len();
            let Some(n) = chosen.filter(|&n| n < count) else {
                prompt.say(&format!(
                    "Type a number from 1 to {count}, or Return to leave the question."
                ))?;
                continue;
            };
            let Some(option) = questions.option(n) else {
                prompt.say("You tried this one; choose another.")?;
                continue;
            };
            let right = self.walk.judge(questions, option).and_then(|judge| judge());
            let right = right.map_err(anyhow::Error::msg)?;
            let yes = if right { "Yes" } else { "No" };
            prompt.say(&format!("{yes}. {}", unmarked(&option.why)))?;
            let attempt = Attempt {
                option: n,
                right,
                day: today(),
            };
            questions.enter(attempt, self.walk.lesson().name, self.progress);
            self.walk.pass(Duration::ZERO, self.progress);
            if right && !questions.quiz {
                self.walk
                    .show_answer(questions.question())
                    .map_err(anyhow::Error::msg)?;
            }
            if right && !questions.go_on() {
                return Ok(true);
            }
            asks = right;
        }
    }
}
