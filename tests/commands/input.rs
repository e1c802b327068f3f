//! Bad input: every option of every command with values that make no sense, and files of the wrong kind.

use std::any::TypeId;
use std::collections::VecDeque;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Arg;
use tempfile::TempDir;
use transformer_tutor::cli;
use transformer_tutor::curriculum;
use transformer_tutor::lesson::Range;
use transformer_tutor::lesson::session::Session;
use transformer_tutor::train::config::TrainConfig;

mod messages;
#[cfg(target_os = "linux")]
mod stdout;

use crate::support::argv;
use messages::clumsiness;

/// The lesson used wherever one is needed, because its stage runs quickly.
const LESSON: &str = "masks";

/// Length of a value that is longer than any name, and still short enough to pass as an argument.
const LONG: usize = 50_000;

/// Time after which a command counts as endless; generous, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// Files to give to commands.
struct Samples {
    folder: TempDir,
}

impl Samples {
    fn new() -> Self {
        let samples = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let lines = "der hund schläft .\ndie katze läuft .\n".repeat(40);
        for (name, text) in [
            ("a.de", lines.as_str()),
            ("b.en", &lines.replace("hund", "dog")),
            ("merges", "#version: 0.2\ne r</w>\nd er</w>\n"),
            ("settings.toml", "layers = 1\n"),
        ] {
            fs::write(samples.path(name), text).unwrap();
        }
        let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parity/set-1");
        fs::create_dir(samples.path("full")).unwrap();
        fs::write(samples.path("full/a"), "somebody's").unwrap();
        fs::create_dir(samples.path("cases")).unwrap();
        let first = "noam_rate.safetensors";
        fs::copy(case.join(first), samples.path("cases").join(first)).unwrap();
        #[cfg(unix)]
        assert!(
            Command::new("mkfifo")
                .arg(samples.path("pipe"))
                .status()
                .unwrap()
                .success()
        );
        samples.made(&[&["train", "--out", "@run"], &TINY[..]].concat());
        samples.made(&argv(
            "tools weights export --set d_model=8 --set d_ff=8 --out @torch",
        ));
        samples.made(&[
            "tools", "weights", "import", "@torch", "--heads", "4", "--out", "@model",
        ]);
        samples
    }

    fn made(&self, words: &[&str]) {
        let words: Vec<String> = words.iter().map(|word| self.filled(word, 0)).collect();
        let output = run(self, &words, "").expect("it ends");
        assert!(output.status.success(), "{words:?}: {}", stderr_of(&output));
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// `word` with `@name` replaced by the path of a sample, in which `#` becomes `number`.
    fn filled(&self, word: &str, number: usize) -> String {
        match word.strip_prefix('@') {
            Some(name) => self.text(&name.replace('#', &number.to_string())),
            None => word.to_owned(),
        }
    }
}

/// Arguments of a training run that takes a moment.
const TINY: [&str; 16] = [
    "--src",
    "@a.de",
    "--tgt",
    "@b.en",
    "--steps",
    "1",
    "--set",
    "d_model=8",
    "--set",
    "d_ff=8",
    "--set",
    "heads=2",
    "--set",
    "layers=1",
    "--threads",
    "1",
];

/// The fewest arguments with which a command works, each with the id of its option.
///
/// `@name` is a sample and `@new#` a path that does not exist. A new command needs an entry if clap does not know what
/// it requires.
fn least(path: &[&str]) -> Option<Vec<(&'static str, Vec<&'static str>)>> {
    let out = ("out", vec!["--out", "@new#"]);
    Some(match path {
        ["show"] => vec![("lesson", vec![LESSON])],
        ["play"] => vec![("sentence", vec!["Er schläft ."])],
        ["exercise", _] => vec![],
        ["mine", "train"] => vec![("steps", vec!["--steps", "1"])],
        ["mine", "eject" | "capstone"] => vec![("folder", vec!["@new#"])],
        ["book"] => vec![out],
        ["tools", "pages"] => vec![("lessons", vec![LESSON]), out],
        ["tools", "weights", "import"] => vec![("file", vec!["@torch"]), out],
        ["tools", "weights", "export"] => vec![("file", vec!["@model"]), out],
        ["tools", "weights", "pack"] => vec![("model", vec!["@run"]), out],
        ["train"] => vec![
            out,
            ("src", TINY[..2].to_vec()),
            ("tgt", TINY[2..4].to_vec()),
            ("steps", TINY[4..6].to_vec()),
            ("sets", TINY[6..14].to_vec()),
            ("threads", TINY[14..].to_vec()),
        ],
        ["translate"] => vec![("text", vec!["Er schläft ."])],
        ["tools", "score"] => vec![
            ("src", vec!["--src", "@a.de"]),
            ("tgt", vec!["--tgt", "@b.en"]),
        ],
        ["evaluate"] => vec![("pairs", vec!["--pairs", "2"])],
        ["tools", "average"] => vec![("model", vec!["--model", "@run"]), out],
        ["tools", "bleu" | "chrf"] => vec![
            ("hyp", vec!["--hyp", "@a.de"]),
            ("refs", vec!["--ref", "@b.en"]),
        ],
        ["tools", "compare"] => vec![
            ("hyps", vec!["--hyp", "@a.de", "--hyp", "@b.en"]),
            ("refs", vec!["--ref", "@b.en"]),
        ],
        ["tools", "bpe", "learn"] => vec![("files", vec!["@a.de"]), out],
        ["tools", "bpe", "apply"] => vec![("merges", vec!["--merges", "@merges"])],
        ["tools", "corpus", "phrasebook"] => vec![("pairs", vec!["--pairs", "3"]), out],
        ["tools", "bench"] => vec![
            ("only", vec!["--only", "tiny"]),
            ("steps", vec!["--steps", "1"]),
            ("short", vec!["--short"]),
        ],
        ["tools", "parity"] => vec![("dir", vec!["@cases"])],
        _ => return None,
    })
}

/// Arguments that an option requires beside it.
fn needed(path: &[&str], id: &str) -> &'static [&'static str] {
    match (path, id) {
        (["translate"], "temperature" | "top_k" | "top_p" | "seed") => &["--sample"],
        (["show"], "screen" | "size" | "theme") => &["--svg", "@new#"],
        (["evaluate"], "src") => &["--ref", "@b.en"],
        (["evaluate"], "refs") => &["--src", "@a.de"],
        (["train"], "valid_src") => &["--valid-tgt", "@b.en"],
        (["train"], "valid_tgt") => &["--valid-src", "@a.de"],
        _ => &[],
    }
}

