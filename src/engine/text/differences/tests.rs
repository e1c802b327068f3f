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

#[track_caller]
fn kinds(source: &str, translation: &str, kinds: &[Kind]) {
    let found = differ(source, translation);
    let all: Vec<Kind> = found.iter().map(|difference| difference.kind).collect();
    assert_eq!(all, kinds, "{source} / {translation}: {found:?}");
}

#[test]
fn numbers_of_one_value_agree_however_they_are_written() {
    for (source, translation) in [
        ("Er wiegt 72,5 kg.", "He weighs 72.5 kg."),
        ("Er wiegt 72,5 kg.", "He weighs 72.5 kilograms."),
        ("1.000 Meter", "1,000 metres"),
        ("300 000 Dollar", "$300,000"),
        ("Das kostet 12,50 €.", "That costs €12.5."),
        ("1.234,56 Euro", "1,234.56 euros"),
        (
            "Vor dem Schlafen schrieb ich 5 Briefe.",
            "I wrote five letters.",
        ),
        ("Sie hat fünfhundert Bücher.", "She has 500 books."),
        (
            "Der Verein hat 99 Mitglieder.",
            "The club has ninety-nine members.",
        ),
        (
            "vor hundertfünfzig Jahren",
            "one hundred and fifty years ago",
        ),
        ("1200 Leute", "one thousand two hundred people"),
        (
            "Berlin hat 3,7 Millionen Einwohner.",
            "Berlin has 3,700,000 inhabitants.",
        ),
        ("2 Mrd. Euro", "2 billion euros"),
        ("am vierten Juli", "on the 4th of July"),
        ("im Jahr 1732", "in seventeen thirty-two"),
        ("Es sind -5 Grad.", "It is minus 5 degrees."),
        ("½ Liter", "half a litre"),
        ("20 % Rabatt", "20 percent off"),
        ("Version 2.10.3 ist da.", "Version 2.10.3 is here."),
        (
            "Ich wohne von 1990-1995 hier.",
            "I live here from 1990 to 1995.",
        ),
        ("Er hat ein Dutzend Eier.", "He has 12 eggs."),
        (
            "Sie warteten 1,5 Stunden.",
            "They waited one and a half hours.",
        ),
        ("Sie wartete zweieinhalb Stunden.", "She waited 2.5 hours."),
        ("Sie gewannen 2:1.", "They won two to one."),
        ("Wähle 1,2,3.", "Choose 1, 2, 3."),
        ("Er fährt 120 km/h.", "He drives 120 kilometres per hour."),
        ("Es dauert 5 min.", "It takes 5 minutes."),
    ] {
        kinds(source, translation, &[]);
    }
}

#[test]
fn a_number_that_is_lost_changed_or_new_differs() {
    for (source, translation) in [
        ("Version 2.10.3 ist da.", "Version 2,103 is here."),
        ("Python 3.11 ist schnell.", "Python 3.111 is fast."),
        (
            "Meine Nummer ist +49 30 123456.",
            "My number is 12349 30,123456.",
        ),
        ("Meine Nummer ist 030 1234567.", "My number is 30 1234567."),
        ("Die Chance ist 1:1000.", "The chance is 1:100."),
        ("Er wiegt 72,5 kg.", "He weighs 725 kg."),
        ("Er wiegt 72,5 kg.", "He weighs 72.5 king."),
        ("Der Tisch ist 80 cm hoch.", "The table is 80 come."),
        ("Er lief 100 m in 9,58 s.", "He ran in 9.58."),
        ("Sie hat fünf Kinder.", "She has six children."),
        ("Sie hat 5 Kinder.", "She has children."),
        ("Sie hat Kinder.", "She has 5 children."),
        ("5 Billionen Euro", "5 billion euros"),
        ("Es sind -5 Grad.", "It is 5 degrees."),
        ("3, 4 und 3", "3 and 4"),
        ("Er fährt 120 km/h.", "He drives 120 kilometh."),
        ("0,5 l Milch", "0.5 little milk"),
    ] {
        kinds(source, translation, &[Kind::Numbers]);
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
fn dates_and_times_agree_across_their_forms() {
    for (source, translation) in [
        ("Heute ist der 28.11.2026.", "Today is 28 November 2026."),
        ("Heute ist der 28.11.2026.", "Today is November 28, 2026."),
        ("Heute ist der 28.11.2026.", "Today is 11/28/2026."),
        ("Heute ist der 28.11.2026.", "Today is 2026-11-28."),
        ("Am 5. 6. 2020 war es heiß.", "On 5 June 2020 it was hot."),
        (
            "Am 24.12. ist Heiligabend.",
            "Christmas Eve is on 24 December.",
        ),
        ("Am 1.5.98", "On May 1st, 1998"),
        ("am 3. Mai", "on 3 May"),
        (
            "Der Zug fährt um 18:30 Uhr.",
            "The train leaves at 6:30 p.m.",
        ),
        ("Wir treffen uns um 15 Uhr.", "We'll meet at 3:00 p.m."),
        ("um 14.30 Uhr", "at half past two"),
        ("Es ist halb drei.", "It's 2:30."),
        ("Es ist Viertel vor acht.", "It's a quarter to 8."),
        ("Es ist dreiviertel acht.", "It's 7:45."),
        ("Es ist fünf vor halb vier.", "It's 3:25."),
        ("um vierzehn Uhr dreißig", "at 2:30 p.m."),
        ("um 8 Uhr 30", "at 8:30"),
        ("um acht", "at 8 a.m."),
        ("um 12 Uhr mittags", "at noon"),
        ("der 7-Uhr-Zug", "the seven o'clock train"),
    ] {
        kinds(source, translation, &[]);
    }
    for (source, translation) in [
        ("Heute ist der 28.11.2026.", "Today is 18,2026."),
        ("Heute ist der 28.11.2026.", "Today is 28 December 2026."),
        ("Heute ist der 28.11.2026.", "Today is 28 November 2025."),
        (
            "Der Zug fährt um 18:30 Uhr.",
            "The train leaves at 6:30 a.m.",
        ),
        (
            "Der Zug fährt um 18:30 Uhr.",
            "The train leaves at 8:30 p.m.",
        ),
        ("Es ist halb drei.", "It's 3:30."),
    ] {
        kinds(source, translation, &[Kind::Numbers]);
    }
}

#[test]
fn addresses_placeholders_and_tags_agree_only_letter_by_letter() {
    for (source, translation, kind) in [
        (
            "Meine Adresse ist max.muster@beispiel.de.",
            "My address is max.muster@eibe.de.",
            Kind::Addresses,
        ),
        (
            "Öffne https://example.org/hilfe und warte.",
            "Open and wait.",
            Kind::Addresses,
        ),
        (
            "Öffne www.example.org.",
            "Open Ww.example.org.",
            Kind::Addresses,
        ),
        (
            "Mein Konto ist @muster.",
            "My account is moster.",
            Kind::Addresses,
        ),
        ("Lies bericht2.pdf!", "Read the Bericht!", Kind::Addresses),
        (
            "Du hast %d neue Nachrichten.",
            "You have a new messages.",
            Kind::Placeholders,
        ),
        ("Hallo {name}!", "Hello name!", Kind::Placeholders),
        (
            "Hallo ${x} und {{y}}!",
            "Hello ${x} and {y}!",
            Kind::Placeholders,
        ),
        (
            "Hallo $name, %user%!",
            "Hello name, %user%!",
            Kind::Placeholders,
        ),
        ("<b>Hallo</b>", "<b>Hello", Kind::Tags),
    ] {
        kinds(source, translation, &[kind]);
        kinds(source, source, &[]);
    }
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
