//! A run that is stopped in any way can be resumed, and ends with the same files as an uninterrupted run.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::tiny::{Room, difference, done, refused};

/// Number of kills: 60, or as many as `TRANSFORMER_TUTOR_KILLS` says.
pub fn kills() -> usize {
    let asked = std::env::var("TRANSFORMER_TUTOR_KILLS");
    asked.map_or(60, |asked| asked.parse().expect("a number of kills"))
}

/// A pseudo-random number from 0 to 1 (splitmix64).
pub fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn a_run_that_is_killed_anywhere_ends_with_the_very_files_of_one_that_was_not() {
    let room = Room::new();
    let begun = Instant::now();
    done(room.train("whole", &["--threads", "2"]));
    let duration = begun.elapsed();
    let whole = room.all_of("whole");
    let (room, whole) = (&room, &whole);
    let chain = |seed: u64, mut owed: usize| {
        let (mut state, mut runs, mut resumes) = (seed, 0, 0);
        while owed > 0 {
            let name = format!("killed {seed}");
            // The last process of a run is not killed, so that its final files can be compared.
            let mut ended = false;
            for life in 0.. {
                let going = room.can_go_on(&name);
                resumes += usize::from(going);
                let threads = ["1", "2", "3"][life % 3];
                let mut command = if going {
                    room.resume(&name, &["--threads", threads])
                } else {
                    room.train(&name, &["--threads", threads])
                };
                if life == 12 || owed == 0 {
                    done(command);
                    break;
                }
                let mut child = command.stdout(Stdio::null()).spawn().unwrap();
                std::thread::sleep(duration.mul_f64(0.7 * random(&mut state)));
                child.kill().unwrap();
                let status = child.wait().unwrap();
                if status.success() {
                    ended = true;
                    break;
                }
                assert_eq!(status.signal(), Some(9), "it was alive until it was killed");
                owed -= 1;
            }
            let now = room.all_of(&name);
            if let Some(difference) = difference(&now, whole) {
                panic!("seed {seed}, run {runs}, ended by itself: {ended}: {difference}");
            }
            std::fs::remove_dir_all(room.path(&name)).unwrap();
            runs += 1;
        }
        (runs, resumes)
    };
    let half = kills() / 2;
    let rest = kills() - half;
    let (one, other) = std::thread::scope(|scope| {
        let one = scope.spawn(|| chain(1, half));
        let other = chain(2, rest);
        (one.join(), other)
    });
    let one = one.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let resumes = one.1 + other.1;
    println!(
        "{} kills, {} runs compared, {resumes} resumes",
        kills(),
        one.0 + other.0
    );
    assert!(
        resumes > kills() / 4,
        "{resumes}: most were killed before their first checkpoint"
    );
}

/// The command with a limit on file size, in blocks of 1,024 bytes, and with the signal's default action.
fn limited(command: &Command, blocks: &str) -> Command {
    let mut limited = Command::new("bash");
    limited.args(["-c", "ulimit -f \"$1\"; shift; exec \"$@\"", "bash", blocks]);
    limited.arg(command.get_program()).args(command.get_args());
    limited
}

#[test]
fn a_run_whose_files_may_not_grow_ends_with_a_sentence_and_goes_on_later() {
    let room = Room::new();
    done(room.train("whole", &[]));
    let words = ["is not saved", "cannot be written: File too large"];
    refused(limited(&room.train("run", &[]), "8"), &words);
    assert!(!room.can_go_on("run"));
    done(room.train("run", &["--steps", "10"]));
    let before = room.all_of("run");
    let words = [
        "goes on from update 10",
        "cannot be written: File too large",
    ];
    refused(
        limited(&room.resume("run", &["--steps", "25"]), "8"),
        &words,
    );
    let mut now = room.all_of("run");
    now.retain(|name, bytes| before.get(name) != Some(bytes));
    let log = std::path::PathBuf::from("log.jsonl");
    assert!(now.keys().eq([&log]), "{:?}", now.keys());
    done(room.resume("run", &["--steps", "25"]));
    // `config.toml` records that the run was to have 10 updates first, and the trainer's file has its checksum.
    let [run, whole] = ["run", "whole"].map(|name| {
        let mut files = room.all_of(name);
        files.retain(|path, _| {
            !["config.toml", "trainer.safetensors"]
                .iter()
                .any(|name| path.ends_with(name))
        });
        files
    });
    assert_eq!(difference(&run, &whole), None);
}

/// Settings for a run of about a second, with an evaluation every 20 updates.
const LONG: [&str; 4] = ["--steps", "400", "--set", "evaluate_every=20"];

/// Starts a run and reads its progress, as JSON, until it reaches the update `until`.
fn watched(mut command: Command, until: u64) -> (Child, BufReader<impl Read>) {
    command.arg("--json").stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut reached = false;
    while !reached {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "it ended");
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        reached = line["step"].as_u64() >= Some(until);
    }
    (child, lines)
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_run_whose_reader_is_gone_is_saved_says_so_and_goes_on() {
    let room = Room::new();
    done(room.train("whole", &LONG));
    let (child, lines) = watched(room.train("run", &LONG), 3);
    drop(lines);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    for words in [
        "can no longer be shown: stdout cannot be written",
        "which is saved",
        "--resume --out",
    ] {
        assert!(stderr.contains(words), "{stderr}");
    }
    let step = stderr.split("after update ").nth(1).unwrap();
    let step: usize = step.split(',').next().unwrap().parse().unwrap();
    let kept = ["step", "paused"].map(|kind| room.path(&format!("run/{kind}-{step:08}")));
    assert!(
        kept.iter()
            .any(|folder| folder.join("trainer.json").is_file()),
        "{stderr}"
    );
    done(room.resume("run", &[]));
    assert_eq!(difference(&room.all_of("run"), &room.all_of("whole")), None);
}

#[test]
fn a_signal_saves_and_ends_the_run_and_a_second_ends_it_at_once() {
    let room = Room::new();
    done(room.train("whole", &LONG));
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let command = match name {
            "INT" => room.train("run", &LONG),
            _ => room.resume("run", &[]),
        };
        let (mut child, mut lines) = watched(command, 3);
        signal(&child, name);
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{rest}");
        let last = rest.lines().last().unwrap();
        for words in [
            "which is saved",
            "Go on with: transformer-tutor train --resume",
        ] {
            assert!(last.contains(words), "{last}");
        }
    }
    done(room.resume("run", &[]));
    assert_eq!(difference(&room.all_of("run"), &room.all_of("whole")), None);

    // A run whose updates take long.
    let mut command = room.train(
        "slow",
        &["--set", "accumulate=1000", "--set", "batch_tokens=9000"],
    );
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("parameters")));
    std::thread::sleep(Duration::from_millis(200));
    for name in ["INT", "INT"] {
        signal(&child, name);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(child.wait().unwrap().signal(), Some(2));
}
