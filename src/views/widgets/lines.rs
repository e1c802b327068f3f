//! Lines of words that must not be cut: what does not fit is left out whole, or wrapped.

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use super::audit::{self, Loss};

/// Styled words that stay together.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// The words and their styles.
    pub spans: Vec<(String, Style)>,
    /// Priority: chunks with the lowest are left out first.
    pub keep: u8,
}

impl Chunk {
    /// A chunk of words in one style.
    pub fn new(keep: u8, text: impl Into<String>, style: Style) -> Self {
        Self {
            spans: vec![(text.into(), style)],
            keep,
        }
    }

    /// Appends words in another style.
    #[must_use]
    pub fn and(mut self, text: impl Into<String>, style: Style) -> Self {
        self.spans.push((text.into(), style));
        self
    }

    /// Width in columns.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|(text, _)| width(text)).sum()
    }
}

/// A line ready to be drawn.
pub type Line = Vec<(String, Style)>;

/// Width of `text` on the screen, in columns: the sum over its graphemes, because each is drawn in separate cells.
/// Measured as a whole, the two letters of لا would take one column.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.bytes().filter(|b| !b.is_ascii_control()).count();
    }
    let graphemes = text.graphemes(true);
    let drawn = graphemes.filter(|grapheme| !grapheme.contains(char::is_control));
    drawn
        .map(|grapheme| usize::from(grapheme.cell_width()))
        .sum()
}

/// Joins the chunks with two blanks between them, leaving out those with the lowest priority until the line fits.
pub fn fit(mut chunks: Vec<Chunk>, available: usize) -> Line {
    chunks.retain(|chunk| chunk.width() > 0);
    while !chunks.is_empty() {
        let all: usize = chunks.iter().map(|c| c.width() + 2).sum();
        if all <= available + 2 {
            break;
        }
        let least = chunks.iter().map(|c| c.keep).min();
        let last = chunks.iter().rposition(|c| Some(c.keep) == least);
        chunks.remove(last.expect("there is a chunk"));
    }
    join(&chunks)
}

/// Places the chunks on as many lines as they need; one that is wider than a line is wrapped by words.
pub fn flow(chunks: Vec<Chunk>, available: usize) -> Vec<Line> {
    let mut lines: Vec<Vec<Chunk>> = Vec::new();
    let mut used = 0;
    for chunk in chunks.into_iter().filter(|c| c.width() > 0) {
        if chunk.width() > available {
            for words in wrap_spans(&chunk.spans, available) {
                lines.push(vec![Chunk {
                    spans: words,
                    keep: chunk.keep,
                }]);
            }
            used = available;
        } else if used == 0 || used + 2 + chunk.width() > available {
            used = chunk.width();
            lines.push(vec![chunk]);
        } else {
            used += 2 + chunk.width();
            lines.last_mut().expect("a line was begun").push(chunk);
        }
    }
    lines.iter().map(|line| join(line)).collect()
}

fn join(chunks: &[Chunk]) -> Line {
    let mut line = Line::new();
    for (i, chunk) in chunks.iter().enumerate() {
        if i > 0 {
            line.push(("  ".to_owned(), Style::new()));
        }
        line.extend(chunk.spans.iter().cloned());
    }
    line
}

/// Wraps `text` to lines of at most `available` columns, between words; words longer than a line are broken.
pub fn wrap(text: &str, available: usize) -> Vec<String> {
    let spans = [(text.to_owned(), Style::new())];
    let lines = wrap_spans(&spans, available).into_iter();
    lines
        .map(|line| line.into_iter().map(|(words, _)| words).collect())
        .collect()
}

