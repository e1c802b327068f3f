//! Commands that are killed while they write leave either the old set of files or the new one, and running them again
//! removes what the kill left.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::kills::{kills, random};
use super::tiny::{Room, done};
use crate::support::program;

/// Environment variable with the number of the book to write, 1 or 2, followed by its folder.
const BOOK: &str = "TRANSFORMER_TUTOR_TEST_BOOK";

/// A command that writes one of two sets of files to the same place.
struct Writer {
    name: &'static str,
    /// Arguments for the first set and for the second.
    arguments: [Vec<String>; 2],
}

impl Writer {
    fn new(name: &'static str, first: &[&str], second: &[&str]) -> Self {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Self {
            name,
            arguments: [owned(first), owned(second)],
        }
    }

    fn command(&self, room: &Room, which: usize) -> Command {
        let out = room.text(&format!("{}/out", self.name));
        let arguments = &self.arguments[which];
        if self.name == "book" {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args([
                "--exact",
                "training::writers::the_process_that_writes_a_book",
                "--nocapture",
            ]);
            command.env(BOOK, format!("{}{out}", arguments[0]));
            command.stdout(Stdio::null()).stderr(Stdio::null());
            return command;
        }
        let mut command = program(&[]);
        command.args(arguments).args(["--out", &out]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// All commands that write, except `train`, with their inputs.
fn writers(room: &Room) -> Vec<Writer> {
    for (seed, run, mean) in [("1", "run-1", "one"), ("2", "run-2", "two")] {
        done(room.train(run, &["--seed", seed]));
        let (run, out) = (room.text(run), room.text(mean));
        done(program(&[
            "tools", "average", "--model", &run, "--out", &out,
        ]));
    }
    let at = |name: &str| room.text(name);
    for (seed, out) in [("1", "one.pt"), ("2", "two.pt")] {
        let fresh = [
            "tools", "weights", "export", "--preset", "glass", "--seed", seed, "--out",
        ];
        done(program(&[&fresh[..], &[&at(out)]].concat()));
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parity-marian");
    let marian = [1, 2].map(|set| {
        let path = fixtures.join(format!("set-{set}/model"));
        path.to_str().unwrap().to_owned()
    });
    let average = ["tools", "average", "--model"];
    let pack = ["tools", "weights", "pack", "--force"];
    let export = [
        "tools", "weights", "export", "--preset", "glass", "--force", "--seed",
    ];
    let to_marian = ["tools", "weights", "export", "--force", "--to", "marian"];
    let import = ["tools", "weights", "import", "--heads", "4", "--force"];
    let corpus = [
        "tools",
        "corpus",
        "phrasebook",
        "--pairs",
        "40",
        "--force",
        "--seed",
    ];
    let with = |start: &[&'static str], last: &str| -> Vec<String> {
        let words = start.iter().copied().chain([last]);
        words.map(str::to_owned).collect()
    };
    let both = |name: &'static str, start: &[&'static str], one: &str, two: &str| Writer {
        name,
        arguments: [with(start, one), with(start, two)],
    };
    vec![
        both("average", &average, &at("run-1"), &at("run-2")),
        both("pack", &pack, &at("one"), &at("two")),
        both("export", &export, "1", "2"),
        both("to-marian", &to_marian, &marian[0], &marian[1]),
        both("import", &import, &at("one.pt"), &at("two.pt")),
        both("corpus", &corpus, "1", "2"),
        Writer::new("book", &["1"], &["2"]),
    ]
}

/// Contents of a file or folder; empty if it does not exist.
fn contents(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![path.to_owned()];
    while let Some(next) = open.pop() {
        match fs::read_dir(&next) {
            Ok(entries) => open.extend(entries.map(|entry| entry.unwrap().path())),
            Err(_) => {
                if let Ok(bytes) = fs::read(&next) {
                    all.insert(next.strip_prefix(path).unwrap().to_owned(), bytes);
                }
            }
        }
    }
    all
}

fn beside(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Kills the command at a moment between start and end; with `late`, only after it has begun to write.
fn killed(child: &mut Child, path: &Path, duration: Duration, at: f64, late: bool) -> bool {
    let begun = Instant::now();
    let writes = || beside(path).iter().any(|name| name.starts_with('.'));
    if late {
        while child.try_wait().unwrap().is_none() && !writes() {}
        let moment = Instant::now();
        while moment.elapsed() < duration.mul_f64(0.05 * at) {}
    } else {
        while child.try_wait().unwrap().is_none() && begun.elapsed() < duration.mul_f64(at) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    child.kill().unwrap();
    child.wait().unwrap().signal() == Some(9)
}

#[test]
fn a_command_that_is_killed_anywhere_leaves_the_old_set_or_the_new_one() {
    let room = Room::new();
    let writers = writers(&room);
    let each = kills().div_ceil(writers.len());
    for writer in &writers {
        let path = room.path(writer.name);
        fs::create_dir(&path).unwrap();
        let out = path.join("out");
        let mut sets = Vec::new();
        let mut duration = Duration::ZERO;
        for which in [0, 1] {
            let begun = Instant::now();
            let status = writer.command(&room, which).status().unwrap();
            assert!(status.success(), "{}", writer.name);
            duration = begun.elapsed();
            sets.push(contents(&out));
        }
        assert!(!sets[0].is_empty() && sets[0] != sets[1], "{}", writer.name);
        let mut state = 7;
        let (mut owed, mut lives, mut new) = (each, 0, 0);
        while owed > 0 {
            let which = lives % 2;
            let before = contents(&out);
            let mut child = writer.command(&room, which).spawn().unwrap();
            let at = random(&mut state);
            let dead = killed(&mut child, &path, duration, at, lives % 4 < 2);
            let now = contents(&out);
            let when = format!("{}, life {lives}, killed: {dead}", writer.name);
            assert!(
                now == before || now == sets[which],
                "{when}: {:?}",
                now.keys()
            );
            new += usize::from(dead && now == sets[which]);
            owed -= usize::from(dead);
            lives += 1;
            assert!(
                lives < 20 * each + 20,
                "{when}: it ends before it can be killed"
            );
        }
        let status = writer.command(&room, 0).status().unwrap();
        assert!(status.success(), "{}", writer.name);
        assert!(contents(&out) == sets[0], "{}", writer.name);
        assert_eq!(
            beside(&path),
            ["out"],
            "{}: nothing stays behind",
            writer.name
        );
        println!(
            "{}: {each} kills, {new} of them left the new set",
            writer.name
        );
    }
}

/// Writes one of two different books with the code that writes the real one; runs as a separate process.
#[test]
fn the_process_that_writes_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let asked = std::env::var(BOOK);
    let asked = asked.unwrap_or_else(|_| format!("1{}", folder.path().display()));
    let (which, out) = asked.split_at(1);
    let mut pages = transformer_tutor::book::static_files();
    for (name, bytes) in &mut pages {
        bytes.extend_from_slice(format!("{name} of book {which}\n").as_bytes());
    }
    transformer_tutor::book::write_pages(Path::new(out), &pages, false).unwrap();
    assert!(
        contents(Path::new(out)).len() > pages.len(),
        "pages and manifest"
    );
}
