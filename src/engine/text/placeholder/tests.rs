use super::*;
use crate::tensor::random::generator;

/// The line as the model reads it, and the English forms of its parts.
fn hidden(line: &str) -> (String, Vec<String>) {
    let (text, placeholders) = hide(line);
    let english = placeholders.into_iter().map(|one| one.target);
    (text, english.collect())
}

/// Lines of German, what the model reads of each, and the English forms of what was hidden.
const HIDDEN: &str = include_str!("hidden.txt");

#[test]
fn what_is_not_translated_is_hidden_and_has_its_english_form() {
    for row in HIDDEN.lines() {
        let columns: Vec<&str> = row.split(" → ").collect();
        let [line, text, english] = columns[..] else {
            panic!("{row}: line → text → English")
        };
        let (found, forms) = hidden(line);
        assert_eq!(
            (found.as_str(), forms.join(" + ").as_str()),
            (text, english)
        );
    }
}

#[test]
fn words_ordinals_and_short_numbers_stay() {
    for line in [
        "Ich bin 25 Jahre alt.",
        "Am 3. Oktober um 8 Uhr",
        "Zum 100. Geburtstag viel Glück!",
        "In den 1990er Jahren",
        "Ich sehe <<Geld>>",
        "und/oder z.B. so",
        "Er kommt.Das ist gut.",
    ] {
        assert_eq!(hidden(line), (line.to_owned(), vec![]), "{line}");
    }
}

#[test]
fn parts_return_into_a_translation_wherever_the_model_puts_them() {
    let (_, placeholders) = hide("Am 24.12. sind es 3,5 km.");
    assert_eq!(
        restore("It's ❷ on ❶.", &placeholders),
        "It's 3.5 km on 24 December."
    );
}

#[test]
fn a_training_pair_hides_only_what_both_sides_write() {
    let mut rng = generator(1, "placeholders", 0);
    let (source, target) = hide_in_both(
        "Es sind 1000 Yen, 3,5 kg.",
        "It's 1,000 yen, 3.5 kg.",
        &mut rng,
    );
    let symbol = source.chars().find(|c| SYMBOLS.contains(c)).unwrap();
    assert_eq!(source, format!("Es sind 1000 Yen, {symbol}."));
    assert_eq!(target, format!("It's 1,000 yen, {symbol}."));
    let both = hide_in_both("Es sind 12,5 km.", "It's 112.5 km.", &mut rng);
    assert_eq!(both.0, "Es sind 12,5 km.");
}
