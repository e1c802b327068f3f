//! The instruments for a model. Each runs the suspect and, where needed, the sound model beside it.

use std::fmt::Write;
use std::sync::OnceLock;

use super::fault::{place, scope};
use super::finding::Finding;
use super::ranges::{Figures, of_head, ranges, relative_entropy, rows};
use super::suspect::{Pair, Suspect, batch, everyday};
use crate::autograd::{Nature, Trace};
use crate::lesson::measure::largest_difference;
use crate::lesson::{Body, SENTENCE, largest, leak};
use crate::tensor::Tensor;
use crate::text::vocabulary::{EOS, UNK};
use crate::transformer::heads::{self, AttentionKind};
use crate::transformer::variants::first_difference;

/// Differences of log-probabilities below this are rounding.
const ROUNDING: f64 = 2e-3;

fn line(at: &str) -> String {
    match at {
        "" => SENTENCE.to_owned(),
        at => at.to_owned(),
    }
}

/// Text that `suspect` writes for a line, and whether it wrote the end token.
fn translated(suspect: &Suspect, line: &str) -> (String, bool) {
    let ids = suspect.translation(&suspect.source(line));
    let ended = ids.last() == Some(&(EOS as u32));
    (everyday().pipeline.target.text(&ids), ended)
}

pub fn translate(suspect: &Suspect, at: &str) -> Finding {
    let line = line(at);
    let (text, ended) = translated(suspect, &line);
    let (sound, _) = match at {
        "" => (everyday().pipeline.target.text(&Pair::usual().writes), true),
        _ => translated(Suspect::sound(), &line),
    };
    let end = if ended {
        ""
    } else {
        "  (it did not end by itself)"
    };
    let signs = [
        (text != sound && ended, "another translation"),
        (text != sound, "a translation without an end"),
    ];
    Finding::judged(
        format!("German        {line}\nthe suspect   {text}{end}\nsound model   {sound}\n"),
        &signs,
    )
}

pub fn ids(suspect: &Suspect, at: &str) -> Finding {
    let line = line(at);
    let pipeline = &everyday().pipeline;
    let (side, sentence) = (&pipeline.source, pipeline.sentence(&line));
    let ids = suspect.source(&line);
    let mut text = "token          id    the model's token with this id\n".to_owned();
    let mut wrong = 0;
    let end = "</s>".to_owned();
    for (token, &id) in sentence.tokens.iter().chain([&end]).zip(&ids) {
        let word = side.vocabulary.word(id as usize);
        let known = side.vocabulary.id(token) != UNK;
        let note = if known && word != token {
            "   <- another token"
        } else {
            ""
        };
        wrong += usize::from(!note.is_empty());
        let _ = writeln!(text, "{token:<12} {id:>5}    {word}{note}");
    }
    Finding::judged(text, &[(wrong > 0, "ids of other tokens")])
}

pub fn stats(suspect: &Suspect, part: &str) -> Finding {
    let trace = suspect.usual();
    let scope = scope(part);
    let mut text = format!(
        "{:<28} {:>9} {:>9}   the sound model's RMS\n",
        "step", "mean", "RMS"
    );
    let mut first = None;
    for (name, x) in rows(trace, &scope) {
        let Some(limits) = ranges().steps.get(name) else {
            continue;
        };
        let figures = Figures::of(x);
        let outside = limits.outside(figures);
        let short = &name[scope.len() + 1..];
        let note = outside.map_or(String::new(), |what| format!("   <- {what} the range"));
        let _ = writeln!(
            text,
            "{short:<28} {:>9.3} {:>9.3}   {:.3} to {:.3}{note}",
            figures.mean, figures.rms, limits.rms.0, limits.rms.1
        );
        if let (None, Some(what)) = (&first, outside) {
            first = Some(format!("from {short} on: {what} the range"));
        }
    }
    Finding::new(text, first)
}

