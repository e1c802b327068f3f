//! German as people type it: in lower case or capitals, without final punctuation, without umlauts, with a typo.

use ndarray_rand::rand::Rng;
use ndarray_rand::rand::seq::IndexedRandom;

use super::writing::capitalised;

/// Probability of each change. They are drawn independently, except that a sentence in lower case gets no capitals.
const LOWER: f64 = 0.4;
const CAPITALS: f64 = 0.06;
const NO_MARK: f64 = 0.4;
const NO_UMLAUTS: f64 = 0.25;
const SLIP: f64 = 0.2;

/// Changes a sentence at random; it may stay as it is.
pub fn as_typed(sentence: &str, rng: &mut impl Rng) -> String {
    let mut typed = sentence.to_owned();
    if rng.random_bool(SLIP) {
        typed = with_slip(&typed, rng);
    }
    if rng.random_bool(NO_UMLAUTS) {
        typed = without_umlauts(&typed);
    }
    if rng.random_bool(NO_MARK) {
        typed = without_mark(&typed).to_owned();
    }
    if rng.random_bool(LOWER) {
        typed = typed.to_lowercase();
    } else if rng.random_bool(CAPITALS) {
        typed = typed.to_uppercase();
    }
    typed
}

/// Replaces names that occur in both sentences by made-up ones, so that a model learns to copy what it has never seen.
/// A name is any word of three letters or more that begins with a capital.
pub fn renamed(source: &str, target: &str, rng: &mut impl Rng) -> (String, String) {
    let words = |text: &'_ str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphabetic());
        words.map(str::to_owned).collect()
    };
    let named = |word: &&String| {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        capital && word.chars().nth(2).is_some()
    };
    let (mut from, mut to) = (source.to_owned(), target.to_owned());
    let other = words(target);
    let shared: std::collections::BTreeSet<String> = words(source)
        .iter()
        .filter(named)
        .filter(|word| other.contains(word))
        .cloned()
        .collect();
    for name in shared {
        let new = made_up(rng);
        (from, to) = (replaced(&from, &name, &new), replaced(&to, &name, &new));
    }
    (from, to)
}

/// A name of two or three random syllables, or of one or two and a common ending of family names and towns.
fn made_up(rng: &mut impl Rng) -> String {
    // Parts that are more frequent in names are listed more than once.
    const ONSETS: [&str; 48] = [
        "b", "b", "br", "bl", "c", "ch", "d", "d", "dr", "f", "fr", "fl", "g", "g", "gr", "h", "h",
        "j", "k", "k", "kr", "kl", "l", "l", "m", "m", "n", "n", "p", "pf", "ph", "qu", "r", "r",
        "s", "s", "sch", "schw", "st", "sp", "t", "t", "th", "tr", "v", "w", "z", "",
    ];
    const VOWELS: [&str; 24] = [
        "a", "a", "a", "e", "e", "e", "e", "i", "i", "i", "o", "o", "o", "u", "u", "ie", "ei",
        "au", "eu", "ä", "ö", "ü", "y", "ia",
    ];
    const CODAS: [&str; 36] = [
        "", "", "", "", "", "", "", "", "", "l", "l", "n", "n", "n", "r", "r", "s", "s", "m", "rt",
        "nd", "ck", "ch", "th", "lt", "ld", "ng", "nk", "tz", "st", "rg", "ll", "nn", "tt", "x",
        "f",
    ];
    const ENDINGS: [&str; 32] = [
        "burg", "berg", "stadt", "hausen", "heim", "dorf", "ingen", "bach", "feld", "stein",
        "wald", "furt", "brück", "au", "itz", "ow", "en", "mann", "er", "ski", "meier", "ke", "el",
        "rich", "bert", "fried", "hild", "linde", "ine", "ette", "us", "a",
    ];
    let ends = rng.random_bool(0.4);
    let ending = ENDINGS.choose(rng).filter(|_| ends);
    let most = if ending.is_some() { 2 } else { 3 };
    let mut name = String::new();
    let least = if ending.is_some() { 1 } else { 2 };
    for _ in 0..rng.random_range(least..=most) {
        for part in [&ONSETS[..], &VOWELS, &CODAS] {
            name += part.choose(rng).copied().unwrap_or_default();
        }
    }
    name += ending.copied().unwrap_or_default();
    capitalised(&name)
}

