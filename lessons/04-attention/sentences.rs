//! The sentences whose words stand on the axes: German source, English target.

use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

/// How many sentences a batch has.
pub const BATCH: usize = 30;

const PAIRS: [(&str, &str); 10] = [
    (
        "der Hund läuft heute schnell durch den alten Park .",
        "the dog runs quickly through the old park today .",
    ),
    ("die Frau liest ein Buch .", "the woman reads a book ."),
    (
        "ein kleines Kind spielt mit dem roten Ball im Garten .",
        "a small child plays with the red ball .",
    ),
    ("wir sehen den Mann nicht .", "we do not see the man ."),
    (
        "sie hat gestern einen langen Brief geschrieben .",
        "she wrote a long letter yesterday .",
    ),
    ("das Haus ist alt .", "the house is old ."),
    (
        "er weiß , dass der Zug heute sehr spät kommt .",
        "he knows that the train is late today .",
    ),
    ("die Kinder schlafen .", "the children sleep ."),
    (
        "im Sommer fahren viele Leute mit dem Zug ans Meer .",
        "in summer many people travel to the sea .",
    ),
    (
        "der Lehrer gibt dem Schüler das Buch .",
        "the teacher gives the pupil the book .",
    ),
];

/// The words of sentence `batch`, cut or padded to `length`.
pub fn words(batch: usize, length: usize, target: bool) -> Vec<String> {
    let (source, english) = PAIRS[batch % PAIRS.len()];
    let text = if target { english } else { source };
    let all = text.split(' ').map(str::to_owned);
    all.chain(std::iter::repeat_with(|| "<pad>".to_owned()))
        .take(length)
        .collect()
}

/// Source ids `[BATCH, length]`: words by their first appearance, from 4 on; padding is 0.
pub fn ids(length: usize) -> Tensor {
    let mut known: Vec<&str> = Vec::new();
    for word in PAIRS.iter().flat_map(|(source, _)| source.split(' ')) {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    let place = |word: &str| {
        known
            .iter()
            .position(|k| *k == word)
            .map_or(PAD, |i| (i + 4) as f32)
    };
    let rows = (0..BATCH)
        .flat_map(|b| words(b, length, false))
        .map(|w| place(&w))
        .collect();
    Tensor::new(&[BATCH, length], rows)
}
