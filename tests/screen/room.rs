//! Every page drawn with its text beside or below its picture: no text is cut while the stage has room.
//!
//! `cargo test --test screen room -- --nocapture` prints how much of each stage is used.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use transformer_tutor::curriculum::LESSONS;
use transformer_tutor::lesson::Body;
use transformer_tutor::tui::app::{App, Pane, Target};
use transformer_tutor::tui::gallery::{Gallery, Screen, Size};
use transformer_tutor::tui::layout::inside;
use transformer_tutor::widgets::theme::Theme;

use crate::pages::SLOW;

/// Sizes of the screen that are checked.
const SIZES: [Size; 3] = [(120, 40), (200, 60), (80, 24)];

/// Part of the rows below a text, or of the columns beside it, that a picture must use if text is cut.
const USED: f64 = 0.6;

/// A page at one size.
struct Drawn {
    name: String,
    size: Size,
    /// Part of the stage between the first and the last mark of each row.
    used: f64,
    /// Part of the rows or columns that the text could have had.
    taken: f64,
    /// Number of lines of text that have to be scrolled to.
    hidden: usize,
}

/// Whether something is drawn in a cell of the screen.
fn is_drawn(buf: &Buffer, x: u16, y: u16) -> bool {
    let cell = &buf[(x, y)];
    cell.symbol() != " " || cell.bg != Color::Reset
}

/// The part of the stage's area between the first and the last mark of its rows.
fn used(buf: &Buffer, stage: Rect) -> f64 {
    let rows = (stage.top()..stage.bottom()).map(|y| {
        let mut drawn = (stage.left()..stage.right()).filter(|&x| is_drawn(buf, x, y));
        let first = drawn.next();
        first.map_or(0, |first| drawn.next_back().unwrap_or(first) + 1 - first)
    });
    f64::from(rows.sum::<u16>()) / f64::from(stage.width * stage.height)
}

/// The part of the stage's rows, below a text, or else of its columns, up to the last that is drawn in.
fn taken(buf: &Buffer, stage: Rect) -> f64 {
    let (columns, rows) = (stage.left()..stage.right(), stage.top()..stage.bottom());
    if stage.x < 5 {
        let last = rows
            .rev()
            .find(|&y| columns.clone().any(|x| is_drawn(buf, x, y)));
        return f64::from(last.map_or(0, |y| y + 1 - stage.y)) / f64::from(stage.height);
    }
    let last = columns
        .rev()
        .find(|&x| rows.clone().any(|y| is_drawn(buf, x, y)));
    f64::from(last.map_or(0, |x| x + 1 - stage.x)) / f64::from(stage.width)
}

/// Whether the picture is work that has not begun, whose drawing will take the room.
fn waits(app: &App) -> bool {
    let picture = app
        .open_lesson
        .as_ref()
        .and_then(|open| open.walk.session.picture());
    picture.is_some_and(|picture| matches!(picture.body, Body::Job(_) | Body::Live(_)))
}

/// The area of a pane inside its rules.
fn pane(app: &App, wanted: Pane) -> Option<Rect> {
    let targets = app.last_frame.targets.borrow();
    let found = targets.iter().find_map(|(rect, target)| match target {
        Target::Pane(pane) if *pane == wanted => Some(*rect),
        _ => None,
    });
    found.map(inside)
}

/// Pages of all quick lessons, drawn when they are opened and when their questions are answered.
fn pages() -> Vec<Drawn> {
    let mut all = Vec::new();
    let gallery = Gallery {
        sizes: &SIZES,
        theme: Theme::by_name("dark").unwrap(),
    };
    for lesson in LESSONS.iter().filter(|lesson| lesson.name != SLOW) {
        gallery.lesson(lesson, &mut |screen: Screen<'_>| {
            let last = screen.name.rsplit('/').next().unwrap();
            let is_first = last.starts_with("page-") && last.split('-').count() == 2;
            let stage = pane(screen.app, Pane::Stage);
            let (true, Some(stage), true) =
                (is_first, stage, pane(screen.app, Pane::Read).is_some())
            else {
                return;
            };
            let shown = screen.app.last_frame.shown.get();
            all.push(Drawn {
                taken: if waits(screen.app) {
                    1.0
                } else {
                    taken(&screen.buf, stage)
                },
                used: used(&screen.buf, stage),
                hidden: shown.lines.saturating_sub(shown.rows),
                name: screen.name,
                size: screen.size,
            });
        });
    }
    all
}

#[test]
fn no_text_is_cut_while_the_stage_has_room() {
    let all = pages();
    for size in SIZES {
        let mut of_size: Vec<&Drawn> = all.iter().filter(|page| page.size == size).collect();
        of_size.sort_by(|a, b| a.used.total_cmp(&b.used));
        let (w, h) = size;
        let median = of_size[of_size.len() / 2].used;
        let cut = of_size.iter().filter(|page| page.hidden > 0).count();
        println!(
            "{w}×{h}: {} pages, median {:.0} % of the stage used, {cut} with text to scroll to",
            of_size.len(),
            100.0 * median
        );
        for page in of_size.iter().take(10) {
            println!(
                "  {:.0} % {} ({} lines hidden)",
                100.0 * page.used,
                page.name,
                page.hidden
            );
        }
    }
    let bad = all
        .iter()
        .filter(|page| page.hidden > 0 && page.taken < USED);
    let bad: Vec<String> = bad
        .map(|page| {
            let (w, h) = page.size;
            format!(
                "{} at {w}×{h}: {} lines hidden, {:.0} % taken",
                page.name,
                page.hidden,
                100.0 * page.taken
            )
        })
        .collect();
    assert!(bad.is_empty(), "{} pages\n{}", bad.len(), bad.join("\n"));
}
