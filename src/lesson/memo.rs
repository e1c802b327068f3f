//! What a stage has computed, kept for the next time that it is asked for.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// The last results, by a key that spells out everything they depend on.
pub struct Memo<T> {
    most: usize,
    kept: Mutex<BTreeMap<String, Arc<T>>>,
}

impl<T> Memo<T> {
    /// Keeps at most so many; when they are full, it begins anew.
    pub const fn new(most: usize) -> Self {
        Self {
            most,
            kept: Mutex::new(BTreeMap::new()),
        }
    }

    /// The result of `key`; `make` makes it where it is not kept. Whoever else asks meanwhile does not wait.
    pub fn get(&self, key: String, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(found) = self.lock().get(&key) {
            return found.clone();
        }
        let made = Arc::new(make());
        let mut kept = self.lock();
        if kept.len() >= self.most {
            kept.clear();
        }
        kept.insert(key, made.clone());
        made
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<T>>> {
        self.kept.lock().unwrap_or_else(|e| e.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_once_is_kept_until_there_is_too_much() {
        let memo = Memo::new(2);
        let mut made = Vec::new();
        for key in ["a", "a", "b", "a", "c", "a"] {
            memo.get(key.to_owned(), || made.push(key));
        }
        assert_eq!(made, ["a", "b", "c", "a"]);
    }
}
