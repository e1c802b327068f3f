//! The program's commands: their arguments and how each is dispatched.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::curriculum::{self, LESSONS};
use crate::data::file;
use crate::lesson::session::Session;
use crate::lesson::{environment, models};
use crate::tensor::on_threads;
use crate::tensor::threads::machine;
use crate::train::built_in::BuiltIn;
use crate::typeset::number::counted;
use crate::typeset::sanitize::clean;
use crate::widgets::stage;
use crate::widgets::theme::Theme;
use crate::{book, plain, tui};

mod before;
mod bench;
mod bitext;
mod contents;
mod doctor;
mod ends;
mod exercise;
mod groups;
mod hunt;
mod limit;
mod measures;
mod memory;
mod mine;
mod model;
mod needs;
mod pages;
mod params;
pub mod parity;
mod product;
mod screened;
mod sentence;
mod show;
mod stdin;
pub mod streams;
mod text;
mod tools;
mod train;
mod translate;
mod weights;

use screened::{Lines, Screened};
use sentence::{presentable, sentence};
use streams::Stdout;

/// Understand the Transformer by running it.
///
/// Without a command, the walkthrough opens: lessons that run the real component on live tensors.
/// You can ask any number on the screen where it came from, and break any mechanism.
#[derive(Parser)]
#[command(name = "transformer-tutor", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// The lessons as text and numbered prompts on stdin and stdout: for pipes, screen readers and
    /// simple terminals
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    look: Appearance,
    /// Opens at this lesson
    #[arg(long, value_name = "LESSON")]
    lesson: Option<String>,
}

/// Options for the look of the screen.
#[derive(Args)]
struct Appearance {
    /// The colours: auto, ansi, dark, light, colour-blind, mono
    #[arg(
        long,
        default_value = "auto",
        value_name = "NAME",
        env = environment::THEME
    )]
    theme: String,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// Turns animation off: every result appears at once
    #[arg(long)]
    still: bool,
}

impl Appearance {
    /// Returns the look for the screen. An unknown theme is an error even if no screen opens.
    fn screen(&self) -> anyhow::Result<tui::Appearance<'_>> {
        let is_known = self.theme == "auto" || Theme::by_name(&self.theme).is_some();
        limit::require(is_known, || Theme::unknown(&self.theme))?;
        Ok(tui::Appearance {
            theme: &self.theme,
            ascii: self.ascii,
            still: self.still,
        })
    }
}

