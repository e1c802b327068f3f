//! A drawn buffer as a standalone SVG picture that fetches nothing from outside.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

mod glyphs;
mod moving;
mod pen;
mod signature;

pub use moving::{Frame, moving};
use pen::Pen;
pub use signature::{is_as_drawn, signed};

/// Size of a cell, in pixels.
const WIDE: f32 = 8.4;
const HIGH: f32 = 18.0;
/// Width of the margin, in pixels.
const MARGIN: f32 = 8.0;

type Rgb = (u8, u8, u8);

/// `buf` as an SVG document with a title and a description for screen readers.
///
/// Backgrounds and block glyphs become rectangles, so that they meet without seams in any font; each run of one style
/// becomes a text element of fixed length.
pub fn svg(buf: &Buffer, title: &str, description: &str, dark: bool) -> String {
    let area = buf.area;
    let paper = page_colour(dark);
    let mut out = head(area, title, description);
    let _ = writeln!(
        out,
        "<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{}\"/>",
        hex(paper)
    );
    let pen = Pen {
        fill: |ink: Rgb| format!("fill=\"{}\"", hex(ink)),
        brief: false,
    };
    for y in 0..area.height {
        let cells: Vec<(&str, CellStyle<Rgb>)> = (0..area.width)
            .map(|x| &buf[(area.x + x, area.y + y)])
            .map(|cell| (cell.symbol(), cell_style(cell, dark)))
            .collect();
        pen.row(&cells, (0, y), &mut out);
    }
    out.push_str("</svg>\n");
    out
}

/// The beginning of a document for a drawing of this size.
fn head(area: Rect, title: &str, description: &str) -> String {
    let (columns, rows) = (f32::from(area.width), f32::from(area.height));
    let (wide, high) = (columns * WIDE + 2.0 * MARGIN, rows * HIGH + 2.0 * MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.1} {high:.1}\" width=\"{wide:.1}\" \
         height=\"{high:.1}\" role=\"img\" aria-labelledby=\"title desc\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', 'Cascadia Mono', Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace\" \
         font-size=\"14\" xml:space=\"preserve\">\n<title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n",
        escape(title),
        escape(description),
    )
}

/// Appearance of a cell, for some representation of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct CellStyle<C> {
    ink: C,
    ground: Option<C>,
    bold: bool,
    italic: bool,
    underlined: bool,
}

/// Colour of the page.
fn page_colour(dark: bool) -> Rgb {
    if dark { (22, 23, 28) } else { (252, 252, 250) }
}

fn cell_style(cell: &Cell, dark: bool) -> CellStyle<Rgb> {
    let paper = page_colour(dark);
    let plain = if dark { (222, 222, 226) } else { (36, 38, 44) };
    let mut ink = rgb(cell.fg, dark).unwrap_or(plain);
    let mut ground = rgb(cell.bg, dark);
    if cell.modifier.contains(Modifier::REVERSED) {
        (ink, ground) = (ground.unwrap_or(paper), Some(ink));
    }
    if cell.modifier.contains(Modifier::DIM) {
        let under = ground.unwrap_or(paper);
        let half = |a: u8, b: u8| ((u16::from(a) * 3 + u16::from(b) * 2) / 5) as u8;
        ink = (
            half(ink.0, under.0),
            half(ink.1, under.1),
            half(ink.2, under.2),
        );
    }
    CellStyle {
        ink,
        ground,
        bold: cell.modifier.contains(Modifier::BOLD),
        italic: cell.modifier.contains(Modifier::ITALIC),
        underlined: cell.modifier.contains(Modifier::UNDERLINED),
    }
}

