//! Lengths side by side.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::lines::{clip, put, width};
use super::table::{rows_seen, window};
use super::theme::Theme;
use crate::lesson::Bar;

/// Draws a line for each bar: its label, its length, its note; the unit above where it is said.
///
/// With `log` a bar's length is its place between a tenth of the smallest value and the largest. Where not all have
/// room, those around number `at` are drawn, which stands out.
pub fn draw(
    (unit, bars, log): (&str, &[Bar], bool),
    at: usize,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let (room, height) = (usize::from(area.width), usize::from(area.height));
    let head = usize::from(!unit.is_empty() && height > bars.len());
    if head > 0 {
        let scale = if log { " (log scale)" } else { "" };
        put(
            buf,
            area,
            0,
            0,
            &clip(&format!("{unit}{scale}"), room, theme.glyphs().more),
            theme.dim,
        );
    }
    let longest =
        |text: fn(&Bar) -> &str| bars.iter().map(|bar| width(text(bar))).max().unwrap_or(0);
    let (label, note) = (longest(|bar| &bar.label), longest(|bar| &bar.note));
    let beside = label.min(room / 2) + note + 8 <= room;
    // A blank line between the bars where there is room; a note that has no room beside its bar takes it.
    let two = 2 * bars.len() + head;
    let pace = if two <= height + 1 && (bars.len() < 8 || !beside) {
        2
    } else {
        1
    };
    // A long label takes that line for itself, and its bar the one below.
    let above = label > room / 2 && pace == 2 && two <= height;
    let below = !beside && !above && pace == 2 && two <= height;
    let label = if above { 0 } else { label.min(room / 2) };
    // Elsewhere what stands before its first comma may have room.
    let brief = |bar: &Bar| match beside {
        true => bar.note.clone(),
        false => bar.note.split([',', ':']).next().unwrap_or("").to_owned(),
    };
    let note = bars.iter().map(|b| width(&brief(b))).max().unwrap_or(0);
    let note = if !below && label + note + 8 <= room {
        note
    } else {
        0
    };
    let long = room.saturating_sub(label + 1 + note + usize::from(note > 0));
    let free = height.saturating_sub(head);
    // The last needs no blank line below it.
    let heights = vec![pace; bars.len()];
    let seen = window(&heights, at, free + pace - 1);
    let scrolls = seen.len() < bars.len();
    if scrolls && free > 1 {
        let note = rows_seen(&seen, bars.len());
        let note = clip(&note, room, theme.glyphs().more);
        put(buf, area, 0, height - 1, &note, theme.dim);
    }
    for (i, bar) in bars[seen.clone()].iter().enumerate() {
        let mut y = head + i * pace;
        let wide = if above { room } else { label };
        let says = clip(&bar.label, wide, theme.glyphs().more);
        let here = scrolls && seen.start + i == at;
        let style = if here { theme.cursor } else { theme.text };
        put(buf, area, 0, y, &says, style);
        y += usize::from(above);
        let share = share(bar.value, bars, log);
        let ramp = if bar.value < 0.0 {
            &theme.negative
        } else {
            &theme.share
        };
        let drawn = self::bar(share, long, theme);
        let start = if above { 0 } else { label + 1 };
        let end = put(buf, area, start, y, &drawn, ramp.ink());
        if below {
            let note = clip(&bar.note, room.saturating_sub(2), theme.glyphs().more);
            put(buf, area, 2, y + 1, &note, theme.title);
        } else if note > 0 {
            put(buf, area, end + 1, y, &brief(bar), theme.title);
        }
    }
}

/// The share of the longest bar that `value` takes, from 0 to 1.
fn share(value: f64, bars: &[Bar], log: bool) -> f64 {
    let sizes = || {
        bars.iter()
            .map(|bar| bar.value.abs())
            .filter(|v| v.is_finite() && *v > 0.0)
    };
    let most = sizes().fold(0.0, f64::max);
    let size = value.abs();
    if most == 0.0 || size == 0.0 || !size.is_finite() {
        return 0.0;
    }
    if !log {
        return size / most;
    }
    let least = sizes().fold(f64::INFINITY, f64::min) / 10.0;
    ((size / least).ln() / (most / least).ln()).clamp(0.0, 1.0)
}

/// A bar of `share` of `room` columns, to an eighth of a column; something above 0 is never nothing.
pub fn bar(share: f64, room: usize, theme: &Theme) -> String {
    let eighths = theme.glyphs().eighths;
    let parts = eighths.len();
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mut units = (share * (room * parts) as f64).round() as usize;
    if share > 0.0 && room > 0 {
        units = units.max(1);
    }
    let mut drawn = eighths[parts - 1].repeat(units / parts);
    if !units.is_multiple_of(parts) {
        drawn.push_str(eighths[units % parts - 1]);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::lines::text;

    fn drawn(log: bool, theme: &Theme) -> String {
        let bar = |label: &str, value: f64| Bar {
            label: label.to_owned(),
            value,
            note: value.to_string(),
        };
        let bars = [bar("token", 0.0081), bar("position", 0.7065)];
        let mut buf = Buffer::empty(Rect::new(0, 0, 30, 3));
        draw(("rms", &bars, log), 0, buf.area, &mut buf, theme);
        text(&buf)
    }

    #[test]
    fn lengths_are_in_proportion() {
        assert_eq!(
            drawn(false, &Theme::mono()),
            "rms\ntoken    ▏ 0.0081\nposition ██████████████ 0.7065"
        );
    }

    #[test]
    fn in_ascii_and_by_logarithm_too() {
        assert_eq!(
            drawn(true, &Theme::mono().in_ascii()),
            "rms (log scale)\ntoken    ##### 0.0081\nposition ############## 0.7065"
        );
    }

    #[test]
    fn a_note_without_room_beside_its_bar_stands_below_or_is_cut_at_its_comma() {
        let bar = |label: &str, value| Bar {
            label: label.to_owned(),
            value,
            note: "96.3 %, in 45 steps".to_owned(),
        };
        let bars = [bar("products", 1.0), bar("sums", 0.5)];
        let drawn = |height| {
            let mut buf = Buffer::empty(Rect::new(0, 0, 26, height));
            draw(("", &bars, false), 0, buf.area, &mut buf, &Theme::mono());
            text(&buf)
        };
        assert_eq!(
            drawn(4),
            "products █████████████████\n  96.3 %, in 45 steps\nsums     ████████▌\n  96.3 %, in 45 steps"
        );
        assert_eq!(
            drawn(2),
            "products ██████████ 96.3 %\nsums     █████ 96.3 %"
        );
    }

    #[test]
    fn long_labels_stand_above_their_bars() {
        let bars = [Bar {
            label: "batch norm: it comes alone".to_owned(),
            value: 1.0,
            note: "0.33".to_owned(),
        }];
        let mut buf = Buffer::empty(Rect::new(0, 0, 28, 3));
        draw(("", &bars, false), 0, buf.area, &mut buf, &Theme::mono());
        assert_eq!(
            text(&buf),
            "batch norm: it comes alone\n██████████████████████ 0.33"
        );
    }
}
