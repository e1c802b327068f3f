//! A stage block as a figure of the page: the same run as on the screen, with its numbers as text, and the runs with the
//! mistakes that the page names.

use serde_json::{Value, json};

use super::knobs::{self, Turned};
use super::{commands, controls, inline};
use crate::lesson::page::{self, StageBlock};
use crate::lesson::session::Session;
use crate::lesson::{Body, Knob};
use crate::tui::command as keys;
use crate::widgets::svg::escape;

mod bars;
mod cells;
mod command;
mod curves;
mod lines;
mod map;
mod plane;
mod shipped;
mod table;
mod view;

pub use lines::html as lines_html;
pub use map::html as map_html;
use shipped::ROOM;
use view::View;

/// Bytes of data that all runs of a knob together bring along, so that their cells can be asked too.
const TURNED: usize = 24_000;

/// Runs of a chapter are kept for its other figures as long as they have so many cells together: 64 MB.
pub const KEPT: usize = 16 << 20;

/// A run with more cells than this is not made again for each value of a knob, unless its values are so few that their
/// runs together have no more than `FEW`.
const CELLS: usize = 8_000_000;
const FEW: usize = 48_000_000;

/// At most so many heads come with a figure.
const HEADS: usize = 8;

/// At most so many broken runs come with a figure.
const BROKEN: usize = 8;

/// What a figure is made for.
pub struct Wanted<'a> {
    /// The stage block.
    pub block: &'a StageBlock,
    /// The tensor or picture to show in place of the block's.
    pub show: Option<&'a str>,
    /// The numbers of the mistakes whose runs come along.
    pub mistakes: &'a [usize],
    /// The knobs that come as sliders.
    pub knobs: &'a [Turned],
    /// Whether the other heads of what is shown come along.
    pub heads: bool,
    /// Columns that the text names: they are printed however far they are from the first.
    pub columns: &'a [usize],
    /// Whether the text speaks of the cell at which the program's cursor stands.
    pub points: bool,
    /// Whether this is the figure before once more, and only its controls would be new.
    pub repeats: bool,
    /// What the figure before drew, where nothing but another drawing or a control makes a figure.
    pub before: Option<&'a str>,
    /// What is to be seen in a figure that has no caption of its block's.
    pub caption: Option<String>,
    /// Its anchor in the page.
    pub id: String,
}

/// A figure of the page.
pub struct Figure {
    /// One line. A figure that would show nothing new is only the commands for the program.
    pub html: String,
    /// What it draws, to compare with.
    pub drawn: String,
}

