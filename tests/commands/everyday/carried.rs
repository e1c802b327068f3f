//! Names, towns, numbers, prices, times and dates that the everyday model has not been trained on must arrive in the
//! translation as they were written.

use crate::support::prints;

/// A German sentence, and what its translation must contain: every part, in one of its spellings.
struct Sentence {
    german: String,
    parts: Vec<Vec<String>>,
}

const FIRST: [&str; 20] = [
    "Thorben",
    "Wiebke",
    "Svenja",
    "Alrun",
    "Ottokar",
    "Kunigunde",
    "Dragan",
    "Ewa",
    "Nikolina",
    "Tadeusz",
    "Ingeborg",
    "Ruprecht",
    "Malte",
    "Fenja",
    "Siegfried",
    "Rieke",
    "Baptiste",
    "Solveig",
    "Leopold",
    "Götz",
];
const LAST: [&str; 20] = [
    "Ahlers",
    "Brinkmann",
    "Dombrowski",
    "Eggert",
    "Feldkamp",
    "Gerlach",
    "Hinrichs",
    "Imhof",
    "Jansen",
    "Kessler",
    "Lüders",
    "Marquardt",
    "Nissen",
    "Ostermann",
    "Petzold",
    "Quandt",
    "Rademacher",
    "Sievers",
    "Thiele",
    "Uhlig",
];
/// Towns with one name in both languages.
const TOWNS: [&str; 20] = [
    "Oldenburg",
    "Celle",
    "Paderborn",
    "Görlitz",
    "Husum",
    "Worms",
    "Fulda",
    "Siegen",
    "Villach",
    "Bregenz",
    "Winterthur",
    "Grenoble",
    "Nantes",
    "Bologna",
    "Zaragoza",
    "Leeds",
    "Cardiff",
    "Tampere",
    "Aarhus",
    "Denver",
];
const MONTHS: [(&str, &str); 12] = [
    ("Januar", "January"),
    ("Februar", "February"),
    ("März", "March"),
    ("April", "April"),
    ("Mai", "May"),
    ("Juni", "June"),
    ("Juli", "July"),
    ("August", "August"),
    ("September", "September"),
    ("Oktober", "October"),
    ("November", "November"),
    ("Dezember", "December"),
];

/// Number of sentences of each kind.
const EACH: usize = 25;

/// Fills the sentences, which none of the training patterns contain, with words or numbers for every `n`.
fn filled(
    templates: &[&str],
    words: impl Fn(usize) -> Vec<(String, Vec<String>)>,
) -> Vec<Sentence> {
    (0..EACH)
        .map(|n| {
            let mut german = templates[n % templates.len()].to_owned();
            let mut parts = Vec::new();
            for (written, spellings) in words(n) {
                german = german.replacen("{}", &written, 1);
                parts.push(spellings);
            }
            Sentence { german, parts }
        })
        .collect()
}

fn alike(text: impl ToString) -> (String, Vec<String>) {
    (text.to_string(), vec![text.to_string()])
}

/// A number between `low` and `high` that differs for each `n`.
fn number(n: usize, low: usize, high: usize) -> usize {
    low + n * 7919 % (high - low)
}

