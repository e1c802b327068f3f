//! Names, towns, numbers, prices, times and dates that the everyday model has not been trained on must arrive in the
//! translation as they were written.

use crate::support::prints;

/// A German sentence, and what its translation must contain: every part, in one of its spellings.
struct Sentence {
    german: String,
    parts: Vec<Vec<String>>,
}

const FIRST: &str = "Thorben Wiebke Svenja Alrun Ottokar Kunigunde Dragan Ewa Nikolina Tadeusz Ingeborg Ruprecht Malte Fenja \
    Siegfried Rieke Baptiste Solveig Leopold Götz";
const LAST: &str = "Ahlers Brinkmann Dombrowski Eggert Feldkamp Gerlach Hinrichs Imhof Jansen Kessler Lüders Marquardt Nissen \
    Ostermann Petzold Quandt Rademacher Sievers Thiele Uhlig";
/// Towns with one name in both languages.
const TOWNS: &str = "Oldenburg Celle Paderborn Görlitz Husum Worms Fulda Siegen Villach Bregenz Winterthur Grenoble Nantes \
    Bologna Zaragoza Leeds Cardiff Tampere Aarhus Denver";
const MONTHS: [&str; 2] = [
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "January February March April May June July August September October November December",
];

/// Number of sentences of each kind.
const EACH: usize = 25;

/// Sentences of a kind, which none of the training patterns contain, each with the kind in front.
const SENTENCES: &str = include_str!("carried.txt");

fn nth(words: &'static str, n: usize) -> &'static str {
    let words: Vec<&str> = words.split(' ').collect();
    words[n % words.len()]
}

/// The sentences of some kinds, filled with words or numbers.
fn sentences(kinds: &str) -> Vec<Sentence> {
    let filled = |kind: &str, n: usize| {
        let kinds = SENTENCES.lines().filter_map(|line| line.split_once(": "));
        let templates: Vec<&str> = kinds.filter(|one| one.0 == kind).map(|one| one.1).collect();
        let mut german = templates[n % templates.len()].to_owned();
        let mut parts = Vec::new();
        for (written, spellings) in words(kind, n) {
            german = german.replacen("{}", &written, 1);
            parts.push(spellings);
        }
        Sentence { german, parts }
    };
    let of_kind = |kind| (0..EACH).map(move |n| filled(kind, n));
    kinds.split(' ').flat_map(of_kind).collect()
}

fn alike(text: impl ToString) -> (String, Vec<String>) {
    (text.to_string(), vec![text.to_string()])
}

/// A number between `low` and `high` that differs for each `n`.
fn number(n: usize, low: usize, high: usize) -> usize {
    low + n * 7919 % (high - low)
}

/// What sentence number `n` of a kind is filled with: each part as German writes it, and its English spellings.
fn words(kind: &str, n: usize) -> Vec<(String, Vec<String>)> {
    let is_even = n.is_multiple_of(2);
    let [german_month, english_month] = MONTHS.map(|months| nth(months, n * 5));
    let name = |n: usize| nth(LAST, n).to_lowercase().replace('ü', "ue");
    match kind {
        "first" => vec![alike(nth(FIRST, n * 3))],
        "last" => vec![alike(nth(LAST, n * 3))],
        "town" => vec![alike(nth(TOWNS, n * 3))],
        "count" => vec![alike(number(n, 11, 990))],
        "share" => vec![alike(number(n, 2, 39))],
        "price" => {
            let (euros, cents) = (number(n, 3, 240), number(n, 11, 99));
            vec![(format!("{euros},{cents}"), vec![format!("{euros}.{cents}")])]
        }
        "time" => {
            let (hour, minute) = (number(n, 1, 24), number(n, 10, 60));
            let spellings = [hour, (hour + 11) % 12 + 1].map(|hour| format!("{hour}:{minute}"));
            let mark = if is_even { ':' } else { '.' };
            vec![(format!("{hour}{mark}{minute}"), spellings.to_vec())]
        }
        "date" => {
            let month = (german_month.to_owned(), vec![english_month.to_owned()]);
            vec![alike(number(n, 1, 29)), month, alike(number(n, 1805, 2025))]
        }
        "digits" => {
            let (day, month, year) = (number(n, 1, 29), number(n, 1, 13), number(n, 1901, 2090));
            let name = nth(MONTHS[1], month - 1);
            let english = [
                format!("{day} {name} {year}"),
                format!("{name} {day}, {year}"),
            ];
            vec![(format!("{day:02}.{month:02}.{year}"), english.to_vec())]
        }
        "measure" => {
            let unit = nth("kg g km cm l m km/h kWh MB", n);
            let (whole, rest) = (number(n, 2, 700), number(n, 1, 10));
            vec![if is_even {
                alike(format!("{whole} {unit}"))
            } else {
                let english = format!("{whole}.{rest} {unit}");
                (format!("{whole},{rest} {unit}"), vec![english])
            }]
        }
        "large" => {
            let (thousands, rest) = (number(n, 1, 900), number(n, 100, 999));
            let english = [format!("{thousands},{rest}"), format!("{thousands}{rest}")];
            vec![(format!("{thousands}.{rest}"), english.to_vec())]
        }
        "version" => {
            let (major, patch) = (number(n, 1, 30), number(n, 10, 80));
            vec![alike(format!("{major}.{}.{patch}", n % 7))]
        }
        "phone" => {
            let area = if is_even { "+49 40" } else { "0231" };
            vec![alike(format!("{area} {}", number(n, 210_034, 987_654)))]
        }
        "mail" => {
            let (user, number, domain) = (name(n), number(n, 1, 99), name(n + 7));
            vec![alike(format!("{user}_{number}@{domain}-online.de"))]
        }
        "link" => {
            let town = nth(TOWNS, n).to_lowercase().replace('ö', "oe");
            vec![alike(if is_even {
                format!("https://{town}.de/seite?nr={n}")
            } else {
                format!("www.{town}.com")
            })]
        }
        "file" => {
            let (number, ending) = (number(n, 1, 400), nth("pdf xlsx png", n));
            vec![alike(format!("Rechnung_{number}.{ending}"))]
        }
        "variable" => vec![alike(nth("%s %d {count} {{city}} ${total} %1$s {1}", n))],
        "tags" => {
            let tag = nth("b em strong span", n);
            vec![alike(format!("<{tag}>")), alike(format!("</{tag}>"))]
        }
        _ => panic!("no sentence has the kind {kind}"),
    }
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
    let all = sentences("digits measure large version phone mail link file variable tags");
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
    let names = include_str!("../../assets/everyday/names.toml");
    for word in [FIRST, LAST, TOWNS].iter().flat_map(|all| all.split(' ')) {
        assert!(
            !names.contains(&format!("\"{word}")),
            "{word} is a name to train on"
        );
    }
    let all = sentences("first last town count price time date share");
    assert_eq!(all.len(), 200);
    let lost = lost(&all);
    assert!(
        lost.len() <= 19,
        "{} are lost:\n{}",
        lost.len(),
        lost.join("\n")
    );
}
