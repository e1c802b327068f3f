//! Builds the learner's files into one program and runs it.

use std::process::Command;

use super::order::{Answer, Order};
use super::parts::Parts;
use super::process::TELLS;
use super::recording::{MINUTE, SENTENCES};
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

/// Losses of one training step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLoss {
    /// Number of the step.
    pub step: usize,
    /// The learner's loss.
    pub own: f64,
    /// The reference's loss.
    pub reference: f64,
}

/// Builds and runs the learner's model.
pub struct Workshop {
    workbook: Workbook,
    runner: Runner,
}

/// Time limits in seconds for one sentence and one training step; the work takes at most a tenth of that.
const SENTENCE: f64 = 60.0;
const STEP: f64 = 1.0;

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
        report: &mut dyn FnMut(StepLoss),
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
            Order::Record => MINUTE.as_secs_f64() + SENTENCE * SENTENCES as f64,
        });
        let mut seen = 0;
        let mut watch = |stderr: &str| {
            let new: Vec<StepLoss> = reports(stderr).skip(seen).collect();
            seen += new.len();
            new.into_iter().for_each(&mut *report);
            interrupted()
        };
        let outcome = self.runner.run_for(command, seconds, &mut watch);
        let (answer, printed) = outcome.ok_or(Halted::Interrupted)?;
        let answer =
            answer.map_err(|sentence| Halted::Verdict(Box::new(Verdict::Stopped(sentence))))?;
        // Our own lines lost their mark in the cleaning, so recognise them by their format.
        let theirs = printed.lines().filter(|line| read(line).is_none());
        Ok(Done {
            answer,
            printed: theirs.collect::<Vec<_>>().join("\n"),
        })
    }
}

/// StepLoss reports in the complete lines of `stderr`; the last line may still be incomplete.
fn reports(stderr: &str) -> impl Iterator<Item = StepLoss> {
    let whole = stderr.rfind('\n').map_or("", |end| &stderr[..end]);
    let lines = whole.lines().filter_map(|line| line.strip_prefix(TELLS));
    lines.filter_map(read)
}

fn read(line: &str) -> Option<StepLoss> {
    let mut words = line.split(' ');
    let progress = StepLoss {
        step: words.next()?.parse().ok()?,
        own: words.next()?.parse().ok()?,
        reference: words.next()?.parse().ok()?,
    };
    words.next().is_none().then_some(progress)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_progress_is_told_from_what_a_function_prints() {
        let progress = |step, own, reference| StepLoss {
            step,
            own,
            reference,
        };
        assert_eq!(read("20 1.5 1.25"), Some(progress(20, 1.5, 1.25)));
        assert!(read("20 NaN 1.25").is_some_and(|progress| progress.own.is_nan()));
        let whole = format!("{TELLS}1 2.5 2.5\nshape [2]\n{TELLS}20 1.5 1.2");
        let all: Vec<StepLoss> = reports(&whole).collect();
        assert_eq!(all, [progress(1, 2.5, 2.5)]);
        for printed in ["", "20", "shape [2, 3]", "20 1.5 1.25 more"] {
            assert_eq!(read(printed), None);
        }
    }
}
