//! German: endings, verb forms and word order.

use super::grammar::*;
use super::lexicon::{Determiner, Gender, NUMBERS, Noun, Person};
use super::verbs::{Case, Frame, Modal, Verb};
use Gender::{Feminine, Masculine, Neuter};

/// Position of the finite verb.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Second(Front),
    /// Before the subject. The position before the verb is already taken, or empty in a yes-no question.
    Inverted,
    Final,
    /// `zu` instead of a finite verb.
    Infinitive,
}

pub fn say(sentence: &Sentence) -> Vec<(String, Vec<Key>)> {
    let mut words = Words::default();
    let mut stop = ".";
    match sentence {
        Sentence::Statement(c, front) => clause(&mut words, c, Order::Second(*front)),
        Sentence::Question(c) => {
            stop = "?";
            clause(&mut words, c, Order::Inverted);
        }
        Sentence::Who(c) => {
            stop = "?";
            clause(&mut words, c, Order::Second(Front::Subject));
        }
        Sentence::What(c) => {
            stop = "?";
            clause(&mut words, c, Order::Second(Front::Object));
        }
        Sentence::Adverb(node, adverb, c) => {
            stop = "?";
            words.say(adverb.words().0, &[(*node, HEAD)]);
            clause(&mut words, c, Order::Inverted);
        }
        Sentence::Subordinate(node, conjunction, sub, main) => {
            words.say(conjunction.words().0, &[(*node, HEAD)]);
            clause(&mut words, sub, Order::Final);
            comma(&mut words, (*node, COMMA));
            clause(&mut words, main, Order::Inverted);
        }
        Sentence::Coordinate(first, node, conjunction, second) => {
            clause(&mut words, first, Order::Second(Front::Subject));
            if *conjunction == Conjunction::But {
                comma(&mut words, (*node, COMMA));
            }
            words.say(conjunction.words().0, &[(*node, HEAD)]);
            clause(&mut words, second, Order::Second(Front::Subject));
        }
        Sentence::Exists {
            node,
            what,
            place,
            past,
            place_first,
        } => {
            let gibt =
                |words: &mut Words| words.say(if *past { "gab" } else { "gibt" }, &[(*node, VERB)]);
            let es = |words: &mut Words| words.say("es", &[(*node, HEAD)]);
            if *place_first {
                locate(&mut words, place);
                gibt(&mut words);
                es(&mut words);
                np(&mut words, what, Case::Accusative);
            } else {
                es(&mut words);
                gibt(&mut words);
                np(&mut words, what, Case::Accusative);
                locate(&mut words, place);
            }
            relative(&mut words, what);
        }
    }
    if words.0.last().is_some_and(|(word, _)| word == ",") {
        words.0.pop();
    }
    words.say(stop, &[(0, STOP)]);
    words.finish()
}

/// Adds a comma, unless the preceding clause has just ended with one.
fn comma(words: &mut Words, key: Key) {
    match words.0.last_mut() {
        Some((word, keys)) if word == "," => keys.push(key),
        _ => words.say(",", &[key]),
    }
}

