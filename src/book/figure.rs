//! A stage block as a figure: the same run as on the screen, with its numbers as text, and the runs with the mistakes
//! that the page names.

use std::ops::Range;

use serde::Serialize;
use serde_json::json;

use super::inline;
use super::knobs::{self, Slider};
use crate::command as keys;
use crate::lesson::page::{self, StageBlock};
use crate::lesson::session::{Session, setting};
use crate::lesson::{Body, FrontEnd, Lesson, Settings, marks};
use crate::widgets::svg::escape;

mod bars;
mod cells;
mod combined;
mod command;
mod curves;
mod data;
mod diagram;
mod lines;
mod map;
mod motion;
mod plane;
mod shipped;
mod table;
mod translated;
mod view;

use data::{BrokenRun, FigureData, OtherRun, SliderRuns, ValueRun};
pub use lines::html as lines_html;
pub use map::html as map_html;
use shipped::FIGURE_BYTES;
use view::{Kind, View};

/// Bytes of data shipped for all runs of a knob together, so that their cells can be explained too.
const SLIDER_BYTES: usize = 8_000;

/// Maximum number of cells in the runs kept for a chapter's other figures: 64 MB.
pub const CACHED_CELLS: usize = 16 << 20;

/// Maximum number of cells in a run that is repeated for each value of a knob, unless the runs of all its values
/// together have no more than `CELLS_OF_ALL_RUNS`.
const CELLS_PER_RUN: usize = 8_000_000;
const CELLS_OF_ALL_RUNS: usize = 48_000_000;

/// Maximum number of heads in a figure.
const HEADS: usize = 8;

/// Maximum number of tokens whose diagrams a figure offers.
const TOKENS: usize = 12;

/// Maximum number of broken runs in a figure.
const BROKEN: usize = 8;

/// What a figure shows in addition to its block.
#[derive(Clone, Copy, Default)]
pub struct FigureOverrides<'a> {
    /// Tensor or picture to show instead of the block's.
    pub show: Option<&'a str>,
    /// Numbers of the mistakes whose runs are included.
    pub mistakes: &'a [usize],
    /// Knobs to offer as sliders.
    pub knobs: &'a [Slider],
    /// Columns named in the text, which are printed however far they are from the first.
    pub columns: &'a [usize],
    /// True if the text refers to the cell under the program's cursor.
    pub points: bool,
    /// True if the previous figure shows the same, so that only the controls would be new.
    pub repeats: bool,
}

/// Request for a figure.
pub struct FigureRequest<'a> {
    /// Stage block.
    pub block: &'a StageBlock,
    /// What the text asks for beyond the block.
    pub overrides: FigureOverrides<'a>,
    /// True to include the other heads.
    pub heads: bool,
    /// Figures of the chapter so far.
    pub earlier: &'a [Drawn],
    /// Drawing of the previous figure, if only a different drawing or a control justifies a new figure.
    pub before: Option<&'a str>,
    /// Caption of a figure that doesn't use its block's.
    pub caption: Option<String>,
    /// Anchor in the page.
    pub id: String,
}

/// Finished figure.
pub struct Figure {
    /// HTML on one line. A figure that would show nothing new has only the commands for the program.
    pub html: String,
    /// The drawing, for comparison with the next figure.
    pub drawing: String,
    /// The figure for those that come after it; `None` if it is left out.
    pub drawn: Option<Drawn>,
}

/// Figure of a chapter, to which later ones and the text can refer.
pub struct Drawn {
    /// Anchor in the page.
    pub id: String,
    /// Name of the tensor or picture that it shows.
    pub shows: String,
    /// Settings of its run, and its drawing.
    pub settings: Settings,
    pub drawing: String,
    /// Its place in the chapter, in bytes.
    pub place: Range<usize>,
}

