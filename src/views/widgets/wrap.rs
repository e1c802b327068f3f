//! Wrapping of styled text to a width in terminal columns.
//!
//! ratatui's own `Paragraph::wrap` treats a run of Chinese as one word and lets a wide glyph straddle the right edge,
//! and it wraps again at every frame. These lines are wrapped once per width and then only sliced.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_linebreak::{BreakOpportunity, linebreaks};
use unicode_segmentation::UnicodeSegmentation;

use super::lines::{parts, width as columns};

/// A stretch of text in one style. With `keep` it stays on one line if it fits and otherwise breaks only at spaces, as
/// for formulas and code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextRun {
    pub text: String,
    pub style: Style,
    pub keep: bool,
}

impl TextRun {
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
            keep: false,
        }
    }

    pub fn kept(text: impl Into<String>, style: Style) -> Self {
        Self {
            keep: true,
            ..Self::new(text, style)
        }
    }
}

/// Wraps text to lines of at most `width` columns. Breaks follow Unicode's rules (no comma or 。 at the start of a
/// line); what is wider than a line is split between graphemes. Only the white space at a break is dropped.
///
/// Newlines in the text end a line. Control characters are dropped. At a width of 1, wide glyphs become `…`.
pub fn wrap(runs: &[TextRun], width: usize) -> Vec<Line<'static>> {
    let width = width.max(1);
    let text: String = runs
        .iter()
        .flat_map(|run| run.text.chars())
        .filter(|c| *c == '\n' || !c.is_control())
        .collect();
    let styles = Styles::of(runs);
    let mut writer = Writer {
        styles: &styles,
        width,
        lines: Vec::new(),
        line: Vec::new(),
        used: 0,
    };
    let mut start = 0;
    for (end, kind) in breaks(&text) {
        let must = kind == BreakOpportunity::Mandatory;
        if !must && styles.splits_kept_run(end, &text, width) {
            continue;
        }
        writer.piece(&text, start, end);
        // The end of the text is reported as a mandatory break too.
        if must && (end < text.len() || text.ends_with('\n')) {
            writer.end_line();
        }
        start = end;
    }
    if !writer.line.is_empty() || writer.lines.is_empty() {
        writer.end_line();
    }
    writer.lines
}

/// Break opportunities by Unicode's rules, plus one before a number such as ` .5`, where those rules see the end of a
/// sentence.
fn breaks(text: &str) -> Vec<(usize, BreakOpportunity)> {
    let mut all: Vec<_> = linebreaks(text).collect();
    let numbers = text.match_indices(" .").map(|(at, _)| at + 1);
    let numbers = numbers.filter(|at| text[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    for at in numbers {
        if let Err(index) = all.binary_search_by_key(&at, |(end, _)| *end) {
            all.insert(index, (at, BreakOpportunity::Allowed));
        }
    }
    all
}

/// Like [`wrap`], for text in one style.
pub fn wrap_plain(text: &str, width: usize) -> Vec<String> {
    wrap(&[TextRun::new(text, Style::default())], width)
        .iter()
        .map(Line::to_string)
        .collect()
}

/// Cuts a text to `width` columns, with `…` at the end.
pub fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_string();
    }
    let mut out = String::new();
    let mut used = 1;
    for grapheme in text.graphemes(true) {
        used += columns(grapheme);
        if used > width {
            break;
        }
        out.push_str(grapheme);
    }
    if width > 0 {
        out.push('…');
    }
    out
}

/// The run that each byte of the joined text belongs to.
struct Styles<'a> {
    runs: Vec<(std::ops::Range<usize>, &'a TextRun)>,
}

impl<'a> Styles<'a> {
    fn of(runs: &'a [TextRun]) -> Self {
        let mut start = 0;
        let ranges = runs.iter().map(|run| {
            let length: usize = run
                .text
                .chars()
                .filter(|c| *c == '\n' || !c.is_control())
                .map(char::len_utf8)
                .sum();
            let range = start..start + length;
            start += length;
            (range, run)
        });
        Self {
            runs: ranges.collect(),
        }
    }

    fn at(&self, byte: usize) -> Style {
        let run = self.runs.partition_point(|(range, _)| range.end <= byte);
        self.runs
            .get(run)
            .map_or_else(Style::default, |(_, run)| run.style)
    }

    /// Whether a break at this position would split a run that is to be kept. A run wider than a line may break only at
    /// its spaces.
    fn splits_kept_run(&self, at: usize, text: &str, width: usize) -> bool {
        let run = self.runs.partition_point(|(range, _)| range.end <= at);
        self.runs.get(run).is_some_and(|(range, run)| {
            let inside = run.keep && range.start < at;
            inside && (columns(&text[range.clone()]) <= width || !text[..at].ends_with(' '))
        })
    }
}

struct Writer<'a> {
    styles: &'a Styles<'a>,
    width: usize,
    lines: Vec<Line<'static>>,
    line: Vec<(String, Style)>,
    used: usize,
}