/// True if the option `other` must be left out of the fewest arguments when the option `id` is given.
fn conflicts(path: &[&str], id: &str, other: &str) -> bool {
    match path {
        ["train"] => id == "corpus" && ["src", "tgt"].contains(&other),
        ["evaluate"] => ["src", "refs"].contains(&id) && other == "pairs",
        ["tools", "weights", "export"] => {
            ["preset", "set", "seed"].contains(&id) && other == "file"
        }
        _ => false,
    }
}

/// One command line: the command's path and all of its words.
struct Trial {
    path: Vec<String>,
    words: Vec<String>,
}

/// Collects every trial of a command and of its subcommands.
fn trials(command: &clap::Command, path: &[&str], samples: &Samples, all: &mut Vec<Trial>) {
    for below in command.get_subcommands() {
        trials(below, &[path, &[below.get_name()]].concat(), samples, all);
    }
    if command.is_subcommand_required_set() || command.get_name() == "help" {
        return;
    }
    let least = least(path).unwrap_or_else(|| {
        let required = command.get_arguments().filter(|arg| arg.is_required_set());
        let names: Vec<_> = required.map(Arg::get_id).collect();
        assert!(
            names.is_empty(),
            "{path:?} needs {names:?}: say in `least` with what it works"
        );
        vec![]
    });
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        if ["help", "version"].contains(&id) {
            continue;
        }
        for value in values(path, arg, samples) {
            let number = all.len();
            let fill = |word: &&str| samples.filled(word, number);
            let mut words: Vec<String> = path.iter().map(|word| (*word).to_owned()).collect();
            // A setting is added to the others; any other option replaces its own entry.
            let others = least
                .iter()
                .filter(|(other, _)| (*other != id || id == "sets") && !conflicts(path, id, other));
            for (_, rest) in others {
                words.extend(rest.iter().map(fill));
            }
            words.extend(needed(path, id).iter().map(fill));
            match arg.get_long() {
                Some(long) => words.push(format!("--{long}={value}")),
                None => words.extend(["--".to_owned(), value]),
            }
            let path = path.iter().map(|word| (*word).to_owned()).collect();
            all.push(Trial { path, words });
        }
    }
}

