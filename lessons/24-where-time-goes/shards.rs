//! The gradients of one training step on several threads, compared bit by bit.

use std::collections::BTreeSet;

use transformer_tutor::data::batches;
use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::tensor::on_threads;
use transformer_tutor::tensor::random::fnv1a;
use transformer_tutor::train::step::StepJob;

use super::record::{BuiltModel, SENTENCES, model, options};

/// Numbers of threads to try.
pub const THREADS: [usize; 3] = [1, 2, 4];
/// Parts into which the batch is cut.
pub const SHARDS: usize = 4;

/// Fingerprint of all bits of the gradients (FNV-1a).
pub fn fingerprint(threads: usize, shards: usize) -> u64 {
    let made = model(64, 2);
    let BuiltModel { model, params } = &*made;
    let batch = batches::batch(&SENTENCES.corpus, &(0..16).collect::<Vec<_>>());
    let job = StepJob {
        model,
        params,
        batch: &batch,
        tokens: batch.target_tokens(),
        seed: 1,
        options: options(shards),
    };
    let mut found = Vec::new();
    on_threads(threads, || job.gradients(&mut found));
    let cells = found.iter().flatten().flat_map(|grad| grad.data());
    fnv1a(cells.map(|x| x.to_bits()))
}

/// Number of different fingerprints over all numbers of threads, and the same including one shard.
pub static FOUND: Lazy<(usize, usize)> = Lazy::new(|| {
    let mut bits = BTreeSet::from(THREADS.map(|threads| fingerprint(threads, SHARDS)));
    let same = bits.len();
    bits.insert(fingerprint(1, 1));
    (same, bits.len())
});