/// Makes a figure.
pub fn html(session: &mut Session, wanted: &Wanted<'_>) -> Result<Figure, String> {
    arrange(session, wanted)?;
    session.hold();
    let named = wanted.mistakes.iter().copied().take(BROKEN);
    let takes_long = session
        .picture()
        .is_some_and(|picture| matches!(picture.body, Body::Job(_)));
    // An experiment is made once: its broken runs are the program's.
    let broken: Vec<usize> = named.filter(|_| !takes_long).collect();
    let turned = match takes_long {
        true => Vec::new(),
        false => knobs::shown([wanted.knobs, &own(session)].concat(), |name| {
            session.settings().text(name).to_owned()
        }),
    };
    let cells = session.run().cells();
    let few = |turned: &Turned| cells * (turned.values.len() - 1) <= FEW;
    let turned: Vec<Turned> = turned
        .into_iter()
        .filter(|turned| cells <= CELLS || few(turned))
        .collect();
    // The sound run is asked most.
    let (room, rest) = match broken.len() {
        0 => (ROOM, 0),
        n => (ROOM * 3 / 5, ROOM * 2 / 5 / n),
    };
    let first = view::of(session, room, wanted.columns);
    let on: Vec<&str> = session.settings().mistakes().collect();
    let shown_mistakes = session.lesson().mistakes.iter();
    let shown_mistakes: Vec<_> = shown_mistakes.filter(|m| on.contains(&m.name)).collect();
    let commands = broken_commands(session, wanted.mistakes);
    let mut runs = Vec::new();
    for number in broken {
        runs.extend(run(session, wanted, number, rest)?);
    }
    let mut sliders = Vec::new();
    let mut idle = Vec::new();
    for turned in &turned {
        match slider(session, wanted, turned)? {
            Some(slider) => sliders.push(slider),
            None => idle.push(turned.knob.name),
        }
    }
    let turns = sliders.len();
    // What a knob does not change needs no command either.
    let of_use = wanted.knobs.iter().filter(|t| !idle.contains(&t.knob.name));
    let of_use: Vec<Turned> = of_use.cloned().collect();
    let settings = knob_commands(session, &of_use);
    let settings = match settings.is_empty() {
        true => String::new(),
        false => {
            // A slider takes the command's place.
            let turns = |t: &Turned| sliders.iter().any(|slider| slider["name"] == t.knob.name);
            let class = match of_use.iter().all(turns) {
                true => "tt-static",
                false => "tt-command",
            };
            format!(
                "<p class=\"{class}\">Other settings, in the program: {}.</p>",
                settings.join(", ")
            )
        }
    };
    let drawn = format!("{}{}", first.title, first.body);
    let moves = turns > 0 || runs.iter().any(|run| run["body"] != first.body.as_str());
    let again = wanted.before == Some(drawn.as_str()) && !moves;
    if again || wanted.repeats && runs.is_empty() && turns == 0 {
        return Ok(Figure {
            html: settings,
            drawn,
        });
    }
    if wanted.heads {
        sliders.extend(heads(session, wanted)?);
    }
    let caption = caption(wanted, session.lesson().knobs, &idle);
    let placed = !wanted.block.at.is_empty() && wanted.show.is_none();
    let here = match placed || wanted.points || caption.contains("outlined cell") {
        true => " tt-here",
        false => "",
    };
    let mut out = format!(
        "<figure class=\"tt tt-{}{here}\" id=\"{}\"><div class=\"tt-head\">{}</div>",
        first.kind, wanted.id, first.title
    );
    for mistake in shown_mistakes {
        out += &format!(
            "<p class=\"tt-broken\">Broken on purpose: {}.</p>",
            escape(mistake.title)
        );
    }
    out += &format!(
        "<div class=\"tt-runs\" hidden></div><div class=\"tt-knobs\" hidden></div><div class=\"tt-body\">{}</div><div class=\"tt-why\" hidden></div>",
        first.body
    );
    if !caption.is_empty() {
        out += &format!("<figcaption>{}</figcaption>", inline::html(&caption)?);
    }
    out += &format!("<div class=\"tt-says\">{}</div>", paragraph(&first.says));
    if !commands.is_empty() {
        out += &format!(
            "<p class=\"tt-static\">Broken runs: {}.</p>",
            commands.join(", ")
        );
    }
    out += &settings;
    if first.data.is_some() || !runs.is_empty() || !sliders.is_empty() {
        let data = json!({ "data": first.data, "runs": runs, "knobs": sliders });
        out += &format!(
            "<script type=\"application/json\" class=\"tt-data\">{}</script>",
            script(&data)
        );
    }
    out += "</figure>\n";
    Ok(Figure { html: out, drawn })
}

/// The first knob that a picture's own words turn: they are left out below it, where a slider says as much.
fn own(session: &Session) -> Vec<Turned> {
    let says = session.picture().map_or("", |picture| &picture.says);
    let mut said = controls::sentences(says).into_iter();
    let turns = said.find(|said| view::turns(said)).unwrap_or("");
    let mut named = knobs::named(turns, session.lesson().knobs);
    named.truncate(1);
    named
}