fn sentences() -> Vec<Sentence> {
    let first = |n: usize| vec![alike(FIRST[n * 3 % FIRST.len()])];
    let last = |n: usize| vec![alike(LAST[n * 3 % LAST.len()])];
    let town = |n: usize| vec![alike(TOWNS[n * 3 % TOWNS.len()])];
    let count = |n| vec![alike(number(n, 11, 990))];
    let price = |n| {
        let (euros, cents) = (number(n, 3, 240), number(n, 11, 99));
        vec![(format!("{euros},{cents}"), vec![format!("{euros}.{cents}")])]
    };
    let time = |n| {
        let (hour, minute) = (number(n, 1, 24), number(n, 10, 60));
        let spellings = [hour, (hour + 11) % 12 + 1].map(|hour| format!("{hour}:{minute}"));
        let mark = if n.is_multiple_of(2) { ':' } else { '.' };
        vec![(format!("{hour}{mark}{minute}"), spellings.to_vec())]
    };
    let date = |n: usize| {
        let (german, english) = MONTHS[n * 5 % MONTHS.len()];
        let month = (german.to_owned(), vec![english.to_owned()]);
        vec![alike(number(n, 1, 29)), month, alike(number(n, 1805, 2025))]
    };
    let share = |n| vec![alike(number(n, 2, 39))];
    let kinds = [
        filled(
            &[
                "Gestern hat {} mir geholfen.",
                "{} wartet draußen auf dich.",
                "Wann hat {} Zeit?",
                "Ich habe einen Brief von {} bekommen.",
            ],
            first,
        ),
        filled(
            &[
                "Herr {} ist heute krank.",
                "Haben Sie Frau {} gesehen?",
                "Das Auto von Herrn {} ist rot.",
                "Frau {} hat einen Hund.",
            ],
            last,
        ),
        filled(
            &[
                "Wir bleiben zwei Tage in {}.",
                "Der Bus nach {} war voll.",
                "Meine Tante lebt in {}.",
                "In {} hat es geschneit.",
            ],
            town,
        ),
        filled(
            &[
                "Auf dem Tisch liegen {} Äpfel.",
                "Zimmer {} ist frei.",
                "In der Stadt gibt es {} Brücken.",
                "Er hat {} Briefe geschrieben.",
            ],
            count,
        ),
        filled(
            &[
                "Das Hemd kostet {} €.",
                "Für den Stuhl habe ich {} Euro bezahlt.",
                "Gestern kostete das Brot {} €.",
            ],
            price,
        ),
        filled(
            &[
                "Das Spiel fängt um {} Uhr an.",
                "Um {} Uhr gehe ich schlafen.",
                "Wir essen um {} Uhr.",
            ],
            time,
        ),
        filled(
            &[
                "Der Brief ist vom {}. {} {}.",
                "Am {}. {} {} kam mein Großvater zur Welt.",
                "Seit dem {}. {} {} ist das Museum geschlossen.",
            ],
            date,
        ),
        filled(
            &[
                "Morgen werden es {} °C.",
                "{} % der Schüler waren krank.",
                "Gestern waren es {} Grad.",
            ],
            share,
        ),
    ];
    kinds.into_iter().flatten().collect()
}

