//! Cards of glossary terms.

use super::super::app::{Choice, Overlay, TermCard};
use crate::lesson::glossary::Term;
use crate::typeset::formula;

/// Card of a glossary term, with its formula if it has one.
pub fn term_card(term: &Term) -> Overlay {
    chosen_card(term, None)
}

/// Card of a glossary term; closing it returns to the list `from`, if given.
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
        from,
    })
}
