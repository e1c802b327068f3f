//! How many cells of batches are padding.

use transformer_tutor::data::batches;

use super::knobs::Order;
use super::record::SENTENCES;

/// Tokens allowed in a batch, counting every sentence at the longest one's length.
pub const TOKENS: usize = 256;

/// Counts of batches and cells.
#[derive(Clone, Copy, Debug)]
pub struct Cells {
    pub batches: usize,
    pub all: usize,
    pub padding: usize,
}

impl Cells {
    /// Proportion of cells that are padding.
    pub fn wasted(self) -> f64 {
        self.padding as f64 / self.all as f64
    }
}

/// Cuts the pool into batches and counts their cells.
pub fn cells(order: Order) -> Cells {
    let corpus = &SENTENCES.corpus;
    let all = match order {
        Order::Sorted => batches::epoch(corpus, TOKENS, 1, 0),
        Order::Drawn => as_drawn(),
    };
    let mut counted = Cells {
        batches: all.len(),
        all: 0,
        padding: 0,
    };
    for numbers in &all {
        let batch = batches::batch(corpus, numbers);
        for ids in [&batch.src, &batch.tgt] {
            counted.all += ids.len();
            counted.padding += ids.data().iter().filter(|&&id| id == 0.0).count();
        }
    }
    counted
}

/// Cuts by the rule of [`batches::epoch`] without its sorting.
fn as_drawn() -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, (src, tgt)) in SENTENCES.corpus.pairs.iter().enumerate() {
        let long = src.len().max(tgt.len() - 1);
        match batches.last_mut() {
            Some(batch) if longest.max(long) * (batch.len() + 1) <= TOKENS => {
                batch.push(i);
                longest = longest.max(long);
            }
            _ => {
                batches.push(vec![i]);
                longest = long;
            }
        }
    }
    batches
}
