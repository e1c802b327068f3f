//! Overlays in place of the text pane, with their state.

use crate::screen::key::{KeyCode, KeyEvent};

use super::line::{Typed, edit_end};
use crate::lesson::awaited::Awaited;
use crate::lesson::exercise::report::Card;
use crate::lesson::hunt::{Board, Outcome};
use crate::lesson::session::gradient_check::{GradientCheck, GradientCheckRequest};
use crate::lesson::walk::Questions;

/// Overlay in place of the text pane. It never covers the tensor.
pub enum Overlay {
    /// The help.
    Help,
    /// The palette: commands and more by name.
    Palette(Choice),
    /// The search for text in all lessons.
    Search(Choice),
    /// The glossary: every term, or those that match the typed text.
    Terms(Choice),
    /// The card of a term.
    Term(TermCard),
    /// A sentence to translate, as typed so far.
    Sentence(Typed),
    /// A cell's new value, as typed so far.
    Edit(String),
    /// Questions of a page, or of the quiz.
    Ask(Questions),
    /// The lesson's question to answer in one's own words.
    Explain(Explain),
    /// A title and a text.
    Words(String, String),
    /// A gradient compared with finite differences.
    GradientCheck(Box<GradientCard>),
    /// The question whether to end the program while work is in progress.
    Leave,
    /// The end of a lesson: what was done and what comes next.
    End(String),
    /// The exercise with the report of its check.
    Exercise(Card),
    /// The exercises of a lesson that has several, with the index of the selected one.
    Exercises(usize),
    /// The map of the learner's own model.
    Mine(Card),
    /// The hunt, which takes the whole screen; its state is kept when it is closed.
    Hunt,
}

/// The case of the hunt that is open or was left.
pub enum Hunting {
    /// Waits for the learner.
    Ready(Box<Board>),
    /// Computes a look, an answer or a new case.
    Busy(Awaited<(Board, Outcome)>),
}

impl Hunting {
    /// The case's lists, unless something is being computed.
    pub fn board(&mut self) -> Option<&mut Board> {
        match self {
            Self::Ready(board) => Some(board),
            Self::Busy(_) => None,
        }
    }
}

/// Card of a term of the glossary.
pub struct TermCard {
    /// Name of the term.
    pub name: String,
    /// Text of the card.
    pub text: String,
    /// Number of the lesson that teaches it.
    pub lesson: usize,
    /// List that it was chosen from, to which closing the card returns.
    pub from: Option<Choice>,
}

/// An explanation in the learner's own words, as far as it has been written.
#[derive(Default)]
pub struct Explain {
    /// What is written so far.
    pub typed: Typed,
    /// Whether the rubric is shown, for the learner to compare with.
    pub compares: bool,
    /// Points that the learner finds in the explanation.
    pub points: [bool; 3],
}

/// Gradient with respect to a cell, as far as it has been computed.
pub struct GradientCard {
    /// The request, or why the cell has none.
    pub request: Result<GradientCheckRequest, String>,
    /// Result so far.
    pub result: Option<GradientCheck>,
}

/// Typed text, and the selection among its matches.
#[derive(Default)]
pub struct Choice {
    /// Typed text.
    pub typed: String,
    /// Index of the selected match.
    pub chosen: usize,
}

impl Choice {
    /// Edits the text, or moves the selection; `false` for any other key.
    pub(super) fn press(&mut self, key: KeyEvent) -> bool {
        match key.code {
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen = self.chosen.saturating_add(1),
            _ if edit_end(&mut self.typed, key) => self.chosen = 0,
            _ => return false,
        }
        true
    }
}

/// An answer that takes longer to judge than a key may wait.
pub struct Judging {
    /// Id of the question.
    pub id: String,
    /// Number of the option.
    pub option: usize,
    /// Whether it is right, once that is known.
    pub verdict: Awaited<bool>,
}
