//! `exercise watch`: checks now and after every save, until the process is ended.

use std::io::{IsTerminal, Write};
use std::sync::mpsc;

use anyhow::Error;

use super::{LessonExercise, SOLVED_ONCE, next_open, noted, record};
use crate::lesson::exercise::bench::{Bench, Event};
use crate::lesson::exercise::runner::Report;
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::exercise::{end_together, report};
use crate::lesson::progress::Progress;

/// Watches the file of `named`, or else of the first unsolved exercise, moving on to the next after each pass.
pub(super) fn watch(
    named: Option<LessonExercise>,
    progress: &mut Progress,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    end_together();
    let mut watcher = Watcher {
        progress,
        out,
        keeps_report: false,
    };
    if let Some(found) = named {
        return watcher.watch(found, AfterPass::WatchOn);
    }
    while let Some(found) = next_open(watcher.progress) {
        watcher.watch(found, AfterPass::MoveOn)?;
    }
    writeln!(out, "\nAll exercises are solved.")?;
    Ok(())
}

/// What happens once an exercise passes.
#[derive(Clone, Copy, PartialEq)]
enum AfterPass {
    /// Its file is still watched.
    WatchOn,
    /// The next exercise follows.
    MoveOn,
}

/// Watches files one after another.
struct Watcher<'a> {
    progress: &'a mut Progress,
    out: &'a mut dyn Write,
    /// True if the report on the screen stays visible above the next one.
    keeps_report: bool,
}

impl Watcher<'_> {
    /// Watches one file, until it passes if the next exercise follows then.
    fn watch(
        &mut self,
        (lesson, exercise): LessonExercise,
        after_pass: AfterPass,
    ) -> anyhow::Result<()> {
        let workbook = Workbook::find().map_err(Error::msg)?;
        let (sender, events) = mpsc::channel();
        let tell = move |event| drop(sender.send(event));
        let tier = exercise.tier(self.progress);
        let _bench = Bench::start(&workbook, exercise, tier, tell).map_err(Error::msg)?;
        let terminal = std::io::stdout().is_terminal();
        let (place, effort) = (workbook.place(exercise), exercise.effort());
        if after_pass == AfterPass::MoveOn || !terminal {
            writeln!(
                self.out,
                "watching {place} ({effort}); every save is checked"
            )?;
            self.out.flush()?;
        }
        let name = Workbook::name(exercise);
        let mut waiting = noted(&name);
        for event in events {
            match event {
                // On a terminal, one line is rewritten; elsewhere only the result is printed.
                Event::Phase(phase) if terminal => write!(self.out, "\r\x1b[K{name}: {phase}")?,
                Event::Phase(phase) => waiting(phase),
                Event::Checked(report) => {
                    self.show((lesson, exercise), &report, terminal.then_some(&place))?;
                    let moves = after_pass == AfterPass::MoveOn && report.passed();
                    write!(self.out, "{name}: {}", state(&report, moves))?;
                    if !terminal || moves {
                        writeln!(self.out)?;
                    }
                    if moves {
                        self.keeps_report = true;
                        return Ok(self.out.flush()?);
                    }
                }
            }
            self.out.flush()?;
        }
        Ok(())
    }

    /// Records a report, and prints it: on a terminal, which is given the file's path, in place of the one before.
    fn show(
        &mut self,
        (lesson, exercise): LessonExercise,
        report: &Report,
        terminal: Option<&String>,
    ) -> anyhow::Result<()> {
        let (reached, solved_once) = record(exercise, report, self.progress);
        if let Some(place) = terminal
            && !std::mem::take(&mut self.keeps_report)
        {
            // Clear the screen and the scrollback, so that only the newest report is shown, at the top.
            writeln!(self.out, "\x1b[2J\x1b[3J\x1b[H{place}\n")?;
        }
        write!(self.out, "{}", reached.plain())?;
        let card = report::card(lesson, exercise, report);
        writeln!(self.out, "{}", card.plain())?;
        if solved_once {
            writeln!(self.out, "{SOLVED_ONCE}")?;
        }
        Ok(())
    }
}

fn state(report: &Report, moves: bool) -> String {
    let state = match report {
        report if report.passed() => "passed",
        report if report.is_unwritten() => "not written yet",
        _ => "not yet",
    };
    let then = if moves {
        "on to the next"
    } else {
        "save to check again, Ctrl-C to end"
    };
    format!("{state} ({:.1} s) · {then}", report.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    #[test]
    fn the_next_open_one_is_the_first_that_has_not_passed() {
        let mut progress = Progress::default();
        let (first, _) = next_open(&progress).expect("nothing is solved");
        assert_eq!(first.number, 1, "the tour has no exercise");
        let mut met = Vec::new();
        while let Some((lesson, exercise)) = next_open(&progress) {
            met.push((lesson.number, exercise.kind));
            exercise.done_mut(&mut progress).solved = true;
        }
        assert_eq!(met.len(), curriculum::exercises().count());
        assert!(met.is_sorted(), "{met:?}");
    }
}
