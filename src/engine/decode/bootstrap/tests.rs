use serde_json::Value;

use super::*;
use crate::decode::bleu::Smooth;

#[test]
fn a_system_does_not_differ_from_itself() {
    let hyps = vec!["the cat sat on the mat", "hello world", "a dog barks"];
    let refs = [vec!["the cat sat on a mat", "hello big world", "dogs bark"]];
    for measure in [
        Measure::Bleu(BleuOptions::default()),
        Measure::Chrf(ChrfOptions::default()),
        Measure::Ter(TerOptions::default()),
    ] {
        let resampling = Resampling {
            samples: 100,
            ..Resampling::default()
        };
        let both = paired(&[hyps.clone(), hyps.clone()], &refs, &measure, &resampling);
        assert_eq!(both[0].p, None);
        // No drawn difference is above the real one, 0, so only the 1 that is always added counts.
        assert_eq!(
            both[1],
            Tested {
                p: Some(1.0 / 101.0),
                ..both[0]
            }
        );
    }
}

#[test]
fn the_signature_names_samples_and_seed() {
    let signature = Measure::Ter(TerOptions::default()).signature(1, &Resampling::default());
    assert!(signature.starts_with("nrefs:1|bs:1000|seed:12345|case:lc|tok:tercom|"));
}

/// Texts with scores of sacreBLEU 2.6.0, which tests/fixtures/measures/make.py wrote.
fn recorded() -> Value {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../../tests/fixtures/measures/expected.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn lines(value: &Value) -> Vec<&str> {
    let all = value.as_array().unwrap().iter();
    all.map(|line| line.as_str().unwrap()).collect()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

/// The measure that a recorded score was computed with.
fn measure(entry: &Value) -> Measure {
    let is = |name: &str| entry[name] == true;
    match entry["measure"].as_str().unwrap() {
        "bleu" => Measure::Bleu(BleuOptions {
            tokenize: entry["tokenize"].as_str().unwrap_or("13a").parse().unwrap(),
            smooth: match entry["smooth"].as_str().unwrap_or("exp") {
                "floor" => Smooth::Floor(0.1),
                "add-k" => Smooth::AddK(1.0),
                "none" => Smooth::None,
                _ => Smooth::Exp,
            },
            lowercase: is("lowercase"),
            ..BleuOptions::default()
        }),
        "chrf" => Measure::Chrf(ChrfOptions {
            word_order: entry["word_order"].as_u64().unwrap_or(0) as usize,
            lowercase: is("lowercase"),
            ..ChrfOptions::default()
        }),
        "chrf++" => Measure::Chrf(ChrfOptions::plus_plus()),
        _ => Measure::Ter(TerOptions {
            normalized: is("normalized"),
            no_punct: is("no_punct"),
            asian_support: is("asian_support"),
            case_sensitive: is("case_sensitive"),
        }),
    }
}

#[test]
fn scores_and_signatures_are_those_of_sacrebleu() {
    let recorded = recorded();
    let mut count = 0;
    for set in list(&recorded["sets"]) {
        let hyps = lines(&set["hyps"]);
        let refs: Vec<Vec<&str>> = list(&set["refs"]).iter().map(lines).collect();
        for entry in list(&set["scores"]) {
            let measure = measure(entry);
            let score = measure.score(&hyps, &refs);
            let expected = entry["score"].as_f64().unwrap();
            let close = (score - expected).abs() <= 1e-9;
            assert!(close, "{}: {entry}: {score}", set["name"]);
            let (signature, text) = match &measure {
                Measure::Bleu(how) => (
                    how.signature(refs.len()),
                    corpus_bleu(&hyps, &refs, how).to_string(),
                ),
                Measure::Chrf(how) => (
                    how.signature(refs.len()),
                    corpus_chrf(&hyps, &refs, how).to_string(),
                ),
                Measure::Ter(how) => (
                    how.signature(refs.len()),
                    corpus_ter(&hyps, &refs, how).to_string(),
                ),
            };
            assert_eq!(
                (&*signature, &*text),
                (
                    entry["signature"].as_str().unwrap(),
                    entry["text"].as_str().unwrap()
                )
            );
            count += 1;
        }
    }
    assert_eq!(count, 3 * (40 + 4 + 16));
}

#[test]
fn paired_tests_have_the_digits_of_sacrebleu() {
    let recorded = recorded();
    let paired_tests = &recorded["paired"];
    let systems: Vec<Vec<&str>> = list(&paired_tests["systems"]).iter().map(lines).collect();
    let refs = [lines(&paired_tests["reference"])];
    for test in list(&paired_tests["tests"]) {
        let measure = measure(test);
        let resampling = Resampling {
            samples: test["samples"].as_u64().unwrap() as usize,
            ..Resampling::default()
        };
        assert_eq!(measure.name(), test["name"].as_str().unwrap());
        let signature = measure.signature(1, &resampling);
        assert_eq!(signature, test["signature"].as_str().unwrap());
        let scores = paired(&systems, &refs, &measure, &resampling);
        for (scores, expected) in scores.iter().zip(list(&test["systems"])) {
            let number = |name: &str| expected[name].as_f64();
            assert_eq!(scores.p, number("p_value"), "{test:#}");
            for (scores, name) in [
                (scores.score, "score"),
                (scores.mean, "mean"),
                (scores.interval, "ci"),
            ] {
                let expected = number(name).unwrap();
                assert!(
                    (scores - expected).abs() <= 1e-9,
                    "{name} {scores}: {test:#}"
                );
            }
        }
    }
}
