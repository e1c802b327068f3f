//! Fuzz tests of every reader of files and texts: damaged input is either read, and can then be used, or refused with
//! a message, in bounded time and memory.
//!
//! The test runs in a process with 2 GB of address space, which ends a reader that uses more.
//!
//! `TRANSFORMER_TUTOR_FUZZ=10 cargo test --test fuzz -- --nocapture` runs for ten minutes instead of a few seconds, and
//! `TRANSFORMER_TUTOR_FUZZ_CASES=10000` runs that many cases per reader, always the same cases in the same order.
//! `TRANSFORMER_TUTOR_FUZZ_READERS=shards,pairs` tries these readers only. A failure names the reader and the case, and
//! keeps its bytes.

#![allow(unsafe_code)] // a counting allocator

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mutate::Random;
use tempfile::TempDir;
use transformer_tutor::data::file;

mod archive;
mod limited;
mod mutate;
mod readers;
mod samples;

/// Bytes allocated now, and their maximum since it was last reset.
static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// The system allocator with accounting: a reader that allocates a terabyte must not pass because the system
/// overcommits.
struct Counted;

// SAFETY: every call is passed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size() as i64;
        let held = HELD.fetch_add(size, Ordering::Relaxed) + size;
        PEAK.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`, which is that of the system allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// The most memory that reading and using a small file may take, in bytes.
const MEMORY: i64 = 512 << 20;

/// Maximum time for one case; generous, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A function under test that reads input from a person or a file.
pub struct Reader {
    pub name: &'static str,
    /// Undamaged inputs, each with the way to damage it. Each is first tried as it is.
    pub examples: Vec<Example>,
    /// Reads an input and uses the result; the error is a message for the user.
    pub read: fn(&[u8], &Fixture) -> Result<(), String>,
    /// Cases in a short run.
    pub cases: u64,
}

/// A sound file and what kind it is.
pub struct Example {
    pub bytes: Vec<u8>,
    pub kind: Kind,
    /// True if the file must be read; otherwise it must be refused with a message.
    pub read: bool,
}

/// How a file is damaged.
pub enum Kind {
    /// As text, with the words of its language.
    Text(&'static [&'static str]),
    Json,
    /// As safetensors; half of the sealed files get the checksum of their damaged bytes.
    Tensors,
    /// As a PyTorch archive; half of them get the checksums of their damaged bytes.
    Archive,
    /// As a protocol buffer.
    Protocol,
    /// Anywhere in the file.
    Bytes,
}

/// A folder for readers that need one, and other inputs that they need beside the damaged file.
pub struct Fixture {
    pub folder: TempDir,
    /// A run whose files have no checksums, as older versions wrote them, so reading continues past the damage.
    pub older: TempDir,
    pub model: Vec<u8>,
    /// The same file without its own checksum and that of its tokenizer.
    pub older_model: Vec<u8>,
    pub tokenizer: String,
}

impl Fixture {
    pub fn written(&self, name: &str, bytes: &[u8]) -> std::path::PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

/// The reader and case being tried, and when it began, in milliseconds since the start of the test.
static NOW: Mutex<(&str, u64)> = Mutex::new(("", 0));
static SINCE: AtomicU64 = AtomicU64::new(u64::MAX);

/// Aborts the process if a case takes longer than [`PATIENCE`].
fn watch(begun: Instant) {
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let since = SINCE.load(Ordering::SeqCst);
        let now = begun.elapsed().as_millis() as u64;
        if now.saturating_sub(since) > PATIENCE.as_millis() as u64 && since != u64::MAX {
            let (reader, case) = *NOW.lock().unwrap();
            eprintln!("{reader}, case {case}: it does not end");
            std::process::abort();
        }
    }
}

fn damaged(reader: &Reader, case: u64) -> Vec<u8> {
    let mut random = Random::of(reader.name, case);
    let example = &reader.examples[random.below(reader.examples.len())];
    let text = || std::str::from_utf8(&example.bytes).expect("the example is text");
    match example.kind {
        Kind::Text(dictionary) => mutate::text(text(), dictionary, &mut random).into_bytes(),
        Kind::Json => mutate::json(text(), &mut random).into_bytes(),
        Kind::Tensors => mutate::tensors(&example.bytes, &mut random),
        Kind::Archive => archive::damaged(&example.bytes, &mut random),
        Kind::Protocol => mutate::protocol(&example.bytes, &mut random),
        Kind::Bytes => mutate::bytes(&example.bytes, &mut random),
    }
}

/// Tries one case: whether the input was read, and what was wrong with how the case ended.
fn fault(reader: &Reader, bytes: &[u8], fixture: &Fixture) -> (bool, Option<String>) {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let outcome = catch_unwind(AssertUnwindSafe(|| (reader.read)(bytes, fixture)));
    let taken = PEAK.load(Ordering::Relaxed) - before;
    let taken = (taken > MEMORY).then(|| format!("it takes {} MB", taken >> 20));
    match outcome {
        Ok(Ok(())) => (true, taken),
        Ok(Err(sentence)) if sentence.trim().is_empty() => {
            (false, Some("it is refused without a word".to_owned()))
        }
        Ok(Err(_)) => (false, taken),
        Err(panic) => {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            (
                false,
                Some(format!("it panics: {}", words.unwrap_or_default())),
            )
        }
    }
}

#[test]
fn damaged_files_and_texts_are_read_or_refused_in_a_sentence() {
    const NAME: &str = "damaged_files_and_texts_are_read_or_refused_in_a_sentence";
    if let Some(ended) = limited::ended(NAME) {
        return ended.unwrap_or_else(|why| panic!("{why}"));
    }
    file::set_memory(limited::MEMORY);
    let number = |name: &str| {
        let text = std::env::var(name).ok()?;
        let number = text.parse();
        Some(number.unwrap_or_else(|_| panic!("{name} is {text}, which is not a number")))
    };
    let cases: Option<u64> = number("TRANSFORMER_TUTOR_FUZZ_CASES").map(|n: f64| n as u64);
    let minutes: Option<f64> = number("TRANSFORMER_TUTOR_FUZZ");
    let begun = Instant::now();
    std::thread::spawn(move || watch(begun));
    let (mut readers, fixture) = readers::all();
    if let Ok(names) = std::env::var("TRANSFORMER_TUTOR_FUZZ_READERS") {
        readers.retain(|reader| names.split(',').any(|name| name == reader.name));
        assert!(!readers.is_empty(), "no reader is one of {names}");
    }
    let mut faults = Vec::new();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // The message of a case's panic is reported with its fault.
        if SINCE.load(Ordering::SeqCst) == u64::MAX {
            usual(panic);
        }
    }));
    for reader in &readers {
        for example in &reader.examples {
            let (read, fault) = fault(reader, &example.bytes, &fixture);
            if read != example.read || fault.is_some() {
                let outcome = (reader.read)(&example.bytes, &fixture);
                faults.push(format!(
                    "{}: a sound example: {fault:?} {outcome:?}",
                    reader.name
                ));
            }
        }
        let end = minutes.map(|m| Duration::from_secs_f64(m * 60.0 / readers.len() as f64));
        let first = Instant::now();
        let (mut sound, mut case, mut wrong) = (0, 0, 0);
        let mut slowest = Duration::ZERO;
        loop {
            let done = match end {
                Some(end) => first.elapsed() >= end,
                None => case >= cases.unwrap_or(reader.cases),
            };
            if done || wrong == 10 {
                break;
            }
            *NOW.lock().unwrap() = (reader.name, case);
            limited::note(reader.name, case);
            let bytes = damaged(reader, case);
            let start = begun.elapsed();
            SINCE.store(start.as_millis() as u64, Ordering::SeqCst);
            let (read, fault) = fault(reader, &bytes, &fixture);
            SINCE.store(u64::MAX, Ordering::SeqCst);
            slowest = slowest.max(begun.elapsed() - start);
            sound += usize::from(read);
            if let Some(fault) = fault {
                wrong += 1;
                faults.push(format!(
                    "{}, case {case}: {fault}; {}",
                    reader.name,
                    kept(reader.name, case, &bytes)
                ));
            }
            case += 1;
        }
        println!(
            "{:<20} {case:>8} cases, {sound:>8} of them read and used, {:.1} s, the slowest case {:.2} s",
            reader.name,
            first.elapsed().as_secs_f64(),
            slowest.as_secs_f64()
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Saves the bytes of a failed case and returns a note that says where.
fn kept(reader: &str, case: u64, bytes: &[u8]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let path = folder.join(format!("{reader}-{case}"));
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, bytes));
    written.map_or_else(
        |e| e.to_string(),
        |()| format!("kept as {}", path.display()),
    )
}
