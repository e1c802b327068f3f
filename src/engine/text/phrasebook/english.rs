//! English: verb groups, do-support and word order.

use super::grammar::*;
use super::lexicon::{Determiner, MASS, NUMBERS, PERSON, Person};
use super::verbs::{EnglishModal, Frame, Verb};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Plain,
    TimeFirst,
    PlaceFirst,
    /// Relative pronoun or question word first, then subject and verb.
    ObjectFirst,
    /// Auxiliary before the subject.
    Question,
    ObjectQuestion,
    Infinitive,
}

impl Order {
    fn is_question(self) -> bool {
        matches!(self, Self::Question | Self::ObjectQuestion)
    }
}

pub fn say(sentence: &Sentence) -> Vec<(String, Vec<Key>)> {
    let mut words = Words::default();
    let mut stop = ".";
    match sentence {
        Sentence::Statement(c, front) => {
            let order = match front {
                Front::Subject | Front::Object => Order::Plain,
                Front::Time => Order::TimeFirst,
                Front::Place => Order::PlaceFirst,
            };
            clause(&mut words, c, order);
        }
        Sentence::Question(c) => {
            stop = "?";
            clause(&mut words, c, Order::Question);
        }
        Sentence::Who(c) => {
            stop = "?";
            clause(&mut words, c, Order::Plain);
        }
        Sentence::What(c) => {
            stop = "?";
            clause(&mut words, c, Order::ObjectQuestion);
        }
        Sentence::Adverb(node, adverb, c) => {
            stop = "?";
            words.say(adverb.words().1, &[(*node, HEAD)]);
            clause(&mut words, c, Order::Question);
        }
        Sentence::Subordinate(node, conjunction, sub, main) => {
            words.say(conjunction.words().1, &[(*node, HEAD)]);
            clause(&mut words, sub, Order::Plain);
            words.say(",", &[(*node, COMMA)]);
            clause(&mut words, main, Order::Plain);
        }
        Sentence::Coordinate(first, node, conjunction, second) => {
            clause(&mut words, first, Order::Plain);
            if *conjunction == Conjunction::But {
                words.say(",", &[(*node, COMMA)]);
            }
            words.say(conjunction.words().1, &[(*node, HEAD)]);
            clause(&mut words, second, Order::Plain);
        }
        Sentence::Exists {
            node,
            what,
            place,
            past,
            place_first,
        } => {
            let form = match (past, what.person().plural()) {
                (false, false) => "is",
                (false, true) => "are",
                (true, false) => "was",
                (true, true) => "were",
            };
            if *place_first {
                prepositional(&mut words, "in", place);
            }
            words.say("there", &[(*node, HEAD)]);
            words.say(form, &[(*node, VERB)]);
            np(&mut words, what, false);
            if !place_first {
                prepositional(&mut words, "in", place);
            }
        }
    }
    words.say(stop, &[(0, STOP)]);
    let mut words = words.finish();
    choose_articles(&mut words);
    words
}

/// Changes `a` to `an` before a vowel sound.
fn choose_articles(words: &mut [(String, Vec<Key>)]) {
    for i in 1..words.len() {
        let (before, after) = words.split_at_mut(i);
        let article = &mut before[i - 1].0;
        if matches!(article.as_str(), "a" | "A") && starts_with_vowel(&after[0].0) {
            article.push('n');
        }
    }
}

/// True if a word begins with a vowel sound. No word here begins with a silent h or with the sound of `university`.
fn starts_with_vowel(word: &str) -> bool {
    word.starts_with(['a', 'e', 'i', 'o', 'u'])
}

