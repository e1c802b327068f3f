//! Panics on any thread.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use transformer_tutor::autograd::Tape;
use transformer_tutor::curriculum;
use transformer_tutor::lesson::picture::{Job, Progress};
use transformer_tutor::lesson::picture::{Live, Part, Status, Steer, Steered};
use transformer_tutor::lesson::{Body, Lesson, Picture, Run, Settings, Stage};
use transformer_tutor::params::Params;
use transformer_tutor::tensor::Tensor;

use crate::pty::{self, Tutor};

/// A stage with experiments that panic on their own thread or on another, and with live work that panics while it is
/// drawn.
struct Faulty;

struct Work(AtomicU64);

impl Steered for Work {
    fn status(&self) -> Status {
        Status::Idle
    }

    fn version(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    fn shown(&self) -> (String, f32, Vec<Part>) {
        panic!("a drawing\ndid not come out");
    }

    fn steer(&self, _: Steer) -> Option<String> {
        None
    }

    fn settle(&self) -> String {
        String::new()
    }
}

impl Stage for Faulty {
    fn run(&self, _: &Settings) -> Result<Run, String> {
        let picture = |name, body| Picture::new(name, format!("The {name}"), "", body);
        let job = |deep: bool| {
            let run = move |_: &mut dyn FnMut(Progress) -> ControlFlow<()>| -> Progress {
                if deep {
                    let _ = std::thread::spawn(|| panic!("a worker stumbled")).join();
                }
                panic!("an experiment went wrong")
            };
            Body::Job(Job {
                pace: std::time::Duration::ZERO,
                measures: false,
                last: None,
                about: "panics at once".to_owned(),
                run: Arc::new(run),
            })
        };
        let live = Body::Live(Live {
            about: "draws nothing".to_owned(),
            work: Arc::new(Work(AtomicU64::new(1))),
        });
        let tape = Tape::eval(&Params::default());
        tape.input("x", Tensor::zeros(&[2, 2]), &["row", "column"]);
        Ok(Run {
            trace: tape.trace(),
            pictures: vec![
                picture("shallow", job(false)),
                picture("deep", job(true)),
                picture("live", live),
            ],
            ..Run::default()
        })
    }
}

static FAULTY: Lesson = Lesson {
    number: 0,
    folder: "faulty",
    name: "faulty",
    title: "Faulty",
    minutes: 1,
    runs: "untrained, random weights",
    runs_with: &[],
    own_words: None,
    needs: &[],
    gains: "",
    lights: &[],
    reveals: &[],
    text: "# Faulty\n\nNothing works.\n",
    quiz: "",
    pictures: &[],
    trained: false,
    so_far: None,
    own_stage: || Box::new(Faulty),
    knobs: &[],
    mistakes: &[],
    exercise: None,
    more: &[],
    wrong: None,
};

/// Opens the walkthrough in the faulty lesson; the tests below start it as a separate process.
#[test]
#[ignore = "is started by the tests beside it, on a terminal"]
fn opens_the_faulty_lesson() {
    let look = transformer_tutor::tui::Appearance {
        theme: "auto",
        ascii: false,
        still: true,
    };
    let done = transformer_tutor::tui::run(Some(&FAULTY), &[], &look);
    if let Err(sentence) = done {
        eprintln!("it says: {sentence:#}");
        std::process::exit(3);
    }
    std::process::exit(0);
}

fn faulty() -> Tutor {
    assert!(
        curriculum::find("faulty").is_err(),
        "it is not a lesson of the course"
    );
    let program = std::env::current_exe().unwrap();
    let state = tempfile::tempdir().unwrap();
    let arguments = [
        "--exact",
        "terminal::panics::opens_the_faulty_lesson",
        "--ignored",
        "--nocapture",
    ];
    let command = pty::command(program.to_str().unwrap(), state.path(), &arguments);
    let tutor = Tutor::spawn(command, state, 120, 40);
    tutor.sees(&["Nothing works."]);
    tutor
}

#[test]
fn a_bug_in_an_experiment_ends_it_and_is_told_on_the_screen_and_at_the_end() {
    let mut tutor = faulty();
    tutor.press("v");
    tutor.sees(&["The shallow"]);
    tutor.press("r");
    tutor.sees(&["transformer-tutor has a bug: an experiment went wrong (tests/screen/terminal"]);
    assert_eq!(tutor.taken().len(), 5, "the screen stays");
    tutor.press("?");
    tutor.sees(&["Begin with these"]);
    tutor.press("q");
    tutor.press("v");
    tutor.sees(&["The deep"]);
    tutor.press("r");
    tutor.sees(&["a worker stumbled"]);
    tutor.press("Q");
    assert_eq!(tutor.end().exit_code(), 3);
    tutor.restored();
    tutor.sees(&[
        "it says: transformer-tutor has a bug: an experiment went wrong",
        "a worker stumbled",
        "Please report",
    ]);
}

#[test]
fn a_panic_while_drawing_restores_the_terminal_and_explains() {
    let mut tutor = faulty();
    tutor.press("vvv");
    let status = tutor.end();
    assert_eq!(status.exit_code(), 101, "{status:?}");
    tutor.restored();
    tutor.sees(&[
        "transformer-tutor has a bug: a drawing did not come out (tests/screen/terminal",
        "Please report",
    ]);
    // The message must not be drawn over.
    assert!(!tutor.text().contains("Nothing works."), "{}", tutor.text());
}
