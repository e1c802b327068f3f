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
use crate::support::{argv, names, path, program};

/// Environment variable with the number of the book to write, 1 or 2, followed by its folder.
const BOOK: &str = "TRANSFORMER_TUTOR_TEST_BOOK";

/// A command that writes one of two sets of files to the same place.
struct Writer {
    name: &'static str,
    /// The words of the command before the one that differs.
    words: &'static str,
    /// The last word for the first set and for the second.
    which: [String; 2],
}

impl Writer {
    fn command(&self, room: &Room, which: usize) -> Command {
        let out = room.text(&format!("{}/out", self.name));
        let mut command = program(&argv(self.words));
        command.args([&self.which[which], "--out", &out]);
        if self.name == "book" {
            command = Command::new(std::env::current_exe().unwrap());
            command.args(argv(self.words));
            command.env(BOOK, format!("{}{out}", self.which[which]));
        }
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// All commands that write, except `train`, with their inputs.
fn writers(room: &Room) -> Vec<Writer> {
    for (seed, run, mean) in [("1", "run-1", "one"), ("2", "run-2", "two")] {
        done(room.train(run, &["--seed", seed]));
        let (run, mean) = (room.text(run), room.text(mean));
        let average = ["tools", "average", "--model", &run, "--out", &mean];
        done(program(&average));
        let fresh = argv("tools weights export --preset glass --seed");
        let out = format!("{mean}.pt");
        done(program(&[&fresh[..], &[seed, "--out", &out]].concat()));
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parity-marian");
    let marian = |set| path(&fixtures, &format!("set-{set}/model"));
    let at = |one, two| [room.text(one), room.text(two)];
    let seeds = ["1", "2"].map(str::to_owned);
    let all = [
        ("average", "tools average --model", at("run-1", "run-2")),
        ("pack", "tools weights pack --force", at("one", "two")),
        (
            "export",
            "tools weights export --preset glass --force --seed",
            seeds.clone(),
        ),
        (
            "to-marian",
            "tools weights export --force --to marian",
            [marian(1), marian(2)],
        ),
        (
            "import",
            "tools weights import --heads 4 --force",
            at("one.pt", "two.pt"),
        ),
        (
            "corpus",
            "tools corpus phrasebook --pairs 40 --force --part",
            ["train", "valid"].map(str::to_owned),
        ),
        (
            "book",
            "--exact training::writers::the_process_that_writes_a_book --nocapture",
            seeds,
        ),
    ];
    all.map(|(name, words, which)| Writer { name, words, which })
        .into()
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

/// Kills the command at a moment between start and end; with `late`, only after it has begun to write.
fn killed(child: &mut Child, path: &Path, duration: Duration, at: f64, late: bool) -> bool {
    let begun = Instant::now();
    let writes = || names(path).iter().any(|name| name.starts_with('.'));
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
            names(&path),
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
