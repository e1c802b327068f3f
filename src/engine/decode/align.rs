//! Word alignment from cross-attention, and its error rate against the true alignment.

use std::collections::HashSet;

use super::greedy::likeliest;
use crate::autograd::Tape;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::text::vocabulary::BOS;
use crate::transformer::Transformer;

/// Pairs of aligned words, as (source, target) positions.
pub type Links = Vec<(usize, usize)>;

// ANCHOR: align
/// Cross-attention weights `[target, source]` in decoder layer `layer`, averaged over its heads.
///
/// Row `t` belongs to the position that *predicts* word `t`: the one that reads the word before it.
/// `src` is as the encoder reads it; `tgt` has neither start nor end token.
pub fn cross_attention(
    model: &Transformer,
    params: &Params,
    src: &[u32],
    tgt: &[u32],
    layer: usize,
) -> Tensor {
    let tape = Tape::eval(params);
    let ids = |name: &str, ids: &[u32], axes| {
        let cells = ids.iter().map(|&id| id as f32).collect();
        tape.ids(name, Tensor::new(&[1, ids.len()], cells), axes)
    };
    let read = [&[BOS as u32], tgt].concat();
    let (s, t) = (ids("src", src, &["b", "s"]), ids("tgt", &read, &["b", "t"]));
    let (src_mask, tgt_mask) = (model.src_mask(&s), model.future_mask(&t));
    let memory = model.encode(&s, &src_mask);
    model.decode(&memory, &src_mask, &t, &tgt_mask);
    let trace = tape.trace();
    let name = format!("decoder.layers.{layer}.src_attn.weights");
    let weights = trace.tensor(&name).expect("the decoder has this layer");
    let heads = weights.shape()[1];
    Tensor::from_fn(&[tgt.len(), src.len()], |i| {
        let of = |head| weights.at(&[0, head, i[0], i[1]]);
        (0..heads).map(of).sum::<f32>() / heads as f32
    })
}
// ANCHOR_END: align

/// Links each target word to the source word with the largest attention weight.
pub fn links(weights: &Tensor) -> Links {
    let rows = weights.data().chunks(weights.last().max(1)).enumerate();
    rows.map(|(t, row)| (likeliest(row), t)).collect()
}

crate::reference! { "alignment";
// ANCHOR: forward
/// Links found by cross-attention, and their alignment error rate against `truth`.
///
/// `weights [heads, positions, source]` are those of one layer; `truth` has (source, target) pairs.
/// Position `t` predicts word `t`. The last position predicts EOS and links nothing.
pub fn alignment(weights: &Tensor, truth: &[(usize, usize)]) -> (Links, f64) {
    let &[heads, positions, source] = weights.shape() else {
        panic!(
            "alignment: {:?} is not [heads, positions, source]",
            weights.shape()
        );
    };
    let mean = |t: usize, s: usize| (0..heads).map(|h| weights.at(&[h, t, s])).sum::<f32>();
    let found: Links = (0..positions - 1)
        .map(|t| {
            let better = |best, s| if mean(t, s) > mean(t, best) { s } else { best };
            ((1..source).fold(0, better), t)
        })
        .collect();
    let both = found.iter().filter(|link| truth.contains(link)).count();
    let error = 1.0 - 2.0 * both as f64 / (found.len() + truth.len()) as f64;
    (found, error)
}
// ANCHOR_END: forward
}

// ANCHOR: error
/// Alignment error rate (Och and Ney 2003) over sentences of found and true links, from 0 to 1.
///
/// Every true link counts as sure, so it is `1 − 2 |found ∩ true| / (|found| + |true|)`.
pub fn error_rate(sentences: &[(Links, Links)]) -> f64 {
    let (mut both, mut all) = (0, 0);
    for (predicted, truth) in sentences {
        let known: HashSet<_> = truth.iter().collect();
        both += predicted.iter().filter(|link| known.contains(link)).count();
        all += predicted.len() + truth.len();
    }
    if all == 0 {
        0.0
    } else {
        1.0 - 2.0 * both as f64 / all as f64
    }
}
// ANCHOR_END: error

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transformer::Config;

    #[test]
    fn every_word_looks_at_the_source_with_shares_that_sum_to_1() {
        let mut params = Params::new(1);
        let model = Transformer::new(&mut params, &Config::annotated(9, 9).sized(2, 8, 12, 2));
        let shares = cross_attention(&model, &params, &[4, 5, 2], &[6, 7], 1);
        assert_eq!(shares.shape(), [2, 3]);
        for row in shares.data().chunks(3) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
        let whole = Tensor::new(&[2, 3], vec![0.1, 0.7, 0.2, 0.5, 0.2, 0.3]);
        assert_eq!(links(&whole), [(1, 0), (0, 1)]);
    }

    #[test]
    fn an_alignment_is_the_links_and_error_of_the_mean_head() {
        let weights = Tensor::from_fn(&[2, 4, 3], |i| {
            ((i[0] * 5 + i[1] * 7 + i[2] * 4) % 9) as f32
        });
        let truth = [(1, 0), (2, 1), (0, 2)];
        let (predicted, error) = alignment(&weights, &truth);
        let mean = |i: &[usize]| weights.at(&[0, i[0], i[1]]) + weights.at(&[1, i[0], i[1]]);
        assert_eq!(predicted, links(&Tensor::from_fn(&[3, 3], mean)));
        assert_eq!(error, error_rate(&[(predicted, truth.to_vec())]));
    }

    #[test]
    fn the_error_rate_counts_what_both_have() {
        let same = vec![(0, 0), (1, 1)];
        assert_eq!(error_rate(&[(same.clone(), same.clone())]), 0.0);
        // One of the two links found is among the four true ones: 1 − 2 / 6.
        let truth = vec![(0, 0), (1, 2), (2, 1), (3, 3)];
        assert!((error_rate(&[(same, truth)]) - 2.0 / 3.0).abs() < 1e-12);
    }
}
