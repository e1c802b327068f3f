//! The hunt as lists to choose from: the looks, what they take, the faults, and where those can sit.

use super::case::{Answer, Case, Hunt, UNPROVEN, against, opening, solution};
use super::fault::{Defect, Kind};
use super::finding::Finding;
use super::look::{Instrument, Look, MOST_PADDING, Takes};

/// Sentences that the instruments offer beside the usual one.
const SENTENCES: [&str; 3] = [
    "Ich habe keine Zeit.",
    "Weil es regnet, bleiben wir zu Hause.",
    "Das Buch, das du mir gegeben hast, ist sehr interessant.",
];

/// A list that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    /// The looks, and what else can be done.
    Looks,
    /// What a look can be taken at.
    At(Instrument),
    /// The faults of the level.
    Faults,
    /// Where a fault can sit.
    Places(Kind),
    /// The looks made so far.
    Notes,
}

/// What an entry does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Choice {
    Open(List),
    Look(Look),
    Name(Defect),
    /// Shows a look that was made, by its number.
    Note(usize),
    Report,
    GiveUp,
    NextCase,
}

/// An entry of the open list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What is chosen.
    pub name: String,
    /// What it shows or does.
    pub about: String,
    choice: Choice,
}

impl Entry {
    fn new(name: impl ToString, about: impl Into<String>, choice: Choice) -> Self {
        Self {
            name: name.to_string(),
            about: about.into(),
            choice,
        }
    }
}

/// What follows from an entry, for whoever keeps the progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing.
    Open,
    /// The case is solved, see [`Hunt::enter`].
    Solved,
    /// The learner wants the next case, of this level or of any.
    Next(Option<u8>),
}

/// What is shown beside the lists.
#[derive(Clone, Debug, PartialEq)]
enum Shown {
    Text(String),
    /// A look that was made, by its number.
    Look(usize),
}

/// A case with the lists that are open and what was shown last.
pub struct Board {
    hunt: Hunt,
    lists: Vec<List>,
    chosen: usize,
    shown: Shown,
    /// True once the case is solved or given up.
    over: bool,
    /// Level of the cases that follow; each case's own if there is none.
    level: Option<u8>,
}

impl Board {
    /// Lays a case out; the next ones have the same level if `level` is given.
    pub fn new(hunt: Hunt, level: Option<u8>) -> Self {
        Self {
            shown: Shown::Text(opening(&hunt)),
            hunt,
            lists: vec![List::Looks],
            chosen: 0,
            over: false,
            level,
        }
    }

    /// The case.
    pub fn hunt(&self) -> &Hunt {
        &self.hunt
    }

    /// `case 7, level 1: 5 left`, which is the number of looks.
    pub fn heading(&self) -> String {
        let Case { number, level, .. } = self.hunt.case;
        let left = match (self.over, self.hunt.left()) {
            (true, _) => "closed".to_owned(),
            (_, n) => format!("{n} left"),
        };
        format!("case {number}, level {level}: {left}")
    }

    /// Name of the open list.
    pub fn title(&self) -> String {
        match self.list() {
            List::Looks => "What do you look at?".to_owned(),
            List::At(instrument) => format!("{instrument}: where?"),
            List::Faults => "Which fault is it?".to_owned(),
            List::Places(kind) => format!("{kind}: where?"),
            List::Notes => "What you have seen".to_owned(),
        }
    }

    fn list(&self) -> List {
        *self.lists.last().unwrap_or(&List::Looks)
    }

