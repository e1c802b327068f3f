use super::*;

fn differ(source: &str, translation: &str) -> Vec<Difference> {
    let (from, into) = (Some(Language::German), Some(Language::English));
    differences(
        Text {
            text: source,
            language: from,
        },
        Text {
            text: translation,
            language: into,
        },
    )
}

/// German sentences and translations, under what differs between the two.
const PAIRS: &str = include_str!("pairs.txt");

#[test]
fn numbers_agree_by_value_and_what_is_copied_letter_by_letter() {
    let mut expected = "";
    for row in PAIRS.lines().filter(|row| !row.is_empty()) {
        if let Some((kind, _)) = row.strip_prefix("# ").and_then(|head| head.split_once(':')) {
            expected = kind;
            continue;
        }
        let (source, translation) = row.split_once(" | ").expect("source | translation");
        let found = differ(source, translation);
        let kinds: Vec<String> = found.iter().map(|one| format!("{:?}", one.kind)).collect();
        let kinds = kinds.join(" ").to_lowercase();
        assert_eq!(kinds, expected.replace("agree", ""), "{row}: {found:?}");
        let is_copied = !["agree", "numbers"].contains(&expected);
        assert!(!is_copied || differ(source, source).is_empty(), "{row}");
    }
}

#[test]
fn a_difference_is_told_as_it_was_written() {
    let told = |source, translation| {
        let found = differ(source, translation);
        found.into_iter().map(|one| (one.missing, one.added)).next()
    };
    let listed = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    for (source, translation, missing, added) in [
        (
            "Am 5. 6. 2020 war es heiß.",
            "It was hot in 2020.",
            &["5. 6. 2020"][..],
            &[][..],
        ),
        (
            "Das kostet 150 Millionen.",
            "It costs 93 million.",
            &["150 Millionen"],
            &["93 million"],
        ),
        (
            "Um Viertel nach drei",
            "At 3:20",
            &["Viertel nach drei"],
            &["3:20"],
        ),
        ("100 m in 9,58 s", "9.58", &["100", "9,58 s"], &[]),
    ] {
        let expected = Some((listed(missing), listed(added)));
        assert_eq!(told(source, translation), expected, "{source}");
    }
}

#[test]
fn what_only_looks_like_an_address_a_placeholder_or_a_tag_is_text() {
    for text in [
        "Er kommt.es regnet",
        "50%ig sicher",
        "z.B. heute",
        "1 < 2 und 3 > 2",
        "50 % der Leute",
        "$5 und 5%",
        "<<Ja>>",
    ] {
        assert!(
            exact::parts(text).rest.split('\u{fffc}').count() == 1,
            "{text}"
        );
    }
}

#[test]
fn small_numbers_are_no_difference_to_a_language_whose_number_words_are_unknown() {
    let (french, german) = (None, Some(Language::German));
    let apart = |source, translation| {
        let source = Text {
            text: source,
            language: german,
        };
        differences(
            source,
            Text {
                text: translation,
                language: french,
            },
        )
    };
    assert_eq!(apart("Sie hat 3 Kinder.", "Elle a trois enfants."), []);
    assert_eq!(apart("im Jahr 1999", "en 1998").len(), 1);
}
