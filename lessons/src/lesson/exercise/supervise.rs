//! Runs a process in its own group, within a time limit, and captures the beginning of its output.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::process;
use crate::clock::Instant;

/// Why a process gave no result.
pub enum Halt {
    /// It was no longer wanted.
    Interrupted,
    /// It took longer than allowed, and had written this many lines.
    Late(usize),
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
    /// Number of lines that it wrote in all.
    pub lines: usize,
}

/// What a process has written since it was last asked for, in whole lines.
pub struct News {
    /// To its standard output.
    pub stdout: String,
    /// To its standard error.
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
/// called every few milliseconds with what is new.
pub fn supervise(
    command: &mut Command,
    limits: &Limits,
    interrupted: &mut dyn FnMut(&News) -> bool,
) -> Result<Finished, Halt> {
    process::own_group(command);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Running::new(command.spawn().map_err(Halt::Absent)?);
    if let Some(bytes) = limits.memory {
        process::limit_memory_of(&child.process, bytes);
    }
    let mut stdout = Capture::new(child.process.stdout.take(), limits.output);
    let mut stderr = Capture::new(child.process.stderr.take(), limits.output);
    let start = Instant::now();
    loop {
        match process::has_ended(&mut child.process) {
            Ok(true) => break,
            Ok(false) if start.elapsed() > limits.time => {
                return Err(Halt::Late(stdout.lines() + stderr.lines()));
            }
            Ok(false) => {
                let (stdout, stderr) = (stdout.news(), stderr.news());
                if interrupted(&News { stdout, stderr }) {
                    return Err(Halt::Interrupted);
                }
                thread::sleep(Duration::from_millis(5));
            }
            Err(e) => return Err(Halt::Absent(e)),
        }
    }
    let status = child.end().map_err(Halt::Absent)?;
    let (text, errors) = (stdout.finish(), stderr.finish());
    Ok(Finished {
        status,
        stdout: text,
        stderr: errors,
        lines: stdout.lines() + stderr.lines(),
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
    output: Arc<Mutex<Output>>,
    reader: Option<JoinHandle<()>>,
    /// Number of bytes that [`Capture::news`] has returned.
    seen: usize,
}

/// What was read from a pipe.
#[derive(Default)]
struct Output {
    /// The bytes that are kept.
    kept: Vec<u8>,
    /// Number of lines, kept or not.
    lines: usize,
}

impl Capture {
    pub(super) fn new(pipe: Option<impl Read + Send + 'static>, room: usize) -> Self {
        let output = Arc::new(Mutex::new(Output::default()));
        let shared = output.clone();
        let reader = pipe.map(|mut pipe| {
            thread::spawn(move || {
                let mut buffer = vec![0; 16 << 10];
                let mut cut = false;
                while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                    let mut output = shared.lock().expect("a reader does not panic");
                    let new = &buffer[..count];
                    output.lines += new.iter().filter(|byte| **byte == b'\n').count();
                    if cut {
                        continue;
                    }
                    let room = room - output.kept.len();
                    output.kept.extend_from_slice(&new[..count.min(room)]);
                    cut = count > room;
                    if cut {
                        output.kept.extend_from_slice("\n… and more".as_bytes());
                    }
                }
            })
        });
        Self {
            output,
            reader,
            seen: 0,
        }
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().expect("a reader does not panic")
    }

    fn lines(&self) -> usize {
        self.output().lines
    }

    /// The whole lines that have come since the last call.
    fn news(&mut self) -> String {
        let output = self.output.lock().expect("a reader does not panic");
        let new = &output.kept[self.seen..];
        let end = new.iter().rposition(|byte| *byte == b'\n');
        let new = &new[..end.map_or(0, |end| end + 1)];
        self.seen += new.len();
        String::from_utf8_lossy(new).into_owned()
    }

    /// The captured output. A process that left the group may still hold the pipe, so this waits only for a moment.
    pub(super) fn finish(&mut self) -> String {
        let start = Instant::now();
        while let Some(reader) = &self.reader {
            if reader.is_finished() || start.elapsed() > Duration::from_millis(300) {
                self.reader = None;
            } else {
                thread::sleep(Duration::from_millis(1));
            }
        }
        String::from_utf8_lossy(&self.output().kept).into_owned()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_reported_once_and_the_lines_beyond_the_limit_are_counted() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo one; echo two >&2; read _; seq 1000"]);
        // The script goes on once both lines were seen.
        let (ours, theirs) = std::io::pipe().expect("a pipe");
        command.stdin(ours);
        let mut theirs = Some(theirs);
        let limits = Limits {
            time: Duration::from_secs(60),
            memory: None,
            output: 100,
        };
        let (mut stdout, mut stderr) = (String::new(), String::new());
        let finished = supervise(&mut command, &limits, &mut |news| {
            stdout += &news.stdout;
            stderr += &news.stderr;
            if !stdout.is_empty() && !stderr.is_empty() {
                theirs = None;
            }
            false
        });
        let Ok(finished) = finished else {
            panic!("it ends");
        };
        assert!(
            stdout.starts_with("one\n") && stdout.len() <= limits.output + "\n".len(),
            "{stdout}"
        );
        assert_eq!(stdout.matches("one").count(), 1, "{stdout}");
        assert_eq!(stderr, "two\n");
        assert_eq!(finished.lines, 1002);
    }
}