/// Values that make no sense for an option.
fn values(path: &[&str], arg: &Arg, samples: &Samples) -> Vec<String> {
    let long = "x".repeat(LONG);
    let nowhere = samples.text("nowhere/at/all");
    let below_a_file = samples.text("a.de/below");
    let folder = samples.text("cases");
    let (elsewhere, full) = (samples.text("elsewhere/at/all"), samples.text("full"));
    let pipe = samples.text("pipe");
    let id = arg.get_id().as_str();
    let own = |all: &[&str]| -> Vec<String> { all.iter().map(|&value| value.to_owned()).collect() };
    if (path == ["book"] || path == ["tools", "pages"]) && id == "out" {
        // A book and the pages take their time; only what cannot be written is tried.
        return own(&["", &long, &below_a_file]);
    }
    if arg.get_value_parser().type_id() == TypeId::of::<PathBuf>() {
        let mut values = own(&["", "-1", "ä→𝄞", &long, &below_a_file]);
        // A command that writes into a pipe waits for a reader, as it should; an input must be a regular file.
        values.extend(match id {
            "out" | "svg" | "html" | "write" | "folder" => vec![elsewhere, full],
            _ => vec![nowhere, folder, pipe, "/dev/zero".to_owned()],
        });
        return values;
    }
    if path == ["mine", "translate"] && id == "text" {
        // A real sentence would first build the learner's program.
        return own(&["", &long]);
    }
    let numbers = argv("0 -1 18446744073709551615 9223372036854775807 NaN inf 1e308");
    let words = ["", "ä→𝄞", &long, &nowhere, &folder, &pipe];
    let mut all = own(&[&numbers[..], &words[..]].concat());
    let name = arg.get_value_names().and_then(|names| names.first());
    let name = name.map_or("", |name| name.as_str());
    let keys: Vec<String> = match name {
        "KEY=VALUE" if path == ["train"] => TrainConfig::keys(),
        "KEY=VALUE" => own(&argv("src_vocab tgt_vocab layers d_model d_ff heads tied")),
        "KNOB=VALUE" => {
            let lesson = curriculum::find(LESSON).unwrap();
            let knobs = lesson.knobs.iter();
            knobs.map(|knob| knob.name.to_owned()).collect()
        }
        _ => vec![],
    };
    for key in keys {
        let odd = numbers.iter().chain(&["", "ä→𝄞", "[[[", "1\n2"]);
        all.extend(odd.map(|value| format!("{key}={value}")));
    }
    if name.starts_with("NAME[") {
        let value = if name.ends_with("=VALUE") { "=NaN" } else { "" };
        let cells =
            "src[18446744073709551615,0] src[-1,0] src[NaN] src[ src[] [0] src[0,0] src[0,0]]";
        all.extend(argv(cells).iter().map(|cell| format!("{cell}{value}")));
        all.extend(own(&argv(
            "= src[0,0]= src[0,0]=1e308 src[0,0]=inf src[0,0]=-1",
        )));
    }
    if name == "WIDTHxHEIGHT" {
        all.extend(own(&argv("0x0 65536x65536 400x200 x 100x -1x-1")));
    }
    all
}

/// Runs the program with at most 12 GB of memory; `None` if it does not end.
fn run(samples: &Samples, words: &[String], input: &str) -> Option<Output> {
    let folder = tempfile::tempdir_in(samples.folder.path()).unwrap();
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 12000000; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(words)
        .current_dir(&folder)
        .env("TRANSFORMER_TUTOR_STATE", folder.path().join("state"))
        .stdin(Stdio::piped())
        .stdout(fs::File::create(folder.path().join("stdout")).unwrap())
        .stderr(fs::File::create(folder.path().join("stderr")).unwrap())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if begun.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let content = |name| fs::read(folder.path().join(name)).unwrap();
    let (stdout, stderr) = (content("stdout"), content("stderr"));
    Some(Output {
        status,
        stdout,
        stderr,
    })
}

