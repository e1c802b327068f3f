//! The board of all three masks: encoder, decoder and cross-attention on one sheet, showing who may read whom.

use crate::autograd::Nature;
use crate::lesson::{Body, Facts, Picture};
use crate::nn::masks::PAD;
use crate::tensor::Tensor;

use super::record::Recorded;

/// Mask that a cell of the board belongs to.
enum Part {
    Encoder,
    Cross,
    Decoder,
    /// The encoder never attends to the target, so there is no mask.
    Nothing,
}

/// The board of sentence `n`: source tokens, then target tokens, on both axes; and the number of cells blocked for each
/// reason.
pub fn board(made: &Recorded, n: usize) -> (Picture, Facts) {
    let (s, t) = (made.batch.src.last(), made.batch.tgt.last());
    let part = |row: usize, column: usize| match (row < s, column < s) {
        (true, true) => (Part::Encoder, row, column),
        (true, false) => (Part::Nothing, row, column - s),
        (false, true) => (Part::Cross, row - s, column),
        (false, false) => (Part::Decoder, row - s, column - s),
    };
    let open = |row, column| match part(row, column) {
        (Part::Encoder, i, j) => seen(&made.encoder, n, i, j),
        (Part::Cross, i, j) => seen(&made.cross, n, i, j),
        (Part::Decoder, i, j) => seen(&made.decoder, n, i, j),
        (Part::Nothing, ..) => false,
    };
    // Reason why the rules block the cell; empty if they don't.
    let rule = |row, column| match part(row, column) {
        (Part::Encoder | Part::Cross, _, j) if made.batch.src.at(&[n, j]) == PAD => "pad",
        (Part::Decoder, i, j) => reason(made, n, i, j),
        (Part::Nothing, ..) => "never read",
        _ => "",
    };
    let note = |row, column| match (open(row, column), rule(row, column)) {
        (true, "") => String::new(),
        (true, why) => format!("open, though it is {why}"),
        (false, "") => "blocked, though nothing forbids it".to_owned(),
        (false, why) => why.to_owned(),
    };
    let size = s + t;
    let notes: Vec<Vec<String>> = (0..size)
        .map(|i| (0..size).map(|j| note(i, j)).collect())
        .collect();
    let count = |word: &str| notes.iter().flatten().filter(|note| *note == word).count();
    let words = [&made.batch.src_words[n][..], &made.batch.tgt_words[n][..]].concat();
    let values = Tensor::from_fn(&[size, size], |i| f32::from(u8::from(open(i[0], i[1]))));
    let (readers, read) = (("reader", words.clone()), ("read", words));
    let board = Body::matrix(values, Nature::Mask, readers, read).noted(notes.clone());
    let facts = ["future", "pad", "both"].into_iter();
    let facts = facts.fold(Facts::default().with("source", s), |facts, word| {
        facts.with(word, count(word))
    });
    (Picture::drawn("board", board), facts)
}

/// Reason why target position `row` of sentence `n` may not read position `column`: `future`, `pad` or `both`; empty if
/// it may.
pub fn reason(made: &Recorded, n: usize, row: usize, column: usize) -> &'static str {
    match (column > row, made.batch.tgt.at(&[n, column]) == PAD) {
        (true, true) => "both",
        (true, false) => "future",
        (false, true) => "pad",
        (false, false) => "",
    }
}

/// Whether `mask`, broadcast over rows and columns, leaves a cell open.
fn seen(mask: &Tensor, n: usize, row: usize, column: usize) -> bool {
    let (rows, columns) = (mask.shape()[1], mask.shape()[2]);
    mask.at(&[n, row.min(rows - 1), column.min(columns - 1)]) != 0.0
}