fn clause(words: &mut Words, c: &Clause, order: Order) {
    // `Das Buch gefällt mir`: I like the book.
    let (subject, object) = match &c.complement {
        Complement::Dative(person) if c.verb.frame == Frame::Please => (person, Some(&c.subject)),
        Complement::Object(np) | Complement::Dative(np) => (&c.subject, Some(np)),
        _ => (&c.subject, None),
    };
    let relative_place = c
        .place
        .as_ref()
        .filter(|place| matches!(place, Np::Relative(..)));
    let relative_object = object.filter(|np| matches!(np, Np::Relative(..)));
    let order = if relative_object.is_some() {
        Order::ObjectFirst
    } else {
        order
    };
    match order {
        Order::TimeFirst => time(words, c),
        Order::PlaceFirst => {
            if let Some(place) = &c.place {
                prepositional(words, "in", place);
            }
        }
        Order::ObjectFirst | Order::ObjectQuestion => {
            if let Some(object) = object {
                np(words, object, true);
            }
        }
        _ => {}
    }
    if let Some(place) = relative_place {
        prepositional(words, "in", place);
    }
    let question = order.is_question();
    let group = verb_group(c, subject.person(), order);
    if order == Order::Infinitive {
        words.say("to", &[(c.node, AUXILIARY)]);
    } else {
        if question {
            words.0.extend(group.auxiliary.clone());
        }
        np(words, subject, false);
        if !question {
            words.0.extend(group.auxiliary.clone());
        }
    }
    if let Some((node, phrase)) = c.frequency {
        words.phrase(
            node,
            phrase.english,
            |i| phrase.links[i].1,
            phrase.links.len(),
        );
    }
    words.0.extend(group.rest);
    let already_said = matches!(order, Order::ObjectFirst | Order::ObjectQuestion);
    let object = object.filter(|_| !already_said);
    // `picks me up`, but `looks for me`
    let adverb = group
        .particle
        .as_ref()
        .is_some_and(|(word, _)| matches!(word.as_str(), "up" | "away"));
    let particle_last = adverb && object.is_some_and(Np::is_pronoun);
    if !particle_last {
        words.0.extend(group.particle.clone());
    }
    if let Some(object) = object {
        np(words, object, true);
    }
    if particle_last {
        words.0.extend(group.particle);
    }
    complement(words, c);
    if let Some(place) = &c.place
        && relative_place.is_none()
        && order != Order::PlaceFirst
    {
        prepositional(words, "in", place);
    }
    if order != Order::TimeFirst {
        time(words, c);
    }
    match &c.tail {
        Some(Tail::Clause(node, conjunction, sub)) => {
            words.say(conjunction.words().1, &[(*node, HEAD)]);
            clause(words, sub, Order::Plain);
        }
        Some(Tail::Purpose(node, sub)) => {
            let to = words.0.len();
            clause(words, sub, Order::Infinitive);
            words.0[to].1.push((*node, HEAD));
        }
        None => {}
    }
}

/// Adds the complements other than direct objects of the verb.
fn complement(words: &mut Words, c: &Clause) {
    match &c.complement {
        Complement::Give(to, what) => {
            np(words, to, true);
            np(words, what, true);
        }
        Complement::Dependent(object) => {
            if let Frame::Dependent(_, preposition, ..) = c.verb.frame {
                words.say(preposition, &[(c.node, PREPOSITION)]);
                np(words, object, true);
            }
        }
        Complement::Goal(goal) => prepositional(words, "to", goal),
        Complement::Quality(adjective, degree) => {
            match degree {
                Degree::Plain => {}
                Degree::Very => words.say("very", &[(c.node, DEGREE)]),
                Degree::Too => words.say("too", &[(c.node, DEGREE)]),
            }
            words.say(adjective.english, &[(c.node, ADJECTIVE)]);
        }
        Complement::Trade(noun) => {
            words.say("a", &[(c.node, HEAD)]);
            words.say(noun.english, &[(c.node, HEAD)]);
        }
        Complement::Comparison(adjective, than) => {
            for word in adjective.comparative.1.split(' ') {
                words.say(word, &[(c.node, ADJECTIVE)]);
            }
            words.say("than", &[(c.node, PREPOSITION)]);
            np(words, than, false);
        }
        Complement::None | Complement::Object(_) | Complement::Dative(_) => {}
    }
}

