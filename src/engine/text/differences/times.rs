//! Times of day, in digits and words: `18:30`, `halb sieben`, `half past six`, `6:30 p.m.`.

use super::Language;
use super::number::{Lexeme, Number, Weight};

/// Readings of a time in minutes after midnight. `pm` is `None` for a time that can be in either half of the day.
pub(super) fn of(minutes: u16, pm: Option<bool>) -> Vec<String> {
    let halves = [false, true]
        .into_iter()
        .filter(|half| pm.is_none_or(|pm| pm == *half));
    let named = halves.map(|pm| format!("t:{} {}", minutes % 720, if pm { "pm" } else { "am" }));
    named.collect()
}

/// The half of the day in which an hour of 24 is, if it can be only one.
fn half(hour: u16) -> Option<bool> {
    match hour {
        0 | 24 => Some(false),
        1..13 => None,
        _ => Some(true),
    }
}

/// Readings of `6.30` and `18:00`.
pub(super) fn of_digits(hour: &str, minute: &str) -> Vec<String> {
    let (hour, minute) = (hour.parse().unwrap_or(99), minute.parse().unwrap_or(99));
    if hour > 24 || minute > 59 {
        return Vec::new();
    }
    let mut readings = of(60 * hour + minute, half(hour));
    if minute == 0 {
        readings.push(format!("n:{hour}"));
    }
    readings
}

/// Words after which a number can be an hour.
const BEFORE_HOURS: [&str; 17] = [
    "um", "gegen", "bis", "ab", "seit", "von", "vor", "nach", "at", "by", "until", "till", "from",
    "to", "about", "around", "before",
];

/// Reads times: a phrase becomes one number with the words' numbers as its parts.
pub(super) fn found(lexemes: Vec<Lexeme>, language: Option<Language>) -> Vec<Lexeme> {
    let Some(language) = language else {
        return lexemes;
    };
    let mut out: Vec<Lexeme> = Vec::new();
    let mut at = 0;
    while at < lexemes.len() {
        let rest = Words(&lexemes[at..]);
        let time = match language {
            Language::German => rest.german(),
            Language::English => rest.english(),
        };
        let (mut minutes, mut pm, mut used) = match time {
            Some((minutes, used)) => (Some(minutes), half(minutes / 60), used),
            None => (None, None, 1),
        };
        let mut number = match &lexemes[at] {
            Lexeme::Number(number) => Some(number.clone()),
            _ => None,
        };
        let hour = number
            .as_ref()
            .and_then(Number::small)
            .filter(|hour| *hour < 25);
        if let Some((half, more)) = Words(&lexemes[at + used..]).half_of_day(language) {
            (pm, used) = (Some(half), used + more);
            minutes = minutes.or(hour.map(|hour| 60 * hour));
            if let (None, Some(number)) = (minutes, &mut number) {
                let wrong = if half { " am" } else { " pm" };
                number.readings.retain(|reading| !reading.ends_with(wrong));
                number.text += if half { " p.m." } else { " a.m." };
            }
        }
        let told =
            matches!(out.last(), Some(Lexeme::Word(word)) if BEFORE_HOURS.contains(&&**word));
        match (minutes, &mut number) {
            (Some(minutes), _) => {
                let phrase = &lexemes[at..at + used];
                let parts = phrase.iter().filter_map(|lexeme| match lexeme {
                    Lexeme::Number(number) => Some(number.clone()),
                    _ => None,
                });
                let text: Vec<&str> = phrase.iter().map(text).collect();
                number = Some(Number::whole(
                    text.join(" "),
                    of(minutes, pm),
                    parts.collect(),
                ));
            }
            (None, Some(number)) if told => {
                number
                    .readings
                    .extend(hour.into_iter().flat_map(|hour| of(60 * hour, half(hour))));
            }
            _ => {}
        }
        out.push(number.map_or_else(|| lexemes[at].clone(), Lexeme::Number));
        at += used;
    }
    out
}

