//! Runs the test in a separate process with a memory limit. The limit ends a process that exceeds it, and the parent
//! reports that.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex};

/// Limit on the address space, in bytes.
pub const MEMORY: u64 = 2 << 30;

/// Environment variable that tells the limited process where to note the current case.
const NOTES: &str = "TRANSFORMER_TUTOR_FUZZ_NOTES";

/// Path for this process's notes, if it is the limited one.
static NOTED: LazyLock<Option<Mutex<File>>> = LazyLock::new(|| {
    let path = std::env::var_os(NOTES)?;
    let file = File::options().write(true).open(path);
    Some(Mutex::new(file.expect("the notes can be written")))
});

/// Returns how the test `name` ended in a limited process; `None` inside that process.
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
    Some(if status.success() {
        Ok(())
    } else {
        Err(format!(
            "it ended with {status}, lastly at {}",
            noted.trim()
        ))
    })
}

/// Notes the next case, in case the process cannot report anything afterwards.
pub fn note(reader: &str, case: u64) {
    if let Some(file) = &*NOTED {
        let mut file = file.lock().unwrap();
        // As wide as the longest name, so that it overwrites the previous one.
        let note = format!("{:<60}", format!("{reader}, case {case}"));
        file.rewind()
            .and_then(|()| file.write_all(note.as_bytes()))
            .unwrap();
    }
}
