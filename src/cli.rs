//! The program's commands: their arguments and how each is dispatched.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::curriculum::{self, LESSONS};
use crate::data::file;
use crate::lesson::session::Session;
use crate::tensor::on_threads;
use crate::tensor::threads::machine;
use crate::typeset::number::counted;
use crate::typeset::sanitize::clean;
use crate::widgets::stage;
use crate::widgets::theme::Theme;
use crate::{book, plain, tui};

mod before;
mod bench;
mod contents;
mod doctor;
mod ends;
mod exercise;
mod hunt;
mod limit;
mod measures;
mod memory;
mod mine;
mod model;
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
mod train;
mod translate;
mod variants;
mod weights;

use screened::Screened;
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
    look: Look,
    /// Opens at this lesson
    #[arg(long, value_name = "LESSON")]
    lesson: Option<String>,
}

/// Options for the look of the screen.
#[derive(Args)]
struct Look {
    /// The colours: auto, ansi, dark, light, colour-blind, mono
    #[arg(
        long,
        default_value = "auto",
        value_name = "NAME",
        env = "TRANSFORMER_TUTOR_THEME"
    )]
    theme: String,
    /// Draws with ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// Nothing moves on the screen: every result stands there at once
    #[arg(long)]
    still: bool,
}

impl Look {
    /// Returns the look for the screen. An unknown theme is an error even if no screen opens.
    fn screen(&self) -> anyhow::Result<tui::Look<'_>> {
        let is_known = self.theme == "auto" || Theme::by_name(&self.theme).is_some();
        limit::require(is_known, || Theme::unknown(&self.theme))?;
        Ok(tui::Look {
            theme: &self.theme,
            ascii: self.ascii,
            still: self.still,
        })
    }
}

