//! Claims: comments behind numbers, and the numbers that have none.

use std::ops::Range;

use super::{Block, Claim, Inline, Page, Table};

/// Stands for `|` inside a claim while Markdown is read, so that a claim in a table doesn't end its cell.
pub const BAR: char = '\u{1f}';

/// All claims of a lesson in reading order.
pub fn claims(pages: &[Page]) -> Vec<Claim> {
    let mut out = Vec::new();
    each_text(pages, &mut |inlines| collect(inlines, &mut out));
    out
}

fn collect(inlines: &[Inline], out: &mut Vec<Claim>) {
    for inline in inlines {
        match inline {
            Inline::Claim(claim) => out.push(claim.clone()),
            Inline::Link { text, .. } => collect(text, out),
            _ => {}
        }
    }
}

/// The same Markdown without its claims, for readers that draw tables before they look at comments.
pub fn without_claims(markdown: &str) -> String {
    let mut out = String::new();
    let mut last = 0;
    for range in comments(markdown) {
        out.push_str(&markdown[last..range.start]);
        last = range.end;
    }
    out + &markdown[last..]
}

/// Every bar inside a claim becomes [`BAR`]; the length stays, so that places in the text stay.
pub fn hide_bars(markdown: &str) -> String {
    let mut out = String::new();
    let mut last = 0;
    for range in comments(markdown) {
        out.push_str(&markdown[last..range.start]);
        let bar = BAR.to_string();
        out.push_str(
            &markdown[range.clone()]
                .replace("\\|", &format!(" {bar}"))
                .replace('|', &bar),
        );
        last = range.end;
    }
    out + &markdown[last..]
}

/// The claims of a text, code blocks left out.
fn comments(markdown: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut fence: Option<&str> = None;
    for line in markdown.split_inclusive('\n') {
        let body = line.trim_start_matches([' ', '>']);
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| body.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, None) => {
                let mut from = 0;
                while let Some(start) = line[from..].find("<!-- =") {
                    let start = from + start;
                    let Some(end) = line[start..].find("-->") else {
                        break;
                    };
                    from = start + end + 3;
                    found.push(at + start..at + from);
                }
            }
        }
        at += line.len();
    }
    found
}

/// Knobs and values in the order in which they are written.
type Settings = Vec<(String, String)>;

/// Reads `<!-- = expr | knob=value … -->`. `Ok(None)` is an ordinary comment.
pub fn parse_comment(comment: &str) -> Result<Option<(String, Settings)>, String> {
    let inner = comment
        .trim()
        .trim_start_matches("<!--")
        .trim_end_matches("-->")
        .trim();
    let Some(body) = inner.strip_prefix('=') else {
        return Ok(None);
    };
    let (expr, words) = body.split_once([BAR, '|']).unwrap_or((body, ""));
    let expr = expr.trim();
    if expr.is_empty() {
        return Err("a claim needs an expression behind its `=`".to_string());
    }
    let mut settings = Vec::new();
    for word in words_of(words) {
        let (knob, value) = word
            .split_once('=')
            .ok_or_else(|| format!("`{word}` is not KNOB=VALUE"))?;
        if knob.is_empty() || value.is_empty() {
            return Err(format!("`{word}` is not KNOB=VALUE"));
        }
        settings.push((knob.to_string(), value.to_string()));
    }
    Ok(Some((expr.to_string(), settings)))
}

/// Words at white space; quotes keep a value with spaces together.
fn words_of(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => words.push(String::new()),
            c => words.last_mut().expect("starts with one").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The number or shape that the text ends with. Code that ends with neither is taken whole.
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

fn trailing(text: &str) -> Option<&str> {
    if text.ends_with([')', ']']) {
        return trailing_shape(text);
    }
    let bare = text.trim_end_matches(['×', '%']);
    let body = &bare[..bare.len()];
    // An exponent: 1.746928e-7.
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
        // `10-20` is a span, not a negative number.
        Some(sign) if !before[..start - sign.len_utf8()].ends_with(char::is_alphanumeric) => {
            start - sign.len_utf8()
        }
        _ => start,
    };
    Some(&text[start..])
}

/// `(30, 8, 10, 11)`, `[[.4092, .5908], [.2228, .7772]]`: brackets with numbers only.
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

/// Digits, with commas between groups of three, and at most one decimal point.
fn is_number(text: &str) -> bool {
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

/// Numbers that promise a computation and have no claim right behind them, with their lines: every decimal number, and
/// every number from 1,000 on, in prose and table cells.
///
/// Left alone are code, formulas, links, the years 1900–2099, numbers of sections and figures, and versions. Code that
/// is a number and nothing else counts as prose.
pub fn unclaimed_numbers(pages: &[Page]) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    each_text(pages, &mut |inlines| unclaimed(inlines, &mut out));
    out
}

