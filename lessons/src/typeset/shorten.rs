//! Shortening of messages that repeat very long input.

use super::number::grouped;

/// Maximum number of characters in a word of a message; paths are shorter.
const WORD: usize = 400;

/// Maximum number of characters in a line.
const LINE: usize = 2_000;

/// Maximum number of characters in a message.
const ALL: usize = 8_000;

/// Leaves out the middle of every overlong word and line, and notes how much. The beginning of a message names the
/// problem and its end the remedy, so both stay.
pub fn shortened(message: &str) -> String {
    let line = |line: &str| {
        let words: String = line
            .split_inclusive(char::is_whitespace)
            .map(|word| without_middle(word, WORD))
            .collect();
        without_middle(&words, LINE)
    };
    let lines: String = message.split_inclusive('\n').map(line).collect();
    without_middle(&lines, ALL)
}

/// Shortens `text` to about `most` characters.
fn without_middle(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let (first, last) = (most / 2, most / 4);
    let start: String = text.chars().take(first).collect();
    let end: String = text.chars().skip(count - last).collect();
    let left_out = grouped((count - first - last) as u64);
    format!("{start} … {left_out} characters left out … {end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_usual_length_stays_as_it_is() {
        let path = format!("/tmp/{}", "folder/".repeat(50));
        let message = format!("{path} is not a folder; choose another place\n\nUsage: …\n");
        assert_eq!(shortened(&message), message);
    }

    #[test]
    fn shortening_keeps_the_error_and_the_remedy_around_a_long_value() {
        for value in [
            "x".repeat(100_000),
            "ß ".repeat(50_000),
            "line\n".repeat(20_000),
        ] {
            let message = format!("heads cannot be '{value}'; choose 1 to 512");
            let short = shortened(&message);
            assert!(short.chars().count() < ALL + 100, "{}", short.len());
            assert!(short.starts_with("heads cannot be '"), "{short}");
            assert!(short.ends_with("'; choose 1 to 512"), "{short}");
            assert!(short.contains("characters left out"), "{short}");
        }
    }
}
