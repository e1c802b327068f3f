//! Draws a sentence at random: which words go together, and where each tense, determiner or clause is possible.

mod clause;
mod noun_phrase;

use super::grammar::*;
use super::lexicon::*;
use super::random::Random;
use super::verbs::{BE, Frame, MODALS, VERBS, Verb, WEATHER};
use Determiner::{
    All, Bare, Definite, Every, Indefinite, Many, No, Number, Possessive, Some as Several, This,
};

pub struct Maker<'a> {
    pub random: &'a mut Random,
    node: Node,
    /// Probability of a relative clause where one is possible, in percent.
    relatives: usize,
    hard: bool,
}

/// Requirements on a clause.
#[derive(Clone)]
struct Wish {
    subject: Option<Np>,
    tense: Option<Tense>,
    time: bool,
    place: bool,
    negation: bool,
    relatives: bool,
    /// The hearer must know the subject too, because `what does every cook do?` is not a natural question.
    known: bool,
    /// The verb comes last. Forms such as `zumachst` would be too rare to learn, so `ich`, `du` and `ihr` take other
    /// verbs.
    verb_last: bool,
    fits: fn(&Verb) -> bool,
}

const FREE: Wish = Wish {
    subject: None,
    tense: None,
    time: true,
    place: true,
    negation: true,
    relatives: true,
    known: false,
    verb_last: false,
    fits: |_| true,
};
/// A clause inside another one, with nothing that could be read as part of the outer clause.
const INNER: Wish = Wish {
    time: false,
    relatives: false,
    verb_last: true,
    ..FREE
};
const ASKED: Wish = Wish {
    negation: false,
    relatives: false,
    known: true,
    ..FREE
};

const SPEAKERS: [Person; 7] = [
    Person::I,
    Person::Thou,
    Person::He,
    Person::She,
    Person::We,
    Person::You,
    Person::They,
];
/// Persons that take no separable verb at the end of a clause, see [`Wish::verb_last`].
const NEAR: [Person; 3] = [Person::I, Person::Thou, Person::You];
/// Adjectives for how a person feels at the moment; the others describe lasting qualities.
const MOODS: [&str; 5] = ["krank", "müde", "hungrig", "glücklich", "traurig"];
/// Adjectives that make sense with `zu` (too).
const EXCESSIVE: [&str; 16] = [
    "alt",
    "jung",
    "klein",
    "groß",
    "krank",
    "müde",
    "schwer",
    "teuer",
    "lang",
    "kurz",
    "langweilig",
    "kalt",
    "warm",
    "süß",
    "dunkel",
    "arm",
];
/// Verbs for what is not done to the same thing every day.
const ONCE: [&str; 12] = [
    "kaufen",
    "verkaufen",
    "finden",
    "verlieren",
    "vergessen",
    "werfen",
    "essen",
    "fressen",
    "geben",
    "schreiben",
    "trinken",
    "schicken",
];

impl<'a> Maker<'a> {
    pub fn new(random: &'a mut Random, hard: bool) -> Self {
        Self {
            random,
            node: 0,
            relatives: if hard { 40 } else { 10 },
            hard,
        }
    }

    pub fn sentence(&mut self) -> Sentence {
        let kind = if self.hard {
            60 + self.random.below(70)
        } else {
            self.random.below(125)
        };
        match kind {
            0..60 => self.statement(),
            60..69 if !self.hard => self.quality(),
            60..69 => self.statement(),
            69..77 if !self.hard => Sentence::Question(self.clause(ASKED)),
            77..80 if !self.hard => {
                let asked = Np::Asked(self.fresh(), true);
                Sentence::Who(self.clause(Wish {
                    subject: Some(asked),
                    ..ASKED
                }))
            }
            80..85 if !self.hard => self.what(),
            85..90 if !self.hard => self.adverb_question(),
            90..93 if !self.hard => self.exists(),
            69..85 => self.coordinate(),
            93..97 => self.coordinate(),
            85..106 => self.subordinate(),
            106..113 => self.reported(),
            113..119 => self.because(),
            _ => self.purpose(),
        }
    }

    fn fresh(&mut self) -> Node {
        self.node += 1;
        self.node
    }

    fn statement(&mut self) -> Sentence {
        let c = self.clause(FREE);
        self.fronted(c)
    }

    /// A statement such as `Das Auto ist sehr teuer .`
    fn quality(&mut self) -> Sentence {
        let things =
            ANIMAL | FOOD | DRINK | TEXT | THING | VEHICLE | PLACE | OPENING | SIGHT | SONG;
        let mut subject = self.subject(things);
        if let Np::Noun(nominal) = &mut subject {
            nominal.adjective = None;
        }
        let c = self.clause(Wish {
            subject: Some(subject),
            fits: |verb| verb.frame == Frame::Copula,
            ..FREE
        });
        Sentence::Statement(c, Front::Subject)
    }

