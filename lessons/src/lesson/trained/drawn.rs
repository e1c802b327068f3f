//! Diagrams of ideas with the numbers of one sentence in the trained model.

use super::Reading;
use crate::lesson::picture::{Column, Diagram, Node};
use crate::lesson::{Body, Picture, largest};
use crate::tensor::Tensor;
use crate::transformer::heads::AttentionKind;
use crate::typeset::number::fixed;

/// Numbers of a vector that are drawn; more do not fit beside one another.
const CELLS: usize = 8;

/// Numbers of the vector of all heads that are drawn, the same number of each head.
const JOINED: usize = 24;

/// Every diagram whose tensors the pass records.
pub fn all(reading: &Reading) -> Vec<Picture> {
    let drawn = [
        mixing(reading),
        heads(reading),
        additions(reading),
        twice(reading),
    ];
    drawn.into_iter().flatten().collect()
}

/// The tokens that the decoder reads, one per row.
fn readers(reading: &Reading) -> Vec<&str> {
    let written = reading.written.iter().map(String::as_str);
    std::iter::once("<s>")
        .chain(written)
        .take(reading.written.len())
        .collect()
}

/// The first numbers of the row at an index of a tensor.
fn first_numbers(tensor: &Tensor, row: &[usize], count: usize) -> Vec<f32> {
    let number = row
        .iter()
        .zip(tensor.shape())
        .fold(0, |number, (at, count)| number * count + at);
    let width = tensor.last();
    tensor.data()[number * width..][..count.min(width)].to_vec()
}

/// A weight or cosine without the zero before the point, which narrow screens have no room for.
fn decimal(x: f32) -> String {
    let text = fixed(x, 2);
    text.strip_prefix('0').map_or(text.clone(), str::to_owned)
}

/// One diagram per token that the decoder reads: its query, its scores with all keys, the weights that softmax makes of
/// them, and the sum of the weighted values, in head 0 of the last layer's cross-attention.
fn mixing(reading: &Reading) -> Option<Picture> {
    let layer = reading.layers().1 - 1;
    let head = Head::of(reading, layer)?;
    let rows = readers(reading).into_iter().zip(reading.rows()).enumerate();
    let diagrams = rows.map(|(row, (reader, about))| head.mixing(reading, row, reader, about));
    Some(Picture::new(
        "mixing",
        format!("One query, all keys (layer {layer}, head 0)"),
        "Softmax makes weights of the scores. The values, each times its weight, add up to one vector. Coloured cells are its first numbers.",
        Body::Diagrams(diagrams.collect()),
    ))
}

/// Tensors of one cross-attention.
struct Head<'a> {
    /// Prefix of their names.
    scope: String,
    query: &'a Tensor,
    value: &'a Tensor,
    /// Name of the scores that softmax reads, and their tensor.
    scores: (&'static str, &'a Tensor),
    weights: &'a Tensor,
    context: &'a Tensor,
}

impl<'a> Head<'a> {
    /// Cross-attention of decoder layer `layer`; `None` if the pass lacks one of its tensors.
    fn of(reading: &'a Reading, layer: usize) -> Option<Self> {
        let scope = AttentionKind::Cross.scope(layer);
        let tensor = |name: &str| reading.trace.tensor(&format!("{scope}.{name}"));
        let scores = ["scaled", "scores"].into_iter();
        Some(Self {
            query: tensor("query_heads")?,
            value: tensor("value_heads")?,
            scores: scores
                .filter_map(|name| Some((name, tensor(name)?)))
                .next()?,
            weights: tensor("weights")?,
            context: tensor("context")?,
            scope,
        })
    }

    fn name(&self, what: &str) -> String {
        format!("{}.{what}", self.scope)
    }

