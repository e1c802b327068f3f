//! `mine …`: the model built from the learner's own functions.

mod cards;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Error, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use super::exercise::{load, noted, save};
use super::limit::{count, require, usage};
use crate::curriculum;
use crate::lesson::exercise::end_together;
use crate::lesson::exercise::report::{self, Card};
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::mine::{
    self, Answer, Crate, Done, Halted, Order, Parts, SEED, STEPS, State, Workshop, statuses,
};
use crate::lesson::progress::Progress;
use crate::train::built_in::BuiltIn;

pub const EXAMPLES: &str = "\
Examples:
  transformer-tutor mine                     the map of your model
  transformer-tutor mine translate 'Der Hund schläft im Garten.'
  transformer-tutor mine train               the copy task, by your functions
  transformer-tutor mine eject my-model      a crate of your own, without the tutor
  transformer-tutor mine capstone my-own     a whole Transformer, from an empty file

Each function in exercises/ that you have written takes its place in the model. The references run in the other places.";

/// Maximum number of sentences at a time; `LONGEST` limits the bytes of each.
const MOST: usize = 20;
const LONGEST: usize = 1000;

#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    what: Option<MineCommand>,
    /// The map as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum MineCommand {
    /// Translate with the trained weights through your functions, and compare with the references
    #[command(
        after_help = "Example:\n  transformer-tutor mine translate 'Der Hund schläft im Garten.'"
    )]
    Translate {
        /// Sentences; without any, 'Der Hund schläft im Garten.'
        text: Vec<String>,
        /// phrasebook, whose form is that of all exercises; everyday, which does not use your residual; or a run of
        /// your own
        #[arg(long, default_value = "phrasebook", value_name = "MODEL")]
        model: String,
        #[command(flatten)]
        exclusions: Exclusions,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Train on the copy task with your functions, beside the same training with the references
    #[command(after_help = "Example:\n  transformer-tutor mine train --steps 60")]
    Train {
        /// The number of updates
        #[arg(long, default_value_t = STEPS, value_name = "N", value_parser = count!(1, 2000))]
        steps: usize,
        /// The random seed of weights and sentences
        #[arg(long, default_value_t = SEED, value_name = "S")]
        seed: u64,
        #[command(flatten)]
        exclusions: Exclusions,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Write your model as a crate that needs nothing of the tutor: it translates, and trains on the copy task
    ///
    /// Your functions are in it if they have passed their checks, and the references in the other places. Between them
    /// is the whole program, to be read and changed: layers, tape, tokenizer, search and training.
    #[command(after_help = "Example:\n  transformer-tutor mine eject my-model")]
    Eject {
        /// A folder that is new or empty
        folder: PathBuf,
    },
    /// Write a whole Transformer of your own, from an empty file
    ///
    /// A new folder gets the task: README.md says what the tests call, and the trained weights and the tests are there.
    /// In a folder that has the task, this runs the tests with cargo, part by part; exit code 1 if one of them fails.
    #[command(
        after_help = "Example:\n  transformer-tutor mine capstone my-own    writes the task, and later runs its tests"
    )]
    Capstone {
        /// A folder that is new or empty, or that has the task
        folder: PathBuf,
    },
}

/// Options that replace some of the learner's functions.
#[derive(Args)]
struct Exclusions {
    /// Runs the reference instead of your function of this name; can be repeated
    #[arg(long, value_name = "EXERCISE")]
    without: Vec<String>,
}

