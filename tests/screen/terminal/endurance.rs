//! Random keys, clicks, pastes, sizes and broken sequences in every lesson and the playground.
//!
//! `TRANSFORMER_TUTOR_EVENTS=200000 cargo test --test screen endures -- --nocapture` sends that many events in all
//! and prints statistics; by default it sends 1,500.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use transformer_tutor::curriculum::LESSONS;

use crate::pty::{self, Tutor, memory};

/// Total number of events by default.
const FEW: usize = 1500;

/// Number of events between two checks that the program still answers.
const BETWEEN: usize = 60;

/// Time without an answer that counts as a hang. It is long because the tests may run beside a build; the long run
/// counts the answers that took more than a second.
const HANG: Duration = Duration::from_secs(120);

/// The Esc key, followed by a focus report without effect, so that the next key is not read as Alt and a letter.
const ESC: &[u8] = b"\x1b\x1b[I";

/// Statistics of one lesson.
#[derive(Default)]
struct Seen {
    events: usize,
    starts: usize,
    slow: usize,
    slowest: Duration,
    /// Memory in use in MB: at the beginning, at most, at the end.
    memory: [usize; 3],
}

struct Random(ChaCha8Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u32() as usize) % n
    }

    fn of<'a>(&mut self, all: &[&'a [u8]]) -> &'a [u8] {
        all[self.below(all.len())]
    }

    /// Bytes that a keyboard, a mouse or a noisy line could send.
    fn event(&mut self, cols: usize, rows: usize) -> Vec<u8> {
        let (column, row) = (self.below(cols + 3), self.below(rows + 3));
        match self.below(100) {
            0..=54 => {
                // Without `x`, which would compile an exercise and has its own tests.
                let keys = b" nNpvVdbgeuUijhklYG0123456789[]{}<>.,oszHy/:?MLPRrStTfOAwaFc+-=qQB";
                vec![keys[self.below(keys.len())]]
            }
            55..=64 => self
                .of(&[
                    b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1bOA", b"\x1b[5~", b"\x1b[6~",
                ])
                .to_vec(),
            65..=72 => self
                .of(&[
                    b"\r",
                    b"\t",
                    b"\x7f",
                    b"\x1b",
                    b"\x02",
                    b"\x12",
                    b"\x1b[Z",
                    b"\x1bOP",
                    b"\x1b[1;5C",
                ])
                .to_vec(),
            73..=80 => {
                let code = [0, 0, 0, 2, 32, 35, 64, 65, 64, 65][self.below(10)];
                let end = if self.below(4) == 0 { 'm' } else { 'M' };
                format!("\x1b[<{code};{column};{row}{end}").into_bytes()
            }
            81..=84 => self
                .of(&[
                    b"1",
                    b"0.5",
                    b"-3e9",
                    b"nan",
                    b"heads=4",
                    b"Der alte Mann",
                    b"look a",
                ])
                .to_vec(),
            85..=86 => self
                .of(&[
                    b"\x1b[200~Der Hund\x1b[201~",
                    b"\x1b[200~\n\x1b[A\xff\x1b[201~",
                ])
                .to_vec(),
            87..=97 => self
                .of(&[
                    b"\x1b[",
                    b"\x1b[<0;5",
                    b"\xc3",
                    b"\xf0\x9f\x98",
                    b"\x1b[M",
                    b"\x1b[<0;0;5M",
                    b"\x1b[0;0R",
                    b"\x1b[M   ",
                    b"\x1b]52;c;",
                    b"\x1bP",
                    b"\x1b[200~",
                    b"\x1b[?1;2c",
                    b"\xff\xfe",
                    b"\x1b[1;9999999999A",
                    b"\x1b[I",
                    b"\x1b[O",
                    "ä漢\u{301}".as_bytes(),
                    b"\0",
                ])
                .to_vec(),
            _ => {
                let length = self.below(12);
                // An earlier key may end the program. The bytes then reach a restored terminal, where three of them
                // are signals.
                let signals = [0x03, 0x1a, 0x1c];
                (0..length)
                    .map(|_| self.below(256) as u8)
                    .filter(|c| *c != b'x' && !signals.contains(c))
                    .collect()
            }
        }
    }
}

/// The folder of exercises and the files that it had at first. Drop removes any others, which random keys have started.
struct Exercises(PathBuf, BTreeSet<PathBuf>);

impl Exercises {
    fn now() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("exercises");
        let files = Self::files(&folder);
        Self(folder, files)
    }

    fn files(folder: &Path) -> BTreeSet<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect()
    }
}

impl Drop for Exercises {
    fn drop(&mut self) {
        let starters: Vec<&str> = LESSONS
            .iter()
            .flat_map(|l| l.exercises().map(|exercise| exercise.starter))
            .collect();
        for path in Self::files(&self.0).difference(&self.1) {
            let untouched =
                std::fs::read_to_string(path).is_ok_and(|text| starters.contains(&text.as_str()));
            if untouched {
                let _ = std::fs::remove_file(path);
            }
        }
        // Removes the folder only if it is empty now and was empty or missing before.
        if self.1.is_empty() {
            let _ = std::fs::remove_dir(&self.0);
        }
    }
}

fn start(lesson: &str) -> Tutor {
    let state = tempfile::tempdir().unwrap();
    let arguments: &[&str] = match lesson {
        "playground" => &["play"],
        lesson => &["--lesson", lesson],
    };
    let mut command = pty::command(
        env!("CARGO_BIN_EXE_transformer-tutor"),
        state.path(),
        arguments,
    );
    // Nothing is compiled, even if an exercise is opened by its name.
    command.env("CARGO", "false");
    Tutor::spawn(command, state, 100, 30)
}