/// The sentence below the figure, Markdown; empty where the text above it says what another tensor than the block's shows.
fn caption(wanted: &Wanted<'_>, knobs: &'static [Knob], idle: &[&str]) -> String {
    if let Some(own) = &wanted.caption {
        return own.clone();
    }
    let said = page::without_claims(wanted.block.caption.as_deref().unwrap_or(""));
    let here = controls::sentences(&said).into_iter();
    // What it sends its reader to is not below it, and what it turns in vain has no control.
    let in_vain = |said: &str| {
        let turned = knobs::named(&commands::said(said), knobs);
        !turned.is_empty() && turned.iter().all(|t| idle.contains(&t.knob.name))
    };
    let here = here.filter(|said| !said.contains("`:look ") && !in_vain(said));
    controls::caption(&here.collect::<String>())
}

/// The room in front of a label that begins with blanks: it is a part of what stands above it.
fn indent(label: &str) -> String {
    let blanks = label.len() - label.trim_start_matches(' ').len();
    "\u{2003}".repeat(blanks / 2)
}

fn arrange(session: &mut Session, wanted: &Wanted<'_>) -> Result<(), String> {
    session.arrange(wanted.block)?;
    match wanted.show {
        // The block has put the cursor where it belongs in it.
        Some(name) if wanted.block.show.as_deref() == Some(name) => Ok(()),
        Some(name) => session.show(name),
        None => keys::press(session, wanted.block.press.as_deref().unwrap_or("")),
    }
}

fn paragraph(says: &[String]) -> String {
    match says.is_empty() {
        true => String::new(),
        false => format!("<p>{}</p>", says.join(" ")),
    }
}

/// The commands that show the broken runs, for a reader without a script.
fn broken_commands(session: &Session, broken: &[usize]) -> Vec<String> {
    let named = broken
        .iter()
        .filter_map(|n| session.lesson().mistakes.get(n - 1));
    let command = command::tensor(session);
    named
        .map(|mistake| command::html(&format!("{command} --break {}", mistake.name)))
        .collect()
}

/// The commands that show the run at other values of the knobs that the page names.
fn knob_commands(session: &Session, turned: &[Turned]) -> Vec<String> {
    let command = command::tensor(session);
    turned
        .iter()
        .filter_map(|turned| {
            let name = turned.knob.name;
            let here = session.settings().text(name);
            let stops = turned.knob.stops();
            let mut others = turned.values.iter().chain(&stops).map(String::as_str);
            // A text that is a person's own has none to name.
            let value = others.find(|value| *value != here)?;
            let set = command::setting(name, value);
            Some(command::html(&(command.clone() + &set)))
        })
        .collect()
}

/// The runs at a knob's values, as data. `None` where turning it changes nothing that the figure shows.
fn slider(
    session: &mut Session,
    wanted: &Wanted<'_>,
    turned: &Turned,
) -> Result<Option<Value>, String> {
    let knob = turned.knob;
    let mut drawn = at_values(session, wanted, turned)?;
    if drawn.refused {
        let possible = turned.without(|value| session.set(knob.name, value).is_err());
        drawn = at_values(session, wanted, &possible)?;
    }
    Ok(drawn.differs.then(|| {
        json!({
            "name": knob.name,
            "about": controls::about(knob.about),
            "numeric": knobs::is_numeric(knob),
            "runs": drawn.runs,
        })
    }))
}

/// The runs at the values of a knob.
struct AtValues {
    runs: Vec<Value>,
    /// Whether any of them shows something else than the figure.
    differs: bool,
    /// Whether a value that nobody named cannot be.
    refused: bool,
}

