//! Clauses: verb, tense, complements, adverbials.

use std::ops::Range;

use super::*;

/// Random numbers below 100 for which a clause gets a verb of this frame; none for the copula and verbs of clauses.
fn percentiles(frame: Frame) -> Range<usize> {
    match frame {
        Frame::Alone => 0..16,
        Frame::Goal => 16..26,
        Frame::Object(_) => 26..62,
        Frame::Dative => 62..69,
        Frame::Give(_) => 69..77,
        Frame::Dependent(..) => 77..84,
        Frame::Please => 84..COPULA_FROM,
        Frame::Copula | Frame::Clause => 0..0,
    }
}

/// First of the random numbers for which a clause gets the copula, if that fits.
const COPULA_FROM: usize = 88;

impl Maker<'_> {
    pub(super) fn bare_clause(&mut self, subject: Np, verb: &'static Verb, tense: Tense) -> Clause {
        Clause {
            node: self.fresh(),
            subject,
            verb,
            tense,
            negated: false,
            complement: Complement::None,
            place: None,
            time: None,
            frequency: None,
            tail: None,
        }
    }

    pub(super) fn clause(&mut self, wish: Wish) -> Clause {
        let verb = self.verb(&wish);
        let has_subject = wish.subject.is_some();
        let subject = match wish.subject.clone() {
            Some(subject) => subject,
            None => {
                let mut subject = self.subject(verb.subject);
                if let Np::Noun(n) = &mut subject
                    && wish.known
                    && !matches!(n.determiner, Definite | This | Possessive(_))
                {
                    n.determiner = Definite;
                }
                if let Np::Pronoun(_, person @ Person::I) = &mut subject
                    && wish.known
                {
                    *person = Person::Thou;
                }
                if let Np::Pronoun(_, person) = &mut subject
                    && wish.verb_last
                    && !verb.particle.is_empty()
                    && NEAR.contains(person)
                {
                    *person = Person::He;
                }
                subject
            }
        };
        let human = match &subject {
            Np::Noun(n) => n.noun.is(PERSON),
            Np::Relative(_, noun, _) => noun.is(PERSON),
            _ => true,
        };
        let tense = match (wish.tense, self.random.below(100)) {
            _ if verb.state => Tense::Present,
            (Some(tense), _) => tense,
            (_, 0..40) => Tense::Present,
            (_, 40..75) => Tense::Past,
            _ if verb.frame == Frame::Copula || !human => Tense::Present,
            (_, 75..85) => Tense::Future,
            _ if matches!(verb.infinitive, "verlieren" | "vergessen") => Tense::Future,
            _ => Tense::Modal(self.random.pick(MODALS)),
        };
        let mut c = self.bare_clause(subject, verb, tense);
        let quantified = matches!(c.subject.noun(), Some(n) if matches!(n.determiner, Every | All | No | Many | Several | Indefinite));
        let negated = wish.negation && !quantified && self.random.percent(15);
        self.complement(&mut c, negated, wish.tense.is_some() && human);
        if let Np::Noun(nominal) = &mut c.subject
            && wish.relatives
            && !has_subject
            && self.random.percent(self.relatives)
        {
            self.relative(nominal, tense);
        }
        if verb.placed && wish.place && self.random.percent(30) {
            c.place = Some(self.place(c.negated || negated));
        }
        self.adverbials(&mut c, &wish, negated);
        if wish.relatives && c.place.is_none() && self.random.percent(self.relatives) {
            self.lengthen(&mut c);
        }
        c
    }

    /// Adds a relative clause to the last noun of the clause, if it can take one.
    pub(super) fn lengthen(&mut self, c: &mut Clause) {
        if c.frequency.is_some() || c.time.is_some() {
            return;
        }
        let negated = c.negated;
        match &mut c.complement {
            Complement::Object(Np::Noun(n))
            | Complement::Dative(Np::Noun(n))
            | Complement::Give(_, Np::Noun(n))
            | Complement::Dependent(Np::Noun(n))
            | Complement::Goal(Np::Noun(n))
                if n.determiner != No && !negated && c.verb.frame != Frame::Please =>
            {
                self.relative(n, c.tense);
            }
            _ => {}
        }
    }

    pub(super) fn adverbials(&mut self, c: &mut Clause, wish: &Wish, negated: bool) {
        let lasting = match &c.complement {
            Complement::Quality(adjective, _) => !MOODS.contains(&adjective.german),
            Complement::Comparison(..) | Complement::Trade(_) => true,
            _ => c.verb.state,
        };
        if lasting {
            return;
        }
        let copula = c.verb.frame == Frame::Copula;
        let repeated = match &c.complement {
            Complement::Object(Np::Noun(n)) | Complement::Give(_, Np::Noun(n)) => {
                !ONCE.contains(&c.verb.infinitive) || matches!(n.determiner, Bare | Many | Several)
            }
            _ => true,
        };
        let present = matches!(c.tense, Tense::Present);
        if wish.time && self.random.percent(35) {
            let times = match c.tense {
                Tense::Present if copula || !repeated => return,
                Tense::Present => HABITS,
                Tense::Past => PAST_TIMES,
                Tense::Future | Tense::Modal(_) => COMING_TIMES,
            };
            c.time = Some((self.fresh(), self.random.pick(times)));
        } else if present && repeated && !negated && c.place.is_none() && self.random.percent(15) {
            let none = matches!(c.subject.noun(), Some(n) if n.determiner == No);
            if !none {
                c.frequency = Some((self.fresh(), self.random.pick(FREQUENCIES)));
            }
        }
    }

    pub(super) fn verb(&mut self, wish: &Wish) -> &'static Verb {
        let subject_class = match &wish.subject {
            None => PERSON | ANIMAL | TRANSIT,
            Some(Np::Relative(_, noun, _)) => noun.class,
            Some(Np::Noun(n)) => n.noun.class,
            Some(_) => PERSON,
        };
        let usable = |verb: &&Verb| {
            let frame =
                verb.frame != Frame::Please || wish.subject.is_none() && wish.tense.is_none();
            let tense = !verb.state || !matches!(wish.tense, Some(Tense::Past));
            let subject = verb.subject & subject_class != 0 || verb.frame == Frame::Please;
            let near =
                matches!(wish.subject, Some(Np::Pronoun(_, person)) if NEAR.contains(&person));
            let common = !(wish.verb_last && near) || verb.particle.is_empty();
            frame && tense && subject && common && (wish.fits)(verb)
        };
        let listed = VERBS
            .iter()
            .filter(|verb| !percentiles(verb.frame).is_empty());
        let usable: Vec<&'static Verb> = listed.filter(usable).collect();
        let copula = (wish.fits)(BE);
        assert!(copula || !usable.is_empty(), "no verb fits the wish");
        loop {
            let percentile = self.random.below(100);
            if copula && percentile >= COPULA_FROM {
                return BE;
            }
            let of_frame = |verb: &&&Verb| percentiles(verb.frame).contains(&percentile);
            let verbs: Vec<&'static Verb> = usable.iter().filter(of_frame).copied().collect();
            if !verbs.is_empty() {
                return self.random.pick::<&'static Verb>(&verbs);
            }
        }
    }

    pub(super) fn complement(&mut self, c: &mut Clause, mut negated: bool, moods: bool) {
        let subject = c.subject.clone();
        c.complement = match c.verb.frame {
            Frame::Alone | Frame::Clause => Complement::None,
            Frame::Goal => Complement::Goal(self.goal(negated)),
            Frame::Object(class) => Complement::Object(self.object(class, &subject, &mut negated)),
            Frame::Dative => Complement::Dative(self.definite_object(PERSON, &subject, negated)),
            Frame::Please => Complement::Dative(self.definite_object(PERSON, &subject, true)),
            Frame::Give(class) => {
                let to = self.definite_object(PERSON, &subject, true);
                let mut what = self.object(class, &subject, &mut negated);
                // `gibt ihr Brot` could also mean her own bread, so an object without an article gets one.
                if let Np::Noun(n) = &mut what
                    && n.determiner == Bare
                {
                    n.determiner = Definite;
                }
                Complement::Give(to, what)
            }
            Frame::Dependent(_, _, _, class) => {
                Complement::Dependent(self.definite_object(class, &subject, negated))
            }
            Frame::Copula => self.predicate(&subject, moods),
        };
        c.negated = negated && !(matches!(c.complement, Complement::Trade(_)));
    }

    /// Predicate of a copula. With `moods`, only how a person feels, which can be a reason.
    pub(super) fn predicate(&mut self, subject: &Np, moods: bool) -> Complement {
        let (noun, plural) = match subject {
            Np::Noun(n) => (Some(n.noun), n.plural),
            Np::Relative(_, noun, plural) => (Some(*noun), *plural),
            _ => (None, true),
        };
        let class = noun.map_or(PERSON, |noun| noun.class);
        let masculine = noun.is_some_and(|noun| {
            noun.gender == Gender::Masculine && noun.is(KIN) && !noun.is(TRADE)
        }) || matches!(
            subject,
            Np::Pronoun(_, Person::He | Person::I | Person::Thou)
        );
        let single = !plural
            || matches!(
                subject,
                Np::Pronoun(_, Person::He | Person::I | Person::Thou)
            );
        let describes = |adjective: &&Adjective| match (noun, subject.noun()) {
            (Some(noun), phrase) => {
                let twice = phrase
                    .and_then(|n| n.adjective)
                    .is_some_and(|a| a.german == adjective.german);
                fits(adjective, noun) && !twice
            }
            (None, _) => adjective.class & PERSON != 0,
        };
        let adjectives: Vec<&'static Adjective> = ADJECTIVES.iter().filter(describes).collect();
        if moods {
            let adjectives: Vec<_> = adjectives
                .into_iter()
                .filter(|a| MOODS.contains(&a.german))
                .collect();
            let degree = *self.random.pick(&[Degree::Plain, Degree::Very]);
            return Complement::Quality(
                self.random.pick::<&'static Adjective>(&adjectives),
                degree,
            );
        }
        if masculine && single && self.random.percent(15) {
            let trades: Vec<&'static Noun> = NOUNS.iter().filter(|noun| noun.is(TRADE)).collect();
            return Complement::Trade(self.random.pick::<&'static Noun>(&trades));
        }
        let compared: Vec<&'static Adjective> = adjectives
            .iter()
            .copied()
            .filter(|a| !a.comparative.0.is_empty())
            .collect();
        if !compared.is_empty() && self.random.percent(20) {
            let kind = [
                PERSON, ANIMAL, VEHICLE, SIGHT, PLACE, TEXT, GARMENT, OPENING, FOOD, THING,
            ]
            .into_iter()
            .find(|kind| class & kind != 0);
            if let Some(kind) = kind {
                let adjective = *self.random.pick(&compared);
                let mut than = self.definite_object(kind, subject, true);
                while than.is_pronoun()
                    || than
                        .noun()
                        .is_some_and(|n| !fits(adjective, n.noun) && n.noun.german != "Junge")
                {
                    than = self.definite_object(kind, subject, true);
                }
                return Complement::Comparison(adjective, than);
            }
        }
        let mut degree =
            *self
                .random
                .pick(&[Degree::Plain, Degree::Plain, Degree::Very, Degree::Too]);
        let adjective = *self.random.pick(&adjectives);
        if degree == Degree::Too && !EXCESSIVE.contains(&adjective.german) {
            degree = Degree::Very;
        }
        let graded = !matches!(
            adjective.german,
            "rot" | "blau" | "grün" | "schwarz" | "weiß" | "leer" | "offen" | "frisch" | "neu"
        );
        Complement::Quality(adjective, if graded { degree } else { Degree::Plain })
    }
}
