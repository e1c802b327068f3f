//! What the parts' checks use: how far the crate is, and what differs from the reference.

use std::cell::RefCell;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, set_hook};
use std::process::exit;

/// Parts that the whole needs; the others are offered.
pub const NEEDED: [&str; 6] = ["read", "log_probs", "translate", "new", "step", "copy"];

/// The panic of a part that is not written.
pub struct Unwritten;

pub fn unwritten() -> ! {
    panic_any(Unwritten)
}

/// `Err` says what is wrong.
pub type Check = Result<(), String>;

pub fn is(right: bool, says: impl FnOnce() -> String) -> Check {
    if right { Ok(()) } else { Err(says()) }
}

/// The parts and their checks.
#[derive(Default)]
pub struct Parts<'a>(Vec<(&'a str, Box<dyn Fn() -> Check + 'a>)>);

impl<'a> Parts<'a> {
    pub fn add(&mut self, name: &'a str, check: impl Fn() -> Check + 'a) {
        self.0.push((name, Box::new(check)));
    }

    /// A part whose result is compared with the reference's.
    pub fn same(&mut self, name: &'a str, own: impl Fn() -> Vec<f32> + 'a) {
        self.add(name, move || same(name, own()));
    }

    /// Runs the checks and prints how far it goes: to the first part that is wrong, or the next one to write.
    pub fn report(&self) {
        thread_local!(static PANIC: RefCell<String> = RefCell::default());
        set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let what = info.payload_as_str().unwrap_or_default();
            PANIC.set(format!("It stopped at {place}: {what}"));
        }));
        // Standard output itself, because cargo's harness keeps back what is printed.
        let say = |line: &str| drop(writeln!(std::io::stdout().lock(), "  {line}"));
        let mut missing: Vec<&str> = vec![];
        say("");
        for (name, check) in &self.0 {
            let outcome = match catch_unwind(AssertUnwindSafe(check)) {
                Err(panic) if panic.is::<Unwritten>() => {
                    missing.push(name);
                    if NEEDED.contains(name) {
                        let next = missing[0];
                        say(&format!("→ {next} is next: {}\n", about(next)));
                        exit(1);
                    }
                    continue;
                }
                Err(_) => Err(PANIC.take()),
                Ok(outcome) => outcome,
            };
            for name in missing.drain(..) {
                say(&format!("· {name} is not written"));
            }
            if let Err(what) = outcome {
                say(&format!("✗ {name}: {}\n\n    {what}\n", about(name)));
                exit(1);
            }
            say(&format!("✓ {name}"));
        }
        say("");
    }
}

/// What README.md says of a part: its minutes, its signature, what it does.
pub fn about(name: &str) -> String {
    let row = |line: &str| {
        let mut cells = line
            .strip_prefix("| `")?
            .trim_end_matches(" |")
            .split(" | ");
        let (signature, minutes, does) = (
            cells.next()?.trim_end_matches('`'),
            cells.next()?,
            cells.next()?,
        );
        let own = signature.split('(').next() == Some(name);
        own.then(|| format!("{minutes} minutes\n    {does}\n    pub fn {signature}"))
    };
    include_str!("../../README.md")
        .lines()
        .find_map(row)
        .unwrap_or_default()
}

/// Number of ids: the lines of pieces.txt, and PAD, BOS, EOS and unknown before them.
pub fn vocabulary() -> usize {
    include_str!("../../model/pieces.txt").lines().count() + 4
}

/// The width of the rows of what the reference recorded, and the numbers.
pub fn recorded(name: &str) -> (usize, Vec<f32>) {
    let line = |line: &str| {
        let (width, cells) = line
            .strip_prefix(name)?
            .strip_prefix(": ")?
            .split_once(": ")?;
        let cells = cells.split(' ').map(|cell| cell.parse().expect("a number"));
        Some((width.parse().expect("a width"), cells.collect()))
    };
    let found = include_str!("../expected.txt").lines().find_map(line);
    found.unwrap_or_else(|| panic!("expected.txt has no {name}"))
}

pub fn ids(name: &str) -> Vec<usize> {
    recorded(name).1.into_iter().map(|id| id as usize).collect()
}

/// Number of sentences with a translation.
pub fn sentences_recorded() -> usize {
    let lines = include_str!("../expected.txt").lines();
    lines.filter(|line| line.starts_with("src ")).count()
}

pub fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= 2e-3 * (1.0 + b.abs())
}

/// `Err` shows the first cell that differs from the recorded one with those around it, and what all differences have in
/// common.
pub fn same(name: &str, own: Vec<f32>) -> Check {
    let (width, expected) = recorded(name);
    let rows = expected.len() / width;
    is(own.len() == expected.len(), || {
        format!("{name}: {} numbers, not {rows} rows of {width}.", own.len())
    })?;
    let right = |i: usize| near(own[i], expected[i]);
    let Some(first) = (0..own.len()).find(|&i| !right(i)) else {
        return Ok(());
    };
    let (row, column) = (first / width, first % width);
    let columns = column.saturating_sub(1)..(column + 4).min(width);
    let mut says =
        format!("{name}: the first cell that differs is in row {row}, column {column}.\n");
    for row in row.saturating_sub(1)..(row + 2).min(rows) {
        for (whose, cells) in [("yours", &own), ("expected", &expected)] {
            says += &format!("\n    row {row}, columns {} …, {whose:<8}", columns.start);
            let cells = columns.clone().map(|column| cells[row * width + column]);
            says.extend(cells.map(|cell| format!("{cell:>11.5}")));
        }
    }
    let cell = |r: usize, c: usize| r * width + c;
    let span = |what: &str, all: usize, is_right: &dyn Fn(usize) -> bool| {
        let right: Vec<usize> = (0..all).filter(|&n| is_right(n)).collect();
        match right[..] {
            [] => format!("None of {all} {what} are right. "),
            [first, .., last] => format!(
                "Of {all} {what}, {} are right, from {first} to {last}. ",
                right.len()
            ),
            [one] => format!("Of {all} {what}, only {one} is right. "),
        }
    };
    says += "\n\n    ";
    says += &span("rows", rows, &|r| (0..width).all(|c| right(cell(r, c))));
    says += &span("columns", width, &|c| (0..rows).all(|r| right(cell(r, c))));
    let off = |i: usize| own[i] - expected[i];
    let all = |near: &dyn Fn(usize) -> bool| (0..own.len()).all(near);
    let factor = own.iter().zip(&expected).map(|(a, b)| a * b).sum::<f32>()
        / expected.iter().map(|b| b * b).sum::<f32>();
    let same_factor = format!("Yours are {factor} times what they should be.");
    let turned = |i: usize| own[i % width * rows + i / width];
    for (holds, what) in [
        (
            own.iter().any(|x| !x.is_finite()),
            "Some are infinite or NaN.",
        ),
        (
            all(&|i| near(own[i], factor * expected[i])),
            same_factor.as_str(),
        ),
        (
            all(&|i| near(off(i), off(cell(i / width, 0)))),
            "In each row, all are off by the same.",
        ),
        (
            rows > 1 && all(&|i| near(off(i), off(i % width))),
            "In each column, all are off by the same.",
        ),
        (
            rows > 1 && all(&|i| near(turned(i), expected[i])),
            "Rows and columns are exchanged.",
        ),
    ] {
        if holds {
            says += &format!("\n    {what}");
        }
    }
    Err(says)
}
