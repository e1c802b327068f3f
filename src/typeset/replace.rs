//! Replacement of words in a text.

/// Replaces `said` with `shown`, except where the next character `joins` it to a longer word.
pub fn replace_unless(text: &str, said: &str, shown: &str, joins: fn(char) -> bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(said) {
        let (before, after) = (&rest[..at], &rest[at + said.len()..]);
        out += before;
        out += if after.starts_with(joins) {
            said
        } else {
            shown
        };
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_goes_on_is_left_alone() {
        let found = replace_unless("press 1, press 12", "press 1", "X", |c| c.is_numeric());
        assert_eq!(found, "X, press 12");
    }
}
