//! A buffer as a standalone SVG picture, with a title and a description for those who cannot see it.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// A character's width and height, in pixels.
const CELL: (f32, f32) = (8.4, 18.0);

/// The picture; nothing in it refers to anything outside.
pub fn svg(buf: &Buffer, title: &str, description: &str, dark: bool) -> String {
    let area = buf.area;
    let (width, height) = (
        f32::from(area.width) * CELL.0,
        f32::from(area.height) * CELL.1,
    );
    let (ink, ground) = if dark {
        ("#e6e6ea", "#16161c")
    } else {
        ("#1c1c22", "#fdfdfb")
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\" aria-labelledby=\"t d\" \
         font-family=\"'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace\" font-size=\"14\">\n\
         <title id=\"t\">{}</title>\n<desc id=\"d\">{}</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"{ground}\"/>\n",
        escape(title),
        escape(description)
    );
    for y in 0..area.height {
        let mut x = 0;
        while x < area.width {
            let start = x;
            let (fg, bg, modifier) = look(buf, x, y, ink, ground);
            let mut text = String::new();
            while x < area.width
                && look(buf, x, y, ink, ground) == (fg.clone(), bg.clone(), modifier)
            {
                let symbol = buf[(area.x + x, area.y + y)].symbol();
                text.push_str(symbol);
                x += symbol.width().max(1) as u16;
            }
            run(
                &mut out,
                (start, y),
                x - start,
                &text,
                (&fg, &bg, modifier),
                ground,
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

type Look = (String, String, Modifier);

fn look(buf: &Buffer, x: u16, y: u16, ink: &str, ground: &str) -> Look {
    let cell = &buf[(buf.area.x + x, buf.area.y + y)];
    let (mut fg, mut bg) = (hex(cell.fg, ink), hex(cell.bg, ground));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut fg, &mut bg);
    }
    let kept = Modifier::BOLD | Modifier::DIM | Modifier::ITALIC | Modifier::UNDERLINED;
    (fg, bg, cell.modifier & kept)
}

fn run(
    out: &mut String,
    (x, y): (u16, u16),
    columns: u16,
    text: &str,
    (fg, bg, modifier): (&str, &str, Modifier),
    ground: &str,
) {
    let (left, top) = (f32::from(x) * CELL.0, f32::from(y) * CELL.1);
    let wide = f32::from(columns) * CELL.0;
    if bg != ground {
        let _ = writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" fill=\"{bg}\"/>",
            CELL.1
        );
    }
    if text.trim().is_empty() {
        return;
    }
    let mut style = String::new();
    if modifier.contains(Modifier::BOLD) {
        style += " font-weight=\"bold\"";
    }
    if modifier.contains(Modifier::DIM) {
        style += " opacity=\"0.62\"";
    }
    if modifier.contains(Modifier::ITALIC) {
        style += " font-style=\"italic\"";
    }
    if modifier.contains(Modifier::UNDERLINED) {
        style += " text-decoration=\"underline\"";
    }
    // Plain spaces would collapse.
    let text = escape(text).replace(' ', "\u{a0}");
    let base = top + CELL.1 * 0.76;
    let _ = writeln!(
        out,
        "<text x=\"{left:.1}\" y=\"{base:.1}\" textLength=\"{wide:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{fg}\"{style}>{text}</text>"
    );
}

fn hex(colour: Color, default: &str) -> String {
    let named = match colour {
        Color::Rgb(r, g, b) => return format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Black => "#1c1c22",
        Color::Red | Color::LightRed => "#c0392b",
        Color::Green | Color::LightGreen => "#1e8449",
        Color::Yellow | Color::LightYellow => "#b7791f",
        Color::Blue | Color::LightBlue => "#2563b0",
        Color::Magenta | Color::LightMagenta => "#8e44ad",
        Color::Cyan | Color::LightCyan => "#117a8b",
        Color::Gray => "#9a9aa2",
        Color::DarkGray => "#6b6b74",
        Color::White => "#f4f4f6",
        _ => default,
    };
    named.to_owned()
}

/// Text as XML may hold it.
pub fn escape(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_control() || *c == '\n');
    let mut out = String::new();
    for c in kept {
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
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn text_is_escaped_and_styles_become_runs() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 6, 1));
        buf.set_string(0, 0, "a<b", Style::new());
        buf.set_string(4, 0, "c", Style::new().fg(Color::Red));
        let picture = svg(&buf, "x & y", "d", false);
        assert!(
            picture.contains("<title id=\"t\">x &amp; y</title>"),
            "{picture}"
        );
        assert!(
            picture.contains(">a&lt;b\u{a0}</text>")
                && picture.contains("fill=\"#c0392b\">c</text>"),
            "{picture}"
        );
        assert_eq!(
            picture.matches("<text").count(),
            picture.matches("</text>").count()
        );
    }
}