#[derive(Subcommand)]
enum Command {
    /// List the lessons
    #[command(after_help = "Example:\n  transformer-tutor lessons")]
    Lessons {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Run a lesson's component and describe its tensors and pictures
    ///
    /// LESSON is a number (3), a name (attention) or an exercise (subsequent_mask).
    #[command(after_help = show::EXAMPLES)]
    Show(show::Options),
    /// Look inside a model while it translates your sentence
    ///
    /// This is the playground: your sentence, any model, and every picture of it.
    #[command(after_help = PLAY_EXAMPLES)]
    Play(Play),
    /// Find the fault that is hidden in a model or a training run
    ///
    /// The program breaks a model or a training run for real. You see its symptoms, choose what to look at, and name the
    /// fault and the part that it sits in. Instruments show you more, within a budget of looks.
    #[command(after_help = hunt::EXAMPLES)]
    Hunt(hunt::Options),
    /// Explain a term of the course, or list all terms
    #[command(after_help = "Example:\n  transformer-tutor glossary perplexity")]
    Glossary {
        /// The term, or its first letters
        term: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the lessons as a book to read in the browser
    ///
    /// The book is an mdBook: text, source, formulas, and pictures of the stages.
    #[command(after_help = "Example:\n  transformer-tutor book --out my-book --html --open")]
    Book {
        /// The folder to write into; made if it is missing
        #[arg(long, default_value = "book", value_name = "DIR")]
        out: PathBuf,
        /// Builds the HTML too, into DIR/book
        #[arg(long)]
        html: bool,
        /// Opens the first page in the browser
        #[arg(long, requires = "html")]
        open: bool,
        #[command(flatten)]
        force: product::Force,
    },
    /// Write the parts yourself: start, check, hint, solution
    #[command(subcommand, after_help = exercise::after_help())]
    Exercise(exercise::Exercises),
    /// See and run the model that your own functions add up to
    ///
    /// Without a command, it prints the map of the model: which functions are yours. They run in a process of their own,
    /// within limits of time and memory.
    #[command(after_help = mine::EXAMPLES)]
    Mine(mine::Options),
    /// Train a translator on the built-in phrasebook or on your own text
    ///
    /// However it was stopped, --resume continues it from its last checkpoint, and it ends with exactly the files of a run
    /// that was never stopped. Ctrl-C saves first and ends with exit code 130; a second Ctrl-C ends at once.
    #[command(after_help = train::EXAMPLES)]
    Train(train::Options),
    /// Translate sentences, from German to English by default
    ///
    /// Other languages need another --model. Without sentences, it translates the lines of stdin.
    #[command(after_help = translate::EXAMPLES)]
    Translate(translate::Translate),
    /// Translate a test set and measure BLEU, chrF and perplexity
    ///
    /// It also counts exact matches and, on the phrasebook, the alignment error.
    #[command(
        after_help = "Example:\n  transformer-tutor evaluate --model run --src test.de --ref test.en --beam 4"
    )]
    Evaluate(translate::Evaluate),
    /// Measure, compare and convert: BLEU, subwords, weights and more
    #[command(
        subcommand,
        after_help = "Example:\n  transformer-tutor tools bleu --help"
    )]
    Tools(tools::Tool),
    /// Check the program on this machine, or tell what a model is
    ///
    /// Reports what the program finds here (terminal, processor, BLAS, threads, memory, state) and what to do about each
    /// problem. Times a matrix product, compares a layer with PyTorch's numbers, and tests whether progress can be saved,
    /// in a second or two. Please add its output to bug reports; nothing in it is private. Ends with exit code 1 if
    /// something is wrong.
    ///
    /// With MODEL, reports what kind of model that folder or file is, what is missing, and which commands take it.
    #[command(
        after_help = "Examples:\n  transformer-tutor doctor\n  transformer-tutor doctor opus-mt-de-en"
    )]
    Doctor {
        /// A model: its folder, a file of weights, or the name of one that is built in
        model: Option<PathBuf>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

impl Command {
    /// True for a command that writes files and catches no signals itself.
    fn writes_files(&self) -> bool {
        match self {
            Self::Tools(tool) => tool.writes_files(),
            Self::Play(play) => play.html.is_some(),
            Self::Book { .. } | Self::Evaluate(_) | Self::Show(_) => true,
            _ => false,
        }
    }
}

/// Starting options of the playground.
#[derive(Args)]
struct Play {
    /// The sentence, in quotes; without it, an example sentence
    sentence: Option<String>,
    /// The model: everyday, phrasebook, yours (your run of lesson 20), or the folder of a run, a checkpoint or a
    /// published Marian model
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Writes a page in which the model translates, instead of opening it here: one file to keep, send or publish, with
    /// weights of 8 bits; - for stdout
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: product::Force,
    #[command(flatten)]
    look: Appearance,
}

const EXAMPLES: &str = "\
Examples:
  transformer-tutor                          opens the walkthrough
  transformer-tutor --lesson attention       opens a lesson
  transformer-tutor --plain                  without a screen: text and numbered prompts
  transformer-tutor translate 'Wo ist der Bahnhof?'
  transformer-tutor help train               describes a command and all its options";

const PLAY_EXAMPLES: &str = "\
Examples:
  transformer-tutor play 'Wo ist der Bahnhof?'
  transformer-tutor play --model run 'Der alte Mann schläft .'
  transformer-tutor play --model run --html run.html    writes a page in which your model translates
  transformer-tutor show playground --set model=run --view weights    without the screen";

/// Command-line definition: every command with its options.
pub fn command() -> clap::Command {
    groups::with_groups(limit::with_ranges(Cli::command()))
}

/// Runs the program with the process's arguments and returns its exit code.
pub fn main() -> ExitCode {
    file::set_memory(memory::limit().left());
    let mut command = command();
    let parsed = before::in_order(&command, std::env::args_os().collect())
        .and_then(|arguments| command.try_get_matches_from_mut(arguments))
        .and_then(|matches| {
            let cli = Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut command))?;
            Ok((matches, cli))
        });
    let (matches, cli) = match parsed {
        Ok(parsed) => parsed,
        Err(reply) => return answer(&reply),
    };
    ends::let_large_writes_fail();
    if cli.command.as_ref().is_some_and(Command::writes_files) {
        ends::clear_up();
    }
    let lines = Lines::of(&matches, io::stdout().is_terminal());
    let mut out = Screened::new(Stdout::lock(), lines);
    let ended = needs::check(&matches).and_then(|()| run(cli, &mut out));
    let ended = ended.and_then(|code| Ok(out.flush().map(|()| code)?));
    ended.unwrap_or_else(|error| {
        // Flush first, so that earlier output appears before the error.
        let _ = out.flush();
        failed(&error)
    })
}

