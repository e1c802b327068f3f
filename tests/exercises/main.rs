//! Exercises as a learner meets them: the learner's process with its limits, and cargo's targets.
//!
//! The end-to-end tests, through cargo and the program, compile once per file and run only on request:
//! `cargo test --test exercises -- --ignored`, as `.ci/run` does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::Value;
use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::curriculum::{self, LESSONS};
use transformer_tutor::data::batches::cut;
use transformer_tutor::data::copy::copy_batch;
use transformer_tutor::decode::align::alignment;
use transformer_tutor::decode::beam::Fate;
use transformer_tutor::decode::by_hand::bleu;
use transformer_tutor::decode::stepwise::beam_step;
use transformer_tutor::lesson::exercise::changes;
use transformer_tutor::lesson::exercise::runner::{Runner, Verdict};
use transformer_tutor::lesson::exercise::workbook::Workbook;
use transformer_tutor::lesson::exercise::{Exercise, Failure, Mistakes, Outcome, Task, learner};
use transformer_tutor::lesson::progress::Progress;
use transformer_tutor::lesson::source::{Embedded, Files};
use transformer_tutor::lesson::{Kind, Lesson, Tier};
use transformer_tutor::nn::attention::attention;
use transformer_tutor::nn::embeddings::scale_embeddings;
use transformer_tutor::nn::layer_norm::layer_norm;
use transformer_tutor::nn::positional_encoding::positional_encoding;
use transformer_tutor::nn::rms_norm::rms_norm;
use transformer_tutor::nn::softmax_backward::softmax_backward;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::bpe::byte_pairs;
use transformer_tutor::train::adam::{Rules, adam_step};
use transformer_tutor::train::loss::smoothed_targets;
use transformer_tutor::transformer::cost::attention_cost;
use transformer_tutor::tui::app::App;
use transformer_tutor::tui::view;
use transformer_tutor::widgets::theme::Theme;

mod capstone;
mod eject;
mod evidence;
mod folders;
mod further;
mod mine;
mod shared_build;
#[cfg(unix)]
mod traces;
// Builds correct solutions of all exercises. The mutation tests of the checks use the rest of it.
#[allow(dead_code)]
#[path = "../mutants/base.rs"]
mod base;

/// Environment variable that tells [`as_a_learner`] how to behave.
const CASE: &str = "TRANSFORMER_TUTOR_TEST_CASE";

/// Not a test: stands in for a learner's program, which the tests below run in a separate process.
#[test]
#[ignore = "is started by other tests"]
fn as_a_learner() {
    static TASK: Task<()> = Task {
        reference: (),
        starter: (),
        mistakes: Mistakes::listed(&[]),
        check: |()| behave(&std::env::var(CASE).expect("the case is set")),
    };
    if std::env::var(CASE).is_ok() {
        learner(&curriculum::attention::LESSON, &TASK, ());
    }
}

fn behave(case: &str) -> Outcome {
    match case {
        "passes" => {
            println!("hello \u{1b}[31mthere");
            Ok(())
        }
        "fails" => Err(Failure::new("the values differ")),
        "panics" => panic!("an index out of range"),
        "loops" => loop {
            std::hint::spin_loop();
        },
        "recurses" => Err(Failure::new(deep(1).to_string())),
        "hoards" => {
            // Allocated but not touched: the limit applies to what is allocated.
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(Vec::with_capacity(std::hint::black_box(64 << 20)));
            }
        }
        "leaves" => std::process::exit(0),
        "floods" => loop {
            println!("{case}");
        },
        other => panic!("there is no case {other}"),
    }
}

/// Overflows the stack; the array and the addition keep the compiler from turning the recursion into a loop.
#[allow(unconditional_recursion)]
fn deep(n: u64) -> u64 {
    let here = std::hint::black_box([n; 64]);
    here[3] + deep(n + 1)
}

/// Every exercise with its lesson.
fn exercises() -> impl Iterator<Item = (&'static Lesson, &'static Exercise)> {
    let all = LESSONS.iter().map(|lesson| &***lesson);
    all.flat_map(|lesson| lesson.exercises().map(move |exercise| (lesson, exercise)))
}

