//! Assertions shared by tests of the program's commands.

use std::process::Output;

/// Asserts that a command failed with a message that contains `words`, and not with a panic.
#[track_caller]
pub fn refused(arguments: &[&str], output: &Output, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{arguments:?}");
    for word in words {
        assert!(stderr.contains(word), "{arguments:?}: {stderr}");
    }
    assert!(!stderr.contains("panicked"), "{stderr}");
}
