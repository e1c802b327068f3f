//! The program on a pseudo-terminal.

// Each test target uses only a part of it.
#![allow(dead_code)]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use transformer_tutor::curriculum;

/// Time limit for anything that the program does; long, because the test machine may do ten things at once.
pub const PATIENCE: Duration = Duration::from_secs(300);

pub struct Tutor {
    pub master: Box<dyn MasterPty + Send>,
    pub writer: Box<dyn Write + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    pub screen: Arc<Mutex<vt100::Parser>>,
    /// While this is locked, the program's output is not read.
    pub gate: Arc<Mutex<()>>,
    pub state: tempfile::TempDir,
}

pub fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

pub fn whole(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).expect("a screen has a size")
}

/// A command that runs `program` with these arguments, a clean environment and its state in `state`.
pub fn command(program: &str, state: &Path, arguments: &[&str]) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.env_clear();
    command.env("TERM", "xterm-256color");
    command.env("PATH", std::env::var("PATH").unwrap_or_default());
    command.env("TRANSFORMER_TUTOR_STATE", state);
    // An editor that ends at once, for the key E.
    command.env("EDITOR", "true");
    command.args(arguments);
    command
}

impl Tutor {
    pub fn start(cols: u16, rows: u16, arguments: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), cols, rows, arguments)
    }

    /// Starts the program with the progress saved in `state`.
    pub fn start_in(state: tempfile::TempDir, cols: u16, rows: u16, arguments: &[&str]) -> Self {
        let command = command(
            env!("CARGO_BIN_EXE_transformer-tutor"),
            state.path(),
            arguments,
        );
        Self::spawn(command, state, cols, rows)
    }

    pub fn spawn(command: CommandBuilder, state: tempfile::TempDir, cols: u16, rows: u16) -> Self {
        let pty = native_pty_system().openpty(size(cols, rows)).unwrap();
        let child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(whole(rows), whole(cols), 0)));
        let (mut reader, seen) = (pty.master.try_clone_reader().unwrap(), screen.clone());
        let gate = Arc::new(Mutex::new(()));
        let open = gate.clone();
        std::thread::spawn(move || {
            let mut part = [0; 1 << 14];
            while let Ok(n @ 1..) = reader.read(&mut part) {
                drop(open.lock());
                seen.lock().unwrap().process(&part[..n]);
                // This thread has the last reference to the screen.
                if Arc::strong_count(&seen) == 1 {
                    return;
                }
            }
        });
        let writer = pty.master.take_writer().unwrap();
        Self {
            master: pty.master,
            writer,
            child,
            screen,
            gate,
            state,
        }
    }

    pub fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    pub fn press(&mut self, keys: &str) {
        self.send(keys.as_bytes());
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).unwrap();
        self.writer.flush().unwrap();
    }

    /// Changes the terminal's size but not the size of the screen that parses its output.
    pub fn claim(&self, cols: u16, rows: u16) {
        self.master.resize(size(cols, rows)).unwrap();
    }

    /// Changes the size of the terminal and of the screen that parses its output.
    pub fn resize(&self, cols: u16, rows: u16) {
        let mut parser = self.screen.lock().unwrap();
        parser.screen_mut().set_size(whole(rows), whole(cols));
        drop(parser);
        self.master.resize(size(cols, rows)).unwrap();
    }

    /// Waits until the screen shows all of `words`.
    #[track_caller]
    pub fn sees(&self, words: &[&str]) {
        self.waits(
            |text| words.iter().all(|word| text.contains(word)),
            || format!("the screen does not show {words:?}"),
        );
    }

    /// Goes to the page of the open lesson that has this id, and waits until its number is in the header; the page's run
    /// may take longer.
    #[track_caller]
    pub fn turn_to(&mut self, lesson: &str, id: &str) {
        let lesson = curriculum::find(lesson).unwrap();
        let page = lesson.page_number(id).expect("the lesson has the page") + 1;
        self.press(&format!(":page {page}\r"));
        self.sees(&[lesson.title, &format!("  {page}/")]);
    }

    /// Waits until the screen no longer shows `word`.
    #[track_caller]
    pub fn gone(&self, word: &str) {
        self.waits(|text| !text.contains(word), || format!("{word} stays"));
    }

    /// Waits until the screen's text satisfies `until`.
    #[track_caller]
    pub fn waits(&self, until: impl Fn(&str) -> bool, otherwise: impl Fn() -> String) {
        let end = Instant::now() + PATIENCE;
        while !until(&self.text()) {
            assert!(Instant::now() < end, "{}:\n{}", otherwise(), self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends the program a signal by name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let id = self.child.process_id().expect("it lives");
        kill(name, id);
    }

    /// Waits until the program ends and returns its exit status.
    #[track_caller]
    pub fn end(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "it does not end:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the terminal is restored.
    #[track_caller]
    pub fn restored(&self) {
        let end = Instant::now() + PATIENCE;
        let mut trouble = self.taken();
        // The last bytes may still be on their way.
        while !trouble.is_empty() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
            trouble = self.taken();
        }
        assert!(trouble.is_empty(), "{trouble:?} stay:\n{}", self.text());
    }

    /// True if the program is drawing; false before it starts to draw and when it is about to end.
    pub fn draws(&self) -> bool {
        self.screen.lock().unwrap().screen().alternate_screen()
    }

    /// The terminal modes that the program has not restored yet.
    pub fn taken(&self) -> Vec<&'static str> {
        let parser = self.screen.lock().unwrap();
        let screen = parser.screen();
        let mouse = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
        let mut bytes = Vec::new();
        for (is, what) in [
            (screen.alternate_screen(), "the alternate screen"),
            (screen.hide_cursor(), "the hidden cursor"),
            (screen.bracketed_paste(), "the bracketed paste"),
            (mouse, "the mouse"),
            (self.raw(), "the raw mode"),
        ] {
            if is {
                bytes.push(what);
            }
        }
        bytes
    }

    /// True if the terminal is in raw mode, where every key is delivered at once.
    #[cfg(unix)]
    fn raw(&self) -> bool {
        use rustix::fs::{Mode, OFlags, open};
        use rustix::termios::{LocalModes, tcgetattr};
        let name = self.master.tty_name().expect("it has a name");
        let device = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        let modes = tcgetattr(&device).unwrap();
        !modes.local_modes.contains(LocalModes::ICANON)
    }

    #[cfg(not(unix))]
    fn raw(&self) -> bool {
        false
    }

    /// Asserts that the program ends successfully and restores the terminal; returns the folder of its state.
    #[track_caller]
    pub fn ended(mut self) -> tempfile::TempDir {
        let status = self.end();
        assert!(status.success(), "{status:?}:\n{}", self.text());
        self.restored();
        self.state
    }

    /// Stops reading the program's output until the guard is dropped.
    pub fn shut(gate: &Mutex<()>) -> MutexGuard<'_, ()> {
        gate.lock().unwrap()
    }
}

/// Sends a process a signal by name, such as `TERM`.
pub fn kill(name: &str, id: u32) {
    let status = std::process::Command::new("kill")
        .args([&format!("-{name}"), &id.to_string()])
        .status();
    assert!(status.unwrap().success(), "{name} is sent");
}

/// Memory in use in MB; 0 if the system does not report it.
pub fn memory(tutor: &Tutor) -> usize {
    let id = tutor.child.process_id().unwrap_or(0);
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok())
        .unwrap_or(0)
        >> 10
}