/// Builds a figure.
pub fn html(session: &mut Session, wanted: &FigureRequest<'_>) -> Result<Figure, String> {
    arrange(session, wanted)?;
    session.hold();
    let takes_long = session
        .picture()
        .is_some_and(|picture| matches!(picture.body, Body::Job(_)));
    // An experiment runs only once; its broken runs are left to the program.
    let broken: &[usize] = if takes_long {
        &[]
    } else {
        &wanted.overrides.mistakes[..wanted.overrides.mistakes.len().min(BROKEN)]
    };
    let named = knobs::merged(wanted.overrides.knobs.iter().cloned());
    let offered = if takes_long {
        Vec::new()
    } else {
        offered_sliders(session, &named)
    };
    // Readers explore the intact run most, so it gets the most room; controls need some too.
    let (budget, rest) = match broken.len() {
        0 if offered.is_empty() => (FIGURE_BYTES, 0),
        0 => (FIGURE_BYTES * 3 / 5, 0),
        n => (FIGURE_BYTES * 3 / 5, FIGURE_BYTES * 2 / 5 / n),
    };
    let view = view::of(session, budget, wanted.overrides.columns);
    let (shows, run_settings) = (shown_name(session), session.settings().clone());
    let on: Vec<&str> = session.settings().mistakes().collect();
    let shown_mistakes = session.lesson().mistakes.iter();
    let shown_mistakes = shown_mistakes.filter(|m| on.contains(&m.name));
    // A drawing belongs to the page's own figure of the intact run.
    let has_motion = wanted.overrides.show.is_none() && on.is_empty();
    let motion = has_motion.then(|| motion::html(session)).flatten();
    let opening = opening(
        wanted,
        &view,
        shown_mistakes.map(|m| m.title),
        &motion.unwrap_or_default(),
    );
    let commands = broken_commands(session, wanted.overrides.mistakes);
    let mut runs = Vec::new();
    for number in broken {
        runs.extend(run(session, wanted, *number, rest)?);
    }
    let mut sliders = Vec::new();
    let mut idle = Vec::new();
    for offer in &offered {
        match slider(session, wanted, offer)? {
            Some(slider) => sliders.push(slider),
            None => idle.push(offer.knob.name),
        }
    }
    let settings = other_settings(session, named, &sliders, &idle);
    let drawing = format!("{}{}", view.title, view.body);
    let moves = !sliders.is_empty() || runs.iter().any(|run| run.shown.body != view.body);
    let again = wanted.before == Some(drawing.as_str()) && !moves;
    if again || wanted.overrides.repeats && runs.is_empty() && sliders.is_empty() {
        return Ok(Figure {
            html: settings,
            drawing,
            drawn: None,
        });
    }
    // The heads of a trained model differ, so offer them all.
    let trained = session.lesson().shows_sentence(session.settings());
    if wanted.heads || trained {
        sliders.extend(heads(session, wanted)?);
    }
    let caption = caption(wanted, session.lesson(), &idle);
    let mut out = opening;
    if !caption.is_empty() {
        out += &format!("<figcaption>{}</figcaption>", inline::html(&caption)?);
    }
    out += &format!("<div class=\"tt-says\">{}</div>", paragraph(&view.says));
    if !commands.is_empty() {
        out += &format!(
            "<p class=\"tt-static\">Broken runs: {}.</p>",
            commands.join(", ")
        );
    }
    out += &settings;
    if view.data.is_some() || !runs.is_empty() || !sliders.is_empty() {
        let both = combined::all(session, wanted, &runs, &sliders)?;
        // An earlier figure of the same numbers has the data already.
        let is_same = |other: &&Drawn| other.settings == run_settings && other.drawing == drawing;
        let same = wanted.earlier.iter().find(is_same);
        let shared = same.map(|other| json!({ "of": other.id }));
        let data = FigureData {
            data: view.data.map(|data| shared.unwrap_or(data)),
            runs: &runs,
            knobs: &sliders,
            both: &both,
            trained,
        };
        out += &format!(
            "<script type=\"application/json\" class=\"tt-data\">{}</script>",
            script(&data)
        );
    }
    out += "</figure>\n";
    Ok(Figure {
        html: out,
        drawn: Some(Drawn {
            id: wanted.id.clone(),
            shows,
            settings: run_settings,
            drawing: drawing.clone(),
            place: 0..0,
        }),
        drawing,
    })
}