/// The folder of an exercise's files.
fn folder(lesson: &Lesson, exercise: &Exercise) -> String {
    match exercise.kind {
        Kind::Core => format!("lessons/{}", lesson.folder),
        Kind::WarmUp | Kind::Challenge => {
            format!("lessons/{}/more/{}", lesson.folder, exercise.name)
        }
    }
}

fn run(case: &str, seconds: f64) -> (Verdict, String) {
    let mut program = Command::new(std::env::current_exe().expect("this program has a path"));
    program.args(["--exact", "as_a_learner", "--ignored", "--nocapture"]);
    program.env(CASE, case);
    let workbook = Workbook::at(Path::new(env!("CARGO_MANIFEST_DIR")));
    Runner::new(&workbook)
        .with_limit(seconds)
        .run(program, &mut || false)
        .expect("nobody interrupts")
}

#[track_caller]
fn stopped(case: &str, seconds: f64, words: &str) {
    match run(case, seconds).0 {
        Verdict::Stopped(sentence) => assert!(sentence.contains(words), "{case}: {sentence}"),
        other => panic!("{case}: {other:?}"),
    }
}

#[test]
fn a_right_function_passes_and_what_it_printed_is_clean() {
    let (verdict, printed) = run("passes", 10.0);
    assert_eq!(verdict, Verdict::Passed);
    assert!(printed.ends_with("hello there"), "{printed:?}");
}

#[test]
fn a_failure_arrives_as_it_was_found() {
    let failure = Failure::new("the values differ");
    assert_eq!(run("fails", 10.0).0, Verdict::Failed(failure));
}

