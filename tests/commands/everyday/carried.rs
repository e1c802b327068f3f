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
        let mark = if n % 2 == 0 { ':' } else { '.' };
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
    let german = all.iter().map(|sentence| sentence.german.as_str());
    let words: Vec<&str> = ["translate"].into_iter().chain(german).collect();
    let printed = prints(&words);
    let translations: Vec<&str> = printed.lines().collect();
    assert_eq!(translations.len(), all.len());
    let mut lost = Vec::new();
    for (Sentence { german, parts }, english) in std::iter::zip(&all, translations) {
        let has = |spellings: &Vec<String>| spellings.iter().any(|part| english.contains(part));
        if !parts.iter().all(has) {
            lost.push(format!("{german} → {english}"));
        }
    }
    assert!(
        lost.len() <= 19,
        "{} are lost:\n{}",
        lost.len(),
        lost.join("\n")
    );
}
