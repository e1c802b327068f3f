//! How a learner's process hands its result to the tutor: over a socket that it inherits as its standard input and takes
//! from there before the learner's code runs. So the result has no path and no number that a stray write, a link or a
//! FIFO could take the place of. A word that only the two ends know comes before it.

use std::io;
use std::process::Command;

use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(not(unix))]
mod file;
#[cfg(unix)]
mod socket;

#[cfg(not(unix))]
use file as way;
#[cfg(unix)]
use socket as way;

/// The variable that is set for a process whose tutor waits for a result.
const VERDICT: &str = "TRANSFORMER_TUTOR_VERDICT";
/// The most bytes of a result that are kept: a verdict has some hundred, a training of many steps the most.
const MOST: usize = 4 << 20;

/// The tutor's end.
pub struct Receiver {
    way: way::Receiver,
    word: String,
}

impl Receiver {
    /// Prepares `command` to hand over a result. The command must be dropped before [`Receiver::result`] is called.
    pub fn new(command: &mut Command) -> io::Result<Self> {
        let word = word();
        let way = way::Receiver::new(command, &word)?;
        Ok(Self { way, word })
    }

    /// The result, if one was handed over whole by whoever knows the word.
    pub fn result<T: DeserializeOwned>(self) -> Option<T> {
        let text = self.way.text();
        let (_, json) = text.rsplit_once(&self.word)?;
        serde_json::from_str(json).ok()
    }
}

/// The end of the learner's process.
pub struct Sender {
    way: way::Sender,
    word: String,
}

impl Sender {
    /// The way to the tutor; `None` if no tutor has started this process. For `main`, before the learner's code runs.
    pub fn open() -> Option<Self> {
        let (way, word) = way::Sender::open(std::env::var_os(VERDICT)?)?;
        Some(Self { way, word })
    }

    /// Hands `result` over.
    pub fn send(self, result: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_string(result)?;
        self.way.write(format!("{}{json}", self.word).as_bytes())
    }
}

/// The number of bytes of a [`word`].
const WORD: usize = 32;

/// A word that is different each time.
fn word() -> String {
    use std::hash::{BuildHasher, RandomState};
    let random = || RandomState::new().hash_one(0);
    format!("{:016x}{:016x}", random(), random())
}
