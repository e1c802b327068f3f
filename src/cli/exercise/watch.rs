//! `exercise watch`: checks now and after every save, until the process is ended.

use std::io::{IsTerminal, Write};
use std::sync::mpsc;

use anyhow::Error;

use super::{LessonExercise, SOLVED_ONCE, reached, save};
use crate::curriculum::LESSONS;
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
    if let Some(exercise) = named {
        return watch_one(exercise, progress, false, false, out);
    }
    let mut passed_before = false;
    while let Some(exercise) = next_open(progress) {
        watch_one(exercise, progress, true, passed_before, out)?;
        passed_before = true;
    }
    writeln!(out, "\nAll exercises are solved.")?;
    Ok(())
}

/// First unsolved exercise in course order, where a lesson's challenges come before the next lesson.
fn next_open(progress: &Progress) -> Option<LessonExercise> {
    let all = LESSONS.into_iter().map(|lesson| &**lesson);
    let mut all = all.flat_map(|l| l.exercises().map(move |e| (l, e)));
    all.find(|(_, exercise)| !exercise.done(progress).solved)
}

/// Watches one file; if `moves_on`, until it passes. `keep_screen` leaves the previous report visible above the first.
fn watch_one(
    (lesson, exercise): LessonExercise,
    progress: &mut Progress,
    moves_on: bool,
    keep_screen: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let workbook = Workbook::find().map_err(Error::msg)?;
    let path = workbook.path(exercise);
    let (sender, events) = mpsc::channel();
    let tell = move |event| drop(sender.send(event));
    let _bench =
        Bench::start(&workbook, exercise, exercise.tier(progress), tell).map_err(Error::msg)?;
    let terminal = std::io::stdout().is_terminal();
    if moves_on || !terminal {
        let (place, effort) = (path.display(), exercise.effort());
        writeln!(out, "watching {place} ({effort}); every save is checked")?;
        out.flush()?;
    }
    let mut keep_screen = keep_screen;
    let name = Workbook::name(exercise);
    for event in events {
        match event {
            // On a terminal, one line is rewritten; elsewhere only the result is printed.
            Event::Phase(phase) if terminal => write!(out, "\r\x1b[K{name}: {phase}")?,
            Event::Phase(_) => {}
            Event::Checked(report) => {
                let done = exercise.done_mut(progress);
                report.enter(done);
                let solved_once = done.solved && done.failing;
                let reached = reached(&report, progress);
                save(progress);
                if terminal && !std::mem::take(&mut keep_screen) {
                    // Clear the screen and the scrollback, so that only the newest report is shown, at the top.
                    write!(out, "\x1b[2J\x1b[3J\x1b[H")?;
                }
                write!(out, "{}", reached.plain())?;
                writeln!(out, "{}", report::card(lesson, exercise, &report).plain())?;
                if solved_once {
                    writeln!(out, "{SOLVED_ONCE}")?;
                }
                let moves = moves_on && report.passed();
                write!(out, "{name}: {}", state(&report, moves))?;
                if !terminal || moves {
                    writeln!(out)?;
                }
                if moves {
                    return Ok(out.flush()?);
                }
            }
        }
        out.flush()?;
    }
    Ok(())
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
