use std::collections::HashMap;

use super::derive::Maker;
use super::grammar::*;
use super::lexicon::*;
use super::verbs::{BE, MODALS, Verb};
use super::*;
use Determiner::{Bare, Definite, Indefinite, Many, No, Possessive};

/// A noun phrase of a determiner, an adjective (or an empty string) and a German noun, in the plural if `*` follows it.
fn the(node: Node, determiner: Determiner, adjective: &str, noun: &str) -> Np {
    let (name, plural) = noun
        .strip_suffix('*')
        .map_or((noun, false), |name| (name, true));
    let noun = NOUNS.iter().find(|noun| noun.german == name).expect(name);
    let adjective = ADJECTIVES.iter().find(|a| a.german == adjective);
    Np::Noun(Nominal {
        node,
        noun,
        plural,
        determiner,
        adjective,
        relative: None,
    })
}

fn who(node: Node, person: Person) -> Np {
    Np::Pronoun(node, person)
}

fn verb(particle: &str, infinitive: &str) -> &'static Verb {
    VERBS
        .iter()
        .find(|v| v.particle == particle && v.infinitive == infinitive)
        .expect(infinitive)
}

fn clause(
    node: Node,
    subject: Np,
    verb: &'static Verb,
    tense: Tense,
    complement: Complement,
) -> Clause {
    Clause {
        node,
        subject,
        verb,
        tense,
        negated: false,
        complement,
        place: None,
        time: None,
        frequency: None,
        tail: None,
    }
}

fn modal(german: &str) -> Tense {
    Tense::Modal(
        MODALS
            .iter()
            .find(|modal| modal.german[0] == german)
            .expect(german),
    )
}

#[track_caller]
fn check(sentence: &Sentence, german: &str, english: &str) {
    let pair = join(german::say(sentence), english::say(sentence));
    assert_eq!(pair.german.join(" "), german);
    assert_eq!(pair.english.join(" "), english);
}

#[track_caller]
fn states(c: Clause, german: &str, english: &str) {
    check(&Sentence::Statement(c, Front::Subject), german, english);
}

#[test]
fn weak_nouns_and_mixed_endings() {
    let boy = the(2, Indefinite, "klein", "Junge");
    let c = clause(
        1,
        the(3, Possessive(Person::I), "alt", "Lehrer"),
        verb("", "sehen"),
        Tense::Present,
        Complement::Object(boy),
    );
    states(
        c,
        "Mein alter Lehrer sieht einen kleinen Jungen .",
        "My old teacher sees a small boy .",
    );
}

#[test]
fn dative_plurals_end_in_n() {
    let to = the(2, Many, "arm", "Kind*");
    let what = the(4, Indefinite, "alt", "Buch");
    let c = clause(
        1,
        the(3, Definite, "", "Frau"),
        verb("", "geben"),
        Tense::Past,
        Complement::Give(to, what),
    );
    states(
        c,
        "Die Frau hat vielen armen Kindern ein altes Buch gegeben .",
        "The woman gave many poor children an old book .",
    );
}

#[test]
fn mass_nouns_have_strong_endings() {
    let milk = the(2, Bare, "kalt", "Milch");
    let c = clause(
        1,
        who(3, Person::You),
        verb("", "trinken"),
        modal("möchte"),
        Complement::Object(milk),
    );
    states(
        c,
        "Ihr möchtet kalte Milch trinken .",
        "You would like to drink cold milk .",
    );
}

#[test]
fn separable_verbs_part_and_join() {
    let call = |node| {
        clause(
            node,
            the(node + 1, Definite, "", "Arzt"),
            verb("an", "rufen"),
            Tense::Present,
            Complement::Object(who(node + 2, Person::He)),
        )
    };
    states(call(1), "Der Arzt ruft ihn an .", "The doctor calls him .");
    let mut c = clause(
        10,
        who(11, Person::She),
        verb("", "hoffen"),
        Tense::Present,
        Complement::None,
    );
    c.tail = Some(Tail::Clause(12, Conjunction::That, Box::new(call(1))));
    states(
        c,
        "Sie hofft , dass der Arzt ihn anruft .",
        "She hopes that the doctor calls him .",
    );
}

