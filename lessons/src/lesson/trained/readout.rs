//! Reading a row out: what a token's vector would write if the model ended there. After any part, the row is multiplied
//! by the output matrix, and the tokens that fit it best are shown.

use super::Reading;
use crate::autograd::{Tape, Var};
use crate::lesson::picture::{Column, Diagram, Node};
use crate::lesson::{Body, Picture};
use crate::tensor::Tensor;
use crate::transformer::Transformer;
use crate::typeset::number::fixed;

/// Tokens shown for the row that is looked at.
const BEST: usize = 5;

/// Tokens shown in the table of all rows.
const FEW: usize = 3;

/// A part of the model, the tensor that it leaves, and the read-out of it.
struct Rung {
    /// Name of the part: `cross-attention 1`.
    label: String,
    /// Scope of the tensor with the rows, or its name.
    rows: String,
    /// Name of the read-out.
    name: String,
}

impl Rung {
    fn new(label: impl Into<String>, rows: impl Into<String>, name: impl Into<String>) -> Self {
        let (label, rows, name) = (label.into(), rows.into(), name.into());
        Self { label, rows, name }
    }

    /// The rows on a tape: a part's result is normalised, unless the model lacks LayerNorm.
    fn on(&self, tape: &Tape) -> Option<Var> {
        let names = ["", ".norm", ".residual"].into_iter();
        names
            .filter_map(|end| tape.named(&format!("{}{end}", self.rows)))
            .next()
    }
}

/// The parts that a decoder row passes.
fn decoder(layers: usize) -> Vec<Rung> {
    let mut all = vec![Rung::new(
        "embedding",
        "tgt_embed.embedded",
        "readout.embedding",
    )];
    for layer in 0..layers {
        for (part, label) in [
            ("self_attn", "self-attention"),
            ("src_attn", "cross-attention"),
            ("feed_forward", "feed-forward"),
        ] {
            all.push(Rung::new(
                format!("{label} {layer}"),
                format!("decoder.layers.{layer}.{part}"),
                format!("readout.decoder.{layer}.{part}"),
            ));
        }
    }
    all
}

/// The parts that an encoder row passes.
fn encoder(layers: usize) -> Vec<Rung> {
    let mut all = vec![
        Rung::new("embedding", "src_embed.embedded", "readout.source"),
        Rung::new("+ position", "src_embed.with_position", "readout.placed"),
    ];
    for layer in 0..layers {
        for (part, label) in [
            ("self_attn", "self-attention"),
            ("feed_forward", "feed-forward"),
        ] {
            all.push(Rung::new(
                format!("{label} {layer}"),
                format!("encoder.layers.{layer}.{part}"),
                format!("readout.encoder.{layer}.{part}"),
            ));
        }
    }
    all
}

/// Records the read-outs of a recorded pass: logits for decoder rows, so that the last rung has those of the model
/// itself; products with the output matrix alone for the rows of the source, which predict nothing. Then `likeness`
/// (each target token's embedding with each source token's row of the matrix) and `dictionary`, its softmax.
pub fn record(tape: &Tape, model: &Transformer) {
    let matrix = tape.param(model.generator.weight);
    for rung in decoder(model.config.layers) {
        let Some(rows) = rung.on(tape) else { continue };
        let _ = match model.generator.bias {
            Some(bias) => rows.linear(&matrix, &tape.param(bias)),
            None => rows.matmul_t(&matrix),
        }
        .named(&rung.name);
    }
    for rung in encoder(model.config.encoder_layers()) {
        if let Some(rows) = rung.on(tape) {
            let _ = rows.matmul_t(&matrix).named(&rung.name);
        }
    }
    if let Some(rows) = tape.named("src_embed.embedded") {
        let length = rows.shape()[1];
        for (share, name) in [(1.0, "numbered"), (0.125, "numbered_small")] {
            let places = Tensor::from_fn(&[1, length, 1], |i| share * i[1] as f32);
            let places = tape.constant("places", places, &["", "s", ""]);
            let read = rows.add(&places).matmul_t(&matrix);
            let _ = read.named(&format!("readout.{name}"));
        }
    }
    let embedded = [
        tape.named("tgt_embed.embedded"),
        tape.named("src_embed.rows"),
    ];
    if let [Some(y), Some(x)] = embedded {
        let _ = y
            .matmul_t(&x)
            .named("likeness")
            .softmax()
            .named("dictionary");
    }
}

/// The pictures of the read-outs.
pub fn pictures(reading: &Reading) -> Vec<Picture> {
    let all = [
        echo(reading),
        table(reading),
        ladder(reading),
        source(reading),
        numbered(reading),
        half_way(reading),
        nearest(reading),
    ];
    all.into_iter().flatten().collect()
}

/// The `most` tokens that fit row `row` of a read-out best: id, spelling and score.
fn best(
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
fn ranked(reading: &Reading, scores: &[f32], most: usize) -> Vec<(usize, String, f32)> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let larger = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]);
    order.select_nth_unstable_by(most, larger);
    order.truncate(most);
    order.sort_by(larger);
    let word = |id: usize| (id, reading.token(id), scores[id]);
    order.into_iter().map(word).collect()
}

/// The words of the best tokens in one cell of a table.
fn words(best: &[(usize, String, f32)]) -> String {
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
        let cell = |row: usize| match is_noise(row, &rung) {
            true => Some("—".to_owned()),
            false => best(reading, &rung.name, row, FEW).map(|best| words(&best)),
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

/// One diagram per row of the decoder: after every part, the tokens that fit it best, with their logits. Arrows connect
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
            "Each column is one part further: the {BEST} tokens that fit the row best after it, with their logits. An arrow is a token that stays among them."
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