fn at_values(
    session: &mut Session,
    wanted: &Wanted<'_>,
    turned: &Turned,
) -> Result<AtValues, String> {
    let knob = turned.knob;
    arrange(session, wanted)?;
    let here = session.settings().text(knob.name).to_owned();
    let name = looked_at(session);
    let first = view::of(session, 0, wanted.columns);
    let room = TURNED / turned.values.len().max(1);
    let mut drawn = AtValues {
        runs: Vec::new(),
        differs: false,
        refused: false,
    };
    for value in &turned.values {
        if *value == here {
            drawn.runs.push(json!({ "value": value }));
            continue;
        }
        let shown = match session.set(knob.name, value) {
            Ok(()) => {
                if looked_at(session) != name {
                    // It stays with what there is where this run has no such tensor.
                    session.show(&name).ok();
                }
                view::of(session, room, wanted.columns)
            }
            Err(sentence) => {
                drawn.refused |= !turned.must.contains(value);
                View::refused(&sentence)
            }
        };
        drawn.differs |= shown.body != first.body;
        let other = looked_at(session);
        let watch = match other == name || shown.kind == "refused" {
            true => String::new(),
            false => format!("This run has no {name}, so {other} is shown."),
        };
        drawn.runs.push(json!({
            "value": value,
            "watch": watch,
            "head": shown.title,
            "body": shown.body,
            "says": paragraph(&shown.says),
            "data": shown.data,
        }));
    }
    arrange(session, wanted)?;
    Ok(drawn)
}

/// What the other heads of the shown tensor have, as a slider. `None` where it has one, or no axis of heads.
fn heads(session: &mut Session, wanted: &Wanted<'_>) -> Result<Option<Value>, String> {
    arrange(session, wanted)?;
    let Some(step) = session.step() else {
        return Ok(None);
    };
    let shape = step.value.shape().to_vec();
    let leading = shape.len().saturating_sub(2);
    let Some(axis) = step.axes[..leading].iter().position(|axis| *axis == "h") else {
        return Ok(None);
    };
    let count = shape[axis].min(HEADS);
    let here = session.cursor().to_vec();
    if count < 2 || here[axis] >= count {
        return Ok(None);
    }
    let mut runs = Vec::new();
    for head in 0..count {
        if head == here[axis] {
            runs.push(json!({ "value": head.to_string() }));
            continue;
        }
        let mut index = here.clone();
        index[axis] = head;
        session.put_cursor(&index)?;
        let shown = view::of(session, TURNED / count, wanted.columns);
        runs.push(json!({
            "value": head.to_string(),
            "watch": "",
            "head": shown.title,
            "body": shown.body,
            "says": paragraph(&shown.says),
            "data": shown.data,
        }));
    }
    arrange(session, wanted)?;
    Ok(Some(json!({
        "name": "head",
        "about": "which head is shown, counted from 0",
        "numeric": true,
        // Another part of the same run: nothing to subtract.
        "same": true,
        "runs": runs,
    })))
}

/// The run with one mistake more, as data: the page shows it when its button is pressed.
fn run(
    session: &mut Session,
    wanted: &Wanted<'_>,
    number: usize,
    room: usize,
) -> Result<Option<Value>, String> {
    let Some(mistake) = session.lesson().mistakes.get(number - 1) else {
        return Ok(None);
    };
    arrange(session, wanted)?;
    // What the figure shows broken can be put right.
    let breaks = !session.settings().broken(mistake.name);
    let name = looked_at(session);
    let shown = match session.switch(mistake.name, breaks) {
        Ok(()) => view::of(session, room, wanted.columns),
        Err(sentence) => View::refused(&sentence),
    };
    let watch = match looked_at(session) {
        other if other != name && shown.kind != "refused" => {
            format!(
                "This run has no {name}, so {other} is shown. {}",
                controls::caption(&mistake.advice(session.settings()))
            )
        }
        _ => controls::caption(&mistake.advice(session.settings())),
    };
    let run = json!({
        "number": number,
        "title": if breaks { mistake.title.to_owned() } else { format!("put right: {}", mistake.title) },
        "watch": if breaks { watch } else { String::new() },
        "head": shown.title,
        "body": shown.body,
        "says": paragraph(&shown.says),
        "data": shown.data,
    });
    arrange(session, wanted)?;
    Ok(Some(run))
}

/// The name of the tensor or picture looked at.
fn looked_at(session: &Session) -> String {
    let picture = session.picture().map(|picture| picture.name.to_owned());
    picture
        .or(session.step().map(|step| step.name.clone()))
        .unwrap_or_default()
}

/// JSON that can stand in a page: nothing in it ends the script.
fn script(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}