/// Prints why a command failed and returns its exit code.
fn failed(error: &anyhow::Error) -> ExitCode {
    if closed_pipe(error) {
        // A closed pipe means that the reader has all the output it wanted.
        return ExitCode::SUCCESS;
    }
    let _ = writeln!(io::stderr(), "transformer-tutor: {}", sentence(error));
    // An invalid option value gives the same exit code as an argument that clap refuses.
    if error.is::<limit::Usage>() {
        ExitCode::from(2)
    } else {
        ExitCode::FAILURE
    }
}

/// Prints clap's reply to the arguments, which is the help or an error, and returns the exit code. The reply repeats
/// the arguments; if they are very long or contain control characters, it is cleaned and loses its colours.
fn answer(reply: &clap::Error) -> ExitCode {
    let words = reply.render().to_string();
    if reply.use_stderr() {
        let _ = match presentable(&words) {
            same if same == words => reply.print(),
            other => write!(io::stderr(), "{other}"),
        };
        return ExitCode::from(u8::try_from(reply.exit_code()).unwrap_or(2));
    }
    let print = || match clean(&words) {
        same if same == words => reply.print().and_then(|()| io::stdout().flush()),
        other => write!(io::stdout(), "{other}").and_then(|()| io::stdout().flush()),
    };
    match streams::require_open().and_then(|()| print().map_err(streams::from_stdout)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error.into()),
    }
}

fn closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause
            .downcast_ref::<serde_json::Error>()
            .and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(io::ErrorKind::BrokenPipe)
    })
}

