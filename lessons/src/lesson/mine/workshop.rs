//! Builds the learner's files into one program and runs it.

use std::process::Command;

use super::order::{Answer, Order};
use super::parts::Parts;
use super::report::reported;
use crate::lesson::environment;
use crate::lesson::exercise::Exercise;
use crate::lesson::exercise::runner::{Phase, Runner, Verdict};
pub use crate::lesson::exercise::verdict::Halted;
use crate::lesson::exercise::verdict::seconds_or;
use crate::lesson::exercise::workbook::Workbook;

/// Result of a run.
pub struct Done {
    /// The answer to the order.
    pub answer: Answer,
    /// Output of the learner's own functions, with control characters removed.
    pub printed: String,
}

/// Builds and runs the learner's model.
pub struct Workshop {
    workbook: Workbook,
    runner: Runner,
}

/// Time limits in seconds for one sentence and one training step; even slow functions take at most half of that.
const SENTENCE: f64 = 60.0;
const STEP: f64 = 6.0;

impl Workshop {
    /// The workshop of a workbook's package.
    pub fn new(workbook: &Workbook) -> Self {
        Self {
            workbook: workbook.clone(),
            runner: Runner::new(workbook),
        }
    }

    /// Names of those `exercises` that have a place in the model and that the learner has written, except `without`.
    pub fn own(
        &self,
        exercises: impl Iterator<Item = &'static Exercise>,
        without: &[String],
    ) -> Vec<&'static str> {
        exercises
            .filter(|e| Parts::NAMES.contains(&e.name))
            .filter(|e| self.workbook.is_written(e))
            .map(|e| e.name)
            .filter(|name| !without.iter().any(|left| left == name))
            .collect()
    }

    /// Builds the model with the functions `own` and has it carry out `order`.
    pub fn ask(
        &self,
        own: &[&str],
        order: &Order,
        phase: &mut dyn FnMut(Phase),
        report: &mut dyn FnMut(&str),
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Done, Halted> {
        let program = self.runner.assemble(own, phase, interrupted)?;
        phase(Phase::Running);
        let mut command = Command::new(program);
        let json = serde_json::to_string(order).expect("an order is plain data");
        command.env(environment::ORDER, json);
        let seconds = seconds_or(match order {
            Order::Translate { lines, .. } => SENTENCE * lines.len().max(1) as f64,
            Order::Train { steps, .. } => SENTENCE + STEP * *steps as f64,
        });
        let mut watch = |stderr: &str| {
            stderr.lines().filter_map(reported).for_each(&mut *report);
            interrupted()
        };
        let outcome = self.runner.run_for(command, seconds, &mut watch);
        let (answer, printed) = outcome.ok_or(Halted::Interrupted)?;
        let answer =
            answer.map_err(|sentence| Halted::Verdict(Box::new(Verdict::Stopped(sentence))))?;
        let theirs = printed.lines().filter(|line| reported(line).is_none());
        Ok(Done {
            answer,
            printed: theirs.collect::<Vec<_>>().join("\n"),
        })
    }
}