fn time(words: &mut Words, c: &Clause) {
    if let Some((node, phrase)) = c.time {
        words.phrase(
            node,
            phrase.english,
            |i| phrase.links[i].1,
            phrase.links.len(),
        );
    }
}

fn prepositional(words: &mut Words, preposition: &str, place: &Np) {
    match place {
        Np::Noun(Nominal { node, .. }) | Np::Relative(node, ..) => {
            words.say(preposition, &[(*node, PREPOSITION)])
        }
        _ => {}
    }
    if let Np::Relative(node, ..) = place {
        words.say("which", &[(*node, HEAD)]);
    } else {
        np(words, place, true);
    }
}

fn np(words: &mut Words, np: &Np, object: bool) {
    match np {
        Np::Pronoun(node, person) => words.say(pronoun(*person, object), &[(*node, HEAD)]),
        Np::Asked(node, true) => words.say("who", &[(*node, HEAD)]),
        Np::Asked(node, false) => words.say("what", &[(*node, HEAD)]),
        Np::Relative(node, noun, _) => {
            let word = match (noun.is(PERSON), object) {
                (true, false) => "who",
                (true, true) => "whom",
                (false, _) => "that",
            };
            words.say(word, &[(*node, HEAD)]);
        }
        Np::Noun(nominal) => {
            for word in determiner(nominal, object).split_whitespace() {
                words.say(word, &[(nominal.node, DETERMINER)]);
            }
            if let Some(adjective) = nominal.adjective {
                words.say(adjective.english, &[(nominal.node, ADJECTIVE)]);
            }
            let noun = nominal.noun;
            let word = if nominal.plural {
                noun.english_plural
            } else {
                noun.english
            };
            words.say(word, &[(nominal.node, HEAD)]);
            if let Some(relative) = &nominal.relative {
                clause(words, relative, Order::Plain);
            }
        }
    }
}

fn determiner(nominal: &Nominal, object: bool) -> &'static str {
    match nominal.determiner {
        Determiner::Definite => "the",
        Determiner::Indefinite => "a",
        Determiner::Bare => "",
        // The clause already has `not`: `Er hat kein Buch gekauft`, he did not buy a book.
        Determiner::No if !object => "no",
        Determiner::No if nominal.plural || nominal.noun.is(MASS) => "any",
        Determiner::No => "a",
        Determiner::This if nominal.plural => "these",
        Determiner::This => "this",
        Determiner::Every => "every",
        Determiner::All => "all the",
        Determiner::Many => "many",
        Determiner::Some => "some",
        Determiner::Which => "which",
        Determiner::Number(n) => NUMBERS[n].1,
        Determiner::Possessive(person) => match person {
            Person::I => "my",
            Person::Thou | Person::You => "your",
            Person::He => "his",
            Person::She => "her",
            Person::It => "its",
            Person::We => "our",
            Person::They => "their",
        },
    }
}

fn pronoun(person: Person, object: bool) -> &'static str {
    let (subject_form, object_form) = match person {
        Person::I => ("I", "me"),
        Person::Thou | Person::You => ("you", "you"),
        Person::He => ("he", "him"),
        Person::She => ("she", "her"),
        Person::It => ("it", "it"),
        Person::We => ("we", "us"),
        Person::They => ("they", "them"),
    };
    if object { object_form } else { subject_form }
}

type Word = (String, Vec<Key>);

struct Group {
    /// Comes before the subject in a question; includes `not`.
    auxiliary: Vec<Word>,
    rest: Vec<Word>,
    particle: Option<Word>,
}

