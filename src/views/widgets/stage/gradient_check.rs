//! Finite differences at the cursor: both slopes side by side, with one row per step size, drawn as lines or described
//! as a table.

use crate::lesson::session::gradient_check::{GradientCheck, Row};
use crate::lesson::session::verdict::{EQUAL, error, plain};
use crate::typeset::number::{ascii, short};
use crate::widgets::bars::bar;
use crate::widgets::lines::{self, Chunk, Line, width};
use crate::widgets::table;
use crate::widgets::theme::Theme;

/// Relative error below which no bar is drawn.
const FLOOR: f64 = 1e-8;

/// Lines of the panel in `available` columns.
pub fn lines(check: &GradientCheck, available: usize, theme: &Theme) -> Vec<Line> {
    let number = |x: f32| theme.words(&short(x, 11));
    let del = if theme.ascii { "d" } else { "∂" };
    let mut all = lines::flow(
        vec![
            Chunk::new(9, format!("{del} {}", check.of), theme.title),
            Chunk::new(9, format!("/ {del} {}", check.cell), theme.title),
        ],
        available,
    );
    let value = |name: &str, x| {
        let name = name.rsplit('.').next().unwrap_or(name);
        Chunk::new(5, format!("{name} = "), theme.dim).and(number(x), theme.text)
    };
    all.extend(lines::flow(
        vec![
            value(&check.cell, check.value),
            value(&check.of, check.of_value),
        ],
        available,
    ));
    if check.depends {
        let known = check.done || !check.rows.is_empty();
        let tape = if known {
            digits(check.tape)
        } else {
            "…".to_owned()
        };
        let tape = theme.words(&tape);
        all.push(Line::new());
        let tape = Chunk::new(9, "by the tape ", theme.text).and(tape, theme.title);
        all.extend(lines::flow(vec![tape], available));
        all.push(Line::new());
        all.extend(table(check, available, theme));
    }
    if !check.done {
        let words = format!("computing {} … Esc stops", check.rows.len() + 1);
        all.push(vec![(theme.words(&words), theme.note)]);
    }
    let mut say = |text: String, style| {
        all.push(Line::new());
        let words = lines::wrap(&theme.words(&text), available).into_iter();
        all.extend(words.map(|line| vec![(line, style)]));
    };
    if let Some(verdict) = check.verdict() {
        say(verdict, theme.text);
    }
    let mut last = check.chosen_words();
    if check.rows.len() > 1 {
        last += " Bars: how far the two slopes are apart, in powers of ten.";
    }
    say(last, theme.dim);
    all
}

/// One row per step size: the step, the slope, the relative error, and a bar on a log scale. Each eighth of its full
/// length is another factor of ten.
fn table(check: &GradientCheck, available: usize, theme: &Theme) -> Vec<Line> {
    let best = check.best().filter(|_| check.done);
    let cells = |row: &Row| {
        [
            plain(row.step),
            theme.words(&digits(row.slope)),
            theme.words(&error(row.relative)),
            match row.bends {
                0 => String::new(),
                n => format!("{}{n}", if theme.ascii { "^" } else { "∧" }),
            },
        ]
    };
    let header = ["step", "difference", "apart", ""].map(str::to_owned);
    let rows: Vec<[String; 4]> = check.rows.iter().map(cells).collect();
    let all = || rows.iter().chain([&header]);
    let wide = |i: usize| all().map(|row| width(&row[i])).max().unwrap_or(0);
    let wide = [0, 1, 2, 3].map(wide);
    let text = |row: &[String; 4]| {
        let pad = |i: usize| " ".repeat(wide[i] - width(&row[i]));
        let [step, slope, apart, _] = row;
        // Steps are aligned left, and the numbers to compare right.
        format!("{step}{} {}{slope} {}{apart}", pad(0), pad(1), pad(2))
    };
    let mut lines = vec![vec![(format!(" {}", text(&header)), theme.dim)]];
    for (place, (row, cells)) in check.rows.iter().zip(&rows).enumerate() {
        let here = best == Some(place);
        let mark = if here { theme.glyphs().turn.1 } else { " " };
        let style = if here { theme.cursor } else { theme.text };
        let mut line = vec![(format!("{mark}{}", text(cells)), style)];
        let bends = format!(" {}{}", cells[3], " ".repeat(wide[3] - width(&cells[3])));
        line.push((bends, theme.note));
        let used: usize = line.iter().map(|(text, _)| width(text)).sum();
        let free = available.saturating_sub(used + 1).min(16);
        let share = (row.relative.max(FLOOR) / FLOOR).log10() / -FLOOR.log10();
        let ink = match row.relative {
            r if r <= EQUAL => theme.good,
            r if r <= 0.01 => theme.text,
            _ => theme.bad,
        };
        if free >= 4 && row.relative > FLOOR {
            line.push((format!(" {}", bar(share, free, theme)), ink));
        }
        lines.push(line);
    }
    lines
}

/// Formats a number to six significant digits, so that two slopes can be compared.
fn digits(x: f64) -> String {
    let text = match x.abs() {
        0.0 => return "0".to_owned(),
        size if !size.is_finite() || !(1e-3..1e6).contains(&size) => format!("{x:.4e}"),
        size => format!("{x:.*}", (5 - size.log10().floor() as i32).max(0) as usize),
    };
    text.replace('-', "−")
}

/// Describes the differences as a table and sentences, in ASCII.
pub fn describe_gradient_check(check: &GradientCheck) -> String {
    let value = |x: f32| ascii(&short(x, 11));
    let mut sentences = vec![format!(
        "The slope of {} (= {}) by {} (= {}).",
        check.of,
        value(check.of_value),
        check.cell,
        value(check.value)
    )];
    if check.depends {
        sentences.push(format!("By the tape it is {}.", ascii(&digits(check.tape))));
        let header = [
            "step",
            "difference",
            "relative error",
            "down",
            "up",
            "kinks crossed",
        ];
        let row = |row: &Row| {
            vec![
                plain(row.step),
                ascii(&digits(row.slope)),
                ascii(&error(row.relative)),
                format!("{:e}", row.down),
                format!("{:e}", row.up),
                row.bends.to_string(),
            ]
        };
        let rows: Vec<Vec<String>> = check.rows.iter().map(row).collect();
        sentences.push(table::plain(&header.map(str::to_owned), &rows));
    }
    sentences.extend(check.verdict().map(|verdict| ascii(&verdict)));
    sentences.push(check.chosen_words());
    sentences.join("\n")
}
