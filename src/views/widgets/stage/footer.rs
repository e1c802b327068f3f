//! The lines below the drawing: range, cursor, step, knobs and refusal.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use ratatui::style::Style;

use super::{Detail, Difference, beside, cell_name, last_name, leak, plain_name, sizes, with_heat};
use crate::lesson::session::{Focus, Session};
use crate::lesson::{FrontEnd, Mistake};
use crate::typeset::number::{short, signed};
use crate::widgets::lines::{self, Chunk, Line};
use crate::widgets::theme::Theme;

/// A line below the drawing.
pub struct FooterLine {
    /// The lowest ranks are dropped first if space is short.
    pub rank: Rank,
    pub line: Line,
    /// Names in the line that open a picture, for the mouse.
    pub tabs: Vec<Tab>,
}

impl FooterLine {
    fn new(rank: Rank, line: Line) -> Self {
        let tabs = Vec::new();
        Self { rank, line, tabs }
    }

    /// The lines of `sentence` in one style.
    fn wrapped(rank: Rank, sentence: &str, available: usize, style: Style) -> Vec<Self> {
        let words = lines::wrap(sentence, available).into_iter();
        words
            .map(|words| Self::new(rank, vec![(words, style)]))
            .collect()
    }
}

/// Columns of a name in a line, and the index of what it names.
pub struct Tab {
    pub columns: Range<usize>,
    pub index: usize,
}

/// Kind of line below the drawing, in the order in which they are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Names of the steps.
    Strip,
    /// Inputs of the step, and the smallest and largest value where the colours show them too.
    Inputs,
    /// Advice on what to watch while something is broken: these lines stay or go together.
    Watch,
    /// The knobs that are not being turned.
    Knobs,
    /// Meaning of numbers and colours.
    Caption,
    /// The knob being turned, the switches that are on, the leak indicator, and the picture's number.
    Knob,
    /// Number and name of the step.
    Step,
    /// Value at the cursor.
    Cursor,
    /// The program's reply.
    Reply,
}

/// All lines for this width, from top to bottom.
pub fn lines(
    session: &Session,
    available: usize,
    theme: &Theme,
    detail: &Detail,
) -> Vec<FooterLine> {
    let mut all: Vec<FooterLine> = Vec::new();
    if session.step().is_some() {
        let line = cursor(session, available, theme);
        all.push(FooterLine::new(Rank::Cursor, line));
        let caption = with_heat(session, |heat| heat.caption(available, theme));
        let doubled = caption.len() > 1 && with_heat(session, |heat| heat.says_plain_range());
        let rank = |i: usize| match i {
            0 if doubled => Rank::Inputs,
            _ => Rank::Caption,
        };
        let ranked = caption.into_iter().enumerate();
        all.extend(ranked.map(|(i, line)| FooterLine::new(rank(i), line)));
    }
    if let Some(refusal) = session.refusal() {
        all.extend(FooterLine::wrapped(
            Rank::Reply,
            refusal,
            available,
            theme.bad,
        ));
    }
    if let Some(remark) = session.remark() {
        all.extend(FooterLine::wrapped(
            Rank::Reply,
            remark,
            available,
            theme.note,
        ));
    }
    if let Some(note) = note(session) {
        all.extend(FooterLine::wrapped(
            Rank::Step,
            note,
            available.min(PROSE),
            theme.note,
        ));
    }
    if !matches!((detail, session.focus()), (Detail::Page(_), Focus::Step(_))) {
        all.extend(stepper(session, available, theme, detail));
    }
    if *detail == Detail::All {
        let line = strip(session, available, theme);
        all.push(FooterLine::new(Rank::Strip, line));
    }
    all.extend(knobs(session, available, theme, detail));
    all.extend(advice_lines(session, available, theme));
    all.retain(|footer| !footer.line.is_empty());
    all
}

/// Most columns of a line of prose.
const PROSE: usize = 96;

/// Height below which the knobs that are not being turned are shown only in the list of the run.
pub const TIGHT: usize = 24;

/// Rows that a drawing asks for, of those that it shares with the lines below it.
#[derive(Clone, Copy)]
pub struct Wants {
    /// Number of rows that it would like.
    pub likes: usize,
    /// Number of rows beyond which lines below are worth more than more of the drawing.
    pub most: usize,
    /// Number of rows in which all of it is readable, if that is a reasonable request.
    pub whole: Option<usize>,
}

/// Number of lines that stay even if dropping them would make all of the drawing readable.
pub fn firm(lines: &[FooterLine]) -> usize {
    let stays = |rank: Rank| rank > Rank::Caption || rank == Rank::Watch;
    lines.iter().filter(|footer| stays(footer.rank)).count()
}

