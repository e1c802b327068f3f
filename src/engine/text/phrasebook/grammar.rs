//! The meaning of a sentence before it is put into words: one tree for both languages.
//!
//! Each part has a number (`Node`). A word of either language has the keys of the parts that it expresses, and words
//! that share a key are translations of each other.

use super::lexicon::{Adjective, Determiner, Gender, Noun, PERSON, Person, Phrase};
use super::verbs::{Modal, Verb};
use crate::text::writing::capitalised;

pub type Node = usize;

/// Node that a word expresses, and the word's role in it.
pub type Key = (Node, usize);

pub const DETERMINER: usize = 0;
pub const ADJECTIVE: usize = 1;
pub const HEAD: usize = 2;
pub const VERB: usize = 3;
pub const AUXILIARY: usize = 4;
pub const NOT: usize = 5;
pub const PREPOSITION: usize = 6;
pub const DEGREE: usize = 7;
pub const COMMA: usize = 8;
pub const STOP: usize = 9;
/// Role of a phrase's first link; the others count on from here.
pub const LINK: usize = 10;

#[derive(Clone, Debug)]
pub struct Nominal {
    pub node: Node,
    pub noun: &'static Noun,
    pub plural: bool,
    pub determiner: Determiner,
    pub adjective: Option<&'static Adjective>,
    pub relative: Option<Box<Clause>>,
}

#[derive(Clone, Debug)]
pub enum Np {
    Pronoun(Node, Person),
    Noun(Nominal),
    /// `wer`, `wen`; with `false`, `was` for a thing.
    Asked(Node, bool),
    /// Pronoun of a relative clause, which agrees with its noun.
    Relative(Node, &'static Noun, bool),
}

impl Np {
    pub fn person(&self) -> Person {
        match self {
            Np::Pronoun(_, person) => *person,
            Np::Noun(Nominal { plural: true, .. }) | Np::Relative(_, _, true) => Person::They,
            Np::Noun(_) | Np::Relative(..) | Np::Asked(..) => Person::It,
        }
    }

    pub fn is_pronoun(&self) -> bool {
        matches!(self, Np::Pronoun(..))
    }

    pub fn noun(&self) -> Option<&Nominal> {
        match self {
            Np::Noun(nominal) => Some(nominal),
            _ => None,
        }
    }

