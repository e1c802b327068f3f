//! Rows of cells as SVG rectangles and texts.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::glyphs::{block, braille, draw_dots};
use super::{CellStyle, HIGH, MARGIN, WIDE, escape};

/// Writer of SVG elements.
pub(super) struct Pen<F> {
    /// Returns the attribute that gives an element this colour.
    pub fill: F,
    /// Whether to leave out what a monospaced font does anyway.
    pub brief: bool,
}

/// Adjacent cells that look the same.
struct Run<C> {
    from: u16,
    until: u16,
    look: CellStyle<C>,
    text: String,
}

impl<F> Pen<F> {
    /// Writes the cells of a row, starting at column `first` of line `y`.
    pub fn row<C>(&self, cells: &[(&str, CellStyle<C>)], (first, y): (u16, u16), out: &mut String)
    where
        C: Copy + PartialEq,
        F: Fn(C) -> String,
    {
        let top = MARGIN + f32::from(y) * HIGH;
        let end = first + cells.len() as u16;
        let mut x = first;
        let mut run: Option<Run<C>> = None;
        let mut grounds: Option<(u16, C, u16)> = None;
        let mut rects = String::new();
        let mut texts = String::new();
        while x < end {
            let (symbol, look) = cells[usize::from(x - first)];
            let wide = symbol.width().max(1) as u16;
            // Adjacent backgrounds of one colour are joined into one rectangle.
            match (&mut grounds, look.ground) {
                (Some((_, colour, until)), Some(ground)) if *colour == ground && *until == x => {
                    *until += wide
                }
                (_, ground) => {
                    self.flush_ground(grounds.take(), top, &mut rects);
                    grounds = ground.map(|ground| (x, ground, x + wide));
                }
            }
            let block = block(symbol);
            if let Some(dots) = braille(symbol) {
                self.flush_run(run.take(), top, &mut texts);
                let place = (MARGIN + f32::from(x) * WIDE, top);
                draw_dots(dots, place, &(self.fill)(look.ink), &mut texts);
            } else if let Some((left, upper, w, h, opacity)) = block {
                self.flush_run(run.take(), top, &mut texts);
                let (px, py) = (MARGIN + (f32::from(x) + left) * WIDE, top + upper * HIGH);
                let opacity = if opacity < 1.0 {
                    format!(" fill-opacity=\"{opacity}\"")
                } else {
                    String::new()
                };
                let fill = (self.fill)(look.ink) + &opacity;
                self.rect((px, py), (w * WIDE, h * HIGH), &fill, &mut texts);
            } else {
                let bare = |look: CellStyle<C>| CellStyle {
                    ground: None,
                    ..look
                };
                let same = (run.as_ref())
                    .is_some_and(|run| bare(run.look) == bare(look) && run.until == x);
                if !same || wide > 1 {
                    self.flush_run(run.take(), top, &mut texts);
                    run = Some(Run {
                        from: x,
                        until: x,
                        look,
                        text: String::new(),
                    });
                }
                if let Some(run) = &mut run {
                    run.text.push_str(symbol);
                    run.until = x + wide;
                }
                if wide > 1 {
                    self.flush_run(run.take(), top, &mut texts);
                }
            }
            x += wide;
        }
        self.flush_ground(grounds, top, &mut rects);
        self.flush_run(run, top, &mut texts);
        out.push_str(&rects);
        out.push_str(&texts);
    }

    fn flush_ground<C>(&self, ground: Option<(u16, C, u16)>, top: f32, out: &mut String)
    where
        F: Fn(C) -> String,
    {
        let Some((from, colour, until)) = ground else {
            return;
        };
        let (x, wide) = (
            MARGIN + f32::from(from) * WIDE,
            f32::from(until - from) * WIDE,
        );
        self.rect((x, top), (wide, HIGH), &(self.fill)(colour), out);
    }

    fn rect(&self, (x, y): (f32, f32), (wide, high): (f32, f32), fill: &str, out: &mut String) {
        let [x, y, wide, high] = [x, y, wide, high].map(|number| self.number(number));
        let _ = if self.brief {
            writeln!(out, "<path d=\"M{x} {y}h{wide}v{high}h-{wide}z\" {fill}/>")
        } else {
            writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" {fill}/>"
            )
        };
    }

    /// Formats pixels with one decimal, or in brief without a trailing `.0`.
    fn number(&self, pixels: f32) -> String {
        let mut text = format!("{pixels:.1}");
        if self.brief && text.ends_with(".0") {
            text.truncate(text.len() - 2);
        }
        text
    }

    fn flush_run<C: Copy>(&self, run: Option<Run<C>>, top: f32, out: &mut String)
    where
        F: Fn(C) -> String,
    {
        let Some(Run {
            from,
            until,
            look,
            text,
        }) = run
        else {
            return;
        };
        if !look.underlined && text.chars().all(|c| c == ' ') {
            return;
        }
        // Blanks at the ends need no ink.
        let (text, from, until) = if look.underlined {
            (text.as_str(), from, until)
        } else {
            let front = (text.len() - text.trim_start_matches(' ').len()) as u16;
            let back = (text.len() - text.trim_end_matches(' ').len()) as u16;
            (text.trim_matches(' '), from + front, until - back)
        };
        let x = MARGIN + f32::from(from) * WIDE;
        let long = f32::from(until - from) * WIDE;
        let mut style = String::new();
        if look.bold {
            style.push_str(" font-weight=\"bold\"");
        }
        if look.italic {
            style.push_str(" font-style=\"italic\"");
        }
        if look.underlined {
            style.push_str(" text-decoration=\"underline\"");
        }
        // Ordinary blanks inside a text would be collapsed, and the rest stretched.
        let text = escape(text).replace(' ', "\u{a0}");
        let y = top + 13.5;
        let length = if !self.brief {
            format!(" textLength=\"{long:.1}\" lengthAdjust=\"spacingAndGlyphs\"")
        } else if until - from <= 3 {
            // So few letters are nearly in place in any monospaced font.
            String::new()
        } else {
            format!(" textLength=\"{}\"", self.number(long))
        };
        let (x, y) = (self.number(x), self.number(y));
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{y}\"{length} {}{style}>{text}</text>",
            (self.fill)(look.ink)
        );
    }
}
