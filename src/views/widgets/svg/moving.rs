//! A sequence of frames as one animated picture: an SVG with CSS animation, in a light and a dark form.
//!
//! What never changes is drawn once. Each changing piece of a row is drawn once for each stretch of time in which it
//! stays the same, and all pieces of one stretch are shown and hidden together.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::time::Duration;

use ratatui::buffer::Buffer;

use super::pen::Pen;
use super::{CellStyle, Rgb, cell_style, head, hex};
use crate::widgets::theme::Theme;

/// One frame in both forms, which differ only in their colours, and its duration.
pub struct Frame {
    /// The frame for a light page.
    pub light: Buffer,
    /// The frame for a dark page.
    pub dark: Buffer,
    /// How long the frame is shown.
    pub stays: Duration,
}

/// A colour on a light page and on a dark one.
type Pair = (Rgb, Rgb);

/// A cell's symbol, by number, and its appearance.
type StyledSymbol = (u32, CellStyle<Pair>);

/// Up to this many unchanged cells between two changing ones are drawn with them.
const JOINED: usize = 3;

/// The frames as an SVG document that repeats from the start. Readers who want no animation (`prefers-reduced-motion`)
/// see frame `still`. All frames must have the same size.
pub fn moving(frames: &[Frame], still: usize, title: &str, description: &str) -> String {
    let Some(first) = frames.first() else {
        return String::new();
    };
    let area = first.light.area;
    let papers = [Theme::true_light(), Theme::true_dark()].map(|theme| theme.ground);
    let paper = (papers[0].unwrap_or_default(), papers[1].unwrap_or_default());
    let mut symbols = Symbols::default();
    let mut stretches: BTreeMap<(usize, usize), String> = BTreeMap::new();
    let mut colours = Colours::default();
    for y in 0..area.height {
        let rows: Vec<Vec<StyledSymbol>> = (frames.iter())
            .map(|frame| symbols.row(frame, y, paper))
            .collect();
        for piece in pieces(&rows, usize::from(area.width)) {
            let mut from = 0;
            while from < frames.len() {
                let same = |n: &usize| rows[*n][piece.clone()] == rows[from][piece.clone()];
                let until = (from..frames.len())
                    .find(|n| !same(n))
                    .unwrap_or(frames.len());
                let cells: Vec<(&str, CellStyle<Pair>)> = rows[from][piece.clone()]
                    .iter()
                    .map(|(symbol, look)| (symbols.names[*symbol as usize].as_str(), *look))
                    .collect();
                let out = stretches.entry((from, until)).or_default();
                colours.draw(&cells, (piece.start as u16, y), out);
                from = until;
            }
        }
    }
    // Stretches of blanks need no element and no timing.
    stretches.retain(|_, elements| !elements.is_empty());
    let times: Vec<f64> = [0.0]
        .into_iter()
        .chain(frames.iter().scan(0.0, |end, frame| {
            *end += frame.stays.as_secs_f64();
            Some(*end)
        }))
        .collect();
    let mut out = head(area, title, description);
    out.push_str("<style>\n");
    colours.style(&mut out, paper);
    clock(stretches.keys(), &times, still, &mut out);
    out.push_str("</style>\n<rect width=\"100%\" height=\"100%\" rx=\"6\" class=\"p\"/>\n");
    for (n, (stretch, elements)) in stretches.iter().enumerate() {
        let _ = if *stretch == (0, frames.len()) {
            writeln!(out, "<g>\n{elements}</g>")
        } else {
            writeln!(out, "<g class=\"s s{n}\">\n{elements}</g>")
        };
    }
    out.push_str("</svg>\n");
    out
}

