//! Noun phrases: subjects, objects, places and their relative clauses.

use super::*;

impl Maker<'_> {
    pub(super) fn subject(&mut self, class: Class) -> Np {
        if class & PERSON != 0 && self.random.percent(35) {
            return Np::Pronoun(self.fresh(), *self.random.pick(&SPEAKERS));
        }
        let (noun, plural) = self.noun(class, None);
        let mut determiner = *self.random.pick(&determiners(noun, plural));
        if determiner == Bare && (noun.is(MASS) || self.random.percent(60)) {
            determiner = Definite;
        }
        if matches!(determiner, Definite | Indefinite)
            && !plural
            && noun.is(PERSON)
            && !noun.is(SOLE)
            && self.random.percent(4)
        {
            determiner = No;
        }
        // `Junge` at the start of a sentence would be too rare a word to learn.
        let adjective = if determiner != Bare && self.random.percent(30) {
            self.adjective(noun)
        } else {
            None
        };
        Np::Noun(Nominal {
            node: self.fresh(),
            noun,
            plural,
            determiner,
            adjective,
            relative: None,
        })
    }

    /// A random noun of a class other than `other`, and whether it is in the plural.
    pub(super) fn noun(&mut self, class: Class, other: Option<&Noun>) -> (&'static Noun, bool) {
        let nouns: Vec<&'static Noun> = NOUNS
            .iter()
            .filter(|noun| noun.is(class) && other.is_none_or(|other| other.german != noun.german))
            .collect();
        let noun = *self.random.pick(&nouns);
        let plural = !noun.is(MASS | SOLE) && self.random.percent(35);
        (noun, plural)
    }

    pub(super) fn adjective(&mut self, noun: &Noun) -> Option<&'static Adjective> {
        let fitting: Vec<&'static Adjective> = ADJECTIVES
            .iter()
            .filter(|adjective| fits(adjective, noun))
            .collect();
        (!fitting.is_empty() && !noun.is(SOLE)).then(|| *self.random.pick(&fitting))
    }

    pub(super) fn object(&mut self, class: Class, subject: &Np, negated: &mut bool) -> Np {
        if class & PERSON != 0 && self.random.percent(30) {
            let same = |person: Person| match subject.person() {
                Person::I | Person::We => matches!(person, Person::I | Person::We),
                Person::Thou | Person::You => matches!(person, Person::Thou | Person::You),
                _ => false,
            };
            // No `sie` for `them`: it would be read as `her`.
            let all = [
                Person::I,
                Person::Thou,
                Person::He,
                Person::She,
                Person::We,
                Person::You,
            ];
            let others: Vec<Person> = all.into_iter().filter(|&person| !same(person)).collect();
            return Np::Pronoun(self.fresh(), *self.random.pick(&others));
        }
        let other = match subject {
            Np::Noun(n) => Some(n.noun),
            Np::Relative(_, noun, _) => Some(*noun),
            _ => None,
        };
        let (noun, plural) = self.noun(class, other);
        let choices = determiners(noun, plural);
        let owned = choices.iter().any(|d| matches!(d, Possessive(_)));
        let mut determiner = *self.random.pick(&choices);
        if owned
            && self.random.percent(25)
            && let Some(owner) = subject.taken_up()
        {
            determiner = Possessive(owner);
        }
        if *negated {
            if matches!(determiner, Indefinite | Bare) {
                determiner = No;
                *negated = false;
            } else if !matches!(determiner, Definite | This | Possessive(_)) {
                determiner = Definite;
            }
        }
        if determiner == Every && !noun.is(PERSON | TEXT)
            || determiner == Bare && noun.is(PERSON | ANIMAL)
        {
            determiner = Definite;
        }
        let adjective = if self.random.percent(30) {
            self.adjective(noun)
        } else {
            None
        };
        Np::Noun(Nominal {
            node: self.fresh(),
            noun,
            plural,
            determiner,
            adjective,
            relative: None,
        })
    }

    /// An object that is not indefinite if the clause is negated, because `kein` is only for direct objects.
    pub(super) fn definite_object(&mut self, class: Class, subject: &Np, negated: bool) -> Np {
        let mut object = self.object(class, subject, &mut false);
        if let Np::Noun(n) = &mut object
            && negated
            && !matches!(n.determiner, Definite | This | Possessive(_))
        {
            n.determiner = Definite;
        }
        object
    }

    pub(super) fn goal(&mut self, negated: bool) -> Np {
        self.somewhere(GOAL, negated)
    }

    pub(super) fn place(&mut self, negated: bool) -> Np {
        self.somewhere(PLACE, negated)
    }

    pub(super) fn somewhere(&mut self, class: Class, negated: bool) -> Np {
        let (noun, _) = self.noun(class, None);
        let mut determiner = *self.random.pick(&determiners(noun, false));
        if determiner == Every || (negated && determiner == Indefinite) {
            determiner = Definite;
        }
        let adjective = if self.random.percent(25) {
            self.adjective(noun)
        } else {
            None
        };
        Np::Noun(Nominal {
            node: self.fresh(),
            noun,
            plural: false,
            determiner,
            adjective,
            relative: None,
        })
    }

    /// Adds a relative clause to a noun phrase, if it takes one.
    pub(super) fn relative(&mut self, nominal: &mut Nominal, main: Tense) {
        let noun = nominal.noun;
        let takes = matches!(
            nominal.determiner,
            Definite | Indefinite | Every | Many | Several | All | Number(_)
        );
        if !takes || noun.is(SOLE) {
            return;
        }
        let gap = Np::Relative(self.fresh(), noun, nominal.plural);
        let speaker = Np::Pronoun(
            self.fresh(),
            *self
                .random
                .pick(&[Person::I, Person::Thou, Person::He, Person::We]),
        );
        let earlier = matches!(main, Tense::Past);
        let tense = Some(if earlier {
            Tense::Past
        } else {
            self.tense_of_two()
        });
        let choice = self.random.below(10);
        let inner = if noun.is(PLACE) && choice < 7 {
            let fits: fn(&Verb) -> bool = |verb| verb.placed && verb.subject & PERSON != 0;
            let mut c = self.clause(Wish {
                tense,
                place: false,
                negation: false,
                fits,
                ..INNER
            });
            c.place = Some(gap);
            c
        } else if noun.is(PERSON | ANIMAL) && choice < 6 {
            let fits: fn(&Verb) -> bool = |verb| verb.frame != Frame::Please;
            let mut c = self.clause(Wish {
                subject: Some(gap),
                tense,
                fits,
                ..INNER
            });
            if let Complement::Quality(adjective, degree) = &mut c.complement
                && nominal
                    .adjective
                    .is_some_and(|a| a.german == adjective.german)
            {
                *degree = Degree::Very;
            }
            c
        } else if choice < 9 {
            let verbs: Vec<&'static Verb> = VERBS
                .iter()
                .filter(|verb| verb.particle.is_empty() || matches!(tense, Some(Tense::Past)))
                .filter(|verb| match verb.frame {
                    Frame::Object(class) => noun.is(class) && verb.subject == PERSON,
                    Frame::Dative => noun.is(PERSON),
                    _ => false,
                })
                .collect();
            if verbs.is_empty() {
                return;
            }
            let verb = *self.random.pick(&verbs);
            // It must be clear who acts: in `die Frau , die das Kind sucht`, either could be the one who searches.
            let subject = if noun.is(PERSON | ANIMAL) {
                speaker
            } else {
                self.subject(PERSON)
            };
            let tense = tense.filter(|_| !verb.state).unwrap_or(Tense::Present);
            let mut c = self.bare_clause(subject, verb, tense);
            c.complement = if verb.frame == Frame::Dative {
                Complement::Dative(gap)
            } else {
                Complement::Object(gap)
            };
            c
        } else {
            let mut c = self.bare_clause(gap.clone(), BE, Tense::Present);
            let adjective = match self.adjective(noun) {
                Some(adjective) => adjective,
                None => return,
            };
            if nominal
                .adjective
                .is_some_and(|a| a.german == adjective.german)
            {
                return;
            }
            c.complement = Complement::Quality(adjective, Degree::Very);
            c
        };
        nominal.relative = Some(Box::new(inner));
    }
}