    fn fronted(&mut self, c: Clause) -> Sentence {
        let plain_subject = !matches!(c.subject.noun(), Some(n) if n.determiner == No);
        let front = match &c.complement {
            _ if c.time.is_some() && (last_noun_is_long(&c) || self.random.percent(40)) => {
                Front::Time
            }
            Complement::Object(Np::Noun(n))
                if n.noun.gender == Gender::Masculine
                    && !n.plural
                    && matches!(n.determiner, Definite | This)
                    && n.relative.is_none()
                    && c.frequency.is_none()
                    && plain_subject
                    && self.random.percent(25) =>
            {
                Front::Object
            }
            _ if c.place.is_some()
                && !c.negated
                && !last_noun_is_long(&c)
                && self.random.percent(20) =>
            {
                Front::Place
            }
            _ => Front::Subject,
        };
        Sentence::Statement(c, front)
    }

    fn what(&mut self) -> Sentence {
        let mut c = self.clause(Wish {
            place: false,
            fits: |verb| matches!(verb.frame, Frame::Object(_) | Frame::Dative),
            ..ASKED
        });
        let node = self.fresh();
        c.frequency = None;
        c.complement = match c.verb.frame {
            Frame::Object(class)
                if class & PERSON == 0 && class & ANIMAL == 0 && self.random.percent(60) =>
            {
                let (noun, plural) = self.noun(class, None);
                Complement::Object(Np::Noun(Nominal {
                    node,
                    noun,
                    plural,
                    determiner: Determiner::Which,
                    adjective: None,
                    relative: None,
                }))
            }
            Frame::Object(class) => Complement::Object(Np::Asked(node, class & PERSON != 0)),
            _ => Complement::Dative(Np::Asked(node, true)),
        };
        Sentence::What(c)
    }

    fn adverb_question(&mut self) -> Sentence {
        let adverb =
            *self
                .random
                .pick(&[Adverb::Where, Adverb::When, Adverb::Why, Adverb::Whither]);
        let wish = match adverb {
            Adverb::Where => Wish {
                place: false,
                fits: |verb| verb.placed,
                ..ASKED
            },
            Adverb::When => Wish {
                time: false,
                fits: |verb| !verb.state && verb.frame != Frame::Copula,
                ..ASKED
            },
            Adverb::Why => ASKED,
            Adverb::Whither => Wish {
                fits: |verb| verb.frame == Frame::Goal,
                ..ASKED
            },
        };
        let mut c = self.clause(wish);
        if adverb == Adverb::Whither {
            c.complement = Complement::None;
        }
        if adverb == Adverb::When {
            c.frequency = None;
        }
        let node = self.fresh();
        Sentence::Adverb(node, adverb, c)
    }

    fn exists(&mut self) -> Sentence {
        const ROOMS: [&str; 3] = ["Zimmer", "Küche", "Büro"];
        const FURNITURE: [&str; 6] = ["Tisch", "Stuhl", "Lampe", "Bild", "Fenster", "Tür"];
        let mut place = self.place(true);
        while matches!(&place, Np::Noun(n) if n.noun.is(BUILDING) && !ROOMS.contains(&n.noun.german))
        {
            place = self.place(true);
        }
        let name = place.noun().map_or("", |n| n.noun.german);
        let fits = |noun: &&Noun| match name {
            "Stadt" | "Dorf" => noun.is(SIGHT) || (noun.is(PLACE) && noun.is(BUILDING)),
            "Park" | "Garten" | "Wald" => matches!(noun.german, "Baum" | "Vogel" | "Maus" | "Haus"),
            _ => FURNITURE.contains(&noun.german),
        };
        let nouns: Vec<&'static Noun> = NOUNS.iter().filter(fits).collect();
        let noun = *self.random.pick(&nouns);
        let determiner = *self.random.pick(&[
            Indefinite,
            Indefinite,
            No,
            Many,
            Several,
            Number(self.random.0 as usize % 9),
        ]);
        let plural = matches!(determiner, Many | Several | Number(_));
        let adjective = self.adjective(noun);
        let what = Np::Noun(Nominal {
            node: self.fresh(),
            noun,
            plural,
            determiner,
            adjective,
            relative: None,
        });
        let place_first = self.random.percent(60);
        Sentence::Exists {
            node: self.fresh(),
            what,
            place,
            past: self.random.percent(25),
            place_first,
        }
    }

    fn coordinate(&mut self) -> Sentence {
        let conjunction = *self.random.pick(&[Conjunction::And, Conjunction::But]);
        let tense = self.tense_of_two();
        let first = self.clause(Wish {
            tense: Some(tense),
            time: self.hard,
            ..FREE
        });
        let subject = self.next_subject(&first);
        let second = self.clause(Wish {
            subject,
            tense: Some(tense),
            time: false,
            ..FREE
        });
        let node = self.fresh();
        Sentence::Coordinate(first, node, conjunction, second)
    }

    fn subordinate(&mut self) -> Sentence {
        let (conjunction, tense) = self.reason();
        let sub = self.reason_clause(tense, None);
        let subject = self.next_subject(&sub);
        let main = self.clause(Wish {
            subject,
            tense: Some(tense),
            time: false,
            ..FREE
        });
        let node = self.fresh();
        Sentence::Subordinate(node, conjunction, sub, main)
    }

