//! The pictures of lesson 04.

use crate::autograd::Nature;
use crate::lesson::measure::largest_difference;
use crate::lesson::{Bar, Picture, Run, Series, leak};
use crate::nn::masks::{PAD, subsequent_mask};
use crate::typeset::number::signed;

use super::board;
use super::experiments::{self, allowed, five, influence};
use super::record::Recorded;
use super::sentences::{BATCH, Batching, Mix, Pair, longest, pad_share};

/// Fills compared by the sinking curves.
pub const FILLS: [f32; 4] = [-1e9, -1e4, -1e3, -1e2];
/// Sizes of scores (standard deviations) along these curves.
const SIZES: [f32; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];

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
    let pictures = vec![
        tax(&made),
        triangle(&made),
        board::board(&made, sentence),
        meter,
        forms(made.knobs.seed),
        pad_rows(&made),
        ways(&made),
        sinking(&made),
    ];
    Ok(Run {
        note: None,
        sentence: None,
        leak: Some(leak::largest(&influence, &allowed)),
        trace: made.trace,
        pictures,
    })
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// A fill as the texts write it: `−1e9`.
fn power(fill: f32) -> String {
    signed(&format!("{fill:e}"))
}

/// Formats the numbers of a row with `digits` decimals.
fn digits(row: &[f32], digits: usize) -> Vec<String> {
    row.iter().map(|x| format!("{x:.digits$}")).collect()
}

/// Proportion of padding in each batch.
fn tax(made: &Recorded) -> Picture {
    let bar = |(n, batch): (usize, &[Pair])| {
        let (longest, share) = (longest(batch), pad_share(batch));
        let note = format!("{} of {BATCH}×{longest} cells", percent(share));
        Bar::new(format!("batch {n}"), share, note)
    };
    let mut bars: Vec<Bar> = made.pairs.chunks(BATCH).enumerate().map(bar).collect();
    let all = pad_share(&made.pairs);
    bars.push(Bar::new("all", all, percent(all)));
    let mix = match made.knobs.mix {
        Mix::Natural => "",
        Mix::Skewed => ", one of them long",
        Mix::Alike => ", all of one length",
    };
    let batching = match made.knobs.batching {
        Batching::Arrival => "as they arrive",
        Batching::ByLength => "sorted by length",
    };
    let title = format!("Padding in ten batches: sentences {batching}{mix}");
    let says = format!(
        "{} of all source cells are padding: they are computed and thrown away.",
        percent(all)
    );
    let unit = "proportion of cells that are padding";
    Picture::bars("tax", title, says, unit, bars)
}

/// The future mask of size 20×20.
fn triangle(made: &Recorded) -> Picture {
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
    let numbers: Vec<String> = (0..length).map(|n| n.to_string()).collect();
    let says = format!(
        "{} of {} cells are open. Row 0 reads {}, row 19 reads {}.",
        mask.sum(),
        mask.len(),
        mask.data()[..length].iter().sum::<f32>(),
        mask.data()[19 * length..].iter().sum::<f32>(),
    );
    let title = "subsequent_mask(20): row reads column";
    let (readers, read) = (("reader", numbers.clone()), ("read", numbers));
    let notes = notes.collect();
    Picture::matrix("triangle", title, says, (mask, Nature::Mask), readers, read).noted(notes)
}

/// Replacing compared with adding: where they agree and where they differ.
fn forms(seed: u64) -> Picture {
    let row = |(open, fill, size): ([f32; 5], f32, f32)| {
        let (replaced, added) = five(open, fill, size, seed);
        let blocked = open.iter().filter(|&&x| x == 0.0).count();
        vec![
            format!("{blocked} of 5"),
            power(fill),
            format!("{size}"),
            format!("{:.2}", largest_difference(&replaced, &added)),
            digits(replaced.data(), 2).join(" "),
            digits(added.data(), 2).join(" "),
        ]
    };
    let tried = [
        (PART, -1e9, 1.0),
        (PART, -1e4, 1.0),
        (NONE, -1e9, 1.0),
        (NONE, -1e4, 1.0),
        (NONE, -1e9, 1000.0),
    ];
    let title = "One row of five cells: the mask replaces scores, or it is added";
    let says = "Equal while one cell of the row is open. Where the whole row is blocked, replacing gives equal weights; adding gives the unmasked weights as soon as f32 can hold the sum. Size: standard deviation of the scores. Apart: the largest difference.";
    let header = ["blocked", "fill", "size", "apart", "replaced", "added"];
    Picture::table("forms", title, says, &header, tried.map(row).to_vec())
}

