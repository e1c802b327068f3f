//! Names, towns, numbers, prices, times and dates that the everyday model has not been trained on must arrive in the
//! translation as they were written.

use crate::support::prints;

/// German sentences under two headings, with what the translation of each must contain: every part, in one of its
/// spellings.
const SENTENCES: &str = include_str!("carried.txt");

/// A line of [`SENTENCES`].
struct Sentence {
    german: &'static str,
    parts: Vec<Vec<&'static str>>,
}

/// The sentences under a heading.
fn sentences(heading: &str) -> Vec<Sentence> {
    let mut under = SENTENCES.lines().skip_while(|line| *line != heading);
    assert!(under.next().is_some(), "{heading}");
    let under = under.take_while(|line| !line.starts_with("# "));
    let sentence = |line: &'static str| {
        let mut columns = line.split(" → ");
        Sentence {
            german: columns.next().unwrap_or_default(),
            parts: columns.map(|part| part.split(" | ").collect()).collect(),
        }
    };
    under.map(sentence).collect()
}

/// Sentences whose translation lacks a part, with it.
fn lost(all: &[Sentence]) -> Vec<String> {
    let german = all.iter().map(|sentence| sentence.german);
    let words: Vec<&str> = ["translate"].into_iter().chain(german).collect();
    let printed = prints(&words);
    let translations: Vec<&str> = printed.lines().collect();
    assert_eq!(translations.len(), all.len());
    let pairs = std::iter::zip(all, translations);
    let lost = pairs.filter(|(Sentence { parts, .. }, english)| {
        let has = |spellings: &Vec<&str>| spellings.iter().any(|part| english.contains(part));
        !parts.iter().all(has)
    });
    lost.map(|(sentence, english)| format!("{} → {english}", sentence.german))
        .collect()
}

#[test]
fn what_is_not_translated_arrives_whole() {
    let all = sentences("# What is not translated");
    assert_eq!(all.len(), 250);
    let lost = lost(&all);
    assert!(
        lost.len() <= 5,
        "{} are lost:\n{}",
        lost.len(),
        lost.join("\n")
    );
}

#[test]
fn names_and_numbers_arrive_as_they_were_written() {
    let all = sentences("# Names and numbers");
    assert_eq!(all.len(), 200);
    let names = include_str!("../../assets/everyday/names.toml");
    // A date has three parts, of which the month is a name that the model knows.
    for word in all.iter().filter(|one| one.parts.len() == 1) {
        let word = word.parts[0][0];
        assert!(
            !names.contains(&format!("\"{word}")),
            "{word} is a name to train on"
        );
    }
    let lost = lost(&all);
    assert!(
        lost.len() <= 19,
        "{} are lost:\n{}",
        lost.len(),
        lost.join("\n")
    );
}