/// Verb forms such as `reads`, `does not read`, `has to read` and `is not allowed to read`.
fn verb_group(c: &Clause, person: Person, order: Order) -> Group {
    let (main, auxiliary) = ((c.node, VERB), (c.node, AUXILIARY));
    let not = negation(c);
    let with_do = order.is_question() || not.is_some();
    let (base, particle) = split(c.verb.english.0);
    let particle = particle.map(|word| (word.to_string(), vec![main]));
    let mut group = Group {
        auxiliary: vec![],
        rest: vec![],
        particle,
    };
    let word = |text: &str, keys: &[Key]| (text.to_string(), keys.to_vec());
    if order == Order::Infinitive {
        group.rest.push(word(base, &[main]));
        return group;
    }
    let past = matches!(c.tense, Tense::Past);
    let does = match (past, third_singular(person)) {
        (true, _) => "did",
        (false, true) => "does",
        (false, false) => "do",
    };
    match c.tense {
        Tense::Present | Tense::Past if c.verb.frame == Frame::Copula => {
            group
                .auxiliary
                .push(word(to_be(person, past), &[main, auxiliary]));
        }
        Tense::Present | Tense::Past if with_do => {
            group.auxiliary.push(word(does, &[auxiliary]));
            group.rest.push(word(base, &[main]));
        }
        Tense::Present => group
            .rest
            .push(word(&present(c.verb, person), &[main, auxiliary])),
        Tense::Past => group
            .rest
            .push(word(split(c.verb.english.1).0, &[main, auxiliary])),
        Tense::Future => {
            group.auxiliary.push(word("will", &[auxiliary]));
            group.rest.push(word(base, &[main]));
        }
        Tense::Modal(modal) => {
            let more = match modal.english {
                EnglishModal::Auxiliary(first, more) => {
                    group.auxiliary.push(word(first, &[auxiliary]));
                    more.to_string()
                }
                EnglishModal::Be(more) => {
                    group
                        .auxiliary
                        .push(word(to_be(person, false), &[auxiliary]));
                    more.to_string()
                }
                EnglishModal::Verb(more) if with_do => {
                    group.auxiliary.push(word(does, &[auxiliary]));
                    more.to_string()
                }
                EnglishModal::Verb("have to") if third_singular(person) => "has to".to_string(),
                EnglishModal::Verb(more) if third_singular(person) => more.replacen(' ', "s ", 1),
                EnglishModal::Verb(more) => more.to_string(),
            };
            group
                .rest
                .extend(more.split_whitespace().map(|text| word(text, &[auxiliary])));
            group.rest.push(word(base, &[main]));
        }
    }
    if let Some(key) = not {
        match group.auxiliary.last_mut() {
            Some((can, keys)) if can == "can" => {
                *can = "cannot".to_string();
                keys.push(key);
            }
            _ => group.auxiliary.push(word("not", &[key])),
        }
    }
    group
}

/// Key of what `not` translates: `nicht`, or the `kein` of an object.
fn negation(c: &Clause) -> Option<Key> {
    if c.negated {
        return Some((c.node, NOT));
    }
    match &c.complement {
        Complement::Object(Np::Noun(nominal)) | Complement::Give(_, Np::Noun(nominal)) => {
            (nominal.determiner == Determiner::No).then_some((nominal.node, DETERMINER))
        }
        _ => None,
    }
}

fn split(verb: &'static str) -> (&'static str, Option<&'static str>) {
    match verb.split_once(' ') {
        Some((first, second)) => (first, Some(second)),
        None => (verb, None),
    }
}

fn third_singular(person: Person) -> bool {
    matches!(person, Person::He | Person::She | Person::It)
}

fn to_be(person: Person, past: bool) -> &'static str {
    match (person, past) {
        (Person::I, false) => "am",
        (_, false) if third_singular(person) => "is",
        (_, false) => "are",
        (Person::I, true) => "was",
        (_, true) if third_singular(person) => "was",
        (_, true) => "were",
    }
}

fn present(verb: &Verb, person: Person) -> String {
    let base = split(verb.english.0).0;
    if !third_singular(person) {
        return base.to_string();
    }
    let ends = |with: &[&str]| with.iter().any(|end| base.ends_with(end));
    let vowel_y = ends(&["ay", "ey", "oy", "uy"]);
    if ends(&["s", "sh", "ch", "x", "o"]) {
        format!("{base}es")
    } else if base.ends_with('y') && !vowel_y {
        format!("{}ies", &base[..base.len() - 1])
    } else {
        format!("{base}s")
    }
}