#[test]
fn pronouns_stand_inside_english_particle_verbs() {
    let c = clause(
        1,
        who(2, Person::We),
        verb("ab", "holen"),
        Tense::Future,
        Complement::Object(who(3, Person::Thou)),
    );
    states(c, "Wir werden dich abholen .", "We will pick you up .");
}

#[test]
fn purposes_have_zu_inside() {
    let mut c = clause(
        1,
        who(2, Person::He),
        verb("", "gehen"),
        Tense::Past,
        Complement::Goal(the(3, Definite, "", "Dorf")),
    );
    let aim = clause(
        4,
        who(2, Person::He),
        verb("ab", "holen"),
        Tense::Present,
        Complement::Object(the(5, Possessive(Person::He), "", "Kind")),
    );
    c.tail = Some(Tail::Purpose(6, Box::new(aim)));
    states(
        c,
        "Er ist ins Dorf gegangen , um sein Kind abzuholen .",
        "He went to the village to pick up his child .",
    );
}

#[test]
fn negation_is_nicht_or_kein() {
    let car = |determiner| Complement::Object(the(2, determiner, "", "Auto"));
    let mut c = clause(
        1,
        who(3, Person::He),
        verb("", "kaufen"),
        modal("kann"),
        car(Definite),
    );
    c.negated = true;
    states(
        c,
        "Er kann das Auto nicht kaufen .",
        "He cannot buy the car .",
    );
    let c = clause(
        1,
        who(3, Person::He),
        verb("", "kaufen"),
        Tense::Past,
        car(No),
    );
    states(c, "Er hat kein Auto gekauft .", "He did not buy a car .");
    let c = clause(
        1,
        who(3, Person::He),
        verb("", "kaufen"),
        modal("muss"),
        car(No),
    );
    states(
        c,
        "Er muss kein Auto kaufen .",
        "He does not have to buy a car .",
    );
}

#[test]
fn questions_have_do_support_and_inversion() {
    let c = clause(
        1,
        the(2, Definite, "", "Koch"),
        verb("", "helfen"),
        Tense::Present,
        Complement::Dative(Np::Asked(3, true)),
    );
    check(
        &Sentence::What(c),
        "Wem hilft der Koch ?",
        "Who does the cook help ?",
    );
    let c = clause(
        1,
        who(2, Person::Thou),
        verb("ein", "schlafen"),
        Tense::Past,
        Complement::None,
    );
    check(
        &Sentence::Question(c),
        "Bist du eingeschlafen ?",
        "Did you fall asleep ?",
    );
}

#[test]
fn subordinate_clauses_come_first_with_inversion() {
    let tired = ADJECTIVES
        .iter()
        .find(|a| a.german == "müde")
        .expect("müde");
    let sub = clause(
        1,
        who(2, Person::I),
        BE,
        Tense::Past,
        Complement::Quality(tired, Degree::Very),
    );
    let main = clause(
        3,
        who(4, Person::I),
        verb("fern", "sehen"),
        Tense::Past,
        Complement::None,
    );
    check(
        &Sentence::Subordinate(5, Conjunction::Because, sub, main),
        "Weil ich sehr müde war , habe ich ferngesehen .",
        "Because I was very tired , I watched television .",
    );
}

#[test]
fn relative_clauses_follow_the_verb() {
    let mut dog = the(2, Definite, "", "Hund");
    if let Np::Noun(nominal) = &mut dog {
        let gap = Np::Relative(5, nominal.noun, false);
        nominal.relative = Some(Box::new(clause(
            6,
            who(7, Person::We),
            verb("", "suchen"),
            Tense::Present,
            Complement::Object(gap),
        )));
    }
    let c = clause(
        1,
        the(3, Definite, "", "Junge*"),
        verb("", "sehen"),
        Tense::Past,
        Complement::Object(dog),
    );
    states(
        c,
        "Die Jungen haben den Hund gesehen , den wir suchen .",
        "The boys saw the dog that we look for .",
    );
}

