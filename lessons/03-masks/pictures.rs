//! The drawings of lesson 03.

use crate::autograd::Nature;
use crate::lesson::{Bar, Body, Picture, Run, Series, Settings, leak};
use crate::nn::masks::{PAD, subsequent_mask};
use crate::tensor::Tensor;

use super::board;
use super::experiments::{self, allowed, five, influence, largest_difference};
use super::record::{Recorded, future};
use super::sentences::{BATCH, pad_share};

/// Fills that the sinking curves compare.
pub const FILLS: [f32; 4] = [-1e9, -1e4, -1e3, -1e2];
/// Sizes of scores (standard deviations) that they go through.
const SIZES: [f32; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];

/// The run with all its drawings. `sentence` is the one that the board and the meter show.
pub fn run(made: Recorded, settings: &Settings) -> Result<Run, String> {
    let (sentence, count) = (settings.whole("sentence"), made.batch.src.shape()[0]);
    if sentence >= count {
        return Err(format!(
            "this batch has {count} sentences, numbered from 0 to {}; sentence {sentence} is not among them",
            count - 1
        ));
    }
    let influence = influence(&made, settings, sentence);
    let allowed = allowed(&made, sentence);
    let words = &made.batch.tgt_words[sentence];
    let why = |row: usize, column: usize| board::reason(&made, sentence, row, column).to_owned();
    let meter = leak::picture(&influence, &allowed, (words, words), why);
    let pictures = vec![
        tax(&made, settings),
        triangle(settings),
        board::board(&made, sentence),
        meter,
        forms(settings),
        pad_rows(&made, settings),
        ways(&made),
        sinking(&made, settings),
    ];
    Ok(Run {
        leak: Some(leak::largest(&influence, &allowed)),
        trace: made.trace,
        pictures,
    })
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// The share of padding in each batch.
fn tax(made: &Recorded, settings: &Settings) -> Picture {
    let bar = |(n, sentences): (usize, &[super::sentences::Pair])| {
        let longest = sentences.iter().map(|p| p.source.len()).max().unwrap_or(0);
        let share = pad_share(sentences);
        Bar {
            label: format!("batch {n}"),
            value: share,
            note: format!("{} of {BATCH}×{longest} cells", percent(share)),
        }
    };
    let mut bars: Vec<Bar> = made.pairs.chunks(BATCH).enumerate().map(bar).collect();
    let all = total_pad_share(made);
    bars.push(Bar {
        label: "all".to_owned(),
        value: all,
        note: percent(all),
    });
    Picture {
        name: "tax",
        title: format!(
            "the padding tax in ten batches: sentences {}, batches {}",
            settings.text("mix"),
            settings.text("batching")
        ),
        says: format!(
            "{} of all source cells hold padding: they are computed and thrown away.",
            percent(all)
        ),
        body: Body::Bars {
            unit: "share of cells that are padding".to_owned(),
            bars,
            log: false,
        },
    }
}

/// The share of padding in all batches together.
pub fn total_pad_share(made: &Recorded) -> f64 {
    let cells = |batch: &[super::sentences::Pair]| {
        batch.len() * batch.iter().map(|p| p.source.len()).max().unwrap_or(0)
    };
    let words: usize = made.pairs.iter().map(|p| p.source.len()).sum();
    1.0 - words as f64 / made.pairs.chunks(BATCH).map(cells).sum::<usize>() as f64
}

/// The future mask at 20×20.
fn triangle(settings: &Settings) -> Picture {
    let length = 20;
    let mask = future(settings).unwrap_or(subsequent_mask)(length).reshape(&[length, length]);
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
    Picture {
        name: "triangle",
        title: "subsequent_mask(20): who may see whom".to_owned(),
        says: format!(
            "{} of {} cells are open. Row 0, the first word, sees {}; row 19, the last, sees {}.",
            mask.sum(),
            mask.len(),
            mask.data()[..length].iter().sum::<f32>(),
            mask.data()[19 * length..].iter().sum::<f32>(),
        ),
        body: Body::Matrix {
            notes: notes.collect(),
            values: mask,
            nature: Nature::Mask,
            rows: ("reader".to_owned(), numbers.clone()),
            columns: ("read".to_owned(), numbers),
        },
    }
}

/// Replacing against adding, where they agree and where they part.
fn forms(settings: &Settings) -> Picture {
    let seed = settings.whole("seed") as u64;
    let row = |open: [f32; 5], fill: f32, size: f32| {
        let both = five(open, fill, size, seed);
        let cells = |t: &Tensor| {
            let cells = t.data().iter().map(|x| format!("{x:.2}"));
            cells.collect::<Vec<_>>().join(" ")
        };
        let blocked = open.iter().filter(|&&x| x == 0.0).count();
        vec![
            format!("{blocked} of 5"),
            format!("{fill:e}"),
            format!("{size}"),
            format!("{:.2}", largest_difference(&both)),
            cells(&both.0),
            cells(&both.1),
        ]
    };
    let rows = vec![
        row(PART, -1e9, 1.0),
        row(PART, -1e4, 1.0),
        row(NONE, -1e9, 1.0),
        row(NONE, -1e4, 1.0),
        row(NONE, -1e9, 1000.0),
    ];
    let header = ["blocked", "fill", "size", "apart", "replaced", "added"];
    Picture {
        name: "forms",
        title: "one reader, five things to read: the mask replaces, or it is added".to_owned(),
        says: "Equal while one cell of the row is open. Where the whole row is blocked, replacing shares evenly; adding brings the unmasked weights back as soon as the sum can hold them. Size is that of the scores, apart the largest difference.".to_owned(),
        body: Body::Table {
            header: header.map(str::to_owned).to_vec(),
            rows,
        },
    }
}

/// Five cells of which the last two are blocked; and all blocked.
pub const PART: [f32; 5] = [1.0, 1.0, 1.0, 0.0, 0.0];
pub const NONE: [f32; 5] = [0.0; 5];

/// Whether pad rows matter, and what blocking them does.
fn pad_rows(made: &Recorded, settings: &Settings) -> Picture {
    let seed = settings.whole("seed") as u64;
    let scrambled = experiments::scramble(made, settings);
    let is_pad = |id: &&f32| **id == PAD;
    let ids = made.batch.src.data().iter().chain(made.batch.tgt.data());
    let pads = ids.filter(is_pad).count();
    let weights = |fill: f32| {
        let cells = five(NONE, fill, 1.0, seed).0;
        let cells = cells.data().iter().map(|x| format!("{x:.1}"));
        cells.collect::<Vec<_>>().join(" ")
    };
    let line = |what: &str, result: String| vec![what.to_owned(), result];
    Picture {
        name: "pad-rows",
        title: "shouldn't the pad rows be masked too?".to_owned(),
        says: format!(
            "All {pads} pad rows got other vectors. The rows of real words moved by {}, the pad rows by up to {:.0}; the loss weighs pad rows with {}.",
            scrambled.encoder.max(scrambled.decoder),
            scrambled.pad,
            scrambled.loss_weight
        ),
        body: Body::Table {
            header: ["experiment", "result"].map(str::to_owned).to_vec(),
            rows: vec![
                line(
                    "other vectors in the pad rows: largest change in a real row, encoder",
                    format!("{}", scrambled.encoder),
                ),
                line("… in a real row, decoder", format!("{}", scrambled.decoder)),
                line("… in a pad row", format!("{:.1}", scrambled.pad)),
                line(
                    "weight of a pad row in the loss",
                    format!("{}", scrambled.loss_weight),
                ),
                line(
                    "a row of five masked whole with −∞",
                    weights(f32::NEG_INFINITY),
                ),
                line("a row of five masked whole with −1e9", weights(-1e9)),
            ],
        },
    }
}

/// Three scores, the last blocked, in four ways: the recorded steps `three.…` side by side.
fn ways(made: &Recorded) -> Picture {
    let row = |what: &str, name: &str| {
        let values = made.trace.tensor(name).expect("it was recorded").data();
        let cells = values.iter().map(|x| format!("{x:.3}"));
        let sum = format!("{:.3}", values.iter().sum::<f32>());
        [what.to_owned()]
            .into_iter()
            .chain(cells)
            .chain([sum])
            .collect()
    };
    Picture {
        name: "ways",
        title: "scores 1, 2, 3; the third is to be blocked".to_owned(),
        says: "Only a fill far below every score gives the blocked cell nothing and shares out the whole among the others.".to_owned(),
        body: Body::Table {
            header: ["", "first", "second", "blocked", "sum"].map(str::to_owned).to_vec(),
            rows: vec![
                row("no mask", "three.unmasked"),
                row("score × 0, then softmax", "three.leaky"),
                row("softmax, then × 0", "three.late"),
                row("−∞, then softmax", "three.exact"),
                row("−1e9, then softmax", "three.blocked"),
            ],
        },
    }
}

/// Where blocked cells light up as scores grow.
fn sinking(made: &Recorded, settings: &Settings) -> Picture {
    let seed = settings.whole("seed") as u64;
    let series = FILLS.map(|fill| {
        let point = |&size: &f32| {
            (
                f64::from(size.log10()),
                experiments::sunk(made, fill, size, seed),
            )
        };
        Series {
            name: format!("{fill:e}"),
            points: SIZES.iter().map(point).collect(),
        }
    });
    let weak = experiments::sunk(made, -1e4, 1e5, seed);
    let low = experiments::sunk(made, -1e9, 1e5, seed);
    Picture {
        name: "sinking",
        title: "attention that goes to blocked cells, as scores grow".to_owned(),
        says: format!(
            "With scores of size 1e5, a fill of −1e4 lets {} of all attention through to blocked cells; −1e9 lets {} through.",
            percent(weak),
            percent(low)
        ),
        body: Body::Curves {
            x: "size of the scores, power of ten".to_owned(),
            y: "share of attention on blocked cells".to_owned(),
            log: false,
            series: series.to_vec(),
        },
    }
}