fn text(lexeme: &Lexeme) -> &str {
    match lexeme {
        Lexeme::Number(number) => &number.text,
        Lexeme::Word(word) => word,
        Lexeme::Mark('-') => "-",
        Lexeme::Mark('.') => ".",
        Lexeme::Mark(_) => "'",
    }
}

/// The lexemes from a place on.
struct Words<'a>(&'a [Lexeme]);

impl Words<'_> {
    fn word(&self, at: usize) -> &str {
        self.0.get(at).map_or("", text)
    }

    fn number(&self, at: usize, most: u16) -> Option<u16> {
        match self.0.get(at)? {
            Lexeme::Number(number) => number.small().filter(|value| *value <= most),
            _ => None,
        }
    }

    /// True for a number that is not an article.
    fn is_sure(&self, at: usize) -> bool {
        matches!(self.0.get(at), Some(Lexeme::Number(number)) if number.weight > Weight::Loose)
    }

    /// Minutes after midnight of a German time, and its length.
    fn german(&self) -> Option<(u16, usize)> {
        let hour = |at| self.number(at, 24).map(|hour| 60 * (hour + 24));
        let before = |word| match word {
            "vor" => Some(true),
            "nach" | "über" => Some(false),
            _ => None,
        };
        let apart = |is_before, minutes, from: u16| {
            if is_before {
                from - minutes
            } else {
                from + minutes
            }
        };
        let time = match self.word(0) {
            "halb" => Some((hour(1)? - 30, 2)),
            "dreiviertel" => Some((hour(1)? - 15, 2)),
            "viertel" => match before(self.word(1)) {
                Some(is_before) => Some((apart(is_before, 15, hour(2)?), 3)),
                None => Some((hour(1)? - 45, 2)),
            },
            _ if self.word(1) == "uhr" => {
                Some(match self.number(2, 59).filter(|_| self.is_sure(2)) {
                    Some(minutes) => (hour(0)? + minutes, 3),
                    None => (hour(0)?, 2),
                })
            }
            _ => {
                let minutes = self.number(0, 30).filter(|minutes| minutes % 5 == 0)?;
                let at = 1 + usize::from(self.word(1).starts_with("minute"));
                let is_before = before(self.word(at))?;
                let is_half = self.word(at + 1) == "halb";
                let from = hour(at + 1 + usize::from(is_half))?;
                let from = if is_half { from - 30 } else { from };
                Some((
                    apart(is_before, minutes, from),
                    at + 2 + usize::from(is_half),
                ))
            }
        };
        let (minutes, used) = time?;
        Some((minutes % 1440, used + usize::from(self.word(used) == "uhr")))
    }

    /// Minutes after midnight of an English time, and its length.
    fn english(&self) -> Option<(u16, usize)> {
        let hour = |at| self.number(at, 12).map(|hour| 60 * (hour + 12));
        if (self.word(1), self.word(2), self.word(3)) == ("o", "'", "clock") {
            return Some((hour(0)? % 720, 4));
        }
        let minutes = match self.word(0) {
            "half" => 30,
            "quarter" => 15,
            _ => self.number(0, 30)?,
        };
        let mut at = 1 + usize::from(self.word(1) == "-");
        at += usize::from(self.word(at).starts_with("minute"));
        let from = hour(at + 1);
        let time = match self.word(at) {
            "past" | "after" if minutes % 5 == 0 => from? + minutes,
            "to" | "of" | "till" | "before" if minutes % 5 == 0 => from? - minutes,
            // two thirty, two-thirty
            _ => {
                return Some((
                    hour(0)? % 720 + self.number(at, 59).filter(|minutes| *minutes > 9)?,
                    at + 1,
                ));
            }
        };
        Some((time % 720, at + 2))
    }

    /// True for p.m. and false for a.m., and the length.
    fn half_of_day(&self, language: Language) -> Option<(bool, usize)> {
        let (pm, used) = match (self.word(0), self.word(1), self.word(2)) {
            _ if language != Language::English => return None,
            ("am", ..) => (false, 1),
            ("pm", ..) => (true, 1),
            ("a", ".", "m") => (false, 3),
            ("p", ".", "m") => (true, 3),
            _ => return None,
        };
        Some((pm, used))
    }
}
