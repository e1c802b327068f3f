//! How far the small trainings are that a stage waits for: a screen says it while it computes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Updates that were done and that are expected, of all trainings that go on now.
static TOLD: Mutex<(usize, usize)> = Mutex::new((0, 0));

/// Updates that are expected, until it is dropped.
pub struct Expected {
    all: usize,
    done: AtomicUsize,
}

/// From now on `updates` more updates are expected.
pub fn expect(updates: usize) -> Expected {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.1 += updates;
    Expected {
        all: updates,
        done: AtomicUsize::new(0),
    }
}

impl Expected {
    /// One of them was done.
    pub fn tell(&self) {
        if self.done.fetch_add(1, Ordering::Relaxed) < self.all {
            TOLD.lock().unwrap_or_else(PoisonError::into_inner).0 += 1;
        }
    }
}

/// What ended, or was cancelled, counts no longer.
impl Drop for Expected {
    fn drop(&mut self) {
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        told.0 = told
            .0
            .saturating_sub(self.done.load(Ordering::Relaxed).min(self.all));
        told.1 = told.1.saturating_sub(self.all);
    }
}

/// The share of the expected updates that were done, from 0 to 1; `None` where none are expected.
pub fn share() -> Option<f32> {
    let told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    (told.1 > 0).then(|| told.0 as f32 / told.1 as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_grows_with_each_update_and_is_gone_with_the_work() {
        let work = expect(4_000_000);
        let before = share().unwrap();
        (0..2_000_000).for_each(|_| work.tell());
        // Trainings of other tests may be counted too.
        assert!(share().unwrap() > before + 0.4);
        drop(work);
        assert!(share().is_none_or(|share| share <= 1.0));
    }
}
