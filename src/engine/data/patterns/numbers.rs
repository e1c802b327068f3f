//! Numbers, prices, dates and times as both languages write them.

use ndarray_rand::rand::Rng;
use ndarray_rand::rand::seq::IndexedRandom;

use super::super::pairs::Pair;
use super::Patterns;
use crate::text::placeholder;
use crate::text::writing::grouped;

/// Kinds of numbers that [`draw`] produces.
pub(super) const KINDS: &str = "address billions clock count date decimal file fulldate hundreds link measure millions numdate \
    percent phone price temperature thousands time variable version year";

/// Random number of this kind, in German and English.
pub(super) fn draw(kind: &str, patterns: &Patterns, rng: &mut impl Rng) -> Pair {
    match kind {
        "address" => alike(address(patterns, rng)),
        "clock" | "file" | "link" | "measure" | "numdate" | "variable" | "version" => {
            let german = untranslated(kind, patterns, rng);
            let english = placeholder::hide(&german).1;
            let english = english.into_iter().next().map(|one| one.target);
            (german.clone(), english.unwrap_or(german))
        }
        "billions" => with_unit(few(rng), " Milliarden", " billion"),
        "date" => date(patterns, rng),
        "decimal" => {
            let whole = rng.random_range(0..100);
            decimal(&format!("{whole}.{}", rng.random_range(1..100)))
        }
        "fulldate" => {
            let (german, english) = date(patterns, rng);
            let year = year(rng);
            (format!("{german} {year}"), format!("{english}, {year}"))
        }
        "hundreds" => alike(rng.random_range(100..1000).to_string()),
        "millions" => with_unit(few(rng), " Millionen", " million"),
        "percent" => percent(rng),
        "phone" => alike(phone(rng)),
        "price" => price(rng),
        "temperature" => temperature(rng),
        "thousands" => {
            let numbers = [
                rng.random_range(1000..10_000),
                rng.random_range(1000..100_000),
                rng.random_range(1..1000) * 1000,
            ];
            thousands(*numbers.choose(rng).expect("three numbers"), rng)
        }
        "time" => time(rng),
        "year" => alike(year(rng).to_string()),
        _ => alike(rng.random_range(2..100).to_string()),
    }
}

/// A part of a sentence that is not translated, as German writes it.
fn untranslated(kind: &str, patterns: &Patterns, rng: &mut impl Rng) -> String {
    let mut number = |most: u32| rng.random_range(1..most);
    let (day, month, hour, minute) = (number(29), number(13), number(24), number(60));
    let (year, whole, cents) = (1900 + number(140), number(300), number(100));
    let [word, other] = ["first", "last"].map(|kind| patterns.name(kind, rng).0.to_lowercase());
    let mut one_of = |all: &[&str]| (*all.choose(rng).expect("a list of forms")).to_owned();
    match kind {
        "clock" => format!("{hour}:{minute:02} Uhr"),
        "file" => format!("{word}.{}", one_of(&["pdf", "txt", "jpg", "csv"])),
        "link" => format!("https://www.{word}.example/{other}"),
        "measure" => {
            let unit = one_of(&[
                "kg", "g", "km", "cm", "mm", "m", "l", "ml", "km/h", "kWh", "GB", "%", "m²", "°C",
            ]);
            match cents {
                0..50 => format!("{whole} {unit}"),
                _ => format!("{whole},{cents} {unit}"),
            }
        }
        "numdate" => format!("{day}.{month:02}.{year}"),
        "variable" => one_of(&["%d", "%s", "{name}", "{0}", "${x}", "{{user}}"]),
        // The first number is no day of a month.
        _ => format!("{}.{month}.{minute}", whole + 31),
    }
}

fn alike(text: String) -> Pair {
    (text.clone(), text)
}

/// A number in both languages; German uses a decimal comma.
fn decimal(number: &str) -> Pair {
    (number.replace('.', ","), number.to_owned())
}

fn with_unit(number: String, german: &str, english: &str) -> Pair {
    let (one, other) = decimal(&number);
    (one + german, other + english)
}

/// A number below 90, such as `7` or `3.6`.
fn few(rng: &mut impl Rng) -> String {
    let whole = rng.random_range(2..90);
    if rng.random_bool(0.5) {
        whole.to_string()
    } else {
        format!("{whole}.{}", rng.random_range(1..10))
    }
}

fn year(rng: &mut impl Rng) -> u32 {
    rng.random_range(1700..2031)
}

