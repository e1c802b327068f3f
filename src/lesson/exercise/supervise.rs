//! A process in a group of its own, within a limit of time, with the beginning of what it prints.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::process;

/// Why a process gave no result.
pub enum Halt {
    /// It was no longer wanted.
    Interrupted,
    /// It took longer than allowed.
    Late,
    /// It could not be started.
    Absent(std::io::Error),
}

/// A process that has ended by itself.
pub struct Finished {
    /// How.
    pub status: ExitStatus,
    /// The beginning of what it printed.
    pub stdout: String,
    /// The same of stderr.
    pub stderr: String,
}

/// Runs `command` to its end, within `limit`, keeping the first `kept` bytes of either output. `interrupted` is asked
/// every few milliseconds, with what stands on stderr by then.
pub fn supervise(
    command: &mut Command,
    limit: Duration,
    kept: usize,
    interrupted: &mut dyn FnMut(&str) -> bool,
) -> Result<Finished, Halt> {
    process::own_group(command);
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Running(command.spawn().map_err(Halt::Absent)?);
    process::guard(Some(&child.0));
    let stdout = Capture::new(child.0.stdout.take(), kept);
    let stderr = Capture::new(child.0.stderr.take(), kept);
    let start = Instant::now();
    let status = loop {
        match child.0.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() > limit => return Err(Halt::Late),
            Ok(None) if interrupted(&stderr.text()) => return Err(Halt::Interrupted),
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(e) => return Err(Halt::Absent(e)),
        }
    };
    Ok(Finished {
        status,
        stdout: stdout.finish(),
        stderr: stderr.finish(),
    })
}

/// A child that does not outlive the one who waits for it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        process::guard(None);
        if matches!(self.0.try_wait(), Ok(None)) {
            process::stop(&mut self.0);
        }
    }
}

/// The beginning of a process's output; the rest is read and dropped, so that a flood neither blocks the process nor
/// fills our memory.
struct Capture {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Capture {
    fn new(pipe: Option<impl Read + Send + 'static>, kept: usize) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = bytes.clone();
        let reader = pipe.map(|mut pipe| {
            thread::spawn(move || {
                let mut buffer = vec![0; 16 << 10];
                let mut cut = false;
                while let Ok(read @ 1..) = pipe.read(&mut buffer) {
                    if cut {
                        continue;
                    }
                    let mut bytes = shared.lock().expect("a reader does not panic");
                    let room = kept - bytes.len();
                    bytes.extend_from_slice(&buffer[..read.min(room)]);
                    cut = read > room;
                    if cut {
                        bytes.extend_from_slice("\n… and more".as_bytes());
                    }
                }
            })
        });
        Self { bytes, reader }
    }

    fn text(&self) -> String {
        let bytes = self.bytes.lock().expect("a reader does not panic");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// All of it. A process that left the group may still hold the pipe: it is not waited for longer than a moment.
    fn finish(mut self) -> String {
        let start = Instant::now();
        while let Some(reader) = &self.reader {
            if reader.is_finished() || start.elapsed() > Duration::from_millis(300) {
                self.reader = None;
            } else {
                thread::sleep(Duration::from_millis(1));
            }
        }
        self.text()
    }
}