/// Chooses the lines that fit below a drawing, in `height` rows for both.
///
/// The strip and the step's inputs are dropped until the drawing has what it likes, up to `most`; the advice until the
/// drawing has half of the room; all other lines until it has four rows. If dropping lines makes all of the drawing
/// readable, the caption and the knobs that are not being turned go too. Below [`TIGHT`] rows, these knobs are dropped
/// as readily as the strip.
pub fn fitting_lines(mut lines: Vec<FooterLine>, height: usize, wants: Wants) -> Vec<FooterLine> {
    let likes = wants.likes.min(wants.most);
    let firm = firm(&lines);
    let whole = wants
        .whole
        .filter(|rows| rows + firm <= height)
        .unwrap_or(0);
    let few = 4.min(height.saturating_sub(1)).min(wants.likes);
    let ranks: BTreeSet<Rank> = lines.iter().map(|footer| footer.rank).collect();
    for rank in ranks {
        let needs = match rank {
            Rank::Strip | Rank::Inputs => likes.max(whole),
            Rank::Watch => likes.min(height / 2),
            Rank::Knobs if height < TIGHT => likes.max(whole),
            Rank::Caption | Rank::Knobs => few.max(whole),
            _ => few,
        };
        while lines.len() > height || height - lines.len() < needs {
            let Some(last) = lines.iter().rposition(|footer| footer.rank == rank) else {
                break;
            };
            match rank {
                Rank::Watch => lines.retain(|footer| footer.rank != rank),
                _ => drop(lines.remove(last)),
            }
        }
    }
    lines
}

/// The run's note, unless the picture in focus already contains it.
pub fn note(session: &Session) -> Option<&str> {
    let note = session.run().note.as_deref()?;
    let says = session.picture().map_or("", |picture| &picture.says);
    (!says.contains(note)).then_some(note)
}

/// Line for the value at the cursor: `weights[0,2,4,7] = 0.4172  row "dog" → column "Hund"`.
fn cursor(session: &Session, available: usize, theme: &Theme) -> Line {
    let Some(step) = session.step() else {
        return Line::new();
    };
    with_heat(session, |heat| {
        let Some((value, blocked)) = heat.value_at_cursor() else {
            return Line::new();
        };
        let delta = if session.shows_difference() && session.difference_exists() {
            theme.glyphs().delta
        } else {
            ""
        };
        let name = format!(
            "{delta} {}",
            cell_name(&plain_name(session.trace(), step), session.cursor())
        );
        let name = name.trim_start();
        let value = theme.words(&short(value, 11));
        let mut chunks =
            vec![Chunk::new(9, format!("{name} = "), theme.dim).and(value.clone(), theme.title)];
        if chunks[0].width() > available {
            chunks[0] = Chunk::new(9, value, theme.title);
        }
        if blocked {
            chunks.push(Chunk::new(8, "blocked", theme.bad));
        }
        if let Some(value) = beside::correct_value(session) {
            let [name, _] = beside::names(session);
            let value = theme.words(&short(value, 11));
            chunks.push(Chunk::new(7, format!("{name} {value}"), theme.text));
        }
        chunks.push(Chunk::new(5, heat.words_at_cursor(theme), theme.text));
        lines::fit(chunks, available)
    })
}

/// Line for the step: `step 4 of 9: masked  mask_fill (30,8,10,11)  ← scores (30,8,10,11), mask (30,1,1,11)`.
fn stepper(session: &Session, available: usize, theme: &Theme, detail: &Detail) -> Vec<FooterLine> {
    let glyphs = theme.glyphs();
    let number = match session.focus() {
        Focus::Picture(n) => {
            return vec![pictures(session, n, available, theme, detail)];
        }
        Focus::Step(n) => n,
    };
    let steps = session.trace().steps();
    let step = &steps[number];
    let mut chunks = vec![Chunk::new(
        9,
        format!(
            "step {} of {}: {}",
            number + 1,
            steps.len(),
            last_name(&step.name)
        ),
        theme.note,
    )];
    // If the tensor is named after its operation, show the name once.
    let op = if last_name(&step.name).starts_with(step.op()) {
        ""
    } else {
        step.op()
    };
    let shape = format!(" {}", sizes(&step.value));
    chunks.push(match op {
        "" => Chunk::new(8, shape.trim_start(), theme.dim),
        op => Chunk::new(8, op, theme.title).and(shape, theme.dim),
    });
    let count = step.inputs().len();
    for (i, &input) in step.inputs().iter().enumerate() {
        let input = &steps[input];
        let comma = if i + 1 < count { "," } else { "" };
        let arrow = if i == 0 {
            format!("{} ", glyphs.from)
        } else {
            String::new()
        };
        chunks.push(
            Chunk::new(5, arrow, theme.dim)
                .and(last_name(&input.name), theme.text)
                .and(format!(" {}{comma}", sizes(&input.value)), theme.dim),
        );
    }
    let lines = lines::flow(chunks, available)
        .into_iter()
        .take(3)
        .enumerate();
    lines
        .map(|(i, line)| FooterLine::new(if i == 0 { Rank::Step } else { Rank::Inputs }, line))
        .collect()
}

