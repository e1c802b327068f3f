//! A figure that its reader changes: one learner at one stage, shown as HTML.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::controls::{self, Offers};
use super::inline::{self, typeset};
use super::view::{self, View, shown_name};
use super::{heads, why};
use crate::command;
use crate::curriculum;
use crate::lesson::page::StageBlock;
use crate::lesson::session::cell_name::cell_name;
use crate::lesson::session::{Intent, Session};
use crate::lesson::{Body, FrontEnd};
use crate::lesson::{SetCell, rewritten};
use crate::typeset::number::short;
use crate::widgets::stage::axis_words;
use crate::widgets::svg::escape;

/// What a figure shows at first, and what its text offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The lesson's name.
    pub lesson: String,
    /// The stage block of the page.
    pub block: StageBlock,
    /// True if the reader knows by then what a leak is.
    pub knows_leaks: bool,
    #[serde(default)]
    pub offers: Offers,
    /// Columns named in the text, which are shown however far they are from the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<usize>,
}

impl Place {
    /// Brings a session of the lesson to this place.
    pub fn arrange(&self, session: &mut Session) -> Result<(), String> {
        session.arrange(&self.block)?;
        command::press(session, self.block.press.as_deref().unwrap_or(""))
    }
}

/// A figure.
pub struct Figure {
    place: Place,
    session: Session,
    /// What the reader has asked for so far.
    acts: Vec<Intent>,
    /// The panel for a cell of a picture.
    note: Option<String>,
}

/// What a figure shows now, each part as HTML.
#[derive(Debug, Default, Serialize)]
pub struct Shown {
    pub head: String,
    pub controls: String,
    /// What the translator writes, and what to look for in a broken run or why something was not possible.
    pub writes: String,
    /// What the reader has changed.
    pub watch: String,
    /// What can be done about these changes.
    pub changes: String,
    pub body: String,
    pub says: String,
    pub why: String,
}

impl Figure {
    /// The figure as its page shows it. `Err` says what there is not.
    pub fn open(place: &Place) -> Result<Self, String> {
        let lesson = curriculum::find(&place.lesson)?;
        let mut session = Session::for_page(lesson, Some(&place.block));
        session.name_leak(place.knows_leaks);
        place.arrange(&mut session)?;
        Ok(Self {
            place: place.clone(),
            session,
            acts: Vec::new(),
            note: None,
        })
    }

    /// Does what the reader has asked for since the figure was opened, of which it may have done a first part. A page
    /// keeps this list, so that a figure can be opened anew at any time. The last request may take the place of one that
    /// it undoes, as while something is moved.
    pub fn follow(&mut self, acts: &[Intent]) -> Result<(), String> {
        if let (Some(was), Some(is)) = (self.acts.last(), acts.get(self.acts.len().wrapping_sub(1)))
            && undoes(is, was)
        {
            self.acts.pop();
        }
        if !acts.starts_with(&self.acts) {
            *self = Self::open(&self.place)?;
        }
        for intent in &acts[self.acts.len()..] {
            self.act(intent);
        }
        Ok(())
    }

    fn act(&mut self, intent: &Intent) {
        self.acts.push(intent.clone());
        self.note = None;
        let shown = shown_name(&self.session);
        if *intent == Intent::Why && self.session.picture().is_some() {
            return self.ask_picture();
        }
        self.session.refuse(None);
        let done = self.session.act(intent);
        if let Err(sentence) = done {
            self.session.refuse(Some(sentence));
        }
        // A run with other settings keeps what was chosen to be seen, if it has that.
        if matches!(intent, Intent::Set(..) | Intent::BreakNamed(_))
            && shown_name(&self.session) != shown
        {
            let _ = self.session.show(&shown);
        }
    }

    /// Explains the cell of a picture: where the tensor that it shows has it, if there is one.
    fn ask_picture(&mut self) {
        let cell = match (
            self.session.picture().map(|p| &p.body),
            self.session.cursor(),
        ) {
            (Some(Body::Matrix { values, .. }), &[row, column]) => {
                heads::shown(&self.session, values).and_then(|of| {
                    let head = of.head?;
                    Some(cell_name(&of.step.name, &[0, head, row, column]))
                })
            }
            _ => None,
        };
        if let Some(cell) = cell {
            let _ = self.session.act(&Intent::Cell(cell));
        } else {
            self.note = why::of_picture(&self.session);
        }
        if self.note.is_none() {
            // A box of a map opens its tensor, a node of a diagram its cell.
            self.session.ask();
        }
    }