fn wrap_spans(spans: &[(String, Style)], available: usize) -> Vec<Line> {
    if available == 0 {
        return Vec::new();
    }
    let mut lines = vec![Line::new()];
    let mut used = 0;
    let mut blank = false;
    for (text, style) in spans {
        for (i, word) in text.split(' ').enumerate() {
            blank |= i > 0;
            if word.is_empty() {
                continue;
            }
            let wide = width(word) + usize::from(blank && used > 0);
            if used + wide > available && used > 0 {
                lines.push(Line::new());
                used = 0;
            } else if blank && used > 0 {
                lines
                    .last_mut()
                    .expect("there is a line")
                    .push((" ".to_owned(), *style));
                used += 1;
            }
            blank = false;
            for piece in pieces(word, available) {
                if used + width(&piece) > available && used > 0 {
                    lines.push(Line::new());
                    used = 0;
                }
                used += width(&piece);
                lines
                    .last_mut()
                    .expect("there is a line")
                    .push((piece, *style));
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Splits a word into pieces of at most `available` columns, between its parts if it has any, else anywhere.
fn pieces(word: &str, available: usize) -> Vec<String> {
    if width(word) <= available {
        return vec![word.to_owned()];
    }
    let mut pieces = vec![String::new()];
    let mut is_broken = false;
    for part in parts(word) {
        let last = pieces.last_mut().expect("there is a piece");
        if width(last) + width(part) <= available {
            last.push_str(part);
            continue;
        }
        if !last.is_empty() {
            pieces.push(String::new());
        }
        for c in part.chars() {
            let last = pieces.last_mut().expect("there is a piece");
            let mut longer = last.clone();
            longer.push(c);
            if width(&longer) > available && !last.is_empty() {
                is_broken = true;
                pieces.push(c.to_string());
            } else {
                *last = longer;
            }
        }
    }
    if is_broken {
        audit::note(|| Loss::Broken(word.to_owned(), available));
    }
    pieces
}

/// Parts of a path, a call or a list without blanks, each with the separator after it: `self_attn.`, `weights`. Numbers
/// are not split.
pub fn parts(word: &str) -> impl Iterator<Item = &str> {
    let signs = word.char_indices().filter(|(_, c)| "./_:|(,".contains(*c));
    let ends = signs.filter_map(|(at, sign)| {
        let end = at + sign.len_utf8();
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let (before, after) = (word[..at].chars().next_back(), word[end..].chars().next());
        // A bracket is not a part on its own.
        let parts = before.is_some() && after.is_some_and(|c| c.is_alphanumeric());
        (parts && !(is_digit(before) && is_digit(after))).then_some(end)
    });
    let mut from = 0;
    ends.chain([word.len()]).map(move |end| {
        let part = &word[from..end];
        from = end;
        part
    })
}

/// Shortens `text` to at most `available` columns, with `more` at the end if something is left out.
pub fn clip(text: &str, available: usize, more: &str) -> String {
    if width(text) > available {
        audit::note(|| Loss::Cut(text.to_owned()));
    }
    clip_entry(text, available, more)
}

/// Like [`clip`], for text that is shown whole elsewhere: a list entry when it is selected, a label when the cursor is
/// on its row.
pub fn clip_entry(text: &str, available: usize, more: &str) -> String {
    if width(text) <= available {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width(&kept) + width(more) > available {
            kept.pop();
            break;
        }
    }
    if width(more) <= available {
        kept + more
    } else {
        String::new()
    }
}

/// Writes `text` at column `x` and row `y` of `area`, clipped to the area, and returns the column after it.
pub fn put(buf: &mut Buffer, area: Rect, x: usize, y: usize, text: &str, style: Style) -> usize {
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    if x >= columns || y >= rows {
        if !text.trim().is_empty() {
            audit::note(|| Loss::Beyond(text.to_owned(), 0));
        }
        return x;
    }
    let (left, top) = (area.x + x as u16, area.y + y as u16);
    if audit::is_watched() {
        look_before(buf, (left, top), text, columns - x);
    }
    let (end, _) = buf.set_stringn(left, top, text, columns - x, style);
    usize::from(end - area.x)
}

/// Like [`put`], for text that may overwrite other text: a mark on a border, a cursor on a row.
pub fn put_over(
    buf: &mut Buffer,
    area: Rect,
    x: usize,
    y: usize,
    text: &str,
    style: Style,
) -> usize {
    put(buf, area, x, y, &" ".repeat(width(text)), style);
    put(buf, area, x, y, text, style)
}

/// Records what a text will lose if it is written at this position in this many columns, and what it will cover.
fn look_before(buf: &Buffer, (left, top): (u16, u16), text: &str, columns: usize) {
    if width(text.trim_end()) > columns {
        audit::note(|| Loss::Beyond(text.to_owned(), columns));
    }
    let mut x = left;
    let mut under = String::new();
    for c in text.chars().take(columns) {
        let stood = buf.cell((x, top)).map_or(" ", |cell| cell.symbol());
        // Lines, marks and shades may cross one another; a letter or digit may neither cover nor be covered.
        let is_word = c.is_alphanumeric() || stood.chars().any(char::is_alphanumeric);
        let c = c.to_string();
        if is_word && c != " " && stood != " " && stood != c {
            under.push_str(stood);
        }
        x += width(&c) as u16;
    }
    if !under.is_empty() {
        audit::note(|| Loss::Over(text.to_owned(), under));
    }
}

/// Writes a line at row `y` of `area`.
pub fn put_line(buf: &mut Buffer, area: Rect, y: usize, line: &[(String, Style)]) {
    let mut x = 0;
    for (text, style) in line {
        x = put(buf, area, x, y, text, *style);
    }
}

/// Text of a buffer row by row, without styles and trailing blanks.
pub fn text(buf: &Buffer) -> String {
    let mut rows = Vec::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut row = String::new();
        let mut skip = 0;
        for x in buf.area.left()..buf.area.right() {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buf[(x, y)].symbol();
            skip = width(symbol).saturating_sub(1);
            row.push_str(symbol);
        }
        rows.push(row.trim_end().to_owned());
    }
    rows.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_important_chunks_are_left_out_whole() {
        let chunks = || {
            ["scores", "(10, 11)", "b0 h2"]
                .into_iter()
                .zip([9, 1, 5])
                .map(|(text, keep)| Chunk::new(keep, text, Style::new()))
                .collect::<Vec<_>>()
        };
        let at = |available| {
            fit(chunks(), available)
                .into_iter()
                .map(|(t, _)| t)
                .collect::<String>()
        };
        assert_eq!(at(30), "scores  (10, 11)  b0 h2");
        assert_eq!(at(20), "scores  b0 h2");
        assert_eq!(at(12), "scores");
        assert_eq!(at(3), "");
    }

    #[test]
    fn text_is_wrapped_between_words_by_what_they_measure() {
        assert_eq!(wrap("each query asks", 10), ["each query", "asks"]);
        assert_eq!(wrap("注意力 is all", 6), ["注意力", "is all"]);
        assert_eq!(wrap("unbreakable", 4), ["unbr", "eaka", "ble"]);
        assert_eq!(wrap("", 4), Vec::<String>::new());
    }

    #[test]
    fn a_path_too_long_for_a_line_is_broken_between_its_parts() {
        assert_eq!(
            wrap("decoder.self_attn.weights", 14),
            ["decoder.self_", "attn.weights"]
        );
        assert_eq!(
            wrap("tok:13a|smooth:exp", 9),
            ["tok:13a|", "smooth:", "exp"]
        );
        let mut lines = Vec::new();
        let lost = audit::losses(|| lines = wrap("loss(1,050,624)", 9));
        assert_eq!(lines, ["loss(", "1,050,624", ")"]);
        assert_eq!(lost, [Loss::Broken("loss(1,050,624)".to_owned(), 9)]);
    }

    #[test]
    fn a_text_measures_what_it_takes_when_it_is_drawn() {
        let available = Rect::new(0, 0, 40, 1);
        for text in [
            "abc",
            "注意力",
            "e\u{301}",
            "لا",
            "क्षe श्री",
            "ｶﾞ",
            "👨\u{200d}👩\u{200d}👧|",
            "⚠\u{fe0f}|",
            "🇩🇪|",
            "a\u{7}b",
        ] {
            let mut buf = Buffer::empty(available);
            let end = put(&mut buf, available, 0, 0, text, Style::new());
            assert_eq!(width(text), end, "{text}");
        }
    }

    #[test]
    fn clipped_text_says_so() {
        assert_eq!(clip("vocabulary", 6, "…"), "vocab…");
        assert_eq!(clip("key", 6, "…"), "key");
    }
}
