//! The known mistakes of an exercise, and its second function.

use std::ops::Deref;

/// What the build script makes of an exercise: its known mistakes, and the function by which instruments change inputs.
pub struct Mistakes<F: 'static> {
    pub(super) list: &'static [(&'static str, F)],
    /// The function that hands changed inputs on: see [`inputs`](super::inputs). `None` if it has no type of a plain function.
    pub(super) second: Option<F>,
}

impl<F> Mistakes<F> {
    /// Made by the build script.
    pub const fn new(list: &'static [(&'static str, F)], second: Option<F>) -> Self {
        Self { list, second }
    }

    /// Known mistakes of a function whose inputs no instrument changes.
    pub const fn listed(list: &'static [(&'static str, F)]) -> Self {
        Self { list, second: None }
    }
}

impl<F> Deref for Mistakes<F> {
    type Target = [(&'static str, F)];

    fn deref(&self) -> &Self::Target {
        self.list
    }
}
