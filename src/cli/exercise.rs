//! `exercise …`: the exercises, outside the walkthrough.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Error, bail};
use clap::Subcommand;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::limit::usage;
use super::streams::note;
use crate::curriculum::{self, LESSONS};
use crate::lesson::exercise::end_together;
use crate::lesson::exercise::operations::TYPES;
use crate::lesson::exercise::report::{self, Card};
use crate::lesson::exercise::runner::{Phase, Report, Runner};
use crate::lesson::exercise::workbook::{FileOrigin, Workbook};
use crate::lesson::mine;
use crate::lesson::progress::{Done, Progress};
use crate::lesson::{Exercise, Lesson, Tier};
use crate::text::writing::capitalised;
use crate::typeset::sanitize::clean;

mod all;
mod watch;
mod workshop;

/// Warning about what a check may do, shown in the help and when an exercise is started.
const RIGHTS: &str = "A check compiles and runs your file with your full permissions, like any program you start, so \
                      check only code that you trust.";

/// Text below the commands in the help.
pub fn after_help() -> String {
    format!("{RIGHTS}\n\nExample:\n  transformer-tutor exercise start attention")
}

/// Status of a solved exercise whose file fails now.
const SOLVED_ONCE: &str = "solved, but the file fails now";

/// A lesson and one of its exercises.
type LessonExercise = (&'static Lesson, &'static Exercise);