#[derive(Subcommand)]
enum Command {
    /// Lists the lessons
    #[command(after_help = "Example:\n  transformer-tutor lessons")]
    Lessons {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Explains a term of the course, or lists all terms
    #[command(after_help = "Example:\n  transformer-tutor glossary perplexity")]
    Glossary {
        /// The term, or its first letters
        term: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Runs the component of a lesson and describes its tensors and pictures
    ///
    /// LESSON is a number (4), a name (attention) or an exercise (subsequent_mask).
    #[command(after_help = show::EXAMPLES)]
    Show(show::Options),
    /// Draws every page of the course, as the walkthrough shows it, into a folder
    ///
    /// For each page, and for each part of one that is longer than the screen, DIR gets SIZE/LESSON/page-NN.svg and .txt;
    /// then the quiz, the end and the exercise of each lesson, home, help, search and every term of the glossary.
    #[command(after_help = pages::EXAMPLES)]
    Pages(pages::Options),
    /// Opens the playground: your sentence, any model, and every picture of it
    #[command(after_help = PLAY_EXAMPLES)]
    Play(Play),
    /// The functions to write: list, start, check, watch, hint, reset, solution
    #[command(subcommand, after_help = exercise::after_help())]
    Exercise(exercise::Exercises),
    /// Your own model: the functions that you have written, put together; its map, translation, training
    ///
    /// They run in a process of their own, within limits of time and memory.
    #[command(after_help = mine::EXAMPLES)]
    Mine(mine::Options),
    /// Finds the fault in somebody else's Transformer: one real fault, instruments, and a budget of looks
    ///
    /// The program breaks a model or a training run for real. You see its symptoms, choose what to look at, and name the
    /// fault and the part that it sits in.
    #[command(after_help = hunt::EXAMPLES)]
    Hunt(hunt::Options),
    /// Writes the lessons as an mdBook: text, source, formulas, and pictures of the stages
    #[command(after_help = "Example:\n  transformer-tutor book --out my-book --html")]
    Book {
        /// The folder to write into; made if it is missing
        #[arg(long, default_value = "book", value_name = "DIR")]
        out: PathBuf,
        /// Builds the HTML too, into DIR/book
        #[arg(long)]
        html: bool,
        #[command(flatten)]
        force: product::Force,
    },
    /// Counts a model's parameters: the tree, each part's equation, and what training needs
    ///
    /// Without options it counts the paper's base model: vocabularies of 30,000, the generator not tied.
    #[command(after_help = "Example:\n  transformer-tutor params --set layers=12")]
    Params(params::Options),
    /// Shows how the paper, the Annotated Transformer and TensorFlow's official model differ
    ///
    /// For each difference it runs two models with the same weights and names the first tensor that
    /// differs.
    #[command(after_help = "Example:\n  transformer-tutor variants")]
    Variants {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Converts models: import from PyTorch, export to PyTorch and to transformers, pack into 8 bits
    #[command(
        subcommand,
        after_help = "Example:\n  transformer-tutor weights export run --to marian --out for-transformers"
    )]
    Weights(weights::Weights),
    /// Trains a translator on two text files, or on the built-in phrasebook
    ///
    /// However it was stopped, --resume continues it from its last checkpoint, and it ends with exactly the files of a run
    /// that was never stopped. Ctrl-C saves first and ends with exit code 130; a second Ctrl-C ends at once.
    #[command(after_help = train::EXAMPLES)]
    Train(train::Options),
    /// Translates sentences or the lines of stdin, from German to English unless --model names another model
    #[command(after_help = translate::EXAMPLES)]
    Translate(translate::Translate),
    /// Computes the log-probability of given translations, token by token
    #[command(
        after_help = "Example:\n  transformer-tutor score --src source.de --tgt translation.en --json"
    )]
    Score(translate::Score),
    /// Translates and measures: exact match, BLEU, chrF, perplexity, and on the phrasebook the alignment error
    #[command(
        after_help = "Example:\n  transformer-tutor evaluate --model run --src test.de --ref test.en --beam 4"
    )]
    Evaluate(translate::Evaluate),
    /// Averages the weights of a run's newest checkpoints into one model
    #[command(
        after_help = "Example:\n  transformer-tutor average --model run --last 5 --out run-mean"
    )]
    Average(translate::Average),
    /// Computes BLEU of translations against references, as sacreBLEU does
    #[command(after_help = BLEU_EXAMPLE)]
    Bleu(measures::Bleu),
    /// Computes chrF and chrF++, as sacreBLEU does
    #[command(after_help = CHRF_EXAMPLE)]
    Chrf(measures::Chrf),
    /// Byte-pair encoding: learns merges, splits words into subwords, joins them again
    #[command(
        subcommand,
        after_help = "Example:\n  transformer-tutor bpe learn corpus.de corpus.en --merges 8000 --out merges.txt"
    )]
    Bpe(text::Subwords),
    /// Writes built-in text to files
    #[command(
        subcommand,
        after_help = "Example:\n  transformer-tutor corpus phrasebook --pairs 1000 --out phrasebook"
    )]
    Corpus(text::Corpora),
    /// Times the engine on this machine: training steps of three sizes
    #[command(after_help = "Example:\n  transformer-tutor bench --only tiny --threads 4")]
    Bench(bench::Options),
    /// Reports what the program finds here: terminal, processor, BLAS, threads, memory, state; tests itself
    ///
    /// Times a matrix product, compares a layer with PyTorch's numbers, and tests whether progress can be saved, in a
    /// second or two. Please add its output to bug reports; nothing in it is private. Ends with exit code 1 if something
    /// is wrong.
    #[command(after_help = "Example:\n  transformer-tutor doctor")]
    Doctor {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Compares the engine with tensors that PyTorch computed, and published models with transformers
    ///
    /// Computes every .safetensors file of DIR whose case the program knows again: forward results
    /// must agree within 1e-5, gradients within 1e-4 of the tensor's largest entry, ids exactly.
    /// Ends with exit code 1 if one does not, or if a file is damaged.
    ///
    /// If DIR has model/ (a published Marian model), expected.json and expected.safetensors, that model is compared with
    /// what Hugging Face's transformers computed with it: ids, layers, attention, log-probabilities, translations.
    #[command(after_help = "Example:\n  transformer-tutor parity tests/fixtures/parity")]
    Parity {
        /// The folder of case files, or of a published model with its expected results
        dir: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

impl Command {
    /// True for a command that writes files and catches no signals itself.
    fn writes_files(&self) -> bool {
        matches!(
            self,
            Self::Average(_)
                | Self::Book { .. }
                | Self::Bpe(_)
                | Self::Corpus(_)
                | Self::Evaluate(_)
                | Self::Pages(_)
                | Self::Show(_)
                | Self::Weights(_)
        )
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
    #[command(flatten)]
    look: Look,
}

const EXAMPLES: &str = "\
Examples:
  transformer-tutor                          opens the walkthrough
  transformer-tutor --lesson attention       opens a lesson
  transformer-tutor --plain                  without a screen: text and numbered prompts
  transformer-tutor translate 'Wo ist der Bahnhof?'";

const BLEU_EXAMPLE: &str = "Example:
  transformer-tutor bleu --hyp translation.en --ref reference.en";

const CHRF_EXAMPLE: &str = "Example:
  transformer-tutor chrf --hyp translation.en --ref reference.en";

const PLAY_EXAMPLES: &str = "\
Examples:
  transformer-tutor play 'Wo ist der Bahnhof?'
  transformer-tutor play --model run 'Der alte Mann schläft .'
  transformer-tutor show playground --set model=run --view weights    without the screen";

/// Command-line definition: every command with its options.
pub fn command() -> clap::Command {
    limit::with_ranges(Cli::command())
}

/// Runs the program with the process's arguments and returns its exit code.
pub fn main() -> ExitCode {
    file::set_memory(memory::limit().bytes);
    let arguments = std::env::args_os().collect();
    let parsed = before::moved_behind(&command(), arguments)
        .and_then(|arguments| command().try_get_matches_from(arguments))
        .and_then(|matches| Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut command())));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(reply) => return answer(&reply),
    };
    ends::let_large_writes_fail();
    if cli.command.as_ref().is_some_and(Command::writes_files) {
        ends::clear_up();
    }
    let mut out = Screened::new(Stdout::lock(), io::stdout().is_terminal());
    let ended = run(cli, &mut out).and_then(|code| Ok(out.flush().map(|()| code)?));
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
    match error.is::<limit::Usage>() {
        true => ExitCode::from(2),
        false => ExitCode::FAILURE,
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
    match streams::require_open().and_then(|()| print().map_err(streams::named)) {
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
    match cli.command {
        None => return walkthrough(&cli, out),
        Some(Command::Play(play)) => play_on_screen(&play, out)?,
        Some(Command::Train(options)) => {
            return on(options.threads, || train::run(&options, out.drawing()));
        }
        Some(Command::Translate(command)) => {
            on(command.search.threads, || {
                translate::translate(&command, out)
            })?;
        }
        Some(Command::Score(command)) => translate::score(&command, out)?,
        Some(Command::Evaluate(command)) => {
            on(command.search.threads, || {
                translate::evaluate(&command, out)
            })?;
        }
        Some(Command::Average(command)) => translate::average(&command, out)?,
        Some(Command::Bleu(command)) => measures::bleu(&command, out)?,
        Some(Command::Chrf(command)) => measures::chrf(&command, out)?,
        Some(Command::Bpe(command)) => text::subwords(&command, out)?,
        Some(Command::Corpus(command)) => text::corpora(&command, out)?,
        Some(Command::Bench(options)) => on(options.threads, || bench::run(&options, out))?,
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
            force,
        }) => {
            let folder = product::folder(&folder)?;
            product::with_progress(|tell| book::write(&folder, html, force.force, tell))?;
            let made = match html {
                true => "book/index.html",
                false => "src/SUMMARY.md",
            };
            writeln!(out, "{}", folder.join(made).display())?;
        }
        Some(Command::Exercise(command)) => return exercise::run(&command, out.drawing()),
        Some(Command::Mine(options)) => return mine::run(&options, out.drawing()),
        Some(Command::Hunt(options)) => hunt::run(&options, out)?,
        Some(Command::Show(options)) => show::run(&options, out)?,
        Some(Command::Pages(options)) => pages::run(&options, out)?,
        Some(Command::Params(options)) => write!(out, "{}", params::run(&options)?)?,
        Some(Command::Variants { json }) => write!(out, "{}", variants::run(json)?)?,
        Some(Command::Weights(command)) => weights::run(&command, out)?,
        Some(Command::Doctor { json }) => return doctor::run(json, out),
        Some(Command::Parity { dir, json: as_json }) => {
            let report = parity::run(&dir)?;
            if as_json {
                json(out, &report)?;
            } else {
                write!(out, "{}", report.table())?;
            }
            out.flush()?;
            return Ok(if report.passed {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            });
        }
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
            "\nThis is no terminal, so the walkthrough does not open here.\n\
             Go on with:\n  \
             transformer-tutor --plain          the lessons as text and prompts on stdin and stdout\n  \
             transformer-tutor show attention   one lesson's component, run and described\n  \
             transformer-tutor hunt             find the fault in somebody else's model\n  \
             transformer-tutor --help           everything else"
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
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
