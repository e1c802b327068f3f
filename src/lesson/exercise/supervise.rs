//! Runs a process in its own group, within a time limit, and captures the beginning of its output.

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

/// A process that has ended on its own.
pub struct Finished {
    /// Exit status.
    pub status: ExitStatus,
    /// Beginning of its standard output.
    pub stdout: String,
    /// Beginning of its standard error.
    pub stderr: String,
}

/// Limits of a process and of its captured output.
pub struct Limits {
    /// Time limit.
    pub time: Duration,
    /// Address space of the process and of each of its children, in bytes, if the system can limit another process;
    /// `None` if the process limits itself.
    pub memory: Option<u64>,
    /// Number of bytes kept of each output stream.
    pub output: usize,
}

/// Runs `command` to its end within `limits`, then kills whatever it has left running in its group. `interrupted` is
/// called every few milliseconds with the stderr output so far.
pub fn supervise(
    command: &mut Command,
    limits: &Limits,
    interrupted: &mut dyn FnMut(&str) -> bool,
) -> Result<Finished, Halt> {
    process::own_group(command);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Running::new(command.spawn().map_err(Halt::Absent)?);
    if let Some(bytes) = limits.memory {
        process::limit_memory_of(&child.process, bytes);
    }
    let stdout = Capture::new(child.process.stdout.take(), limits.output);
    let stderr = Capture::new(child.process.stderr.take(), limits.output);
    let start = Instant::now();
    loop {
        match process::has_ended(&mut child.process) {
            Ok(true) => break,
            Ok(false) if start.elapsed() > limits.time => return Err(Halt::Late),
            Ok(false) if interrupted(&stderr.text()) => return Err(Halt::Interrupted),
            Ok(false) => thread::sleep(Duration::from_millis(5)),
            Err(e) => return Err(Halt::Absent(e)),
        }
    }
    let status = child.end().map_err(Halt::Absent)?;
    Ok(Finished {
        status,
        stdout: stdout.finish(),
        stderr: stderr.finish(),
    })
}

/// A child process that is killed on drop, together with its own children.
struct Running {
    process: Child,
    /// True once it was waited for: after that, its process id may belong to another process.
    waited: bool,
}

impl Running {
    fn new(process: Child) -> Self {
        process::guard(Some(&process));
        let waited = false;
        Self { process, waited }
    }

    /// Ends the whole group, if necessary, and returns the exit status.
    fn end(mut self) -> std::io::Result<ExitStatus> {
        self.waited = true;
        process::stop(&mut self.process)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        process::guard(None);
        if !self.waited {
            let _ = process::stop(&mut self.process);
        }
    }
}

/// The beginning of a process's output; the rest is read and dropped, so that a flood neither blocks the process nor
/// fills our memory.
pub(super) struct Capture {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Capture {
    pub(super) fn new(pipe: Option<impl Read + Send + 'static>, kept: usize) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = bytes.clone();
        let reader = pipe.map(|mut pipe| {
            thread::spawn(move || {
                let mut buffer = vec![0; 16 << 10];
                let mut cut = false;
                while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                    if cut {
                        continue;
                    }
                    let mut bytes = shared.lock().expect("a reader does not panic");
                    let room = kept - bytes.len();
                    bytes.extend_from_slice(&buffer[..count.min(room)]);
                    cut = count > room;
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

    /// The captured output. A process that left the group may still hold the pipe, so this waits only for a moment.
    pub(super) fn finish(mut self) -> String {
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
