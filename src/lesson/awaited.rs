//! Work on a thread of its own that somebody waits for, as long as it is wanted.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::tensor::threads::Token;

/// What is still to come of such work; dropped, it is cancelled.
pub struct Awaited<T> {
    found: Receiver<Result<T, String>>,
    since: Instant,
    token: Token,
}

/// What nobody waits for any more is no longer computed.
impl<T> Drop for Awaited<T> {
    fn drop(&mut self) {
        self.token.cancel();
    }
}

impl<T: Send + 'static> Awaited<T> {
    /// Begins the work.
    pub fn begin(work: impl FnOnce() -> Result<T, String> + Send + 'static) -> Self {
        let (send, found) = mpsc::channel();
        let token = Token::default();
        let wanted = token.clone();
        thread::spawn(move || {
            if let Ok(done) = wanted.run(work) {
                // Nobody may be waiting any more.
                let _ = send.send(done);
            }
        });
        Self {
            found,
            since: Instant::now(),
            token,
        }
    }
}

impl<T> Awaited<T> {
    /// What came of it; `None` if that takes longer than `patience`.
    pub fn within(&self, patience: Duration) -> Option<Result<T, String>> {
        match self.found.recv_timeout(patience) {
            Ok(done) => Some(done),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Err("the stage stopped without a word".to_owned()))
            }
        }
    }

    /// How long it has taken.
    pub fn taken(&self) -> Duration {
        self.since.elapsed()
    }
}
