//! Progress of the small training runs that a stage is waiting for, shown on the screen meanwhile.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Updates done and updates expected, over all current training runs.
static TOLD: Mutex<(usize, usize)> = Mutex::new((0, 0));

/// A number of expected updates, which counts until it is dropped.
pub struct Expected {
    all: usize,
    done: AtomicUsize,
}

/// Announces `updates` more updates.
pub fn expect(updates: usize) -> Expected {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.1 += updates;
    Expected {
        all: updates,
        done: AtomicUsize::new(0),
    }
}

impl Expected {
    /// Records that one of them is done.
    pub fn tell(&self) {
        if self.done.fetch_add(1, Ordering::Relaxed) < self.all {
            TOLD.lock().unwrap_or_else(PoisonError::into_inner).0 += 1;
        }
    }
}

/// Work that has ended or was cancelled no longer counts.
impl Drop for Expected {
    fn drop(&mut self) {
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        told.0 = told
            .0
            .saturating_sub(self.done.load(Ordering::Relaxed).min(self.all));
        told.1 = told.1.saturating_sub(self.all);
    }
}

/// Share of the expected updates that are done, 0 to 1; `None` if none are expected.
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
        // Training runs of other tests may count too.
        assert!(share().unwrap() > before + 0.4);
        drop(work);
        assert!(share().is_none_or(|share| share <= 1.0));
    }
}