/// Sentences with a part that is not translated, and how English writes it.
fn untranslated() -> Vec<Sentence> {
    let digits = |n: usize| {
        let (day, month, year) = (number(n, 1, 29), number(n, 1, 13), number(n, 1901, 2090));
        let english = [
            format!("{day} {} {year}", MONTHS[month - 1].1),
            format!("{} {day}, {year}", MONTHS[month - 1].1),
        ];
        vec![(format!("{day:02}.{month:02}.{year}"), english.to_vec())]
    };
    let measure = |n: usize| {
        const UNITS: [&str; 9] = ["kg", "g", "km", "cm", "l", "m", "km/h", "kWh", "MB"];
        let (whole, rest, unit) = (number(n, 2, 700), number(n, 1, 10), UNITS[n % UNITS.len()]);
        vec![if n.is_multiple_of(2) {
            alike(format!("{whole} {unit}"))
        } else {
            (
                format!("{whole},{rest} {unit}"),
                vec![format!("{whole}.{rest} {unit}")],
            )
        }]
    };
    let large = |n: usize| {
        let (thousands, rest) = (number(n, 1, 900), number(n, 100, 999));
        vec![(
            format!("{thousands}.{rest}"),
            vec![format!("{thousands},{rest}"), format!("{thousands}{rest}")],
        )]
    };
    let version = |n: usize| {
        vec![alike(format!(
            "{}.{}.{}",
            number(n, 1, 30),
            n % 7,
            number(n, 10, 80)
        ))]
    };
    let phone = |n: usize| {
        let number = number(n, 210_034, 987_654);
        vec![alike(if n.is_multiple_of(2) {
            format!("+49 40 {number}")
        } else {
            format!("0231 {number}")
        })]
    };
    let mail = |n: usize| {
        let name = |n: usize| LAST[n % LAST.len()].to_lowercase().replace('ü', "ue");
        vec![alike(format!(
            "{}_{}@{}-online.de",
            name(n),
            number(n, 1, 99),
            name(n + 7)
        ))]
    };
    let link = |n: usize| {
        let town = TOWNS[n % TOWNS.len()].to_lowercase().replace('ö', "oe");
        vec![alike(if n.is_multiple_of(2) {
            format!("https://{town}.de/seite?nr={n}")
        } else {
            format!("www.{town}.com")
        })]
    };
    let file = |n: usize| {
        vec![alike(format!(
            "Rechnung_{}.{}",
            number(n, 1, 400),
            ["pdf", "xlsx", "png"][n % 3]
        ))]
    };
    let variable = |n: usize| {
        vec![alike(
            ["%s", "%d", "{count}", "{{city}}", "${total}", "%1$s", "{1}"][n % 7],
        )]
    };
    let tags = |n: usize| {
        let tag = ["b", "em", "strong", "span"][n % 4];
        vec![alike(format!("<{tag}>")), alike(format!("</{tag}>"))]
    };
    let kinds = [
        filled(
            &[
                "Die Ausstellung öffnet am {}.",
                "Mein Ausweis ist bis zum {} gültig.",
                "Am {} hat es geschneit.",
            ],
            digits,
        ),
        filled(
            &[
                "Der Hund frisst {}.",
                "Hinter dem Haus liegen {}.",
                "Noch {}, dann sind wir fertig.",
            ],
            measure,
        ),
        filled(
            &[
                "Die Firma hat {} Mitarbeiter.",
                "Das Klavier kostet {} Euro.",
                "{} Zuschauer waren im Stadion.",
            ],
            large,
        ),
        filled(
            &[
                "Installieren Sie bitte {}.",
                "Der Fehler ist seit {} behoben.",
            ],
            version,
        ),
        filled(
            &[
                "Sie hat unter {} angerufen.",
                "Der Arzt ist unter {} zu erreichen.",
            ],
            phone,
        ),
        filled(
            &["Bewerbungen gehen an {}.", "Hast du {} schon geschrieben?"],
            mail,
        ),
        filled(
            &["Das Formular gibt es auf {}.", "Melden Sie sich bei {} an."],
            link,
        ),
        filled(
            &["Ich kann {} nicht öffnen.", "Bitte drucken Sie {} aus."],
            file,
        ),
        filled(
            &[
                "Willkommen in {}!",
                "Es sind noch {} Plätze frei.",
                "Der Ordner {} ist leer.",
            ],
            variable,
        ),
        filled(
            &["Das ist {}wirklich{} neu.", "{}Guten Abend{}, liebe Gäste!"],
            tags,
        ),
    ];
    kinds.into_iter().flatten().collect()
}

/// Sentences whose translation lacks a part, with it.
fn lost(all: &[Sentence]) -> Vec<String> {
    let german = all.iter().map(|sentence| sentence.german.as_str());
    let words: Vec<&str> = ["translate"].into_iter().chain(german).collect();
    let printed = prints(&words);
    let translations: Vec<&str> = printed.lines().collect();
    assert_eq!(translations.len(), all.len());
    let pairs = std::iter::zip(all, translations);
    let lost = pairs.filter(|(Sentence { parts, .. }, english)| {
        let has = |spellings: &Vec<String>| spellings.iter().any(|part| english.contains(part));
        !parts.iter().all(has)
    });
    lost.map(|(sentence, english)| format!("{} → {english}", sentence.german))
        .collect()
}

#[test]
fn what_is_not_translated_arrives_whole() {
    let all = untranslated();
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
    let names = include_str!("../../../assets/everyday/names.toml");
    for word in FIRST.iter().chain(&LAST).chain(&TOWNS) {
        assert!(
            !names.contains(&format!("\"{word}")),
            "{word} is a name to train on"
        );
    }
    let all = sentences();
    assert_eq!(all.len(), 200);
    let lost = lost(&all);
    assert!(
        lost.len() <= 19,
        "{} are lost:\n{}",
        lost.len(),
        lost.join("\n")
    );
}
