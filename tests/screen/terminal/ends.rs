//! Signals, and terminals that are not read or that disappear.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::pty::{self, Tutor};

#[test]
fn every_signal_that_ends_the_program_gives_the_terminal_back_first() {
    let mut all = vec![
        ("TERM", "Terminated"),
        ("HUP", "Hangup"),
        ("INT", "Interrupt"),
        ("QUIT", "Quit"),
        ("USR1", "User defined signal 1"),
        ("USR2", "User defined signal 2"),
        ("ALRM", "Alarm clock"),
        ("XCPU", "CPU"),
        ("ABRT", "Abort"),
        ("SEGV", "Segmentation"),
        ("BUS", "Bus error"),
        ("TRAP", "race"),
    ];
    if cfg!(target_os = "linux") {
        all.push(("PWR", "Power failure"));
    }
    // Run four programs at a time.
    for some in all.chunks(4) {
        std::thread::scope(|scope| {
            for &(signal, words) in some {
                scope.spawn(move || {
                    let mut tutor = Tutor::start(80, 24, &["--lesson", "masks"]);
                    tutor.sees(&["Batches and masks"]);
                    tutor.signal(signal);
                    let status = tutor.end();
                    let number = status.signal().unwrap_or_default();
                    assert!(number.contains(words), "{signal}: {status:?}");
                    tutor.restored();
                });
            }
        });
    }
}

#[test]
fn a_signal_gives_the_terminal_back_while_a_run_trains() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "training"]);
    tutor.sees(&["20 Training a translator"]);
    tutor.turn_to("training", "what-it-learns-from");
    tutor.sees(&["Three held-out sentences"]);
    tutor.press(":preset=small\r");
    tutor.sees(&["preset ◂ small ▸"]);
    tutor.press("VV");
    tutor.sees(&["Your own run", "Trains a small model"]);
    tutor.press("r");
    tutor.sees(&["trains"]);
    tutor.signal("TERM");
    assert!(tutor.end().signal().is_some());
    tutor.restored();
}

/// Makes the program draw until the terminal's buffer is full.
fn block(tutor: &Tutor) {
    for n in 0..60 {
        tutor.master.resize(pty::size(200 - n % 2, 60)).unwrap();
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_terminal_that_nobody_reads_is_given_back_when_it_is_read_again() {
    // SEGV is a fault, whose handler restores the terminal.
    for signal in ["TERM", "HUP", "SEGV"] {
        let mut tutor = Tutor::start(200, 60, &["--lesson", "masks"]);
        tutor.sees(&["Batches and masks"]);
        let gate = tutor.gate.clone();
        let shut = Tutor::shut(&gate);
        block(&tutor);
        rests(&tutor);
        tutor.signal(signal);
        assert!(tutor.end().signal().is_some());
        drop(shut);
        tutor.restored();
    }
}

/// Waits for a second in which the program is nearly idle.
#[track_caller]
fn rests(tutor: &Tutor) {
    let end = Instant::now() + pty::PATIENCE;
    loop {
        let before = work(tutor);
        std::thread::sleep(Duration::from_secs(1));
        let worked = work(tutor) - before;
        if worked < 0.3 {
            return;
        }
        assert!(
            Instant::now() < end,
            "waiting takes {worked} s of work in a second"
        );
    }
}

/// Processor time of the program in seconds; 0 if the system does not report it.
fn work(tutor: &Tutor) -> f64 {
    let id = tutor.child.process_id().unwrap();
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{id}/stat")) else {
        return 0.0;
    };
    let after = stat.rsplit(')').next().unwrap();
    let ticks = |field: usize| {
        after
            .split_whitespace()
            .nth(field)
            .unwrap()
            .parse::<f64>()
            .unwrap()
    };
    (ticks(11) + ticks(12)) / 100.0
}

#[test]
fn a_terminal_that_goes_away_without_a_signal_ends_the_program() {
    let state = tempfile::tempdir().unwrap();
    let reply = state.path().join("said");
    // The shell leads the session and does not pass on the hang-up.
    let script = format!(
        "trap '' HUP; '{}' --lesson masks; echo $? > '{}'",
        env!("CARGO_BIN_EXE_transformer-tutor"),
        reply.display()
    );
    let command = pty::command("/bin/sh", state.path(), &["-c", &script]);
    let tutor = Tutor::spawn(command, state, 80, 24);
    tutor.sees(&["Batches and masks"]);
    let (mut child, mut writer) = (tutor.child, tutor.writer);
    // The reader thread ends with the next frame, because the screen is no longer shared.
    drop(tutor.screen);
    writer.write_all(b"?").unwrap();
    drop((writer, tutor.master));
    let end = Instant::now() + pty::PATIENCE;
    while !reply.exists() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("it lives on without a terminal");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.wait();
}

/// A learner's file that the test creates, removed on drop.
struct Made(PathBuf);

impl Made {
    /// The file of `exercise`; `None` if the learner already has one.
    fn of(exercise: &str) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let file = root.join(format!("exercises/{exercise}.rs"));
        (!file.exists()).then_some(Self(file))
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        // Fails, as it should, if the folder contains anything else.
        let _ = self.0.parent().map(fs::remove_dir);
    }
}

#[test]
fn a_signal_ends_the_check_that_is_running() {
    let _made = Made::of("subsequent_mask");
    let folder = tempfile::tempdir().unwrap();
    let (cargo, pid) = (folder.path().join("cargo"), folder.path().join("pid"));
    let place = pid.display();
    let script = format!(
        "#!/bin/sh\necho $$ > '{place}.new' && mv '{place}.new' '{place}'; exec sleep 60\n"
    );
    fs::write(&cargo, script).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    for signal in ["HUP", "TERM"] {
        let state = tempfile::tempdir().unwrap();
        let program = env!("CARGO_BIN_EXE_transformer-tutor");
        let mut command = pty::command(program, state.path(), &["--lesson", "masks"]);
        command.env("CARGO", &cargo);
        let mut tutor = Tutor::spawn(command, state, 120, 40);
        tutor.sees(&["Batches and masks"]);
        tutor.press("x");
        tutor.waits(|_| pid.exists(), || "the check does not begin".to_owned());
        let id = fs::read_to_string(&pid).unwrap();
        fs::remove_file(&pid).unwrap();
        tutor.signal(signal);
        assert!(tutor.end().signal().is_some());
        let alive = || {
            let mut kill = std::process::Command::new("kill");
            let kill = kill
                .args(["-0", id.trim()])
                .stderr(std::process::Stdio::null());
            // A zombie, which has not been waited for yet, still has its id.
            let stat = fs::read_to_string(format!("/proc/{}/stat", id.trim()));
            kill.status().unwrap().success() && !stat.is_ok_and(|stat| stat.contains(") Z "))
        };
        let deadline = Instant::now() + Duration::from_secs(20);
        while alive() {
            assert!(Instant::now() < deadline, "{signal}: cargo goes on");
            std::thread::yield_now();
        }
    }
}