fn clause(words: &mut Words, c: &Clause, order: Order) {
    let (finite, nonfinite) = verb_forms(c, order);
    let is_object_front = |np: &Np| matches!(np, Np::Asked(..) | Np::Relative(..));
    let mut object_said = false;
    match order {
        Order::Second(Front::Subject) => subject(words, c),
        Order::Second(Front::Time) => time(words, c),
        Order::Second(Front::Place) => {
            if let Some(place) = &c.place {
                locate(words, place);
            }
        }
        Order::Second(Front::Object) => object_said = front_object(words, c),
        Order::Final => match (&c.subject, &c.complement) {
            (Np::Relative(..), _) => subject(words, c),
            (_, Complement::Object(np) | Complement::Dative(np)) if is_object_front(np) => {
                object_said = front_object(words, c);
                subject(words, c);
            }
            _ => {
                if let Some(place @ Np::Relative(..)) = &c.place {
                    locate(words, place);
                }
                subject(words, c);
            }
        },
        Order::Inverted | Order::Infinitive => {}
    }
    if matches!(order, Order::Second(_) | Order::Inverted) {
        words.say(&finite.0, &finite.1);
        if order != Order::Second(Front::Subject) {
            subject(words, c);
        }
    }
    middle(words, c, order, object_said);
    for (word, keys) in &nonfinite {
        words.say(word, keys);
    }
    if order == Order::Final {
        words.say(&finite.0, &finite.1);
    }
    // A relative clause of the last noun follows the verb: `Er hat den Hund gesehen , der schläft .`
    if !object_said && let Some(np) = last_noun(c) {
        relative(words, np);
    }
    match &c.tail {
        Some(Tail::Clause(node, conjunction, sub)) => {
            comma(words, (*node, COMMA));
            words.say(conjunction.words().0, &[(*node, HEAD)]);
            clause(words, sub, Order::Final);
        }
        Some(Tail::Purpose(node, sub)) => {
            comma(words, (*node, COMMA));
            words.say("um", &[(*node, HEAD)]);
            clause(words, sub, Order::Infinitive);
        }
        None => {}
    }
}

fn subject(words: &mut Words, c: &Clause) {
    np(words, &c.subject, Case::Nominative);
    relative(words, &c.subject);
}

fn front_object(words: &mut Words, c: &Clause) -> bool {
    match &c.complement {
        Complement::Object(object) => np(words, object, Case::Accusative),
        Complement::Dative(object) => np(words, object, Case::Dative),
        other => unreachable!("no object to put first: {other:?}"),
    }
    true
}

fn time(words: &mut Words, c: &Clause) {
    if let Some((node, phrase)) = c.time {
        words.phrase(
            node,
            phrase.german,
            |i| phrase.links[i].0,
            phrase.links.len(),
        );
    }
}

/// Adds what comes between the finite verb or the conjunction and the verb at the end.
fn middle(words: &mut Words, c: &Clause, order: Order, object_said: bool) {
    let (recipient, object) = match &c.complement {
        _ if object_said => (None, None),
        Complement::Object(np) => (None, Some(np)),
        Complement::Dative(np) => (Some(np), None),
        Complement::Give(to, what) => (Some(to), Some(what)),
        _ => (None, None),
    };
    for (pronoun, case) in [(object, Case::Accusative), (recipient, Case::Dative)] {
        if let Some(pronoun) = pronoun.filter(|np| np.is_pronoun()) {
            np(words, pronoun, case);
        }
    }
    if order != Order::Second(Front::Time) {
        time(words, c);
    }
    // Known nouns come first: `liest das Buch oft im Park`, but `liest oft im Park ein Buch`.
    let nouns = [(recipient, Case::Dative), (object, Case::Accusative)];
    let nouns = || {
        nouns
            .into_iter()
            .filter_map(|(noun, case)| Some((noun.filter(|np| !np.is_pronoun())?, case)))
    };
    for (noun, case) in nouns().filter(|(noun, _)| is_known(noun)) {
        np(words, noun, case);
    }
    if let Some((node, phrase)) = c.frequency {
        words.phrase(
            node,
            phrase.german,
            |i| phrase.links[i].0,
            phrase.links.len(),
        );
    }
    if c.negated {
        words.say("nicht", &[(c.node, NOT)]);
    }
    if let Some(place) = &c.place
        && order != Order::Second(Front::Place)
        && !matches!(place, Np::Relative(..))
    {
        locate(words, place);
    }
    for (noun, case) in nouns().filter(|(noun, _)| !is_known(noun)) {
        np(words, noun, case);
    }
    match &c.complement {
        Complement::Dependent(object) => {
            if let Frame::Dependent(preposition, _, case, _) = c.verb.frame {
                words.say(preposition, &[(c.node, PREPOSITION)]);
                np(words, object, case);
            }
        }
        Complement::Goal(goal) => prepositional(words, goal, Case::Accusative),
        Complement::Quality(adjective, degree) => {
            match degree {
                Degree::Plain => {}
                Degree::Very => words.say("sehr", &[(c.node, DEGREE)]),
                Degree::Too => words.say("zu", &[(c.node, DEGREE)]),
            }
            words.say(adjective.german, &[(c.node, ADJECTIVE)]);
        }
        Complement::Trade(noun) => words.say(noun.german, &[(c.node, HEAD)]),
        Complement::Comparison(adjective, than) => {
            words.say(adjective.comparative.0, &[(c.node, ADJECTIVE)]);
            // In a clause that ends with the verb, `als …` may follow it; here it always comes before it.
            words.say("als", &[(c.node, PREPOSITION)]);
            np(words, than, Case::Nominative);
        }
        _ => {}
    }
}

