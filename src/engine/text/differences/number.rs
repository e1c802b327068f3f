//! A number of a text, as it is compared with those of another text.
//!
//! Each number has readings: `1.000` is a thousand, and also just these characters. Two numbers agree if they share one.
//! A date or time has parts, too, which are compared if the other text has no such whole.

/// A number of a text.
#[derive(Clone, Debug)]
pub(super) struct Number {
    /// As written.
    pub text: String,
    /// What it can mean.
    pub readings: Vec<String>,
    /// What it consists of.
    pub parts: Vec<Number>,
    /// How surely the other text must have it.
    pub weight: Weight,
    /// Index of its unit in [`UNITS`].
    pub unit: Option<usize>,
}

/// How surely the other text must have a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// It may do without: `eine`, `both`.
    Loose,
    /// It must not have a different one instead: `fünf`.
    Word,
    /// It must have it: `5`.
    Digits,
}

/// Symbols of units, and words for the same unit, without the endings of their plurals.
pub(super) const UNITS: [(&[&str], &[&str]); 18] = [
    (&["kg"], &["kilo", "kilogram", "kilogramme", "kilogramm"]),
    (&["g"], &["gram", "gramme", "gramm"]),
    (&["mg"], &["milligram", "milligramm"]),
    (&["km"], &["kilometer", "kilometre"]),
    (&["m"], &["meter", "metre"]),
    (&["cm"], &["centimeter", "centimetre", "zentimeter"]),
    (&["mm"], &["millimeter", "millimetre"]),
    (&["l"], &["liter", "litre"]),
    (&["ml"], &["milliliter", "millilitre"]),
    (
        &["km/h", "kmh"],
        &["kph", "kilometer", "kilometre", "stundenkilometer"],
    ),
    (
        &["h"],
        &["hour", "hr", "stunde", "uhr", "clock", "am", "pm", "a", "p"],
    ),
    (&["s"], &["sec", "second", "sekunde"]),
    (&["min"], &["mins", "minute"]),
    (&["°"], &["degree", "grad", "celsius"]),
    (&["%"], &["percent", "per", "prozent"]),
    (&["€", "eur"], &["euro"]),
    (&["$"], &["dollar", "usd", "buck"]),
    (&["£"], &["pound", "pfund", "quid"]),
];

impl Number {
    pub(super) fn new(text: impl Into<String>, weight: Weight) -> Self {
        Self {
            text: text.into(),
            readings: Vec::new(),
            parts: Vec::new(),
            weight,
            unit: None,
        }
    }

    pub(super) fn reading(mut self, reading: String) -> Self {
        if !self.readings.contains(&reading) {
            self.readings.push(reading);
        }
        self
    }

    /// A number with one value.
    pub(super) fn of(text: &str, value: String, weight: Weight) -> Self {
        Self::new(text, weight).reading(value)
    }

    /// A whole made of numbers.
    pub(super) fn whole(text: String, readings: Vec<String>, parts: Vec<Self>) -> Self {
        let weight = parts.iter().map(|part| part.weight).max();
        Self {
            readings,
            parts,
            ..Self::new(text, weight.unwrap_or(Weight::Loose))
        }
    }

    /// Its value if it is a whole number of at most four digits.
    pub(super) fn small(&self) -> Option<u16> {
        let value = self
            .readings
            .iter()
            .find_map(|reading| reading.strip_prefix("n:"))?;
        value.parse().ok().filter(|value| *value < 10_000)
    }

    /// Its value if it is a whole number in words.
    pub(super) fn worded(&self) -> Option<u64> {
        let value = self
            .readings
            .first()
            .filter(|_| self.weight != Weight::Digits);
        value?.strip_prefix("n:")?.parse().ok()
    }

    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.readings
            .iter()
            .any(|reading| other.readings.contains(reading))
    }
}

/// A word, mark or number of a text.
#[derive(Clone, Debug)]
pub(super) enum Lexeme {
    /// A number.
    Number(Number),
    /// A word in small letters.
    Word(String),
    /// Any other character.
    Mark(char),
}

/// Index of the unit whose symbol the text begins with.
pub(super) fn unit(after: &[Lexeme]) -> Option<usize> {
    let symbol = match after {
        [Lexeme::Word(km), Lexeme::Mark('/'), Lexeme::Word(h), ..] => format!("{km}/{h}"),
        [Lexeme::Word(_), Lexeme::Mark('/'), ..] => return None,
        [Lexeme::Word(word), ..] => word.clone(),
        [Lexeme::Mark(mark), ..] => mark.to_string(),
        _ => return None,
    };
    UNITS
        .iter()
        .position(|(symbols, _)| symbols.contains(&&*symbol))
}
