//! Numbers and months written as words, in German and English.

use super::Language;

/// What a word says about numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Numeral {
    /// A cardinal number, `fünf`. A translation that has a different one is wrong.
    Cardinal(u64),
    /// A number among other things: `eine`, `zweite`, `both`, `Fünfsternehotel`.
    Loose(u64),
    /// A power of ten that multiplies the number before it, `Millionen`, by its exponent.
    Scale(u32),
    /// A part of one, in hundredths: `half`.
    Hundredths(u32),
    /// A month, from 1.
    Month(u64),
    /// Noon or midnight, in hours.
    Hour(u16),
}

const GERMAN: &str = "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn \
    fünfzehn sechzehn siebzehn achtzehn neunzehn";
const GERMAN_TENS: &str = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig";
const ENGLISH: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
    fifteen sixteen seventeen eighteen nineteen";
const ENGLISH_TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";
const ENGLISH_ORDINALS: &str = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh \
    twelfth";
const MONTHS: [&str; 2] = [
    "januar februar märz april mai juni juli august september oktober november dezember",
    "january february march april may june july august september october november december",
];

/// Further words, by the start of the word.
const GERMAN_STARTS: [(&str, Numeral); 21] = [
    ("halb", Numeral::Hundredths(50)),
    ("hälfte", Numeral::Hundredths(50)),
    ("viertel", Numeral::Hundredths(25)),
    ("dreiviertel", Numeral::Hundredths(75)),
    ("dutzend", Numeral::Loose(12)),
    ("million", Numeral::Scale(6)),
    ("mio", Numeral::Scale(6)),
    ("milliarde", Numeral::Scale(9)),
    ("mrd", Numeral::Scale(9)),
    ("billion", Numeral::Scale(12)),
    ("tsd", Numeral::Scale(3)),
    ("mitternacht", Numeral::Hour(0)),
    ("mittag", Numeral::Hour(12)),
    ("beid", Numeral::Loose(2)),
    ("paar", Numeral::Loose(2)),
    ("doppel", Numeral::Loose(2)),
    ("zwo", Numeral::Loose(2)),
    ("erst", Numeral::Loose(1)),
    ("dritt", Numeral::Loose(3)),
    ("siebt", Numeral::Loose(7)),
    ("anderthalb", Numeral::Hundredths(150)),
];
const ENGLISH_STARTS: [(&str, Numeral); 12] = [
    ("hundred", Numeral::Scale(2)),
    ("thousand", Numeral::Scale(3)),
    ("million", Numeral::Scale(6)),
    ("billion", Numeral::Scale(9)),
    ("trillion", Numeral::Scale(12)),
    ("dozen", Numeral::Loose(12)),
    ("midnight", Numeral::Hour(0)),
    ("noon", Numeral::Hour(12)),
    ("both", Numeral::Loose(2)),
    ("twice", Numeral::Loose(2)),
    ("double", Numeral::Loose(2)),
    ("once", Numeral::Loose(1)),
];

/// What a word in small letters says about numbers.
pub(super) fn numeral(word: &str, language: Language) -> Option<Numeral> {
    let (months, starts): (_, &[_]) = match language {
        Language::German => (MONTHS[0], &GERMAN_STARTS),
        Language::English => (MONTHS[1], &ENGLISH_STARTS),
    };
    let short = |month: &str| month == word || word.len() == 3 && month.starts_with(word);
    if let Some(at) = months.split(' ').position(short) {
        return Some(Numeral::Month(at as u64 + 1));
    }
    let started = starts.iter().find(|(start, numeral)| {
        let rest = word.strip_prefix(start);
        // billions, but not billionaires
        rest.is_some_and(|rest| rest.len() < 4 || !matches!(numeral, Numeral::Scale(_)))
    });
    match language {
        Language::German => started
            .map(|(_, numeral)| *numeral)
            .or_else(|| german(word)),
        Language::English => english(word).or(started.map(|(_, numeral)| *numeral)),
    }
}

