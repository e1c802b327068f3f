use std::path::PathBuf;

use super::*;
use crate::data::encoding::Encoding;
use crate::testing::{assert_contains, assert_starts_with};

fn stored(text: &str) -> Stored {
    Stored {
        path: PathBuf::from("FILE"),
        encoding: Encoding::default(),
        text: text.to_owned(),
    }
}

fn languages(source: &str, target: &str) -> Languages {
    let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    Languages {
        source: named(source),
        target: named(target),
    }
}

#[track_caller]
fn read(text: &str, source: &str, target: &str) -> Result<Bitext, String> {
    let bitext = Bitext::recognised(&stored(text), &languages(source, target));
    bitext
        .map(|bitext| bitext.expect("it is recognised"))
        .map_err(|e| e.to_string())
}

#[track_caller]
fn first(text: &str, source: &str, target: &str) -> (String, String) {
    read(text, source, target).unwrap().pairs.swap_remove(0)
}

fn pair(source: &str, target: &str) -> Pair {
    (source.to_owned(), target.to_owned())
}

const JSON: &str =
    "{\"de\": \"Ja.\", \"en-GB\": \"Yes.\", \"fr\": \"Oui.\"}\n{\"en-US\": \"No.\"}\n";

#[test]
fn the_order_in_the_file_decides_unless_languages_are_named() {
    assert_eq!(first(JSON, "", ""), pair("Ja.", "Yes."));
    assert_eq!(first(JSON, "fr", ""), pair("Oui.", "Ja."));
    assert_eq!(first(JSON, "", "de"), pair("Yes.", "Ja."));
    let both = read(JSON, "FR", "en").unwrap();
    assert_eq!(both.pairs, [pair("Oui.", "Yes."), pair("", "No.")]);
    assert_eq!(
        both.remark,
        "read FILE as JSON: fr is the source and en-GB, en-US the target"
    );
}

#[test]
fn a_language_that_is_not_there_is_named_with_those_that_are() {
    let message = read(JSON, "de", "it").unwrap_err();
    assert_contains(
        &message,
        "JSON with de, en-GB, fr, en-US, but without \"it\"",
    );
    let one = "{\"de\": \"Ja.\"}\n";
    assert!(read(one, "", "").unwrap_err().contains("with de only"));
}

#[test]
fn json_is_read_by_the_names_of_its_fields() {
    let nested = "{\"id\": \"0\", \"translation\": {\"en\": \"Yes.\", \"de\": \"Ja.\"}}\n";
    assert_eq!(first(nested, "", ""), pair("Yes.", "Ja."));
    assert_eq!(first(nested, "de", ""), pair("Ja.", "Yes."));
    let flat = "{\"id\": \"a1\", \"de\": \"Ja,\\nja.\", \"url\": \"http\", \"en\": \"Yes.\"}\n";
    assert_eq!(first(flat, "", ""), pair("Ja, ja.", "Yes."));
    let roles = "{\"tgt\": \"Yes.\", \"note\": \"n\", \"src\": \"Ja.\"}\n";
    assert_eq!(first(roles, "", ""), pair("Ja.", "Yes."));
    let odd = "{\"a text\": \"Ja.\", \"its translation\": \"Yes.\", \"note\": \"n\"}\n";
    let message = read(odd, "", "").unwrap_err();
    assert_contains(&message, "a text, its translation, note; name two of these");
    assert_eq!(first(odd, "a text", "its translation"), pair("Ja.", "Yes."));
}

#[test]
fn a_damaged_file_is_named_with_its_line() {
    let message = read(
        "{\"de\": \"Ja.\", \"en\": \"Yes.\"}\n{\"de\": \"Ne\n",
        "",
        "",
    )
    .unwrap_err();
    assert_starts_with(&message, "FILE: line 2 is damaged JSON");
}

#[test]
fn columns_are_chosen_by_number() {
    let tatoeba = "1\tHallo!\t5\tHi.\n2\tJa.\t6\tYes.\n";
    let both = read(tatoeba, "", "").unwrap();
    assert_eq!(both.pairs, [pair("Hallo!", "Hi."), pair("Ja.", "Yes.")]);
    assert_eq!(
        both.remark,
        "read FILE as tab-separated pairs: column 2 is the source and column 4 the target"
    );
    assert_eq!(first(tatoeba, "4", "2"), pair("Hi.", "Hallo!"));
    for (source, target, says) in [
        ("de", "", "not by \"de\""),
        ("0", "", "not by \"0\""),
        ("4", "", "both be column 4"),
        ("5", "", "line 1 has no column 5"),
    ] {
        assert_contains(&read(tatoeba, source, target).unwrap_err(), says);
    }
}

#[test]
fn sentences_are_no_bitext() {
    for text in [
        "",
        "Hallo!\n",
        "Hi.\tHallo!\n",
        "<3 du\n",
        "[Applaus]\n",
        "1\t2\n",
    ] {
        let bitext = Bitext::recognised(&stored(text), &Languages::default()).unwrap();
        assert_eq!(bitext, None, "{text:?}");
    }
}
