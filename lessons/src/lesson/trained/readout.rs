//! Reading a row out: what a token's vector would write if the model ended there. After any part, the row is multiplied
//! by the output matrix, and the tokens that fit it best are shown.

use super::Reading;
use super::rungs::{Rung, decoder, encoder};
use crate::lesson::picture::{Column, Diagram, Node};
use crate::lesson::{Body, Picture};
use crate::typeset::number::fixed;

/// Tokens shown for the row that is looked at.
pub(super) const BEST: usize = 5;

/// Tokens shown in the table of all rows.
pub(super) const FEW: usize = 3;

/// The pictures of the read-outs.
pub fn pictures(reading: &Reading) -> Vec<Picture> {
    let all = [
        echo(reading),
        table(reading),
        ladder(reading),
        source(reading),
    ];
    all.into_iter().flatten().collect()
}

/// The `most` tokens that fit row `row` of a read-out best: id, spelling and score.
pub(super) fn best(
    reading: &Reading,
    name: &str,
    row: usize,
    most: usize,
) -> Option<Vec<(usize, String, f32)>> {
    let tensor = reading.trace.tensor(name)?;
    let width = tensor.last();
    Some(ranked(
        reading,
        &tensor.data()[row * width..][..width],
        most,
    ))
}

/// The `most` tokens with the largest scores.
pub(super) fn ranked(reading: &Reading, scores: &[f32], most: usize) -> Vec<(usize, String, f32)> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let larger = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]);
    order.select_nth_unstable_by(most, larger);
    order.truncate(most);
    order.sort_by(larger);
    let word = |id: usize| (id, reading.token(id), scores[id]);
    order.into_iter().map(word).collect()
}

/// The words of the best tokens in one cell of a table.
pub(super) fn words(best: &[(usize, String, f32)]) -> String {
    let words: Vec<&str> = best.iter().map(|(_, word, _)| word.as_str()).collect();
    words.join(", ")
}

fn nodes(best: Vec<(usize, String, f32)>, name: &str, row: usize) -> Vec<Node> {
    let node = |(id, word, score): (usize, String, f32)| {
        Node::new(word, fixed(score, 1)).opening(name, &[0, row, id])
    };
    best.into_iter().map(node).collect()
}

/// True if a rung of the row that reads the start token is noise: its embedding is a row of zeros, and layer 0 adds
/// little to it.
fn is_noise(row: usize, rung: &Rung) -> bool {
    row == 0 && (rung.name == "readout.embedding" || rung.name.starts_with("readout.decoder.0."))
}

/// The source tokens, each with the tokens that fit its row best after the embedding and with its position.
fn echo(reading: &Reading) -> Option<Picture> {
    let went_in = reading.read.iter().map(|token| Node::new(token, ""));
    let mut columns = vec![Column::new("went in", went_in)];
    for (title, name) in [
        ("comes out", "readout.source"),
        ("with position", "readout.placed"),
    ] {
        let rows = 0..reading.read.len();
        let rows: Option<Vec<_>> = rows
            .map(|row| Some(nodes(best(reading, name, row, 2)?, name, row)))
            .collect();
        // A model without positions has only the first.
        let Some(rows) = rows else { continue };
        for (place, title) in [title, "second"].into_iter().enumerate() {
            columns.push(Column::new(
                title,
                rows.iter().map(|row| row[place].clone()),
            ));
        }
    }
    let same = (0..reading.read.len()).map(|at| ([at, at], 1.0));
    Some(Picture::new(
        "echo",
        "In, and straight out again: what each row says",
        "Each German token's row, times the output matrix: the two tokens that fit it best, and how well. Then the same with the position added.",
        Body::Diagrams(vec![Diagram::new("", columns).with_arrows(0, same)]),
    ))
}

/// All rows of the decoder and all parts, a few tokens each.
fn table(reading: &Reading) -> Option<Picture> {
    let rows = reading.rows();
    let line = |rung: Rung| {
        let cell = |row: usize| {
            if is_noise(row, &rung) {
                Some("—".to_owned())
            } else {
                best(reading, &rung.name, row, FEW).map(|best| words(&best))
            }
        };
        let cells: Option<Vec<String>> = (0..rows.len()).map(cell).collect();
        Some([vec![rung.label.clone()], cells?].concat())
    };
    let lines: Option<Vec<_>> = decoder(reading.layers().1).into_iter().map(line).collect();
    let header: Vec<&str> = ["after"]
        .into_iter()
        .chain(rows.iter().map(String::as_str))
        .collect();
    Some(Picture::table(
        "readout",
        "What each row would write, part by part",
        format!(
            "A column is a row of the decoder, reads → writes. After every part it is multiplied by the output matrix: the {FEW} tokens that fit best."
        ),
        &header,
        lines?,
    ))
}

