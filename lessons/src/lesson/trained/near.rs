//! What lies near a token's row of the embedding matrix, half-way to another, and off to the side by the number of a
//! place.

use super::Reading;
use super::readout::{BEST, FEW, best, ranked, words};
use crate::lesson::Picture;
use crate::typeset::number::fixed;

/// The pictures of what lies near the rows of a sentence.
pub fn pictures(reading: &Reading) -> Vec<Picture> {
    let all = [numbered(reading), half_way(reading), nearest(reading)];
    all.into_iter().flatten().collect()
}

/// The source tokens with the number of their place added to all their numbers.
fn numbered(reading: &Reading) -> Option<Picture> {
    let line = |(row, token): (usize, &String)| {
        let read = |name: &str| best(reading, name, row, 1).map(|best| words(&best));
        Some(vec![
            token.clone(),
            row.to_string(),
            read("readout.numbered")?,
            read("readout.numbered_small")?,
        ])
    };
    let lines: Option<Vec<_>> = reading.read.iter().enumerate().map(line).collect();
    Some(Picture::table(
        "numbered",
        "What a row says once the number of its place is added",
        "The place is added to all numbers of the row, then an eighth of it.",
        &["went in", "place", "+ place", "+ place / 8"],
        lines?,
    ))
}

/// Two tokens of the sentence between which [`half_way`] looks: the first two that begin with a capital after the first
/// token, as German nouns do, or else the first two.
fn two(reading: &Reading) -> [usize; 2] {
    let is_noun = |at: &usize| reading.read[*at].starts_with(char::is_uppercase);
    let mut nouns = (1..reading.read.len()).filter(is_noun);
    match (nouns.next(), nouns.next()) {
        (Some(one), Some(other)) => [one, other],
        _ => [0, 1.min(reading.read.len() - 1)],
    }
}

/// Half-way between two tokens: the token with the id half-way between theirs, and the read-out of the row half-way
/// between their rows.
fn half_way(reading: &Reading) -> Option<Picture> {
    let [one, other] = two(reading);
    let ids = [one, other].map(|at| reading.source_ids[at] as usize);
    let middle = ids.iter().sum::<usize>() / 2;
    // A product with the mean of two rows is the mean of the products.
    let read = reading.trace.tensor("readout.source")?;
    let row = |at: usize| &read.data()[at * read.last()..][..read.last()];
    let mean: Vec<f32> = row(one)
        .iter()
        .zip(row(other))
        .map(|(a, b)| (a + b) / 2.0)
        .collect();
    let line = |what: &str, of: [String; 3]| [vec![what.to_owned()], of.to_vec()].concat();
    let named = |at: usize| reading.read[at].clone();
    let lines = vec![
        line(
            "ids",
            [
                ids[0].to_string(),
                format!("{middle}: {}", reading.token(middle)),
                ids[1].to_string(),
            ],
        ),
        line(
            "rows",
            [
                named(one),
                words(&ranked(reading, &mean, BEST)),
                named(other),
            ],
        ),
    ];
    Some(Picture::table(
        "half-way",
        format!("Half-way from “{}” to “{}”", named(one), named(other)),
        "Half-way between the two ids is the id of some other token. Half-way between the two rows is a vector, and the tokens are those that fit it best.",
        &["", &named(one), "half-way", &named(other)],
        lines,
    ))
}

/// The tokens whose rows of the embedding matrix point most nearly the way of each source token's, with the cosines.
fn nearest(reading: &Reading) -> Option<Picture> {
    let table = reading.trace.tensor("embed.table")?;
    let rows = table.data().chunks(table.last());
    let norms: Vec<f32> = rows
        .map(|row| row.iter().map(|x| x * x).sum::<f32>().sqrt())
        .collect();
    let read = reading.trace.tensor("readout.source")?;
    let line = |(at, token): (usize, &String)| {
        let products = &read.data()[at * read.last()..][..read.last()];
        let own = reading.source_ids[at] as usize;
        // The row that was read out is the token's own, times the same factor as its product with itself.
        let factor = products[own] / norms[own];
        let cosine = |(id, product): (usize, &f32)| {
            if id == own || norms[id] == 0.0 {
                f32::MIN
            } else {
                product / norms[id] / factor
            }
        };
        let cosines: Vec<f32> = products.iter().enumerate().map(cosine).collect();
        let near = ranked(reading, &cosines, FEW).into_iter();
        let near = near.map(|(_, word, cosine)| format!("{word} {}", fixed(cosine, 2)));
        [vec![token.clone()], near.collect()].concat()
    };
    Some(Picture::table(
        "nearest",
        "The nearest rows of each token",
        "The cosine is 1 for two rows that point the same way, and 0 for rows that have nothing in common.",
        &["token", "nearest", "second", "third"],
        reading.read.iter().enumerate().map(line).collect(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::trained::readout;
    use crate::lesson::{Body, SENTENCE};

    #[test]
    fn every_source_token_reads_out_as_itself_and_half_way_lies_another() {
        let reading = Reading::of(SENTENCE, None);
        assert_eq!(readout::fact(&reading, "echoes"), Some(8.0));
        let cells = |picture: Option<Picture>| match picture.unwrap().body {
            Body::Table { rows, .. } => rows,
            _ => panic!("it is a table"),
        };
        assert_eq!(cells(half_way(&reading))[0][2], "1308: einige");
        assert!(cells(half_way(&reading))[1][2].starts_with("Hund, Garten"));
        assert_eq!(cells(nearest(&reading))[3][1], "schlief 0.73");
        assert_eq!(cells(numbered(&reading))[3][2..], ["familiar", "schläft"]);
    }
}