fn is_known(np: &Np) -> bool {
    use Determiner::{Definite, Possessive, This};
    np.noun()
        .is_some_and(|n| matches!(n.determiner, Definite | This | Possessive(_)))
}

/// The noun phrase whose relative clause follows the verb.
fn last_noun(c: &Clause) -> Option<&Np> {
    match &c.complement {
        Complement::Object(np)
        | Complement::Dative(np)
        | Complement::Give(_, np)
        | Complement::Dependent(np)
        | Complement::Goal(np) => Some(np),
        _ => c.place.as_ref(),
    }
}

fn relative(words: &mut Words, np: &Np) {
    if let Some(Nominal {
        relative: Some(inner),
        node,
        ..
    }) = np.noun()
    {
        comma(words, (*node, COMMA));
        clause(words, inner, Order::Final);
        // `say` drops this comma before the full stop; `comma` merges it with that of a conjunction.
        comma(words, (*node, COMMA));
    }
}

fn locate(words: &mut Words, place: &Np) {
    prepositional(words, place, Case::Dative);
}

/// Adds `in` and a place, which is in the dative for a location and in the accusative for a destination.
fn prepositional(words: &mut Words, place: &Np, case: Case) {
    if let Np::Noun(nominal) = place {
        let key = (nominal.node, PREPOSITION);
        let contraction = match (case, nominal.noun.gender) {
            (Case::Dative, Masculine | Neuter) => Some("im"),
            (Case::Accusative, Neuter) => Some("ins"),
            _ => None,
        };
        if let Some(both) = contraction
            && nominal.determiner == Determiner::Definite
            && !nominal.plural
            && nominal.relative.is_none()
        {
            words.say(both, &[key, (nominal.node, DETERMINER)]);
            adjective_and_noun(words, nominal, case);
            return;
        }
        words.say("in", &[key]);
    } else if let Np::Relative(node, ..) = place {
        words.say("in", &[(*node, PREPOSITION)]);
    }
    np(words, place, case);
}

pub fn np(words: &mut Words, np: &Np, case: Case) {
    match np {
        Np::Pronoun(node, person) => words.say(pronoun(*person, case), &[(*node, HEAD)]),
        Np::Asked(node, true) => words.say(
            match case {
                Case::Nominative => "wer",
                Case::Accusative => "wen",
                Case::Dative => "wem",
            },
            &[(*node, HEAD)],
        ),
        Np::Asked(node, false) => words.say("was", &[(*node, HEAD)]),
        Np::Relative(node, noun, plural) => {
            let word = match (case, plural) {
                (Case::Dative, true) => "denen".to_string(),
                _ => definite(noun.gender, *plural, case).to_string(),
            };
            words.say(&word, &[(*node, HEAD)]);
        }
        Np::Noun(nominal) => {
            let word = determiner(nominal, case);
            if !word.is_empty() {
                words.say(&word, &[(nominal.node, DETERMINER)]);
            }
            adjective_and_noun(words, nominal, case);
        }
    }
}

fn adjective_and_noun(words: &mut Words, nominal: &Nominal, case: Case) {
    if let Some(adjective) = nominal.adjective {
        let word = format!("{}{}", adjective.stem, adjective_ending(nominal, case));
        words.say(&word, &[(nominal.node, ADJECTIVE)]);
    }
    words.say(
        &noun_form(nominal.noun, nominal.plural, case),
        &[(nominal.node, HEAD)],
    );
}

