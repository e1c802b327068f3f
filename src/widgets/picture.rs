//! Pictures: matrices, bars, curves and tables, drawn and said.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::Marker;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget};

use super::heatmap::{HeatMap, range};
use super::lines::{clip, put, width, wrap};
use super::number::{ascii, short};
use super::theme::Theme;
use crate::autograd::Nature;
use crate::lesson::Body;
use crate::lesson::picture::{Bar, Series};

/// Draws a picture's title, its body, and under it what to see.
pub fn draw_body(
    body: &Body,
    says: &str,
    title: &str,
    cursor: &[usize],
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let area = area.intersection(buf.area);
    if area.width < 4 || area.height < 2 {
        return;
    }
    let room = usize::from(area.width);
    put(
        buf,
        area,
        0,
        0,
        &clip(title, room, theme.glyphs().more),
        theme.title,
    );
    let mut words = wrap(says, room);
    if let Body::Matrix { notes, .. } = body
        && let Some(note) = notes
            .get(cursor.first().copied().unwrap_or(0))
            .and_then(|row| row.get(*cursor.get(1)?))
        && !note.is_empty()
    {
        words.insert(0, format!("this cell: {note}"));
    }
    let height = usize::from(area.height);
    let kept = words.len().min((height - 1) / 2);
    let below = height - kept;
    for (line, text) in words.iter().take(kept).enumerate() {
        put(buf, area, 0, below + line, text, theme.text);
    }
    let inner = Rect {
        y: area.y + 1,
        height: (below - 1) as u16,
        ..area
    };
    match body {
        Body::Matrix {
            values,
            nature,
            rows,
            columns,
            ..
        } => {
            let word =
                |words: &[String], i: usize| words.get(i).cloned().unwrap_or_else(|| i.to_string());
            put(
                buf,
                inner,
                0,
                0,
                &clip(&format!("rows {}, columns {}", rows.0, columns.0), room, ""),
                theme.dim,
            );
            HeatMap {
                cells: values.data(),
                columns: values.last(),
                nature: *nature,
                range: range(values.data()),
                cursor: (
                    cursor.first().copied().unwrap_or(0),
                    cursor.get(1).copied().unwrap_or(0),
                ),
                row: &|r| word(&rows.1, r),
                column: &|c| word(&columns.1, c),
                operand: &|_, _| false,
            }
            .draw(lower(inner, 1), buf, theme);
        }
        Body::Bars {
            unit,
            bars: all,
            log,
        } => bars(unit, all, *log, inner, buf, theme),
        Body::Curves { x, y, log, series } => curves((x, y), *log, series, inner, buf, theme),
        Body::Table { header, rows } => {
            for (line, text) in table(header, rows).lines().enumerate() {
                let style = if line == 0 { theme.title } else { theme.text };
                put(
                    buf,
                    inner,
                    0,
                    line,
                    &clip(text, room, theme.glyphs().more),
                    style,
                );
            }
        }
        Body::Job(job) => {
            for (line, text) in wrap(&job.about, room).iter().enumerate() {
                put(buf, inner, 0, line + 1, text, theme.text);
            }
            put(
                buf,
                inner,
                0,
                wrap(&job.about, room).len() + 2,
                "r starts it",
                theme.note,
            );
        }
    }
}

fn lower(area: Rect, by: u16) -> Rect {
    let by = by.min(area.height);
    Rect {
        y: area.y + by,
        height: area.height - by,
        ..area
    }
}

fn bars(unit: &str, bars: &[Bar], log: bool, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let room = usize::from(area.width);
    let labels = bars
        .iter()
        .map(|b| width(&b.label))
        .max()
        .unwrap_or(0)
        .min(room / 3);
    let notes = bars
        .iter()
        .map(|b| width(&b.note))
        .max()
        .unwrap_or(0)
        .min(room / 2);
    let length = room.saturating_sub(labels + notes + 3).max(1);
    let positive = bars
        .iter()
        .map(|b| b.value)
        .filter(|v| *v > 0.0 && v.is_finite());
    let (least, most) = positive.fold((f64::INFINITY, 0.0_f64), |(l, m), v| (l.min(v), m.max(v)));
    let share = |value: f64| {
        if value.is_nan() || value <= 0.0 || most <= 0.0 {
            0.0
        } else if log {
            // One decade of room below the least, so that it is still seen.
            let floor = least.log10() - 1.0;
            ((value.log10() - floor) / (most.log10() - floor)).clamp(0.0, 1.0)
        } else {
            (value / most).clamp(0.0, 1.0)
        }
    };
    let scale = if log { ", logarithmic" } else { "" };
    put(
        buf,
        area,
        0,
        0,
        &clip(&format!("{unit}{scale}"), room, ""),
        theme.dim,
    );
    let eighths = theme.glyphs().eighths;
    for (line, bar) in bars.iter().enumerate() {
        let y = line + 1;
        put(
            buf,
            area,
            0,
            y,
            &clip(&bar.label, labels, theme.glyphs().more),
            theme.text,
        );
        let parts = (share(bar.value) * length as f64 * eighths.len() as f64).round() as usize;
        let mut text = eighths[eighths.len() - 1].repeat(parts / eighths.len());
        if parts % eighths.len() > 0 {
            text.push_str(eighths[parts % eighths.len() - 1]);
        }
        let end = put(
            buf,
            area,
            labels + 1,
            y,
            &text,
            theme.series[line % theme.series.len()],
        );
        put(buf, area, end + 1, y, &bar.note, theme.text);
    }
}

