//! Characters that are drawn as shapes, so that they meet without seams and look the same in any font.

use std::fmt::Write as _;

use super::{HIGH, WIDE};

/// Dots of a braille character, one bit each. Many fonts lack these characters.
pub fn braille(symbol: &str) -> Option<u32> {
    let c = u32::from(symbol.chars().next()?);
    (0x2801..=0x28ff).contains(&c).then(|| c - 0x2800)
}

/// Draws the dots of a cell as squares; `fill` is the attribute for their colour.
pub fn draw_dots(bits: u32, (left, top): (f32, f32), fill: &str, out: &mut String) {
    // Column and row of each bit of U+2800.
    const PLACES: [(f32, f32); 8] = [
        (0.0, 0.0),
        (0.0, 1.0),
        (0.0, 2.0),
        (1.0, 0.0),
        (1.0, 1.0),
        (1.0, 2.0),
        (0.0, 3.0),
        (1.0, 3.0),
    ];
    let (across, down) = (WIDE / 2.0, HIGH / 4.0);
    let mut path = String::new();
    let lit = PLACES
        .iter()
        .enumerate()
        .filter(|(bit, _)| bits >> bit & 1 == 1);
    for (_, (column, row)) in lit {
        let (x, y) = (left + column * across + 0.9, top + row * down + 1.0);
        let _ = write!(path, "M{x:.1} {y:.1}h2.4v2.4h-2.4z");
    }
    let _ = writeln!(out, "<path d=\"{path}\" {fill}/>");
}

/// Part of the cell that a block glyph fills (left, top, width, height), and its opacity.
pub fn block(symbol: &str) -> Option<(f32, f32, f32, f32, f32)> {
    Some(match symbol {
        "█" => (0.0, 0.0, 1.0, 1.0, 1.0),
        "▓" => (0.0, 0.0, 1.0, 1.0, 0.75),
        "▒" => (0.0, 0.0, 1.0, 1.0, 0.5),
        "░" => (0.0, 0.0, 1.0, 1.0, 0.25),
        "▀" => (0.0, 0.0, 1.0, 0.5, 1.0),
        "▄" => (0.0, 0.5, 1.0, 0.5, 1.0),
        "▉" => (0.0, 0.0, 0.875, 1.0, 1.0),
        "▊" => (0.0, 0.0, 0.75, 1.0, 1.0),
        "▋" => (0.0, 0.0, 0.625, 1.0, 1.0),
        "▌" => (0.0, 0.0, 0.5, 1.0, 1.0),
        "▍" => (0.0, 0.0, 0.375, 1.0, 1.0),
        "▎" => (0.0, 0.0, 0.25, 1.0, 1.0),
        "▏" => (0.0, 0.0, 0.125, 1.0, 1.0),
        "▐" => (0.5, 0.0, 0.5, 1.0, 1.0),
        _ => return None,
    })
}
