use super::*;
use crate::train::built_in::BuiltIn;

fn remarks(line: &str, text: &str, mean: f64) -> Vec<Remark> {
    let t = BuiltIn::Everyday.translator();
    let answer = Answer {
        text,
        mean_log_prob: Some(mean),
        finished: true,
    };
    t.pipeline.remarks(
        &t.pipeline.sentence(line),
        t.model.config.max_len,
        Some(answer),
    )
}

#[test]
fn a_sure_translation_that_keeps_everything_has_no_remark() {
    for (line, text) in [
        ("Wo ist der Bahnhof?", "Where is the station?"),
        ("Ja!", "Yes!"),
        ("Tom.", "Tom."),
        (
            "Der Zug fährt um 18:30 Uhr.",
            "The train leaves at 6:30 p.m.",
        ),
        ("…", "…"),
        ("", ""),
        ("Die Arbeit war so gut.", "The work was so good."),
        ("Hund, Katze, Maus", "dog, cat, mouse"),
        (
            "max.muster@beispiel.de ist da",
            "max.muster@beispiel.de is there",
        ),
    ] {
        assert_eq!(remarks(line, text, -0.1), [], "{line}");
    }
}

#[test]
fn each_doubt_has_its_remark() {
    assert_eq!(
        remarks("Ja!", "Yes!", -0.8),
        [Remark::Unsure((-0.8_f64).exp())]
    );
    let found = remarks("Das kostet 5 元.", "That costs 5.", -0.1);
    assert_eq!(found, [Remark::Unknown(vec!["元".to_owned()])]);
    let found = remarks("Heute ist der 28.11.2026.", "Today is 18,2026.", -0.1);
    assert_eq!(found.len(), 1);
    let told =
        "Numbers differ: only the source has '28.11.2026', and only the translation has '18,2026'.";
    assert_eq!(sentences(&found).as_deref(), Some(told));
    assert_eq!(sentences(&[]), None);
    let tags = remarks("<b>Hallo</b>", "<b>Hello", -0.1);
    assert!(matches!(&tags[..], [Remark::Differs(_)]), "{tags:?}");
    let cut = remarks(&"Tom und ".repeat(100), "Tom", -0.1);
    assert_eq!(cut[..1], [Remark::Cut(164)]);
}

#[test]
fn a_sentence_in_another_language_gets_a_hint() {
    use Language::{English, German};
    for line in [
        "Where is the train station?",
        "I don’t know.",
        "He was in the garden.",
        "What is your name?",
    ] {
        let hint = Remark::Language(German, Seems::The(English));
        assert_eq!(remarks(line, "?", -0.1), [hint], "{line}");
    }
    for line in [
        "Je ne sais pas.",
        "El perro duerme en el jardín.",
        "Nie mam czasu.",
        "asdf jklö qwertz uiop",
    ] {
        let found = remarks(line, "?", -0.1);
        assert!(
            found.contains(&Remark::Language(German, Seems::Foreign)),
            "{line}: {found:?}"
        );
    }
    for line in [
        "Der Song heißt „I want you“.",
        "Tom mag Popmusik.",
        "Das Team spielt in London.",
    ] {
        assert_eq!(remarks(line, "?", -0.1), [], "{line}");
    }
}

#[test]
fn a_word_of_a_dozen_pieces_is_named() {
    let long = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz";
    let found = remarks(&format!("Das {long} gilt."), "The law applies.", -0.1);
    assert!(
        matches!(&found[..], [Remark::Pieces(word, count)] if word == long && *count >= DOZEN),
        "{found:?}"
    );
    assert_eq!(
        remarks(
            "Ein A-B-C-D-E-F-G-H-I-J-K-L-M-N.",
            "An A-B-C-D-E-F-G-H-I-J-K-L-M-N.",
            -0.1
        ),
        []
    );
}
