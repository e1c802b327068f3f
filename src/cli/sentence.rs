//! Messages about failed commands.

use std::path::Path;

use crate::typeset::sanitize::clean;
use crate::typeset::shell;
use crate::typeset::shorten::shortened;

/// Joins an error's causes with colons, from what was attempted to why it failed. Many errors repeat their source in
/// their own words; here every cause appears once.
pub fn sentence(error: &anyhow::Error) -> String {
    let mut all = String::new();
    for cause in error.chain() {
        let words = cause.to_string();
        if all.contains(&words) {
            continue;
        }
        if !all.is_empty() {
            all.push_str(": ");
        }
        all.push_str(&words);
    }
    presentable(&all)
}

/// A path in a suggested command.
pub fn quoted(path: &Path) -> String {
    shell::quoted(&presentable(&path.display().to_string()))
}

/// Removes control sequences from a message, and the middle of very long values.
pub fn presentable(message: &str) -> String {
    shortened(&clean(message))
}

#[cfg(test)]
mod tests {
    use std::io;

    use anyhow::Context;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("words.json cannot be read: {source}")]
    struct Unread {
        source: io::Error,
    }

    #[test]
    fn a_cause_is_said_once_though_an_error_says_it_and_names_it_as_its_source() {
        let source = io::Error::other("no such file");
        let error = anyhow::Error::from(Unread { source });
        assert_eq!(sentence(&error), "words.json cannot be read: no such file");
    }

    #[test]
    fn the_failed_action_comes_before_its_cause() {
        let failed: Result<(), io::Error> = Err(io::Error::other("no such file"));
        let error = failed
            .context("words.json")
            .context("no model")
            .unwrap_err();
        assert_eq!(sentence(&error), "no model: words.json: no such file");
    }
}