#[derive(Subcommand)]
pub enum Exercises {
    /// List the exercises and which of them are solved
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the starter into exercises/NAME.rs, if there is no such file yet
    ///
    /// A starter in which you have not written yet is replaced by that of the tier. The tier is remembered for the
    /// exercises that you begin later, too.
    Start {
        /// An exercise by its name, or a lesson for its core exercise; without it, the next one that is open
        exercise: Option<String>,
        /// What the file gives you; without it, as for the exercise that you began last
        #[arg(long, value_parser = tiers())]
        tier: Option<Tier>,
    },
    /// Lay the program's sources out in a new folder, for exercises without the folder that it was built in
    ///
    /// An installed program compiles your files there. The first check compiles everything once, which takes minutes;
    /// the libraries are those that cargo downloaded to install it.
    Workshop {
        /// A folder that is new or empty
        folder: PathBuf,
    },
    /// Check your file once; exit code 1 if it is not right yet
    Check {
        /// An exercise by its name, or a lesson for its core exercise; without it, the next one that is open
        exercise: Option<String>,
        /// Checks every file that you have written; exit code 1 if one of them is not right
        #[arg(long, conflicts_with = "exercise")]
        all: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Check your file now and after every save, until Ctrl-C
    Watch {
        /// Without it: the first exercise that is open, and after a pass the next
        exercise: Option<String>,
    },
    /// Give a hint, more explicit each time: a question, the concept, the line, almost the code
    Hint {
        /// An exercise by its name, or a lesson for its core exercise
        exercise: String,
        /// All of them at once
        #[arg(long)]
        all: bool,
    },
    /// Start again; your file is kept under another name
    Reset {
        /// An exercise by its name, or a lesson for its core exercise
        exercise: String,
        /// What the new file gives you; without it, the tier at which it was begun
        #[arg(long, value_parser = tiers())]
        tier: Option<Tier>,
    },
    /// List what you can call: the methods of tensors and tapes, one a line
    Operations,
    /// Show the reference solution, after an attempt of your own
    Solution {
        /// An exercise by its name, or a lesson for its core exercise
        exercise: String,
        /// Without an attempt; the lesson shows it too from then on
        #[arg(long)]
        give_up: bool,
    },
}

/// Reads a tier by its name.
fn tiers() -> impl TypedValueParser<Value = Tier> {
    let value = |tier: Tier| PossibleValue::new(tier.name()).help(capitalised(tier.begins_with()));
    let named = |name: String| Tier::ALL.into_iter().find(|tier| tier.name() == name);
    PossibleValuesParser::new(Tier::ALL.map(value))
        .try_map(move |name| named(name).ok_or("there is no such tier"))
}

/// Runs the command.
pub fn run(command: &Exercises, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let find = |word: &str| curriculum::exercise(word).map_err(usage);
    let or_next = |word: &Option<String>, progress: &Progress| match word {
        Some(word) => find(word),
        None => next_open(progress)
            .ok_or_else(|| Error::msg("all exercises are solved: name the one that you want")),
    };
    let mut progress = load();
    match command {
        Exercises::List { json } => list(&progress, *json, out)?,
        Exercises::Start { exercise, tier } => {
            let (_, exercise) = or_next(exercise, &progress)?;
            start(exercise, *tier, &mut progress, out)?;
        }
        Exercises::Workshop { folder } => {
            let count = workshop::lay_out(folder).map_err(Error::msg)?;
            let here = match Workbook::find() {
                // Someone who is in a checkout works there.
                Ok(book) if book.root() != std::path::absolute(folder)? => format!(
                    " once you are in it; from here, commands act on {}",
                    clean(&book.root().display().to_string())
                ),
                _ => String::new(),
            };
            writeln!(
                out,
                "{} has {count} files now: the sources of this program. Your exercises will be in its folder \
                 exercises{here}. The first check compiles it all, which takes some minutes.",
                folder.display()
            )?;
        }
        Exercises::Check {
            exercise,
            all,
            json: as_json,
        } => {
            if *all {
                return all::check(&mut progress, *as_json, out);
            }
            return check(or_next(exercise, &progress)?, &mut progress, *as_json, out);
        }
        Exercises::Watch { exercise } => {
            let named = exercise.as_deref().map(find).transpose()?;
            watch::watch(named, &mut progress, out)?;
        }
        Exercises::Hint { exercise, all } => {
            let (_, exercise) = find(exercise)?;
            let hints = &exercise.hints;
            let done = exercise.done_mut(&mut progress);
            let step = if *all { hints.len() - done.hints } else { 1 };
            for _ in 0..step {
                done.take_hint(hints.len());
            }
            for (tier, hint) in hints[..done.hints].iter().enumerate() {
                writeln!(out, "{}. {hint}", tier + 1)?;
            }
            let next = match (done.hints < hints.len(), done.sees_the_code()) {
                (true, _) => "The same command again gives a plainer one.",
                (false, false) => {
                    "The same command again gives up: the lesson then shows the code."
                }
                (false, true) => "The lesson shows the code, and so does `exercise solution`.",
            };
            writeln!(out, "\n{next}")?;
            save(&mut progress);
        }
        Exercises::Reset { exercise, tier } => {
            reset(find(exercise)?.1, *tier, &mut progress, out)?;
        }
        Exercises::Operations => operations(out)?,
        Exercises::Solution { exercise, give_up } => {
            let (_, exercise) = find(exercise)?;
            if *give_up {
                exercise.done_mut(&mut progress).given_up = true;
                save(&mut progress);
            }
            solution(exercise, &exercise.done(&progress), out)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// First unsolved exercise in course order, where a lesson's challenges come before the next lesson.
fn next_open(progress: &Progress) -> Option<LessonExercise> {
    let all = LESSONS.into_iter().map(|lesson| &**lesson);
    let mut all = all.flat_map(|l| l.exercises().map(move |e| (l, e)));
    all.find(|(_, exercise)| !exercise.done(progress).solved)
}

/// Writes the phases of a check to stderr, so that pipes and --json get only the report. Where stderr is no terminal,
/// only another cargo that is waited for is worth a line.
pub fn noted(what: &str) -> impl FnMut(Phase) {
    let terminal = std::io::stderr().is_terminal();
    move |phase| {
        if terminal || phase == Phase::Waiting {
            note(&format!("{what}: {phase}"));
        }
    }
}

fn operations(out: &mut dyn Write) -> anyhow::Result<()> {
    for of in &*TYPES {
        let (name, about, module) = (&of.name, &of.about, &of.module);
        writeln!(out, "{name}: {about} (use {module}::{name};)\n")?;
        for operation in of.operations() {
            writeln!(out, "  {:<44}  {}", operation.call, operation.about)?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "Other types that an exercise needs are in its imports; `exercise start NAME --tier guided` names their fields and methods."
    )?;
    Ok(())
}

/// The learner's progress. A remark about its file goes to stderr.
pub fn load() -> Progress {
    let (progress, remark) = Progress::load();
    if let Some(sentence) = remark {
        note(&sentence);
    }
    progress
}

/// Saves the progress; if that fails, says so on stderr.
pub fn save(progress: &mut Progress) {
    if let Err(sentence) = progress.save() {
        note(&sentence);
    }
}

fn list(progress: &Progress, as_json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let state = |done: &Done| match (done.solved, done.attempts) {
        (true, _) => "solved",
        (false, 0) => "open",
        (false, _) => "tried",
    };
    let solved_at = |done: &Done| done.solved.then(|| done.solved_at.unwrap_or_default());
    let all = curriculum::exercises();
    let book = Workbook::find();
    let folder = book.as_ref().ok().map(Workbook::root);
    if as_json {
        let entry = |(number, lesson, exercise): mine::NumberedExercise| {
            let done = exercise.done(progress);
            json!({
                "number": number, "lesson": lesson, "exercise": exercise.name,
                "kind": exercise.kind.to_string(), "minutes": exercise.minutes(),
                "task": exercise.task, "folder": folder, "file": Workbook::name(exercise),
                "state": state(&done), "tier": exercise.tier(progress), "solved_at": solved_at(&done),
                "attempts": done.attempts, "hints": done.hints,
                "fails_now": done.failing,
            })
        };
        return super::json(out, &all.map(entry).collect::<Vec<_>>());
    }
    for (number, _, exercise) in all {
        let done = exercise.done(progress);
        let tier = exercise.tier(progress);
        let state = match (solved_at(&done), done.attempts) {
            (Some(tier), _) => format!("solved, {tier}"),
            (None, 0) => tier.to_string(),
            (None, _) => format!("tried, {tier}"),
        };
        writeln!(
            out,
            "{number:02} {:<22} {:<9} {:>2} min  {state:<14} {}",
            exercise.name,
            exercise.kind,
            exercise.minutes(),
            exercise.asks(tier)
        )?;
        if done.solved && done.failing {
            writeln!(out, "{:44}{SOLVED_ONCE}", "")?;
        }
    }
    if let Some((_, exercise)) = next_open(progress) {
        let (name, effort) = (exercise.name, exercise.effort());
        writeln!(out, "\nNext: {name} ({effort}): `exercise start {name}`")?;
        if let Some(sentence) = mine::makes_possible(name, progress) {
            writeln!(out, "{sentence}")?;
        }
    }
    writeln!(
        out,
        "\nEach lesson has one core exercise, which has its place in your own model; warm-ups prepare it, challenges go on from it.\n\
         `exercise watch` checks the next open one on every save,\n\
         `exercise check --all` all that you have written, and `cargo test --test NAME` one of them, once.\n\
         guided, open and blank are tiers: `exercise start NAME --tier open` begins without guidance and operations."
    )?;
    match folder {
        Some(folder) => writeln!(
            out,
            "Your files are {}/exercises/NAME.rs.",
            clean(&folder.display().to_string())
        )?,
        None => writeln!(out, "{}", book.err().unwrap_or_default())?,
    }
    Ok(())
}

fn start(
    exercise: &Exercise,
    chosen: Option<Tier>,
    progress: &mut Progress,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let workbook = Workbook::find().map_err(Error::msg)?;
    let before = exercise.tier(progress);
    let tier = chosen.unwrap_or(before);
    let began = workbook.begin_at(exercise, tier).map_err(Error::msg)?;
    if began == FileOrigin::Kept && workbook.is_written(exercise) && tier > before {
        bail!(
            "{} holds your work, begun at the tier {before}: `exercise reset {} --tier {tier}` keeps it under another \
             name and begins anew",
            Workbook::name(exercise),
            exercise.name
        );
    }
    record_tier(exercise, chosen, tier, progress);
    writeln!(out, "{} ({})\n", exercise.asks(tier), exercise.effort())?;
    let written = began == FileOrigin::Kept && workbook.is_written(exercise);
    if tier == Tier::Blank || (written && chosen.is_some()) {
        writeln!(out, "{}\n", instructions(exercise, tier))?;
    }
    writeln!(out, "Tier: {tier} ({}).", tier.begins_with())?;
    let place = workbook.place(exercise);
    match began {
        FileOrigin::New => writeln!(out, "{place} is there for you to write in.")?,
        FileOrigin::Kept => writeln!(
            out,
            "{place} is there as you left it; `exercise reset {}` starts over.",
            exercise.name
        )?,
    }
    writeln!(
        out,
        "`cargo run -- exercise watch {}` checks it on every save. {RIGHTS}",
        exercise.name
    )?;
    Ok(())
}

/// Keeps the tier at which the exercise was begun and, if it was chosen, as the one for those begun later.
fn record_tier(exercise: &Exercise, chosen: Option<Tier>, tier: Tier, progress: &mut Progress) {
    match chosen {
        Some(tier) => exercise.choose(tier, progress),
        None => exercise.done_mut(progress).tier = Some(tier),
    }
    save(progress);
}

/// What the learner has to know at this tier that an own or empty file does not say.
fn instructions(exercise: &Exercise, tier: Tier) -> String {
    match tier {
        Tier::Guided | Tier::Open => exercise.starter_at(tier).trim_end().to_owned(),
        Tier::Blank => format!("{}\n\n{}", exercise.frame(), exercise.contract()),
    }
}

fn reset(
    exercise: &Exercise,
    chosen: Option<Tier>,
    progress: &mut Progress,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let workbook = Workbook::find().map_err(Error::msg)?;
    let name = workbook.place(exercise);
    let tier = chosen.unwrap_or_else(|| exercise.tier(progress));
    match workbook.reset(exercise, tier).map_err(Error::msg)? {
        Some(aside) => writeln!(
            out,
            "{name} starts over at the tier {tier}; your version is kept as {aside}."
        )?,
        None => writeln!(out, "{name} begins at the tier {tier}.")?,
    }
    record_tier(exercise, chosen, tier, progress);
    if tier == Tier::Blank {
        writeln!(out, "\n{}", instructions(exercise, tier))?;
    }
    Ok(())
}

/// Checks once, prints the report and saves the result.
fn check(
    (lesson, exercise): LessonExercise,
    progress: &mut Progress,
    as_json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let workbook = Workbook::find().map_err(Error::msg)?;
    end_together();
    let (tier, name) = (exercise.tier(progress), Workbook::name(exercise));
    let report = Runner::new(&workbook).check(exercise, tier, &mut noted(&name), &mut || false);
    let Some(report) = report else {
        bail!("the check was interrupted");
    };
    let (reached, solved_once) = record(exercise, &report, progress);
    if as_json {
        let all = json!({
            "lesson": lesson.name, "exercise": exercise.name, "folder": workbook.root(), "file": name,
        });
        super::json(out, &with_report(all, Some(&report)))?;
    } else {
        writeln!(out, "{}\n", workbook.place(exercise))?;
        write!(out, "{}", reached.plain())?;
        write!(out, "{}", report::card(lesson, exercise, &report).plain())?;
        if solved_once {
            writeln!(out, "\n{SOLVED_ONCE}")?;
        }
        if report.passed() && mine::Parts::NAMES.contains(&exercise.name) {
            writeln!(
                out,
                "\nIt has its place in your own model: cargo run -- mine"
            )?;
        }
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

/// Keeps the result of a check. Returns a card for what the learner's own model has reached with it, and whether a
/// solved exercise fails now.
fn record(exercise: &Exercise, report: &Report, progress: &mut Progress) -> (Card, bool) {
    let done = exercise.done_mut(progress);
    report.enter(done);
    let solved_once = done.solved && done.failing;
    let mut reached = Card::default();
    if report.passed() {
        reached = mine::ceremony(&mine::checked(curriculum::exercises(), progress));
    }
    save(progress);
    (reached, solved_once)
}

/// The entry of an exercise, with the result of a check if there is one.
fn with_report(mut entry: serde_json::Value, report: Option<&Report>) -> serde_json::Value {
    if let (Some(entry), Some(serde_json::Value::Object(more))) =
        (entry.as_object_mut(), report.map(Report::json))
    {
        entry.extend(more);
    }
    entry
}

fn solution(exercise: &Exercise, done: &Done, out: &mut dyn Write) -> anyhow::Result<()> {
    let book = Workbook::find();
    if !done.sees_the_code() {
        bail!(
            "try first: write in {} and run `exercise check {}` once; then the reference is shown (--give-up shows it now)",
            book.map_or(Workbook::name(exercise), |book| book.place(exercise)),
            exercise.name
        );
    }
    let own = book.ok().and_then(|book| book.text(exercise));
    let mut card = Card::default();
    card.title("Why it works");
    card.text(exercise.why);
    card.gap();
    report::solution(&mut card, exercise, &own.unwrap_or_default());
    write!(out, "{}", card.plain())?;
    Ok(())
}
