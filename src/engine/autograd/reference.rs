//! Records calls of the reference implementations, because calling one does not solve the exercise that asks for it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

thread_local! {
    /// True while a function on this thread is being watched.
    static WATCHING: Cell<bool> = const { Cell::new(false) };
    /// Paths of the references that watched functions called, by exercise name.
    static CALLED: RefCell<BTreeMap<&'static str, &'static str>> = const { RefCell::new(BTreeMap::new()) };
}

/// Makes a function the reference of an exercise: `reference! { "attention"; pub fn attention(…) … }`.
///
/// The first function records that it was called; the items around it stay unchanged. Lessons show and grade only the
/// text inside, so the recording is not part of it.
#[macro_export]
macro_rules! reference {
    ($exercise:literal; $(#[$attribute:meta])* $visible:vis fn $name:ident($($inputs:tt)*) -> $output:ty $body:block $($rest:item)*) => {
        $(#[$attribute])*
        $visible fn $name($($inputs)*) -> $output {
            $crate::autograd::reference::called($exercise, concat!(module_path!(), "::", stringify!($name)));
            $body
        }
        $($rest)*
    };
    ($exercise:literal; $first:item $($rest:tt)*) => {
        $first
        $crate::reference! { $exercise; $($rest)* }
    };
}

/// Records a call of an exercise's reference, the function at `path`.
pub fn called(exercise: &'static str, path: &'static str) {
    if WATCHING.get() {
        CALLED.with_borrow_mut(|called| called.insert(exercise, path));
    }
}

/// Runs a function and watches whether it calls a reference.
pub fn watched<T>(function: impl FnOnce() -> T) -> T {
    while_watching(true, function)
}

/// Returns the result of `work`, and the path of the exercise's reference if a [`watched`] function inside it called it
/// on this thread.
pub fn calls_during<T>(exercise: &str, work: impl FnOnce() -> T) -> (T, Option<&'static str>) {
    CALLED.with_borrow_mut(BTreeMap::clear);
    let result = while_watching(false, work);
    let path = CALLED.with_borrow(|called| called.get(exercise).copied());
    (result, path)
}

fn while_watching<T>(watching: bool, work: impl FnOnce() -> T) -> T {
    /// Restores the previous state, even after a panic.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            WATCHING.set(self.0);
        }
    }
    let _before = Before(WATCHING.replace(watching));
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::reference! { "double";
    /// Stays as it is.
    const TWO: i32 = 2;

    #[inline]
    fn double(x: i32) -> i32 {
        x * TWO
    }

    fn triple(x: i32) -> i32 {
        x + double(x)
    }
    }

    const PATH: &str = concat!(module_path!(), "::double");

    #[test]
    fn only_calls_by_a_watched_function_are_noted() {
        assert_eq!(calls_during("double", || double(2)), (4, None));
        let (six, path) = calls_during("double", || watched(|| triple(2)));
        assert_eq!((six, path), (6, Some(PATH)));
        let both = || double(1) + watched(|| 3);
        assert_eq!(calls_during("double", both), (5, None));
    }

    #[test]
    fn the_reference_of_another_exercise_may_be_called() {
        assert_eq!(calls_during("triple", || watched(|| double(2))), (4, None));
    }

    #[test]
    fn a_watched_function_that_panics_is_watched_no_longer() {
        let work = || {
            let panics =
                std::panic::catch_unwind(|| watched(|| std::panic::resume_unwind(Box::new(()))));
            assert!(panics.is_err());
            double(1)
        };
        assert_eq!(calls_during("double", work), (2, None));
    }
}