    /// Query number `row` of head 0.
    fn mixing(&self, reading: &Reading, row: usize, reader: &str, about: String) -> Diagram {
        let keys = || 0..reading.read.len();
        let query = Node::new(reader, "")
            .with_cells(first_numbers(self.query, &[0, 0, row], CELLS))
            .opening(self.name("query_heads"), &[0, 0, row, 0]);
        let (score, scores) = self.scores;
        let scored = keys().map(|key| {
            let at = [0, 0, row, key];
            Node::new(&reading.read[key], fixed(scores.at(&at), 2)).opening(self.name(score), &at)
        });
        let weight = |key: usize| self.weights.at(&[0, 0, row, key]);
        let weighted = keys().map(|key| {
            Node::new("", decimal(weight(key)))
                .with_cells(first_numbers(self.value, &[0, 0, key], CELLS))
                .opening(self.name("weights"), &[0, 0, row, key])
        });
        let sum = Node::new(reader, "")
            .with_cells(first_numbers(self.context, &[0, 0, row], CELLS))
            .opening(self.name("context"), &[0, 0, row, 0]);
        let columns = vec![
            Column::new("query", [query]),
            Column::new("key, score", scored),
            Column::new("weight", weighted),
            Column::new("context", [sum]),
        ];
        Diagram::new(about, columns)
            .with_arrows(0, keys().map(|key| ([0, key], weight(key))))
            .with_arrows(1, keys().map(|key| ([key, key], weight(key))))
            .with_arrows(2, keys().map(|key| ([key, 0], weight(key))))
    }

    /// Query number `row` split into heads, and what the heads read joined again.
    fn split(&self, reading: &Reading, row: usize, reader: &str, about: String) -> Option<Diagram> {
        let count = self.weights.shape()[1];
        let (each, share) = ((JOINED / count).max(1), 1.0 / count as f32);
        let of = |tensor: &Tensor, head: usize| first_numbers(tensor, &[0, head, row], each);
        let joined = |tensor: &Tensor| {
            (0..count)
                .flat_map(|head| of(tensor, head))
                .collect::<Vec<_>>()
        };
        let read = |head: usize| {
            let row = first_numbers(self.weights, &[0, head, row], self.weights.last());
            let key = largest(&row);
            (key, row[key])
        };
        let wide = reading.trace.tensor(&self.name("combined"))?.last();
        let query = Node::new(reader, format!("{wide}"))
            .with_cells(joined(self.query))
            .opening(self.name("query"), &[0, row, 0]);
        let queries = (0..count).map(|head| {
            Node::new(format!("head {head}"), format!("{}", wide / count))
                .with_cells(of(self.query, head))
                .opening(self.name("query_heads"), &[0, head, row, 0])
        });
        let contexts = (0..count).map(|head| {
            let (key, weight) = read(head);
            Node::new(&reading.read[key], decimal(weight))
                .with_cells(of(self.context, head))
                .opening(self.name("weights"), &[0, head, row, key])
        });
        let combined = Node::new(reader, format!("{wide}"))
            .with_cells(joined(self.context))
            .opening(self.name("combined"), &[0, row, 0]);
        let columns = vec![
            Column::new("query", [query]),
            Column::new("split", queries),
            Column::new("reads most", contexts),
            Column::new("joined", [combined]),
        ];
        let diagram = Diagram::new(about, columns)
            .with_arrows(0, (0..count).map(|head| ([0, head], share)))
            .with_arrows(1, (0..count).map(|head| ([head, head], read(head).1)))
            .with_arrows(2, (0..count).map(|head| ([head, 0], share)));
        Some(diagram)
    }
}

/// One diagram per token that the decoder reads: its query split into heads, the key that each head reads most, and the
/// heads' results joined.
fn heads(reading: &Reading) -> Option<Picture> {
    let layer = reading.layers().1 - 1;
    let head = Head::of(reading, layer)?;
    let rows = readers(reading).into_iter().zip(reading.rows()).enumerate();
    let diagrams = rows.map(|(row, (reader, about))| head.split(reading, row, reader, about));
    Some(Picture::new(
        "heads",
        format!("One row, split and joined (layer {layer})"),
        "Splitting and joining change no number. In between, each head reads the source by its own weights. Coloured cells are the first numbers of each head.",
        Body::Diagrams(diagrams.collect::<Option<Vec<_>>>()?),
    ))
}