fn pronoun(person: Person, case: Case) -> &'static str {
    use Person::*;
    let forms = match person {
        I => ["ich", "mich", "mir"],
        Thou => ["du", "dich", "dir"],
        He => ["er", "ihn", "ihm"],
        She => ["sie", "sie", "ihr"],
        It => ["es", "es", "ihm"],
        We => ["wir", "uns", "uns"],
        You => ["ihr", "euch", "euch"],
        They => ["sie", "sie", "ihnen"],
    };
    forms[case as usize]
}

fn definite(gender: Gender, plural: bool, case: Case) -> &'static str {
    match (case, gender, plural) {
        (Case::Dative, _, true) => "den",
        (_, _, true) => "die",
        (Case::Nominative, Masculine, _) => "der",
        (Case::Accusative, Masculine, _) => "den",
        (Case::Dative, Feminine, _) => "der",
        (Case::Dative, _, _) => "dem",
        (_, Feminine, _) => "die",
        (_, Neuter, _) => "das",
    }
}

/// Endings of `dieser`, and of an adjective with no determiner before it.
fn strong_ending(gender: Gender, plural: bool, case: Case) -> &'static str {
    match definite(gender, plural, case) {
        "der" => "er",
        "den" => "en",
        "dem" => "em",
        "das" => "es",
        _ => "e",
    }
}

/// True if `ein`, `kein` and `mein` have no ending, so that the adjective shows the gender: `ein alter Mann`.
fn is_bare(gender: Gender, plural: bool, case: Case) -> bool {
    !plural
        && matches!(
            (gender, case),
            (Masculine, Case::Nominative) | (Neuter, Case::Nominative | Case::Accusative)
        )
}

fn determiner(nominal: &Nominal, case: Case) -> String {
    let (gender, plural) = (nominal.noun.gender, nominal.plural);
    let strong = strong_ending(gender, plural, case);
    let mixed = if is_bare(gender, plural, case) {
        ""
    } else {
        strong
    };
    match nominal.determiner {
        Determiner::Definite => definite(gender, plural, case).to_string(),
        Determiner::Bare => String::new(),
        Determiner::Number(n) => NUMBERS[n].0.to_string(),
        Determiner::This => format!("dies{strong}"),
        Determiner::Every => format!("jed{strong}"),
        Determiner::All => format!("all{strong}"),
        Determiner::Many => format!("viel{strong}"),
        Determiner::Some => format!("einig{strong}"),
        Determiner::Which => format!("welch{strong}"),
        Determiner::Indefinite => format!("ein{mixed}"),
        Determiner::No => format!("kein{mixed}"),
        Determiner::Possessive(person) => {
            let stem = match person {
                Person::I => "mein",
                Person::Thou => "dein",
                Person::He | Person::It => "sein",
                Person::She | Person::They => "ihr",
                Person::We => "unser",
                Person::You if mixed.is_empty() => "euer",
                Person::You => "eur",
            };
            format!("{stem}{mixed}")
        }
    }
}

fn adjective_ending(nominal: &Nominal, case: Case) -> &'static str {
    let (gender, plural) = (nominal.noun.gender, nominal.plural);
    let strong = strong_ending(gender, plural, case);
    let weak = match (case, gender, plural) {
        (_, _, true) | (Case::Dative, _, _) | (Case::Accusative, Masculine, _) => "en",
        _ => "e",
    };
    use Determiner::*;
    match nominal.determiner {
        Definite | This | Every | All | Which => weak,
        Indefinite | No | Possessive(_) if is_bare(gender, plural, case) => strong,
        Indefinite | No | Possessive(_) => weak,
        Bare | Number(_) | Many | Some => strong,
    }
}

