//! Greedy decoding: the most probable token at every step.

use crate::autograd::Tape;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::transformer::Transformer;
use crate::transformer::config::Shift;

// ANCHOR: forward
/// Writes `words` tokens for each sentence of `src [batch, source]`, always the most probable next
/// one: `[batch, words]`. The encoder runs once, the decoder once per token.
///
/// `start` is the id that the decoder reads first. A model that shifts embeddings ignores it and
/// begins with a vector of zeros.
#[track_caller]
pub fn greedy(
    model: &Transformer,
    params: &Params,
    src: &Tensor,
    start: f32,
    words: usize,
) -> Tensor {
    let tape = Tape::eval(params);
    let ids = tape.ids("src", src.clone(), &["b", "s"]);
    let memory = model.encode(&ids, &model.src_mask(&ids)).value();
    let mut sentences = vec![vec![]; src.shape()[0]];
    for length in 1..=words {
        // A new tape for each token, so that no step keeps the tensors of earlier ones.
        let tape = Tape::eval(params);
        let src = tape.ids("src", src.clone(), &["b", "s"]);
        let memory = tape.constant("memory", memory.clone(), &["b", "s", "d"]);
        let read = |sentence: &Vec<f32>| match model.config.shift {
            Shift::Ids => [&[start], &sentence[..]].concat(),
            // Shifting the embeddings drops the last one, so any id will do here.
            Shift::Embeddings => [&sentence[..], &[start]].concat(),
        };
        let tgt = Tensor::new(
            &[sentences.len(), length],
            sentences.iter().flat_map(read).collect(),
        );
        let tgt = tape.ids("tgt", tgt, &["b", "t"]);
        let (src_mask, tgt_mask) = (model.src_mask(&src), model.future_mask(&tgt));
        let hidden = model.decode(&memory, &src_mask, &tgt, &tgt_mask);
        let logits = model.generator.logits(&hidden.last_position()).value();
        for (sentence, row) in sentences
            .iter_mut()
            .zip(logits.data().chunks(logits.last()))
        {
            sentence.push(likeliest(row) as f32);
        }
    }
    Tensor::new(&[sentences.len(), words], sentences.concat())
}
// ANCHOR_END: forward

/// Returns the index of the largest entry; of equal ones, the first.
pub fn likeliest(row: &[f32]) -> usize {
    let better = |best: usize, i: usize| if row[i] > row[best] { i } else { best };
    (0..row.len()).fold(0, better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transformer::Config;

    #[test]
    fn greedy_takes_what_one_pass_over_the_whole_finds_likeliest() {
        for config in [
            Config::annotated(11, 11).sized(2, 16, 32, 4),
            Config::tensorflow(11).sized(2, 16, 32, 4),
        ] {
            let mut params = Params::new(3);
            let model = Transformer::new(&mut params, &config);
            let src = Tensor::new(&[2, 3], vec![3.0, 4.0, 5.0, 6.0, 0.0, 0.0]);
            let words = greedy(&model, &params, &src, 1.0, 4);
            assert_eq!(words.shape(), [2, 4]);
            let tape = Tape::eval(&params);
            let src = tape.ids("src", src, &["b", "s"]);
            let tgt = Tensor::from_fn(&[2, 4], |i| match (config.shift, i[1]) {
                (Shift::Ids, 0) => 1.0,
                (Shift::Ids, t) => words.at(&[i[0], t - 1]),
                (Shift::Embeddings, t) => words.at(&[i[0], t]),
            });
            let tgt = tape.ids("tgt", tgt, &["b", "t"]);
            let (src_mask, tgt_mask) = (model.src_mask(&src), model.future_mask(&tgt));
            let memory = model.encode(&src, &src_mask);
            let hidden = model.decode(&memory, &src_mask, &tgt, &tgt_mask);
            let log_probs = model.generator.forward(&hidden).value();
            for (row, word) in log_probs.data().chunks(11).zip(words.data()) {
                assert_eq!(likeliest(row) as f32, *word);
            }
        }
    }
}
