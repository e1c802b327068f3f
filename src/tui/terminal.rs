//! The terminal: taken over at the start, given back at every end.

use std::io::{self, BufWriter, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};

/// Bytes gathered before they are written: a frame of full colour has hundreds of kilobytes, and the
/// standard output would write it line by line.
const BUFFER: usize = 64 << 10;

/// Whether the terminal is still taken over. Giving it back twice would overwrite the message that a
/// panic printed in between.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The taken terminal; given back when dropped.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
}

impl Screen {
    /// Takes the terminal over: raw, alternate screen, mouse. A panic gives it back before it prints.
    pub fn take() -> io::Result<Self> {
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            // A panic that is caught and shown as a sentence leaves the screen alone.
            if !crate::lesson::exercise::is_quiet() {
                give_back();
            }
            before(info);
        }));
        let taken = execute!(
            io::stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste
        );
        if let Err(e) = taken {
            give_back();
            return Err(e);
        }
        let backend = CrosstermBackend::new(BufWriter::with_capacity(BUFFER, io::stdout()));
        Ok(Self {
            terminal: Terminal::new(backend)?,
        })
    }

    /// Draws a frame, all at once where the terminal can.
    pub fn draw(&mut self, view: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(view)?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    /// Gives the mouse to the terminal, or takes it.
    pub fn mouse(&mut self, ours: bool) -> io::Result<()> {
        if ours {
            execute!(self.terminal.backend_mut(), EnableMouseCapture)
        } else {
            execute!(self.terminal.backend_mut(), DisableMouseCapture)
        }
    }

    /// Puts text on the clipboard, where the terminal allows it (OSC 52).
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        let out = self.terminal.backend_mut();
        write!(out, "\x1b]52;c;{}\x07", base64(text.as_bytes()))?;
        Write::flush(out)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back; does nothing the second time.
pub fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Nothing can be done about a terminal that is gone.
        let _ = execute!(
            io::stdout(),
            DisableBracketedPaste,
            DisableMouseCapture,
            LeaveAlternateScreen,
            cursor::Show
        );
        let _ = disable_raw_mode();
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let all =
            chunk.iter().fold(0_u32, |n, &b| n << 8 | u32::from(b)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * place)) as usize & 63] as char;
            out.push(if place <= chunk.len() { letter } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn base64_pads_its_end() {
        assert_eq!(super::base64(b"Man"), "TWFu");
        assert_eq!(super::base64(b"Ma"), "TWE=");
        assert_eq!(super::base64(b"M"), "TQ==");
    }
}