/// Writes the CSS that shows each stretch in its time.
fn clock<'a>(
    stretches: impl Iterator<Item = &'a (usize, usize)>,
    times: &[f64],
    still: usize,
    out: &mut String,
) {
    let (frames, whole) = (times.len() - 1, times[times.len() - 1]);
    let _ = writeln!(
        out,
        ".s{{visibility:hidden;animation:{whole:.2}s step-end infinite}}"
    );
    let mut at_rest = Vec::new();
    for (n, &(from, until)) in stretches.enumerate() {
        if (from, until) == (0, frames) {
            continue;
        }
        let percent = |frame: usize| {
            let text = format!("{:.3}", times[frame] / whole * 100.0);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        let mut keys = String::new();
        if from > 0 {
            keys.push_str("0%{visibility:hidden}");
        }
        let _ = write!(keys, "{}%{{visibility:visible}}", percent(from));
        if until < frames {
            let _ = write!(keys, "{}%,100%{{visibility:hidden}}", percent(until));
        } else {
            keys.push_str("100%{visibility:visible}");
        }
        let _ = writeln!(out, ".s{n}{{animation-name:k{n}}}@keyframes k{n}{{{keys}}}");
        if (from..until).contains(&still) {
            at_rest.push(format!(".s{n}"));
        }
    }
    let at_rest = format!("{}{{visibility:visible}}", at_rest.join(","));
    // Programs that draw no animation show this frame too.
    let _ = writeln!(
        out,
        "{at_rest}\n@media (prefers-reduced-motion:reduce){{.s{{animation:none}}{at_rest}}}"
    );
}

/// Splits a row into pieces: those that never change, and those that change, with a few unchanged cells in between.
fn pieces(rows: &[Vec<StyledSymbol>], columns: usize) -> Vec<std::ops::Range<usize>> {
    let changes: Vec<bool> = (0..columns)
        .map(|x| rows.iter().any(|row| row[x] != rows[0][x]))
        .collect();
    let mut pieces: Vec<(bool, std::ops::Range<usize>)> = Vec::new();
    for (x, &changing) in changes.iter().enumerate() {
        match pieces.last_mut() {
            Some((of, piece)) if *of == changing => piece.end = x + 1,
            _ => pieces.push((changing, x..x + 1)),
        }
    }
    let mut joined: Vec<(bool, std::ops::Range<usize>)> = Vec::new();
    for (n, (changing, piece)) in pieces.iter().enumerate() {
        let between = !changing && piece.len() <= JOINED && n > 0 && n + 1 < pieces.len();
        match joined.last_mut() {
            Some((true, last)) if *changing || between => last.end = piece.end,
            _ => joined.push((*changing, piece.clone())),
        }
    }
    joined.into_iter().map(|(_, piece)| piece).collect()
}

/// Numbering of the symbols in use.
#[derive(Default)]
struct Symbols {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Symbols {
    fn row(&mut self, frame: &Frame, y: u16, paper: Pair) -> Vec<StyledSymbol> {
        let area = frame.light.area;
        let cells = (area.left()..area.right()).map(|x| {
            let place = (x, area.y + y);
            let (light, dark) = (&frame.light[place], &frame.dark[place]);
            let (a, b) = (cell_style(light, false), cell_style(dark, true));
            let ground = match (a.ground, b.ground) {
                (None, None) => None,
                (a, b) => Some((a.unwrap_or(paper.0), b.unwrap_or(paper.1))),
            };
            let seen = CellStyle {
                ink: (a.ink, b.ink),
                ground: ground.filter(|ground| *ground != paper),
                bold: a.bold,
                italic: a.italic,
                underlined: a.underlined,
            };
            // A blank has no ink.
            let seen = match (light.symbol(), a.underlined) {
                (" ", false) => CellStyle {
                    ink: paper,
                    bold: false,
                    italic: false,
                    ..seen
                },
                _ => seen,
            };
            (self.number(light.symbol()), seen)
        });
        cells.collect()
    }

    fn number(&mut self, symbol: &str) -> u32 {
        if let Some(number) = self.numbers.get(symbol) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(symbol.to_owned());
        self.numbers.insert(symbol.to_owned(), number);
        number
    }
}

/// The pairs of colours in use, in order of appearance.
#[derive(Default)]
struct Colours(std::cell::RefCell<Vec<Pair>>);

impl Colours {
    fn draw(&mut self, cells: &[(&str, CellStyle<Pair>)], at: (u16, u16), out: &mut String) {
        let pen = Pen {
            fill: |pair: Pair| {
                let mut known = self.0.borrow_mut();
                let place = known.iter().position(|other| *other == pair);
                let number = place.unwrap_or_else(|| {
                    known.push(pair);
                    known.len() - 1
                });
                format!("class=\"c{number}\"")
            },
            brief: true,
        };
        pen.row(cells, at, out);
    }

    fn style(&self, out: &mut String, paper: Pair) {
        let known = self.0.borrow();
        let rules = |out: &mut String, of: fn(&Pair) -> Rgb| {
            let _ = write!(out, ".p{{fill:{}}}", hex(of(&paper)));
            for (number, pair) in known.iter().enumerate() {
                let _ = write!(out, ".c{number}{{fill:{}}}", hex(of(pair)));
            }
        };
        rules(out, |pair| pair.0);
        out.push_str("\n@media (prefers-color-scheme:dark){");
        rules(out, |pair| pair.1);
        out.push_str("}\n");
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;
    use crate::testing::assert_contains;

    fn frame(text: &str) -> Frame {
        let mut buf = Buffer::empty(Rect::new(0, 0, 20, 1));
        buf.set_string(0, 0, text, Style::new());
        Frame {
            light: buf.clone(),
            dark: buf,
            stays: Duration::from_millis(500),
        }
    }

    #[test]
    fn unchanged_cells_are_drawn_once_and_changed_ones_once_per_stretch() {
        let frames = [
            "always here  one",
            "always here  two",
            "always here  two",
            "always here  one",
        ];
        let picture = moving(&frames.map(frame), 0, "t", "d");
        assert_eq!(picture.matches("always").count(), 1, "{picture}");
        assert_eq!(picture.matches(">one<").count(), 2, "{picture}");
        assert_eq!(picture.matches(">two<").count(), 1, "{picture}");
        assert_contains(&picture, "animation:2.00s step-end infinite");
        assert_contains(
            &picture,
            "{0%{visibility:hidden}25%{visibility:visible}75%,100%{visibility:hidden}}",
        );
    }

    #[test]
    fn a_reader_who_wants_no_movement_sees_the_frame_that_is_named() {
        let picture = moving(&["one", "two"].map(frame), 1, "t", "d");
        let rule = picture
            .lines()
            .find(|line| line.contains("reduced-motion"))
            .unwrap();
        let shown = rule
            .split("{animation:none}")
            .nth(1)
            .unwrap()
            .split('{')
            .next()
            .unwrap();
        let group = picture
            .split(&format!("class=\"s {}\"", &shown[1..]))
            .nth(1)
            .unwrap();
        assert!(
            group.split("</g>").next().unwrap().contains(">two<"),
            "{picture}"
        );
    }
}
