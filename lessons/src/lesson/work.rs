//! Progress of the small training runs that a stage is waiting for, shown on the screen meanwhile.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::tensor::threads::lock;

/// Updates of all current training runs.
static PROGRESS: Mutex<Progress> = Mutex::new(Progress { done: 0, all: 0 });

struct Progress {
    done: usize,
    all: usize,
}

/// A number of expected updates, which counts until it is dropped.
pub struct Expected {
    all: usize,
    done: AtomicUsize,
}

/// Announces `updates` more updates.
pub fn expect(updates: usize) -> Expected {
    let mut progress = lock(&PROGRESS);
    progress.all += updates;
    Expected {
        all: updates,
        done: AtomicUsize::new(0),
    }
}

impl Expected {
    /// Records that one of them is done.
    pub fn advance(&self) {
        if self.done.fetch_add(1, Ordering::Relaxed) < self.all {
            lock(&PROGRESS).done += 1;
        }
    }
}

/// Work that has ended or was cancelled no longer counts.
impl Drop for Expected {
    fn drop(&mut self) {
        let mut progress = lock(&PROGRESS);
        progress.done = progress
            .done
            .saturating_sub(self.done.load(Ordering::Relaxed).min(self.all));
        progress.all = progress.all.saturating_sub(self.all);
    }
}

/// Share of the expected updates that are done, 0 to 1; `None` if none are expected.
pub fn share() -> Option<f32> {
    let progress = lock(&PROGRESS);
    (progress.all > 0).then(|| progress.done as f32 / progress.all as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_grows_with_each_update_and_is_gone_with_the_work() {
        let work = expect(4_000_000);
        let before = share().unwrap();
        (0..2_000_000).for_each(|_| work.advance());
        // Training runs of other tests may count too.
        assert!(share().unwrap() > before + 0.4);
        drop(work);
        assert!(share().is_none_or(|share| share <= 1.0));
    }
}
