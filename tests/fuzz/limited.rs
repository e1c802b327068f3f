//! The test in a process of its own with a limit of memory: one that takes more is ended by it, and this one tells of
//! that.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex};

/// The address space, in bytes.
pub const MEMORY: u64 = 2 << 30;

/// Tells the process with the limit where to note the case that it tries.
const NOTES: &str = "TRANSFORMER_TUTOR_FUZZ_NOTES";

/// Where this process notes its cases, if it is the one with the limit.
static NOTED: LazyLock<Option<Mutex<File>>> = LazyLock::new(|| {
    let path = std::env::var_os(NOTES)?;
    let file = File::options().write(true).open(path);
    Some(Mutex::new(file.expect("the notes can be written")))
});

/// How the test `name` ended in a process with the limit; `None` in that process.
pub fn ended(name: &str) -> Option<Result<(), String>> {
    if NOTED.is_some() || cfg!(not(unix)) {
        return None;
    }
    let notes = tempfile::NamedTempFile::new().unwrap();
    let script = format!("ulimit -v {} && exec \"$0\" \"$@\"", MEMORY >> 10);
    let status = Command::new("sh")
        .args(["-c", &script])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads", "1"])
        .env(NOTES, notes.path())
        .stdin(Stdio::null())
        .status()
        .unwrap();
    let noted = fs::read_to_string(notes.path()).unwrap();
    Some(match status.success() {
        true => Ok(()),
        false => Err(format!(
            "it ended with {status}, lastly at {}",
            noted.trim()
        )),
    })
}

/// Notes the case that is tried next, in case nothing can be said after it.
pub fn note(reader: &str, case: u64) {
    if let Some(file) = &*NOTED {
        let mut file = file.lock().unwrap();
        // As wide as the longest, which it is written over.
        let note = format!("{:<60}", format!("{reader}, case {case}"));
        file.rewind()
            .and_then(|()| file.write_all(note.as_bytes()))
            .unwrap();
    }
}
