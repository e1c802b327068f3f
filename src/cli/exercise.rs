//! `exercise …`: the functions to write, outside of the walkthrough.

use std::io::Write;
use std::process::ExitCode;
use std::sync::mpsc;

use anyhow::bail;
use clap::Subcommand;
use serde_json::json;

use crate::curriculum::{self, LESSONS};
use crate::lesson::exercise::watch::Watcher;
use crate::lesson::exercise::{runner, workbook};
use crate::lesson::progress::Progress;
use crate::lesson::{Lesson, source};

#[derive(Subcommand)]
pub enum Exercises {
    /// Lists the exercises and what is solved
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Writes the starter into exercises/NAME.rs, if there is no such file yet
    Start { lesson: String },
    /// Checks your file once; exit code 1 if it is not right yet
    Check {
        lesson: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Checks your file now and after every save, until Ctrl-C
    Watch { lesson: String },
    /// Gives a hint, each time a plainer one
    Hint { lesson: String },
    /// Begins anew; your file is kept under another name
    Reset { lesson: String },
    /// Shows the reference; after an attempt of your own
    Solution { lesson: String },
}

/// Runs the command.
pub fn run(command: &Exercises, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let find = |word: &str| curriculum::find(word).map_err(anyhow::Error::msg);
    let (mut progress, said) = Progress::load();
    if let Some(sentence) = said {
        eprintln!("{sentence}");
    }
    match command {
        Exercises::List { json } => list(&progress, *json, out)?,
        Exercises::Start { lesson } => {
            let path = workbook::file(&find(lesson)?.exercise).map_err(anyhow::Error::msg)?;
            writeln!(out, "{}", path.display())?;
        }
        Exercises::Check {
            lesson,
            json: as_json,
        } => return check(find(lesson)?, &mut progress, *as_json, out),
        Exercises::Watch { lesson } => watch(find(lesson)?, &mut progress, out)?,
        Exercises::Hint { lesson } => {
            let lesson = find(lesson)?;
            let done = progress.lesson_mut(lesson.name);
            done.hints = (done.hints + 1).min(lesson.exercise.hints.len());
            let given = done.hints;
            for (tier, hint) in lesson.exercise.hints[..given].iter().enumerate() {
                writeln!(out, "{}. {hint}", tier + 1)?;
            }
            keep(&progress);
        }
        Exercises::Reset { lesson } => {
            let exercise = &find(lesson)?.exercise;
            match workbook::reset(exercise).map_err(anyhow::Error::msg)? {
                Some(kept) => writeln!(
                    out,
                    "exercises/{}.rs begins anew; yours is kept as {}",
                    exercise.name,
                    kept.display()
                )?,
                None => writeln!(out, "exercises/{}.rs begins", exercise.name)?,
            }
        }
        Exercises::Solution { lesson } => solution(find(lesson)?, &progress, out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn keep(progress: &Progress) {
    if let Err(sentence) = progress.save() {
        eprintln!("{sentence}");
    }
}

fn list(progress: &Progress, as_json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let state = |l: &Lesson| {
        let done = progress.lesson(l.name);
        if done.solved {
            "solved"
        } else if done.attempts > 0 {
            "tried"
        } else {
            "open"
        }
    };
    if as_json {
        let all: Vec<_> = LESSONS.iter().map(|l| {
            json!({"lesson": l.name, "exercise": l.exercise.name, "task": l.exercise.task, "state": state(l),
                   "file": format!("exercises/{}.rs", l.exercise.name)})
        }).collect();
        return super::json(out, &all);
    }
    for lesson in LESSONS {
        let e = &lesson.exercise;
        writeln!(
            out,
            "{:02} {:<22} {:<7} {}",
            lesson.number,
            e.name,
            state(lesson),
            e.task
        )?;
    }
    writeln!(
        out,
        "\nYour files are exercises/NAME.rs. `cargo test --test NAME` checks one too."
    )?;
    Ok(())
}

fn caught(lesson: &Lesson) -> Vec<&'static str> {
    lesson
        .mistakes
        .iter()
        .filter(|m| m.check.is_some())
        .map(|m| m.title)
        .collect()
}

/// Checks once, says what was found, and remembers it.
pub fn check(
    lesson: &'static Lesson,
    progress: &mut Progress,
    as_json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let verdict = runner::check(&lesson.exercise).map_err(anyhow::Error::msg)?;
    let done = progress.lesson_mut(lesson.name);
    done.attempts += 1;
    done.solved |= verdict.passed;
    keep(progress);
    if as_json {
        super::json(out, &verdict)?;
    } else {
        write!(out, "{}", verdict.text(&lesson.exercise, &caught(lesson)))?;
        if verdict.passed {
            writeln!(out, "\nThe reference, beside yours:\n")?;
            reference(lesson, out)?;
        }
    }
    out.flush()?;
    Ok(if verdict.passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn watch(
    lesson: &'static Lesson,
    progress: &mut Progress,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (sender, results) = mpsc::channel();
    let _watcher = Watcher::start(lesson, move |said, passed| {
        drop(sender.send((said, passed)))
    })?;
    writeln!(
        out,
        "watching exercises/{}.rs; every save is checked, Ctrl-C ends",
        lesson.exercise.name
    )?;
    out.flush()?;
    for (said, passed) in results {
        let done = progress.lesson_mut(lesson.name);
        done.attempts += 1;
        done.solved |= passed;
        keep(progress);
        writeln!(
            out,
            "\n{} {}\n{said}",
            lesson.exercise.name,
            if passed { "PASSED" } else { "not yet" }
        )?;
        out.flush()?;
    }
    Ok(())
}

fn reference(lesson: &Lesson, out: &mut dyn Write) -> anyhow::Result<()> {
    let include = format!("{{{{#include ../../{}}}}}", lesson.exercise.solution);
    let (text, place) = source::expand(&source::Embedded, "lessons/00-none", &include)
        .map_err(anyhow::Error::msg)?;
    if let Some(place) = place {
        writeln!(out, "// {place}")?;
    }
    write!(out, "{text}")?;
    Ok(())
}

fn solution(lesson: &Lesson, progress: &Progress, out: &mut dyn Write) -> anyhow::Result<()> {
    if progress.lesson(lesson.name).attempts == 0 {
        bail!(
            "try first: edit exercises/{}.rs and run `exercise check {}` once; then the reference is shown",
            lesson.exercise.name,
            lesson.name
        );
    }
    reference(lesson, out)
}