fn run(cli: Cli, out: &mut Screened<impl Write>) -> anyhow::Result<ExitCode> {
    // Each is read only by a part of the program, so the others would ignore a wrong one.
    let seconds = environment::seconds().map(drop);
    seconds
        .and_then(|()| curriculum::check_writers())
        .map_err(limit::usage)?;
    match cli.command {
        None => return walkthrough(&cli, out),
        Some(Command::Play(play)) => match &play.html {
            Some(file) => play_in_page(&play, file, out)?,
            None => play_on_screen(&play, out)?,
        },
        Some(Command::Train(options)) => {
            return on(options.threads, || train::run(&options, out.drawing()));
        }
        Some(Command::Translate(command)) => {
            on(command.search.threads, || {
                translate::translate(&command, out)
            })?;
        }
        Some(Command::Evaluate(command)) => {
            on(command.search.threads, || {
                translate::evaluate(&command, out)
            })?;
        }
        Some(Command::Lessons { json: false }) => contents::contents(out)?,
        Some(Command::Lessons { json: true }) => {
            let all: Vec<_> = LESSONS.iter().map(|l| contents::listing(l)).collect();
            json(out, &all)?;
        }
        Some(Command::Glossary { term, json }) => {
            contents::glossary_of(term.as_deref(), json, out)?
        }
        Some(Command::Book {
            out: folder,
            html,
            open,
            force,
        }) => {
            let folder = product::folder(&folder)?;
            let options = book::Options {
                html,
                force: force.force,
            };
            product::with_progress(|tell| book::write(&folder, options, tell))?;
            let made = if html {
                "book/index.html"
            } else {
                "src/SUMMARY.md"
            };
            let made = folder.join(made);
            writeln!(out, "{}", made.display())?;
            if open {
                out.flush()?;
                open::that_detached(&made).with_context(|| {
                    format!(
                        "no browser could be opened; open {} yourself",
                        made.display()
                    )
                })?;
            }
        }
        Some(Command::Exercise(command)) => return exercise::run(&command, out.drawing()),
        Some(Command::Mine(options)) => return mine::run(&options, out.drawing()),
        Some(Command::Hunt(options)) => hunt::run(&options, out)?,
        Some(Command::Show(options)) => show::run(&options, out)?,
        Some(Command::Doctor { model, json }) => {
            return doctor::run(model.as_deref(), json, out);
        }
        Some(Command::Tools(tool)) => return tools::run(&tool, out),
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the walkthrough: full-screen on a terminal, as prompts on request, or only the contents list into a pipe.
fn walkthrough(cli: &Cli, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let look = cli.look.screen()?;
    let lesson = cli
        .lesson
        .as_deref()
        .map(curriculum::find)
        .transpose()
        .map_err(limit::usage)?;
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if cli.plain || (terminal && dumb) {
        let columns = io::stdout().is_terminal().then(crossterm::terminal::size);
        let columns = columns
            .and_then(Result::ok)
            .map(|(columns, _)| columns.into());
        plain::run(lesson, &mut io::stdin().lock(), out, columns)?;
    } else if terminal {
        out.flush()?;
        tui::run(lesson, &[], &look)?;
    } else {
        contents::contents(out)?;
        writeln!(
            out,
            "\nThis is not a terminal, so the walkthrough does not open here.\n\
             Go on with:\n  \
             transformer-tutor --plain          the lessons as text and prompts on stdin and stdout\n  \
             transformer-tutor show attention   one lesson's component, run and described\n  \
             transformer-tutor hunt             find the fault in someone else's model\n  \
             transformer-tutor --help           everything else"
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page in which the model translates.
fn play_in_page(play: &Play, file: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let name = play.model.as_deref().unwrap_or(BuiltIn::Everyday.name());
    let paths = ["model.safetensors", "tokenizer.json"].map(|file| Path::new(name).join(file));
    let paths = paths.each_ref().map(PathBuf::as_path);
    let product = product::Product::forced(file, &paths, &play.force)?;
    let model = models::find(name, 0).map_err(limit::usage)?;
    let page = book::page(&model, &model.about, play.sentence.as_deref());
    product.write(&page, out)?;
    if matches!(product, product::Product::File(_)) {
        writeln!(out, "{}", file.display())?;
    }
    Ok(())
}

/// Opens the playground on the screen; without a terminal, prints its translation as text.
fn play_on_screen(play: &Play, out: &mut dyn Write) -> anyhow::Result<()> {
    let look = play.look.screen()?;
    let sentence = play.sentence.clone().map(|value| ("sentence", value));
    let model = play.model.clone().map(|value| ("model", value));
    let knobs: Vec<_> = sentence.into_iter().chain(model).collect();
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        out.flush()?;
        let playground = Some(&**curriculum::PLAYGROUND);
        return tui::run(playground, &knobs, &look);
    }
    let mut session = Session::new(curriculum::PLAYGROUND);
    for (knob, value) in &knobs {
        session.set(knob, value).map_err(limit::usage)?;
    }
    session.show("translation").map_err(anyhow::Error::msg)?;
    writeln!(out, "{}", stage::describe(&session))?;
    Ok(())
}

/// Runs `work` on `asked` threads; by default, on all of the machine's.
fn on<T>(asked: Option<usize>, work: impl FnOnce() -> T) -> T {
    on_threads(asked.unwrap_or_else(machine), work)
}

/// Sentence about how many threads compute the shards of a batch.
fn threads_used(used: usize, asked: Option<usize>, shards: usize) -> String {
    let threads = counted(used, "thread");
    match asked {
        Some(asked) if asked > used => {
            format!("{threads} ({asked} were asked for, but the batch has {shards} shards)")
        }
        _ if used == shards => format!("{threads} (the batch has {shards} shards)"),
        _ => threads,
    }
}

/// Writes a value as JSON, followed by a newline.
fn json(out: &mut dyn Write, value: &impl serde::Serialize) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}
