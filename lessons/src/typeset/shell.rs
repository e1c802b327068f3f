//! Words of a command as a shell reads them.

/// A word of a suggested command, in single quotes if the shell would not take it as it is.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_that_a_shell_would_change_is_quoted() {
        for (word, expected) in [
            ("a/run-1.2", "a/run-1.2"),
            ("a b", "'a b'"),
            ("text=Wo ist's?", r"'text=Wo ist'\''s?'"),
            ("~/run", "'~/run'"),
            ("$(run)", "'$(run)'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
