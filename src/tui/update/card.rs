//! The card of a term.

use super::super::app::{Choice, Overlay, TermCard};
use crate::lesson::glossary::Term;
use crate::typeset::formula;

/// A term of the glossary on its card, with its formula where it has one.
pub fn term_card(term: &Term) -> Overlay {
    chosen_card(term, None)
}

/// The same, chosen from the list of terms.
pub(super) fn chosen_card(term: &Term, from: Option<Choice>) -> Overlay {
    let formula = term
        .formula
        .as_deref()
        .and_then(|tex| formula::layout(tex).ok());
    let formula = formula.map_or(String::new(), |set| format!("{}\n\n", set.rows.join("\n")));
    Overlay::Term(TermCard {
        name: term.name.clone(),
        lesson: term.lesson,
        text: format!("{formula}{}", term.card()),
        at: 0,
        from,
    })
}
