//! The number of threads of a piece of work, and its cancellation.
//!
//! Both are settings of the working thread for the duration of a closure and are inherited by the threads that it
//! starts. Nothing is global, so two runs (or two tests) never affect each other.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// Default maximum number of threads for large operations: more would help little, and a laptop has other things to do.
const DEFAULT: usize = 8;

/// Whether a thread can start others. In WebAssembly it can't, and what would run beside it runs before.
pub const AVAILABLE: bool = !cfg!(target_family = "wasm");

/// The settings for the work of a thread.
#[derive(Clone, Default)]
pub struct Scope {
    /// How many threads it may use; `None` for the default.
    threads: Option<usize>,
    /// The token that can cancel it.
    token: Option<Token>,
    /// True if its panics are caught and shown as sentences.
    quiet: bool,
}

thread_local! {
    static SCOPE: RefCell<Scope> = RefCell::default();
}

impl Scope {
    /// The current settings of this thread, for the threads that it starts.
    pub fn here() -> Self {
        SCOPE.with_borrow(Self::clone)
    }

    /// Runs `work` within this scope, then restores the previous one, even after a panic.
    pub fn enter<T>(self, work: impl FnOnce() -> T) -> T {
        struct Leave(Scope);
        impl Drop for Leave {
            fn drop(&mut self) {
                SCOPE.set(std::mem::take(&mut self.0));
            }
        }
        let _leave = Leave(SCOPE.replace(self));
        work()
    }
}

/// The number of cores that this process may use.
pub fn machine() -> usize {
    static MACHINE: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    *MACHINE
}

/// The number of threads that share this thread's work if it is large enough: as set by [`on_threads`], by default the
/// number of cores but at most 8.
pub fn threads() -> usize {
    SCOPE
        .with_borrow(|scope| scope.threads)
        .unwrap_or_else(|| machine().min(DEFAULT))
}

/// Runs `work` on `count` threads, including this one, but on no more than this thread was allowed: a part of a shared
/// task can't take more than its part. The bits are the same for any number.
pub fn on_threads<T>(count: usize, work: impl FnOnce() -> T) -> T {
    let here = Scope::here();
    let count = here.threads.map_or(count, |most| most.min(count)).max(1);
    let threads = Some(count);
    Scope { threads, ..here }.enter(work)
}

/// Runs `work` with every tensor operation on this thread only, for a part of a task that is already shared among
/// threads. The bits are the same either way.
pub fn alone<T>(work: impl FnOnce() -> T) -> T {
    on_threads(1, work)
}

/// Runs `work` with panics that print nothing (see [`is_quiet`]), because the caller catches and shows them.
pub fn quiet<T>(work: impl FnOnce() -> T) -> T {
    let here = Scope::here();
    Scope {
        quiet: true,
        ..here
    }
    .enter(work)
}

/// True if panics of this thread are caught and shown as sentences, so that the panic hook should print nothing.
pub fn is_quiet() -> bool {
    // Nothing catches a panic while the scope is being changed.
    SCOPE.with(|scope| scope.try_borrow().is_ok_and(|scope| scope.quiet))
}

/// Runs `worker` with the thread's number once on each of `count` threads, including this one. They inherit its scope.
///
/// A panic in one thread ends the others at their next [`check`] and is resumed here with its own message.
pub fn together(count: usize, worker: impl Fn(usize) + Sync) {
    if count <= 1 {
        return worker(0);
    }
    let token = Token::within(Scope::here().token);
    let scope = Scope {
        token: Some(token.clone()),
        ..Scope::here()
    };
    let work = |number: usize| {
        let scope = scope.clone();
        let done = catch_unwind(AssertUnwindSafe(|| scope.enter(|| worker(number))));
        // The others would wait for this thread, or do work that is no longer needed.
        done.inspect_err(|_| token.cancel())
    };
    let ends: Vec<_> = std::thread::scope(|threads| {
        let others: Vec<_> = (1..count)
            .map(|number| {
                let work = &work;
                threads.spawn(move || work(number))
            })
            .collect();
        let own = work(0);
        let others = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(Err));
        std::iter::once(own).chain(others).collect()
    });
    let panics = ends.into_iter().filter_map(Result::err);
    let (cancelled, own): (Vec<_>, Vec<_>) = panics.partition(|panic| panic.is::<Cancelled>());
    if let Some(panic) = own.into_iter().chain(cancelled).next() {
        resume_unwind(panic);
    }
}

