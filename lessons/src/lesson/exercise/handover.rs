//! Hands the result of a learner's process to the tutor, over a socket that the process inherits as its standard input
//! and takes over before the learner's code runs. The result therefore has no path or descriptor number that a stray
//! write, a link or a FIFO could replace. It begins with a secret word that only the two ends know.

use std::io;
use std::process::Command;

use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(not(unix))]
mod file;
#[cfg(unix)]
mod socket;

use crate::lesson::environment::{self, VERDICT};

#[cfg(not(unix))]
use file as way;
#[cfg(unix)]
use socket as way;

/// Maximum number of bytes kept of a result: a verdict has a few hundred, a training run of many steps the most.
const MOST: usize = 4 << 20;

/// The tutor's end of the connection.
pub struct Receiver {
    way: way::Receiver,
    word: String,
}

impl Receiver {
    /// Prepares `command` to hand over a result. The command must be dropped before [`Receiver::result`] is called.
    pub fn new(command: &mut Command) -> io::Result<Self> {
        let word = random_token();
        let receiver = way::Receiver::new(command, &word)?;
        Ok(Self {
            way: receiver,
            word,
        })
    }

    /// Returns the result, if a complete one arrived after the secret word.
    pub fn result<T: DeserializeOwned>(self) -> Option<T> {
        let text = self.way.text();
        let (_, json) = text.rsplit_once(&self.word)?;
        serde_json::from_str(json).ok()
    }
}

/// The learner's end of the connection.
pub struct Sender {
    way: way::Sender,
    word: String,
}

impl Sender {
    /// Opens the connection to the tutor, or returns `None` if no tutor started this process. Call it in `main`, before
    /// the learner's code runs.
    pub fn open() -> Option<Self> {
        let (sender, word) = way::Sender::open(environment::value(VERDICT)?)?;
        Some(Self { way: sender, word })
    }

    /// Sends `result` to the tutor.
    pub fn send(self, result: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_string(result)?;
        self.way.write(format!("{}{json}", self.word).as_bytes())
    }
}

/// Number of bytes of a [`random_token`].
const WORD: usize = 32;

/// Returns a different word each time.
fn random_token() -> String {
    use std::hash::{BuildHasher, RandomState};
    let random = || RandomState::new().hash_one(0);
    format!("{:016x}{:016x}", random(), random())
}