/// Five cells with the last two blocked, and five with all blocked.
pub const PART: [f32; 5] = [1.0, 1.0, 1.0, 0.0, 0.0];
pub const NONE: [f32; 5] = [0.0; 5];

/// Whether pad rows matter, and what blocking them does.
fn pad_rows(made: &Recorded) -> Picture {
    let scrambled = experiments::scramble(made);
    let ids = made.batch.src.data().iter().chain(made.batch.tgt.data());
    let pads = ids.filter(|id| **id == PAD).count();
    let weights = |fill: f32| digits(five(NONE, fill, 1.0, made.knobs.seed).0.data(), 1).join(" ");
    let rows = [
        (
            "other vectors in the pad rows: largest change in a real row, encoder",
            scrambled.encoder.to_string(),
        ),
        ("… in a real row, decoder", scrambled.decoder.to_string()),
        ("… in a pad row", format!("{:.1}", scrambled.pad)),
        (
            "weight of a pad row in the loss",
            scrambled.loss_weight.to_string(),
        ),
        (
            "a row of five masked whole with −∞",
            weights(f32::NEG_INFINITY),
        ),
        ("a row of five masked whole with −1e9", weights(-1e9)),
    ];
    let says = format!(
        "All {pads} pad rows got other vectors. The rows of real words changed by {}, the pad rows by up to {:.0}; the loss gives pad rows a weight of {}.",
        scrambled.encoder.max(scrambled.decoder),
        scrambled.pad,
        scrambled.loss_weight
    );
    let title = "Should pad rows be masked too?";
    let rows = rows.map(|(what, result)| vec![what.to_owned(), result]);
    Picture::table(
        "pad-rows",
        title,
        says,
        &["experiment", "result"],
        rows.to_vec(),
    )
}

/// Three scores, the last one blocked, in four ways: the recorded steps `three.…` side by side.
fn ways(made: &Recorded) -> Picture {
    let row = |(what, name): (&str, &str)| {
        let values = made.trace.tensor(name).expect("it was recorded").data();
        let sum = format!("{:.3}", values.iter().sum::<f32>());
        [vec![what.to_owned()], digits(values, 3), vec![sum]].concat()
    };
    let rows = [
        ("no mask", "three.unmasked"),
        ("score × 0, then softmax", "three.leaky"),
        ("softmax, then × 0", "three.late"),
        ("−∞, then softmax", "three.exact"),
        ("−1e9, then softmax", "three.blocked"),
    ];
    let title = "Scores 1, 2, 3; the third is to be blocked";
    let says = "Only a fill far below every score gives the blocked cell a weight of 0 and keeps the sum at 1.";
    let header = ["", "first", "second", "blocked", "sum"];
    Picture::table("ways", title, says, &header, rows.map(row).to_vec())
}

/// Share of attention on blocked cells as scores grow.
fn sinking(made: &Recorded) -> Picture {
    let sunk = |fill, size| experiments::sunk(made, fill, size);
    let line = |fill: f32| {
        let point = |size: f32| (f64::from(size.log10()), sunk(fill, size));
        Series::new(power(fill), SIZES.map(point))
    };
    let title = "Attention weight on blocked cells, as scores grow";
    let says = format!(
        "With scores of size 1e5, a fill of −1e4 lets {} of all attention through to blocked cells; −1e9 lets {} through.",
        percent(sunk(-1e4, 1e5)),
        percent(sunk(-1e9, 1e5))
    );
    let axes = (
        "size of the scores, power of ten",
        "proportion of attention on blocked cells",
    );
    Picture::curves("sinking", title, says, axes, FILLS.map(line).to_vec())
}
