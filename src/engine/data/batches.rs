//! Grouping of sentence pairs into batches: pairs of similar length, as many as a number of tokens allows.

use ndarray_rand::rand::seq::SliceRandom;

use super::batch::Batch;
use super::corpus::Corpus;
use crate::tensor::random;

crate::reference! { "cut_batches";
// ANCHOR: forward
// ANCHOR: cut
/// Cuts pairs, given as source and target lengths, into batches of consecutive indices. Each batch
/// is as long as possible while its number of pairs times its longest side is at most `tokens`. A
/// pair longer than `tokens` forms a batch on its own.
pub fn cut(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let with = longest.max(source).max(target);
        match batches.last_mut() {
            Some(batch) if with * (batch.len() + 1) <= tokens => {
                batch.push(i);
                longest = with;
            }
            _ => {
                batches.push(vec![i]);
                longest = source.max(target);
            }
        }
    }
    batches
}
// ANCHOR_END: cut

/// Batches of one epoch, as indices of pairs. The same corpus, seed and epoch give the same batches.
///
/// Pairs are shuffled, then sorted by length, so that pairs of equal length stay shuffled. They are
/// cut where the longest side times the number of pairs would exceed `tokens`, and the batches are
/// shuffled. A pair longer than `tokens` forms a batch on its own.
pub fn epoch(corpus: &Corpus, tokens: usize, seed: u64, epoch: u64) -> Vec<Vec<usize>> {
    epoch_by(corpus, tokens, seed, epoch, cut)
}

/// Like [`epoch`], with the given function in place of [`cut`].
pub fn epoch_by(
    corpus: &Corpus,
    tokens: usize,
    seed: u64,
    epoch: u64,
    cut: impl Fn(&[(usize, usize)], usize) -> Vec<Vec<usize>>,
) -> Vec<Vec<usize>> {
    let mut rng = random::generator(seed, "epoch", epoch);
    let mut order: Vec<usize> = (0..corpus.pairs.len()).collect();
    order.shuffle(&mut rng);
    let long = |&i: &usize| {
        let (src, tgt) = &corpus.pairs[i];
        (tgt.len() - 1, src.len())
    };
    order.sort_by_key(long);
    let lengths: Vec<(usize, usize)> = order
        .iter()
        .map(|i| {
            let (tgt, src) = long(i);
            (src, tgt)
        })
        .collect();
    let numbers = |batch: Vec<usize>| batch.into_iter().map(|place| order[place]).collect();
    let mut batches: Vec<Vec<usize>> = cut(&lengths, tokens).into_iter().map(numbers).collect();
    batches.shuffle(&mut rng);
    batches
}
// ANCHOR_END: forward
}

/// Batch of the pairs with these indices.
pub fn batch(corpus: &Corpus, numbers: &[usize]) -> Batch {
    let pairs: Vec<(&[u32], &[u32])> = numbers
        .iter()
        .map(|&i| (&corpus.pairs[i].0[..], &corpus.pairs[i].1[..]))
        .collect();
    Batch::new(&pairs)
}

/// Batches of all pairs in the order of the corpus, for evaluation.
pub fn in_order(corpus: &Corpus, tokens: usize) -> Vec<Vec<usize>> {
    let longest = corpus
        .pairs
        .iter()
        .map(|(src, tgt)| src.len().max(tgt.len()))
        .max();
    let each = (tokens / longest.unwrap_or(1).max(1)).max(1);
    let all: Vec<usize> = (0..corpus.pairs.len()).collect();
    all.chunks(each).map(<[usize]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus() -> Corpus {
        let pair = |n: usize| (vec![3; 1 + n % 7], vec![1; 2 + n % 5]);
        Corpus {
            pairs: (0..100).map(pair).collect(),
            ..Corpus::default()
        }
    }

    #[test]
    fn every_pair_comes_once_an_epoch_and_no_batch_is_too_large() {
        let corpus = corpus();
        let batches = epoch(&corpus, 40, 1, 0);
        let mut all: Vec<usize> = batches.concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        for numbers in &batches {
            let made = batch(&corpus, numbers);
            assert!(made.sentences() * made.src.last().max(made.tgt.last() - 1) <= 40);
        }
        assert_eq!(in_order(&corpus, 40).concat(), (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn an_epoch_is_decided_by_seed_and_number() {
        let corpus = corpus();
        assert_eq!(epoch(&corpus, 40, 1, 0), epoch(&corpus, 40, 1, 0));
        assert_ne!(epoch(&corpus, 40, 1, 0), epoch(&corpus, 40, 1, 1));
        assert_ne!(epoch(&corpus, 40, 1, 0), epoch(&corpus, 40, 2, 0));
    }
}
