//! A case of the hunt: its number, the hidden fault, the looks made, and the answer.

use std::fmt::Write;

use super::evidence::Table;
use super::fault::{Defect, Fault, Kind, Subject, all};
use super::finding::{Finding, ORDINARY};
use super::look::{Instrument, Look};
use super::patient::Patient;
use crate::lesson::mark::number_of;
use crate::lesson::progress::{GIVE_UP, Progress};
use crate::lesson::record;
use crate::tensor::random;
use ndarray_rand::rand::RngCore;

/// Number of looks, by level.
const BUDGETS: [usize; 3] = [6, 8, 8];

/// Number of cases that are put into the order of what they need.
const LISTED: u64 = 36;

/// The lessons that prepare the learner for a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// The tour and lessons 01 to 05.
    FirstLessons,
    /// Lessons 01 to 13.
    Pieces,
    /// Lessons 14 to 17.
    Training,
}

impl Needs {
    /// A sentence for the learner.
    fn words(self) -> &'static str {
        match self {
            Self::FirstLessons => "The tour and lessons 01 to 05 are enough for it.",
            Self::Pieces => "Lessons 01 to 13 prepare you for it.",
            Self::Training => "Lessons 14 to 17 prepare you for it.",
        }
    }
}

/// A case, determined by its number and level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Case number, from 1; the same case on every machine.
    pub number: u64,
    /// Level, 1 to 3.
    pub level: u8,
    /// The hidden fault.
    pub defect: Defect,
}

impl Case {
    /// Case `number`, at the given level or else at its own.
    pub fn new(number: u64, level: Option<u8>) -> Self {
        let level = level.unwrap_or((number.saturating_sub(1) % 3) as u8 + 1);
        let kinds: Vec<Kind> = of_level(level).map(|fault| fault.name).collect();
        let mut rng = random::generator(number, "the hunt", u64::from(level));
        let mut drawn = |count: usize| (rng.next_u64() % count.max(1) as u64) as usize;
        let kind = kinds[drawn(kinds.len())];
        let places = kind.places();
        let place = places[drawn(places.len())].clone();
        Self {
            number,
            level,
            defect: Defect { kind, place },
        }
    }

    /// The open case that comes first, at `level` or else at each case's own level: one that was begun or, among the
    /// next [`LISTED`] numbers, the one that needs least.
    pub fn first_open(progress: &Progress, level: Option<u8>) -> Self {
        let begun = |case: &Self| {
            progress
                .moves(&case.id())
                .is_some_and(|made| !made.is_empty())
        };
        let is_open = |case: &Self| progress.moves(&case.id()).is_some();
        let mut lists = (0..).map(|list| Self::listed(list, level));
        let first = lists.find_map(|mut cases| {
            cases.retain(is_open);
            let begun = cases.iter().position(begun);
            (!cases.is_empty()).then(|| cases.swap_remove(begun.unwrap_or(0)))
        });
        first.expect("the numbers do not end")
    }

    /// The cases of a list, counted from 0, in the order of what they need and then of their numbers.
    fn listed(list: u64, level: Option<u8>) -> Vec<Self> {
        let first = list * LISTED + 1;
        let mut cases: Vec<Self> = (first..first + LISTED)
            .map(|number| Self::new(number, level))
            .collect();
        cases.sort_by_key(|case| (case.needs(), case.level));
        cases
    }

    /// What the learner has to know.
    pub fn needs(&self) -> Needs {
        match number_of(&self.defect.kind.fault().lesson) {
            Some(..=5) => Needs::FirstLessons,
            Some(14..=17) => Needs::Training,
            _ => Needs::Pieces,
        }
    }

    /// What is being examined.
    pub fn subject(&self) -> Subject {
        self.defect.kind.fault().subject
    }

    /// Its key in the learner's progress.
    pub fn id(&self) -> String {
        format!("case-{}-level-{}", self.number, self.level)
    }

    /// Number of looks that the learner has.
    pub fn budget(&self) -> usize {
        BUDGETS[usize::from(self.level.clamp(1, 3)) - 1]
    }

    /// Faults that it may hide.
    pub fn faults(&self) -> Vec<&'static Fault> {
        let subject = self.subject();
        of_level(self.level)
            .filter(|fault| fault.subject == subject)
            .collect()
    }
}

fn of_level(level: u8) -> impl Iterator<Item = &'static Fault> {
    all().iter().filter(move |fault| fault.level == level)
}

/// Result of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Not judged, because no look so far has shown anything that the sound model or run would not show.
    Unproven,
    /// The right fault in the right place.
    Right,
    /// The right fault, but in a different place.
    OtherPlace(Vec<Contradiction>),
    /// A different fault.
    Wrong(Vec<Contradiction>),
}

/// A look whose finding the named fault would not have produced.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// The look.
    pub look: Look,
    /// Actual reading.
    pub seen: String,
    /// Reading that the named fault would give.
    pub would: String,
}

