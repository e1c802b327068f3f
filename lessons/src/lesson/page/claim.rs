//! Claims: comments that follow numbers.

use std::ops::Range;

use super::{Block, Inline, Page, Table};

/// Stand-in for `|` inside a claim while Markdown is parsed, so that a claim in a table doesn't end its cell.
pub const BAR: char = '\u{1f}';

/// The Markdown without its claims, for programs that split tables before they remove comments.
pub fn without_claims(markdown: &str) -> String {
    let mut out = String::new();
    let mut last = 0;
    for range in comments(markdown) {
        out.push_str(&markdown[last..range.start]);
        last = range.end;
    }
    out + &markdown[last..]
}

/// Replaces every `|` inside a claim by [`BAR`] without changing the length, so that byte positions stay valid.
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

/// Byte ranges of a text's claims outside code blocks.
fn comments(markdown: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
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
                while let Some(start) = first_claim(&line[from..]) {
                    let start = from + start;
                    let Some(end) = line[start..].find("-->") else {
                        break;
                    };
                    from = start + end + 3;
                    ranges.push(at + start..at + from);
                }
            }
        }
        at += line.len();
    }
    ranges
}

/// Start of a line's first claim.
fn first_claim(line: &str) -> Option<usize> {
    let exact = line.find("<!-- =");
    let about = line.find("<!-- ~");
    exact.into_iter().chain(about).min()
}

/// Contents of a claim's comment.
pub struct Comment {
    /// The expression.
    pub expr: String,
    /// Knobs and values, in the order written.
    pub settings: Vec<(String, String)>,
    /// True if the number only approximates the expression's value rather than rounding it.
    pub about: bool,
}

/// Parses `<!-- = expr | knob=value … -->`, or the same with `~`. `Ok(None)` is an ordinary comment.
pub fn parse_comment(comment: &str) -> Result<Option<Comment>, String> {
    let inner = comment
        .trim()
        .trim_start_matches("<!--")
        .trim_end_matches("-->")
        .trim();
    let (body, about) = match (inner.strip_prefix('='), inner.strip_prefix('~')) {
        (Some(body), _) => (body, false),
        (None, Some(body)) => (body, true),
        (None, None) => return Ok(None),
    };
    let (expr, words) = body.split_once([BAR, '|']).unwrap_or((body, ""));
    let expr = expr.trim();
    if expr.is_empty() {
        return Err("a claim needs an expression behind its `=` or `~`".to_string());
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
    Ok(Some(Comment {
        expr: expr.to_string(),
        settings,
        about,
    }))
}

/// Splits text at white space; quotes keep a value with spaces together.
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

/// Texts shown by a `stage` or `predict` block, each with the block's line.
pub fn fenced_texts(block: &Block) -> Vec<(usize, &str)> {
    match block {
        Block::Stage(stage) => stage
            .caption
            .iter()
            .map(|caption| (stage.line, caption.as_str()))
            .collect(),
        Block::Predict(predict) => {
            let options = predict
                .options
                .iter()
                .flat_map(|option| [option.text.as_str(), option.why.as_str()]);
            std::iter::once(predict.ask.as_str())
                .chain(options)
                .map(|text| (predict.line, text))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Calls `visit` with each run of inline text, at any depth: paragraphs, headings and table cells.
pub fn each_text(pages: &[Page], visit: &mut dyn FnMut(&[Inline])) {
    for page in pages {
        each_in(&page.blocks, visit);
    }
}

pub fn each_in(blocks: &[Block], visit: &mut dyn FnMut(&[Inline])) {
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