/// Runs the command.
pub fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut progress = load();
    match &options.what {
        None => map(&mut progress, options.json, out)?,
        Some(MineCommand::Translate {
            text,
            model,
            exclusions,
            json,
        }) => {
            let lines = if text.is_empty() {
                vec!["Der Hund schläft im Garten.".to_owned()]
            } else {
                text.clone()
            };
            let sound = |line: &String| !line.trim().is_empty() && line.len() <= LONGEST;
            require(lines.iter().all(sound) && lines.len() <= MOST, || {
                format!("mine translate takes up to {MOST} sentences of 1 to {LONGEST} bytes each")
            })?;
            let order = Order::Translate {
                model: resolve_model(model)?,
                lines,
            };
            return ask(&order, &exclusions.without, *json, &mut progress, out);
        }
        Some(MineCommand::Train {
            steps,
            seed,
            exclusions,
            json,
        }) => {
            let order = Order::Train {
                steps: *steps,
                seed: *seed,
            };
            return ask(&order, &exclusions.without, *json, &mut progress, out);
        }
        Some(MineCommand::Eject { folder }) => eject(folder, &progress, out)?,
        Some(MineCommand::Capstone { folder }) => return capstone(folder, &mut progress, out),
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn map(progress: &mut Progress, as_json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let workbook = Workbook::find().ok();
    let all = statuses(curriculum::exercises(), workbook.as_ref(), progress);
    let reached = mine::after_check(&all, progress);
    if !reached.is_empty() {
        save(progress);
    }
    if as_json {
        let state = |state| match state {
            State::Reference => "reference",
            State::Passing => "passing",
            State::Failing => "failing",
            State::Unchecked => "unchecked",
        };
        let all = all.iter().map(|s| {
            json!({ "lesson": s.lesson, "exercise": s.exercise.name,
                    "kind": s.exercise.kind.to_string(), "state": state(s.state),
                    "in_the_model": Parts::NAMES.contains(&s.exercise.name) })
        });
        let all: Vec<_> = all.collect();
        return super::json(
            out,
            &json!({ "functions": all, "milestones": progress.milestones() }),
        );
    }
    write!(out, "{}", mine::ceremony(&reached).plain())?;
    write!(out, "{}", mine::card(&all, progress).plain())?;
    Ok(())
}

fn eject(folder: &Path, progress: &Progress, out: &mut dyn Write) -> anyhow::Result<()> {
    let workbook = Workbook::find().ok();
    let all = statuses(curriculum::exercises(), workbook.as_ref(), progress);
    let made = Crate::new(&all, workbook.as_ref()).map_err(Error::msg)?;
    made.write(folder).map_err(Error::msg)?;
    write!(out, "{}", made.card(folder).plain())?;
    Ok(())
}

/// Writes the capstone's task, or runs its tests.
fn capstone(
    folder: &Path,
    progress: &mut Progress,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if !mine::capstone::is_begun(folder) {
        mine::capstone::write(folder).map_err(Error::msg)?;
        writeln!(
            out,
            "{} has the task: README.md says what to write in src/lib.rs, which is empty, part by part. The \
             same command checks them in their order, and says which is next.",
            folder.display()
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    out.flush()?;
    let passed = mine::capstone::check(folder).map_err(Error::msg)?;
    if passed {
        let reached = mine::after_capstone(progress);
        save(progress);
        write!(out, "{}", mine::ceremony(&reached).plain())?;
        writeln!(out, "All tests pass: this Transformer is yours.")?;
    }
    out.flush()?;
    Ok(ExitCode::from(u8::from(!passed)))
}

/// Name of a built-in model, or the absolute path of any other.
fn resolve_model(model: &str) -> anyhow::Result<String> {
    if BuiltIn::named(model).is_some() {
        return Ok(model.to_owned());
    }
    let path = Path::new(model).canonicalize();
    let path = path.map_err(|e| {
        usage(format!(
            "'{model}' is neither everyday nor phrasebook nor a folder that can be read ({e})"
        ))
    })?;
    Ok(path.to_string_lossy().into_owned())
}

/// Builds the learner's model, has it carry out `order`, and writes its report.
fn ask(
    order: &Order,
    without: &[String],
    as_json: bool,
    progress: &mut Progress,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    for name in without {
        if !Parts::NAMES.contains(&name.as_str()) {
            return Err(usage(format!(
                "there is no function '{name}' in the model; there are {}",
                Parts::NAMES.join(", ")
            )));
        }
    }
    let workbook = Workbook::find().map_err(Error::msg)?;
    end_together();
    let workshop = Workshop::new(&workbook);
    let exercises = curriculum::exercises().map(|(_, _, exercise)| exercise);
    let own = workshop.own(exercises, without);
    if !as_json && matches!(order, Order::Train { .. }) {
        writeln!(out, "{}\n", cards::whose(&own, order))?;
        writeln!(
            out,
            "{:>6}  {:>10}  {:>10}",
            "step", "your loss", "reference"
        )?;
        out.flush()?;
    }
    let mut phase = noted("your model");
    let mut report = |line: &str| {
        if !as_json {
            // A failure to write shows at the end.
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    };
    match workshop.ask(&own, order, &mut phase, &mut report, &mut || false) {
        Ok(done) => conclude(&done, &own, order, as_json, progress, out),
        Err(Halted::Interrupted) => bail!("the run was interrupted"),
        Err(Halted::Verdict(verdict)) => {
            let mut card = Card::default();
            report::verdict(&mut card, "your model", &verdict);
            card.gap();
            card.dim("--without NAME leaves a function out: the reference runs in its place.");
            let json = as_json.then(|| json!({ "failed": verdict }));
            finish(&card, json, false, out)
        }
    }
}

/// Writes the answer of the learner's model, and saves the milestones that it reached.
fn conclude(
    done: &Done,
    own: &[&'static str],
    order: &Order,
    as_json: bool,
    progress: &mut Progress,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let (mut card, reached, sound) = match &done.answer {
        Answer::Translated(translated) => {
            let reached = mine::after_translation(own, translated, progress);
            let sound = translated.lines.iter().all(cards::equal);
            (cards::translated(translated, own, order), reached, sound)
        }
        Answer::Trained(trained) => {
            let reached = mine::after_training(own, trained, progress);
            (cards::trained(trained, own, order), reached, true)
        }
        Answer::Failed(failure) => (cards::failed(failure), vec![], false),
    };
    if !done.printed.is_empty() {
        card.gap();
        card.title("Your functions printed");
        card.code(&done.printed);
    }
    if !reached.is_empty() {
        save(progress);
        card.gap();
        card.lines.extend(mine::ceremony(&reached).lines);
    }
    let json = as_json.then(|| {
        let reached = reached
            .iter()
            .map(|(milestone, figures)| (&milestone.id, figures));
        json!({ "own": own, "answer": done.answer, "reached": reached.collect::<Vec<_>>() })
    });
    finish(&card, json, sound, out)
}

fn finish(
    card: &Card,
    json: Option<serde_json::Value>,
    sound: bool,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    match json {
        Some(json) => super::json(out, &json)?,
        None => write!(out, "{}", card.plain())?,
    }
    out.flush()?;
    Ok(ExitCode::from(u8::from(!sound)))
}
