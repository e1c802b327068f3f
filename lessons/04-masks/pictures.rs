//! The pictures of lesson 04.

use crate::autograd::Nature;
use crate::lesson::measure::largest_difference;
use crate::lesson::{Body, Fact, Facts, Picture, Run, leak};
use crate::nn::masks::{PAD, subsequent_mask};
use crate::tensor::Tensor;

use super::board;
use super::experiments::{self, allowed, five, influence};
use super::record::Recorded;
use super::sentences::{BATCH, longest, pad_share};

/// Sizes of scores (standard deviations) along the curves of [`experiments::sunk`].
const SIZES: [f32; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
/// Place of the size that the text quotes, 1e5.
const LARGE: usize = 5;

/// The run with all its pictures. `sentence` is the one shown on the board and by the leak indicator.
pub fn run(made: Recorded) -> Result<Run, String> {
    let (sentence, count) = (made.knobs.sentence, made.batch.src.shape()[0]);
    if sentence >= count {
        return Err(format!(
            "this batch has {count} sentences, numbered from 0 to {}; sentence {sentence} is not among them",
            count - 1
        ));
    }
    let influence = influence(&made, sentence);
    let allowed = allowed(&made, sentence);
    let words = &made.batch.tgt_words[sentence];
    let why = |row: usize, column: usize| board::reason(&made, sentence, row, column).to_owned();
    let meter = leak::picture(&influence, &allowed, (words, words), why);
    let (mask, notes) = triangle(&made);
    let (board, reasons) = board::board(&made, sentence);
    let open = |row: usize| Fact::from(mask.data()[row * 20..][..20].iter().sum::<f32>());
    let facts = facts(&made, reasons)
        .with("open_cells", mask.sum())
        .with("open_in_row_0", open(0))
        .with("open_in_row_19", open(19));
    let numbers: Vec<String> = (0..20).map(|n| n.to_string()).collect();
    let (readers, read) = (("reader", numbers.clone()), ("read", numbers));
    let triangle = Body::matrix(mask, Nature::Mask, readers, read).noted(notes);
    let triangle = Picture::drawn("triangle", triangle);
    let run = Run {
        leak: Some(leak::largest(&influence, &allowed)),
        ..Run::new(made.trace, vec![triangle, board, meter])
    };
    Ok(run.telling(facts))
}

/// The numbers of the small experiments, in addition to `facts`.
fn facts(made: &Recorded, facts: Facts) -> Facts {
    let batches = || made.pairs.chunks(BATCH);
    let scrambled = experiments::scramble(made);
    let ids = made.batch.src.data().iter().chain(made.batch.tgt.data());
    let mut facts = facts
        .with("pad_share", pad_share(&made.pairs[..BATCH]))
        .with("pad_share_all", pad_share(&made.pairs))
        .with("pad_shares", Fact::numbers(batches().map(pad_share)))
        .with("longest", Fact::numbers(batches().map(longest)))
        .with("pads", ids.filter(|id| **id == PAD).count())
        .with("scrambled_encoder", scrambled.encoder)
        .with("scrambled_decoder", scrambled.decoder)
        .with("scrambled_pad", scrambled.pad)
        .with("pad_loss_weight", scrambled.loss_weight)
        .with("sizes", Fact::numbers(SIZES.map(f32::log10)));
    for (name, open, fill, size) in FIVE {
        let (replaced, added) = five(open, fill, size, made.knobs.seed);
        let numbers = |x: &Tensor| Fact::numbers(x.data().iter().copied());
        facts = facts
            .with(
                format!("apart_{name}"),
                largest_difference(&replaced, &added),
            )
            .with(format!("replaced_{name}"), numbers(&replaced))
            .with(format!("added_{name}"), numbers(&added));
    }
    for (name, fill) in [("1e9", -1e9), ("1e4", -1e4), ("1e3", -1e3), ("1e2", -1e2)] {
        let sunk = SIZES.map(|size| experiments::sunk(made, fill, size));
        facts = match name {
            "1e9" => facts.with("sunk_low", sunk[LARGE]),
            "1e4" => facts.with("sunk_weak", sunk[LARGE]),
            _ => facts,
        };
        facts = facts.with(format!("sunk_{name}"), Fact::numbers(sunk));
    }
    facts
}

/// The future mask of size 20×20, and what there is to say of each cell.
fn triangle(made: &Recorded) -> (Tensor, Vec<Vec<String>>) {
    let length = 20;
    let mask = made.past.unwrap_or(subsequent_mask)(length).reshape(&[length, length]);
    let notes = (0..length).map(|row| {
        let note = |column| match (mask.at(&[row, column]) == 0.0, column > row) {
            (true, true) => "future".to_owned(),
            (true, false) => "blocked, though it is not the future".to_owned(),
            (false, true) => "open, though it is the future".to_owned(),
            (false, false) => String::new(),
        };
        (0..length).map(note).collect()
    });
    let notes = notes.collect();
    (mask, notes)
}

/// Rows of five cells that are masked by replacing scores and by adding to them: name, open cells, fill, size of scores.
const FIVE: [(&str, [f32; 5], f32, f32); 6] = [
    ("open", PART, -1e9, 1.0),
    ("open_weak", PART, -1e4, 1.0),
    ("whole", NONE, -1e9, 1.0),
    ("whole_weak", NONE, -1e4, 1.0),
    ("whole_large", NONE, -1e9, 1000.0),
    ("infinite", NONE, f32::NEG_INFINITY, 1.0),
];

/// Five cells with the last two blocked, and five with all blocked.
const PART: [f32; 5] = [1.0, 1.0, 1.0, 0.0, 0.0];
const NONE: [f32; 5] = [0.0; 5];
