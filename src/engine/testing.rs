//! Assertions on sentences, shared by the tests of all packages. A failure shows the whole text.

use std::fmt::Display;

/// Panics unless `text` contains `part`.
#[track_caller]
pub fn assert_contains(text: &dyn Display, part: &str) {
    let text = text.to_string();
    assert!(text.contains(part), "no {part:?} in {text:?}");
}

/// Panics unless `text` begins with `start`.
#[track_caller]
pub fn assert_starts_with(text: &dyn Display, start: &str) {
    let text = text.to_string();
    assert!(text.starts_with(start), "{text:?} is no {start:?} …");
}

/// Panics unless `text` ends with `end`.
#[track_caller]
pub fn assert_ends_with(text: &dyn Display, end: &str) {
    let text = text.to_string();
    assert!(text.ends_with(end), "{text:?} is no … {end:?}");
}