fn unclaimed(inlines: &[Inline], out: &mut Vec<(usize, String)>) {
    let mut flat = String::new();
    let mut lines = Vec::new();
    let mut claimed: Vec<Range<usize>> = Vec::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) => {
                lines.push((flat.len(), text.line));
                flat.push_str(&text.text);
            }
            Inline::Code(code) => {
                lines.push((flat.len(), code.line));
                let number = trailing(&code.text) == Some(code.text.as_str());
                flat.push_str(&if number {
                    code.text.clone()
                } else {
                    "_".repeat(code.text.len())
                });
            }
            Inline::Claim(claim) => {
                claimed.push(flat.len().saturating_sub(claim.printed.len())..flat.len())
            }
            _ => flat.push('\n'),
        }
    }
    for range in numbers(&flat) {
        let number = &flat[range.clone()];
        let covered = claimed
            .iter()
            .any(|claim| claim.start <= range.start && range.end <= claim.end);
        if !covered && promises(number) && !is_label(&flat[..range.start]) {
            let line = lines
                .iter()
                .rfind(|(start, _)| *start <= range.start)
                .map_or(0, |(_, line)| *line);
            out.push((line, number.to_string()));
        }
    }
}

fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..]
        .find(|c: char| c.is_ascii_digit())
        .map(|start| at + start)
    {
        let in_shape = in_shape(text, start);
        let part = |c: char| c.is_ascii_digit() || c == '.' || (c == ',' && !in_shape);
        let begin = if text[..start].ends_with('.') {
            start - 1
        } else {
            start
        };
        let end = text[start..]
            .find(|c| !part(c))
            .map_or(text.len(), |end| start + end);
        let run = text[begin..end].trim_end_matches(['.', ',']);
        at = end;
        let before = &text[..begin];
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            || run.matches('.').count() > 1
        {
            continue;
        }
        // A list such as 4,16,64 is not one number.
        let mut from = begin;
        for piece in if is_number(run) {
            vec![run]
        } else {
            run.split(',').collect()
        } {
            found.push(from..from + piece.len());
            from += piece.len() + 1;
        }
    }
    found
}

/// Inside brackets that hold digits and commas only: there a comma separates.
fn in_shape(text: &str, at: usize) -> bool {
    let inside = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ');
    let before = text[..at].trim_end_matches(inside);
    let after = text[at..].trim_start_matches(inside);
    before.ends_with(['(', '[']) && after.starts_with([')', ']'])
}

fn promises(number: &str) -> bool {
    if number.contains('.') {
        return true;
    }
    let plain: String = number.chars().filter(char::is_ascii_digit).collect();
    let value: u64 = plain.parse().unwrap_or(u64::MAX);
    let year = !number.contains(',') && (1900..2100).contains(&value);
    value >= 1000 && !year
}

/// Behind these words a number is a name.
fn is_label(before: &str) -> bool {
    let word = before
        .trim_end()
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next()
        .unwrap_or("");
    matches!(
        word.trim_end_matches('.').to_lowercase().as_str(),
        "section"
            | "sections"
            | "§"
            | "figure"
            | "fig"
            | "table"
            | "equation"
            | "eq"
            | "chapter"
            | "lesson"
            | "version"
    )
}

/// Calls `visit` with each run of inline text: paragraphs, headings, table cells, at any depth.
fn each_text<'a>(pages: &'a [Page], visit: &mut dyn FnMut(&'a [Inline])) {
    for page in pages {
        each_in(&page.blocks, visit);
    }
}

fn each_in<'a>(blocks: &'a [Block], visit: &mut dyn FnMut(&'a [Inline])) {
    for block in blocks {
        match block {
            Block::Heading { text, .. } | Block::Paragraph(text) => visit(text),
            Block::Table(Table { header, rows, .. }) => {
                header
                    .iter()
                    .chain(rows.iter().flatten())
                    .for_each(|cell| visit(cell));
            }
            Block::List(list) => list
                .items
                .iter()
                .for_each(|item| each_in(&item.blocks, visit)),
            Block::Callout { blocks, .. }
            | Block::Quote(blocks)
            | Block::Footnote { blocks, .. } => each_in(blocks, visit),
            Block::Code(_)
            | Block::Math(_)
            | Block::Rule
            | Block::Figure { .. }
            | Block::Stage(_)
            | Block::Predict(_) => {}
        }
    }
}