    /// Entries of the open list.
    pub fn entries(&self) -> Vec<Entry> {
        match self.list() {
            List::Looks => self.looks(),
            List::At(instrument) => {
                let entry = |at: String| {
                    let name = if at.is_empty() {
                        "the usual sentence".to_owned()
                    } else {
                        at.clone()
                    };
                    Entry::new(name, "", Choice::Look(Look { instrument, at }))
                };
                arguments(instrument).into_iter().map(entry).collect()
            }
            List::Faults => {
                let faults = self.hunt.case.faults().into_iter();
                let entry = |fault: &super::fault::Fault| {
                    let kind = fault.name;
                    let choice = match &kind.places()[..] {
                        [place] => Choice::Name(Defect {
                            kind,
                            place: place.clone(),
                        }),
                        _ => Choice::Open(List::Places(kind)),
                    };
                    Entry::new(kind, fault.title.clone(), choice)
                };
                faults.map(entry).collect()
            }
            List::Places(kind) => {
                let places = kind.places().into_iter();
                let entry = |place: String| {
                    let named = Defect {
                        kind,
                        place: place.clone(),
                    };
                    Entry::new(place, "", Choice::Name(named))
                };
                places.map(entry).collect()
            }
            List::Notes => {
                let made = self.hunt.made().iter().enumerate();
                let entry = |(n, (look, finding)): (usize, &(Look, Finding))| {
                    let about = match self.hunt.case.level {
                        1 => finding.reading.clone(),
                        _ => String::new(),
                    };
                    Entry::new(look, about, Choice::Note(n))
                };
                made.map(entry).collect()
            }
        }
    }

    fn looks(&self) -> Vec<Entry> {
        let mut all = Vec::new();
        if !self.over {
            let case = &self.hunt.case;
            let instruments = Instrument::of(case.subject(), case.level).into_iter();
            all.extend(instruments.map(|instrument| {
                let choice = match instrument.takes() {
                    Takes::Nothing => Choice::Look(Look {
                        instrument,
                        at: String::new(),
                    }),
                    _ => Choice::Open(List::At(instrument)),
                };
                Entry::new(instrument, instrument.about(), choice)
            }));
            let words = "your answer; a wrong one costs a look";
            all.push(Entry::new("name it", words, Choice::Open(List::Faults)));
        }
        if !self.hunt.made().is_empty() {
            let words = "shows again what you have seen";
            all.push(Entry::new("notes", words, Choice::Open(List::Notes)));
        }
        all.push(Entry::new("report", "what the users say", Choice::Report));
        all.push(if self.over {
            Entry::new("next case", "the next one that is open", Choice::NextCase)
        } else {
            let words = "shows the fault and how to find it";
            Entry::new("give up", words, Choice::GiveUp)
        });
        all
    }

    /// Index of the chosen entry.
    pub fn chosen(&self) -> usize {
        self.chosen.min(self.entries().len().saturating_sub(1))
    }

    /// Moves the choice.
    pub fn move_by(&mut self, by: isize) {
        let last = self.entries().len().saturating_sub(1);
        self.chosen = self.chosen().saturating_add_signed(by).min(last);
    }

    /// Chooses an entry by its index.
    pub fn choose(&mut self, entry: usize) {
        self.chosen = entry.min(self.entries().len().saturating_sub(1));
    }

    /// Goes back to the list before; `false` if the first one is open.
    pub fn back(&mut self) -> bool {
        let inner = self.lists.len() > 1;
        if inner {
            self.lists.pop();
            self.chosen = 0;
        }
        inner
    }

    /// Does what the chosen entry says, which can take seconds.
    pub fn enter(&mut self) -> Outcome {
        let Some(entry) = self.entries().into_iter().nth(self.chosen()) else {
            return Outcome::Open;
        };
        match entry.choice {
            Choice::Open(list) => {
                self.lists.push(list);
                self.chosen = 0;
            }
            Choice::Look(look) => self.look(&look),
            Choice::Name(defect) => return self.name(&defect),
            Choice::Note(n) => self.shown = Shown::Look(n),
            Choice::Report => self.shown = Shown::Text(opening(&self.hunt)),
            Choice::GiveUp => {
                let solution = self.hunt.give_up();
                self.close(&solution);
            }
            Choice::NextCase => return Outcome::Next(self.level),
        }
        Outcome::Open
    }

    fn look(&mut self, look: &Look) {
        if self.hunt.look(look).is_some() {
            let mut made = self.hunt.made().iter();
            let number = made.position(|(other, _)| other == look);
            self.shown = Shown::Look(number.expect("the look was just made"));
            self.lists.truncate(1);
        } else {
            let words = "You have no looks left. The notes show what you have seen; name a fault, or give up.";
            self.shown = Shown::Text(words.to_owned());
        }
    }

