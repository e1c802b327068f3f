//! How words and numbers are written, in generated sentences as on the screen.

/// The text with its first letter as a capital.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Formats a whole number with thousands separators: `1,050,624`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letter_becomes_a_capital_and_the_others_stay() {
        for (text, capital) in [
            ("an owl", "An owl"),
            ("über", "Über"),
            ("ßt", "SSt"),
            ("", ""),
        ] {
            assert_eq!(capitalised(text), capital);
        }
    }

    #[test]
    fn thousands_stand_apart() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (90_250_544, "90,250,544"),
        ] {
            assert_eq!(grouped(n), text);
        }
    }
}
