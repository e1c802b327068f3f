//! How German writes what is not translated, and how English writes the same.

use std::ops::Range;
use std::sync::OnceLock;

use fancy_regex::{Captures, Regex};

/// A part of a line that is not translated.
pub(super) struct Part {
    /// Where it is, in bytes.
    pub at: Range<usize>,
    /// How English writes it.
    pub english: String,
}

/// Kinds of parts, in the order in which they are tried at one place. The first group of a name decides the English
/// form, see [`english`]; `copy` stays as it is, and the groups in it say what a translation must have letter by letter.
/// [`pattern`] takes blanks and comments out; what is left means the same in Rust and in JavaScript, which the book's
/// pages use.
const FORMS: &str = r#"
  (?<copy>
    (?<tag> (?<!<) </?[A-Za-z][^<>\n]{0,200}> (?!>) )          # <b>, </a>
    | &\x23?[A-Za-z0-9]{2,8};                                    # &amp;
    | \[\[[^\[\]\n]{1,60}\]\] | \[[^\[\]\s]{1,40}\]
    | (?<slot> \{\{[^{}\n]{1,60}\}\} | \$\{[^{}\n]{1,60}\} | \{[\w.:-]{0,60}\}
    | %\(\w+\)[a-z] | %(?:\d+\$)?[-+\x23]?[\d*]*(?:\.\d+)?[lh]{0,2}[sdioufFxXeEgGc@](?![\p{L}\p{N}])
    | (?<![\p{L}\p{N}_]) \$[A-Za-z_]\w* | (?<![\p{L}\p{N}_]) __\w+__ | (?<![\p{L}\p{N}_]) %\w+% )
    | (?<address> [\p{L}\p{N}_.+-]+ @ [\p{L}\p{N}-]+ (?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}
    | (?<![\p{L}\p{N}]) (?:[a-z][a-z0-9+]*:// | www\.) [^\s<>"„“”»«]* [\p{L}\p{N}/_\x23=&-]
    | (?<![\p{L}\p{N}@.-]) [\p{L}\p{N}-]+ (?:\.[\p{L}\p{N}-]+)* \. (?:de|com|org|net|eu|at|ch|io|info|gov|edu|uk|fr|nl|pl|ru|dev|app|ai|tv)
        (?: :\d+ )? (?: /[^\s<>"„“”»«]*[\p{L}\p{N}/_\x23=&-] | / )? (?![\p{L}\p{N}@])
    | (?<![\p{L}\p{N}_&/]) @ [\p{L}\p{N}_] (?:[\p{L}\p{N}_.-]* [\p{L}\p{N}_])?
    | (?<![\p{L}\p{N}_.]) [\p{L}\p{N}_-]+ (?:\.[\p{L}\p{N}_-]+)* \. (?:pdf|txt|docx?|xlsx?|pptx?|od[ts]|csv|tsv|json|xml|ya?ml
        |toml|html?|php|css|js|ts|py|rs|cpp|java|zip|tar|gz|jpe?g|png|gif|svg|webp|mp[34]|wav|avi|exe|dll|md|log|ini|cfg|conf
        |tex|epub|sql|sh|bak|iso)
        (?![\p{L}\p{N}]) )
    | (?<![\p{L}\p{N}_&/]) \x23 [\p{L}\p{N}_] (?:[\p{L}\p{N}_.-]* [\p{L}\p{N}_])?
    | (?<![^\s"'(„“»]) (?: ~?/ | \.{1,2}/ | [A-Za-z]:\\x20) [\p{L}\p{N}_.\\/-]* [\p{L}\p{N}_/\\]
    | (?<![\p{L}\p{N}.,:-]) \d{4}-\d{1,2}-\d{1,2} (?:[T\x20]\d{2}:\d{2}(?::\d{2})?Z?)? (?![\p{L}\p{N}])
    | (?<![\p{L}\p{N}.,:/-]) \d{1,4}/\d{1,4}/\d{2,4} (?![\p{L}\p{N}])
    | (?<![\p{L}\p{N}.,]) \+\d{1,3} (?:[\x20/-]?(?:\(\d+\)|\d+)){2,8} (?![\p{L}\p{N}])
    | (?<![\p{L}\p{N}.,]) 0\d{2,5} (?:[\x20/-]\d{2,}){1,6} (?![\p{L}\p{N}])
    | (?<![\p{L}\p{N}.,]) (?:[0-9A-F]{2}:){5}[0-9A-F]{2} (?![\p{L}\p{N}])
    | (?<![\p{L}\p{N}]) [A-Z]{2}\d{2} (?:\x20?[\dA-Z]{4}){2,7} (?:\x20?\d{1,4})? (?![\p{L}\p{N}])  # an account number
    | (?<![\p{L}\p{N}_-]) [A-ZÄÖÜ]{1,10}-?\d[\dA-Z]* (?:-[\dA-Z]+)* (?![\p{L}\p{N}])  # LH1874, B42
    | (?<![\p{L}\p{N}.,:/-]) \d+ (?:-\d+)+ (?![\p{L}\p{N}]|[.,]\d)  # 10-12
    | (?<![\p{L}\p{N}.,:/-]) \d+[a-z] (?![\p{L}\p{N}])  # 17b
  )
  | (?<![\p{L}\p{N}.,:/-]) (?<day>\d{1,2})\.[\x20\u{a0}]?(?<month>\d{1,2})\. (?:[\x20\u{a0}]?(?<year>\d{4}|(?<=\.)\d{2}))? (?![\p{L}\p{N}])
  | (?<![\p{L}\p{N}.,:/-]) (?<hour>\d{1,2})[:.](?<minute>\d{2}(?::\d{2})?) [\x20\u{a0}]?(?:Uhr|uhr|UHR|h)\b
  | (?<![\p{L}\p{N}.,:]) (?<colon>\d+(?::\d+)+) (?![\p{L}\p{N}])
  | (?<![\p{L}\p{N}.,]) (?<version>[vV]?\d+(?:\.\d+){2,}(?::\d+|-?(?:alpha|beta|rc)\.?\d*)?|[vV]\d+(?:\.\d+)*) (?![\p{L}\p{N}]|,\d)
  | (?<sign>(?:(?<![\p{L}\p{N}.,:/)-])[-+±−])?) (?<![\p{L}\p{N}.,:])
    (?<prefix>[€$£]\x20?)?
    (?<whole>\d{1,3}(?:[.'\x20\u{a0}\u{202f}]\d{3})+(?!\d)|\d+) (?<decimals>[.,]\d+)?
    (?: (?<gap>[\x20\u{a0}\u{202f}]?) (?<unit>
        km/h|m/s|[mkc]?g|t|[mcdk]?m[²³]?|ha|[mcd]?l|ms|s|min|h|[kMGT]?i?B|[kMGT]?bit/s|Mbit|k?Wh|[kMG]?W|[kMG]?Hz|V|mAh|k?Pa|bar|hPa
        |k?cal|k?J|°C|°F|°|K|Ω|px|dpi|fps|€|\$|£|%|‰|EUR|USD|CHF|GBP ) )? (?![\p{L}\p{N}])
"#;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The regular expression of all forms.
pub fn pattern() -> String {
    let code = FORMS
        .lines()
        .map(|line| line.split("  # ").next().unwrap_or_default());
    code.flat_map(str::chars)
        .filter(|c| !c.is_whitespace())
        .collect()
}

/// Matches of the forms in a line, from left to right.
pub fn matches(line: &str) -> impl Iterator<Item = Captures<'_>> {
    static PATTERN: OnceLock<Regex> = OnceLock::new();
    let pattern =
        PATTERN.get_or_init(|| Regex::new(&pattern()).expect("the forms are a regular expression"));
    pattern.captures_iter(line).map_while(Result::ok)
}

/// Parts of a line that are not translated, from left to right.
pub(super) fn parts(line: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for found in matches(line) {
        let all = found.get(0).expect("group 0 is the whole match");
        let (mut end, rest) = (all.end(), &line[all.end()..]);
        // The full stop of a date at the end of a sentence ends the sentence, too.
        if found.name("day").is_some() && found.name("year").is_none() && rest.trim().is_empty() {
            end -= 1;
        }
        if let Some(english) = english(&found, rest) {
            let at = all.start()..end;
            parts.push(Part { at, english });
        }
    }
    parts
}

/// English form of a match that `rest` follows; `None` if the model should read the part itself.
fn english(found: &Captures, rest: &str) -> Option<String> {
    let group = |name: &str| found.name(name).map(|group| group.as_str());
    if group("copy").is_some() {
        return Some(found[0].to_owned());
    }
    if let (Some(day), Some(month)) = (group("day"), group("month")) {
        // 3.4.12 is a day or a version, and 15.0.73 no day.
        let whole = group("year").is_none_or(|year| year.len() == 4);
        let date = date(day, month, group("year")).filter(|_| whole);
        return Some(date.unwrap_or_else(|| found[0].to_owned()));
    }
    if let (Some(hour), Some(minute)) = (group("hour"), group("minute")) {
        return Some(format!("{hour}:{minute}"));
    }
    if let Some(colon) = group("colon") {
        return Some(colon.to_owned());
    }
    if let Some(version) = group("version").filter(|text| !is_grouped(text)) {
        return Some(version.to_owned());
    }
    let number = Number {
        sign: group("sign").unwrap_or_default(),
        whole: group("whole").or(group("version"))?,
        decimals: group("decimals").unwrap_or_default(),
    };
    let (prefix, unit) = (group("prefix").map(str::trim_end), group("unit"));
    let ordinal = rest
        .strip_prefix('.')
        .is_some_and(|rest| rest.trim_start().starts_with(char::is_alphabetic));
    let short = number.decimals.is_empty() && number.sign.is_empty() && number.whole.len() < 3;
    if unit.is_none() && prefix.is_none() && (short || ordinal && number.decimals.is_empty()) {
        return None;
    }
    let text = number.english();
    Some(match unit {
        Some(money @ ("€" | "$" | "£")) => format!("{money}{text}"),
        Some(unit @ ("%" | "‰" | "°")) => format!("{text}{unit}"),
        Some(unit) => format!(
            "{text}{}{unit}",
            if group("gap") == Some("") { "" } else { " " }
        ),
        None => format!("{}{text}", prefix.unwrap_or_default()),
    })
}

/// A number as German writes it.
struct Number<'t> {
    sign: &'t str,
    whole: &'t str,
    decimals: &'t str,
}

impl Number<'_> {
    /// The number with a decimal point, and commas where German has full stops or blanks.
    fn english(&self) -> String {
        let whole = self
            .whole
            .replace(['.', '\'', ' ', '\u{a0}', '\u{202f}'], ",");
        format!("{}{whole}{}", self.sign, self.decimals.replace(',', "."))
    }
}

/// True for digits in groups of three; four groups up to 255 are an internet address.
fn is_grouped(text: &str) -> bool {
    let mut groups = text.split('.');
    let first = groups
        .next()
        .is_some_and(|first| (1..=3).contains(&first.len()) && first.parse::<u32>().is_ok());
    let address =
        text.split('.').count() == 4 && text.split('.').all(|group| group.parse::<u8>().is_ok());
    first && !address && groups.all(|group| group.len() == 3 && group.parse::<u32>().is_ok())
}

/// `28 November 2026`; `None` if there is no such day or month.
fn date(day: &str, month: &str, year: Option<&str>) -> Option<String> {
    let day: usize = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    let name = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    Some(match year {
        Some(year) => format!("{day} {name} {year}"),
        None => format!("{day} {name}"),
    })
}
