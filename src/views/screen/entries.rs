//! Entries of the run pane: steps, pictures, knobs and mistakes.

use crate::lesson::session::{Focus, Session};

/// Entry of the list, by its index among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A recorded operation.
    Step(usize),
    /// A picture.
    Picture(usize),
    /// A knob.
    Knob(usize),
    /// A mistake that can be switched on.
    Mistake(usize),
}

impl Entry {
    /// Heading of the entry's group.
    pub fn group(self) -> &'static str {
        match self {
            Self::Step(_) => "steps",
            Self::Picture(_) => "pictures",
            Self::Knob(_) => "knobs",
            Self::Mistake(_) => "break it",
        }
    }
}

/// All entries, in the order listed.
pub fn entries(session: &Session) -> Vec<Entry> {
    let lesson = session.lesson();
    let steps = (0..session.trace().steps().len()).map(Entry::Step);
    let pictures = (0..session.run().pictures.len()).map(Entry::Picture);
    let knobs = (0..lesson.knobs.len()).map(Entry::Knob);
    let mistakes = (0..lesson.mistakes.len()).map(Entry::Mistake);
    steps.chain(pictures).chain(knobs).chain(mistakes).collect()
}

/// Index of the entry that the stage shows.
pub fn looked_at(session: &Session) -> usize {
    match session.focus() {
        Focus::Step(n) => n,
        Focus::Picture(n) => session.trace().steps().len() + n,
    }
}

/// Index of the first entry of the group that is `by` groups after the one of `from`; stops at the ends.
pub fn next_group(all: &[Entry], from: usize, by: isize) -> usize {
    let mut first: Vec<usize> = Vec::new();
    for (place, entry) in all.iter().enumerate() {
        if place == 0 || all[place - 1].group() != entry.group() {
            first.push(place);
        }
    }
    let now = first.iter().rposition(|&at| at <= from).unwrap_or(0);
    let next = now
        .saturating_add_signed(by)
        .min(first.len().saturating_sub(1));
    first.get(next).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_each_other_and_end() {
        let all = [
            Entry::Step(0),
            Entry::Step(1),
            Entry::Picture(0),
            Entry::Mistake(0),
            Entry::Mistake(1),
        ];
        assert_eq!(next_group(&all, 1, 1), 2);
        assert_eq!(next_group(&all, 2, 1), 3);
        assert_eq!(next_group(&all, 4, 1), 3);
        assert_eq!(next_group(&all, 4, -1), 2);
        assert_eq!(next_group(&all, 0, -1), 0);
        assert_eq!(next_group(&[], 0, 1), 0);
    }
}
