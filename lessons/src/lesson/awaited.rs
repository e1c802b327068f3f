//! Cancellable work on its own thread, with a result that the caller can wait for.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use crate::clock::Instant;
use crate::tensor::threads::{AVAILABLE, Token, start};

/// Handle to work in progress. Dropping it cancels the work.
pub struct Awaited<T> {
    found: Receiver<Result<T, String>>,
    since: Instant,
    token: Token,
}

/// Cancels the work when its result is no longer wanted.
impl<T> Drop for Awaited<T> {
    fn drop(&mut self) {
        self.token.cancel();
    }
}

impl<T: Send + 'static> Awaited<T> {
    /// Starts `work` on a new thread.
    pub fn begin(work: impl FnOnce() -> Result<T, String> + Send + 'static) -> Self {
        let (send, receiver) = mpsc::channel();
        let token = Token::default();
        let wanted = token.clone();
        start(move || {
            if let Ok(done) = wanted.run(work) {
                // The receiver may be gone by now.
                let _ = send.send(done);
            }
        });
        Self {
            found: receiver,
            since: Instant::now(),
            token,
        }
    }
}

impl<T> Awaited<T> {
    /// Result of the work, or `None` if it takes longer than `patience`.
    pub fn within(&self, patience: Duration) -> Option<Result<T, String>> {
        let found = if AVAILABLE {
            self.found.recv_timeout(patience)
        } else {
            self.found.try_recv().map_err(|e| match e {
                TryRecvError::Empty => RecvTimeoutError::Timeout,
                TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
            })
        };
        match found {
            Ok(done) => Some(done),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Err("the stage stopped without saying why".to_owned()))
            }
        }
    }

    /// Time since the work began.
    pub fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }
}