/// A number of four digits or more. German groups digits with full stops or blanks, or not at all.
fn thousands(number: u32, rng: &mut impl Rng) -> Pair {
    let english = grouped(number.into());
    let german = match rng.random_range(0..10) {
        0..7 => english.replace(',', "."),
        _ if number < 10_000 => number.to_string(),
        _ => english.replace(',', " "),
    };
    (german, english)
}

fn price(rng: &mut impl Rng) -> Pair {
    let amounts = [
        rng.random_range(2..21),
        rng.random_range(2..100),
        rng.random_range(100..1000),
        10 * rng.random_range(10..100),
    ];
    let whole = *amounts.choose(rng).expect("four amounts");
    let usual = [50, 99, 95, 90, 20, 80, rng.random_range(1..100)];
    let cents = *usual.choose(rng).expect("seven amounts");
    let large: u32 = 10 * rng.random_range(100..10_000);
    let large = grouped(large.into());
    match rng.random_range(0..100) {
        0..30 => (
            format!("{whole},{cents:02} €"),
            format!("€{whole}.{cents:02}"),
        ),
        30..50 => (
            format!("{whole},{cents:02} Euro"),
            format!("{whole}.{cents:02} euros"),
        ),
        50..62 => (format!("{whole} €"), format!("€{whole}")),
        62..75 => (format!("{whole} Euro"), format!("{whole} euros")),
        75..83 => (large.replace(',', ".") + " Euro", large + " euros"),
        83..88 => (large.replace(',', ".") + " €", format!("€{large}")),
        88..93 => (format!("{whole} Dollar"), format!("{whole} dollars")),
        93..97 => (format!("{cents} Cent"), format!("{cents} cents")),
        _ => (format!("{whole} Franken"), format!("{whole} francs")),
    }
}

fn percent(rng: &mut impl Rng) -> Pair {
    let number = if rng.random_bool(0.5) {
        rng.random_range(1..100).to_string()
    } else {
        format!("{}.{}", rng.random_range(0..50), rng.random_range(1..10))
    };
    let units = [(" %", "%"), ("%", "%"), (" Prozent", " percent")];
    let (german, english) = units.choose(rng).expect("three units");
    with_unit(number, german, english)
}

fn temperature(rng: &mut impl Rng) -> Pair {
    let degrees = rng.random_range(1..40);
    let below = rng.random_bool(0.15);
    if rng.random_bool(0.3) {
        let sign = if below { "minus " } else { "" };
        return (
            format!("{sign}{degrees} Grad"),
            format!("{sign}{degrees} degrees"),
        );
    }
    let sign = if below { "-" } else { "" };
    let blank = if rng.random_bool(0.5) { " " } else { "" };
    (
        format!("{sign}{degrees}{blank}°C"),
        format!("{sign}{degrees} °C"),
    )
}

fn time(rng: &mut impl Rng) -> Pair {
    let minutes = [0, 15, 30, 45, rng.random_range(0..60)];
    let (hour, minute) = (
        rng.random_range(0..24),
        *minutes.choose(rng).expect("five times"),
    );
    match rng.random_range(0..20) {
        0..7 => {
            let hour = rng.random_range(1..13);
            (format!("{hour} Uhr"), format!("{hour} o'clock"))
        }
        7..15 => (
            format!("{hour}:{minute:02} Uhr"),
            format!("{hour}:{minute:02}"),
        ),
        15..18 => (
            format!("{hour}.{minute:02} Uhr"),
            format!("{hour}:{minute:02}"),
        ),
        _ => {
            let minute = minute.max(1);
            (
                format!("{hour} Uhr {minute}"),
                format!("{hour}:{minute:02}"),
            )
        }
    }
}

fn date(patterns: &Patterns, rng: &mut impl Rng) -> Pair {
    let (german, english) = patterns.name("month", rng);
    let day = rng.random_range(1..31);
    // February is short.
    let day = if english == "February" {
        day.min(28)
    } else {
        day
    };
    (format!("{day}. {german}"), format!("{english} {day}"))
}

fn phone(rng: &mut impl Rng) -> String {
    if rng.random_bool(0.5) {
        (0..rng.random_range(5..9))
            .map(|_| rng.random_range(0..10).to_string())
            .collect()
    } else {
        format!(
            "0{} {}",
            rng.random_range(100..1000),
            rng.random_range(10_000..1_000_000)
        )
    }
}

fn address(patterns: &Patterns, rng: &mut impl Rng) -> String {
    let [first, last] = ["first", "last"].map(|kind| patterns.name(kind, rng).0.to_lowercase());
    let ends = ["@example.com", "@example.org", "@example.de"];
    let end = ends.choose(rng).expect("three ends");
    if rng.random_bool(0.5) {
        format!("{first}{end}")
    } else {
        format!("{first}.{last}{end}")
    }
}
