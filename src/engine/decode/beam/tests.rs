//! Published results of two other implementations, reproduced from tables instead of a model.

use super::*;
use crate::decode::options::Penalty;

/// Rows for the next token, given by a function of the step and of the hypothesis's rank.
struct Table<F> {
    step: usize,
    rows: F,
}

impl<F: Fn(usize, usize) -> Vec<f32>> NextTokens for Table<F> {
    fn next(&mut self, parents: &[usize], _: &[u32]) -> Tensor {
        let rows: Vec<Vec<f32>> = (0..parents.len())
            .map(|place| (self.rows)(self.step, place))
            .collect();
        self.step += 1;
        Tensor::new(&[rows.len(), rows[0].len()], rows.concat())
    }
}

fn options() -> DecodeOptions {
    DecodeOptions {
        beam: 2,
        nbest: 2,
        penalty: Penalty::Length,
        alpha: 1.0,
        rule: Rule::Fairseq,
        bos: 0,
        eos: 0,
        ..DecodeOptions::default()
    }
}

/// The model of fairseq's `tests/test_sequence_generator.py`, with ids 0 for EOS, 1 for unknown, 2 for w1, 3 for w2.
fn fairseq(sentence: usize, limit: usize, options: &DecodeOptions) -> Vec<Hypothesis> {
    let tables: [[[[f32; 3]; 2]; 4]; 2] = [
        [
            [[0.0, 0.9, 0.1], [0.0, 0.9, 0.1]],
            [[1.0, 0.0, 0.0], [0.0, 0.9, 0.1]],
            [[0.0, 0.1, 0.9], [0.6, 0.2, 0.2]],
            [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
        ],
        [
            [[0.0, 0.7, 0.3], [0.0, 0.7, 0.3]],
            [[0.25, 0.35, 0.4], [0.0, 0.1, 0.9]],
            [[0.6, 0.4, 0.0], [0.01, 0.0, 0.99]],
            [[0.1, 0.5, 0.4], [1.0, 0.0, 0.0]],
        ],
    ];
    let rows = |step: usize, place: usize| match tables[sentence].get(step) {
        Some(places) => {
            let [eos, w1, w2] = places[place];
            [eos, 0.0, w1, w2].map(f32::ln).to_vec()
        }
        None => [1.0_f32, 0.0, 0.0, 0.0].map(f32::ln).to_vec(),
    };
    let mut hypotheses = search(&mut Table { step: 0, rows }, &[limit], options);
    hypotheses.remove(0)
}

fn is(hypotheses: &[Hypothesis], expected: [(&[u32], f64, f64); 2]) {
    assert_eq!(hypotheses.len(), 2);
    for (hypothesis, (ids, log_prob, score)) in hypotheses.iter().zip(expected) {
        assert_eq!(hypothesis.ids, ids);
        assert!(
            (hypothesis.log_prob - log_prob).abs() < 1e-6,
            "{hypothesis:?}"
        );
        assert!((hypothesis.score - score).abs() < 1e-6, "{hypothesis:?}");
        assert!(hypothesis.finished);
    }
}

const W1: (&[u32], f64) = (&[2], -0.105_361);
const W2_W1_W2: (&[u32], f64) = (&[3, 2, 3], -2.513_306);
const W1_W2_W1: (&[u32], f64) = (&[2, 3, 2], -2.189_256);
const W1_W2: (&[u32], f64) = (&[2, 3], -1.783_791);

fn with((ids, log_prob): (&'static [u32], f64), score: f64) -> (&'static [u32], f64, f64) {
    (ids, log_prob, score)
}

#[test]
fn fairseqs_table_gives_its_hypotheses_and_scores() {
    let options = options();
    let expected = [with(W1, -0.052_680), with(W2_W1_W2, -0.628_327)];
    is(&fairseq(0, 200, &options), expected);
    let expected = [with(W1_W2_W1, -0.547_314), with(W1_W2, -0.594_597)];
    is(&fairseq(1, 200, &options), expected);
}

#[test]
fn without_normalisation_and_with_a_small_exponent_the_shorter_of_sentence_2_wins() {
    let raw = DecodeOptions {
        penalty: Penalty::None,
        ..options()
    };
    is(
        &fairseq(0, 200, &raw),
        [with(W1, W1.1), with(W2_W1_W2, W2_W1_W2.1)],
    );
    is(
        &fairseq(1, 200, &raw),
        [with(W1_W2, W1_W2.1), with(W1_W2_W1, W1_W2_W1.1)],
    );
    let short = DecodeOptions {
        alpha: 0.6,
        ..options()
    };
    is(
        &fairseq(0, 200, &short),
        [with(W1, -0.069_512), with(W2_W1_W2, -1.093_980)],
    );
    is(
        &fairseq(1, 200, &short),
        [with(W1_W2, -0.922_723), with(W1_W2_W1, -0.952_929)],
    );
}

#[test]
fn an_exponent_of_5_prefers_the_longer() {
    let long = DecodeOptions {
        alpha: 5.0,
        ..options()
    };
    let over = |(ids, log_prob): (&'static [u32], f64), length: f64| {
        (ids, log_prob, log_prob / length.powi(5))
    };
    is(
        &fairseq(0, 200, &long),
        [over(W2_W1_W2, 4.0), over(W1, 2.0)],
    );
    is(
        &fairseq(1, 200, &long),
        [over(W1_W2_W1, 4.0), over(W1_W2, 3.0)],
    );
}

#[test]
fn at_the_greatest_length_fairseqs_hypotheses_must_end() {
    // fairseq's max_len_b is 2: two tokens and the EOS.
    let sum = |factors: [f64; 3]| factors.iter().map(|p| p.ln()).sum::<f64>();
    let (first, second) = (sum([0.1, 0.1, 0.6]), sum([0.3, 0.9, 0.01]));
    is(
        &fairseq(0, 3, &options()),
        [with(W1, -0.052_680), (&[3, 3], first, first / 3.0)],
    );
    is(
        &fairseq(1, 3, &options()),
        [with(W1_W2, -0.594_597), (&[3, 3], second, second / 3.0)],
    );
}

#[test]
fn at_the_greatest_length_the_hypotheses_of_transformers_end_at_no_cost() {
    let rule = DecodeOptions {
        rule: Rule::Transformers,
        ..options()
    };
    // The EOS costs nothing, so the more probable beginning wins although EOS is improbable after it.
    let sum = 0.09_f64.ln();
    is(
        &fairseq(0, 3, &rule),
        [with(W1, -0.052_680), (&[3, 2], sum, sum / 3.0)],
    );
    // Below that length both searches give the same.
    for sentence in [0, 1] {
        assert_eq!(
            fairseq(sentence, 200, &rule),
            fairseq(sentence, 200, &options())
        );
    }
}

/// The model of TensorFlow's `official/nlp/modeling/ops/beam_search_test.py`, whose numbers are logits.
fn tensorflow(step: usize, place: usize) -> Vec<f32> {
    let logits: [[[f32; 3]; 3]; 2] = [
        [[0.2, 0.7, 0.1], [0.5, 0.3, 0.2], [0.1, 0.8, 0.1]],
        [[0.1, 0.8, 0.1], [0.3, 0.4, 0.3], [0.2, 0.1, 0.7]],
    ];
    let row = logits[place][step];
    let log_sum = row.iter().map(|x| x.exp()).sum::<f32>().ln();
    row.map(|x| x - log_sum).to_vec()
}

fn official() -> DecodeOptions {
    DecodeOptions {
        penalty: Penalty::Gnmt,
        alpha: 0.6,
        rule: Rule::Tensorflow,
        eos: 9,
        ..options()
    }
}

#[test]
fn tensorflows_table_gives_its_ids_and_log_probabilities() {
    let rows = tensorflow;
    let translations = search(&mut Table { step: 0, rows }, &[3], &official());
    let hypotheses = &translations[0];
    // TensorFlow's ids include the start id 0: [[0, 1, 0, 1], [0, 1, 1, 2]].
    assert_eq!(hypotheses[0].ids, [1, 0, 1]);
    assert_eq!(hypotheses[1].ids, [1, 1, 2]);
    assert!((hypotheses[0].log_prob + 2.397_507).abs() < 1e-6);
    assert!((hypotheses[1].log_prob + 2.675_730).abs() < 1e-6);
    assert!(hypotheses.iter().all(|h| !h.finished), "there is no word 9");
}

#[test]
fn a_prefix_is_kept_and_a_least_length_holds_the_end_back() {
    let forced = DecodeOptions {
        prefix: vec![3, 3],
        ..options()
    };
    for hypothesis in fairseq(1, 200, &forced) {
        assert_eq!(hypothesis.ids[..2], [3, 3]);
    }
    let long = DecodeOptions {
        min_len: 3,
        ..options()
    };
    for hypothesis in fairseq(1, 200, &long) {
        assert!(hypothesis.ids.len() >= 3, "{hypothesis:?}");
    }
}

#[test]
fn a_beam_of_1_ends_with_its_first_eos() {
    let greedy = DecodeOptions {
        beam: 1,
        rule: Rule::Tensorflow,
        ..options()
    };
    let hypotheses = fairseq(0, 200, &greedy);
    assert_eq!(hypotheses.len(), 1);
    assert_eq!(hypotheses[0].ids, [2]);
}

#[test]
fn the_penalty_of_gnmt_is_1_for_one_token() {
    assert_eq!(Penalty::Gnmt.of(1, 0.6), 1.0);
    assert!((Penalty::Gnmt.of(7, 0.6) - 2.0_f64.powf(0.6)).abs() < 1e-12);
    assert_eq!(
        (Penalty::Length.of(4, 1.0), Penalty::None.of(4, 1.0)),
        (4.0, 1.0)
    );
}

#[test]
fn a_beam_wider_than_all_continuations_holds_those_that_there_are() {
    let rows = |_: usize, _: usize| [0.5_f32, 0.5].map(f32::ln).to_vec();
    let wide = DecodeOptions {
        beam: usize::MAX,
        nbest: usize::MAX,
        ..options()
    };
    let hypotheses = search(&mut Table { step: 0, rows }, &[2], &wide);
    let ids: Vec<&[u32]> = hypotheses[0].iter().map(|h| &h.ids[..]).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.contains(&&[][..]) && ids.contains(&&[1][..]), "{ids:?}");
}

#[test]
fn where_no_word_is_possible_the_translation_is_empty_and_not_finished() {
    for rule in [Rule::Fairseq, Rule::Tensorflow] {
        let rows = |_: usize, _: usize| vec![f32::NEG_INFINITY; 3];
        let options = DecodeOptions { rule, ..options() };
        let hypotheses = search(&mut Table { step: 0, rows }, &[4], &options);
        let [only] = &hypotheses[0][..] else {
            panic!("{hypotheses:?}")
        };
        assert!(only.ids.is_empty() && !only.finished);
    }
}

#[test]
fn with_an_exponent_below_0_the_search_goes_on_while_a_better_one_can_come() {
    // Ending at once scores ln 0.4 = -0.92. Continuing starts at -0.54, which is multiplied by 7.5 at the maximum
    // length but only by 7/6 at the next token: (ln 0.58 + ln 0.9) * 7/6 = -0.76.
    let rows = |step: usize, _: usize| {
        let row: [f32; 4] = match step {
            0 => [0.4, 0.0, 0.58, 0.02],
            1 => [0.9, 0.0, 0.09, 0.01],
            _ => [0.01, 0.0, 0.98, 0.01],
        };
        row.map(f32::ln).to_vec()
    };
    for alpha in [-1.0, -3.0, 0.0, 0.6] {
        let options = DecodeOptions {
            penalty: Penalty::Gnmt,
            rule: Rule::Tensorflow,
            nbest: 1,
            alpha,
            ..options()
        };
        let hypotheses = search(&mut Table { step: 0, rows }, &[40], &options).remove(0);
        let best = exhaustive(&rows, 40, &options);
        assert_eq!(hypotheses[0].ids, best, "alpha {alpha}");
    }
}

/// Returns the best hypothesis of any length that repeats token 2 and ends with an EOS.
fn exhaustive(
    rows: &impl Fn(usize, usize) -> Vec<f32>,
    limit: usize,
    options: &DecodeOptions,
) -> Vec<u32> {
    let mut best = (f64::NEG_INFINITY, 0);
    let mut before = 0.0;
    for length in 0..limit {
        let row = rows(length, 0);
        let score = (before + f64::from(row[0])) / options.penalty.of(length + 1, options.alpha);
        if score > best.0 {
            best = (score, length);
        }
        before += f64::from(row[2]);
    }
    vec![2; best.1]
}