    /// What it shows now. While something in it `moves`, that is the drawing only.
    pub fn shown(&self, moves: bool) -> Shown {
        if moves {
            let body = view::of(&self.session, &self.place.columns).body;
            return Shown {
                body,
                ..Shown::default()
            };
        }
        let View {
            title, body, says, ..
        } = view::of(&self.session, &self.place.columns);
        Shown {
            head: title,
            controls: controls::html(&self.session, &self.place.offers, true),
            writes: writes(&self.session, &self.place.offers) + &self.advice(),
            watch: self.watch(),
            changes: controls::changes(&self.session),
            body,
            says: says.join(" "),
            why: self
                .note
                .clone()
                .unwrap_or_else(|| why::html(&self.session)),
        }
    }

    /// Why something was not possible, and what to look for.
    fn advice(&self) -> String {
        let session = &self.session;
        let lesson = session.lesson();
        let refusal = session.refusal().map(|text| escape(&typeset(text)));
        let on = (lesson.mistakes.iter()).filter(|m| session.settings().broken(m.name));
        let advice = on.map(|mistake| {
            let advice = mistake.advice(session.settings());
            inline::html(&lesson.says(&advice, FrontEnd::Book)).unwrap_or_default()
        });
        let all = refusal.into_iter().chain(advice).map(ended);
        all.collect::<Vec<_>>().join(" ")
    }

    /// What the reader has set, and how far that reaches.
    fn watch(&self) -> String {
        let session = &self.session;
        let remark = session.remark().map(|text| escape(&typeset(text)));
        let mut out = remark.map(ended).unwrap_or_default();
        let far = escape(&typeset(&session.edits_in_words()));
        if let [edit] = session.edits() {
            let step = &session.trace().steps()[edit.step];
            let at = axis_words(session.trace(), step, &edit.index);
            let set = format!(" {} is now {}: {at}.", step.name, short(edit.value, 9));
            out += &escape(&typeset(&set));
        }
        if session.edits().is_empty() {
            return out + &far;
        }
        out + &format!("<details><summary>How far the change reaches</summary>{far}</details>")
    }
}

/// A message with a full stop, so that another can follow.
fn ended(message: String) -> String {
    let is_open = message.ends_with(|c: char| c.is_alphanumeric() || c == ')');
    message + if is_open { "." } else { "" }
}

/// The translation that the model writes in this run, as a sentence, and the intact one if it differs. Empty for a
/// figure that is not about it.
pub fn writes(session: &Session, offers: &Offers) -> String {
    let Some([now, intact]) = &session.run().written else {
        return String::new();
    };
    let shown = session.picture().map(|picture| picture.name);
    let rewritten = rewritten_by(session);
    let is_own = offers.knobs.contains_key("sentence") || shown == Some("translation");
    if !is_own && rewritten.is_none() {
        return String::new();
    }
    let now = rewritten.as_deref().unwrap_or(now);
    let was = match escape(intact) {
        _ if now == intact => String::new(),
        intact => format!(" <span class=\"tt-was\">instead of “{intact}”</span>"),
    };
    let now = escape(now);
    format!(
        "<span class=\"tt-written\"><span>It writes</span> <strong>“{now}”</strong>{was}</span>"
    )
}

/// The translation of the running sentence with the numbers that the reader has set.
fn rewritten_by(session: &Session) -> Option<Arc<String>> {
    // The run with the numbers set is no longer that of the sentence.
    let sentence = session.reference().sentence.as_deref()?;
    let steps = session.trace().steps();
    let set = session.edits().iter().map(|edit| SetCell {
        tensor: steps[edit.step].name.clone(),
        index: edit.index.clone(),
        value: edit.value,
    });
    let set: Vec<SetCell> = set.collect();
    (!set.is_empty()).then(|| rewritten(sentence, &set))
}

/// True if what a request sets was set by the one before.
fn undoes(is: &Intent, was: &Intent) -> bool {
    match (is, was) {
        (Intent::Put(is), Intent::Put(was)) => {
            let cells =
                |all: &[(String, f32)]| all.iter().map(|cell| cell.0.clone()).collect::<Vec<_>>();
            cells(is) == cells(was)
        }
        (Intent::Set(is, _), Intent::Set(was, _)) => is == was,
        (Intent::At(_), Intent::At(_)) | (Intent::Read(_), Intent::Read(_)) => true,
        _ => false,
    }
}
