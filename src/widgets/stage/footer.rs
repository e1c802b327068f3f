//! The lines below the drawing: the range, the cursor, the step, the knobs, and a refusal.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{Difference, cell_name, last_name, leak, sizes, with_heat};
use crate::lesson::session::{Focus, Session};
use crate::lesson::{FrontEnd, Mistake};
use crate::typeset::number::short;
use crate::widgets::lines::{self, Chunk, Line};
use crate::widgets::theme::Theme;

/// A line and its rank: the lowest go first where there is little room.
pub type Ranked = (Rank, Line);

/// What a line below the drawing says, from what goes first to what goes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The names of the steps.
    Strip,
    /// What the step was computed from, and the least and greatest number where the colours say them too.
    Inputs,
    /// What to watch while something is broken: these lines stay or go together.
    Watch,
    /// The other knobs.
    Knobs,
    /// What numbers and colours mean.
    Caption,
    /// The knob that is turned, the switches that are on, the leak indicator, the picture's number.
    Knob,
    /// The step's number and name.
    Step,
    /// The number at the cursor.
    Cursor,
    /// What the program answers.
    Said,
}

/// Every line for this width, from top to bottom.
pub fn lines(session: &Session, room: usize, theme: &Theme, with_strip: bool) -> Vec<Ranked> {
    let mut all: Vec<Ranked> = Vec::new();
    if session.step().is_some() {
        all.push((Rank::Cursor, cursor(session, room, theme)));
        let caption = with_heat(session, |heat| heat.caption(room, theme));
        let doubled = caption.len() > 1 && with_heat(session, |heat| heat.says_plain_range());
        let rank = |i: usize| match i {
            0 if doubled => Rank::Inputs,
            _ => Rank::Caption,
        };
        let ranked = caption.into_iter().enumerate();
        all.extend(ranked.map(|(i, line)| (rank(i), line)));
    }
    if let Some(sentence) = session.refusal() {
        let words = lines::wrap(sentence, room);
        all.extend(
            words
                .into_iter()
                .map(|line| (Rank::Said, vec![(line, theme.bad)])),
        );
    }
    if let Some(sentence) = session.said() {
        let words = lines::wrap(sentence, room);
        all.extend(
            words
                .into_iter()
                .map(|line| (Rank::Said, vec![(line, theme.note)])),
        );
    }
    if let Some(note) = note(session) {
        let words = lines::wrap(note, room.min(96));
        all.extend(
            words
                .into_iter()
                .map(|line| (Rank::Step, vec![(line, theme.note)])),
        );
    }
    all.extend(stepper(session, room, theme));
    if with_strip {
        all.push((Rank::Strip, strip(session, room, theme)));
    }
    all.extend(knobs(session, room, theme));
    all.extend(watch(session, room, theme));
    all.retain(|(_, line)| !line.is_empty());
    all
}

/// Below so many rows the knobs that are not turned are left to the list of the run.
pub const TIGHT: usize = 24;

/// What a drawing asks of the room that it shares with the lines below it.
#[derive(Clone, Copy)]
pub struct Wants {
    /// The rows that it would like.
    pub likes: usize,
    /// Beyond so many rows, lines that say more are worth more.
    pub most: usize,
    /// The rows in which all of it can be read, where that is not too much to ask for.
    pub whole: Option<usize>,
}

/// How many of the lines stay even where all of the drawing could be read without them.
pub fn firm(lines: &[Ranked]) -> usize {
    let stays = |rank: Rank| rank > Rank::Caption || rank == Rank::Watch;
    lines.iter().filter(|(rank, _)| stays(*rank)).count()
}