/// How long the program takes to show what is typed into a list or a line. `None` if a key has ended it, with the
/// terminal restored.
fn answers(tutor: &mut Tutor, lesson: &str, sent: &[Vec<u8>]) -> Option<Duration> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let trouble = |what: &str, tutor: &Tutor| -> String {
        let sent = String::from_utf8_lossy(&sent.concat())
            .escape_debug()
            .to_string();
        format!("{lesson}: {what}\n{}\nafter {sent}", tutor.text())
    };
    // An unfinished escape sequence is given up after a moment.
    std::thread::sleep(Duration::from_millis(60));
    let begun = Instant::now();
    let (mut question, mut patience) = (String::new(), Duration::ZERO);
    loop {
        if let Some(status) = tutor.child.try_wait().unwrap() {
            let failure = || trouble(&format!("{status:?}"), tutor);
            // One key ended it, and a Ctrl-C after that arrived while the terminal was restored but the process alive.
            let hurried = status.signal() == Some("Interrupt") && sent.concat().contains(&3);
            assert!(status.success() || hurried, "{}", failure());
            tutor.restored();
            return None;
        }
        // A restored terminal echoes what is typed, which would look like an answer.
        let draws = tutor.draws();
        if draws && !question.is_empty() && tutor.text().contains(&question) {
            let took = begun.elapsed();
            let _ = tutor.writer.write_all(ESC);
            return Some(took);
        }
        let waited = begun.elapsed();
        assert!(waited < HANG, "{}", trouble("it does not answer", tutor));
        if draws && (question.is_empty() || waited > patience) {
            if !question.is_empty() {
                // Something open, or a computation, was in the way.
                let _ = tutor.writer.write_all(ESC);
            }
            question = format!("zz{}qq", NUMBER.fetch_add(1, Ordering::SeqCst));
            let _ = tutor.writer.write_all(format!(":{question}").as_bytes());
            patience += waited + Duration::from_millis(300);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends `events` events to a lesson, and restarts the program whenever a key has ended it.
fn endure(lesson: &str, events: usize, seed: u64, shout: bool) -> Seen {
    let mut random = Random(ChaCha8Rng::seed_from_u64(seed));
    let mut seen = Seen::default();
    while seen.events < events {
        let mut tutor = start(lesson);
        seen.starts += 1;
        tutor.sees(&["? help"]);
        if seen.starts == 1 {
            seen.memory[0] = memory(&tutor);
        }
        let (mut cols, mut rows) = (100, 30);
        let mut lives = true;
        while lives && seen.events < events {
            let mut sent = Vec::new();
            for _ in 0..BETWEEN.min(events - seen.events) {
                seen.events += 1;
                if random.below(60) == 0 {
                    (cols, rows) = [(100, 30), (130, 40), (80, 24), (60, 20), (200, 60), (20, 3)]
                        [random.below(6)];
                    tutor.resize(cols, rows);
                    continue;
                }
                let event = random.event(cols.into(), rows.into());
                // The write fails if the program has already ended.
                let _ = tutor.writer.write_all(&event);
                sent.push(event);
                if random.below(8) == 0 {
                    std::thread::sleep(Duration::from_millis(random.below(12) as u64));
                }
            }
            if rows < 20 {
                (cols, rows) = (100, 30);
                tutor.resize(cols, rows);
            }
            match answers(&mut tutor, lesson, &sent) {
                None => lives = false,
                Some(took) => {
                    seen.slow += usize::from(took > Duration::from_secs(1));
                    seen.slowest = seen.slowest.max(took);
                    seen.memory[2] = memory(&tutor);
                    seen.memory[1] = seen.memory[1].max(seen.memory[2]);
                }
            }
            if shout && seen.events % 1200 < BETWEEN {
                eprintln!(
                    "{lesson:<20} {:>7} events, {:>5} MB",
                    seen.events, seen.memory[2]
                );
            }
        }
        if lives {
            let _ = tutor.writer.write_all(b"\x03");
            std::thread::sleep(Duration::from_millis(300));
            // If work is under way, the first Ctrl-C only asks for confirmation.
            if tutor.draws() {
                let _ = tutor.writer.write_all(b"\x03");
            }
            let status = tutor.end();
            assert!(status.success(), "{lesson}: {status:?}\n{}", tutor.text());
            tutor.restored();
        }
    }
    seen
}

#[test]
fn every_lesson_endures_random_keys_clicks_pastes_sizes_and_broken_sequences() {
    let asked = std::env::var("TRANSFORMER_TUTOR_EVENTS").ok();
    let events = asked
        .as_ref()
        .map_or(FEW, |n| n.parse().expect("a number of events"));
    let lessons: Vec<&str> = LESSONS
        .iter()
        .map(|lesson| lesson.name)
        .chain(["playground"])
        .collect();
    let each = events.div_ceil(lessons.len());
    let _exercises = Exercises::now();
    let next = AtomicUsize::new(0);
    let output_lock = Mutex::new(());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(lesson) = lessons.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let seen = endure(lesson, each, lesson.len() as u64 + 41, asked.is_some());
                    let _told = output_lock.lock();
                    if asked.is_some() {
                        let [first, most, last] = seen.memory;
                        eprintln!(
                            "{lesson:<20} {:>7} events, {:>4} starts, slowest answer {:>6} ms, {} above 1 s, {first} MB at \
                             first, {most} at most, {last} at last",
                            seen.events, seen.starts, seen.slowest.as_millis(), seen.slow
                        );
                    }
                }
            });
        }
    });
}
