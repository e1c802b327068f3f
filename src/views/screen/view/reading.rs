//! The panes of a lesson: its text and the stage.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::super::app::{
    App, Card, OpenLesson, Overlay, Pane, Target, VisibleLines, WrapKey, WrappedPage,
};
use super::super::layout::{Split, inside, second_column, text_columns};
use super::cards::cards;
use crate::curriculum::LESSONS;
use crate::lesson::glossary;
use crate::lesson::page::{self, Predict};
use crate::lesson::session::Session;
use crate::lesson::symbols::{self, Symbol};
use crate::widgets::lines::{put, put_over, width, wrap};
use crate::widgets::{code, stage};

/// A line of a page with the columns of its symbols, see [`Lines`](super::super::app::Lines).
type PageLine = (Line<'static>, Vec<(Range<u16>, usize)>);

/// Minimum number of rows for the operands' tensors.
const OPERANDS: u16 = 9;

pub(super) fn draw_text(app: &App, open: &OpenLesson, area: Rect, buf: &mut Buffer) {
    let mut wrapped = open.wrapped.borrow_mut();
    let shown = app.blocks_shown();
    let folded = open.walk.folded(&app.progress).len();
    let columns = (app.text_columns() as u16).min(area.width);
    let key = WrapKey {
        page: open.walk.page,
        blocks: shown,
        folded,
        changed: open.walk.changed_lines(&app.progress),
        width: columns,
        highlighted: code::finished(),
        on: open.walk.session.requested().mistakes().collect(),
    };
    if wrapped.as_ref().is_none_or(|page| page.key != key) {
        let mut lines = app.page_lines(open, shown, columns);
        if shown < open.walk.page().blocks.len() {
            lines.push(Line::default());
            let words = wrap(
                "Press p to answer; then the page continues.",
                columns.into(),
            );
            let words = words.into_iter();
            lines.extend(words.map(|line| Line::from(Span::styled(line, app.display.theme.note))));
        }
        let symbols = symbols::of_page(open.walk.page());
        let math = app.prose().math;
        let lines = lines.into_iter().map(|line| {
            let named = symbols_in(&line, math, &symbols);
            (line, named)
        });
        *wrapped = Some(WrappedPage {
            key,
            lines: lines.collect(),
        });
    }
    let Some(WrappedPage { lines, .. }) = wrapped.as_ref() else {
        return;
    };
    let split = app.split_now();
    let places = match split {
        Split::Tabs => 1,
        _ => text_columns(area.width).0,
    };
    let draw = |(line, symbols): &PageLine, rect, buf: &mut Buffer| {
        line.render(rect, buf);
        let words = line.to_string();
        terms(app, &words, rect);
        lessons(app, &words, rect);
        for (columns, symbol) in symbols {
            let place = Rect {
                x: rect.x + columns.start,
                width: columns.end - columns.start,
                ..rect
            };
            app.mark(place.intersection(rect), Target::Symbol(*symbol));
        }
    };
    let (at, rows) = (open.page.scroll, usize::from(area.height));
    if places == 1 && !matches!(split, Split::Above(_)) {
        return scroll(app, lines, at, area, buf, draw);
    }
    let is_blank = |(line, _): &PageLine| line.to_string().trim().is_empty();
    let blank: Vec<bool> = lines.iter().map(is_blank).collect();
    let (all, now) = cards(&blank, at, places, rows);
    let start = |card: usize| all.get(card).map_or(0, |card| card[0].start);
    app.last_frame.shown.set(VisibleLines {
        first: start(now),
        lines: lines.len(),
        rows: rows * places,
        card: Some(Card {
            place: (now, all.len()),
            before: start(now.saturating_sub(1)),
            after: start((now + 1).min(all.len().saturating_sub(1))),
            last: start(all.len().saturating_sub(1)),
        }),
    });
    let card = all.get(now).into_iter().flatten();
    for (column, place) in card.zip([area, second_column(columns, area)]) {
        draw_lines(&lines[column.clone()], place, buf, draw);
    }
}

/// Draws lines from the top of an area on.
fn draw_lines<L>(lines: &[L], area: Rect, buf: &mut Buffer, draw: impl Fn(&L, Rect, &mut Buffer)) {
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        let rect = Rect {
            y,
            height: 1,
            ..area
        };
        draw(line, rect, buf);
    }
}

/// Symbols in a line's formulas, with their columns; those inside glossary terms are left to the terms.
fn symbols_in(line: &Line<'_>, math: Style, symbols: &[Symbol]) -> Vec<(Range<u16>, usize)> {
    let mut ranges = Vec::new();
    let mut x = 0;
    for span in &line.spans {
        if span.style == math && !symbols.is_empty() {
            let named = glossary::named_in(&span.content);
            for (bytes, symbol) in symbols::occurrences(&span.content, symbols) {
                if named.iter().any(|(word, _)| word.contains(&bytes.start)) {
                    continue;
                }
                let from = x + width(&span.content[..bytes.start]);
                let to = from + width(&span.content[bytes]);
                ranges.push((from as u16..to as u16, symbol));
            }
        }
        x += width(&span.content);
    }
    ranges
}