/// A vector on its way through the encoder.
struct Stop {
    /// Label: `0 attention`.
    label: String,
    /// Name of the tensor, `[1, source, d_model]`.
    name: String,
    /// Name of what the sublayer added, if one did.
    added: Option<String>,
}

/// The stops of the residual stream from the embedding to the memory, apart from those that a broken model lacks.
fn stops(reading: &Reading) -> Vec<Stop> {
    let stop = |label: &str, name: &str, added: Option<String>| Stop {
        label: label.to_owned(),
        name: name.to_owned(),
        added,
    };
    let mut all = vec![
        stop("embedding", "src_embed.embedded", None),
        stop("+ position", "src_embed.with_position", None),
    ];
    for layer in 0..reading.layers().0 {
        for (part, label, result) in [
            ("self_attn", "attention", "attended"),
            ("feed_forward", "feed-forward", "ffn"),
        ] {
            let scope = format!("encoder.layers.{layer}.{part}");
            let added = format!("{scope}.{result}");
            // Without LayerNorm, the sum goes on as it is.
            let rows = ["norm", "residual"].map(|name| format!("{scope}.{name}"));
            let [norm, sum] = &rows;
            let rows = reading.trace.tensor(norm).map_or(sum, |_| norm);
            all.push(stop(&format!("{layer} {label}"), rows, Some(added)));
        }
    }
    all.retain(|stop| reading.trace.tensor(&stop.name).is_some());
    all
}

/// One diagram per source token: what each encoder sublayer adds to its vector.
fn additions(reading: &Reading) -> Option<Picture> {
    let stops = stops(reading);
    let rms = |row: &[f32]| {
        let squares = row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
        (squares / row.len() as f64).sqrt() as f32
    };
    let of = |name: &str, token: usize| -> Option<Vec<f32>> {
        let tensor = reading.trace.tensor(name)?;
        Some(first_numbers(tensor, &[0, token], tensor.last()))
    };
    let diagram = |(token, word): (usize, &String)| {
        let (mut added, mut stream, mut arrows) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = 0.0;
        for (at, stop) in stops.iter().enumerate() {
            let row = of(&stop.name, token)?;
            let addition = stop
                .added
                .as_ref()
                .and_then(|name| Some((name, of(name, token)?)));
            added.push(match &addition {
                Some((name, row)) => Node::new(&stop.label, fixed(rms(row), 2))
                    .with_cells(row[..CELLS].to_vec())
                    .opening(*name, &[0, token, 0]),
                None => Node::default(),
            });
            if let Some((_, row)) = &addition {
                arrows.push(([at, at], rms(row) / (rms(row) + before)));
            }
            before = rms(&row);
            let label = if addition.is_some() {
                "LayerNorm"
            } else {
                &stop.label
            };
            let node = Node::new(label, fixed(before, 2)).with_cells(row[..CELLS].to_vec());
            stream.push(node.opening(&stop.name, &[0, token, 0]));
        }
        let columns = vec![
            Column::new("sublayer adds", added),
            Column::new("stream", stream).chained(),
        ];
        Some(Diagram::new(format!("“{word}”"), columns).with_arrows(0, arrows))
    };
    let diagrams: Option<Vec<_>> = reading.read.iter().enumerate().map(diagram).collect();
    Some(Picture::new(
        "additions",
        "What each sublayer adds to a token",
        "Numbers are RMS. An arrow is as strong as the addition compared with what it is added to. LayerNorm follows each sum.",
        Body::Diagrams(diagrams?),
    ))
}

