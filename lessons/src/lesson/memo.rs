//! A cache for the results that stages compute.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::tensor::threads::{check, lock};

mod weigh;

pub use weigh::Weigh;

/// Bytes that the results of all lessons may take together. The walkthrough itself takes about 60 MB, and what is on
/// the screen about as much again.
pub const BUDGET: usize = 96 << 20;

static STORE: Store = Store::new(BUDGET);

/// Raises the shared budget to at least `bytes`, for work that goes through all lessons at once, such as building the
/// book.
pub fn make_room(bytes: usize) {
    STORE.most.fetch_max(bytes, Ordering::Relaxed);
}

/// Cached results of one kind, by a key that spells out everything they depend on.
///
/// All memos share one store with room for [`BUDGET`] bytes: the least recently used result is evicted first, and
/// recomputed when it is next needed.
pub struct Memo<T> {
    store: &'static Store,
    /// Distinguishes the results of this memo from those of others.
    name: &'static str,
    kind: PhantomData<fn() -> T>,
}

impl<T: Weigh + Send + Sync + 'static> Memo<T> {
    /// A memo called `name`, which must be unique: `decoding: trees`.
    pub const fn new(name: &'static str) -> Self {
        Self::on(&STORE, name)
    }

    const fn on(store: &'static Store, name: &'static str) -> Self {
        Self {
            store,
            name,
            kind: PhantomData,
        }
    }

    /// The result for `key`, from the cache or else from `make`. Other threads asking for it meanwhile wait (unless
    /// cancelled), and the next one makes it if the first fails to.
    pub fn get(&self, key: impl ToString, make: impl FnOnce() -> T) -> Arc<T> {
        let key = self.key(key);
        let _turn = match self.store.wait_for(&key) {
            Ok(value) => return self.downcast(value),
            Err(guard) => guard,
        };
        let made = Arc::new(make());
        self.store
            .put(key, made.clone(), size_of::<T>() + made.heap());
        made
    }

    /// The result for `key`, if it is cached.
    pub fn find(&self, key: impl ToString) -> Option<Arc<T>> {
        let value = self.store.lock().find(&self.key(key))?;
        Some(self.downcast(value))
    }

    /// Caches `made` as the result for `key`.
    pub fn keep(&self, key: impl ToString, made: Arc<T>) {
        let bytes = size_of::<T>() + made.heap();
        self.store.put(self.key(key), made, bytes);
    }

    fn key(&self, key: impl ToString) -> Key {
        (self.name, key.to_string())
    }

    fn downcast(&self, value: CachedValue) -> Arc<T> {
        let known = value.downcast();
        known.unwrap_or_else(|_| panic!("memo {}: another memo has this name", self.name))
    }
}

/// Bytes that the results of all lessons take now.
pub fn bytes() -> usize {
    STORE.lock().bytes
}

type Key = (&'static str, String);
type CachedValue = Arc<dyn Any + Send + Sync>;

/// The store shared by all memos; evicts when it is full.
struct Store {
    most: AtomicUsize,
    state: Mutex<State>,
    /// Notified whenever the making of a result ends, with or without a result.
    made: Condvar,
}

#[derive(Default)]
struct State {
    results: BTreeMap<Key, Entry>,
    /// Keys by the time of their last use.
    order: BTreeMap<u64, Key>,
    /// Logical clock: the number of look-ups and insertions so far.
    now: u64,
    bytes: usize,
    /// Keys whose results are being made.
    making: BTreeSet<Key>,
}

struct Entry {
    kept: CachedValue,
    bytes: usize,
    used: u64,
}

/// The right to make one result, released on drop even if making it panics.
struct ComputeGuard<'a> {
    store: &'a Store,
    key: Key,
}

impl Drop for ComputeGuard<'_> {
    fn drop(&mut self) {
        self.store.lock().making.remove(&self.key);
        self.store.made.notify_all();
    }
}