fn stderr_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What was wrong with how a command line ended, if anything.
fn fault(trial: &Trial, samples: &Samples) -> Option<String> {
    let program = ["transformer-tutor".to_owned()];
    // Clap refuses the same arguments here as in a separate process.
    if let Err(error) = cli::command().try_get_matches_from(program.iter().chain(&trial.words)) {
        let sound = error.exit_code() == 2 && error.to_string().starts_with("error: ");
        return (!sound).then(|| format!("clap: {error}"));
    }
    let path: Vec<&str> = trial.path.iter().map(String::as_str).collect();
    if matches!(path[..], ["mine", "translate" | "train"]) {
        // These build the learner's program first; `tests/exercises/mine.rs` covers them.
        return None;
    }
    let Some(output) = run(samples, &trial.words, "Er schläft .\n") else {
        return Some("it does not end".to_owned());
    };
    let stderr = stderr_of(&output);
    // A report of disagreement goes to stdout.
    let words = stderr.trim().len() + output.stdout.len();
    match output.status.code() {
        _ if stderr.contains("panicked at") => Some(stderr),
        Some(1 | 2) if clumsiness(&stderr).is_some() => clumsiness(&stderr),
        Some(0) => None,
        Some(1 | 2) if words > 10 => None,
        code => Some(format!("it ends with {code:?}: {stderr}")),
    }
}

#[test]
fn no_value_of_any_option_ends_in_a_panic_an_abort_or_endless_work() {
    let samples = Samples::new();
    let mut all = Vec::new();
    trials(&cli::command(), &[], &samples, &mut all);
    let count = all.len();
    assert!(count > 1000, "only {count} trials");
    // Neighbouring trials take about equally long, so the threads take them in turn.
    let waiting = Mutex::new(VecDeque::from(all));
    let faults = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(trial) = { waiting.lock().unwrap().pop_front() } {
                    if let Some(fault) = fault(&trial, &samples) {
                        let short = |text: &str| text.chars().take(300).collect::<String>();
                        let words: Vec<String> = trial.words.iter().map(|w| short(w)).collect();
                        let path = trial.path.join(" ");
                        let message = format!("{path}: {words:?}\n    {}", short(&fault));
                        faults.lock().unwrap().push(message);
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(
        faults.is_empty(),
        "{} of {count}:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn every_knob_at_its_ends_gives_a_run_or_a_sentence_and_beyond_them_a_sentence() {
    for lesson in curriculum::LESSONS {
        let mut session = Session::new(lesson);
        let sound = session.settings().clone();
        for knob in session.lesson().knobs {
            let (ends, beyond) = match &knob.range {
                Range::Whole { least, most, .. } => (
                    vec![least.to_string(), most.to_string()],
                    vec![
                        (most + 1).to_string(),
                        "-1".to_owned(),
                        "18446744073709551616".to_owned(),
                    ],
                ),
                Range::Real { least, most, .. } => (
                    vec![least.to_string(), most.to_string()],
                    ["NaN", "inf", "-inf", "1e308"].map(str::to_owned).to_vec(),
                ),
                Range::Choice(all) => (
                    all.iter().map(|&word| word.to_owned()).collect(),
                    vec!["no such word".to_owned()],
                ),
                Range::Text { most, .. } => (
                    vec![
                        "x".repeat(*most),
                        "ß ".repeat(*most / 2),
                        "\u{301}\0".to_owned(),
                    ],
                    vec!["x".repeat(most + 1), " ".to_owned()],
                ),
            };
            for value in beyond.iter().chain([&"x".repeat(LONG), &String::new()]) {
                let message = knob
                    .accept(value)
                    .expect_err(&format!("{}={value}", knob.name));
                assert!(message.contains(knob.name), "{message}");
            }
            // tests/lessons/main.rs runs the stops, and from lesson 18 on a run trains a model or searches with one.
            let long = lesson.number >= 18 || knob.name == "seed";
            for value in ends
                .iter()
                .filter(|value| !long && !knob.stops().contains(value))
            {
                if let Err(sentence) = session.set(knob.name, value) {
                    assert!(
                        !sentence.is_empty(),
                        "{} {}={value}",
                        lesson.name,
                        knob.name
                    );
                }
                session
                    .configure(sound.clone())
                    .expect("the defaults are sound");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn the_doctor_says_which_limit_of_memory_binds() {
    let kilobytes = 3_000_000;
    let output = Command::new("sh")
        .args([
            "-c",
            &format!("ulimit -v {kilobytes}; \"$0\" doctor --json"),
        ])
        .arg(env!("CARGO_BIN_EXE_transformer-tutor"))
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let memory = &report["memory"];
    // A container may have less.
    match memory["bound"].as_str() {
        Some("RLIMIT_AS") => assert_eq!(memory["limit"], kilobytes * 1024),
        bound => assert!(
            bound.is_some() && memory["limit"].as_u64() < Some(kilobytes * 1024),
            "{memory}"
        ),
    }
}
