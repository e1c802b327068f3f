use super::*;
use crate::tensor::random::generator;

/// The line as the model reads it, and the English forms of its parts.
fn hidden(line: &str) -> (String, Vec<String>) {
    let (text, placeholders) = hide(line);
    let english = placeholders.into_iter().map(|one| one.target);
    (text, english.collect())
}

#[test]
fn what_is_not_translated_is_hidden_and_has_its_english_form() {
    for (line, text, english) in [
        ("Er wiegt 72,5 kg.", "Er wiegt ❶.", vec!["72.5 kg"]),
        (
            "Er lief 100 m in 9,58 s.",
            "Er lief ❶ in ❷.",
            vec!["100 m", "9.58 s"],
        ),
        ("Das kostet 12,50 €.", "Das kostet ❶.", vec!["€12.50"]),
        ("Heute sind es -5 °C.", "Heute sind es ❶.", vec!["-5 °C"]),
        ("5 % oder 7,5% davon", "❶ oder ❷ davon", vec!["5%", "7.5%"]),
        ("Mit 120km/h nach Ulm", "Mit ❶ nach Ulm", vec!["120km/h"]),
        ("1.234,56 Euro", "❶ Euro", vec!["1,234.56"]),
        ("2.345.678,90 Euro", "❶ Euro", vec!["2,345,678.90"]),
        (
            "Es sind 1.000.000 Leute.",
            "Es sind ❶ Leute.",
            vec!["1,000,000"],
        ),
        ("Im Jahr 1989 war das.", "Im Jahr ❶ war das.", vec!["1989"]),
        (
            "Heute ist der 28.11.2026.",
            "Heute ist der ❶.",
            vec!["28 November 2026"],
        ),
        (
            "Am 5. 6. 2020 war es heiß.",
            "Am ❶ war es heiß.",
            vec!["5 June 2020"],
        ),
        (
            "Am 24.12. ist Heiligabend.",
            "Am ❶ ist Heiligabend.",
            vec!["24 December"],
        ),
        ("Seit 15.0.73 geht es.", "Seit ❶ geht es.", vec!["15.0.73"]),
        (
            "Version 3.4.12 ist da.",
            "Version ❶ ist da.",
            vec!["3.4.12"],
        ),
        ("Er kam am 3.4.", "Er kam am ❶.", vec!["3 April"]),
        (
            "2026-11-28 ist ein Samstag.",
            "❶ ist ein Samstag.",
            vec!["2026-11-28"],
        ),
        (
            "Um 18:30 Uhr oder 20.15 Uhr",
            "Um ❶ oder ❷",
            vec!["18:30", "20:15"],
        ),
        (
            "Die Chance ist 1:1000.",
            "Die Chance ist ❶.",
            vec!["1:1000"],
        ),
        (
            "Version 2.10.3 ist da.",
            "Version ❶ ist da.",
            vec!["2.10.3"],
        ),
        (
            "Python 3.11 ist schnell.",
            "Python ❶ ist schnell.",
            vec!["3.11"],
        ),
        (
            "Der Server ist 192.168.0.1.",
            "Der Server ist ❶.",
            vec!["192.168.0.1"],
        ),
        (
            "Meine Nummer ist +49 30 123456.",
            "Meine Nummer ist ❶.",
            vec!["+49 30 123456"],
        ),
        ("Ruf 030 1234567 an.", "Ruf ❶ an.", vec!["030 1234567"]),
        (
            "An max.muster@beispiel.de.",
            "An ❶.",
            vec!["max.muster@beispiel.de"],
        ),
        (
            "Öffne https://example.org/hilfe?a=1, dann",
            "Öffne ❶, dann",
            vec!["https://example.org/hilfe?a=1"],
        ),
        (
            "Besuche www.example.org und beispiel.de.",
            "Besuche ❶ und ❷.",
            vec!["www.example.org", "beispiel.de"],
        ),
        (
            "Mein Konto ist @muster.",
            "Mein Konto ist ❶.",
            vec!["@muster"],
        ),
        ("Lies Bericht_2.pdf!", "Lies ❶!", vec!["Bericht_2.pdf"]),
        (
            "Du hast %d neue Nachrichten.",
            "Du hast ❶ neue Nachrichten.",
            vec!["%d"],
        ),
        (
            "Hallo {name}, ${x} und {{y}}",
            "Hallo ❶, ❷ und ❸",
            vec!["{name}", "${x}", "{{y}}"],
        ),
        ("<b>Hallo</b>", "❶Hallo❷", vec!["<b>", "</b>"]),
        (
            "Flug LH1874, Gate B42",
            "Flug ❶, Gate ❷",
            vec!["LH1874", "B42"],
        ),
        (
            "Konto DE44 5001 0517 5407 3249 31.",
            "Konto ❶.",
            vec!["DE44 5001 0517 5407 3249 31"],
        ),
        (
            "Von 10-12 Uhr in Nummer 17b.",
            "Von ❶ Uhr in Nummer ❷.",
            vec!["10-12", "17b"],
        ),
        (
            "Kunde 7730-5519-02 auf 10.0.0.5:8080",
            "Kunde ❶ auf ❷",
            vec!["7730-5519-02", "10.0.0.5:8080"],
        ),
        (
            "Lies buch.epub auf beispiel.nl, %ld mal",
            "Lies ❶ auf ❷, ❸ mal",
            vec!["buch.epub", "beispiel.nl", "%ld"],
        ),
        (
            "Hallo [Name], CO2 und 3,5m",
            "Hallo ❶, ❷ und ❸",
            vec!["[Name]", "CO2", "3.5m"],
        ),
    ] {
        assert_eq!(
            hidden(line),
            (
                text.to_owned(),
                english.iter().map(|&one| one.to_owned()).collect()
            ),
            "{line}"
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
        "Ich sehe <<Geld>>, 100% ige nicht."
            .split(',')
            .next()
            .unwrap(),
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