/// Makes the terms named in a line clickable: a click opens the card.
fn terms(app: &App, line: &str, rect: Rect) {
    for (named, term) in glossary::named_in(line) {
        let place = Rect {
            x: rect.x + width(&line[..named.start]) as u16,
            width: width(&line[named]) as u16,
            ..rect
        };
        app.mark(place.intersection(rect), Target::Glossary(term));
    }
}

/// Makes the lessons named in a line clickable: a click opens the lesson.
fn lessons(app: &App, line: &str, rect: Rect) {
    for (at, word) in line.match_indices("lesson") {
        let rest = &line[at + word.len()..];
        let digits = rest.trim_start_matches(['s', ' ']);
        let number = digits
            .get(..2)
            .and_then(|digits| digits.parse::<usize>().ok());
        let lesson = number.and_then(|n| LESSONS.iter().position(|l| l.number == n));
        let Some(lesson) = lesson else { continue };
        let wide = word.len() + rest.len() - digits.len() + 2;
        let named = Rect {
            x: rect.x + width(&line[..at]) as u16,
            width: wide as u16,
            ..rect
        };
        app.mark(named.intersection(rect), Target::Lesson(lesson));
    }
}

/// Draws the lines from `at` on.
pub(super) fn scroll<L>(
    app: &App,
    lines: &[L],
    at: usize,
    area: Rect,
    buf: &mut Buffer,
    draw: impl Fn(&L, Rect, &mut Buffer),
) {
    let rows = usize::from(area.height);
    let shown = VisibleLines {
        first: at.min(lines.len().saturating_sub(rows)),
        lines: lines.len(),
        rows,
        card: None,
    };
    app.last_frame.shown.set(shown);
    draw_lines(&lines[shown.first..], area, buf, draw);
    if app.open_lesson.is_none() || matches!(app.overlay, Some(Overlay::Hunt)) {
        mark_below(app, area, buf);
    }
}

/// Tells on the rule below a text how much of it follows.
pub(super) fn mark_hidden(app: &App, pane: Pane, rect: Rect, buf: &mut Buffer) {
    let open = app.open_lesson.as_ref();
    let reads = pane == Pane::Read && open.is_some_and(|open| !open.full);
    if reads && app.last_frame.shown.get().rows > 0 {
        mark_below(app, inside(rect), buf);
    }
}

fn mark_below(app: &App, area: Rect, buf: &mut Buffer) {
    let (theme, shown) = (&app.display.theme, app.last_frame.shown.get());
    if shown.last() == 0 {
        return;
    }
    let down = theme.glyphs().down;
    let (text, style) = match shown.last() - shown.first.min(shown.last()) {
        0 if app.overlay.is_some() => (" the end ".to_owned(), theme.dim),
        0 => (" n turns the page ".to_owned(), theme.dim),
        more => match shown.card.map(|card| card.place) {
            Some((now, all)) => (format!(" {down} {} of {all} ", now + 1), theme.cursor),
            None => (format!(" {down} {more} more "), theme.cursor),
        },
    };
    let rule = Rect {
        y: area.bottom(),
        height: 1,
        ..area
    };
    let x = usize::from(area.width).saturating_sub(width(&text));
    put_over(buf, rule, x, 0, &text, style);
}

/// Draws the options of a question from row `y` on, if there is room for them; returns the row after them.
fn draw_options(app: &App, question: &Predict, area: Rect, y: usize, buf: &mut Buffer) -> usize {
    let available = usize::from(area.width).saturating_sub(2).max(1);
    let options = question.options.iter().enumerate().flat_map(|(n, option)| {
        let lines = wrap(&page::unmarked(&option.text), available).into_iter();
        lines.enumerate().map(move |(i, line)| match i {
            0 => format!("{} {line}", n + 1),
            _ => format!("  {line}"),
        })
    });
    let options: Vec<String> = options.collect();
    if y + options.len() + 2 > usize::from(area.height) {
        return y;
    }
    for (i, line) in options.iter().enumerate() {
        put(buf, area, 0, y + i, line, app.display.theme.dim);
    }
    y + options.len() + 1
}

/// Size below which too little is seen of what is given before a prediction.
const GIVEN_WIDTH: u16 = 60;
const GIVEN_HEIGHT: u16 = 16;