fn german(word: &str) -> Option<Numeral> {
    match word {
        "tausend" => return Some(Numeral::Scale(3)),
        "hundert" => return Some(Numeral::Scale(2)),
        _ => {}
    }
    let word = word.replace("fuenf", "fünf").replace("zwoelf", "zwölf");
    let word = word.replace("dreissig", "dreißig");
    let (value, tail) = compound(&word)?;
    Some(match tail {
        "" if value != 1 => Numeral::Cardinal(value),
        // zweieinhalb
        "einhalb" if value < 100 => Numeral::Hundredths(100 * value as u32 + 50),
        _ => Numeral::Loose(value),
    })
}

/// The number that a German word begins with, and the rest of the word.
fn compound(word: &str) -> Option<(u64, &str)> {
    let (mut value, mut rest) = below_thousand(word).unwrap_or((1, word));
    if let Some(after) = rest.strip_prefix("tausend") {
        (value, rest) = (value * 1000, after);
        let joined = rest.strip_prefix("und").unwrap_or(rest);
        if let Some((more, after)) = below_thousand(joined) {
            (value, rest) = (value + more, after);
        }
    }
    (rest.len() < word.len()).then_some((value, rest))
}

fn below_thousand(word: &str) -> Option<(u64, &str)> {
    let (mut value, mut rest) = below_hundred(word).unwrap_or((1, word));
    if let Some(after) = rest.strip_prefix("hundert") {
        (value, rest) = (value * 100, after);
        let joined = rest.strip_prefix("und").unwrap_or(rest);
        if let Some((more, after)) = below_hundred(joined) {
            (value, rest) = (value + more, after);
        }
    }
    (rest.len() < word.len()).then_some((value, rest))
}

fn below_hundred(word: &str) -> Option<(u64, &str)> {
    let tens = |word| starting(word, GERMAN_TENS).map(|(at, rest)| (10 * at + 20, rest));
    if let Some(found) = tens(word) {
        return Some(found);
    }
    let (value, rest) = starting(word, GERMAN)?;
    let after = rest.strip_prefix("und").filter(|_| value < 10);
    match after.and_then(tens) {
        Some((ten, rest)) => Some((ten + value, rest)),
        None => Some((value, rest)),
    }
}

/// Index of the last of `words` that `word` starts with, and the rest.
fn starting<'a>(word: &'a str, words: &str) -> Option<(u64, &'a str)> {
    let all = words.split(' ').enumerate();
    all.filter_map(|(at, start)| Some((at as u64, word.strip_prefix(start)?)))
        .last()
}

fn english(word: &str) -> Option<Numeral> {
    let at = |words: &str, word: &str| words.split(' ').position(|one| one == word);
    let cardinal = |word: &str| {
        let tens = at(ENGLISH_TENS, word).map(|at| 10 * at as u64 + 20);
        at(ENGLISH, word).map(|at| at as u64).or(tens)
    };
    match (word, cardinal(word)) {
        ("half" | "halves", _) => return Some(Numeral::Hundredths(50)),
        ("quarter" | "quarters", _) => return Some(Numeral::Hundredths(25)),
        ("one", _) => return Some(Numeral::Loose(1)),
        (_, Some(value)) => return Some(Numeral::Cardinal(value)),
        _ => {}
    }
    let ordinal = at(ENGLISH_ORDINALS, word).map(|at| at as u64);
    // fourteenth, twentieth, fifties, sixes
    let stem = |end: &str, with: &str| Some(word.strip_suffix(end)?.to_owned() + with);
    let stems = [("th", ""), ("ieth", "y"), ("ies", "y"), ("s", "")];
    let mut stems = stems.iter().filter_map(|(end, with)| stem(end, with));
    let value = ordinal.or_else(|| stems.find_map(|stem| cardinal(&stem)));
    value.map(Numeral::Loose)
}