/// Replaces `old` by `new` wherever it is a whole word.
fn replaced(text: &str, old: &str, new: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(old) {
        let (before, after) = (&rest[..at], &rest[at + old.len()..]);
        let part = before.chars().next_back().is_some_and(char::is_alphabetic)
            || after.chars().next().is_some_and(char::is_alphabetic);
        out += before;
        out += if part { old } else { new };
        rest = after;
    }
    out + rest
}

/// Writes ae, oe, ue and ss for the letters that other keyboards lack.
pub fn without_umlauts(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len());
    for c in sentence.chars() {
        match c {
            'ä' => out.push_str("ae"),
            'ö' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'Ä' => out.push_str("Ae"),
            'Ö' => out.push_str("Oe"),
            'Ü' => out.push_str("Ue"),
            'ß' => out.push_str("ss"),
            c => out.push(c),
        }
    }
    out
}

/// Removes the final full stop, question mark or exclamation mark, unless nothing else would be left.
pub fn without_mark(sentence: &str) -> &str {
    let bare = sentence.trim_end_matches(['.', '!', '?', ' ']);
    if bare.is_empty() { sentence } else { bare }
}

/// Makes one typing error, in a word of four letters or more.
fn with_slip(sentence: &str, rng: &mut impl Rng) -> String {
    let mut all: Vec<char> = sentence.chars().collect();
    // Positions inside words, so that the first and last letters stay.
    let inner: Vec<usize> = (2..all.len().saturating_sub(1))
        .filter(|&n| all[n - 2..=n + 1].iter().all(|c| c.is_alphabetic()))
        .collect();
    let Some(&at) = inner.choose(rng) else {
        return sentence.to_owned();
    };
    match rng.random_range(0..3) {
        0 => all.swap(at - 1, at),
        1 => drop(all.remove(at)),
        _ => all.insert(at, all[at]),
    }
    all.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::random::generator;

    #[test]
    fn umlauts_are_spelled_out_and_end_marks_dropped() {
        assert_eq!(
            without_umlauts("Schöne Grüße aus Übersee!"),
            "Schoene Gruesse aus Uebersee!"
        );
        assert_eq!(without_mark("Wo ist er ?"), "Wo ist er");
        assert_eq!(without_mark("?!"), "?!");
    }

    #[test]
    fn names_that_both_sentences_have_are_made_up_anew_in_both() {
        let mut rng = generator(1, "names", 0);
        let pair = ("Tom und Maria fragen Tom.", "Tom and Mary ask Tom.");
        let (source, target) = renamed(pair.0, pair.1, &mut rng);
        let name = source.split(' ').next().unwrap();
        assert!(name.len() > 1 && name != "Tom", "{name}");
        assert_eq!(source, format!("{name} und Maria fragen {name}."));
        assert_eq!(target, format!("{name} and Mary ask {name}."));
        // A part of a word is not a name, and neither is a word that only one sentence has.
        let same = ("Tomaten sind rot.", "Tomatoes are red.");
        let both = renamed(same.0, same.1, &mut rng);
        assert_eq!((both.0.as_str(), both.1.as_str()), same);
        assert_eq!(replaced("Tomas Tom", "Tom", "Ute"), "Tomas Ute");
    }

    #[test]
    fn a_slip_changes_one_place_within_a_word() {
        let mut rng = generator(1, "slip", 0);
        let lengths: std::collections::BTreeSet<usize> = (0..200)
            .map(|_| {
                let slip = with_slip("Er spaziert", &mut rng);
                assert!(slip.starts_with("Er s") && slip.ends_with('t'), "{slip}");
                slip.len()
            })
            .collect();
        assert_eq!(lengths.into_iter().collect::<Vec<_>>(), [10, 11, 12]);
        assert_eq!(with_slip("Er da", &mut rng), "Er da");
    }

    #[test]
    fn every_change_comes_and_some_sentences_stay() {
        let mut rng = generator(1, "typed", 0);
        let line = "Schöne Grüße aus Berlin.";
        let all: Vec<String> = (0..300).map(|_| as_typed(line, &mut rng)).collect();
        for typed in [
            line,
            "schöne grüße aus berlin.",
            "Schöne Grüße aus Berlin",
            "Schoene Gruesse aus Berlin.",
            "schoene gruesse aus berlin",
        ] {
            assert!(all.iter().any(|one| one == typed), "{typed}");
        }
        assert!(all.iter().any(|one| one.starts_with("SCH")));
    }
}
