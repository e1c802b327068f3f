use super::*;
use crate::decode::cache::{Cache, CacheStats};
use crate::decode::greedy::greedy;
use crate::decode::options::{Penalty, Sampling};
use crate::tensor::random;
use crate::transformer::Config;
use crate::transformer::config::Start;

const WORDS: usize = 37;

/// Models of the four forms with random weights, which are larger than initial ones, so that no two tokens are almost
/// equally probable, and include non-zero biases.
fn models() -> Vec<(Transformer, Params)> {
    let forms = [
        Config::annotated(WORDS, WORDS),
        Config::tensorflow(WORDS),
        Config::paper(WORDS),
        Config::marian(WORDS),
    ];
    let built = forms.map(|config| {
        let mut params = Params::new(5);
        let mut config = config.sized(2, 16, 40, 4);
        if config.start == Start::Padding {
            (config.encoder_layers, config.encoder_d_ff) = (Some(3), Some(24));
            config.scale_embeddings = false;
        }
        let model = Transformer::new(&mut params, &config);
        for (n, tensor) in params.tensors_mut().iter_mut().enumerate() {
            let noise = random::normal(tensor.shape(), 0.3, 5, &n.to_string());
            *tensor = tensor.zip(&noise, |x, y| x + y);
        }
        if let Some(bias) = model
            .generator
            .bias
            .filter(|_| config.start == Start::Padding)
        {
            // Keeps `greedy`, with which results are compared, from choosing padding too.
            params.get_mut(bias).data_mut()[0] = -1e4;
        }
        (model, params)
    });
    built.into()
}

/// Returns sentences of these lengths.
fn sentences(lengths: &[usize]) -> Vec<Vec<u32>> {
    let word = |n: usize, i: usize| (3 + (n * 7 + i * 11 + i * i) % (WORDS - 3)) as u32;
    let of = |(n, &length): (usize, &usize)| (0..length).map(|i| word(n, i)).collect();
    lengths.iter().enumerate().map(of).collect()
}

fn ids(translations: &[Vec<Hypothesis>]) -> Vec<Vec<u32>> {
    translations
        .iter()
        .flatten()
        .map(|h| h.ids.clone())
        .collect()
}

#[test]
fn a_model_that_is_ready_answers_again_and_again_as_at_once() {
    let options = DecodeOptions::default();
    for (model, params) in models() {
        let all = sentences(&[3, 9, 1, 5]);
        let ready = PackedModel::new(&model, &params);
        // Shorter and longer sentences alternate, so that state kept from one request would affect the next.
        let one = |one| ready.translate(std::slice::from_ref(one), &options);
        let one_by_one: Vec<_> = all.iter().flat_map(one).collect();
        assert_eq!(one_by_one, translate(&model, &params, &all, &options));
    }
}

#[test]
fn greedy_writes_the_same_words_with_and_without_a_cache_to_length_40() {
    let options = DecodeOptions {
        max_len: Some(40),
        // There is no such token, so every sentence is written to its maximum length.
        eos: u32::MAX,
        ..DecodeOptions::greedy()
    };
    for (model, params) in models() {
        let sentences = sentences(&[1, 5, 12]);
        let cached = translate(&model, &params, &sentences, &options);
        let without = DecodeOptions {
            cache: false,
            ..options.clone()
        };
        let anew = translate(&model, &params, &sentences, &without);
        assert_eq!(ids(&cached), ids(&anew));
        assert!(
            cached
                .iter()
                .all(|hypotheses| hypotheses[0].ids.len() == 40)
        );
        for (a, b) in cached.iter().flatten().zip(anew.iter().flatten()) {
            assert!((a.log_prob - b.log_prob).abs() < 1e-3, "{a:?} {b:?}");
        }
        for (src, hypotheses) in sentences.iter().zip(&cached) {
            let src = Tensor::new(&[1, src.len()], src.iter().map(|&id| id as f32).collect());
            let words = greedy(&model, &params, &src, BOS as f32, 40);
            assert!(
                words
                    .data()
                    .iter()
                    .copied()
                    .eq(hypotheses[0].ids.iter().map(|&id| id as f32))
            );
        }
    }
}

#[test]
fn beams_find_the_same_with_and_without_a_cache() {
    let options = DecodeOptions {
        nbest: 3,
        ..DecodeOptions::default()
    };
    for (model, params) in models() {
        let sentences = sentences(&[3, 8, 2]);
        let cached = translate(&model, &params, &sentences, &options);
        let without = DecodeOptions {
            cache: false,
            ..options.clone()
        };
        assert_eq!(
            ids(&cached),
            ids(&translate(&model, &params, &sentences, &without))
        );
    }
}

#[test]
fn a_sentence_comes_out_the_same_to_the_bit_alone_padded_and_in_any_company() {
    let drawn = DecodeOptions {
        nbest: 2,
        sampling: Some(Sampling::default()),
        ..DecodeOptions::default()
    };
    let searched = DecodeOptions {
        nbest: 2,
        ..DecodeOptions::default()
    };
    for (model, params) in models() {
        for options in [&searched, &drawn] {
            let mut all = sentences(&[
                5, 1, 9, 17, 5, 3, 12, 4, 8, 2, 6, 7, 11, 10, 13, 14, 15, 16, 18, 5,
            ]);
            let together = translate(&model, &params, &all, options);
            assert_eq!(
                alone(|| translate(&model, &params, &all, options)),
                together
            );
            for (n, sentence) in all.iter_mut().enumerate() {
                sentence.extend([0, 0, 0]);
                let one = translate(&model, &params, std::slice::from_ref(sentence), options);
                assert_eq!(one[0], together[n], "sentence {n}");
            }
        }
    }
}

