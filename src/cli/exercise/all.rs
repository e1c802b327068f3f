//! `exercise check --all`: checks every file that the learner has written.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Error, bail};
use serde_json::json;

use super::{SOLVED_ONCE, noted, save, with_report};
use crate::curriculum::exercises;
use crate::lesson::exercise::Exercise;
use crate::lesson::exercise::end_together;
use crate::lesson::exercise::runner::{Report, Runner, Verdict};
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::progress::Progress;
use crate::typeset::sanitize::clean;

/// Checks all exercises; those without a file are listed but not built.
pub(super) fn check(
    progress: &mut Progress,
    as_json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let workbook = Workbook::find().map_err(Error::msg)?;
    end_together();
    let runner = Runner::new(&workbook);
    let (mut passed, mut failed, mut unwritten) = (0, 0, 0);
    let mut entries = Vec::new();
    if !as_json {
        let root = workbook.root().display().to_string();
        writeln!(out, "The files of {}:\n", clean(&root))?;
    }
    for (number, lesson, exercise) in exercises() {
        let report = if workbook.is_written(exercise) {
            Some(check_one(&runner, exercise, progress)?)
        } else {
            None
        };
        let solved = exercise.done(progress).solved;
        match &report {
            Some(report) if report.passed() => passed += 1,
            Some(_) => failed += 1,
            None => unwritten += 1,
        }
        let state = || match workbook.text(exercise) {
            _ if !solved => "not written yet",
            Some(_) => "solved, but the file is the starter now",
            None => "solved, but the file is not there now",
        };
        let says = match &report {
            Some(report) => result_line(report, solved),
            None => state().to_owned(),
        };
        if as_json {
            let entry = json!({
                "lesson": lesson, "exercise": exercise.name, "folder": workbook.root(), "written": report.is_some(), "says": says,
            });
            entries.push(with_report(entry, report.as_ref()));
        } else {
            writeln!(out, "{number:02} {:<22} {says}", exercise.name)?;
            out.flush()?;
        }
    }
    if as_json {
        super::super::json(out, &entries)?;
    } else {
        writeln!(
            out,
            "\n{passed} pass, {failed} fail, {unwritten} are not written yet."
        )?;
    }
    out.flush()?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn check_one(
    runner: &Runner,
    exercise: &Exercise,
    progress: &mut Progress,
) -> anyhow::Result<Report> {
    let (tier, name) = (exercise.tier(progress), Workbook::name(exercise));
    let Some(report) = runner.check(exercise, tier, &mut noted(&name), &mut || false) else {
        bail!("the check was interrupted");
    };
    report.enter(exercise.done_mut(progress));
    save(progress);
    Ok(report)
}

/// One-line result of a check.
fn result_line(report: &Report, solved: bool) -> String {
    let what = match &report.verdict {
        Verdict::Passed => return "passes".to_owned(),
        Verdict::Failed(failure) => failure.sentence.clone(),
        Verdict::Compiler(errors) => {
            let first = errors.first().map_or("", |error| error.message.as_str());
            format!("does not compile: {first}")
        }
        Verdict::Stopped(sentence) => sentence.clone(),
    };
    let what = what.lines().next().unwrap_or_default();
    if solved {
        format!("{SOLVED_ONCE}: {what}")
    } else {
        format!("fails: {what}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::Tier;
    use crate::lesson::exercise::Failure;

    fn report(verdict: Verdict) -> Report {
        Report {
            verdict,
            warnings: Vec::new(),
            printed: String::new(),
            source: String::new(),
            begun: false,
            attempted: true,
            tier: Tier::Guided,
            seconds: 0.0,
        }
    }

    #[test]
    fn each_state_has_its_words() {
        let passed = report(Verdict::Passed);
        let failed = report(Verdict::Failed(Failure::new("the values differ\nby 1")));
        assert_eq!(result_line(&passed, false), "passes");
        assert_eq!(result_line(&failed, false), "fails: the values differ");
        assert_eq!(
            result_line(&failed, true),
            "solved, but the file fails now: the values differ"
        );
    }
}
