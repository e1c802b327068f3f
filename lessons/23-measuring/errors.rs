//! Sentences that are hard for the built-in model, in four kinds, each with an easy one that differs from it in one
//! thing.

use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::lesson::picture::Progress;
use transformer_tutor::lesson::{Body, Picture, translations};

/// A sentence, and phrases of which every correct translation contains one.
struct Sentence {
    german: &'static str,
    right: &'static [&'static str],
}

impl Sentence {
    const fn new(german: &'static str, right: &'static [&'static str]) -> Self {
        Self { german, right }
    }

    fn is_right(&self, translation: &str) -> bool {
        self.right.iter().any(|phrase| translation.contains(phrase))
    }
}

/// A hard sentence and an easy one that differs from it in one thing.
struct Pair {
    kind: &'static str,
    hard: Sentence,
    easy: Sentence,
}

const PAIRS: [Pair; 8] = [
    Pair {
        kind: "rare word",
        hard: Sentence::new("Der Dachs schläft im Garten.", &["badger"]),
        easy: Sentence::new(
            "Der Hund schläft im Garten.",
            &["dog is sleeping", "dog sleeps"],
        ),
    },
    Pair {
        kind: "rare word",
        hard: Sentence::new("Der Specht klopft an den Baum.", &["woodpecker"]),
        easy: Sentence::new("Der Vogel klopft an den Baum.", &["bird"]),
    },
    Pair {
        kind: "name",
        hard: Sentence::new("Frau Obermeier kommt aus Regensburg.", &["Obermeier"]),
        easy: Sentence::new("Frau Mayer kommt aus Regensburg.", &["Mayer"]),
    },
    Pair {
        kind: "name",
        hard: Sentence::new("Herr Unterberger kommt aus Wien.", &["Unterberger"]),
        easy: Sentence::new("Herr Berger kommt aus Wien.", &["Berger"]),
    },
    Pair {
        kind: "word order",
        hard: Sentence::new(
            "Den kleinen Hund hat die Katze gesehen.",
            &["cat saw", "cat has seen"],
        ),
        easy: Sentence::new(
            "Die Katze hat den kleinen Hund gesehen.",
            &["cat saw", "cat has seen"],
        ),
    },
    Pair {
        kind: "word order",
        hard: Sentence::new(
            "Den Apfel isst das Kind.",
            &["child eats", "child is eating"],
        ),
        easy: Sentence::new(
            "Das Kind isst den Apfel.",
            &["child eats", "child is eating"],
        ),
    },
    Pair {
        kind: "idiom",
        hard: Sentence::new("Er hat einen Vogel.", &["crazy", "mad", "nuts"]),
        easy: Sentence::new("Er ist verrückt.", &["crazy", "mad", "nuts"]),
    },
    Pair {
        kind: "idiom",
        hard: Sentence::new(
            "Ich glaube, mein Schwein pfeift.",
            &["believe it", "kidding"],
        ),
        easy: Sentence::new(
            "Ich glaube, mein Hund schläft.",
            &["dog is sleeping", "dog is asleep"],
        ),
    },
];

/// What the model writes for each hard sentence and, in the second list, for each easy one.
static WRITTEN: Lazy<[Vec<String>; 2]> = Lazy::new(|| {
    [sentences(|pair| &pair.hard), sentences(|pair| &pair.easy)].map(|sentences| {
        let german: Vec<String> = sentences
            .map(|sentence| sentence.german.to_owned())
            .collect();
        translations(&german, None)
    })
});

fn sentences(
    side: fn(&'static Pair) -> &'static Sentence,
) -> impl Iterator<Item = &'static Sentence> {
    PAIRS.iter().map(side)
}

/// Number of hard sentences that the model translates wrongly.
pub fn hard_missed() -> usize {
    missed(sentences(|pair| &pair.hard), &WRITTEN[0])
}

/// Number of easy sentences that the model translates wrongly.
pub fn easy_missed() -> usize {
    missed(sentences(|pair| &pair.easy), &WRITTEN[1])
}

fn missed<'a>(sentences: impl Iterator<Item = &'a Sentence>, written: &[String]) -> usize {
    let both = sentences.zip(written);
    both.filter(|(sentence, written)| !sentence.is_right(written))
        .count()
}

/// A table of all translations, which are computed when the learner asks for them.
pub fn picture() -> Picture {
    Picture::job(
        "errors",
        "Four kinds of error",
        "Each hard sentence is followed by an easy one that differs from it in one thing.",
        format!(
            "translates {} sentences with the trained model, a second or two",
            2 * PAIRS.len()
        ),
        |_| translated(),
    )
}

fn translated() -> Progress {
    let row = |kind: &str, sentence: &Sentence, written: &str| {
        let verdict = if sentence.is_right(written) {
            "right"
        } else {
            "wrong"
        };
        [kind, sentence.german, written, verdict]
            .map(str::to_owned)
            .to_vec()
    };
    let [hard, easy] = &*WRITTEN;
    let written = hard.iter().zip(easy);
    let rows = PAIRS.iter().zip(written).flat_map(|(pair, (hard, easy))| {
        [
            row(pair.kind, &pair.hard, hard),
            row("easy", &pair.easy, easy),
        ]
    });
    Progress::new(
        1.0,
        format!(
            "Of {} sentences in each group, the model gets {} hard ones and {} easy ones wrong.",
            PAIRS.len(),
            hard_missed(),
            easy_missed()
        ),
        Body::table(
            &["kind", "German", "the model writes", "result"],
            rows.collect(),
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translation_is_right_if_it_contains_one_of_the_phrases() {
        let sentence = Sentence::new(
            "Den Apfel isst das Kind.",
            &["child eats", "child is eating"],
        );
        assert!(sentence.is_right("The child is eating the apple."));
        assert!(!sentence.is_right("The apple is eating the child."));
    }

    #[test]
    fn the_model_misses_more_hard_sentences_than_easy_ones() {
        let (hard, easy) = (hard_missed(), easy_missed());
        assert!(hard > easy, "{hard} hard and {easy} easy ones");
    }

    #[test]
    fn the_table_has_both_sentences_of_each_pair() {
        let Body::Table { rows, .. } = translated().body else {
            panic!("the picture is a table");
        };
        assert_eq!(rows.len(), 16);
        assert_eq!(rows[0][..2], ["rare word", "Der Dachs schläft im Garten."]);
        assert_eq!(rows[1][..2], ["easy", "Der Hund schläft im Garten."]);
    }
}
