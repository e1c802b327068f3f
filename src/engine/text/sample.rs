//! Thirty sentence pairs whose words label the axes in the lessons: German source, English target.

use crate::nn::masks::PAD;
use crate::tensor::Tensor;

/// Number of sentences in a batch.
pub const BATCH: usize = 30;

/// Index of a short sentence, padded in both languages, which the leak indicator examines.
pub const SHORT: usize = 1;

/// Sentences of at most 11 German and 10 English tokens, so that the standard batch truncates none.
const PAIRS: [(&str, &str); BATCH] = [
    (
        "der alte Mann geht mit seinem Hund in den Park .",
        "the old man walks his dog in the park .",
    ),
    ("die Frau liest ein Buch .", "the woman reads a book ."),
    (
        "ein Kind spielt mit einem Ball im Garten .",
        "a child plays with a ball in the garden .",
    ),
    ("wir sehen den Mann nicht .", "we do not see the man ."),
    (
        "sie hat gestern einen langen Brief geschrieben .",
        "she wrote a long letter yesterday .",
    ),
    ("das Haus ist alt .", "the house is old ."),
    (
        "er weiß , dass der Zug heute sehr spät kommt .",
        "he knows that the train is very late today .",
    ),
    ("die Kinder schlafen .", "the children sleep ."),
    (
        "im Sommer fahren viele Leute mit dem Zug ans Meer .",
        "in summer many people take trains to the sea .",
    ),
    (
        "der Lehrer gibt dem Schüler das Buch .",
        "the teacher gives the pupil the book .",
    ),
    (
        "zwei Hunde laufen am Strand .",
        "two dogs run on the beach .",
    ),
    (
        "ein Mann in Blau steht auf einer Leiter .",
        "a man in blue stands on a ladder .",
    ),
    (
        "es regnet seit drei Tagen .",
        "it has rained for three days .",
    ),
    (
        "kannst du mir bitte das Salz geben ?",
        "can you pass me the salt , please ?",
    ),
    ("niemand war zu Hause .", "nobody was at home ."),
    (
        "meine Schwester arbeitet in einem Krankenhaus .",
        "my sister works in a hospital .",
    ),
    (
        "die Katze schläft auf dem Sofa .",
        "the cat sleeps on the sofa .",
    ),
    (
        "morgen werden wir die neue Brücke zum ersten Mal sehen .",
        "tomorrow we will see the new bridge .",
    ),
    ("er trinkt keinen Kaffee .", "he drinks no coffee ."),
    (
        "ein Mädchen in Rot springt über eine Pfütze .",
        "a girl in red jumps over a puddle .",
    ),
    ("wo ist der Bahnhof ?", "where is the station ?"),
    (
        "die Musiker spielen auf einer kleinen Bühne .",
        "the musicians play on a small stage .",
    ),
    ("ich habe den Schlüssel verloren .", "i have lost the key ."),
    (
        "der Bäcker öffnet seinen Laden um sechs Uhr .",
        "the baker opens his shop at six o'clock .",
    ),
    ("das Wasser ist zu kalt .", "the water is too cold ."),
    (
        "eine Gruppe von Menschen wartet auf den Bus .",
        "a group of people waits for the bus .",
    ),
    ("sie lachte laut .", "she laughed loudly ."),
    (
        "nach dem Essen gingen wir noch lange am Fluss spazieren .",
        "after dinner we took a long walk .",
    ),
    ("der Vogel fliegt davon .", "the bird flies away ."),
    (
        "ein Radfahrer hält an der roten Ampel .",
        "a cyclist stops at the red light .",
    ),
];

/// One side of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// The source.
    German,
    /// The target.
    English,
}

fn text(pair: usize, language: Language) -> &'static str {
    let (german, english) = PAIRS[pair];
    match language {
        Language::German => german,
        Language::English => english,
    }
}

/// Words of one sentence, truncated or padded to `length`.
pub fn words(pair: usize, length: usize, language: Language) -> Vec<String> {
    let all = text(pair, language).split(' ').map(str::to_owned);
    all.chain(std::iter::repeat_with(|| "<pad>".to_owned()))
        .take(length)
        .collect()
}

/// Words of every sentence, truncated or padded to `length`.
pub fn all_words(length: usize, language: Language) -> Vec<Vec<String>> {
    (0..BATCH).map(|b| words(b, length, language)).collect()
}

/// Ids `[BATCH, length]`, numbered from 4 in the order of first appearance; padding is 0.
pub fn ids(length: usize, language: Language) -> Tensor {
    let mut known: Vec<&str> = Vec::new();
    for word in (0..BATCH).flat_map(|b| text(b, language).split(' ')) {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    let id = |word: &String| {
        let index = known.iter().position(|k| k == word);
        index.map_or(PAD, |i| (i + 4) as f32)
    };
    let rows = all_words(length, language);
    Tensor::new(&[BATCH, length], rows.iter().flatten().map(id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_batch_cuts_no_sentence_and_the_longest_fills_it() {
        let longest = |language| {
            let lengths = (0..BATCH).map(|b| text(b, language).split(' ').count());
            lengths.max()
        };
        assert_eq!(longest(Language::German), Some(11));
        assert_eq!(longest(Language::English), Some(10));
    }

    #[test]
    fn padding_is_id_0_and_words_are_not() {
        let ids = ids(11, Language::German);
        for (b, row) in ids.data().chunks(11).enumerate() {
            for (word, &id) in words(b, 11, Language::German).iter().zip(row) {
                assert_eq!(word == "<pad>", id == PAD, "{word} {id}");
            }
        }
    }
}