/// A case in progress.
pub struct Hunt {
    /// The case.
    pub case: Case,
    patient: Patient,
    made: Vec<(Look, Finding)>,
    used: usize,
    /// Number of wrong answers.
    wrong: usize,
    /// What was paid for, as it is typed, and [`GIVE_UP`] once the solution was shown.
    moves: Vec<String>,
    /// True if the learner knows the solution, so that nothing is recorded.
    is_practice: bool,
}

impl Hunt {
    /// Starts a case.
    pub fn new(case: Case) -> Self {
        Self::taken_up(case, Some(Vec::new()))
    }

    /// Takes a case up after these moves, see [`Progress::moves`]. One that is closed starts anew, as practice.
    pub fn taken_up(case: Case, moves: Option<Vec<String>>) -> Self {
        let mut hunt = Self {
            patient: Patient::with(&case.defect),
            case,
            made: Vec::new(),
            used: 0,
            wrong: 0,
            moves: Vec::new(),
            is_practice: moves.is_none(),
        };
        for made in moves.unwrap_or_default() {
            match hunt.look_named(&made) {
                Some(look) => drop(hunt.look(&look)),
                // A wrong answer, or a look of another version of the program.
                None => hunt.pay(made),
            }
        }
        hunt
    }

    fn look_named(&self, text: &str) -> Option<Look> {
        let (name, at) = text.split_once(' ').unwrap_or((text, ""));
        let all = Instrument::of(self.case.subject(), self.case.level);
        let instrument = all.into_iter().find(|one| one.to_string() == name)?;
        Look::new(instrument, at).ok()
    }

    fn pay(&mut self, made: String) {
        self.used += 1;
        self.wrong += usize::from(made.starts_with("name "));
        self.moves.push(made);
    }

    /// The model or run being examined.
    pub fn patient(&self) -> &Patient {
        &self.patient
    }

    /// Number of looks left.
    pub fn left(&self) -> usize {
        self.case.budget().saturating_sub(self.used)
    }

    /// Number of looks used, counting wrong answers.
    pub fn used(&self) -> usize {
        self.used
    }

    /// True if a wrong answer has cost more than there was.
    pub fn is_lost(&self) -> bool {
        self.used > self.case.budget()
    }

    /// True if the solution was shown.
    pub fn is_closed(&self) -> bool {
        self.moves.iter().any(|made| made == GIVE_UP)
    }

    /// Closes the case and returns its solution.
    pub fn give_up(&mut self) -> String {
        self.moves.push(GIVE_UP.to_owned());
        solution(self)
    }

    /// Keeps the moves with the learner's progress; true if some are new.
    pub fn keep(&self, progress: &mut Progress) -> bool {
        !self.is_practice && progress.keep_moves(&self.case.id(), &self.moves)
    }

    /// Enters the solved case in the learner's progress, and returns a sentence on the record.
    pub fn enter(&self, progress: &mut Progress) -> String {
        if progress.moves(&self.case.id()).is_none() {
            return "You knew its solution, so this is no record.".to_owned();
        }
        progress.solve(&self.case.id(), self.wrong == 0);
        record::enter(self.case.level, self.used, progress)
    }

    /// Looks made so far, with their findings.
    pub fn made(&self) -> &[(Look, Finding)] {
        &self.made
    }

    /// Makes a look. Repeating one is free. `None` if there are no looks left.
    pub fn look(&mut self, look: &Look) -> Option<Finding> {
        if let Some((_, finding)) = self.made.iter().find(|(made, _)| made == look) {
            return Some(finding.clone());
        }
        if self.left() == 0 {
            return None;
        }
        let finding = self.patient.look(look);
        self.pay(look.to_string());
        self.made.push((look.clone(), finding.clone()));
        Some(finding)
    }

    /// Judges an answer. A wrong one costs a look. An answer without evidence is a guess, and is not judged.
    pub fn name(&mut self, named: &Defect) -> Answer {
        if self
            .made
            .iter()
            .all(|(_, finding)| finding.reading == ORDINARY)
            && self.left() > 0
        {
            return Answer::Unproven;
        }
        if *named == self.case.defect {
            return Answer::Right;
        }
        self.pay(format!("name {named}"));
        let contradictions = self.contradictions(named);
        if named.kind == self.case.defect.kind {
            Answer::OtherPlace(contradictions)
        } else {
            Answer::Wrong(contradictions)
        }
    }

    /// Evidence in the learner's own looks against a fault: those whose reading would differ on a model or run that has
    /// it.
    fn contradictions(&self, named: &Defect) -> Vec<Contradiction> {
        let other = Patient::with(named);
        let against = |(look, finding): &(Look, Finding)| {
            let would = other.look(look).reading;
            (would != finding.reading).then(|| Contradiction {
                look: look.clone(),
                seen: finding.reading.clone(),
                would,
            })
        };
        self.made.iter().filter_map(against).collect()
    }

