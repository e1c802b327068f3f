//! Printed numbers, to which claims refer.

use super::Inline;

/// The number or shape at the end of the text, or else all of the code at its end.
pub fn printed(before: &[Inline]) -> Option<String> {
    let start = before
        .iter()
        .rposition(|inline| !matches!(inline, Inline::Text(_) | Inline::Code(_)));
    let near = &before[start.map_or(0, |at| at + 1)..];
    let flat: String = near
        .iter()
        .map(|inline| match inline {
            Inline::Text(text) | Inline::Code(text) => text.text.as_str(),
            _ => "",
        })
        .collect();
    if let Some(number) = trailing(&flat) {
        return Some(number.to_string());
    }
    match near.last() {
        Some(Inline::Code(code)) if !code.text.trim().is_empty() => Some(code.text.clone()),
        _ => None,
    }
}

/// The number or shape at the very end of the text.
pub fn trailing(text: &str) -> Option<&str> {
    if text.ends_with([')', ']']) {
        return trailing_shape(text);
    }
    let bare = text.trim_end_matches(['×', '%']);
    let body = &bare[..bare.len()];
    // Skip an exponent: 1.746928e-7.
    let mantissa = match body.rfind(['e', 'E']) {
        Some(at)
            if body[at + 1..]
                .trim_start_matches(['-', '−', '+'])
                .bytes()
                .all(|b| b.is_ascii_digit())
                && body.ends_with(|c: char| c.is_ascii_digit())
                && body[..at].ends_with(|c: char| c.is_ascii_digit()) =>
        {
            at
        }
        _ => body.len(),
    };
    let digits = body[..mantissa].rfind(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let run = digits.map_or(0, |at| {
        at + body[at..].chars().next().map_or(1, char::len_utf8)
    });
    let start = run + (0..mantissa - run).find(|at| is_number(&body[run + at..mantissa]))?;
    let before = &body[..start];
    let sign = ['-', '−', '+']
        .into_iter()
        .find(|sign| before.ends_with(*sign));
    let start = match sign {
        // `10-20` is a range, not a negative number.
        Some(sign) if !before[..start - sign.len_utf8()].ends_with(char::is_alphanumeric) => {
            start - sign.len_utf8()
        }
        _ => start,
    };
    Some(&text[start..])
}

/// A shape or matrix: brackets that contain only numbers, such as `(30, 8, 10, 11)` or
/// `[[.4092, .5908], [.2228, .7772]]`.
fn trailing_shape(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(&text[at..])
                        .filter(|shape| shape.contains(|c: char| c.is_ascii_digit()));
                }
            }
            '0'..='9' | ',' | ' ' | '.' | '-' | '−' | '+' | 'e' | '×' | ';' | '…' => {}
            _ => return None,
        }
    }
    None
}

/// True if the text is a number: digits, with commas between groups of three, and at most one decimal point.
pub fn is_number(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or("");
    let grouped = whole.contains(',');
    let whole_is_right = if grouped {
        digits(first) && first.len() <= 3 && groups.all(|group| digits(group) && group.len() == 3)
    } else {
        digits(first) || (first.is_empty() && text.starts_with('.'))
    };
    whole_is_right && digits(fraction)
}