/// The lines that fit below a drawing, in `height` rows for both.
///
/// The strip goes until the drawing has what it likes or `most` rows, so does what the step was computed from; what to
/// watch goes until it has half of the room, what is left until it has four rows. In a tight room, and where all of the
/// drawing can be read without them, the knobs that are not turned go for it, and for the latter the caption.
pub fn kept(mut lines: Vec<Ranked>, height: usize, wants: Wants) -> Vec<Line> {
    let likes = wants.likes.min(wants.most);
    let firm = firm(&lines);
    let whole = wants
        .whole
        .filter(|rows| rows + firm <= height)
        .unwrap_or(0);
    let few = 4.min(height.saturating_sub(1)).min(wants.likes);
    let ranks: BTreeSet<Rank> = lines.iter().map(|(rank, _)| *rank).collect();
    for rank in ranks {
        let needs = match rank {
            Rank::Strip | Rank::Inputs => likes.max(whole),
            Rank::Watch => likes.min(height / 2),
            Rank::Knobs if height < TIGHT => likes.max(whole),
            Rank::Caption | Rank::Knobs => few.max(whole),
            _ => few,
        };
        while lines.len() > height || height - lines.len() < needs {
            let Some(last) = lines.iter().rposition(|(other, _)| *other == rank) else {
                break;
            };
            match rank {
                Rank::Watch => lines.retain(|(other, _)| *other != rank),
                _ => drop(lines.remove(last)),
            }
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

/// What the run is, where the picture looked at does not say it.
pub fn note(session: &Session) -> Option<&str> {
    let note = session.run().note.as_deref()?;
    let says = session.picture().map_or("", |picture| &picture.says);
    (!says.contains(note)).then_some(note)
}

/// `weights[0,2,4,7] = 0.4172  row "dog" → column "Hund"`.
fn cursor(session: &Session, room: usize, theme: &Theme) -> Line {
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
            cell_name(&last_name(&step.name), session.cursor())
        );
        let name = name.trim_start();
        let value = theme.words(&short(value, 11));
        let mut chunks =
            vec![Chunk::new(9, format!("{name} = "), theme.dim).and(value.clone(), theme.title)];
        if chunks[0].width() > room {
            chunks[0] = Chunk::new(9, value, theme.title);
        }
        if blocked {
            chunks.push(Chunk::new(8, "blocked", theme.bad));
        }
        chunks.push(Chunk::new(5, heat.words_at_cursor(theme), theme.text));
        lines::fit(chunks, room)
    })
}

