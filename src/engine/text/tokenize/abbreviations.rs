//! Words whose full stop does not end a sentence.

use super::Language;

const TITLES: [&str; 51] = [
    "Adj", "Adm", "Adv", "Asst", "Bldg", "Brig", "Bros", "Capt", "Cmdr", "Co", "Col", "Comdr",
    "Con", "Corp", "Cpl", "DR", "Dr", "Ens", "Gen", "Gov", "Hon", "Hosp", "Insp", "Lt", "Ltd",
    "MM", "MR", "MRS", "MS", "Maj", "Messrs", "Mlle", "Mme", "Mr", "Mrs", "Ms", "Op", "Ord", "Ph",
    "Prof", "Rep", "Rev", "Sen", "Sgt", "Sr", "St", "Supt", "Surg", "v", "vs", "Msgr",
];
const ENGLISH: [&str; 16] = [
    "Drs", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Nr",
    "Inc", "Jr", "rev",
];
const GERMAN: [&str; 40] = [
    "Abb", "Bd", "Buchst", "Chr", "Fr", "Hr", "Hrsg", "Kap", "Mio", "Mrd", "MwSt", "Nos", "Nr",
    "Std", "Str", "Zt", "bzgl", "bzw", "ca", "Ca", "dergl", "dgl", "etc", "evtl", "ff", "geb",
    "ggf", "inkl", "jun", "max", "sen", "sog", "sogen", "spp", "usf", "usw", "vgl", "zzgl", "zzt",
    "Art",
];
/// Abbreviations only before a number, as in `No. 5`.
const BEFORE_NUMBER: [&str; 3] = ["No", "Art", "pp"];

/// Abbreviations missing from Moses' lists. Tokens stay as Moses splits them, so only sentence splitting uses these.
const FURTHER_GERMAN: [&str; 29] = [
    "Dipl", "Fa", "Hausnr", "Ing", "Jh", "Jhd", "Mill", "Tel", "Tsd", "allg", "ehem", "eigtl",
    "einschl", "entspr", "gegr", "gest", "gez", "jew", "lt", "mind", "od", "rd", "spez", "stellv",
    "tel", "urspr", "verh", "verm", "versch",
];
/// English abbreviations after which a number continues the sentence: `see p. 5`.
const ENGLISH_BEFORE_NUMBER: [&str; 30] = [
    "App", "Approx", "Ch", "Chap", "Eq", "Ext", "Fig", "Figs", "Nos", "Sec", "Tab", "Tel", "Vol",
    "app", "approx", "c", "ca", "ch", "chap", "eq", "est", "ext", "fig", "figs", "no", "nos", "p",
    "sec", "tel", "vol",
];

/// Words whose full stop never ends a sentence. Ordinals, initials and streets, which are recognised by rules, and words
/// that need a number after them are not included.
pub fn abbreviations(language: Language) -> impl Iterator<Item = &'static str> {
    let (listed, further): (&[_], &[_]) = match language {
        Language::English => (&ENGLISH, &[]),
        Language::German => (&GERMAN, &FURTHER_GERMAN),
    };
    [&TITLES, listed, further].into_iter().flatten().copied()
}

/// True if the full stop of `word` does not end a sentence before text that begins with `next`. Sentence splitting
/// knows more abbreviations than Moses' tokenizer.
pub(super) fn is_within_sentence(word: &str, next: Option<char>, language: Language) -> bool {
    let counts = next.is_some_and(|c| c.is_ascii_digit());
    let further = match language {
        // Hauptstr. 5, Karl-Marx-Str. 7
        Language::German => FURTHER_GERMAN.contains(&word) || word.to_lowercase().ends_with("str"),
        Language::English => {
            counts && (ENGLISH_BEFORE_NUMBER.contains(&word) || is_before_number(word))
        }
    };
    further || is_abbreviation(word, language)
}

/// True if `word` keeps its full stop whatever follows.
pub(super) fn is_abbreviation(word: &str, language: Language) -> bool {
    let mut chars = word.chars();
    let initial = matches!((chars.next(), chars.next()), (Some(c), None) if match language {
        Language::English => c.is_ascii_uppercase(),
        Language::German => c.is_ascii_alphabetic(),
    });
    let listed = match language {
        Language::English => ENGLISH.contains(&word),
        Language::German => GERMAN.contains(&word) || is_ordinal(word),
    };
    initial || listed || TITLES.contains(&word)
}

/// True if `word` keeps its full stop before a number.
pub(super) fn is_before_number(word: &str) -> bool {
    BEFORE_NUMBER.contains(&word)
}

/// A German ordinal: `am 3. Mai`, `Ludwig XIV. starb`. Larger numbers are rarely ordinals.
fn is_ordinal(word: &str) -> bool {
    let small = word.parse().is_ok_and(|n: u32| (1..100).contains(&n)) && !word.starts_with('+');
    let upper = word.to_ascii_uppercase();
    let one_case = word == upper || word == word.to_ascii_lowercase();
    small || one_case && is_roman(&upper)
}

/// True for the numerals from I to XX.
fn is_roman(numeral: &str) -> bool {
    const UNITS: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    let units = numeral.strip_prefix('X').unwrap_or(numeral);
    numeral == "XX" || !numeral.is_empty() && UNITS.contains(&units)
}