/// RGB value of a colour; `None` for the terminal's default.
fn rgb(colour: Color, dark: bool) -> Option<Rgb> {
    let by = |on_dark, on_light| Some(if dark { on_dark } else { on_light });
    match colour {
        Color::Reset => None,
        Color::Rgb(r, g, b) => Some((r, g, b)),
        Color::Black => by((16, 16, 20), (16, 16, 20)),
        Color::Red => by((224, 96, 88), (190, 32, 32)),
        Color::Green => by((120, 196, 120), (22, 120, 52)),
        Color::Yellow => by((226, 184, 94), (150, 98, 0)),
        Color::Blue => by((98, 156, 240), (24, 84, 180)),
        Color::Magenta => by((198, 130, 220), (130, 50, 160)),
        Color::Cyan => by((92, 186, 200), (0, 116, 130)),
        Color::Gray => by((190, 192, 198), (90, 92, 100)),
        Color::DarkGray => by((124, 128, 140), (118, 120, 130)),
        Color::LightRed => by((255, 130, 116), (214, 50, 46)),
        Color::LightGreen => by((152, 222, 150), (40, 150, 70)),
        Color::LightYellow => by((246, 214, 130), (176, 124, 0)),
        Color::LightBlue => by((138, 184, 255), (50, 110, 210)),
        Color::LightMagenta => by((220, 160, 240), (156, 74, 190)),
        Color::LightCyan => by((130, 214, 226), (0, 140, 156)),
        Color::White => by((250, 250, 252), (20, 20, 24)),
        Color::Indexed(n) => Some(indexed(n)),
    }
}

/// RGB value in the 256-colour palette. The first sixteen, which themes refer to by name, become steps of grey.
fn indexed(n: u8) -> Rgb {
    let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    match n {
        0..=15 => (n * 16, n * 16, n * 16),
        16..=231 => (
            step((n - 16) / 36),
            step((n - 16) / 6 % 6),
            step((n - 16) % 6),
        ),
        232..=255 => {
            let grey = 8 + 10 * (n - 232);
            (grey, grey, grey)
        }
    }
}

fn hex((r, g, b): Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().filter(|c| !c.is_control() || *c == '\n') {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_contains;
    use ratatui::style::Style;

    fn drawn(text: &str, style: Style) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, 6, 1));
        buf.set_string(0, 0, text, style);
        svg(&buf, "a <b>", "c & d", true)
    }

    /// Whether all elements of a document are opened and closed in order.
    fn well_formed(document: &str) -> bool {
        let mut open: Vec<&str> = Vec::new();
        for tag in document
            .split('<')
            .skip(1)
            .map(|rest| rest.split('>').next().unwrap_or(""))
        {
            if let Some(name) = tag.strip_prefix('/') {
                if open.pop() != Some(name) {
                    return false;
                }
            } else if !tag.ends_with('/') {
                open.push(tag.split(' ').next().unwrap_or(""));
            }
        }
        open.is_empty()
    }

    #[test]
    fn a_run_of_one_style_is_one_text_of_fixed_length() {
        let picture = drawn("a & b", Style::new().fg(Color::Rgb(1, 2, 3)));
        assert!(well_formed(&picture), "{picture}");
        assert_contains(
            &picture,
            "textLength=\"42.0\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#010203\">a\u{a0}&amp;\u{a0}b</text>",
        );
        assert_contains(&picture, "<title id=\"title\">a &lt;b&gt;</title>");
    }

    #[test]
    fn grounds_and_blocks_are_rectangles() {
        let style = Style::new()
            .fg(Color::Rgb(9, 9, 9))
            .bg(Color::Rgb(255, 0, 0));
        let picture = drawn("▓▓", style);
        assert_contains(
            &picture,
            "<rect x=\"8.0\" y=\"8.0\" width=\"16.8\" height=\"18.0\" fill=\"#ff0000\"/>",
        );
        assert_eq!(
            picture
                .matches("fill=\"#090909\" fill-opacity=\"0.75\"")
                .count(),
            2
        );
        assert!(!picture.contains("<text"), "{picture}");
    }

    #[test]
    fn braille_dots_are_drawn_in_any_font() {
        let picture = drawn("⠉", Style::new().fg(Color::Rgb(1, 2, 3)));
        assert!(well_formed(&picture), "{picture}");
        assert_eq!(picture.matches("h2.4v2.4h-2.4z").count(), 2, "{picture}");
        assert!(!picture.contains("<text"), "{picture}");
    }

    #[test]
    fn an_svg_fetches_nothing_from_outside() {
        let picture = drawn("x", Style::new());
        let rest = picture.replace("http://www.w3.org/2000/svg", "");
        assert!(!rest.contains("http") && !rest.contains("url(") && !rest.contains("href"));
    }
}
