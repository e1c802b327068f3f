//! The terminal: taken over at the start, and given back however the program ends.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event,
};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{cursor, queue};
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

#[cfg(unix)]
#[path = "terminal/unix.rs"]
mod device;
#[cfg(not(unix))]
#[path = "terminal/other.rs"]
mod device;
#[cfg(unix)]
mod signals;
#[cfg(not(unix))]
#[path = "terminal/no_signals.rs"]
mod signals;
mod surface;

pub use device::{give_back, is_taken};
pub use signals::{ask_to_stop, die, ended, wake};
use surface::Surface;

use super::layout::drawn_size;

/// Bytes to write to the terminal. A full-colour frame has hundreds of kilobytes, which are sent all at once.
#[derive(Clone, Default)]
struct Output(Rc<RefCell<Vec<u8>>>);

impl Output {
    /// Sends the gathered bytes. They are dropped if the terminal has been given back or is about to be.
    fn send(&self) -> io::Result<()> {
        let mut bytes = self.0.borrow_mut();
        let sent = device::write(&bytes);
        bytes.clear();
        match sent {
            Err(e) if e.kind() == io::ErrorKind::NotConnected => Ok(()),
            sent => sent,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

type Canvas = Terminal<Surface<Output>>;

/// The taken terminal; given back when dropped.
pub struct Screen {
    output: Output,
    canvas: Canvas,
    input: device::Input,
    size: (u16, u16),
    mouse: bool,
}

impl Screen {
    /// Takes the terminal over: raw mode, alternate screen, mouse. From now on, the calling thread draws.
    pub fn take() -> io::Result<Self> {
        device::take(farewell()?)?;
        let output = Output::default();
        let mut screen = Self {
            canvas: canvas(&output, (0, 0))?,
            output,
            input: device::Input::default(),
            size: (0, 0),
            mouse: true,
        };
        let entered = screen.enter();
        if entered.is_err() {
            give_back();
        }
        entered.map(|()| screen)
    }

    fn enter(&mut self) -> io::Result<()> {
        queue!(self.output, EnterAlternateScreen, EnableBracketedPaste)?;
        if self.mouse {
            queue!(self.output, EnableMouseCapture)?;
        }
        self.measure()
    }

    /// Reads the size and starts again with an empty screen, because the undrawn part must stay empty.
    fn measure(&mut self) -> io::Result<()> {
        self.size = drawn_size(device::size()?);
        self.canvas = canvas(&self.output, self.size)?;
        queue!(self.output, Clear(ClearType::All))
    }

    /// Number of columns and rows that are drawn.
    pub fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Draws a frame, all at once if the terminal can.
    pub fn draw(&mut self, view: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        queue!(self.output, BeginSynchronizedUpdate)?;
        self.canvas.draw(view)?;
        queue!(self.output, EndSynchronizedUpdate)?;
        self.output.send()
    }

    /// Returns the next event, waiting for up to `within`, or until something else needs attention.
    pub fn event(&mut self, within: Duration) -> io::Result<Option<Event>> {
        match self.input.next(Instant::now() + within)? {
            None => self.signal(),
            Some(Event::Resize(..)) => {
                self.measure()?;
                Ok(Some(Event::Resize(self.size.0, self.size.1)))
            }
            event => Ok(event),
        }
    }

    /// Handles pending signals, except those that end the program.
    fn signal(&mut self) -> io::Result<Option<Event>> {
        let stops = signals::take_stop();
        if stops {
            give_back();
            signals::stop();
            if !device::comes_back() {
                return Ok(None);
            }
        }
        if stops || signals::take_went_on() {
            device::take(farewell()?)?;
            self.enter()?;
        } else if signals::take_resized() {
            self.measure()?;
        } else {
            return Ok(None);
        }
        Ok(Some(Event::Resize(self.size.0, self.size.1)))
    }

    /// Gives the terminal back while `work` runs, then takes it again.
    pub fn lend<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let done = work();
        device::take(farewell()?)?;
        self.enter()?;
        Ok(done)
    }

    /// Captures the mouse, or leaves it to the terminal.
    pub fn mouse(&mut self, ours: bool) -> io::Result<()> {
        self.mouse = ours;
        if ours {
            queue!(self.output, EnableMouseCapture)?;
        } else {
            queue!(self.output, DisableMouseCapture)?;
        }
        self.output.send()
    }

    /// Copies text to the clipboard, if the terminal allows it (OSC 52).
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        queue!(self.output, CopyToClipboard::to_clipboard_from(text))?;
        self.output.send()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Empty canvas of a fixed size, renewed when the size changes: ratatui would ask for the size before each frame.
fn canvas(output: &Output, (width, height): (u16, u16)) -> io::Result<Canvas> {
    let viewport = Viewport::Fixed(Rect::new(0, 0, width, height));
    Terminal::with_options(Surface::new(output.clone()), TerminalOptions { viewport })
}

/// Bytes that restore the screen.
fn farewell() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    queue!(
        bytes,
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        DisableMouseCapture,
        ResetColor,
        LeaveAlternateScreen,
        cursor::Show
    )?;
    Ok(bytes)
}
