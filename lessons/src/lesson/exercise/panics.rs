//! Panics of a stage or of a learner's function, caught and described.

mod meaning;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use super::Failure;
use crate::autograd::reference::watched;
use crate::tensor::threads::{is_quiet, message, quiet};

thread_local! {
    /// Location of this thread's last panic within [`quietly`].
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work` without the panic message that the standard library would print. Panics caught here are reported in
/// sentences instead.
pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if is_quiet() {
                let place = info
                    .location()
                    .map(|at| super::compiler::tidy(&at.to_string()));
                PLACE.set(place);
            } else {
                before(info);
            }
        }));
    });
    quiet(work)
}

/// Runs `work`, and returns the message of its panic as an error. A cancelled run unwinds further.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    unwound(work)
        .map_err(|words| words.unwrap_or_else(|| "the run stopped without a message".to_owned()))
}

/// Runs `implementation`, which may be a learner's, and returns its result, or a failure that describes its panic.
/// Records for [`Task::judged`](super::Task::judged) which references it calls.
pub fn attempt<T>(case: &str, implementation: impl FnOnce() -> T) -> Result<T, Box<Failure>> {
    caught(case, || watched(implementation))
}

/// Runs `work` and returns its result, or a failure that describes its panic.
pub(super) fn caught<T>(case: &str, work: impl FnOnce() -> T) -> Result<T, Box<Failure>> {
    unwound(work).map_err(|words| {
        let words = words.unwrap_or_else(|| "no message".to_owned());
        let at = PLACE.take().filter(|place| place.starts_with("exercises/"));
        let sentence = format!("{case}: your function stopped with: {words}");
        Box::new(Failure {
            at,
            likely: meaning::meaning(&words).map(str::to_owned),
            ..*Failure::new(sentence)
        })
    })
}

/// The result of `work`, or the message of its panic, if it has one. A cancelled run unwinds further.
fn unwound<T>(work: impl FnOnce() -> T) -> Result<T, Option<String>> {
    quietly(|| catch_unwind(AssertUnwindSafe(work))).map_err(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_with_its_words() {
        let failure = attempt("plain", || panic!("not yet")).unwrap_err();
        assert_eq!(
            failure.sentence,
            "plain: your function stopped with: not yet"
        );
        assert_eq!(failure.at, None, "this file is not a learner's");
    }
}