#[test]
fn the_scores_of_a_translations_words_add_up_to_its_log_probability() {
    for (model, params) in models() {
        let sentences = sentences(&[4, 6, 9]);
        for (src, hypotheses) in sentences.iter().zip(translate(
            &model,
            &params,
            &sentences,
            &DecodeOptions::default(),
        )) {
            let Hypothesis {
                ids,
                score: normalised,
                log_prob,
                finished,
            } = &hypotheses[0];
            let words = score(&model, &params, src, ids);
            assert_eq!(words.len(), ids.len() + 1);
            let counted = words.len() - usize::from(!finished);
            let sum: f64 = words[..counted].iter().sum();
            assert!((sum - log_prob).abs() < 1e-3, "{sum} {log_prob}");
            let penalty = Penalty::Gnmt.of(counted, 0.6);
            assert!((normalised * penalty - log_prob).abs() < 1e-9);
        }
    }
}

#[test]
fn translations_begin_with_the_prefix_and_keep_to_the_lengths() {
    let (model, params) = models().remove(0);
    let sentences = sentences(&[3, 5]);
    for (beam, sampling) in [(1, None), (4, None), (1, Some(Sampling::default()))] {
        let options = DecodeOptions {
            beam,
            sampling,
            prefix: vec![9, 8, 7],
            min_len: 6,
            max_len: Some(9),
            ..DecodeOptions::default()
        };
        for hypotheses in translate(&model, &params, &sentences, &options) {
            assert_eq!(hypotheses[0].ids[..3], [9, 8, 7]);
            assert!((6..=9).contains(&hypotheses[0].ids.len()), "{hypotheses:?}");
        }
    }
}

#[test]
fn one_seed_draws_one_translation_and_another_another() {
    let (model, params) = models().remove(1);
    let with = |seed, temperature| {
        let sampling = Sampling {
            seed,
            temperature,
            ..Sampling::default()
        };
        let options = DecodeOptions {
            sampling: Some(sampling),
            nbest: 3,
            ..DecodeOptions::default()
        };
        ids(&translate(&model, &params, &sentences(&[6]), &options))
    };
    assert_eq!(with(1, 1.0), with(1, 1.0));
    assert_ne!(with(1, 1.0), with(2, 1.0));
    let cold = with(1, 0.0);
    assert_eq!(
        cold[0], cold[1],
        "at temperature 0 nothing is left to chance"
    );
    assert_eq!(
        cold[0],
        ids(&translate(
            &model,
            &params,
            &sentences(&[6]),
            &DecodeOptions::greedy()
        ))[0]
    );
}

#[test]
fn a_sentence_without_words_has_the_empty_translation() {
    let (model, params) = models().remove(0);
    for empty in [vec![], vec![0, 0]] {
        let hypotheses = translate(
            &model,
            &params,
            &[empty, vec![5]],
            &DecodeOptions::default(),
        );
        assert!(hypotheses[0][0].ids.is_empty() && hypotheses[0][0].finished);
    }
}

#[test]
#[should_panic(expected = "the source has the id 37, but its vocabulary ends at 36")]
fn an_id_outside_the_vocabulary_is_named() {
    let (model, params) = models().remove(0);
    translate(&model, &params, &[vec![37]], &DecodeOptions::default());
}

/// Returns the cache of one sentence after `rows` hypotheses have read `words` tokens.
fn read(decoder: &Incremental<'_>, rows: usize, words: usize) -> Cache {
    let source = decoder.source(&[5, 6, 7]);
    let mut cache = decoder.begin(&vec![source; rows]);
    for word in 0..words {
        cache = decoder.step(cache, &vec![3 + word as u32; rows]).1;
    }
    cache
}

#[test]
fn twenty_words_project_20_rows_where_210_would_be_projected_without_a_cache() {
    let (model, params) = models().remove(0);
    let decoder = Incremental::new(&model, &params, 20);
    let CacheStats {
        projected,
        reused,
        discarded,
        source,
        bytes,
        ..
    } = read(&decoder, 1, 20).stats;
    assert_eq!((projected, projected + reused), (20, 210));
    assert_eq!((discarded, source), (0, 3));
    // Keys and values, 2 layers, d_model 16, 4 bytes.
    assert_eq!(bytes, 2 * 2 * 16 * 4 * (20 + 3));
}

#[test]
fn selecting_gives_each_hypothesis_the_past_of_its_parent() {
    for (model, params) in models() {
        let decoder = Incremental::new(&model, &params, 12);
        let source = decoder.source(&[5, 6, 7]);
        // Different hypotheses are swapped repeatedly, as in a beam search; dead rows are dropped on the way.
        let mut cache = decoder.begin(&[source.clone(), source.clone(), source.clone()]);
        let mut prefixes = vec![vec![]; 3];
        for (step, parents) in [
            [0, 1, 2],
            [1, 0, 1],
            [2, 2, 0],
            [1, 1, 1],
            [0, 2, 0],
            [2, 1, 0],
        ]
        .iter()
        .enumerate()
        {
            cache = cache.select(parents);
            prefixes = parents.map(|p: usize| prefixes[p].clone()).to_vec();
            let words = [4, 9, 14].map(|word| word + step as u32);
            let (logits, longer) = decoder.step(cache, &words);
            cache = longer;
            for (row, (prefixes, word)) in prefixes.iter_mut().zip(words).enumerate() {
                prefixes.push(word);
                let mut alone = decoder.begin(std::slice::from_ref(&source));
                let mut last = Tensor::zeros(&[0]);
                for &word in &*prefixes {
                    (last, alone) = decoder.step(alone, &[word]);
                }
                assert_eq!(last.data(), &logits.data()[row * WORDS..(row + 1) * WORDS]);
            }
        }
        assert!(cache.stats.discarded > 0);
    }
}