    fn name(&mut self, named: &Defect) -> Outcome {
        let (verdict, contradictions) = match self.hunt.name(named) {
            Answer::Right => {
                let (used, budget) = (self.hunt.used(), self.hunt.case.budget());
                self.close(&format!(
                    "Right: {named}. You used {used} of {budget} looks.\n{}",
                    solution(&self.hunt)
                ));
                return Outcome::Solved;
            }
            Answer::Unproven => {
                self.shown = Shown::Text(UNPROVEN.to_owned());
                return Outcome::Open;
            }
            Answer::OtherPlace(seen) => ("The fault is right, and the place is not.", seen),
            Answer::Wrong(seen) => ("That is not the fault.", seen),
        };
        if self.hunt.is_lost() {
            let solution = self.hunt.give_up();
            self.close(&format!(
                "That is not it, and the budget is used up.\n{solution}"
            ));
            return Outcome::Open;
        }
        let seen = against(&contradictions);
        self.shown = Shown::Text(format!("{verdict} This costs a look.\n\n{seen}"));
        self.lists.truncate(1);
        self.chosen = 0;
        Outcome::Open
    }

    /// Ends the case and shows this.
    fn close(&mut self, words: &str) {
        self.over = true;
        self.lists.truncate(1);
        self.chosen = 0;
        self.shown = Shown::Text(words.to_owned());
    }

    /// The look that is shown, with its finding.
    pub fn finding(&self) -> Option<&(Look, Finding)> {
        match self.shown {
            Shown::Look(n) => self.hunt.made().get(n),
            Shown::Text(_) => None,
        }
    }

    /// The text that is shown: of the newest finding, the report, or a reply.
    pub fn text(&self) -> String {
        match (&self.shown, self.finding()) {
            (Shown::Text(text), _) => text.trim().to_owned(),
            (_, Some((_, finding))) => self.hunt.shown(finding),
            (_, None) => String::new(),
        }
    }
}

/// What a look can be taken at.
fn arguments(instrument: Instrument) -> Vec<String> {
    match instrument.takes() {
        Takes::Nothing => vec![String::new()],
        Takes::Sentence => std::iter::once("")
            .chain(SENTENCES)
            .map(str::to_owned)
            .collect(),
        Takes::One(_, arguments) => arguments(),
        Takes::Count => [1, 4, MOST_PADDING].map(|n| n.to_string()).to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chooses the entry of this name.
    fn take(board: &mut Board, name: &str) -> Outcome {
        let entries = board.entries();
        let at = entries.iter().position(|entry| entry.name == name);
        board.choose(at.unwrap_or_else(|| panic!("{name} is not in {entries:?}")));
        board.enter()
    }

    fn name(board: &mut Board, defect: &Defect) -> Outcome {
        take(board, "name it");
        let outcome = take(board, &defect.kind.to_string());
        match defect.kind.places().len() {
            1 => outcome,
            _ => take(board, &defect.place),
        }
    }

    #[test]
    fn a_case_is_solved_from_the_lists_and_not_without_a_look() {
        let mut board = Board::new(Hunt::new(Case::new(4, None)), None);
        let hidden = board.hunt.case.defect.clone();
        name(&mut board, &hidden);
        assert_eq!(board.text(), UNPROVEN);
        while board.back() {}
        take(&mut board, "compare");
        assert!(board.text().contains("Reading: "), "{}", board.text());
        assert!(board.heading().ends_with("5 left"));
        let faults = board.hunt.case.faults();
        let other = faults.iter().find(|fault| fault.name != hidden.kind);
        let kind = other.expect("a level has several faults").name;
        let place = kind.places()[0].clone();
        name(&mut board, &Defect { kind, place });
        assert!(board.text().starts_with("That is not the fault."));
        assert!(board.heading().ends_with("4 left"));
        assert_eq!(name(&mut board, &hidden), Outcome::Solved);
        assert_eq!(board.hunt.used(), 2);
        assert!(board.text().starts_with("Right: "), "{}", board.text());
        assert_eq!(take(&mut board, "next case"), Outcome::Next(None));
    }

    #[test]
    fn giving_up_shows_the_solution_and_ends_the_case() {
        let mut board = Board::new(Hunt::new(Case::new(2, None)), Some(2));
        assert_eq!(take(&mut board, "give up"), Outcome::Open);
        assert!(board.text().contains("The fault: "));
        assert!(board.heading().ends_with("closed"));
    }
}
