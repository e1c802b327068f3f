//! Tests of the numbers in the lesson's text.

use super::*;
use crate::nn::linear::Bias;
use crate::tensor::Tensor;
use crate::testing::assert_contains;
use crate::transformer::Transformer;
use crate::transformer::config::{EmbeddingInit, Tying};

#[test]
fn different_vocabularies_cannot_be_tied() {
    let settings = LESSON.settings(&[("tied", "yes"), ("src_vocab", "300")]);
    let sentence = GeneratorStage.run(&settings.unwrap()).err().unwrap();
    assert_contains(&sentence, "one table cannot serve 300");
}

/// Tokens of the vocabulary of [`untrained`].
const VOCABULARY: usize = 3000;

/// The first loss of an untrained six-layer pre-norm model, its matrices tied or not, and the logits of the token that
/// each position reads and of the token that it should predict, in standard deviations from the mean of all logits.
fn untrained(tying: Tying) -> [f64; 3] {
    const SHAPE: [usize; 2] = [4, 10];
    let config = Config {
        dropout: 0.0,
        embedding_init: EmbeddingInit::Normal,
        tying,
        generator_bias: Bias::None,
        ..Config::annotated(VOCABULARY, VOCABULARY)
    };
    let mut params = Params::new(1);
    let model = Transformer::new(&mut params, &config);
    let tape = Tape::eval(&params).fused();
    let ids = |name: &str| {
        let most = (VOCABULARY - 4) as f32;
        random::uniform(&SHAPE, 0.5, 1, name)
            .map(|x| 4.0 + ((x + 0.5) * most).floor().min(most - 1.0))
    };
    let (read, next) = (ids("read"), ids("next"));
    let src = tape.ids("src", ids("src"), &["b", "s"]);
    let pass = model.forward(&src, &tape.ids("tgt", read.clone(), &["b", "t"]));
    let log_probs = pass.log_probs.value();
    let rows = || log_probs.data().chunks(VOCABULARY);
    let mean = |of: &dyn Fn(usize, &[f32]) -> f64| {
        let all: f64 = rows().enumerate().map(|(n, row)| of(n, row)).sum();
        all / rows().len() as f64
    };
    // A log-probability is a logit minus a number that the whole row shares.
    let standardised = |ids: &Tensor| {
        mean(&|n, row| {
            let row: Vec<f64> = row.iter().map(|x| f64::from(*x)).collect();
            let centre = row.iter().sum::<f64>() / row.len() as f64;
            let square = row.iter().map(|x| (x - centre).powi(2)).sum::<f64>();
            (row[ids.data()[n] as usize] - centre) / (square / row.len() as f64).sqrt()
        })
    };
    let loss = mean(&|n, row| -f64::from(row[next.data()[n] as usize]));
    [loss, standardised(&read), standardised(&next)]
}

#[test]
fn an_untrained_tied_model_begins_by_repeating_its_input() {
    let guess = (VOCABULARY as f64).ln();
    let [loss, read, next] = untrained(Tying::All);
    assert!((6.0..7.0).contains(&read), "{read}");
    assert!(next.abs() < 1.0, "{next}");
    assert!((guess + 0.3..guess + 1.5).contains(&loss), "{loss} {guess}");
    let [_, read, _] = untrained(Tying::None);
    assert!(read.abs() < 1.0, "{read}");
}