/// Knobs to offer as sliders: the named ones and the picture's own, as far as repeating the run for each of their
/// values is affordable.
fn offered_sliders(session: &Session, named: &[Slider]) -> Vec<Slider> {
    let all = named.iter().cloned().chain(picture_slider(session));
    let mut all = knobs::shown(all, |name| session.settings().text(name).to_owned());
    let cells = session.run().cells();
    all.retain(|slider| {
        cells <= CELLS_PER_RUN || cells * (slider.values.len() - 1) <= CELLS_OF_ALL_RUNS
    });
    all
}

/// Commands of the program for the named knobs; empty if none has an effect.
fn other_settings(
    session: &Session,
    named: Vec<Slider>,
    sliders: &[SliderRuns],
    idle: &[&str],
) -> String {
    // A knob without effect needs no command either.
    let of_use = named.into_iter().filter(|t| !idle.contains(&t.knob.name));
    let of_use: Vec<Slider> = of_use.collect();
    let commands = knob_commands(session, &of_use);
    if commands.is_empty() {
        return String::new();
    }
    // A slider replaces the command.
    let turns = |t: &Slider| sliders.iter().any(|slider| slider.name == t.knob.name);
    let class = if of_use.iter().all(turns) {
        "tt-static"
    } else {
        "tt-command"
    };
    format!(
        "<p class=\"{class}\">Other settings, in the program: {}.</p>",
        commands.join(", ")
    )
}

/// Beginning of a figure: its title, the titles of the mistakes that are on, and the drawing.
fn opening(
    wanted: &FigureRequest<'_>,
    view: &View,
    mistakes: impl Iterator<Item = &'static str>,
    motion: &str,
) -> String {
    let placed = !wanted.block.at.is_empty() && wanted.overrides.show.is_none();
    let here = if placed || wanted.overrides.points {
        " tt-here"
    } else {
        ""
    };
    let mut out = format!(
        "<figure class=\"tt tt-{}{here}\" id=\"{}\"><div class=\"tt-head\">{}</div>",
        view.kind.class(),
        wanted.id,
        view.title
    );
    for title in mistakes {
        out += &format!(
            "<p class=\"tt-broken\">Broken on purpose: {}.</p>",
            escape(&inline::typeset(title))
        );
    }
    out + &format!(
        "{motion}<div class=\"tt-runs\" hidden></div><div class=\"tt-knobs\" hidden></div><div class=\"tt-body\">{}</div><div class=\"tt-why\" hidden></div>",
        view.body
    )
}

/// The knob that changes the picture most, if the picture names one.
fn picture_slider(session: &Session) -> Option<Slider> {
    let name = session.picture()?.turned_by?;
    session.lesson().knob(name).ok().map(Slider::new)
}

/// Caption in Markdown; empty if the figure shows a different tensor than the block's and the text above explains it.
fn caption(wanted: &FigureRequest<'_>, lesson: &Lesson, idle: &[&str]) -> String {
    if let Some(own) = &wanted.caption {
        return own.clone();
    }
    let caption = page::without_claims(wanted.block.caption.as_deref().unwrap_or(""));
    // Drop sentences about knobs without effect, which get no control.
    let in_vain = |sentence: &&str| {
        let knobs = marks(sentence).filter_map(|(_, mark)| mark.ok()?.knob());
        let knobs: Vec<&str> = knobs.collect();
        !knobs.is_empty() && knobs.iter().all(|knob| idle.contains(knob))
    };
    let here = sentences(&caption)
        .into_iter()
        .filter(|sentence| !in_vain(sentence));
    lesson.says(here.collect::<String>().trim(), FrontEnd::Book)
}

/// Splits a text after each full stop, question or exclamation mark followed by a space. The pieces add up to the text.
fn sentences(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut code = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        code ^= c == '`';
        let ends = matches!(c, '.' | '?' | '!') && !code;
        // A closing bracket at the end of a sentence belongs to it.
        let end = match chars.peek() {
            Some((_, ')')) if ends => at + 2,
            _ => at + 1,
        };
        if ends && text[end..].starts_with(' ') {
            all.push(&text[from..end]);
            from = end;
        }
    }
    if from < text.len() {
        all.push(&text[from..]);
    }
    all
}

/// Indentation of a label that begins with spaces because it is part of the row above.
fn indent(label: &str) -> String {
    let blanks = label.len() - label.trim_start_matches(' ').len();
    "\u{2003}".repeat(blanks / 2)
}