/// Two tokens of the sentence on their way through the encoder, with the cosine of their vectors: the first token that
/// occurs twice, or else the first two tokens.
fn twice(reading: &Reading) -> Option<Picture> {
    let read = &reading.read;
    let pairs = (0..read.len()).flat_map(|a| (a + 1..read.len()).map(move |b| [a, b]));
    let [one, other] = pairs
        .clone()
        .find(|&[a, b]| read[a] == read[b])
        .or_else(|| pairs.clone().next())?;
    let stops = stops(reading);
    let cosine = |a: &[f32], b: &[f32]| {
        let dot =
            |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()) as f32
    };
    let (mut left, mut right, mut arrows) = (Vec::new(), Vec::new(), Vec::new());
    for (at, stop) in stops.iter().enumerate() {
        let tensor = reading.tensor(&stop.name);
        let row = |token: usize| first_numbers(tensor, &[0, token], tensor.last());
        let (a, b) = (row(one), row(other));
        let cosine = cosine(&a, &b);
        let node = |token: usize, row: &[f32], node: Node| {
            node.with_cells(row[..CELLS].to_vec())
                .opening(&stop.name, &[0, token, 0])
        };
        left.push(node(one, &a, Node::new(&stop.label, "")));
        right.push(node(other, &b, Node::new("", decimal(cosine))));
        arrows.push(([at, at], cosine.max(0.0)));
    }
    let title = |token: usize| format!("“{}” ({token})", read[token]);
    let columns = vec![
        Column::new(title(one), left).chained(),
        Column::new(format!("{}, cosine", title(other)), right).chained(),
    ];
    Some(Picture::new(
        "twice",
        "Two tokens through the encoder",
        "The cosine of their vectors after each step: 1 if they point the same way. Coloured cells are their first numbers.",
        Body::Diagrams(vec![Diagram::new("", columns).with_arrows(0, arrows)]),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagrams(picture: Option<Picture>) -> Vec<Diagram> {
        match picture.map(|picture| picture.body) {
            Some(Body::Diagrams(all)) => all,
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_query_has_an_arrow_of_its_weight_to_every_key_and_they_sum_to_one() {
        let reading = Reading::of(crate::lesson::SENTENCE, None);
        let all = diagrams(mixing(&reading));
        assert_eq!(all.len(), reading.written.len());
        for diagram in &all {
            for column in 0..3 {
                let arrows = diagram.arrows.iter().filter(|arrow| arrow.column == column);
                let sum: f32 = arrows.map(|arrow| arrow.weight).sum();
                assert!((sum - 1.0).abs() < 1e-4, "{} {column}: {sum}", diagram.name);
            }
        }
        let weights = reading.tensor("decoder.layers.1.src_attn.weights");
        assert_eq!(all[4].arrows[3].weight, weights.at(&[0, 0, 4, 3]));
    }

    #[test]
    fn two_copies_of_a_token_begin_equal_and_drift_apart() {
        let reading = Reading::of("Ich sehe sie und sie sehen mich.", None);
        let [diagram] = &diagrams(twice(&reading))[..] else {
            panic!("there is one diagram");
        };
        let cosines: Vec<f32> = diagram.arrows.iter().map(|arrow| arrow.weight).collect();
        assert!((cosines[0] - 1.0).abs() < 1e-5, "{cosines:?}");
        assert!(cosines[cosines.len() - 1] < 0.9, "{cosines:?}");
        assert_eq!(diagram.columns[0].title, "“sie” (2)");
    }

    #[test]
    fn every_diagram_is_drawn_of_every_broken_model_too() {
        use crate::lesson::Flaw;
        for flaw in [
            None,
            Some(Flaw::NoPositions),
            Some(Flaw::NoScale),
            Some(Flaw::NoCross),
        ] {
            let names: Vec<_> = all(&Reading::of(crate::lesson::SENTENCE, flaw))
                .iter()
                .map(|p| p.name)
                .collect();
            assert_eq!(names, ["mixing", "heads", "additions", "twice"], "{flaw:?}");
        }
    }
}
