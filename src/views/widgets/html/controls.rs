//! Controls of a figure: what its reader can switch, set and choose. Each carries the [`Intent`] that it asks for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::inline::typeset;
use super::view::shown_name;
use crate::lesson::knob::Range;
use crate::lesson::session::{GradientOf, Intent, Session};
use crate::lesson::{Body, Knob};
use crate::widgets::svg::escape;

/// Maximum number of heads, and of tokens, that a figure offers.
const HEADS: usize = 8;
const TOKENS: usize = 12;

/// What a page's text offers to change at a figure. The rest is there too, folded away.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Offers {
    /// Names of mistakes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mistakes: Vec<String>,
    /// Knobs, with the values that the text names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub knobs: BTreeMap<String, Vec<String>>,
}

/// An axis of what is shown along which the reader can choose.
pub struct Choice {
    /// Number of the axis.
    pub axis: usize,
    /// Number of places that a figure offers.
    pub count: usize,
    /// What is chosen: `head` or `token`.
    pub name: &'static str,
}

impl Choice {
    /// The heads of the shown tensor, or the tokens that the shown diagrams are about. `None` if there is no choice.
    pub fn of(session: &Session) -> Option<Self> {
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

/// The controls of a figure. The first ones are those that the text offers; once a reader has begun, `all` others are
/// there too.
pub fn html(session: &Session, offers: &Offers, all: bool) -> String {
    let lesson = session.lesson();
    let (offered, others): (Vec<_>, Vec<_>) = (lesson.mistakes.iter())
        .partition(|mistake| offers.mistakes.iter().any(|name| name == mistake.name));
    let switch = |mistake: &&crate::lesson::Mistake| {
        let name = mistake.name.to_owned();
        let on = session.settings().broken(mistake.name);
        button(&Intent::BreakNamed(name), &typeset(mistake.title), Some(on))
    };
    let mut runs = String::new();
    if !offered.is_empty() {
        let buttons: String = offered.iter().map(switch).collect();
        runs = format!(
            "<div class=\"tt-runs\" role=\"group\" aria-label=\"Mistakes to switch on\"><span>Break it: </span>{buttons}</div>"
        );
    }
    let is_offered = |knob: &&Knob| offers.knobs.contains_key(knob.name);
    let (offered, rest): (Vec<_>, Vec<_>) = lesson.knobs.iter().partition(is_offered);
    let named = |knob: &Knob| offers.knobs.get(knob.name).map_or(&[][..], Vec::as_slice);
    let mut knobs: String = offered
        .into_iter()
        .map(|knob| control(session, knob, named(knob)))
        .collect();
    knobs.extend(place(session));
    if !knobs.is_empty() {
        knobs = format!("<div class=\"tt-knobs\">{knobs}</div>");
    }
    // A text is typed before something is broken, and a knob turned after that.
    let mut out = if knobs.contains("type=\"text\"") {
        knobs + &runs
    } else {
        runs + &knobs
    };
    if all {
        let mut more = views(session);
        more.extend(
            rest.into_iter()
                .filter(|knob| lesson.matters(session.settings(), knob.name))
                .map(|knob| control(session, knob, &[])),
        );
        let switches: String = others.iter().map(switch).collect();
        if !switches.is_empty() {
            more +=
                &format!("<div class=\"tt-runs\"><span>Other mistakes: </span>{switches}</div>");
        }
        out += &format!(
            "<details class=\"tt-explore\"><summary>Explore this run</summary><div class=\"tt-knobs\">{more}</div></details>"
        );
    }
    out
}

/// A button that asks for `intent`; `on` if it is a switch.
pub fn button(intent: &Intent, text: &str, on: Option<bool>) -> String {
    let pressed = on.map_or_else(String::new, |on| format!(" aria-pressed=\"{on}\""));
    let acts = attribute(&[intent]);
    format!(
        "<button type=\"button\" data-acts=\"{acts}\"{pressed}>{}</button>",
        escape(text)
    )
}

/// Requests as the value of an attribute.
pub fn attribute(intents: &[&Intent]) -> String {
    escape(&serde_json::to_string(intents).expect("plain data"))
}

/// A knob as a slider, a list or a field.
fn control(session: &Session, knob: &Knob, named: &[String]) -> String {
    let here = session.settings().text(knob.name);
    let mut values = session.stops(knob);
    values.retain(|value| is_there(session, knob.name, value));
    let also = named.iter().map(String::as_str).chain([here]);
    for value in also.filter_map(|value| knob.accept(value).ok()) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let name = knob.name;
    let about = knob.about.replace('`', "");
    let input = match knob.range {
        Range::Text { .. } => format!(
            "<input type=\"text\" data-knob=\"{name}\" value=\"{}\" size=\"{}\" spellcheck=\"false\">{}",
            escape(here),
            if here.len() > 12 { 44 } else { 16 },
            if name == "sentence" {
                "<button type=\"button\" class=\"tt-go\">Translate</button>"
            } else {
                ""
            }
        ),
        _ if values.iter().all(|value| value.parse::<f64>().is_ok()) => {
            values.sort_by(|a, b| number(a).total_cmp(&number(b)));
            let at = values.iter().position(|value| value == here);
            slider(
                &format!("data-knob=\"{name}\""),
                name,
                &values,
                at.unwrap_or(0),
            )
        }
        _ => {
            let list = values.iter().map(|value| {
                let selected = if value == here { " selected" } else { "" };
                format!("<option{selected}>{}</option>", escape(value))
            });
            format!(
                "<select data-knob=\"{name}\">{}</select>",
                list.collect::<String>()
            )
        }
    };
    labelled(name, &input, &about)
}

/// False if `value` is a layer or a head that the shown translator does not have.
fn is_there(session: &Session, knob: &str, value: &str) -> bool {
    if value.parse::<usize>().is_err() || session.lesson().knob("kind").is_err() {
        return true;
    }
    let is_source = session.settings().text("kind") == "source";
    let side = if is_source { "encoder" } else { "decoder" };
    let scope = format!("{side}.layers.{value}.");
    let mut steps = session.trace().steps().iter();
    match knob {
        "layer" => steps.any(|step| step.name.starts_with(&scope)),
        // Attention weights are `[batch, heads, …]`.
        "head" => steps.any(|step| {
            step.axes.get(1) == Some(&"h") && number(value) < step.value.shape()[1] as f64
        }),
        _ => true,
    }
}

fn number(value: &str) -> f64 {
    value.parse().unwrap_or(f64::NAN)
}

fn labelled(name: &str, input: &str, about: &str) -> String {
    format!(
        "<label class=\"tt-knob\"><code>{name}</code> {input}<span class=\"tt-shape\">{}</span></label>",
        escape(about)
    )
}

/// A slider over `values`, of which number `at` is the current one.
fn slider(attributes: &str, name: &str, values: &[String], at: usize) -> String {
    let all = escape(&json!(values).to_string());
    let here = values.get(at).map_or("", String::as_str);
    format!(
        "<input type=\"range\" min=\"0\" max=\"{}\" value=\"{at}\" {attributes} data-values=\"{all}\" aria-valuetext=\"{name} {here}\"> <output>{here}</output>",
        values.len().saturating_sub(1)
    )
}

/// The other heads of the tensor, or the diagrams of other tokens.
fn place(session: &Session) -> Option<String> {
    let Choice { axis, count, name } = Choice::of(session)?;
    let values: Vec<String> = (0..count).map(|at| at.to_string()).collect();
    let cursor = json!(session.cursor());
    let input = slider(
        &format!("data-axis=\"{axis}\" data-cursor=\"{cursor}\""),
        name,
        &values,
        session.cursor()[axis],
    );
    let about = format!("which {name} is shown, counted from 0");
    Some(labelled(name, &input, &about))
}

/// A list of the run's pictures and tensors.
fn views(session: &Session) -> String {
    let shown = shown_name(session);
    let option = |name: &str, text: &str| {
        let selected = if name == shown { " selected" } else { "" };
        format!(
            "<option value=\"{0}\"{selected}>{1}</option>",
            escape(name),
            escape(text)
        )
    };
    let pictures = session.run().pictures.iter();
    let pictures: String = pictures
        .map(|p| option(p.name, &typeset(&p.title)))
        .collect();
    let steps = session.trace().steps().iter();
    let steps: String = steps.map(|step| option(&step.name, &step.name)).collect();
    let mut groups = String::new();
    if !pictures.is_empty() {
        groups += &format!("<optgroup label=\"Pictures\">{pictures}</optgroup>");
    }
    groups += &format!(
        "<optgroup label=\"Tensors, in the order in which they were computed\">{steps}</optgroup>"
    );
    let list = format!("<select data-look>{groups}</select>");
    labelled("show", &list, "a picture or a tensor of this run")
}

/// What can be done about changes that the reader has made.
pub fn changes(session: &Session) -> String {
    let mut out = String::new();
    let broken = session.settings().mistakes().next().is_some();
    if broken || !session.edits().is_empty() {
        let text = match (session.shows_difference(), session.shows_both()) {
            (true, _) => "Show both, side by side",
            (_, true) => "Show this run only",
            _ => "Show the difference",
        };
        out += &button(&Intent::Difference, text, None);
    }
    if !session.edits().is_empty() {
        out += &button(&Intent::Undo, "Undo the last change", None);
    }
    if session.gradients_of().is_some() {
        out += &button(
            &Intent::ShowGradients(GradientOf::Loss),
            "Back to the values",
            None,
        );
    }
    out + "<button type=\"button\" data-reset>Start again</button>"
}