pub fn attention(suspect: &Suspect, at: &str) -> Finding {
    let Some(head) = heads::parse(at, &suspect.model)
        .ok()
        .and_then(|all| all.first().copied())
    else {
        return Finding::new(format!("There is no head {at}.\n"), None);
    };
    let name = format!("{}.weights", head.kind.scope(head.layer));
    let trace = suspect.usual();
    let Some(all) = trace.tensor(&name) else {
        return Finding::new(format!("The run has no {name}.\n"), None);
    };
    let weights = of_head(all, head.head);
    let (source, columns) = (suspect.source(SENTENCE).len(), weights.last());
    let entropy = relative_entropy(&weights);
    let sound = ranges().entropies.get(&(name, head.head));
    let &(least, most) = sound.unwrap_or(&(0.0, 1.0));
    let mut text =
        "attention weights in percent; a row for each query, a column for each key\n".to_owned();
    for row in weights.data().chunks(columns) {
        let cells = row.iter().map(|p| match *p {
            0.0 => "   .".to_owned(),
            p => format!("{:>4.0}", 100.0 * p),
        });
        let _ = writeln!(text, "{}", cells.collect::<String>());
    }
    let _ = writeln!(
        text,
        "entropy, as a proportion of the largest possible: {entropy:.2}; in the sound model {least:.2} to {most:.2}"
    );
    let future = match head.kind {
        AttentionKind::Decoder => furthest(&weights),
        AttentionKind::Encoder | AttentionKind::Cross => None,
    };
    let stale = head.kind != AttentionKind::Decoder && columns != source;
    if stale {
        let _ = writeln!(
            text,
            "The source has {source} tokens, and there are {columns} columns."
        );
    } else if let Some(ahead) = future {
        let _ = writeln!(text, "A token {ahead}.");
    }
    let signs = [
        (stale, "columns of another sentence"),
        (future.is_some(), future.unwrap_or_default()),
        (
            entropy < least - 0.1,
            "more one-hot than in the sound model",
        ),
        (entropy > most + 0.1, "more uniform than in the sound model"),
    ];
    Finding::judged(text, &signs).drawn(Body::matrix(
        weights,
        Nature::Probability,
        ("query", Vec::new()),
        ("key", Vec::new()),
    ))
}

/// How far ahead a token sees; `None` if not at all.
fn furthest(weights: &Tensor) -> Option<&'static str> {
    let ahead = |i: &Vec<usize>| weights.at(i) > 0.0 && i[1] > i[0];
    match weights.indices().filter(ahead).map(|i| i[1] - i[0]).max() {
        None => None,
        Some(1) => Some("attends to the token behind it"),
        Some(_) => Some("attends to all tokens behind it"),
    }
}

pub fn joined(suspect: &Suspect, kind: &str) -> Finding {
    let kind = AttentionKind::named(kind).unwrap_or(AttentionKind::Encoder);
    let trace = suspect.usual();
    let mut text = "channels of the joined heads that equal a head's context, by head\n".to_owned();
    let mut wrong = Vec::new();
    for layer in 0..kind.layers(&suspect.model) {
        let at = kind.scope(layer);
        let (Some(context), Some(combined)) = (
            trace.tensor(&format!("{at}.context")),
            trace.tensor(&format!("{at}.combined")),
        ) else {
            continue;
        };
        let (count, d_k) = (context.shape()[1], context.last());
        let _ = writeln!(text, "{}", place(&at));
        for head in 0..count {
            let rows = context.shape()[2];
            // Compare all rows, because a single cell may match by chance.
            let same = |from: usize, to: usize| {
                (0..rows).all(|t| context.at(&[0, head, t, from]) == combined.at(&[0, t, to]))
            };
            let lands = |from: usize| (0..combined.last()).find(|&to| same(from, to));
            let cells: Vec<String> = [0, 1, d_k - 1]
                .map(|from| lands(from).map_or("none".to_owned(), |to| to.to_string()))
                .to_vec();
            let right = lands(0) == Some(head * d_k) && lands(1) == Some(head * d_k + 1);
            if !right && !wrong.contains(&place(&at)) {
                wrong.push(place(&at));
            }
            let _ = writeln!(
                text,
                "  head {head}: its channels 0, 1 and {} are channels {}, {} and {}",
                d_k - 1,
                cells[0],
                cells[1],
                cells[2]
            );
        }
    }
    Finding::new(
        text,
        (!wrong.is_empty()).then(|| format!("other channels in {}", wrong.join(", "))),
    )
}

pub fn leaks(suspect: &Suspect, _: &str) -> Finding {
    let pair = Pair::usual();
    let length = pair.reads.len();
    // Sentence 0 is unchanged; sentence s has a different token at position s.
    let changed = |s: usize| {
        let mut reads = pair.reads.clone();
        if s > 0 {
            reads[s] = another(reads[s]);
        }
        reads
    };
    let tgt = batch(&(0..length).map(changed).collect::<Vec<_>>());
    let src = batch(&vec![suspect.source(&pair.line); length]);
    let log_probs = suspect.log_probs(&src, &tgt, 0);
    let row = |sentence: usize, t: usize| {
        let width = log_probs.last();
        &log_probs.data()[(sentence * length + t) * width..][..width]
    };
    let influence = Tensor::from_fn(&[length, length], |i| apart(row(0, i[0]), row(i[1], i[0])));
    let allowed = Tensor::from_fn(&[length, length], |i| f32::from(u8::from(i[1] <= i[0])));
    let mut text = "row: the position that predicts; column: the target token that was changed; x: the prediction changed\n".to_owned();
    let seen = |t: usize, s: usize| f64::from(influence.at(&[t, s])) > ROUNDING;
    let mut furthest = 0;
    for t in 0..length {
        let cells = (1..length).map(|s| if seen(t, s) { " x" } else { " ." });
        let _ = writeln!(text, "{t:>3} {}", cells.collect::<String>());
        let last = (t + 1..length).rev().find(|&s| seen(t, s));
        furthest = furthest.max(last.map_or(0, |s| s - t));
    }
    let _ = writeln!(
        text,
        "The largest change by a later token is {:.4}.",
        leak::largest(&influence, &allowed)
    );
    let signs = [
        (furthest == 1, "a leak from the next token"),
        (furthest > 1, "a leak from all later tokens"),
    ];
    Finding::judged(text, &signs).drawn(Body::matrix(
        influence,
        Nature::Signed,
        ("predicts", Vec::new()),
        ("changed", Vec::new()),
    ))
}

