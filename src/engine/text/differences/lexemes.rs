//! A text as numbers, words and marks.

use super::Language;
use super::digits::{value, written};
use super::number::{Lexeme, Number, Weight, unit};
use super::numerals::{Numeral, numeral};
use super::times;

/// Words, marks and numbers of a text.
pub(super) fn lexemes(text: &str, language: Option<Language>) -> Vec<Lexeme> {
    let text: String = text.chars().map(plain).collect();
    let mut lexemes: Vec<Lexeme> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut len = c.len_utf8();
        if c.is_ascii_digit() {
            let (number, read) = written(rest, language);
            len = read;
            let number = signed(number, &text[..at], &mut lexemes);
            lexemes.push(Lexeme::Number(number));
        } else if c.is_alphabetic() {
            let end = rest.find(|c: char| !c.is_alphabetic());
            len = end.unwrap_or(rest.len());
            lexemes.push(Lexeme::Word(rest[..len].to_lowercase()));
        } else if let Some(at) = "½¼¾".chars().position(|half| half == c) {
            let part = ["n:0.5", "n:0.25", "n:0.75"][at].to_owned();
            lexemes.push(Lexeme::Number(Number::of(
                &rest[..len],
                part,
                Weight::Loose,
            )));
        } else if !c.is_whitespace() {
            lexemes.push(Lexeme::Mark(c));
        }
        at += len;
    }
    let lexemes = match language {
        Some(language) => worded(lexemes, language),
        None => lexemes,
    };
    times::found(lexemes, language)
}

/// The plain form of a digit, dash or space.
fn plain(c: char) -> char {
    let digit = |c: char, zero: char| char::from_digit(c as u32 - zero as u32, 10).unwrap_or(c);
    match c {
        '０'..='９' => digit(c, '０'),
        '₀'..='₉' => digit(c, '₀'),
        '−' | '–' | '‑' => '-',
        '\u{a0}' | '\u{2009}' | '\u{202f}' => ' ',
        _ => c,
    }
}

/// Gives a number the sign that the text before it ends with.
fn signed(mut number: Number, before: &str, lexemes: &mut Vec<Lexeme>) -> Number {
    let dash = before.strip_suffix('-');
    let dash =
        dash.is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || c == '-'));
    if dash || matches!(lexemes.last(), Some(Lexeme::Word(minus)) if minus == "minus") {
        let values = number
            .readings
            .iter()
            .filter_map(|reading| reading.strip_prefix("n:"));
        number.readings = values.map(|value| format!("n:-{value}")).collect();
        number.parts.clear();
        number.text.insert(0, '-');
        lexemes.pop();
    }
    number
}