/// Runs `work` on every part, shared among the available threads. The parts must be independent.
pub fn shared<T: Send>(parts: Vec<T>, work: impl Fn(T) + Sync) {
    let count = threads().min(parts.len());
    let queue = Mutex::new(parts.into_iter());
    let next = || lock(&queue).next();
    together(count, |_| {
        while let Some(part) = next() {
            check();
            work(part);
        }
    });
}

/// Runs `work` on every part, each on a thread of its own, and returns the results in order.
pub fn side_by_side<T: Send, U: Send>(parts: Vec<T>, work: impl Fn(T) -> U + Sync) -> Vec<U> {
    if !AVAILABLE || parts.len() <= 1 {
        return parts.into_iter().map(work).collect();
    }
    std::thread::scope(|threads| {
        let begin = |part| {
            let (here, work) = (Scope::here(), &work);
            threads.spawn(move || here.enter(|| work(part)))
        };
        let begun: Vec<_> = parts.into_iter().map(begin).collect();
        let ends = begun.into_iter().map(|thread| thread.join());
        ends.map(|end| end.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    })
}

/// Runs `beside` on another thread and `here` on this one.
pub fn both<A: Send, B>(beside: impl FnOnce() -> A + Send, here: impl FnOnce() -> B) -> (A, B) {
    if !AVAILABLE {
        return (beside(), here());
    }
    std::thread::scope(|threads| {
        let scope = Scope::here();
        let other = threads.spawn(move || scope.enter(beside));
        let own = here();
        let other = other.join().unwrap_or_else(|panic| resume_unwind(panic));
        (other, own)
    })
}

/// Starts work that goes on after this call.
pub fn start(work: impl FnOnce() + Send + 'static) {
    let here = Scope::here();
    let work = move || here.enter(work);
    if AVAILABLE {
        std::thread::spawn(work);
    } else {
        work();
    }
}

/// Starts work that is only wanted soon: without threads, none.
pub fn ahead(work: impl FnOnce() + Send + 'static) {
    if AVAILABLE {
        start(work);
    }
}

/// A token that cancels work on other threads. A clone cancels the same work.
#[derive(Clone, Debug, Default)]
pub struct Token {
    cancelled: Arc<AtomicBool>,
    /// The token of the enclosing work, which cancels this work too.
    above: Option<Arc<Token>>,
}

/// Error of work that was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl Token {
    fn within(above: Option<Self>) -> Self {
        Self {
            above: above.map(Arc::new),
            ..Self::default()
        }
    }

    /// Cancels the work, which ends at its next [`check`], within a few milliseconds.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
    }

    /// True if [`Token::cancel`] was called, on this token or that of the enclosing work.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
            || self
                .above
                .as_ref()
                .is_some_and(|above| above.is_cancelled())
    }

    /// Runs `work` until it is done or cancelled. Other panics are resumed.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        let scope = Scope {
            token: Some(self.clone()),
            ..Scope::here()
        };
        let work = || {
            check();
            work()
        };
        match catch_unwind(AssertUnwindSafe(|| scope.enter(work))) {
            Ok(done) => Ok(done),
            Err(panic) if panic.is::<Cancelled>() => Err(Cancelled),
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// Ends this thread's work here if it was cancelled, by unwinding to [`Token::run`] without calling the panic hook.
/// Must stay cheap, because every recorded operation calls it.
pub fn check() {
    let cancelled =
        SCOPE.with_borrow(|scope| scope.token.as_ref().is_some_and(Token::is_cancelled));
    if cancelled {
        resume_unwind(Box::new(Cancelled));
    }
}

/// Locks `mutex`, even if another thread has panicked while holding it. For locks that are held only for a moment, around
/// data that is valid at all times.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks `mutex`, but stops waiting if this thread's work is cancelled. For locks that are held during long
/// computations.
pub fn wait_for<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    loop {
        match mutex.try_lock() {
            Ok(lock) => return lock,
            Err(TryLockError::Poisoned(lock)) => return lock.into_inner(),
            Err(TryLockError::WouldBlock) => {
                check();
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    }
}

/// Runs `work` to its end even if it is cancelled meanwhile, for a short change that must not be left half done.
pub fn uncancelled<T>(work: impl FnOnce() -> T) -> T {
    let here = Scope::here();
    Scope {
        token: None,
        ..here
    }
    .enter(work)
}

/// The message of a caught panic, or `None` if it had none. A cancellation is not an error to be shown, so it unwinds
/// further, to [`Token::run`].
pub fn message(panic: Box<dyn Any + Send>) -> Option<String> {
    if panic.is::<Cancelled>() {
        resume_unwind(panic);
    }
    match panic.downcast::<String>() {
        Ok(words) => Some(*words),
        Err(panic) => panic.downcast_ref::<&str>().map(ToString::to_string),
    }
}

/// A sentence that tells why `work` ended early, with the message of its panic. Running out of memory is not a panic:
/// it ends the program.
pub fn stopped(work: &str, panic: Box<dyn Any + Send>) -> String {
    match message(panic) {
        Some(words) => format!("The {work} stopped: {}.", words.trim_end_matches('.')),
        None => format!("The {work} stopped without saying why."),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn a_part_of_a_task_takes_no_more_threads_than_its_part() {
        assert_eq!(
            on_threads(16, threads),
            16,
            "asked for, whatever the machine has"
        );
        assert_eq!(on_threads(4, || on_threads(16, threads)), 4);
        assert_eq!(on_threads(4, || alone(|| on_threads(3, threads))), 1);
        assert_eq!(on_threads(0, threads), 1);
        assert_eq!(
            threads(),
            machine().min(DEFAULT),
            "it ends with the closure"
        );
    }

    #[test]
    fn thread_settings_end_with_their_closure_even_after_a_panic() {
        let before = threads();
        let panic = quiet(|| catch_unwind(|| on_threads(before + 5, || panic!("no"))));
        assert_eq!(message(panic.unwrap_err()).as_deref(), Some("no"));
        assert_eq!(threads(), before);
        assert!(!is_quiet());
    }

    #[test]
    fn parts_are_done_by_as_many_threads_as_were_asked_for() {
        for count in [1, 2, 5] {
            let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let gate = std::sync::Barrier::new(count);
            on_threads(count, || {
                shared((0..count).collect(), |_| {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    // Opens only when `count` threads are here at the same time.
                    gate.wait();
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            });
            assert_eq!(most.into_inner(), count);
        }
    }

    #[test]
    fn one_that_panics_ends_the_others_with_its_own_message() {
        for which in 0..4 {
            let panic = quiet(|| {
                catch_unwind(|| {
                    together(4, |number| {
                        assert!(number != which, "thread {number} has had enough");
                        loop {
                            check();
                            std::thread::sleep(Duration::from_millis(1));
                        }
                    });
                })
            });
            let words = message(panic.unwrap_err()).unwrap();
            assert_eq!(words, format!("thread {which} has had enough"));
        }
    }

    #[test]
    fn cancelled_work_ends_on_all_its_threads_and_nothing_else_does() {
        let token = Token::default();
        let (started, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            on_threads(3, || {
                together(3, |_| {
                    struct Ended<'a>(&'a AtomicUsize);
                    impl Drop for Ended<'_> {
                        fn drop(&mut self) {
                            self.0.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                    let _ended = Ended(&ended);
                    started.fetch_add(1, Ordering::SeqCst);
                    loop {
                        check();
                        std::thread::sleep(Duration::from_millis(1));
                    }
                });
            });
        };
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| token.run(work));
            while started.load(Ordering::SeqCst) < 3 {
                std::thread::yield_now();
            }
            token.cancel();
            assert_eq!(worker.join().unwrap(), Err(Cancelled));
        });
        assert_eq!(ended.into_inner(), 3);
        assert_eq!(Token::default().run(|| 7), Ok(7));
        assert_eq!(token.run(|| 7), Err(Cancelled), "cancelled before it began");
        check();
    }

    #[test]
    fn work_that_stopped_says_why_and_does_not_guess() {
        let panic = |words: &'static str| quiet(|| catch_unwind(|| panic!("{words}")).unwrap_err());
        assert_eq!(
            stopped("run", panic("add: [2] and [3] differ")),
            "The run stopped: add: [2] and [3] differ."
        );
        assert_eq!(
            stopped("pass", Box::new(7)),
            "The pass stopped without saying why."
        );
    }

    #[test]
    fn a_change_that_must_be_whole_is_not_cancelled() {
        let token = Token::default();
        let mut done = false;
        let end = token.run(|| {
            uncancelled(|| {
                token.cancel();
                check();
                done = true;
            });
            check();
        });
        assert!(done && end == Err(Cancelled));
    }
}
