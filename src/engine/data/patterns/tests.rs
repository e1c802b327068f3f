use super::super::dictionary::Word;
use super::*;
use crate::tensor::random::generator;

fn dictionary() -> Dictionary {
    let word = |german: &str, english: &str, class| Word {
        german: german.to_owned(),
        english: english.to_owned(),
        class,
        count: 3.0,
    };
    Dictionary {
        words: vec![
            word("Igel", "hedgehog", Class::Masculine),
            word("Eule", "owl", Class::Feminine),
            word("Zebra", "zebra", Class::Neuter),
            word("Eulen", "owls", Class::Plural),
            word("bunt", "colorful", Class::Adjective),
            word("gähnen", "to yawn", Class::Intransitive),
            word("oft", "often", Class::Other),
        ],
        ..Dictionary::default()
    }
}

#[test]
fn every_pattern_is_filled_and_says_the_same_on_both_sides() {
    let patterns = Patterns::built_in();
    let words = Fillers::of(&dictionary());
    let mut rng = generator(1, "patterns", 0);
    for pattern in &patterns.all {
        let values = patterns.values(pattern, &words, &mut rng).unwrap();
        let german = written(&pattern.german, &values, Language::German);
        let english = written(&pattern.english, &values, Language::English);
        for (text, pieces) in [(&german, &pattern.german), (&english, &pattern.english)] {
            // Only a file or an address begins with a small letter.
            let begins_with_slot = matches!(pieces[0], Piece::Slot { article: None, .. });
            assert!(
                begins_with_slot || !text.starts_with(char::is_lowercase),
                "{text}"
            );
            let braces =
                |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains(['{', '}']));
            assert!(!pieces.iter().any(braces), "{text}");
        }
        for value in values.values() {
            assert!(
                german.contains(&value.german),
                "{german} lacks {}",
                value.german
            );
            assert!(
                english.contains(&value.english),
                "{english} lacks {}",
                value.english
            );
        }
    }
}

#[test]
fn articles_agree_with_their_nouns() {
    let words = Fillers::of(&dictionary());
    let mut seen = std::collections::BTreeSet::new();
    let patterns = Patterns::parse(
        "{noun.der} mag {noun2.einen} und {noun.meinen}. = {noun.the} likes {noun2.a} and {noun.my}.",
        "",
    )
    .unwrap();
    let mut rng = generator(1, "articles", 0);
    for _ in 0..200 {
        seen.insert(patterns.draw(&words, &mut rng));
    }
    for (german, english) in [
        (
            "Der Igel mag eine Eule und meinen Igel.",
            "The hedgehog likes an owl and my hedgehog.",
        ),
        (
            "Die Eule mag ein Zebra und meine Eule.",
            "The owl likes a zebra and my owl.",
        ),
        (
            "Das Zebra mag einen Igel und mein Zebra.",
            "The zebra likes a hedgehog and my zebra.",
        ),
    ] {
        assert!(
            seen.contains(&(german.to_owned(), english.to_owned())),
            "{german}"
        );
    }
}

#[test]
fn the_sound_of_a_word_decides_about_its_article() {
    let nouns = [
        "owl",
        "hour",
        "honour",
        "unimportant event",
        "unusual idea",
        "uninteresting book",
    ];
    for noun in nouns
        .into_iter()
        .chain(["umbrella", "usher", "utterance", "onerous duty"])
    {
        assert_eq!(english_article("a", noun), "an", "{noun}");
    }
    let nouns = [
        "zebra",
        "university",
        "union",
        "unit",
        "unique idea",
        "uniform",
        "useful thing",
    ];
    for noun in nouns
        .into_iter()
        .chain(["European", "one-way street", "unanimous vote", "utensil"])
    {
        assert_eq!(english_article("a", noun), "a", "{noun}");
    }
    assert_eq!(english_article("the", "owl"), "the");
}

#[test]
fn without_a_dictionary_only_names_and_numbers_are_drawn() {
    let patterns =
        Patterns::parse("{plural} = {plural}\n{count} Tage = {count} days\n", "").unwrap();
    let mut rng = generator(1, "none", 0);
    for _ in 0..20 {
        let (german, _) = patterns.draw(&Fillers::default(), &mut rng);
        assert!(german.ends_with("Tage"), "{german}");
    }
}

#[test]
fn a_slot_that_nothing_fills_is_refused() {
    for line in ["{planet} = {planet}", "Ja = {town}", "Ja, {town"] {
        assert!(Patterns::parse(line, "town = [\"Ulm\"]").is_err(), "{line}");
    }
}

#[test]
fn numbers_are_written_as_each_language_does() {
    let patterns = Patterns::built_in();
    let mut rng = generator(1, "numbers", 0);
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    for kind in numbers::KINDS.split(' ') {
        for _ in 0..200 {
            let (german, english) = numbers::draw(kind, patterns, &mut rng);
            // English writes the month of a date as a word or first, and minutes with two digits.
            if !["date", "fulldate", "numdate", "time"].contains(&kind) {
                assert_eq!(digits(&german), digits(&english), "{german} = {english}");
            }
            if kind == "price" {
                assert_eq!(
                    german.contains('€'),
                    english.starts_with('€'),
                    "{german} = {english}"
                );
                assert_eq!(
                    german.contains(','),
                    english.contains('.'),
                    "{german} = {english}"
                );
            }
        }
    }
}