    /// Pronoun that refers back to this in the next clause; `None` where the languages disagree (`das Mädchen`: es,
    /// she).
    pub fn taken_up(&self) -> Option<Person> {
        match self {
            Np::Pronoun(_, person) if *person != Person::It => Some(*person),
            Np::Noun(nominal) if nominal.plural => Some(Person::They),
            Np::Noun(Nominal {
                noun, determiner, ..
            }) if noun.is(PERSON) && !matches!(determiner, Determiner::Every | Determiner::No) => {
                match noun.gender {
                    Gender::Masculine => Some(Person::He),
                    Gender::Feminine => Some(Person::She),
                    Gender::Neuter => None,
                }
            }
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Tense {
    Present,
    /// German perfect (`hat gekauft`; of `sein`: `war`), English past (`bought`).
    Past,
    Future,
    Modal(&'static Modal),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Degree {
    Plain,
    Very,
    Too,
}

#[derive(Clone, Debug)]
pub enum Complement {
    None,
    Object(Np),
    Dative(Np),
    /// The recipient and the object.
    Give(Np, Np),
    /// Object of the verb's preposition.
    Dependent(Np),
    Goal(Np),
    Quality(&'static Adjective, Degree),
    /// `Er ist Lehrer`: without an article in German, with one in English.
    Trade(&'static Noun),
    /// `älter als`
    Comparison(&'static Adjective, Np),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conjunction {
    That,
    Whether,
    Where,
    Because,
    Although,
    When,
    But,
    And,
}

impl Conjunction {
    /// The conjunction in German and English.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Conjunction::That => ("dass", "that"),
            Conjunction::Whether => ("ob", "whether"),
            Conjunction::Where => ("wo", "where"),
            Conjunction::Because => ("weil", "because"),
            Conjunction::Although => ("obwohl", "although"),
            Conjunction::When => ("wenn", "when"),
            Conjunction::But => ("aber", "but"),
            Conjunction::And => ("und", "and"),
        }
    }
}

/// What follows the whole clause in both languages.
#[derive(Clone, Debug)]
pub enum Tail {
    Clause(Node, Conjunction, Box<Clause>),
    /// `um … zu`; the subject of the clause is left out.
    Purpose(Node, Box<Clause>),
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub node: Node,
    pub subject: Np,
    pub verb: &'static Verb,
    pub tense: Tense,
    pub negated: bool,
    pub complement: Complement,
    pub place: Option<Np>,
    pub time: Option<(Node, &'static Phrase)>,
    pub frequency: Option<(Node, &'static Phrase)>,
    pub tail: Option<Tail>,
}

/// What comes before the finite verb.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Front {
    Subject,
    Time,
    /// Only if its form shows the case: `Den Hund sieht die Frau .`
    Object,
    Place,
}

/// Question words: `wo`, `wann`, `warum`, `wohin`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adverb {
    Where,
    When,
    Why,
    Whither,
}

impl Adverb {
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Adverb::Where => ("wo", "where"),
            Adverb::When => ("wann", "when"),
            Adverb::Why => ("warum", "why"),
            Adverb::Whither => ("wohin", "where"),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Sentence {
    Statement(Clause, Front),
    /// Yes-no question.
    Question(Clause),
    /// Question about the subject (`wer`).
    Who(Clause),
    /// Question about the object, which is `Asked` or has `welch-`.
    What(Clause),
    Adverb(Node, Adverb, Clause),
    /// With the subordinate clause first.
    Subordinate(Node, Conjunction, Clause, Clause),
    Coordinate(Clause, Node, Conjunction, Clause),
    /// `Im Park gibt es …`: what there is, and where.
    Exists {
        node: Node,
        what: Np,
        place: Np,
        past: bool,
        place_first: bool,
    },
}

/// A sentence in one language: its words, each with what it expresses.
#[derive(Default)]
pub struct Words(pub Vec<(String, Vec<Key>)>);

impl Words {
    pub fn say(&mut self, word: &str, keys: &[Key]) {
        self.0.push((word.to_string(), keys.to_vec()));
    }

    /// Adds one side of a phrase; its words have a key for each of their links.
    pub fn phrase(&mut self, node: Node, text: &str, ends: impl Fn(usize) -> usize, links: usize) {
        for (index, word) in text.split(' ').enumerate() {
            let keys: Vec<Key> = (0..links)
                .filter(|&i| ends(i) == index)
                .map(|i| (node, LINK + i))
                .collect();
            self.say(word, &keys);
        }
    }

    pub fn finish(mut self) -> Vec<(String, Vec<Key>)> {
        if let Some((first, _)) = self.0.first_mut() {
            *first = capitalised(first);
        }
        self.0
    }
}

/// Determiners that a noun takes in the singular or plural.
pub fn determiners(noun: &Noun, plural: bool) -> Vec<Determiner> {
    use super::lexicon::{KIN, MASS, NUMBERS, PLACE, SOLE};
    use Determiner::*;
    /// People who are always someone's relatives.
    const RELATIVES: [&str; 6] = ["Bruder", "Schwester", "Sohn", "Tochter", "Onkel", "Tante"];
    const OWNERS: [Person; 3] = [Person::I, Person::Thou, Person::We];
    let mut all = vec![Definite];
    const OTHERS: [&str; 7] = [
        "Park",
        "Wald",
        "Museum",
        "Restaurant",
        "Hotel",
        "Bibliothek",
        "Brücke",
    ];
    if (!noun.is(PERSON) || noun.is(KIN)) && !OTHERS.contains(&noun.german) {
        all.extend(OWNERS.map(Possessive));
    }
    if noun.is(SOLE) {
        return if plural { vec![] } else { all };
    }
    if RELATIVES.contains(&noun.german) {
        if plural {
            all.extend((0..3).map(Number));
        }
        return all;
    }
    match (noun.is(MASS), plural) {
        (true, true) => return vec![],
        (true, false) => all.extend([Definite, Bare, Bare, This]),
        (false, true) => {
            all.extend([Definite, Bare, This, All, Many, Some]);
            if !noun.is(PLACE) {
                all.extend((0..NUMBERS.len()).map(Number));
            }
        }
        (false, false) => all.extend([Definite, Definite, Indefinite, Indefinite, This, Every]),
    }
    all
}