    /// A finding's text; at level 1 also what is unusual in it. At higher levels, the learner reads that off the text.
    pub fn shown(&self, finding: &Finding) -> String {
        let text = finding.text.trim_end();
        match self.case.level {
            1 => format!("{text}\nReading: {}.", finding.reading),
            _ => text.to_owned(),
        }
    }

    /// A shortest sufficient set of looks with their readings, one per line.
    pub fn shortest(&self) -> String {
        let table = Table::of(self.case.subject(), self.case.level);
        let defect = &self.case.defect;
        let mut text = String::new();
        for look in table.shortest(defect).unwrap_or_default() {
            let reading = table.reading(defect, &look).unwrap_or_default();
            let _ = writeln!(text, "  {look}: {reading}");
        }
        text
    }
}

/// Reply to an answer without evidence.
pub const UNPROVEN: &str = "That would be a guess: nothing that you have seen so far differs from the sound model or run. Look first. This costs nothing.";

/// Introduction to a case: what is being examined, and the report of its users.
pub fn opening(hunt: &Hunt) -> String {
    let case = &hunt.case;
    let fault = case.defect.kind.fault();
    let what = match case.subject() {
        Subject::Model => {
            "A translator: the everyday model, with one fault in its code, its files or its weights."
        }
        Subject::Training => {
            "A training run: a small model learns to copy sentences, with one fault in its code or its settings."
        }
    };
    let before = match hunt.used {
        _ if hunt.is_practice => {
            "\nYou have solved it or seen its solution before, so this time nothing is recorded."
        }
        0 => "",
        _ => "\nYou have begun it before: the notes show what you have seen.",
    };
    let needs = case.needs().words();
    format!(
        "Case {}, level {}: {} looks.{before}\n{what} {needs}\nThe report: {}",
        case.number,
        case.level,
        case.budget(),
        fault.symptom
    )
}

/// Contradictions in words, one per line.
pub fn against(contradictions: &[Contradiction]) -> String {
    if contradictions.is_empty() {
        return "Nothing that you have seen speaks against it, so look further.".to_owned();
    }
    let line = |c: &Contradiction| {
        format!(
            "With that fault, '{}' would have read: {}. You saw: {}.",
            c.look, c.would, c.seen
        )
    };
    contradictions
        .iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Text of the solution: the fault, how it causes the symptoms, and the fewest looks that suffice.
pub fn solution(hunt: &Hunt) -> String {
    let defect = &hunt.case.defect;
    let fault = defect.kind.fault();
    let number = number_of(&fault.lesson).expect("a fault names a lesson that exists");
    let lesson = format!(
        "lesson {number:02} (transformer-tutor --lesson {})",
        fault.lesson
    );
    format!(
        "\nThe fault: {}, in {}.\n{}\nThe fewest looks that tell it from every other fault of level {}:\n{}To read about it: {lesson}.",
        fault.title,
        defect.place,
        fault.why,
        hunt.case.level,
        hunt.shortest(),
    )
}

/// Parses a fault and a place. The error explains what can be named.
pub fn named(case: &Case, words: &str) -> Result<Defect, String> {
    let mut words = words.split_whitespace();
    let Some(word) = words.next() else {
        return Err("Write the name of a fault behind it; 'faults' lists them.".to_owned());
    };
    let faults = case.faults();
    let Some(fault) = faults.iter().find(|fault| fault.name.to_string() == word) else {
        return Err(format!(
            "'{word}' is not a fault of this level; 'faults' lists them. This costs nothing."
        ));
    };
    let (kind, places) = (fault.name, fault.name.places());
    let place = match (words.next(), &places[..]) {
        (None, [only]) => only.clone(),
        (Some(place), _) if places.iter().any(|one| one == place) => place.to_owned(),
        _ => {
            return Err(format!(
                "{kind} can sit in: {}. Name one of them behind it. This costs nothing.",
                places.join(", ")
            ));
        }
    };
    Ok(Defect { kind, place })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cases_need_least_and_one_that_was_begun_comes_before_them() {
        let mut progress = Progress::default();
        let mut before = (Needs::FirstLessons, 1);
        for nth in 0..LISTED {
            let case = Case::first_open(&progress, None);
            let needs = (case.needs(), case.level);
            assert!(needs >= before, "{case:?} comes after {before:?}");
            assert!(nth >= 5 || needs == (Needs::FirstLessons, 1), "{case:?}");
            assert!(opening(&Hunt::new(case.clone())).contains(needs.0.words()));
            progress.solve(&case.id(), true);
            before = needs;
        }
        assert_eq!(before.0, Needs::Training);
        assert!(Case::first_open(&progress, None).number > LISTED);
        let mut progress = Progress::default();
        let begun = Case::new(20, None);
        progress.keep_moves(&begun.id(), &["loss".to_owned()]);
        assert_eq!(Case::first_open(&progress, None), begun);
    }
}