impl Store {
    const fn new(most: usize) -> Self {
        Self {
            most: AtomicUsize::new(most),
            state: Mutex::new(State {
                results: BTreeMap::new(),
                order: BTreeMap::new(),
                now: 0,
                bytes: 0,
                making: BTreeSet::new(),
            }),
            made: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The cached result for `key`, after waiting for any thread that is making it; `Err` is the turn to make it.
    fn wait_for(&self, key: &Key) -> Result<CachedValue, ComputeGuard<'_>> {
        /// Interval at which a waiting thread checks for cancellation.
        const LOOK: Duration = Duration::from_millis(20);
        let mut state = self.lock();
        loop {
            if let Some(value) = state.find(key) {
                return Ok(value);
            }
            if state.making.insert(key.clone()) {
                let key = key.clone();
                return Err(ComputeGuard { store: self, key });
            }
            let waited = self.made.wait_timeout(state, LOOK);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            check();
            state = self.lock();
        }
    }

    fn put(&self, key: Key, value: CachedValue, bytes: usize) {
        let mut gone = Vec::new();
        let mut state = self.lock();
        gone.extend(state.remove(&key));
        // The entry and the two copies of its key.
        let bytes = bytes + 2 * (size_of::<Key>() + key.1.len()) + size_of::<Entry>();
        let used = state.tick();
        state.bytes += bytes;
        state.order.insert(used, key.clone());
        state.results.insert(
            key,
            Entry {
                kept: value,
                bytes,
                used,
            },
        );
        let most = self.most.load(Ordering::Relaxed);
        while state.bytes > most {
            let Some((_, oldest)) = state.order.first_key_value() else {
                break;
            };
            let oldest = oldest.clone();
            gone.extend(state.remove(&oldest));
        }
        // Large values may be slow to drop, so release the lock first.
        drop(state);
        drop(gone);
    }
}

impl State {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    fn find(&mut self, key: &Key) -> Option<CachedValue> {
        let now = self.tick();
        let entry = self.results.get_mut(key)?;
        let (value, before) = (entry.kept.clone(), std::mem::replace(&mut entry.used, now));
        let key = self.order.remove(&before)?;
        self.order.insert(now, key);
        Some(value)
    }

    fn remove(&mut self, key: &Key) -> Option<CachedValue> {
        let entry = self.results.remove(key)?;
        self.order.remove(&entry.used);
        self.bytes -= entry.bytes;
        Some(entry.kept)
    }
}

/// A value computed on first access. Unlike the standard library's `LazyLock`, which is poisoned when its computation
/// unwinds, as a cancelled one does, this one computes again.
pub struct Lazy<T> {
    found: OnceLock<T>,
    make: fn() -> T,
}

impl<T> Lazy<T> {
    /// A value that `make` will compute.
    pub const fn new(make: fn() -> T) -> Self {
        Self {
            found: OnceLock::new(),
            make,
        }
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.found.get_or_init(self.make)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::threads::{Cancelled, Token};

    #[test]
    fn a_full_store_drops_the_least_recently_used_result() {
        static OWN: Store = Store::new(2500);
        static MEMO: Memo<Vec<f32>> = Memo::on(&OWN, "numbers");
        let mut made = Vec::new();
        // About 1,000 bytes each, so two fit.
        for key in ["a", "a", "b", "a", "c", "a", "b"] {
            MEMO.get(key, || {
                made.push(key);
                vec![0.0; 200]
            });
        }
        assert_eq!(made, ["a", "b", "c", "b"]);
        assert!(OWN.lock().bytes <= 2500);
    }

    #[test]
    fn all_memos_share_the_room_and_never_take_more() {
        static OWN: Store = Store::new(10_000);
        static ONE: Memo<Vec<f32>> = Memo::on(&OWN, "one");
        static OTHER: Memo<String> = Memo::on(&OWN, "other");
        for n in 0..500 {
            ONE.get(n, || vec![0.0; n]);
            OTHER.get(n, || "x".repeat(3 * n));
            let state = OWN.lock();
            assert!(state.bytes <= 10_000);
            let counted: usize = state.results.values().map(|entry| entry.bytes).sum();
            assert_eq!(
                (state.bytes, state.order.len()),
                (counted, state.results.len())
            );
        }
        let results = OWN.lock().results.len();
        assert!((4..8).contains(&results), "{results} of the last have room");
        ONE.get("large", || vec![0.0; 10_000]);
        assert_eq!(
            OWN.lock().bytes,
            0,
            "what has no room at all is given and not kept"
        );
    }

    #[test]
    fn two_that_ask_for_the_same_make_it_once() {
        static OWN: Store = Store::new(1000);
        static MEMO: Memo<usize> = Memo::on(&OWN, "slow");
        let made = Mutex::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    MEMO.get("key", || {
                        std::thread::sleep(Duration::from_millis(30));
                        *made.lock().unwrap() += 1;
                        7
                    })
                });
            }
        });
        assert_eq!(made.into_inner().unwrap(), 1);
    }

    #[test]
    fn a_cancelled_result_is_not_kept_and_is_computed_again() {
        static OWN: Store = Store::new(1000);
        static MEMO: Memo<usize> = Memo::on(&OWN, "cancelled");
        let token = Token::default();
        let cancelled = token.run(|| {
            MEMO.get("key", || {
                token.cancel();
                check();
                1
            })
        });
        assert_eq!(cancelled.err(), Some(Cancelled));
        assert_eq!(*MEMO.get("key", || 2), 2);
    }

    #[test]
    fn a_value_whose_computation_was_cancelled_is_computed_at_the_next_look() {
        static TOKEN: Lazy<Token> = Lazy::new(Token::default);
        static VALUE: Lazy<usize> = Lazy::new(|| {
            TOKEN.cancel();
            check();
            7
        });
        assert_eq!(TOKEN.run(|| *VALUE), Err(Cancelled));
        assert_eq!(*VALUE, 7);
    }
}