#[test]
fn gefallen_swaps_subject_and_object() {
    let c = clause(
        1,
        the(2, Definite, "", "Lied*"),
        verb("", "gefallen"),
        Tense::Present,
        Complement::Dative(who(3, Person::He)),
    );
    let sentence = Sentence::Statement(c, Front::Subject);
    check(
        &sentence,
        "Die Lieder gefallen ihm .",
        "He likes the songs .",
    );
    let pair = join(german::say(&sentence), english::say(&sentence));
    assert_eq!(pair.alignment, [(0, 2), (1, 3), (2, 1), (3, 0), (4, 4)]);
}

#[test]
fn the_same_seed_gives_the_same_pairs() {
    assert_eq!(pairs(Part::Train, 50, 7), pairs(Part::Train, 50, 7));
    assert_ne!(pairs(Part::Train, 50, 7), pairs(Part::Train, 50, 8));
}

#[test]
fn parts_share_words_but_no_sentence() {
    let train = pairs(Part::Train, 30_000, 1);
    let sentences: HashSet<_> = train.iter().map(|pair| &pair.german).collect();
    assert_eq!(
        sentences.len(),
        train.len(),
        "a German sentence is repeated"
    );
    let known: HashSet<_> = train
        .iter()
        .flat_map(|pair| pair.german.iter().chain(&pair.english))
        .collect();
    for part in [Part::HeldOut, Part::Hard] {
        for pair in pairs(part, 100, 2) {
            assert!(
                !sentences.contains(&pair.german),
                "in two parts: {:?}",
                pair.german
            );
            for word in pair.german.iter().chain(&pair.english) {
                assert!(
                    known.contains(word),
                    "{part:?} has {word}, which Train hasn't"
                );
            }
        }
    }
}

#[test]
fn lengths_are_as_promised() {
    assert!(
        pairs(Part::Train, 500, 3)
            .iter()
            .all(|pair| pair.german.len() <= 14)
    );
    assert!(
        pairs(Part::Hard, 50, 3)
            .iter()
            .all(|pair| (15..=25).contains(&pair.german.len()))
    );
}

#[test]
fn every_word_but_a_comma_is_aligned() {
    for pair in [pairs(Part::Train, 5_000, 4), pairs(Part::Hard, 50, 4)].concat() {
        assert!(
            pair.alignment
                .iter()
                .all(|&(g, e)| g < pair.german.len() && e < pair.english.len())
        );
        for (g, word) in pair.german.iter().enumerate() {
            assert!(
                word == "," || pair.alignment.iter().any(|link| link.0 == g),
                "{word} in {pair:?}"
            );
        }
        for (e, word) in pair.english.iter().enumerate() {
            assert!(
                word == "," || pair.alignment.iter().any(|link| link.1 == e),
                "{word} in {pair:?}"
            );
        }
    }
}

#[test]
fn a_german_sentence_has_one_translation() {
    let mut random = Random(5);
    let mut translations = HashMap::new();
    for _ in 0..20_000 {
        let sentence = Maker::new(&mut random, false).sentence();
        let pair = join(german::say(&sentence), english::say(&sentence));
        let first = translations
            .entry(pair.german.clone())
            .or_insert_with(|| pair.english.clone());
        assert_eq!(
            *first, pair.english,
            "two translations of {:?}",
            pair.german
        );
    }
}

#[test]
fn articles_agree_with_the_next_sound() {
    for pair in pairs(Part::Train, 5_000, 6) {
        for two in pair.english.windows(2) {
            let vowel = two[1].starts_with(['a', 'e', 'i', 'o', 'u']);
            assert!(!(two[0].eq_ignore_ascii_case("a") && vowel), "{two:?}");
            assert!(!two[0].eq_ignore_ascii_case("an") || vowel, "{two:?}");
        }
    }
}

#[test]
fn there_are_tens_of_millions_of_sentences() {
    assert!(distinct() > 50_000_000, "{}", distinct());
}