/// Draws, in the place of what a question asks about, the question unless it is open beside the stage, and what is
/// given.
fn draw_before_answer(
    app: &App,
    open: &OpenLesson,
    question: &Predict,
    area: Rect,
    buf: &mut Buffer,
) {
    let (theme, width) = (&app.display.theme, usize::from(area.width));
    let session = &open.walk.session;
    let shown = question
        .given
        .as_deref()
        .filter(|_| !session.awaits_first_view() && area.width >= GIVEN_WIDTH)
        .and_then(|name| session.named(name));
    let mut y = match shown {
        Some(_) => 0,
        // The question and its options matter more than the blank rows above them.
        None => {
            let options = question.options.iter();
            let options = options.map(|option| wrap(&page::unmarked(&option.text), width).len());
            let asks = wrap(&page::unmarked(&question.ask), width).len();
            let height = usize::from(area.height);
            let needed = asks + options.sum::<usize>() + 8;
            (height / 4).min(height.saturating_sub(needed))
        }
    };
    let mut say = |words: &str, y: &mut usize, style| {
        for line in wrap(words, width) {
            put(buf, area, 0, *y, &line, style);
            *y += 1;
        }
    };
    // An open question is already shown in the text's place.
    if matches!(app.overlay, Some(Overlay::Ask(_))) {
        let words = match shown {
            Some(_) => "Before you answer, this is known:",
            None => "Answer the question on the left. Then the figure appears here.",
        };
        say(words, &mut y, theme.note);
    } else {
        say("Before you look:", &mut y, theme.note);
        y += 1;
        say(&page::unmarked(&question.ask), &mut y, theme.text);
        y = draw_options(app, question, area, y + 1, buf);
        let lines = wrap("Press p to answer; then it appears.", width);
        for line in lines
            .iter()
            .take(usize::from(area.height).saturating_sub(y))
        {
            put(buf, area, 0, y, line, theme.note);
            y += 1;
        }
    }
    let Some(shown) = shown else { return };
    let top = (y as u16 + 1).min(area.height);
    if area.height < top + GIVEN_HEIGHT {
        return;
    }
    let below = Rect {
        y: area.y + top,
        height: area.height - top,
        ..area
    };
    stage::draw_given(session, shown, below, buf, theme);
}

/// Sentence in place of a page's figure while its run is being computed.
fn awaited(session: &Session) -> String {
    let settings = session.requested();
    let mistakes = session.lesson().mistakes.iter();
    let broken: Vec<&str> = mistakes
        .filter(|mistake| settings.broken(mistake.name))
        .map(|mistake| mistake.title)
        .collect();
    if broken.is_empty() {
        return "The figure of this page is being computed …".to_owned();
    }
    format!(
        "Computing the run with this mistake: {} …",
        broken.join("; ")
    )
}

pub(super) fn draw_stage(app: &App, open: &OpenLesson, area: Rect, buf: &mut Buffer) {
    let in_quiz = matches!(&app.overlay, Some(Overlay::Ask(asked)) if asked.quiz);
    let say = |words: &str, buf: &mut Buffer| {
        let lines = wrap(&app.display.theme.words(words), area.width.into());
        for (y, line) in lines.iter().enumerate() {
            put(buf, area, 0, y, line, app.display.theme.dim);
        }
    };
    match app.unanswered() {
        Some(_) if in_quiz => {
            return say(
                "The figure of this page appears once you have answered its question.",
                buf,
            );
        }
        Some(question) => return draw_before_answer(app, open, question, area, buf),
        None => {}
    }
    let session = &open.walk.session;
    if session.awaits_page_view() && (session.awaits_first_view() || app.is_slow()) {
        return say(&awaited(session), buf);
    }
    if let (Some((_, progress)), Some(shown)) = (&open.page.job, open.walk.session.picture()) {
        let says = if progress.done < 1.0 && progress.written.is_none() {
            format!(
                "{:.0} % done, Esc stops. {}",
                progress.done * 100.0,
                progress.says
            )
        } else {
            progress.says.clone()
        };
        stage::draw_body(
            &progress.body,
            &says,
            &shown.title,
            stage::PictureView {
                cursor: &[],
                view: open.walk.session.view(),
                written: progress.written.as_ref(),
            },
            area,
            buf,
            &app.display.theme,
        );
        return;
    }
    if let Some(playing) = &app.playing
        && playing
            .moving
            .draw(session, playing.progress(), area, buf, &app.display.theme)
    {
        return;
    }
    // When a cell is asked about, the tensors of its operands are drawn below its own.
    let below = match session.why() {
        Some(_) if area.height >= OPERANDS * 2 => area.height / 2,
        _ => 0,
    };
    let operands = Rect {
        y: area.bottom() - below,
        height: below,
        ..area
    };
    let drawn = below > 0 && stage::draw_operands(session, operands, buf, &app.display.theme);
    let area = Rect {
        height: area.height - if drawn { below + 1 } else { 0 },
        ..area
    };
    app.mark(area, Target::Stage);
    for (tab, picture) in stage::draw(session, area, buf, &app.display.theme, &app.detail()) {
        app.mark(tab, Target::Picture(picture));
    }
}