    fn because(&mut self) -> Sentence {
        let (conjunction, tense) = self.reason();
        let mut main = self.clause(Wish {
            tense: Some(tense),
            time: false,
            relatives: self.hard,
            ..FREE
        });
        let subject = self.next_subject(&main);
        let sub = self.reason_clause(tense, subject);
        main.tail = Some(Tail::Clause(self.fresh(), conjunction, Box::new(sub)));
        Sentence::Statement(main, Front::Subject)
    }

    fn reason(&mut self) -> (Conjunction, Tense) {
        match self.random.below(3) {
            0 => (Conjunction::When, Tense::Present),
            1 => (Conjunction::Because, self.tense_of_two()),
            _ => (Conjunction::Although, self.tense_of_two()),
        }
    }

    fn reason_clause(&mut self, tense: Tense, subject: Option<Np>) -> Clause {
        if subject.is_none() && self.random.percent(20) {
            let subject = Np::Pronoun(self.fresh(), Person::It);
            let verb = self.random.pick(WEATHER);
            return self.bare_clause(subject, verb, tense);
        }
        let relatives = self.hard && subject.is_none();
        self.clause(Wish {
            subject,
            tense: Some(tense),
            relatives,
            ..INNER
        })
    }

    fn reported(&mut self) -> Sentence {
        let verbs: Vec<&'static Verb> = VERBS
            .iter()
            .filter(|verb| verb.frame == Frame::Clause)
            .collect();
        let verb = *self.random.pick(&verbs);
        let subject = self.subject(PERSON);
        let mut main = self.bare_clause(subject, verb, Tense::Present);
        let mut conjunction = Conjunction::That;
        let mut wish = Wish {
            time: true,
            negation: false,
            relatives: self.hard,
            ..INNER
        };
        if verb.infinitive == "wissen" {
            conjunction =
                *self
                    .random
                    .pick(&[Conjunction::That, Conjunction::Whether, Conjunction::Where]);
            let open = !matches!(main.subject.noun(), Some(n) if matches!(n.determiner, Every | All | No | Bare));
            if conjunction == Conjunction::Where {
                wish = Wish {
                    place: false,
                    fits: |verb| verb.placed,
                    ..wish
                };
            }
            main.negated = conjunction == Conjunction::Whether && open;
            if conjunction == Conjunction::Whether && !open {
                conjunction = Conjunction::That;
            }
        }
        let sub = self.clause(wish);
        main.tail = Some(Tail::Clause(self.fresh(), conjunction, Box::new(sub)));
        Sentence::Statement(main, Front::Subject)
    }

    fn purpose(&mut self) -> Sentence {
        let mut main = self.clause(Wish {
            negation: false,
            relatives: false,
            fits: |verb| verb.frame == Frame::Goal,
            ..FREE
        });
        if self.hard
            && let Np::Noun(nominal) = &mut main.subject
        {
            self.relative(nominal, main.tense);
        }
        let aim = |verb: &Verb| {
            !verb.state
                && verb.subject & PERSON != 0
                && !matches!(
                    verb.infinitive,
                    "vergessen"
                        | "verlieren"
                        | "wachen"
                        | "weinen"
                        | "denken"
                        | "schlafen"
                        | "lachen"
                        | "folgen"
                        | "antworten"
                        | "warten"
                )
                && !matches!(
                    verb.frame,
                    Frame::Copula | Frame::Please | Frame::Clause | Frame::Goal
                )
                && (verb.particle, verb.infinitive) != ("an", "kommen")
                && (verb.particle, verb.infinitive) != ("auf", "stehen")
        };
        let sub = self.clause(Wish {
            subject: Some(main.subject.clone()),
            tense: Some(Tense::Present),
            place: false,
            negation: false,
            fits: aim,
            ..INNER
        });
        let sub = Clause {
            frequency: None,
            ..sub
        };
        main.frequency = None;
        main.tail = Some(Tail::Purpose(self.fresh(), Box::new(sub)));
        let front = if main.time.is_some() {
            Front::Time
        } else {
            Front::Subject
        };
        Sentence::Statement(main, front)
    }

    fn tense_of_two(&mut self) -> Tense {
        if self.random.percent(50) {
            Tense::Present
        } else {
            Tense::Past
        }
    }

    /// With a probability of 60 %, a pronoun for the subject of the previous clause.
    fn next_subject(&mut self, before: &Clause) -> Option<Np> {
        let person = before.subject.taken_up()?;
        self.random
            .percent(60)
            .then(|| Np::Pronoun(self.fresh(), person))
    }
}

fn last_noun_is_long(c: &Clause) -> bool {
    match &c.complement {
        Complement::Object(np)
        | Complement::Dative(np)
        | Complement::Give(_, np)
        | Complement::Dependent(np)
        | Complement::Goal(np) => np.noun().is_some_and(|n| n.relative.is_some()),
        _ => false,
    }
}
