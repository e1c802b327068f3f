//! What borrows the text pane, and what it remembers while it is open.

use super::line::Typed;
use crate::lesson::awaited::Awaited;
use crate::lesson::exercise::report::Card;
use crate::lesson::session::differences::{Differences, Question};
use crate::lesson::walk::Asked;

/// What borrows the text pane. It never covers the tensor.
pub enum Overlay {
    /// What is possible, from this line on.
    Help(usize),
    /// Commands by name.
    Palette(Choice),
    /// A word in all lessons.
    Search(Choice),
    /// The glossary: every term, or those that fit what was typed.
    Terms(Choice),
    /// A term on its card.
    Term(TermCard),
    /// A sentence to translate, as far as it is typed.
    Sentence(Typed),
    /// A cell's new value, as far as it is typed.
    Edit(String),
    /// Questions of a page, or of the quiz.
    Ask(Asked),
    /// Words, with a title, from this line on.
    Words(String, String, usize),
    /// A gradient held against finite differences, from this line on.
    Slope(Box<Slope>, usize),
    /// Whether to end the program, while work goes on.
    Leave,
    /// The end of a lesson: what was done and what comes next, from this line on.
    End(String, usize),
    /// The exercise: what the check said, from this line on.
    Exercise(Card, usize),
    /// The exercises of the lesson, where it has several: the place of the one chosen.
    Exercises(usize),
    /// The map of the learner's own model, from this line on.
    Mine(Card, usize),
}

/// A term of the glossary.
pub struct TermCard {
    /// Its name.
    pub name: String,
    /// What stands on the card.
    pub text: String,
    /// The number of the lesson that teaches it.
    pub lesson: usize,
    /// The first line that is shown.
    pub at: usize,
    /// The list that it was chosen from, which closing the card goes back to.
    pub from: Option<Choice>,
}

/// The slope by a cell, as far as it is worked out.
pub struct Slope {
    /// What was asked; why it cannot be where that is so.
    pub asked: Result<Question, String>,
    /// What came of it so far.
    pub found: Option<Differences>,
}

/// Something typed, and the place chosen among what fits it.
#[derive(Default)]
pub struct Choice {
    /// What was typed.
    pub typed: String,
    /// The place of what is chosen.
    pub chosen: usize,
}

/// An answer that takes longer to judge than a key may wait.
pub struct Judging {
    /// The question's id.
    pub id: String,
    /// The number of the option.
    pub option: usize,
    /// Whether it is right, once that is known.
    pub found: Awaited<bool>,
}
