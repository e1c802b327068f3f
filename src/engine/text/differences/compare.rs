//! Numbers that only one of two texts has.

use super::Language;
use super::lexemes::lexemes;
use super::number::{Lexeme, Number, UNITS, Weight};

/// Numbers that only the first text has, and those that only the second one has.
pub(super) fn apart(
    (source, from): (&str, Option<Language>),
    (translation, into): (&str, Option<Language>),
) -> (Vec<String>, Vec<String>) {
    let [from_text, into_text] = [lexemes(source, from), lexemes(translation, into)];
    let [mut missing, mut added] = [&from_text, &into_text].map(|lexemes| numbers(lexemes));
    let units_lost = units_lost(&missing, &into_text, into);
    loop {
        pair_off(&mut missing, &mut added);
        let split = [&mut missing, &mut added].map(taken_apart);
        if split == [false; 2] {
            break;
        }
    }
    // A language whose number words are unknown seems to lack every number that it writes as a word.
    for (numbers, other) in [(&mut missing, into), (&mut added, from)] {
        numbers.retain(|number| other.is_some() || number.small().is_none_or(|value| value > 100));
    }
    let sides = [&missing, &added];
    let replaced = sides.map(|side| side.iter().any(|number| number.weight >= Weight::Word));
    let least = if replaced == [true; 2] {
        Weight::Word
    } else {
        Weight::Digits
    };
    let listed = |side: &[Number], text: &str| {
        let listed = side.iter().filter(|number| number.weight >= least);
        let mut listed: Vec<_> = listed
            .map(|number| as_written(&number.text, text))
            .collect();
        listed.dedup();
        listed
    };
    let (mut missing, added) = (listed(&missing, source), listed(&added, translation));
    for (number, with_unit) in units_lost {
        if !missing.contains(&number) {
            missing.push(with_unit);
        }
    }
    (missing, added)
}

fn numbers(lexemes: &[Lexeme]) -> Vec<Number> {
    let numbers = lexemes.iter().filter_map(|lexeme| match lexeme {
        Lexeme::Number(number) => Some(number.clone()),
        _ => None,
    });
    numbers.collect()
}

/// The number as the text has it, whose words are compared in small letters.
fn as_written(number: &str, text: &str) -> String {
    let small = text.to_lowercase();
    let at = small.find(number).filter(|_| small.len() == text.len());
    let written = at.and_then(|at| text.get(at..at + number.len()));
    written.unwrap_or(number).to_owned()
}

/// Removes numbers that agree from both lists, surest first.
fn pair_off(one: &mut Vec<Number>, other: &mut Vec<Number>) {
    for least in [Weight::Digits, Weight::Word, Weight::Loose] {
        one.retain(|number| {
            let pair = other
                .iter()
                .position(|other| number.weight.min(other.weight) >= least && number.agrees(other));
            pair.map(|at| other.remove(at)).is_none()
        });
    }
}

/// Replaces wholes by their parts, which keep the text of the whole. Returns true if there were any.
fn taken_apart(numbers: &mut Vec<Number>) -> bool {
    let any = numbers.iter().any(|number| !number.parts.is_empty());
    let apart = numbers.drain(..).flat_map(|mut number| {
        let mut parts = std::mem::take(&mut number.parts);
        for part in &mut parts {
            part.text.clone_from(&number.text);
        }
        if parts.is_empty() {
            vec![number]
        } else {
            parts
        }
    });
    *numbers = apart.collect();
    any
}

/// Numbers of the source whose unit the translation has not, neither as a symbol nor as a word; each without and with
/// its unit.
fn units_lost(
    source: &[Number],
    translation: &[Lexeme],
    into: Option<Language>,
) -> Vec<(String, String)> {
    let mut lost = Vec::new();
    for number in source.iter().filter(|_| into.is_some()) {
        let Some(unit) = number.unit else { continue };
        let (symbols, words) = UNITS[unit];
        let names = |word: &str| {
            let one = word.strip_suffix(['s', 'n']).unwrap_or(word);
            symbols.contains(&word) || words.contains(&word) || words.contains(&one)
        };
        let kept = translation.iter().any(|lexeme| match lexeme {
            Lexeme::Number(number) => number.unit == Some(unit),
            Lexeme::Word(word) => names(word),
            Lexeme::Mark(mark) => names(mark.encode_utf8(&mut [0; 4])),
        });
        if !kept {
            lost.push((
                number.text.clone(),
                format!("{} {}", number.text, symbols[0]),
            ));
        }
    }
    lost
}