/// `step 4 of 9: masked  mask_fill (30,8,10,11)  ← scores (30,8,10,11), mask (30,1,1,11)`.
fn stepper(session: &Session, room: usize, theme: &Theme) -> Vec<Ranked> {
    let glyphs = theme.glyphs();
    let number = match session.focus() {
        Focus::Picture(n) => {
            let picture = &session.run().pictures[n];
            let count = format!("picture {} of {}", n + 1, session.run().pictures.len());
            // The name, for commands, where the title does not say it already.
            let title = picture.title.to_lowercase();
            let says_it = title.contains(&picture.name.to_lowercase());
            let name = if says_it { "" } else { picture.name };
            let chunks = vec![
                Chunk::new(9, count, theme.note),
                Chunk::new(5, name, theme.text),
            ];
            return vec![(Rank::Knob, lines::fit(chunks, room))];
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
    // Where an operation gave the tensor its name, it is said once.
    let op = match last_name(&step.name).starts_with(step.op()) {
        true => "",
        false => step.op(),
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
    let lines = lines::flow(chunks, room).into_iter().take(3).enumerate();
    lines
        .map(|(i, line)| (if i == 0 { Rank::Step } else { Rank::Inputs }, line))
        .collect()
}

/// The names of the steps around this one, then the pictures; the present one marked.
fn strip(session: &Session, room: usize, theme: &Theme) -> Line {
    let run = session.run();
    let steps = run.trace.steps().iter().map(|step| last_name(&step.name));
    let pictures = run.pictures.iter().map(|p| Cow::Borrowed(p.name));
    let names: Vec<Cow<str>> = steps.chain(pictures).collect();
    let now = match session.focus() {
        Focus::Step(n) => n,
        Focus::Picture(n) => run.trace.steps().len() + n,
    };
    let more = theme.glyphs().more;
    let edge = lines::width(more) + 1;
    let wide = |i: usize| lines::width(&names[i]) + 1;
    let (mut first, mut last, mut used) = (now, now, wide(now) + 1);
    if used > room {
        return Line::new();
    }
    loop {
        let edges = usize::from(first > 0) * edge + usize::from(last + 1 < names.len()) * edge;
        let fits = |i: usize| used + wide(i) + edges.max(edge) <= room;
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
    for (i, name) in names.iter().enumerate().take(last + 1).skip(first) {
        let marked = if i == now {
            format!("[{name}]")
        } else {
            name.clone().into_owned()
        };
        let picture = i >= run.trace.steps().len();
        let style = match i == now {
            true => theme.title,
            false if picture => theme.note,
            false => theme.dim,
        };
        line.push((marked, style));
        line.push((" ".to_owned(), theme.dim));
    }
    if last + 1 < names.len() {
        line.push((more.to_owned(), theme.dim));
    }
    line
}

/// What to watch, of the switches that are on.
fn watch(session: &Session, room: usize, theme: &Theme) -> Vec<Ranked> {
    let settings = session.settings();
    let on = session.lesson().mistakes.iter();
    // What is to be seen in the experiment says nothing of the trained model.
    let in_scene = session.lesson().shows_scene(settings);
    let on = on.filter(|mistake| settings.broken(mistake.name) && !in_scene);
    let advice = |mistake: &Mistake| {
        let words = session
            .lesson()
            .says(&mistake.advice(settings), FrontEnd::Screen);
        lines::wrap(&words.replace('`', ""), room.min(96))
    };
    let words = on.flat_map(advice);
    words
        .map(|line| (Rank::Watch, vec![(line, theme.note)]))
        .collect()
}

/// A number with the sign that numbers have everywhere: `−1e9`.
fn signed(value: &str) -> String {
    match value.strip_prefix('-') {
        Some(size) if size.parse::<f64>().is_ok() => format!("−{size}"),
        _ => value.to_owned(),
    }
}

/// `heads ◂ 8 ▸  seed 7  leak ● none`, and the switches that are on.
fn knobs(session: &Session, room: usize, theme: &Theme) -> Vec<Ranked> {
    let glyphs = theme.glyphs();
    let _stage = session.stage();
    let mut chunks: Vec<Chunk> = Vec::new();
    for (i, knob) in session.lesson().knobs.iter().enumerate() {
        if i != session.knob() && !session.lesson().matters(session.asked(), knob.name) {
            continue;
        }
        let value = theme.words(&signed(&session.asked().said(knob)));
        let name = Chunk::new(5, format!("{} ", knob.name), theme.dim);
        chunks.push(if i == session.knob() {
            name.and(format!("{} ", glyphs.turn.0), theme.note)
                .and(value, theme.title)
                .and(format!(" {}", glyphs.turn.1), theme.note)
        } else {
            name.and(value, theme.text)
        });
    }
    let lamp = leak(session, theme).map(|(text, style)| {
        Chunk::new(9, "leak ", theme.dim).and(format!("{} {text}", glyphs.lamp), style)
    });
    let on = session.lesson().mistakes.iter();
    let on = on.filter(|mistake| session.asked().broken(mistake.name));
    let broken: Vec<Chunk> = on
        .map(|mistake| Chunk::new(7, "broken: ", theme.bad).and(mistake.title, theme.bad))
        .collect();
    // One line where they fit together.
    let lamp: Vec<Chunk> = lamp.into_iter().collect();
    let together = [&chunks[..], &lamp, &broken].concat();
    let all_wide: usize = together.iter().map(|chunk| chunk.width() + 2).sum();
    if all_wide <= room + 2 {
        return vec![(Rank::Knob, lines::fit(together, room))];
    }
    // Three lines of knobs, the chosen one among them, which is the last to go.
    let all = lines::flow(chunks, room);
    let turned = format!("{} ", glyphs.turn.0);
    let is_chosen = |line: &Line| line.iter().any(|(text, _)| *text == turned);
    let chosen = all.iter().position(is_chosen).unwrap_or(0);
    let shown = all.into_iter().skip(chosen.saturating_sub(2)).take(3);
    let knobs = shown.map(|line| {
        let rank = if is_chosen(&line) {
            Rank::Knob
        } else {
            Rank::Knobs
        };
        (rank, line)
    });
    // The header of the walkthrough has the leak indicator, too.
    let lamp = lines::flow(lamp, room).into_iter();
    let lamp = lamp.map(|line| (Rank::Inputs, line));
    let broken = lines::flow(broken, room).into_iter().take(3);
    let broken = broken.map(|line| (Rank::Knob, line));
    knobs.chain(lamp).chain(broken).collect()
}