/// Largest absolute difference between corresponding cells of two rows.
fn apart(a: &[f32], b: &[f32]) -> f32 {
    let pairs = a.iter().zip(b);
    pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// Log-probabilities of the target of `pair` for the source `src`, `[1, target, words]`.
fn log_probs(suspect: &Suspect, src: &[u32], pair: &Pair, draw: u64) -> Tensor {
    let tgt = batch(std::slice::from_ref(&pair.reads));
    suspect.log_probs(&batch(&[src.to_vec()]), &tgt, draw)
}

/// A different token's id, which is not a reserved id.
fn another(id: u32) -> u32 {
    let words = everyday().model.config.tgt_vocab as u32;
    let id = (id + words / 3) % words;
    id.max(UNK as u32 + 1)
}

pub fn padding(suspect: &Suspect, at: &str) -> Finding {
    let count = at.parse().unwrap_or(4);
    let pair = Pair::usual();
    let src = suspect.source(&pair.line);
    let padded = [&src[..], &vec![0; count]].concat();
    let [alone, beside] = [&src, &padded].map(|src| log_probs(suspect, src, pair, 0));
    let apart = largest_difference(&alone, &beside);
    let first = |log_probs: &Tensor| -> Vec<usize> {
        let rows = log_probs.data().chunks(log_probs.last());
        rows.map(largest).collect()
    };
    let pairs = first(&alone).into_iter().zip(first(&beside));
    let changed = pairs.filter(|(a, b)| a != b).count();
    let text = format!(
        "The largest change of a log-probability by {count} tokens of padding: {apart:.6}\nPositions whose most probable token is another one then: {changed} of {}\n",
        pair.reads.len()
    );
    Finding::judged(
        text,
        &[(apart > ROUNDING, "padding changes the predictions")],
    )
}

pub fn order(suspect: &Suspect, _: &str) -> Finding {
    let pair = Pair::usual();
    let src = suspect.source(&pair.line);
    let mut swapped = src.clone();
    swapped.swap(0, 1);
    let tgt = batch(std::slice::from_ref(&pair.reads));
    let memory = |ids: &[u32]| {
        let trace = suspect.run(&batch(&[ids.to_vec()]), &tgt, 0);
        let last = suspect.model.config.encoder_layers() - 1;
        let name = format!("encoder.layers.{last}.feed_forward.norm");
        trace
            .tensor(&name)
            .cloned()
            .unwrap_or_else(|| Tensor::zeros(&[1, ids.len(), 1]))
    };
    let (before, after) = (memory(&src), memory(&swapped));
    let width = before.last();
    let row = |x: &Tensor, row: usize| x.data()[row * width..(row + 1) * width].to_vec();
    let far = |from: usize, to: usize| apart(&row(&before, from), &row(&after, to));
    let (moved, stayed) = (far(0, 1).max(far(1, 0)), far(2, 2));
    let text = format!(
        "Tokens 0 and 1 of the source were swapped.\nvector 0 after against vector 1 before, and the reverse: they differ by up to {moved:.5}\nvector 2 after against vector 2 before: they differ by up to {stayed:.5}\n"
    );
    let blind = f64::from(moved.max(stayed)) < ROUNDING;
    Finding::judged(text, &[(blind, "the encoder does not see the order")])
}

/// Number of positions tried in identifying what was added to a token.
const TRIED: usize = 48;

pub fn positions(suspect: &Suspect, _: &str) -> Finding {
    let trace = suspect.usual();
    let table = everyday().model.config.position_table(TRIED);
    let mut text =
        "What was added to each token, as a row of the table that the model was trained with\n"
            .to_owned();
    let mut reading = Vec::new();
    for side in ["src_embed", "tgt_embed"] {
        let named = added(trace, side)
            .iter()
            .map(|row| nearest(&table, row))
            .collect::<Vec<_>>();
        let _ = writeln!(text, "{side:<10} {}", named.join(" "));
        let right = named
            .iter()
            .enumerate()
            .all(|(t, name)| *name == t.to_string());
        if !right {
            let begin = named.iter().take(3).cloned().collect::<Vec<_>>();
            reading.push(format!("{side} has {}", begin.join(" ")));
        }
    }
    Finding::new(text, (!reading.is_empty()).then(|| reading.join("; ")))
}

/// What was added to the embedding of each token on one side.
fn added(trace: &Trace, side: &str) -> Vec<Vec<f32>> {
    let of = |name: &str| trace.tensor(&format!("{side}.{name}"));
    let (Some(words), Some(sum)) = (of("embedded"), of("with_position")) else {
        return Vec::new();
    };
    let difference = sum.zip(words, |sum, word| sum - word);
    difference
        .data()
        .chunks(difference.last())
        .map(<[f32]>::to_vec)
        .collect()
}

/// Index of the row of `table` that equals `row`; `-` if `row` is zero, `?` if there is none.
fn nearest(table: &Tensor, row: &[f32]) -> String {
    if row.iter().all(|x| x.abs() < 1e-3) {
        return "-".to_owned();
    }
    let fits = |position: &usize| {
        let all = &table.data()[position * row.len()..(position + 1) * row.len()];
        all.iter().zip(row).all(|(a, b)| (a - b).abs() < 1e-3)
    };
    (0..TRIED)
        .find(fits)
        .map_or("?".to_owned(), |position| position.to_string())
}

pub fn source(suspect: &Suspect, _: &str) -> Finding {
    let pair = Pair::usual();
    let src = suspect.source(&pair.line);
    let before = log_probs(suspect, &src, pair, 0);
    let mut text = "source token changed   largest change of a log-probability\n".to_owned();
    let mut most = 0.0_f64;
    for at in [0, 2, src.len() - 2] {
        let mut changed = src.clone();
        changed[at] = another(changed[at]);
        let apart = largest_difference(&before, &log_probs(suspect, &changed, pair, 0));
        most = most.max(apart);
        let _ = writeln!(text, "{at:>20}   {apart:.4}");
    }
    Finding::judged(text, &[(most < ROUNDING, "the source changes nothing")])
}

pub fn twice(suspect: &Suspect, _: &str) -> Finding {
    let pair = Pair::usual();
    let src = suspect.source(&pair.line);
    let of = |draw| log_probs(suspect, &src, pair, draw);
    let apart = largest_difference(&of(1), &of(2));
    Finding::judged(
        format!(
            "The largest difference of a log-probability between two runs over the same input: {apart:.6}\n"
        ),
        &[(apart > 0.0, "two runs differ")],
    )
}

pub fn loss(suspect: &Suspect, _: &str) -> Finding {
    let of = |suspect: &Suspect| {
        let all = ranges().pairs.iter().map(|pair| nats(suspect, pair));
        let (nats, tokens) = all.fold((0.0, 0), |(sum, count), (nats, tokens)| {
            (sum + nats, count + tokens)
        });
        nats / tokens as f64
    };
    static SOUND: OnceLock<f64> = OnceLock::new();
    let (here, sound) = (of(suspect), *SOUND.get_or_init(|| of(Suspect::sound())));
    let text = format!(
        "Mean of −log p over the tokens of eight known translations, in nats\nthe suspect   {here:.4}\nsound model   {sound:.4}\n"
    );
    let signs = [
        (here > 1.05 * sound, "a higher loss"),
        (here < 0.95 * sound, "a lower loss"),
    ];
    Finding::judged(text, &signs)
}

/// Sum of −log p over the tokens of a pair's translation, and their number.
fn nats(suspect: &Suspect, pair: &Pair) -> (f64, usize) {
    let log_probs = log_probs(suspect, &suspect.source(&pair.line), pair, 0);
    let of = |(t, &id): (usize, &u32)| -f64::from(log_probs.at(&[0, t, id as usize]));
    (
        pair.writes.iter().enumerate().map(of).sum(),
        pair.writes.len(),
    )
}

pub fn compare(suspect: &Suspect, _: &str) -> Finding {
    match first_difference(suspect.usual(), Suspect::sound().usual()) {
        None => Finding::new("No step differs on this sentence.\n".to_owned(), None),
        Some(parting) => {
            let name = place(&parting.step);
            let text = format!(
                "The first step that differs is {name}, most in cell {:?}: {:.4} here, {:.4} in the sound model.\n",
                parting.index, parting.values.0, parting.values.1
            );
            Finding::new(text, Some(format!("{name} is the first step that differs")))
        }
    }
}