/// Line for the picture: its number and, beside a page, the names of all pictures as tabs; else only its own name, which
/// commands need, unless the title contains it.
fn pictures(
    session: &Session,
    now: usize,
    available: usize,
    theme: &Theme,
    detail: &Detail,
) -> FooterLine {
    let all = &session.run().pictures;
    let picture = &all[now];
    let count = format!("picture {} of {}", now + 1, all.len());
    if matches!(detail, Detail::Page(_)) && all.len() > 1 {
        let mut line = vec![(count, theme.note), ("  ".to_owned(), theme.text)];
        let before = lines::width(&line[0].0) + 2;
        let free = available.saturating_sub(before);
        let names: Vec<Cow<str>> = all.iter().map(|p| Cow::Borrowed(p.name)).collect();
        let (shown, mut tabs) = names_around(&names, now, free, theme, |_| theme.text);
        line.extend(shown);
        for tab in &mut tabs {
            tab.columns = tab.columns.start + before..tab.columns.end + before;
        }
        let rank = Rank::Knob;
        return FooterLine { rank, line, tabs };
    }
    let title = picture.title.to_lowercase();
    let says_it = title.contains(&picture.name.to_lowercase());
    let name = if says_it { "" } else { picture.name };
    let chunks = vec![
        Chunk::new(9, count, theme.note),
        Chunk::new(5, name, theme.text),
    ];
    FooterLine::new(Rank::Knob, lines::fit(chunks, available))
}

/// Names of the steps around the current one, then of the pictures, with the current one marked.
fn strip(session: &Session, available: usize, theme: &Theme) -> Line {
    let run = session.run();
    let steps = run.trace.steps().iter().map(|step| last_name(&step.name));
    let pictures = run.pictures.iter().map(|p| Cow::Borrowed(p.name));
    let names: Vec<Cow<str>> = steps.chain(pictures).collect();
    let count = run.trace.steps().len();
    let now = match session.focus() {
        Focus::Step(n) => n,
        Focus::Picture(n) => count + n,
    };
    let style = |i: usize| if i >= count { theme.note } else { theme.dim };
    names_around(&names, now, available, theme, style).0
}

/// As many names around the current one as fit, which is marked, and the columns of each. The others have the style that
/// `style` gives them.
fn names_around(
    names: &[Cow<str>],
    now: usize,
    available: usize,
    theme: &Theme,
    style: impl Fn(usize) -> Style,
) -> (Line, Vec<Tab>) {
    let more = theme.glyphs().more;
    let edge = lines::width(more) + 1;
    let wide = |i: usize| lines::width(&names[i]) + 1;
    let (mut first, mut last, mut used) = (now, now, wide(now) + 1);
    if used > available {
        return (Line::new(), Vec::new());
    }
    loop {
        let edges = usize::from(first > 0) * edge + usize::from(last + 1 < names.len()) * edge;
        let fits = |i: usize| used + wide(i) + edges.max(edge) <= available;
        let before = first
            .checked_sub(1)
            .filter(|&i| fits(i) && now - i <= last - now + 2);
        let after = Some(last + 1).filter(|&i| i < names.len() && fits(i));
        match (before, after) {
            (Some(i), _) => (first, used) = (i, used + wide(i)),
            (None, Some(i)) => (last, used) = (i, used + wide(i)),
            (None, None) => match first.checked_sub(1).filter(|&i| fits(i)) {
                Some(i) => (first, used) = (i, used + wide(i)),
                None => break,
            },
        }
    }
    let mut line = Line::new();
    if first > 0 {
        line.push((format!("{more} "), theme.dim));
    }
    let mut start: usize = line.iter().map(|(text, _)| lines::width(text)).sum();
    let mut tabs = Vec::new();
    for (index, name) in names.iter().enumerate().take(last + 1).skip(first) {
        let (text, style) = if index == now {
            (format!("[{name}]"), theme.title)
        } else {
            (name.clone().into_owned(), style(index))
        };
        let columns = start..start + lines::width(&text);
        start = columns.end + 1;
        tabs.push(Tab { columns, index });
        line.push((text, style));
        line.push((" ".to_owned(), theme.dim));
    }
    if last + 1 < names.len() {
        line.push((more.to_owned(), theme.dim));
    }
    (line, tabs)
}