fn arrange(session: &mut Session, wanted: &FigureRequest<'_>) -> Result<(), String> {
    session.arrange(wanted.block)?;
    match wanted.overrides.show {
        // The block has already placed the cursor.
        Some(name) if wanted.block.show.as_deref() == Some(name) => Ok(()),
        Some(name) => session.show(name),
        None => keys::press(session, wanted.block.press.as_deref().unwrap_or("")),
    }
}

fn paragraph(says: &[String]) -> String {
    if says.is_empty() {
        String::new()
    } else {
        format!("<p>{}</p>", says.join(" "))
    }
}

/// Commands that show the broken runs, for a reader without JavaScript.
fn broken_commands(session: &Session, broken: &[usize]) -> Vec<String> {
    let named = broken
        .iter()
        .filter_map(|n| session.lesson().mistakes.get(n - 1));
    let command = command::tensor(session);
    named
        .map(|mistake| command::html(&format!("{command} --break {}", mistake.name)))
        .collect()
}

/// Commands that show the run at other values of the knobs that the page names.
fn knob_commands(session: &Session, sliders: &[Slider]) -> Vec<String> {
    let command = command::tensor(session);
    sliders
        .iter()
        .filter_map(|slider| {
            let name = slider.knob.name;
            let here = session.settings().text(name);
            let stops = slider.knob.stops();
            let mut others = slider.values.iter().chain(&stops).map(String::as_str);
            // A free-text knob has no other value to name.
            let value = others.find(|value| *value != here)?;
            let set = setting(name, value);
            Some(command::html(&(command.clone() + &set)))
        })
        .collect()
}

/// Runs at a knob's values. `None` if the knob changes nothing that the figure shows.
fn slider(
    session: &mut Session,
    wanted: &FigureRequest<'_>,
    slider: &Slider,
) -> Result<Option<SliderRuns>, String> {
    let knob = slider.knob;
    let mut drawn = at_values(session, wanted, slider)?;
    if drawn.refused {
        let possible = slider.without(|value| session.set(knob.name, value).is_err());
        drawn = at_values(session, wanted, &possible)?;
    }
    Ok(drawn.differs.then(|| SliderRuns {
        name: knob.name,
        about: knob.about.replace('`', ""),
        numeric: knobs::is_numeric(knob),
        same: false,
        runs: drawn.runs,
    }))
}

/// Runs at the values of a knob.
struct AtValues {
    runs: Vec<ValueRun>,
    /// True if any of them differs from the figure.
    differs: bool,
    /// True if the run refuses a value that the text doesn't name.
    refused: bool,
}

fn at_values(
    session: &mut Session,
    wanted: &FigureRequest<'_>,
    slider: &Slider,
) -> Result<AtValues, String> {
    let knob = slider.knob;
    arrange(session, wanted)?;
    let here = session.settings().text(knob.name).to_owned();
    let name = shown_name(session);
    let first = view::of(session, 0, wanted.overrides.columns);
    let budget = SLIDER_BYTES / slider.values.len().max(1);
    let mut drawn = AtValues {
        runs: Vec::new(),
        differs: false,
        refused: false,
    };
    for value in &slider.values {
        if *value == here {
            drawn.runs.push(ValueRun {
                value: value.clone(),
                run: None,
            });
            continue;
        }
        let shown = match session.set(knob.name, value) {
            Ok(()) => {
                if shown_name(session) != name {
                    // If this run has no such tensor, keep the current view.
                    session.show(&name).ok();
                }
                view::of(session, budget, wanted.overrides.columns)
            }
            Err(sentence) => {
                drawn.refused |= !slider.must.contains(value);
                View::refused(&sentence)
            }
        };
        drawn.differs |= shown.body != first.body;
        let other = shown_name(session);
        let watch = if other == name || shown.kind == Kind::Refused {
            String::new()
        } else {
            format!("This run has no {name}, so {other} is shown.")
        };
        drawn.runs.push(ValueRun {
            value: value.clone(),
            run: Some(OtherRun {
                watch,
                shown: shown.into(),
            }),
        });
    }
    arrange(session, wanted)?;
    Ok(drawn)
}

