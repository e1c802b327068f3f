//! What several tests of the program's commands say alike.

use std::process::Output;

/// A command ended with a sentence that holds `words`, and not with success or a panic.
#[track_caller]
pub fn refused(arguments: &[&str], output: &Output, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{arguments:?}");
    for word in words {
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}