/// One diagram per row of the decoder: after every part, the tokens that fit it best, with how well they fit. Arrows connect
/// the same token in neighbouring parts.
fn ladder(reading: &Reading) -> Option<Picture> {
    let rungs = decoder(reading.layers().1);
    let diagram = |(row, name): (usize, String)| {
        let mut ids: Vec<Vec<usize>> = Vec::new();
        let mut columns = Vec::new();
        for rung in &rungs {
            if is_noise(row, rung) {
                columns.push(Column::new(&rung.label, [Node::new("—", "")]));
                ids.push(Vec::new());
                continue;
            }
            let best = best(reading, &rung.name, row, BEST)?;
            ids.push(best.iter().map(|(id, ..)| *id).collect());
            columns.push(Column::new(&rung.label, nodes(best, &rung.name, row)));
        }
        let mut diagram = Diagram::new(name, columns);
        for (column, pair) in ids.windows(2).enumerate() {
            let stays = |(from, id): (usize, &usize)| {
                Some([from, pair[1].iter().position(|other| other == id)?])
            };
            let arrows = pair[0].iter().enumerate().filter_map(stays);
            diagram = diagram.with_arrows(column, arrows.map(|arrow| (arrow, 1.0)));
        }
        Some(diagram)
    };
    let diagrams: Option<Vec<_>> = reading
        .rows()
        .into_iter()
        .enumerate()
        .map(diagram)
        .collect();
    Some(Picture::new(
        "ladder",
        "One row, part by part: what it would write",
        format!(
            "Each column is one part further: the {BEST} tokens that fit the row best after it, with how well they fit. An arrow is a token that stays among them."
        ),
        Body::Diagrams(diagrams?),
    ))
}

/// The encoder's rows: the token that fits each best after every part.
fn source(reading: &Reading) -> Option<Picture> {
    let rungs = encoder(reading.layers().0).into_iter();
    let rungs: Vec<Rung> = rungs
        .filter(|rung| reading.trace.tensor(&rung.name).is_some())
        .collect();
    let line = |(row, token): (usize, &String)| {
        let cell = |rung: &Rung| best(reading, &rung.name, row, 1).map(|best| words(&best));
        let cells: Option<Vec<String>> = rungs.iter().map(cell).collect();
        Some([vec![token.clone()], cells?].concat())
    };
    let lines: Option<Vec<_>> = reading.read.iter().enumerate().map(line).collect();
    let header: Vec<&str> = ["went in"]
        .into_iter()
        .chain(rungs.iter().map(|rung| rung.label.as_str()))
        .collect();
    Some(Picture::table(
        "source-readout",
        "What each German row says, part by part",
        "After every part of the encoder, the row is multiplied by the output matrix: the token that fits best.",
        &header,
        lines?,
    ))
}

/// Numbers of the read-outs: `top_5_2` is the id of the token that fits decoder row 2 best after part 5, counted from
/// the embedding, 0; `echoes` counts the source tokens whose rows read out as themselves.
pub fn fact(reading: &Reading, name: &str) -> Option<f64> {
    if name == "echoes" {
        let own = |row: usize| {
            let top = best(reading, "readout.source", row, 1)?;
            Some(top[0].0 == reading.source_ids[row] as usize)
        };
        let own: Option<Vec<bool>> = (0..reading.read.len()).map(own).collect();
        return Some(own?.iter().filter(|own| **own).count() as f64);
    }
    let (part, row) = name.strip_prefix("top_")?.split_once('_')?;
    let (part, row): (usize, usize) = (part.parse().ok()?, row.parse().ok()?);
    let rungs = decoder(reading.layers().1);
    let rung = rungs.get(part).filter(|_| row < reading.written.len())?;
    Some(best(reading, &rung.name, row, 1)?[0].0 as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::{Flaw, SENTENCE};

    /// The ladder's labels for a row, part by part.
    fn rungs(reading: &Reading, row: usize) -> Vec<String> {
        let Body::Diagrams(all) = ladder(reading).unwrap().body else {
            panic!("the ladder is a diagram");
        };
        let best = |column: &Column| column.nodes[0].label.clone();
        all[row].columns.iter().map(best).collect()
    }

    #[test]
    fn a_row_begins_with_what_it_reads_and_ends_with_what_it_writes() {
        let reading = Reading::of(SENTENCE, None);
        assert_eq!(
            rungs(&reading, 2),
            ["little", "little", "little", "thing", "thing", "dog", "dog"]
        );
        assert_eq!(
            rungs(&reading, 3),
            ["dog", "dog", "dog", "-s", "is", "sleep", "is"]
        );
        assert_eq!(
            rungs(&reading, 0),
            ["—", "—", "—", "—", "The", "The", "The"]
        );
        assert_eq!(
            fact(&reading, "top_6_2"),
            Some(f64::from(reading.ids[2])),
            "the last rung is what is written"
        );
        let last = reading.tensor("readout.decoder.1.feed_forward");
        let logits = reading.tensor("generator.logits");
        let apart = last.zip(logits, |a, b| (a - b).abs());
        assert!(apart.data().iter().all(|x| *x < 1e-3));
    }

    #[test]
    fn every_picture_is_there_for_every_broken_model_that_has_its_tensors() {
        for flaw in [Flaw::NoNorm, Flaw::NoResidual, Flaw::Similar, Flaw::Mirror] {
            let reading = Reading::of(SENTENCE, Some(flaw));
            assert_eq!(pictures(&reading).len(), 4, "{flaw:?}");
        }
        // Without positions, there is nothing to read out with them.
        let reading = Reading::of(SENTENCE, Some(Flaw::NoPositions));
        assert_eq!(pictures(&reading).len(), 4);
    }
}
