//! `exercise …`: the functions to write, outside of the walkthrough.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::mpsc;

use anyhow::{Error, bail};
use clap::Subcommand;
use serde_json::json;

use super::limit::usage;
use crate::curriculum::{self, LESSONS};
use crate::lesson::Lesson;
use crate::lesson::exercise::bench::{Bench, Event};
use crate::lesson::exercise::end_together;
use crate::lesson::exercise::report::{self, Card};
use crate::lesson::exercise::runner::Runner;
use crate::lesson::exercise::workbook::{Began, Workbook};
use crate::lesson::progress::{Done, Progress};
use crate::typeset::sanitize::clean;

#[derive(Subcommand)]
pub enum Exercises {
    /// Lists the exercises and which of them are solved
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
    /// Gives a hint, each time a more explicit one: a question, the concept, the line, almost the code
    Hint {
        lesson: String,
        /// All of them at once
        #[arg(long)]
        all: bool,
    },
    /// Starts again; your file is kept under another name
    Reset { lesson: String },
    /// Shows the reference solution, after an attempt of your own
    Solution { lesson: String },
}

/// Runs the command.
pub fn run(command: &Exercises, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let find = |word: &str| curriculum::find(word).map_err(usage);
    let (mut progress, said) = Progress::load();
    if let Some(sentence) = said {
        eprintln!("{}", clean(&sentence));
    }
    match command {
        Exercises::List { json } => list(&progress, *json, out)?,
        Exercises::Start { lesson } => start(find(lesson)?, out)?,
        Exercises::Check {
            lesson,
            json: as_json,
        } => return check(find(lesson)?, &mut progress, *as_json, out),
        Exercises::Watch { lesson } => watch(find(lesson)?, &mut progress, out)?,
        Exercises::Hint { lesson, all } => {
            let lesson = find(lesson)?;
            let hints = &lesson.exercise().map_err(Error::msg)?.hints;
            let done = progress.lesson_mut(lesson.name);
            let step = if *all { hints.len() } else { 1 };
            done.hints = done.hints.saturating_add(step).min(hints.len());
            for (tier, hint) in hints[..done.hints].iter().enumerate() {
                writeln!(out, "{}. {hint}", tier + 1)?;
            }
            if done.hints < hints.len() {
                writeln!(out, "\nThe same command again gives a plainer one.")?;
            }
            keep(&mut progress);
        }
        Exercises::Reset { lesson } => reset(find(lesson)?, out)?,
        Exercises::Solution { lesson } => {
            let lesson = find(lesson)?;
            solution(lesson, &progress.lesson(lesson.name), out)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn keep(progress: &mut Progress) {
    if let Err(sentence) = progress.save() {
        eprintln!("{}", clean(&sentence));
    }
}

fn list(progress: &Progress, as_json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let state = |done: &Done| match (done.solved, done.attempts) {
        (true, _) => "solved",
        (false, 0) => "open",
        (false, _) => "tried",
    };
    let all = LESSONS
        .into_iter()
        .map(|l| &**l)
        .filter_map(|l| Some((l, l.exercise.as_ref()?)));
    if as_json {
        let entry = |(l, exercise): (&'static Lesson, &crate::lesson::Exercise)| {
            let done = progress.lesson(l.name);
            json!({
                "number": l.number, "lesson": l.name, "exercise": exercise.name,
                "task": exercise.task, "file": Workbook::name(exercise),
                "state": state(&done), "attempts": done.attempts, "hints": done.hints,
            })
        };
        return super::json(out, &all.map(entry).collect::<Vec<_>>());
    }
    for (lesson, exercise) in all {
        let number = lesson.number;
        let state = state(&progress.lesson(lesson.name));
        writeln!(
            out,
            "{number:02} {:<22} {state:<7} {}",
            exercise.name, exercise.task
        )?;
    }
    writeln!(
        out,
        "\nYour files are exercises/NAME.rs; `exercise watch NAME` checks one on every save, and so does\n\
         `cargo test --test NAME`, once."
    )?;
    Ok(())
}

fn start(lesson: &'static Lesson, out: &mut dyn Write) -> anyhow::Result<()> {
    let exercise = lesson.exercise().map_err(Error::msg)?;
    let workbook = Workbook::find().map_err(Error::msg)?;
    let began = workbook.begin(exercise).map_err(Error::msg)?;
    writeln!(out, "{}\n", exercise.task)?;
    let path = workbook.path(exercise);
    match began {
        Began::New => writeln!(out, "{} is there for you to write in.", path.display())?,
        Began::Kept => writeln!(
            out,
            "{} is there as you left it; `exercise reset {}` begins anew.",
            path.display(),
            exercise.name
        )?,
    }
    writeln!(
        out,
        "`cargo run -- exercise watch {}` checks it on every save.",
        exercise.name
    )?;
    Ok(())
}

fn reset(lesson: &'static Lesson, out: &mut dyn Write) -> anyhow::Result<()> {
    let exercise = lesson.exercise().map_err(Error::msg)?;
    let workbook = Workbook::find().map_err(Error::msg)?;
    let name = Workbook::name(exercise);
    match workbook.reset(exercise).map_err(Error::msg)? {
        Some(aside) => writeln!(out, "{name} begins anew; yours is kept as {aside}.")?,
        None => writeln!(out, "{name} begins.")?,
    }
    Ok(())
}

/// Checks once, says what was found, and remembers it.
fn check(
    lesson: &'static Lesson,
    progress: &mut Progress,
    as_json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let exercise = lesson.exercise().map_err(Error::msg)?;
    let workbook = Workbook::find().map_err(Error::msg)?;
    end_together();
    let mut phase = |phase| {
        // On stderr, so that pipes and --json get the report alone.
        if std::io::stderr().is_terminal() {
            eprintln!("{}: {phase}", Workbook::name(exercise));
        }
    };
    let report = Runner::new(&workbook).check(exercise, &mut phase, &mut || false);
    let Some(report) = report else {
        bail!("the check was interrupted");
    };
    report.enter(progress.lesson_mut(lesson.name));
    keep(progress);
    if as_json {
        let mut all = json!({
            "lesson": lesson.name, "exercise": exercise.name, "file": Workbook::name(exercise),
        });
        if let (Some(all), serde_json::Value::Object(report)) = (all.as_object_mut(), report.json())
        {
            all.extend(report);
        }
        super::json(out, &all)?;
    } else {
        write!(out, "{}", report::card(lesson, &report).plain())?;
        if !report.passed() {
            writeln!(
                out,
                "\nA hint: cargo run -- exercise hint {}",
                exercise.name
            )?;
        }
    }
    out.flush()?;
    Ok(if report.passed() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Checks now and on every save, until the process is ended.
fn watch(
    lesson: &'static Lesson,
    progress: &mut Progress,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let exercise = lesson.exercise().map_err(Error::msg)?;
    let name = Workbook::name(exercise);
    let workbook = Workbook::find().map_err(Error::msg)?;
    end_together();
    let (sender, events) = mpsc::channel();
    let tell = move |event| drop(sender.send(event));
    let _bench = Bench::start(&workbook, exercise, tell).map_err(Error::msg)?;
    let terminal = std::io::stdout().is_terminal();
    if !terminal {
        writeln!(out, "watching {name}; every save is checked")?;
        out.flush()?;
    }
    for event in events {
        match event {
            // One line, rewritten, where the output is a terminal; elsewhere only what came of it counts.
            Event::Phase(phase) if terminal => write!(out, "\r\x1b[K{name}: {phase}")?,
            Event::Phase(_) => {}
            Event::Checked(report) => {
                report.enter(progress.lesson_mut(lesson.name));
                keep(progress);
                if terminal {
                    // The screen and what scrolled off it: the newest report stands alone, at the top.
                    write!(out, "\x1b[2J\x1b[3J\x1b[H")?;
                }
                writeln!(out, "{}", report::card(lesson, &report).plain())?;
                let state = if report.passed() { "passed" } else { "not yet" };
                let seconds = report.seconds;
                write!(
                    out,
                    "{name}: {state} ({seconds:.1} s) · save to check again, Ctrl-C to end"
                )?;
                if !terminal {
                    writeln!(out)?;
                }
            }
        }
        out.flush()?;
    }
    Ok(())
}

fn solution(lesson: &'static Lesson, done: &Done, out: &mut dyn Write) -> anyhow::Result<()> {
    let exercise = lesson.exercise().map_err(Error::msg)?;
    if done.attempts == 0 && !done.solved {
        bail!(
            "try first: write in {} and run `exercise check {}` once; then the reference is shown",
            Workbook::name(exercise),
            exercise.name
        );
    }
    let own = Workbook::find().ok().and_then(|book| book.text(exercise));
    let mut card = Card::default();
    card.title("Why it works");
    card.text(exercise.why);
    card.gap();
    report::solution(&mut card, lesson, &own.unwrap_or_default());
    write!(out, "{}", card.plain())?;
    Ok(())
}
