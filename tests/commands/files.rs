//! Files under signals, on a full device, and in the README; `transcripts/written.txt` tests what is replaced.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::support::{argv, names, path, prints, program, refuses, tutor};

/// A device on which every write fails: one of our own, so that a mistake of the program costs the machine nothing. The
/// machine's where the program could not replace it; `None` where neither is possible.
fn full_device(folder: &Path) -> Option<PathBuf> {
    let own = folder.join("full");
    let made = Command::new("mknod")
        .arg(&own)
        .args(["c", "1", "7"])
        .stderr(Stdio::null())
        .status();
    let writable = |path: &Path| fs::File::options().write(true).open(path).is_ok();
    if made.is_ok_and(|status| status.success()) && writable(&own) {
        return Some(own);
    }
    let machines = PathBuf::from("/dev/full");
    let root = fs::metadata(folder).unwrap().uid() == 0;
    (!root && writable(&machines)).then_some(machines)
}

#[test]
fn a_device_stays_a_device_and_a_full_one_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let Some(device) = full_device(folder.path()) else {
        return;
    };
    let [text, model] = ["text", "model"].map(|name| path(folder.path(), name));
    fs::write(&text, "low lower lowest low\n").unwrap();
    prints(&argv(&format!(
        "tools weights export --preset glass --out {model}"
    )));
    for command in [
        "tools weights export --preset glass --seed 2 --out",
        &format!("tools weights import {model} --heads 4 --out"),
        &format!("tools bpe learn {text} --merges 3 --out"),
        "show masks --svg",
        "evaluate --pairs 2 --beam 1 --write",
        "play --html",
    ] {
        for force in ["", "--force"] {
            let line = format!("{command} {} {force}", device.display());
            refuses(&argv(&line), &["could not be written", "No space left"]);
        }
        let metadata = fs::symlink_metadata(&device).unwrap();
        assert!(metadata.file_type().is_char_device(), "{command}");
    }
}

#[test]
fn the_readmes_picture_may_be_drawn_anew() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/screen.svg");
    let picture = fs::read(path).unwrap();
    assert!(transformer_tutor::widgets::svg::is_as_drawn(&picture));
}

/// The arguments of the command with `--moving` that the README names for its moving picture.
fn moving_command(readme: &str) -> Vec<String> {
    let line = readme
        .lines()
        .find(|line| line.contains("--moving"))
        .unwrap();
    let command = line
        .split('`')
        .find(|part| part.contains("--moving"))
        .unwrap();
    let arguments = command.split_once("cargo run -- ").unwrap().1;
    // Every second part stood in quotes.
    let parts = arguments.split('\'').enumerate();
    let words = parts.flat_map(|(n, part)| match n % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn the_readmes_animation_is_what_its_command_makes_and_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let mut arguments = moving_command(&readme);
    let out = arguments.iter().position(|word| word == "--svg").unwrap() + 1;
    let committed = fs::read(root.join(&arguments[out])).unwrap();
    assert!(
        readme.contains(&format!("]({})", arguments[out])),
        "it is shown"
    );
    assert!(transformer_tutor::widgets::svg::is_as_drawn(&committed));
    assert!(committed.len() <= 300_000, "{} bytes", committed.len());
    arguments[out] = "-".to_owned();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let drawn = tutor(&words).stdout;
    assert!(drawn == committed, "draw it anew: {arguments:?}");
}

/// A command that writes 30 MB to `out`, or many files.
fn writing(folder: &Path, out: &str) -> Command {
    let words = match out {
        "pages" => "tools pages masks --size 40x10 --force --out",
        "file" => {
            "tools weights export --set d_model=512 --set d_ff=2048 --set layers=1 --force --out"
        }
        _ => "tools weights export --force --out",
    };
    let mut command = program(&argv(words));
    command.arg(folder.join(out));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Sends a signal as soon as a half-written file appears, and returns the exit status.
fn interrupted(folder: &Path, mut child: Child, signal: &str) -> ExitStatus {
    let half = || {
        names(folder)
            .iter()
            .any(|name| name.starts_with(".writing-"))
    };
    while child.try_wait().unwrap().is_none() && !half() {}
    let id = child.id().to_string();
    let _ = Command::new("kill").args(["-s", signal, &id]).status();
    child.wait().unwrap()
}

#[test]
fn a_signal_leaves_nothing_half_written_and_a_kill_nothing_after_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let left = || {
        let mut names = names(folder);
        names.retain(|name| !["file", "another", "pages"].contains(&name.as_str()));
        names
    };
    for out in ["file", "pages"] {
        for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1), ("KILL", 9)] {
            let mut tries = 0;
            // On a fast disk the command may finish before the signal arrives.
            let run = || interrupted(folder, writing(folder, out).spawn().unwrap(), name);
            while run().signal() != Some(number) {
                tries += 1;
                assert!(tries < 20, "{out}: it ends before {name} is there");
            }
            assert!(name == "KILL" || left().is_empty(), "{out}, {name}");
        }
        // What is left of a file goes with the next file in the folder, whatever its name.
        let next = if out == "file" { "another" } else { out };
        assert!(writing(folder, next).status().unwrap().success());
    }
    assert!(left().is_empty(), "{:?}", left());
}

#[test]
fn a_program_that_is_to_ignore_a_hangup_does() {
    let folder = tempfile::tempdir().unwrap();
    let command = writing(folder.path(), "file");
    let mut nohup = Command::new("nohup");
    nohup.arg(command.get_program()).args(command.get_args());
    nohup
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = interrupted(folder.path(), nohup.spawn().unwrap(), "HUP");
    assert!(status.success() && folder.path().join("file").is_file());
}