/// What to watch, for the switches that are on.
fn advice_lines(session: &Session, available: usize, theme: &Theme) -> Vec<FooterLine> {
    let settings = session.settings();
    let on = session.lesson().mistakes.iter();
    let on: Vec<&Mistake> = on
        .filter(|mistake| settings.broken(mistake.name))
        .filter(|mistake| session.lesson().advises(settings, mistake))
        .collect();
    let lines = on.iter().flat_map(|mistake| {
        let advice = session.lesson().advice(mistake, settings, FrontEnd::Screen);
        let number = session.lesson().switch_number(mistake.name);
        // The switch's number tells the advice on one mistake from that on another.
        let advice = match number.filter(|_| on.len() > 1) {
            Some(number) => format!("{number}: {advice}"),
            None => advice,
        };
        FooterLine::wrapped(Rank::Watch, &advice, available.min(PROSE), theme.note)
    });
    lines.collect()
}

/// Lines for the knobs, as in `heads ◂ 8 ▸  seed 7  leak ● none`, and the switches that are on.
fn knobs(session: &Session, available: usize, theme: &Theme, detail: &Detail) -> Vec<FooterLine> {
    let glyphs = theme.glyphs();
    let mut chunks: Vec<Chunk> = Vec::new();
    for (i, knob) in session.lesson().knobs.iter().enumerate() {
        if matches!(detail, Detail::Page(named) if !named.contains(&knob.name)) {
            continue;
        }
        if i != session.knob() && !session.lesson().matters(session.requested(), knob.name) {
            continue;
        }
        let value = theme.words(&signed(&session.requested().display(knob)));
        // A long sentence must not push the other knobs away; the list of the run has all of it.
        let arrows = lines::width(glyphs.turn.0) + lines::width(glyphs.turn.1) + 2;
        let free = available.saturating_sub(lines::width(knob.name) + 1 + arrows);
        let value = lines::clip_entry(&value, free.max(1), glyphs.more);
        let name = Chunk::new(5, format!("{} ", knob.name), theme.dim);
        chunks.push(if i == session.knob() {
            // Blanks of their own style, because a theme without colours underlines the arrows.
            name.and(glyphs.turn.0, theme.note)
                .and(" ", theme.text)
                .and(value, theme.title)
                .and(" ", theme.text)
                .and(glyphs.turn.1, theme.note)
        } else {
            name.and(value, theme.text)
        });
    }
    // Beside a page, the header shows the leak indicator.
    let apart = !matches!(detail, Detail::Page(_));
    let lamp = leak(session, theme).filter(|_| apart).map(|(text, style)| {
        Chunk::new(9, "leak ", theme.dim).and(format!("{} {text}", glyphs.lamp), style)
    });
    let on = session.lesson().mistakes.iter();
    let on = on.filter(|mistake| session.requested().broken(mistake.name));
    let broken: Vec<Chunk> = on
        .map(|mistake| {
            let number = session.lesson().switch_number(mistake.name);
            let word = match number.filter(|_| session.requested().mistakes().count() > 1) {
                Some(number) => format!("broken ({number}): "),
                None => "broken: ".to_owned(),
            };
            Chunk::new(7, word, theme.bad).and(mistake.title, theme.bad)
        })
        .collect();
    // Use one line if everything fits.
    let lamp: Vec<Chunk> = lamp.into_iter().collect();
    let together = [&chunks[..], &lamp, &broken].concat();
    let all_wide: usize = together.iter().map(|chunk| chunk.width() + 2).sum();
    if all_wide <= available + 2 {
        return vec![FooterLine::new(Rank::Knob, lines::fit(together, available))];
    }
    // Otherwise show three lines of knobs, including the chosen one, which is dropped last.
    let all = lines::flow(chunks, available);
    let is_chosen = |line: &Line| line.iter().any(|(text, _)| text == glyphs.turn.0);
    let chosen = all.iter().position(is_chosen).unwrap_or(0);
    let shown = all.into_iter().skip(chosen.saturating_sub(2)).take(3);
    let knobs = shown.map(|line| {
        let rank = if is_chosen(&line) {
            Rank::Knob
        } else {
            Rank::Knobs
        };
        FooterLine::new(rank, line)
    });
    // The header of the walkthrough shows the leak indicator too.
    let lamp = lines::flow(lamp, available).into_iter();
    let lamp = lamp.map(|line| FooterLine::new(Rank::Inputs, line));
    let broken = lines::flow(broken, available).into_iter().take(3);
    // A title cut in two would name another mistake, so its lines stay as long as the step's name does.
    let broken = broken.map(|line| FooterLine::new(Rank::Step, line));
    knobs.chain(lamp).chain(broken).collect()
}