fn noun_form(noun: &Noun, plural: bool, case: Case) -> String {
    let n = match noun.german_plural.chars().last() {
        Some('n' | 's') | None => "",
        Some(_) => "n",
    };
    match (plural, case) {
        (true, Case::Dative) => format!("{}{n}", noun.german_plural),
        (true, _) => noun.german_plural.to_string(),
        (false, Case::Accusative | Case::Dative) if noun.weak => noun.german_plural.to_string(),
        (false, _) => noun.german.to_string(),
    }
}

type Word = (String, Vec<Key>);

/// The finite verb, and the words at the end of the clause.
fn verb_forms(c: &Clause, order: Order) -> (Word, Vec<Word>) {
    let verb = c.verb;
    let person = c.subject.person();
    let (main, auxiliary) = ((c.node, VERB), (c.node, AUXILIARY));
    let infinitive = format!("{}{}", verb.particle, verb.infinitive);
    if order == Order::Infinitive {
        let zu = ("zu".to_string(), vec![auxiliary]);
        let words = if verb.particle.is_empty() {
            vec![zu, (infinitive, vec![main])]
        } else {
            vec![(
                format!("{}zu{}", verb.particle, verb.infinitive),
                vec![main, auxiliary],
            )]
        };
        return (Word::default(), words);
    }
    let both = vec![main, auxiliary];
    match c.tense {
        Tense::Present if order == Order::Final => (
            (format!("{}{}", verb.particle, present(verb, person)), both),
            vec![],
        ),
        Tense::Present => {
            let particle =
                (!verb.particle.is_empty()).then(|| (verb.particle.to_string(), vec![main]));
            (
                (present(verb, person), both),
                particle.into_iter().collect(),
            )
        }
        Tense::Past if verb.frame == Frame::Copula => {
            let form = by_person(person, ["war", "warst", "waren", "wart"]);
            ((form.to_string(), both), vec![])
        }
        Tense::Past => {
            let form = if verb.sein {
                to_be(person)
            } else if person == Person::I {
                "habe"
            } else {
                by_person(person, ["hat", "hast", "haben", "habt"])
            };
            (
                (form.to_string(), vec![auxiliary]),
                vec![(verb.participle.to_string(), vec![main])],
            )
        }
        Tense::Future => {
            let form = if person == Person::I {
                "werde"
            } else {
                by_person(person, ["wird", "wirst", "werden", "werdet"])
            };
            (
                (form.to_string(), vec![auxiliary]),
                vec![(infinitive, vec![main])],
            )
        }
        Tense::Modal(Modal { german, .. }) => (
            (by_person(person, *german).to_string(), vec![auxiliary]),
            vec![(infinitive, vec![main])],
        ),
    }
}

/// Selects a form by person, from those for ich/er, du, wir/sie and ihr.
fn by_person(person: Person, forms: [&'static str; 4]) -> &'static str {
    match person {
        Person::I | Person::He | Person::She | Person::It => forms[0],
        Person::Thou => forms[1],
        Person::We | Person::They => forms[2],
        Person::You => forms[3],
    }
}

fn to_be(person: Person) -> &'static str {
    if person == Person::I {
        "bin"
    } else {
        by_person(person, ["ist", "bist", "sind", "seid"])
    }
}

fn present(verb: &Verb, person: Person) -> String {
    if verb.frame == Frame::Copula {
        return to_be(person).to_string();
    }
    // No verb here ends in -eln or -ern, so the stem is the infinitive without -en.
    let stem = verb
        .infinitive
        .strip_suffix("en")
        .unwrap_or(verb.infinitive);
    match person {
        Person::I if verb.infinitive == "wissen" => verb.third.to_string(),
        Person::I => format!("{stem}e"),
        Person::Thou => verb.second.to_string(),
        Person::He | Person::She | Person::It => verb.third.to_string(),
        Person::We | Person::They => verb.infinitive.to_string(),
        Person::You => {
            let e = if ["t", "d", "ffn", "gn"]
                .iter()
                .any(|end| stem.ends_with(end))
            {
                "e"
            } else {
                ""
            };
            format!("{stem}{e}t")
        }
    }
}
