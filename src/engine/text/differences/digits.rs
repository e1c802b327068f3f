//! Numbers and dates in digits.

use super::Language;
use super::number::{Number, Weight};
use super::times;

/// The value of digits before and after the point, times ten to the power of `shift`, as a reading.
pub(super) fn value(whole: &str, fraction: &str, shift: u32) -> String {
    let shift = shift as usize;
    let moved: String = fraction
        .chars()
        .chain(std::iter::repeat('0'))
        .take(shift)
        .collect();
    let fraction = fraction
        .get(shift..)
        .unwrap_or_default()
        .trim_end_matches('0');
    let whole = whole.to_owned() + &moved;
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("n:{whole}{point}{fraction}")
}

/// The number in digits at the start of `text`, and its length.
pub(super) fn written(text: &str, language: Option<Language>) -> (Number, usize) {
    let digits = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit());
        end.unwrap_or(text.len())
    };
    // Groups of digits, and what separates them.
    let (mut groups, mut between) = (vec![], vec![]);
    let mut len = digits(text);
    groups.push(&text[..len]);
    while let Some(mark) = text[len..].chars().next() {
        let after = &text[len + mark.len_utf8()..];
        let next = digits(after);
        let iso =
            mark == '-' && groups[0].len() == 4 && next == 2 && between.iter().all(|c| *c == '-');
        let spaced = mark == ' '
            && next == 3
            && between.iter().all(|c| *c == ' ')
            && (1..4).contains(&groups[0].len())
            && !groups[0].starts_with('0');
        if next == 0 || !(".,:/'’".contains(mark) && !between.contains(&' ') || iso || spaced) {
            break;
        }
        groups.push(&after[..next]);
        between.push(mark);
        len += mark.len_utf8() + next;
    }
    if let Some((date, read)) = spaced_date(text)
        && read > len
        && text[..read].contains(' ')
    {
        return (date, read);
    }
    let literal = &text[..len];
    let mut number = Number::new(literal, Weight::Digits);
    let joined = |groups: &[&str]| value(&groups.concat(), "", 0);
    let grouped = |groups: &[&str]| {
        let first = (1..4).contains(&groups[0].len()) && !groups[0].starts_with('0');
        first && groups[1..].iter().all(|group| group.len() == 3)
    };
    match (&groups[..], &between[..]) {
        // A number that starts with 0 names something.
        ([one], _) if one.len() < 3 || !one.starts_with('0') => {
            number = number.reading(value(one, "", 0))
        }
        ([whole, fraction], ['.' | ',']) => {
            let point = match language {
                Some(Language::German) => ',',
                _ => '.',
            };
            let both = language.is_none();
            if grouped(&groups) && (both || between[0] != point) {
                number = number.reading(joined(&groups));
            }
            if !grouped(&groups) || both || between[0] == point {
                number = number.reading(value(whole, fraction, 0));
            }
        }
        ([rest @ .., fraction], [marks @ .., last @ ('.' | ',')])
            if grouped(rest) && marks.iter().all(|mark| mark == &marks[0] && mark != last) =>
        {
            number = number.reading(value(&rest.concat(), fraction, 0));
        }
        ([_, _], ['/']) if literal == "1/2" => number = number.reading("n:0.5".to_owned()),
        // 2:1, or 1,2,3
        ([_, one], [':']) if one.len() == 1 => number.parts = parts(&groups),
        (_, [',', ..]) if between.iter().all(|mark| *mark == ',') && !grouped(&groups) => {
            number.parts = parts(&groups);
        }
        (_, marks)
            if grouped(&groups)
                && !marks.contains(&'/')
                && marks.iter().all(|mark| mark == &marks[0]) =>
        {
            number = number.reading(joined(&groups));
            if marks.first() == Some(&' ') {
                number.parts = parts(&groups);
            }
        }
        _ => {}
    }
    if let [hour, minute] = groups[..]
        && (between == ['.'] || between == [':'])
        && minute.len() == 2
    {
        number.readings.extend(times::of_digits(hour, minute));
    }
    let numbers: Vec<Option<u64>> = groups.iter().map(|group| group.parse().ok()).collect();
    let is_year = |at: usize| matches!(groups[at].len(), 2 | 4);
    let ends_in_point = text[len..].starts_with('.');
    let date = match (&numbers[..], &between[..]) {
        ([Some(d), Some(m), year @ Some(_)], ['.', '.'] | ['/', '/']) if is_year(2) => {
            Some(([*d, *m], *year))
        }
        ([year @ Some(_), Some(m), Some(d)], ['-', '-']) => Some(([*d, *m], *year)),
        ([Some(d), Some(m)], ['.']) if ends_in_point => Some(([*d, *m], None)),
        ([Some(d), Some(m)], ['/']) => Some(([*d, *m], None)),
        _ => None,
    };
    if let Some((day_and_month, year)) = date {
        number = dated(number, day_and_month, year);
    }
    (number.reading(format!("l:{literal}")), len)
}

/// Groups of digits as a number each.
fn parts(groups: &[&str]) -> Vec<Number> {
    let part = |group: &&str| Number::of(group, value(group, "", 0), Weight::Digits);
    groups.iter().map(part).collect()
}

/// Makes a number a date, if it can be one. Between slashes, the month may come first.
fn dated(mut number: Number, [day, month]: [u64; 2], year: Option<u64>) -> Number {
    let orders = 1 + usize::from(number.text.contains('/'));
    let orders = [(day, month), (month, day)].into_iter().take(orders);
    let possible = |(day, month): &(u64, u64)| (1..32).contains(day) && (1..13).contains(month);
    for (day, month) in orders.filter(possible) {
        let year_of_two = year.map_or(String::new(), |year| format!("{}", year % 100));
        number
            .readings
            .push(format!("d:{day}.{month}.{year_of_two}"));
        if number.parts.is_empty() {
            let part =
                |value: u64| Number::of(&value.to_string(), format!("n:{value}"), Weight::Digits);
            number.parts = vec![part(day), part(month).reading(format!("m:{month}"))];
            // 26 is 2026 or 1926.
            let centuries = year.map(|year| {
                if year < 100 {
                    &[0, 1900, 2000][..]
                } else {
                    &[0]
                }
            });
            number
                .parts
                .extend(year.zip(centuries).map(|(year, centuries)| {
                    let mut part = part(year);
                    part.readings = centuries
                        .iter()
                        .map(|c| format!("n:{}", c + year))
                        .collect();
                    part
                }));
        }
    }
    number
}

/// A date with spaces, `5. 6. 2020` or `5. 6.`, and its length.
fn spaced_date(text: &str) -> Option<(Number, usize)> {
    let (day, rest) = text.split_once('.')?;
    let (month, after) = rest.trim_start().split_once('.')?;
    let few = |digits: &str, most: usize| {
        let plain = digits.bytes().all(|c| c.is_ascii_digit());
        (plain && (1..=most).contains(&digits.len())).then(|| digits.parse::<u64>().ok())?
    };
    let (day, month) = (few(day, 2)?, few(month, 2)?);
    let blank = after.trim_start();
    let year = blank
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(blank.len());
    let year = few(&blank[..year], 4)
        .filter(|_| year == 4)
        .map(|value| (value, year));
    let end = match year {
        Some((_, digits)) => text.len() - blank.len() + digits,
        None => text.len() - after.len(),
    };
    let date = Number::new(text[..end].trim_end_matches('.'), Weight::Digits);
    let date = dated(date, [day, month], year.map(|(year, _)| year));
    (!date.parts.is_empty()).then_some((date, end))
}
