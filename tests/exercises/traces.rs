//! A check leaves nothing behind, however it ends. A stand-in for cargo "builds" a script at once.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::*;

/// Creates an executable script.
fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it can be started");
}

/// A tutor whose check of `exercise` runs the script `learner`, with `tmp` as its temporary folder.
fn checking(folder: &Path, exercise: &Exercise, learner: &str) -> Child {
    let (cargo, program, tmp) = (
        folder.join("cargo"),
        folder.join("program"),
        folder.join("tmp"),
    );
    fs::create_dir(&tmp).expect("a folder");
    script(&program, learner);
    let built = serde_json::json!({
        "reason": "compiler-artifact", "executable": program,
        "target": { "kind": ["test"], "name": exercise.name },
    });
    script(&cargo, &format!("cat <<'END'\n{built}\nEND"));
    super::program(&folder.join("state"), &["exercise", "check", exercise.name])
        .env("CARGO", &cargo)
        .env("TMPDIR", &tmp)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::yield_now();
    }
}

/// True if the process whose id is in this file has ended; a zombie counts as ended.
fn has_ended(file: &Path) -> bool {
    let number = fs::read_to_string(file).expect("the script wrote it");
    let number = number.trim();
    if Path::new("/proc/self/stat").exists() {
        let stat = fs::read_to_string(format!("/proc/{number}/stat"));
        return stat.map_or(true, |stat| stat.contains(") Z "));
    }
    let alive = Command::new("kill")
        .args(["-0", number])
        .stderr(Stdio::null())
        .status();
    !alive.expect("there is a kill").success()
}

#[test]
fn a_check_that_a_signal_ends_leaves_nothing_behind() {
    let _turn = TURN.lock();
    let (_, exercise) = curriculum::exercise("attention").expect("it is one");
    let _borrowed = Borrowed::new(exercise);
    for signal in ["-TERM", "-INT", "-HUP"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pid = folder.path().join("pid");
        let learner = format!(
            "echo $$ > '{0}.new' && mv '{0}.new' '{0}'; exec sleep 60",
            pid.display()
        );
        let mut tutor = checking(folder.path(), exercise, &learner);
        wait_until("the check does not begin", || pid.exists());
        let sent = Command::new("kill")
            .args([signal, &tutor.id().to_string()])
            .status();
        assert!(sent.expect("there is a kill").success());
        let status = tutor.wait().expect("it ends");
        assert!(!status.success(), "{signal}: {status}");
        wait_until("the check goes on", || has_ended(&pid));
        let left: Vec<_> = fs::read_dir(folder.path().join("tmp"))
            .expect("the folder")
            .collect();
        assert!(left.is_empty(), "{signal}: {left:?}");
    }
}

#[test]
fn a_program_that_only_writes_passed_does_not_pass() {
    let _turn = TURN.lock();
    let (_, exercise) = curriculum::exercise("attention").expect("it is one");
    let _borrowed = Borrowed::new(exercise);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut tutor = checking(
        folder.path(),
        exercise,
        r#"echo '"passed"' | tee /dev/stderr >&0"#,
    );
    let mut printed = String::new();
    let mut out = tutor.stdout.take().expect("it is piped");
    out.read_to_string(&mut printed).expect("words");
    assert_eq!(tutor.wait().expect("it ends").code(), Some(1), "{printed}");
    assert!(printed.contains("Not checked: "), "{printed}");
}