/// Reads number words as numbers, and the words and symbols after a number as its size and unit.
fn worded(lexemes: Vec<Lexeme>, language: Language) -> Vec<Lexeme> {
    let mut out: Vec<Lexeme> = Vec::new();
    for lexeme in lexemes {
        let Lexeme::Word(word) = &lexeme else {
            out.push(lexeme);
            continue;
        };
        // `twenty-five`, `two hundred and five`
        let joins = matches!(&out[..], [.., Lexeme::Number(_), Lexeme::Mark('-')]);
        let and = matches!(&out[..], [.., Lexeme::Number(_), Lexeme::Word(and)] if and == "and" || and == "und");
        let number = match numeral(word, language) {
            None => {
                out.push(lexeme);
                continue;
            }
            Some(Numeral::Month(month)) => Number::of(word, format!("m:{month}"), Weight::Loose),
            Some(Numeral::Hour(hour)) => {
                Number::whole(word.clone(), times::of(hour * 60, Some(hour == 12)), vec![])
            }
            Some(Numeral::Hundredths(part)) => {
                if let [
                    ..,
                    Lexeme::Number(number),
                    Lexeme::Word(and),
                    Lexeme::Word(a),
                ] = &mut out[..]
                    && (&**and, &**a) == ("and", "a")
                    && let Some(whole) = number.small()
                {
                    *number = number.clone().reading(value(&whole.to_string(), "5", 0));
                    out.truncate(out.len() - 2);
                    continue;
                }
                // Half an hour is 30 minutes.
                let (whole, fraction) = ((part / 100).to_string(), format!("{:02}", part % 100));
                Number::of(word, value(&whole, &fraction, 0), Weight::Loose)
                    .reading(format!("n:{}", part * 3 / 5))
            }
            Some(Numeral::Scale(power)) => {
                if let Some(Lexeme::Number(number)) = out.last_mut()
                    && scale(number, word, power)
                {
                    continue;
                }
                Number::of(word, value("1", "", power), Weight::Loose)
            }
            Some(read @ (Numeral::Cardinal(value) | Numeral::Loose(value))) => {
                let weight = match read {
                    Numeral::Cardinal(_) => Weight::Word,
                    _ => Weight::Loose,
                };
                let skipped = usize::from(joins || and);
                let before = out.len().checked_sub(1 + skipped).map(|at| &mut out[at]);
                if let Some(Lexeme::Number(number)) = before
                    && (weight == Weight::Word || language == Language::English)
                    && let Some(sum) = continued(number, value, and, language)
                {
                    *number = Number::of(
                        &format!("{} {word}", number.text),
                        format!("n:{sum}"),
                        weight.min(number.weight),
                    );
                    out.truncate(out.len() - skipped);
                    continue;
                }
                Number::of(word, format!("n:{value}"), weight)
            }
        };
        out.push(Lexeme::Number(number));
    }
    for at in 0..out.len() {
        let unit = unit(&out[at + 1..]);
        let decade =
            matches!(out.get(at + 1), Some(Lexeme::Word(end)) if end == "er" || end == "s");
        if let Lexeme::Number(number) = &mut out[at] {
            number.unit = unit;
            // the 60s
            let years = number
                .small()
                .filter(|years| decade && (10..100).contains(years));
            number
                .readings
                .extend(years.map(|years| format!("n:{}", 1900 + years)));
        }
    }
    out
}

/// The value of a number and the number word after it, if they are one number: `two hundred` and `five`.
fn continued(number: &Number, value: u64, and: bool, language: Language) -> Option<u64> {
    let before = number.worded()?;
    let hundreds = before >= 100 && before % 100 == 0 && value < 100;
    let thousands = before >= 1000 && before % 1000 == 0 && value < 1000;
    let tens = before % 10 == 0 && before % 100 >= 20 && (1..10).contains(&value);
    // nineteen ninety
    let year =
        language == Language::English && [before, value].iter().all(|n| (10..100).contains(n));
    if hundreds || thousands || tens && !and {
        return Some(before + value);
    }
    (year && !and).then_some(100 * before + value)
}

/// Multiplies a number by the scale after it: `2,5 Millionen`, `one thousand two hundred`. Returns true if it can.
fn scale(number: &mut Number, word: &str, power: u32) -> bool {
    if let Some(value) = number.worded() {
        let factor = 10_u64.pow(power);
        let low = value % (1000 * factor / if power == 2 { 100 } else { 1 });
        let sum = low
            .checked_mul(factor)
            .and_then(|scaled| (value - low).checked_add(scaled));
        let Some(sum) = sum.filter(|_| low > 0) else {
            return false;
        };
        number.readings = vec![format!("n:{sum}")];
    } else {
        // In 1990 thousands of people …
        if number.weight != Weight::Digits || power < 3 || word.ends_with("ds") {
            return false;
        }
        let values = number
            .readings
            .iter()
            .filter_map(|reading| reading.strip_prefix("n:"));
        let scaled = values.map(|number| {
            let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
            value(whole, fraction, power)
        });
        number.readings = scaled.collect();
        number.parts.clear();
    }
    number.text = format!("{} {word}", number.text);
    true
}
