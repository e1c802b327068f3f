//! Reasons to doubt a BLEU score that was computed correctly: text in a form that its tokenizer does not expect.

use crate::decode::tokenize::Tokenize;

/// Number of lines with a space before their final full stop from which sacreBLEU warns; here, more than half the lines
/// of a shorter text are enough.
const TOKENISED: usize = 100;
/// Average word length, in letters, above which text counts as having no spaces between words.
const LETTERS: usize = 4;

/// Returns doubts about the BLEU score of these translations and references, as sentences.
pub fn doubts<'a>(
    hyps: &[&'a str],
    refs: impl IntoIterator<Item = &'a str>,
    tokenize: Tokenize,
) -> Vec<String> {
    let refs: Vec<&str> = refs.into_iter().collect();
    let mut doubts = Vec::new();
    for (what, lines) in [("translations", hyps), ("references", &refs)] {
        let tokenised = lines.iter().filter(|line| line.ends_with(" .")).count();
        let many = tokenised >= TOKENISED || 2 * tokenised > lines.len();
        if many && tokenize != Tokenize::None {
            doubts.push(format!(
                "{tokenised} of {} lines of the {what} end in \" .\", as tokenised text does, but BLEU with {tokenize} \
                 expects text that is not tokenised: detokenise it, or choose --tokenize none and compare only scores \
                 computed the same way",
                lines.len()
            ));
        }
    }
    if tokenize != Tokenize::Char && is_unspaced(&[hyps, &refs].concat()) {
        doubts.push(format!(
            "the text has no spaces between words, so {tokenize} treats whole sentences as words, and few of them \
             match: choose --tokenize char"
        ));
    }
    doubts
}

/// True for text without spaces between words.
fn is_unspaced(lines: &[&str]) -> bool {
    let (mut letters, mut unspaced) = (0, 0);
    for c in lines.iter().flat_map(|line| line.chars()) {
        letters += usize::from(c.is_alphabetic());
        // Chinese, and Thai, Lao, Tibetan, Burmese, Khmer, kana.
        unspaced += usize::from(matches!(c, '\u{3400}'..='\u{9fff}' | '\u{e00}'..='\u{fff}'
            | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'));
    }
    let words = lines
        .iter()
        .flat_map(|line| line.split_whitespace())
        .count();
    2 * unspaced > letters && letters > LETTERS * words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(lines: &[&str], tokenize: Tokenize) -> String {
        doubts(lines, lines.iter().copied(), tokenize).join("\n")
    }

    #[test]
    fn text_without_blanks_is_told_which_tokenizer_to_take() {
        for text in [
            "他在图书馆里看书。天气很好，我们走吧！",
            "彼は図書館で本を読んでいる。",
        ] {
            for splits in [Tokenize::V13a, Tokenize::Intl, Tokenize::None] {
                assert!(about(&[text], splits).ends_with("choose --tokenize char"));
            }
            assert_eq!(about(&[text], Tokenize::Char), "");
        }
        assert_eq!(about(&["他 在 图书馆 里 看 书 。"], Tokenize::V13a), "");
        assert_eq!(about(&["Donaudampfschifffahrt", ""], Tokenize::V13a), "");
    }

    #[test]
    fn tokenised_lines_are_doubted_from_100_or_half_of_them() {
        let (tokenised, plain) = ("He sleeps .", "He sleeps.");
        assert!(about(&[tokenised], Tokenize::V13a).contains("1 of 1 lines of the translations"));
        assert_eq!(about(&[tokenised], Tokenize::None), "");
        assert_eq!(about(&[tokenised, plain], Tokenize::V13a), "");
        let many = [vec![tokenised; 100], vec![plain; 400]].concat();
        assert!(about(&many, Tokenize::V13a).contains("100 of 500 lines of the references"));
        assert_eq!(about(&many[1..], Tokenize::V13a), "");
    }
}