/// The other heads of the shown tensor, or the diagrams of other tokens, as a slider. `None` if there is no choice.
fn heads(session: &mut Session, wanted: &FigureRequest<'_>) -> Result<Option<SliderRuns>, String> {
    arrange(session, wanted)?;
    let Some(Choice { axis, count, name }) = Choice::of(session) else {
        return Ok(None);
    };
    let here = session.cursor()[axis];
    let mut runs = Vec::new();
    for head in 0..count {
        let run = if head == here {
            None
        } else {
            select_place(session, axis, head)?;
            let shown = view::of(session, SLIDER_BYTES / count, wanted.overrides.columns);
            Some(OtherRun {
                watch: String::new(),
                shown: shown.into(),
            })
        };
        runs.push(ValueRun {
            value: head.to_string(),
            run,
        });
    }
    arrange(session, wanted)?;
    Ok(Some(SliderRuns {
        name,
        about: format!("which {name} is shown, counted from 0"),
        numeric: true,
        same: true,
        runs,
    }))
}

/// An axis of what is shown along which the reader can choose.
struct Choice {
    /// Number of the axis.
    axis: usize,
    /// Number of places that a figure offers.
    count: usize,
    /// What is chosen, which names the slider.
    name: &'static str,
}

impl Choice {
    /// The heads of the shown tensor, or the tokens that the shown diagrams are about. `None` if there is no choice.
    fn of(session: &Session) -> Option<Self> {
        let choice = match session.picture().map(|picture| &picture.body) {
            Some(Body::Diagrams(all)) => Self {
                axis: 0,
                count: all.len().min(TOKENS),
                name: "token",
            },
            _ => {
                let step = session.step()?;
                let shape = step.value.shape();
                let leading = shape.len().saturating_sub(2);
                let axis = step.axes[..leading].iter().position(|axis| *axis == "h")?;
                let (count, name) = (shape[axis].min(HEADS), "head");
                Self { axis, count, name }
            }
        };
        let (here, count) = (*session.cursor().get(choice.axis)?, choice.count);
        (count >= 2 && here < count).then_some(choice)
    }
}

fn select_place(session: &mut Session, axis: usize, head: usize) -> Result<(), String> {
    let mut index = session.cursor().to_vec();
    index[axis] = head;
    session.put_cursor(&index)
}

/// Run with the mistake of this number switched on, or off if the figure has it on. `None` if there is no such mistake.
fn run(
    session: &mut Session,
    wanted: &FigureRequest<'_>,
    number: usize,
    budget: usize,
) -> Result<Option<BrokenRun>, String> {
    let Some(mistake) = session.lesson().mistakes.get(number - 1) else {
        return Ok(None);
    };
    arrange(session, wanted)?;
    // If the figure is already broken, the button repairs it.
    let breaks = !session.settings().broken(mistake.name);
    let name = shown_name(session);
    let shown = match session.switch(mistake.name, breaks) {
        Ok(()) => view::of(session, budget, wanted.overrides.columns),
        Err(sentence) => View::refused(&sentence),
    };
    let lesson = session.lesson();
    let advice = lesson.advice(mistake, session.settings(), FrontEnd::Book);
    let advice = inline::typeset(&advice);
    let watch = match shown_name(session) {
        other if other != name && shown.kind != Kind::Refused => {
            format!("This run has no {name}, so {other} is shown. {advice}")
        }
        _ => advice,
    };
    let (title, watch) = if breaks {
        (mistake.title.to_owned(), watch)
    } else {
        (format!("put right: {}", mistake.title), String::new())
    };
    let run = BrokenRun {
        number,
        title: inline::typeset(&title),
        watch,
        shown: shown.into(),
    };
    arrange(session, wanted)?;
    Ok(Some(run))
}

/// Name of the tensor or picture shown.
fn shown_name(session: &Session) -> String {
    let picture = session.picture().map(|picture| picture.name.to_owned());
    picture
        .or(session.step().map(|step| step.name.clone()))
        .unwrap_or_default()
}

/// JSON for embedding in a page, escaped so that it can't end the script element.
fn script(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).expect("its maps have strings as keys");
    json.replace('<', "\\u003c")
}