fn curves(
    (x, y): (&str, &str),
    log: bool,
    series: &[Series],
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let level = |v: f64| if log { v.max(1e-12).log10() } else { v };
    let lines: Vec<Vec<(f64, f64)>> = series
        .iter()
        .map(|s| {
            s.points
                .iter()
                .filter(|p| p.1.is_finite())
                .map(|&(x, y)| (x, level(y)))
                .collect()
        })
        .collect();
    let all = || lines.iter().flatten();
    let bounds = |values: &mut dyn Iterator<Item = f64>| {
        let (lo, hi) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(v), h.max(v))
        });
        if lo < hi {
            [lo, hi]
        } else if lo.is_finite() {
            [lo - 0.5, lo + 0.5]
        } else {
            [0.0, 1.0]
        }
    };
    let across = bounds(&mut all().map(|p| p.0));
    let up = bounds(&mut all().map(|p| p.1));
    let mark = |v: f64| short(if log { 10_f64.powf(v) } else { v } as f32, 8);
    // The legend stands under the chart: inside, it hides lines.
    let legend = usize::from(series.len() > 1) * series.len().min(usize::from(area.height) / 3);
    let chart_area = Rect {
        height: area.height - legend as u16,
        ..area
    };
    let marker = if theme.braille {
        Marker::Braille
    } else if theme.ascii {
        Marker::Dot
    } else {
        Marker::HalfBlock
    };
    let style = |i: usize| theme.series[i % theme.series.len()];
    let data = lines.iter().enumerate().map(|(i, points)| {
        Dataset::default()
            .marker(marker)
            .graph_type(GraphType::Line)
            .style(style(i))
            .data(points)
    });
    if chart_area.width > 12 && chart_area.height > 4 {
        let labels = |b: [f64; 2]| vec![mark(b[0]), mark(b[1])];
        let plain = |b: [f64; 2]| vec![short(b[0] as f32, 8), short(b[1] as f32, 8)];
        Chart::new(data.collect())
            .x_axis(
                Axis::default()
                    .title(x.to_owned())
                    .bounds(across)
                    .labels(plain(across))
                    .style(theme.dim),
            )
            .y_axis(
                Axis::default()
                    .title(if log {
                        format!("{y} (log)")
                    } else {
                        y.to_owned()
                    })
                    .bounds(up)
                    .labels(labels(up))
                    .style(theme.dim),
            )
            .render(chart_area, buf);
    }
    for (i, s) in series.iter().take(legend).enumerate() {
        let end = s
            .points
            .last()
            .map_or(String::new(), |p| format!(" {}", short(p.1 as f32, 8)));
        let text = format!("{} {}{end}", theme.glyphs().lamp, s.name);
        put(
            buf,
            area,
            0,
            usize::from(chart_area.height) + i,
            &text,
            style(i),
        );
    }
}

/// Rows aligned by display width; numbers to the right.
pub fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let columns = header.len();
    let widest = |c: usize| {
        rows.iter()
            .chain([&header.to_vec()])
            .filter_map(|r| r.get(c))
            .map(|t| width(t))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let numeric = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || "−-.".contains(c));
    let mut out = String::new();
    for row in [&header.to_vec()].into_iter().chain(rows) {
        let mut line = String::new();
        for (c, text) in row.iter().enumerate().take(columns) {
            let pad = " ".repeat(widths[c] - width(text));
            line += &if numeric(text) {
                format!("{pad}{text}")
            } else {
                format!("{text}{pad}")
            };
            line += "  ";
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// Says a picture: what to see, then its data.
pub fn describe_body(body: &Body, says: &str) -> String {
    let mut out = wrap(says, 78).join("\n") + "\n";
    match body {
        Body::Matrix {
            values,
            nature,
            rows,
            columns,
            notes,
        } => {
            let word =
                |words: &[String], i: usize| words.get(i).cloned().unwrap_or_else(|| i.to_string());
            let _ = writeln!(
                out,
                "A table: rows are {}, columns are {}.",
                rows.0, columns.0
            );
            let wide = values.last().min(12);
            for r in 0..values.shape()[0].min(24) {
                let cells: Vec<String> = (0..wide)
                    .map(|c| {
                        let note = notes
                            .get(r)
                            .and_then(|n| n.get(c))
                            .filter(|n| !n.is_empty());
                        let x = values.at(&[r, c]);
                        match (note, nature) {
                            (Some(note), _) => note.clone(),
                            (None, Nature::Mask) => {
                                if x == 0.0 { "blocked" } else { "open" }.to_owned()
                            }
                            _ => ascii(&short(x, 7)),
                        }
                    })
                    .collect();
                let _ = writeln!(out, "  {}: {}", word(&rows.1, r), cells.join(" "));
            }
            if values.shape()[0] > 24 || values.last() > 12 {
                let _ = writeln!(
                    out,
                    "  (the first rows and columns of {:?})",
                    values.shape()
                );
            }
        }
        Body::Bars { unit, bars, .. } => {
            for bar in bars {
                let _ = writeln!(
                    out,
                    "  {}: {} ({unit}: {})",
                    bar.label,
                    bar.note,
                    ascii(&short(bar.value as f32, 9))
                );
            }
        }
        Body::Curves { x, y, series, .. } => {
            for s in series {
                let every = s.points.len().div_ceil(8).max(1);
                let points: Vec<String> = s
                    .points
                    .iter()
                    .step_by(every)
                    .chain(s.points.last())
                    .map(|p| {
                        format!(
                            "{} {}",
                            ascii(&short(p.0 as f32, 8)),
                            ascii(&short(p.1 as f32, 8))
                        )
                    })
                    .collect();
                let _ = writeln!(out, "  {} ({x}, {y}): {}", s.name, points.join("; "));
            }
        }
        Body::Table { header, rows } => out += &table(header, rows),
        Body::Job(job) => {
            let _ = writeln!(out, "{} It takes a while; run starts it.", job.about);
        }
    }
    out
}