impl Writer<'_> {
    /// Puts the text between two break opportunities on this line, or on the next.
    fn piece(&mut self, text: &str, start: usize, end: usize) {
        let body = text[start..end].trim_end_matches([' ', '\n']);
        let needed = columns(body);
        if self.used > 0 && self.used + needed > self.width {
            self.end_line();
        }
        let within = |at: usize| at > start && at < start + body.len();
        if needed > self.width
            && let Some(first) = parts(body).next().map(|part| start + part.len())
            && within(first)
        {
            self.piece(text, start, first);
            return self.split_word(text, first, end);
        }
        let mut at = start;
        for grapheme in text[start..end].graphemes(true) {
            let style = self.styles.at(at);
            at += grapheme.len();
            if grapheme == "\n" || grapheme == "\r\n" {
                continue;
            }
            let grapheme = if columns(grapheme) > self.width {
                "…"
            } else {
                grapheme
            };
            let wide = columns(grapheme);
            if self.used + wide > self.width {
                // White space that hangs over the edge is the break.
                if at > start + body.len() {
                    continue;
                }
                self.end_line();
            }
            self.used += wide;
            match self.line.last_mut() {
                Some((text, last)) if *last == style => text.push_str(grapheme),
                _ => self.line.push((grapheme.to_string(), style)),
            }
        }
    }

    /// Places the rest of a word that is too long for a line, part by part.
    fn split_word(&mut self, text: &str, mut start: usize, end: usize) {
        let body = text[start..end].trim_end_matches([' ', '\n']);
        let mut ends: Vec<usize> = Vec::new();
        let mut at = start;
        for part in parts(body) {
            at += part.len();
            ends.push(at);
        }
        ends.pop();
        for part in ends.into_iter().chain([end]) {
            self.piece(text, start, part);
            start = part;
        }
    }

    fn end_line(&mut self) {
        let mut spans = std::mem::take(&mut self.line);
        self.used = 0;
        while let Some((text, _)) = spans.last_mut() {
            text.truncate(text.trim_end_matches(' ').len());
            if !text.is_empty() {
                break;
            }
            spans.pop();
        }
        self.lines.push(Line::from_iter(
            spans
                .into_iter()
                .map(|(text, style)| Span::styled(text, style)),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::style::Color;

    #[test]
    fn a_number_without_its_0_goes_to_the_next_line_whole() {
        assert_eq!(wrap_plain(".099833 .995004", 8), [".099833", ".995004"]);
    }

    #[test]
    fn words_go_to_the_next_line_whole() {
        assert_eq!(
            wrap_plain("the dog runs in the park", 9),
            ["the dog", "runs in", "the park"]
        );
    }

    #[test]
    fn chinese_breaks_anywhere_but_before_a_stop() {
        assert_eq!(
            wrap_plain("注意力机制很好。它有用。", 8),
            ["注意力机", "制很好。", "它有用。"]
        );
        assert_eq!(wrap_plain("一二三四。五", 8), ["一二三", "四。五"]);
        assert_eq!(wrap_plain("see 注意力机制", 8), ["see 注意", "力机制"]);
    }

    #[test]
    fn a_word_wider_than_the_line_is_split() {
        assert_eq!(wrap_plain("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap_plain("学习学", 3), ["学", "习", "学"]);
    }

    #[test]
    fn a_kept_run_moves_as_one() {
        let runs = [
            TextRun::new("so that ", Style::default()),
            TextRun::kept("a = b + c", Style::default()),
        ];
        let lines: Vec<String> = wrap(&runs, 12).iter().map(Line::to_string).collect();
        assert_eq!(lines, ["so that", "a = b + c"]);
        let narrow: Vec<String> = wrap(&runs, 6).iter().map(Line::to_string).collect();
        assert_eq!(narrow, ["so", "that a", "= b +", "c"]);
    }

    #[test]
    fn styles_follow_their_words() {
        let red = Style::new().fg(Color::Red);
        let lines = wrap(
            &[
                TextRun::new("plain ", Style::default()),
                TextRun::new("red words", red),
            ],
            9,
        );
        assert_eq!(
            lines[0].spans,
            [Span::raw("plain "), Span::styled("red", red)]
        );
        assert_eq!(lines[1].spans, [Span::styled("words", red)]);
    }

    #[test]
    fn newlines_end_lines_and_empty_text_is_one_empty_line() {
        assert_eq!(wrap_plain("a\n\nb\n", 9), ["a", "", "b"]);
        assert_eq!(wrap_plain("", 9), [""]);
    }

    #[test]
    fn a_cut_says_so() {
        assert_eq!(cut("let scores = q", 8), "let sco…");
        assert_eq!(cut("学习学习", 6), "学习…");
        assert_eq!(cut("fits", 4), "fits");
    }

    proptest! {
        #[test]
        fn never_wider_than_the_width_and_nothing_is_lost(
            parts in prop::collection::vec(("[a-z ,.()学习。，“”🙂é\n-]{0,12}", any::<bool>()), 0..8),
            width in 2usize..40,
        ) {
            let runs: Vec<TextRun> = parts.iter().map(|(text, keep)| TextRun { keep: *keep, ..TextRun::new(text.as_str(), Style::default()) }).collect();
            let lines = wrap(&runs, width);
            for line in &lines {
                prop_assert!(columns(&line.to_string()) <= width, "{:?}", line.to_string());
            }
            let squeeze = |text: String| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let before = squeeze(parts.iter().map(|(text, _)| text.as_str()).collect());
            prop_assert_eq!(squeeze(lines.iter().map(Line::to_string).collect()), before);
        }

        #[test]
        fn any_text_fits_any_width(text in any::<String>(), width in 1usize..20) {
            for line in wrap_plain(&text, width) {
                prop_assert!(columns(&line) <= width);
            }
        }
    }
}
