//! Memory of the real program after an hour of keys.
//!
//! It takes minutes: `TRANSFORMER_TUTOR_KEYS=72000 cargo test --test screen memory -- --ignored --nocapture`. To choose lessons, set
//! `TRANSFORMER_TUTOR_LESSON=decoder,playground`.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// Maximum bytes that an hour of keys may take, apart from work that the learner asked for.
const MOST: f64 = 300e6;

/// Keys that look around, turn knobs, edit, ask, and move from lesson to lesson.
///
/// Left out are keys that quit or build an exercise; the palette, which does both; and keys that start work whose
/// memory the learner asks for (`r`, `i`), such as the full-size model or a training run.
const KEYS: &str = "          \r\r\rnnNhhjjkkllvvVbbBddeeuuUU1122334455[[[]]]{}<>+-.,?pzaacwgggG0\t\t\u{7f}\u{7f}mo/t\u{1b}\u{1b}\r";

/// Resident memory of a process in bytes.
fn resident(process: u32) -> f64 {
    let about = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages: f64 = about
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0.0);
    pages * 4096.0
}

/// Processor time in hundredths of a second that an idle program may use in ten seconds, for polling its input.
const IDLE: u64 = 10;

/// Processor time of a process so far, in hundredths of a second.
fn worked(process: u32) -> u64 {
    let about = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name may contain anything, so count after it: user and system time are the 12th and 13th fields.
    let numbers = about.rsplit(')').next().unwrap_or_default();
    let times = numbers.split_whitespace().skip(11).take(2);
    times.filter_map(|n| n.parse::<u64>().ok()).sum()
}

/// Pseudo-random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as usize % n
    }
}

/// Presses `keys` keys in `lesson` and returns the resident memory at the end, in bytes.
fn press(lesson: &str, keys: usize) -> f64 {
    let size = PtySize {
        rows: 40,
        cols: 120,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pty = native_pty_system().openpty(size).unwrap();
    let state = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_transformer-tutor"));
    command.env_clear();
    command.env("TERM", "xterm-256color");
    command.env("TRANSFORMER_TUTOR_STATE", state.path());
    match lesson {
        "playground" => command.arg("play"),
        lesson => command.args(["--lesson", lesson]),
    }
    let mut child = pty.slave.spawn_command(command).unwrap();
    drop(pty.slave);
    let mut reader = pty.master.try_clone_reader().unwrap();
    std::thread::spawn(move || {
        let mut part = [0; 1 << 16];
        while let Ok(1..) = reader.read(&mut part) {}
    });
    let mut writer = pty.master.take_writer().unwrap();
    let process = child.process_id().unwrap();
    let all: Vec<char> = KEYS.chars().collect();
    let (mut dice, begun, mut most) = (Dice(7), Instant::now(), 0.0_f64);
    for n in 0..keys / 8 {
        let eight: String = (0..8).map(|_| all[dice.below(all.len())]).collect();
        writer.write_all(eight.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(12));
        if n % (keys / 8 / 12).max(1) == 0 {
            let now = resident(process);
            most = most.max(now);
            let seconds = begun.elapsed().as_secs_f64();
            println!(
                "{lesson}: {} keys, {:.0} MB, {seconds:.0} s",
                8 * n,
                now / 1e6
            );
        }
        assert!(child.try_wait().unwrap().is_none(), "{lesson}: it ended");
    }
    // Wait until the program is idle: keys may still be queued behind a computation, and freed memory is returned
    // to the system only after some seconds.
    let ended = Instant::now();
    loop {
        let before = worked(process);
        std::thread::sleep(Duration::from_secs(10));
        if worked(process) - before <= IDLE {
            break;
        }
        let waited = ended.elapsed();
        assert!(waited < Duration::from_secs(600), "{lesson}: no rest");
    }
    assert!(child.try_wait().unwrap().is_none(), "{lesson}: it ended");
    let end = resident(process);
    let waited = ended.elapsed().as_secs();
    println!("{lesson}: at rest after {waited} s");
    println!(
        "{lesson}: end {:.0} MB, at most {:.0} MB seen",
        end / 1e6,
        most / 1e6
    );
    child.kill().unwrap();
    child.wait().unwrap();
    end
}

#[test]
#[ignore = "takes minutes"]
fn an_hour_of_keys_stays_small() {
    let keys = std::env::var("TRANSFORMER_TUTOR_KEYS").unwrap_or_default();
    let keys = keys.parse().unwrap_or(72_000);
    let lessons = std::env::var("TRANSFORMER_TUTOR_LESSON");
    let lessons = lessons.unwrap_or_else(|_| "embeddings,decoder,generator,playground".to_owned());
    let ends: Vec<_> = lessons
        .split(',')
        .map(|lesson| (lesson, press(lesson, keys)))
        .collect();
    assert!(ends.iter().all(|(_, end)| *end < MOST), "{ends:?}");
}
