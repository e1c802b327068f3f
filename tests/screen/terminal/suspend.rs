//! Ctrl-Z and stop signals.

use std::time::{Duration, Instant};

use crate::pty::{self, Tutor};

/// Starts the program as a job of a shell. It writes its process id to a file, because the shell's `$!` is not its id.
fn in_a_shell() -> Tutor {
    let state = tempfile::tempdir().unwrap();
    let mut command = pty::command("/bin/sh", state.path(), &["-i"]);
    command.env("PS1", "ready> ");
    let script = format!(
        "echo $$ > '{}'; exec '{}' --lesson masks",
        state.path().join("id").display(),
        env!("CARGO_BIN_EXE_transformer-tutor")
    );
    command.env("START", script);
    let mut tutor = Tutor::spawn(command, state, 100, 30);
    tutor.sees(&["ready>"]);
    tutor.press("set -m; sh -c \"$START\"\r");
    tutor.sees(&["Batches and masks"]);
    tutor
}

fn id(tutor: &Tutor) -> u32 {
    let written = std::fs::read_to_string(tutor.state.path().join("id")).unwrap();
    written.trim().parse().unwrap()
}

/// Asserts that the shell has the terminal back, in its normal modes.
#[track_caller]
fn at_the_shell(tutor: &mut Tutor) {
    tutor.gone("Batches and masks");
    tutor.restored();
    tutor.press("echo $((6 * 7))\n");
    tutor.sees(&["42"]);
}

/// Resumes the program on a screen of a different size, and asserts that it continues.
#[track_caller]
fn goes_on(tutor: &mut Tutor, how: impl FnOnce(&mut Tutor)) {
    tutor.resize(120, 40);
    how(tutor);
    tutor.sees(&["Batches and masks", "? help"]);
    let taken = [
        "the alternate screen",
        "the hidden cursor",
        "the bracketed paste",
        "the mouse",
        "the raw mode",
    ];
    // Wait until all of the wider screen is drawn: after a stop that cannot be caught, the old words are still there.
    let widest = |tutor: &Tutor| {
        let text = tutor.text();
        text.lines().map(|line| line.chars().count()).max()
    };
    let end = Instant::now() + pty::PATIENCE;
    while tutor.taken() != taken || widest(tutor) <= Some(110) {
        let late = Instant::now() >= end;
        assert!(!late, "{:?}, on it:\n{}", tutor.taken(), tutor.text());
        std::thread::sleep(Duration::from_millis(10));
    }
    tutor.press("?");
    tutor.sees(&["Begin with these"]);
    tutor.press("q");
    tutor.gone("Begin with these");
}

#[test]
fn ctrl_z_goes_to_the_shell_and_fg_comes_back() {
    let mut tutor = in_a_shell();
    tutor.press("\x1a");
    at_the_shell(&mut tutor);
    goes_on(&mut tutor, |tutor| tutor.press("fg\r"));
    tutor.press("Q");
    at_the_shell(&mut tutor);
    tutor.press("exit\r");
    tutor.end();
}

#[test]
fn a_stop_that_is_sent_gives_the_terminal_back_too() {
    let mut tutor = in_a_shell();
    for signal in ["TSTP", "TSTP"] {
        pty::kill(signal, id(&tutor));
        at_the_shell(&mut tutor);
        goes_on(&mut tutor, |tutor| tutor.press("fg\r"));
        tutor.resize(100, 30);
        tutor.sees(&["Batches and masks"]);
    }
    // STOP cannot be caught, but the program must still resume correctly.
    pty::kill("STOP", id(&tutor));
    tutor.press("echo $((7 * 11))\n");
    tutor.sees(&["77"]);
    goes_on(&mut tutor, |tutor| tutor.press("fg\n"));
    tutor.press("Q");
    at_the_shell(&mut tutor);
    tutor.press("exit\r");
    tutor.end();
}

#[test]
fn a_program_that_is_stopped_can_be_ended() {
    let mut tutor = in_a_shell();
    tutor.press("\x1a");
    at_the_shell(&mut tutor);
    tutor.press("kill %1; kill -CONT %1\r");
    let end = Instant::now() + pty::PATIENCE;
    while !tutor.text().contains("Terminated") {
        assert!(Instant::now() < end, "it lives on:\n{}", tutor.text());
        // The shell reports the job's end only at its next prompt.
        tutor.press("jobs\r");
        std::thread::sleep(Duration::from_millis(100));
    }
    tutor.restored();
    tutor.press("exit\r");
    tutor.end();
}

#[test]
fn where_no_shell_waits_ctrl_z_leads_back_to_the_screen() {
    let mut tutor = Tutor::start(80, 24, &["--lesson", "masks"]);
    tutor.sees(&["Batches and masks"]);
    tutor.press("\x1a");
    std::thread::sleep(Duration::from_millis(200));
    tutor.press("?");
    tutor.sees(&["Begin with these"]);
    tutor.press("Q");
    tutor.ended();
}