#[test]
fn a_panic_outside_of_any_case_is_a_failure_too() {
    match run("panics", 10.0).0 {
        Verdict::Failed(failure) => assert!(failure.sentence.ends_with("an index out of range")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_endless_loop_is_stopped() {
    stopped("loops", 0.3, "did not end within 0.3 seconds");
}

#[test]
fn an_endless_recursion_is_named() {
    stopped("recurses", 10.0, "calls itself without end");
}

#[test]
#[cfg(target_os = "linux")]
fn a_hoard_of_memory_is_refused() {
    stopped("hoards", 10.0, "more than 2 GB");
}

#[test]
fn leaving_the_process_is_not_passing() {
    stopped("leaves", 10.0, "it must return instead");
}

#[test]
fn a_flood_of_output_is_cut_and_stopped() {
    let (verdict, printed) = run("floods", 0.3);
    assert!(matches!(verdict, Verdict::Stopped(_)), "{verdict:?}");
    assert!(printed.len() < 10_000, "{} bytes", printed.len());
}

/// The manifest of the learner's files, and its list of targets as the lessons' exercises ask for it. Without `test =
/// false`, `cargo test` would ask for files that only a learner has.
fn targets() -> (PathBuf, String) {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/exercises/Cargo.toml");
    let of = |(lesson, exercise): (&Lesson, &Exercise)| {
        let path = format!("{}/learner.rs", folder(lesson, exercise));
        (exercise.name, path)
    };
    let mine = ("mine", "lessons/13-model/mine.rs".to_owned());
    let list = exercises().map(of).chain([mine]).map(|(name, path)| {
        format!(
            r#"    {{ name = "{name}", path = "../../{path}", test = false, harness = false }},"#
        )
    });
    let list: Vec<String> = list.collect();
    (manifest, format!("\ntest = [\n{}\n]\n", list.join("\n")))
}

#[test]
fn every_exercise_has_a_target_that_the_gate_passes_over() {
    let (manifest, list) = targets();
    let manifest = fs::read_to_string(manifest).expect("there is a manifest");
    assert!(
        manifest.contains(&list),
        "src/exercises/Cargo.toml has other targets than the lessons have exercises. To write its list anew: cargo test --test exercises the_targets_are_made -- --ignored"
    );
    for (lesson, exercise) in exercises() {
        let path = format!("{}/learner.rs", folder(lesson, exercise));
        let main = Embedded.read(&path).unwrap_or_else(|| panic!("{path}"));
        let file = format!("exercises/{}.rs", exercise.name);
        assert!(main.contains(&file), "{path}");
    }
}

#[test]
#[ignore = "writes the list of targets in src/exercises/Cargo.toml"]
fn the_targets_are_made() {
    let (path, list) = targets();
    let manifest = fs::read_to_string(&path).expect("there is a manifest");
    let (before, rest) = manifest.split_once("\ntest = [").expect("a list");
    let (_, after) = rest.split_once("\n]\n").expect("its end");
    let written = [before, &list, after].concat();
    if written != manifest {
        fs::write(path, written).expect("the manifest is written");
    }
}

#[test]
fn readme_help_and_start_say_once_that_a_check_has_all_rights() {
    let _turn = TURN.lock();
    let (_, exercise) = curriculum::exercise("attention").expect("it is one");
    let _borrowed = Borrowed::new(exercise);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).expect("there is one");
    let output_of = |arguments: &[&str]| tutor(folder.path(), arguments).1;
    for text in [
        readme,
        output_of(&["--help"]),
        output_of(&["start", "attention"]),
    ] {
        // The help wraps its lines.
        let words: Vec<_> = text.split_whitespace().collect();
        let text = words.join(" ");
        assert_eq!(
            text.matches("runs your file with your full permissions")
                .count(),
            1,
            "{text}"
        );
    }
}

#[test]
fn a_tier_gives_its_starter_until_something_is_written() {
    let _turn = TURN.lock();
    let (_, exercise) = curriculum::exercise("subsequent_mask").expect("it is one");
    let borrowed = Borrowed::new(exercise);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let start = |arguments: &[&str]| {
        let arguments = [&["start", exercise.name], arguments].concat();
        tutor(folder.path(), &arguments)
    };
    let file = || fs::read_to_string(&borrowed.path).expect("there is one");

    let (code, printed) = start(&["--tier", "blank"]);
    assert_eq!(code, 0, "{printed}");
    assert_eq!(file(), exercise.starter_at(Tier::Blank));
    assert!(printed.contains(exercise.signature()), "{printed}");
    assert_eq!(start(&["--tier", "open"]).0, 0);
    assert_eq!(file(), exercise.starter_at(Tier::Open));

    fs::write(&borrowed.path, "// work\n").expect("a file");
    assert_eq!(start(&["--tier", "blank"]).0, 1, "the file has work");
    let (code, printed) = start(&["--tier", "guided"]);
    assert!(
        code == 0 && printed.contains(exercise.starter.trim_end()),
        "{printed}"
    );
    assert_eq!(file(), "// work\n");
}

#[test]
fn calling_the_reference_passes_no_exercise() {
    for (_, exercise) in exercises() {
        let name = exercise.name;
        let failure = exercise.function.borrowed(name).expect_err(name);
        let path = failure.calls.as_deref().unwrap_or_default();
        assert!(path.starts_with("transformer_tutor::"), "{name}: {path}");
        assert!(
            failure.sentence.contains(path),
            "{name}: {}",
            failure.sentence
        );
    }
}

#[test]
fn a_layers_method_that_runs_the_reference_is_recognised_and_the_layers_within_may_be_used() {
    let task = &curriculum::encoder::check::TASK;
    let failure = task.judged("encoder_layer", |layer, x, mask| layer.forward(x, mask));
    let failure = failure.expect_err("it is the reference under another name");
    let path = "transformer_tutor::transformer::encoder::encoder_layer";
    assert_eq!(failure.calls.as_deref(), Some(path));
    let written = task.judged("encoder_layer", |layer, x, mask| {
        let attend = |x: &Var| layer.self_attn.forward(x, x, x, Some(mask)).output;
        let x = layer.sublayer[0].forward(x, attend);
        layer.sublayer[1].forward(&x, |x| layer.feed_forward.forward(x))
    });
    assert_eq!(written, Ok(()));
}

#[test]
fn every_solution_is_source_that_is_there() {
    for (_, exercise) in exercises() {
        let shown = exercise.reference();
        assert!(shown.is_ok(), "{}: {shown:?}", exercise.name);
    }
}

/// Checks that the starter of a lesson's exercise gives this example.
#[track_caller]
fn holds(lesson: &str, example: &str) {
    let starter = curriculum::find(lesson)
        .expect(lesson)
        .exercise()
        .expect("it has one")
        .starter;
    let text: Vec<&str> = starter
        .lines()
        .map(|l| l.trim_start_matches("///").trim())
        .collect();
    assert!(text.join(" ").contains(example), "{lesson}: {example}");
}

fn matrix(rows: usize, cells: &[f32]) -> Tensor {
    Tensor::new(&[rows, cells.len() / rows], cells.to_vec())
}

#[track_caller]
fn near(got: &Tensor, expected: &[f32]) {
    assert_eq!(got.len(), expected.len());
    for (g, e) in got.data().iter().zip(expected) {
        assert!((g - e).abs() < 6e-4, "{:?} is not {expected:?}", got.data());
    }
}

#[test]
fn the_examples_of_embeddings_and_positions_are_what_the_references_give() {
    let tape = Tape::eval(&Params::default());
    let table = tape.input(
        "table",
        matrix(3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        &["v", "d"],
    );
    let ids = tape.ids("ids", matrix(1, &[2.0, 0.0]), &["b", "s"]);
    near(
        &scale_embeddings(&table, &ids).value(),
        &[7.071, 8.485, 1.414, 2.828],
    );
    holds("embeddings", "[[[7.071, 8.485], [1.414, 2.828]]]");

    near(
        &positional_encoding(2, 4),
        &[0.0, 1.0, 0.0, 1.0, 0.8415, 0.5403, 0.01, 0.99995],
    );
    holds("positional-encoding", "[0.8415, 0.5403, 0.01, 0.99995]");
}

#[test]
fn the_example_of_attention_is_what_the_reference_gives() {
    let tape = Tape::eval(&Params::default());
    let four = |rows: usize, cells: &[f32]| {
        let shape = [1, 1, rows, cells.len() / rows];
        tape.input(
            "x",
            Tensor::new(&shape, cells.to_vec()),
            &["b", "h", "t", "d"],
        )
    };
    let (query, key) = (four(1, &[2.0, 0.0]), four(2, &[1.0, 0.0, 0.0, 1.0]));
    let value = four(2, &[10.0, 20.0]);
    let attended = attention(&query, &key, &value, None, 0.0);
    near(&attended.weights.value(), &[0.804, 0.196]);
    near(&attended.context.value().map(|x| x / 10.0), &[1.1956]);
    let mask = Tensor::new(&[1, 1, 1, 2], vec![1.0, 0.0]);
    let mask = tape.mask("mask", mask, &["b", "h", "t", "s"]);
    let attended = attention(&query, &key, &value, Some(&mask), 0.0);
    near(&attended.weights.value(), &[1.0, 0.0]);
    holds("attention", "`[0.804, 0.196]` and the context `[11.96]`");
}

#[test]
fn the_examples_of_norms_and_the_softmax_gradient_are_what_the_references_give() {
    let tape = Tape::eval(&Params::default());
    let row = |cells: &[f32]| tape.input("row", matrix(1, cells), &["t", "d"]);
    let vector =
        |cells: &[f32]| tape.input("v", Tensor::new(&[cells.len()], cells.to_vec()), &["d"]);
    let norm = layer_norm(
        &row(&[1.0, 2.0, 3.0, 6.0]),
        &vector(&[1.0; 4]),
        &vector(&[0.0; 4]),
        0.0,
    );
    near(&norm.value(), &[-0.926, -0.463, 0.0, 1.389]);
    holds("layer-norm", "[-0.926, -0.463, 0, 1.389]");
    let norm = rms_norm(&row(&[3.0, 4.0]), &vector(&[1.0, 2.0]), 0.0);
    near(&norm.value(), &[0.849, 2.263]);
    holds("graduation", "[0.849, 2.263]");
    let dx = softmax_backward(&row(&[0.7, 0.2, 0.1]), &row(&[1.0, 0.0, 0.0]));
    near(&dx.value(), &[0.21, -0.14, -0.07]);
    holds("gradients", "[0.21, -0.14, -0.07]");
}

#[test]
fn the_examples_of_batches_and_targets_are_what_the_references_give() {
    let smoothed = smoothed_targets(&Tensor::new(&[1], vec![2.0]), 5, 0.3, 0);
    near(&smoothed, &[0.0, 0.1, 0.7, 0.1, 0.1]);
    holds("label-smoothing", "[[0, 0.1, 0.7, 0.1, 0.1]]");

    let batch = copy_batch(&matrix(2, &[7.0, 8.0, 2.0, 9.0, 2.0, 0.0]));
    near(&batch.src, &[1.0, 8.0, 2.0, 1.0, 2.0, 0.0]);
    near(&batch.src_mask, &[1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
    near(&batch.tgt_mask, &[1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
    assert_eq!(batch.ntokens, 3);
    holds("copy-task", "src `[[1, 8, 2], [1, 2, 0]]`");
    holds(
        "copy-task",
        "`[[[1, 0], [1, 1]], [[1, 0], [1, 1]]]` and ntokens 3",
    );
}

#[test]
fn the_example_of_adam_is_what_the_reference_gives() {
    let tape = Tape::eval(&Params::default());
    let vector =
        |cells: &[f32]| tape.input("v", Tensor::new(&[cells.len()], cells.to_vec()), &["d"]);
    let rules = Rules {
        rate: 0.1,
        beta1: 0.9,
        beta2: 0.98,
        epsilon: 0.0,
        decay: 0.0,
    };
    let [one, two, zero] = [1.0, 2.0, 0.0].map(|x| vector(&[x]));
    let moved = adam_step(&one, &two, &zero, &zero, 1, &rules);
    near(&moved.x.value(), &[0.9]);
    near(&moved.m.value(), &[0.2]);
    near(&moved.v.value(), &[0.08]);
    holds("adam", "become x 0.9, m 0.2 and v 0.08");
}

#[test]
fn the_examples_of_subwords_decoding_and_measuring_are_what_the_references_give() {
    let pairs = byte_pairs(&[("low", 2), ("slow", 1)], 9);
    let pairs = format!("{pairs:?}");
    holds("subwords", &pairs);
    assert_eq!(
        format!("{:?}", cut(&[(2, 2), (2, 2), (3, 2)], 6)),
        "[[0, 1], [2]]"
    );
    let branches = beam_step(&[-1.0], &matrix(1, &[-0.5, -1.5, -2.0]), 1, 0, 7, 1.0);
    let outcomes: Vec<_> = branches
        .iter()
        .map(|b| (b.word, b.log_prob, b.score, b.fate))
        .collect();
    let expected = [
        (0, -1.5, -0.75, Fate::Finished),
        (1, -2.5, -1.25, Fate::Alive(0)),
    ];
    assert_eq!(outcomes, expected);
    let weights = Tensor::new(&[1, 3, 2], vec![0.9, 0.1, 0.2, 0.8, 0.5, 0.5]);
    let aligned = alignment(&weights, &[(0, 0), (0, 1)]);
    assert_eq!(aligned, (vec![(0, 0), (1, 1)], 0.5));
    let score = bleu(&["a b c d e"], &["a b c d x"]);
    assert!((score - 66.87).abs() < 0.005, "{score}");
    let cost = attention_cost(1, 1, 1, 2, 1);
    assert_eq!((cost.flops, cost.bytes), (40, 168));
}

#[test]
fn the_screen_folds_the_reference_until_it_was_tried() {
    let lesson = curriculum::find("adam").expect("it is a lesson");
    let telling = "let m_hat = m.scale(1.0 / (1.0 - rules.beta1.powi(step)))";
    let drawn = |progress: Progress| {
        let mut app = App::new(Some(lesson), Theme::true_light(), progress, None);
        app.display.size = (160, 100);
        let pages = app
            .open_lesson
            .as_ref()
            .map_or(0, |open| open.walk.pages.len());
        let area = Rect::new(0, 0, 160, 100);
        let mut all = String::new();
        for page in 0..pages {
            // Only the text matters here, so the stage need not run for every page.
            app.open_lesson
                .as_mut()
                .expect("a lesson is open")
                .walk
                .page = page;
            let mut buf = Buffer::empty(area);
            view::draw(&app, area, &mut buf);
            // Collect the text pane by pane: a sentence continues on the next line of its pane, after a callout's bar.
            let mut panes: Vec<String> = Vec::new();
            for line in buf.content().chunks(160) {
                let line: String = line.iter().map(|cell| cell.symbol()).collect();
                for (n, part) in line.split('│').enumerate() {
                    panes.resize(panes.len().max(n + 1), String::new());
                    panes[n] += part.trim().trim_start_matches('▌').trim_start();
                    panes[n] += " ";
                }
            }
            all += &panes.concat();
        }
        all
    };
    let answered = || {
        let mut progress = Progress::default();
        for page in lesson.pages().expect("it is read") {
            for question in page.predictions() {
                let done = progress.lesson_mut(lesson.name);
                done.answers.insert(question.id.clone(), true);
            }
        }
        progress
    };
    let before = drawn(answered());
    assert!(
        !before.contains(telling) && before.contains("what you write in the exercise"),
        "it is shown"
    );
    let mut tried = answered();
    for exercise in lesson.exercises() {
        exercise.done_mut(&mut tried).attempts = 1;
    }
    assert!(
        drawn(tried).contains("let m_hat = m.scale("),
        "it is folded"
    );
}

#[test]
fn show_gives_no_reference_away() {
    for lesson in ["attention", "masks"] {
        let lesson = curriculum::find(lesson).expect("it is a lesson");
        let (code, _) = lesson
            .exercise()
            .expect("it has one")
            .reference()
            .expect("it is found");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (_, printed, _) = ran(&mut program(folder.path(), &["show", lesson.name]));
        assert!(!printed.is_empty());
        let telling = code
            .lines()
            .map(str::trim)
            .filter(|line| line.contains("let "));
        for line in telling {
            assert!(!printed.contains(line), "{}: {line}", lesson.name);
        }
    }
}

// End to end.

/// Held by tests that use the learner's files, which share one folder.
static TURN: Mutex<()> = Mutex::new(());

/// The learner's own file, moved aside and restored on drop.
struct Borrowed {
    path: PathBuf,
    away: PathBuf,
}

impl Borrowed {
    fn new(exercise: &Exercise) -> Self {
        let workbook = Workbook::at(Path::new(env!("CARGO_MANIFEST_DIR")));
        let path = workbook.path(exercise);
        let away = path.with_extension("rs.away");
        // A clean checkout has no learner's files and no folder for them.
        fs::create_dir_all(path.parent().expect("a folder")).expect("the exercises' folder");
        let _ = fs::rename(&path, &away);
        Self { path, away }
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::rename(&self.away, &self.path);
    }
}

/// The program with its own progress.
fn program(state: &Path, arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"));
    program
        .args(arguments)
        .env("TRANSFORMER_TUTOR_STATE", state);
    program
}

/// Runs a command; returns the exit code, stdout and stderr.
fn ran(command: &mut Command) -> (i32, String, String) {
    let output = command.output().expect("the program starts");
    let [out, wrong] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.code().unwrap_or(-1), out, wrong)
}

/// Runs `exercise ARGUMENTS` with its own progress; returns the exit code and the output.
fn tutor(state: &Path, arguments: &[&str]) -> (i32, String) {
    tutor_within(state, "2", arguments)
}

/// Like [`tutor`], with a time limit in seconds for a learner's function.
fn tutor_within(state: &Path, seconds: &str, arguments: &[&str]) -> (i32, String) {
    let mut program = program(state, &[&["exercise"], arguments].concat());
    let (code, out, wrong) = ran(program.env("TRANSFORMER_TUTOR_SECONDS", seconds));
    (code, out + &wrong)
}

/// The JSON that a command printed before its notes.
fn json(printed: &str) -> Value {
    let mut values = serde_json::Deserializer::from_str(printed).into_iter();
    let first = values.next().unwrap_or_else(|| panic!("{printed}"));
    first.unwrap_or_else(|e| panic!("{e}: {printed}"))
}

/// The report of `exercise check` on this text.
fn check(state: &Path, seconds: &str, exercise: &Exercise, path: &Path, text: &str) -> Value {
    fs::write(path, text).expect("the exercise's file");
    let (code, printed) = tutor_within(state, seconds, &["check", exercise.name, "--json"]);
    let report = json(&printed);
    let passed = report["passed"].as_bool() == Some(true);
    assert_eq!(code, i32::from(!passed), "{printed}");
    report
}

/// A learner's file that re-exports a function of the crate under the exercise's name.
fn borrow_function(path: &str, exercise: &Exercise) -> String {
    format!("pub use transformer_tutor::{path} as {};", exercise.name)
}

/// The path of the reference: the function with the exercise's name, defined or re-exported, or else the function that
/// the exercise shows as its solution.
fn reference(exercise: &Exercise) -> String {
    let name = exercise.name;
    let head = format!("pub fn {name}(");
    let tail = format!("::{name};");
    let text = |path: &str| Embedded.read(path).unwrap_or_default();
    let holds = |path: &&String| {
        let passed_on = |line: &str| line.starts_with("pub use") && line.ends_with(&tail);
        text(path)
            .lines()
            .any(|line| line.starts_with(&head) || passed_on(line))
    };
    let files = Embedded.paths();
    let layers = [
        "src/engine/nn/",
        "src/engine/transformer",
        "src/engine/text/",
        "src/engine/data/",
        "src/engine/train/",
        "src/engine/decode/",
    ];
    let mut names = layers.iter().filter_map(|layer| {
        let home = |path: &&String| path.starts_with(layer);
        files.iter().filter(home).find(holds).cloned()
    });
    let (path, function) = names.next().map_or_else(
        || {
            let (path, anchor) = exercise.solution.split_once(':').expect("a place");
            let shown = text(path);
            let (_, shown) = shown
                .split_once(&format!("// ANCHOR: {anchor}\n"))
                .unwrap_or_else(|| panic!("{path} has no anchor {anchor}"));
            let (_, shown) = shown.split_once("pub fn ").expect("a function");
            let function = shown.split('(').next().unwrap_or_default();
            (path.to_owned(), function.to_owned())
        },
        |path| (path, name.to_owned()),
    );
    let module = path
        .trim_start_matches("src/")
        .trim_start_matches("engine/");
    let module = module.trim_end_matches(".rs");
    format!("{}::{function}", module.replace('/', "::"))
}

/// A learner's file that passes: the imports and the text of the reference.
fn solved(lesson: &Lesson, exercise: &'static Exercise) -> String {
    let learner = format!("{}/learner.rs", folder(lesson, exercise));
    let learner = Embedded.read(&learner).expect("the target's file");
    let base =
        base::Base::new(exercise, learner).unwrap_or_else(|e| panic!("{}: {e}", exercise.name));
    format!("{}\n\n{}", base.uses, base.code)
}

/// A learner's file with a known mistake.
fn broken(lesson: &Lesson, exercise: &'static Exercise, mistake: &str) -> String {
    let solved = solved(lesson, exercise);
    let change = exercise.change(mistake).expect("a known mistake");
    let lines = changes::applied(&solved, change.diff).expect("it is a change of the reference");
    changes::code(&lines, |_| String::new())
}

/// A learner's file that calls the reference; `None` if a learner's file cannot name it.
fn calling_the_reference(exercise: &Exercise) -> Option<String> {
    let named = exercise.kind == Kind::Core || exercise.solution.starts_with("src/");
    named.then(|| borrow_function(&reference(exercise), exercise))
}

#[test]
#[ignore = "compiles each file: run by .ci/run"]
fn every_exercise_goes_the_whole_way_through_cargo() {
    let _turn = TURN.lock();
    for (lesson, exercise) in exercises() {
        let borrowed = Borrowed::new(exercise);
        let state = tempfile::tempdir().expect("a temporary folder");
        let state = state.path();
        let starter = exercise.starter;
        let check_within =
            |seconds: &str, text: &str| check(state, seconds, exercise, &borrowed.path, text);
        let check = |text: &str| check_within("2", text);

        let (code, printed) = tutor(state, &["solution", exercise.name]);
        assert!(code == 1 && printed.contains("try first"), "{printed}");
        let report = check(starter);
        let at = report["failure"]["at"].as_str().unwrap_or_default();
        assert!(at.starts_with("exercises/"), "{report}");
        assert_eq!(
            tutor(state, &["solution", exercise.name]).0,
            1,
            "no attempt"
        );

        let report = check(&format!("{starter}\nlet\n"));
        let location = report["compiler"][0]["place"].as_str().unwrap_or_default();
        assert!(location.starts_with("exercises/"), "{report}");

        // The test waits this long once per exercise.
        let endless = starter.replacen("todo!(", "loop {}\n    todo!(", 1);
        let report = check_within("0.5", &endless);
        let sentence = report["stopped"].as_str().unwrap_or_default();
        assert!(sentence.contains("within 0.5 seconds"), "{report}");

        // One mistake shows that hints come through; `tests/lessons/main.rs` tries them all, without cargo.
        let change = &exercise.changes[0];
        let report = check(&broken(lesson, exercise, change.name));
        let likely = report["failure"]["likely"].as_str();
        assert_eq!(likely, lesson.hint(exercise, change.name), "{report}");

        if let Some(text) = calling_the_reference(exercise) {
            let report = check(&text);
            assert!(report["failure"]["calls"].is_string(), "{report}");
        }

        let report = check(&solved(lesson, exercise));
        assert_eq!(report["passed"].as_bool(), Some(true), "{report}");
        let (code, printed) = tutor(state, &["solution", exercise.name]);
        assert!(
            code == 0 && printed.contains("The reference, "),
            "{printed}"
        );
        let (_, printed) = tutor(state, &["list", "--json"]);
        let list = json(&printed);
        let entry = list.as_array().and_then(|all| {
            all.iter()
                .find(|entry| entry["exercise"].as_str() == Some(exercise.name))
        });
        assert_eq!(entry.expect("listed")["state"].as_str(), Some("solved"));
    }
}

#[test]
#[ignore = "compiles: run by .ci/run"]
fn hints_come_one_by_one_and_reset_keeps_what_was_there() {
    let _turn = TURN.lock();
    let lesson = &**curriculum::LESSONS[1];
    let exercise = lesson.exercise().expect("every lesson has one");
    let borrowed = Borrowed::new(exercise);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let state = folder.path();
    for given in 1..=5 {
        let (code, printed) = tutor(state, &["hint", lesson.name]);
        let tiers = printed
            .lines()
            .filter(|line| line.starts_with(char::is_numeric))
            .count();
        assert_eq!((code, tiers), (0, given.min(4)), "{printed}");
    }
    fs::write(&borrowed.path, "// mine\n").expect("the exercise's file");
    let (code, printed) = tutor(
        state,
        &[
            "reset",
            lesson.exercise().expect("every lesson has one").name,
        ],
    );
    assert_eq!(code, 0, "{printed}");
    let aside = printed
        .split(" is kept as ")
        .nth(1)
        .expect(&printed)
        .trim_end();
    let aside = Path::new(env!("CARGO_MANIFEST_DIR")).join(aside.trim_end_matches('.'));
    assert_eq!(fs::read_to_string(&aside).expect("kept"), "// mine\n");
    fs::remove_file(&aside).expect("it was only this test's");
    let (code, printed) = tutor(state, &["check", "atention"]);
    assert!(code == 2 && printed.contains("attention"), "{printed}");
    // Asking for the fifth hint counted as giving up, so the reference is shown without an attempt.
    let (code, printed) = tutor(state, &["solution", lesson.name]);
    assert!(
        code == 0 && printed.contains("The reference, src/"),
        "{printed}"
    );
}

#[test]
#[ignore = "compiles: run by .ci/run"]
fn an_old_file_that_is_put_back_is_compiled_again() {
    let _turn = TURN.lock();
    let lesson = &**curriculum::LESSONS[1];
    let exercise = lesson.exercise().expect("every lesson has one");
    let borrowed = Borrowed::new(exercise);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let passes = |text: &str| {
        check(folder.path(), "60", exercise, &borrowed.path, text)["passed"] == Value::Bool(true)
    };
    let wrong = broken(lesson, exercise, exercise.function.mistakes()[0]);
    assert!(!passes(&wrong));
    let aside = folder.path().join("old.rs");
    fs::rename(&borrowed.path, &aside).expect("moved away, with its time");
    assert!(passes(&solved(lesson, exercise)));
    fs::rename(&aside, &borrowed.path)
        .or_else(|_| {
            let time = fs::metadata(&aside)?.modified()?;
            fs::copy(&aside, &borrowed.path)?;
            fs::File::options()
                .write(true)
                .open(&borrowed.path)?
                .set_modified(time)
        })
        .expect("put back, with its time");
    let (code, printed) = tutor(folder.path(), &["check", exercise.name]);
    assert_eq!(code, 1, "{printed}");
}
