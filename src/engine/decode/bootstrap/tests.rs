use serde_json::Value;

use super::*;
use crate::decode::bleu::{Smooth, corpus_bleu};
use crate::decode::chrf::corpus_chrf;

#[test]
fn a_system_does_not_differ_from_itself() {
    let hyps = vec!["the cat sat on the mat", "hello world", "a dog barks"];
    let refs = [vec!["the cat sat on a mat", "hello big world", "dogs bark"]];
    for measure in [
        Measure::Bleu(BleuOptions::default()),
        Measure::Chrf(ChrfOptions::default()),
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
        _ => Measure::Chrf(ChrfOptions::plus_plus()),
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
            let (score, text) = match &measure {
                Measure::Bleu(how) => {
                    let bleu = corpus_bleu(&hyps, &refs, how);
                    (bleu.score, bleu.to_string())
                }
                Measure::Chrf(how) => {
                    let chrf = corpus_chrf(&hyps, &refs, how);
                    (chrf.score, chrf.to_string())
                }
            };
            let expected = entry["score"].as_f64().unwrap();
            let close = (score - expected).abs() <= 1e-9;
            assert!(close, "{}: {entry}: {score}", set["name"]);
            let signature = measure.signature(refs.len());
            assert_eq!(signature, entry["signature"].as_str().unwrap());
            assert_eq!(text, entry["text"].as_str().unwrap());
            count += 1;
        }
    }
    assert_eq!(count, 3 * (32 + 4));
}

/// Other lines are drawn than sacreBLEU draws, so means and probabilities agree only about as well as two seeds do.
#[test]
fn paired_tests_agree_with_those_of_sacrebleu() {
    let recorded = recorded();
    let paired_tests = &recorded["paired"];
    let systems: Vec<Vec<&str>> = list(&paired_tests["systems"]).iter().map(lines).collect();
    let refs = [lines(&paired_tests["reference"])];
    for test in list(&paired_tests["tests"]) {
        let measure = measure(test);
        assert_eq!(measure.name(), test["name"].as_str().unwrap());
        let scores = paired(&systems, &refs, &measure, &Resampling::default());
        for (scores, expected) in scores.iter().zip(list(&test["systems"])) {
            let near = |found: f64, name: &str, tolerance: f64| {
                let expected = expected[name].as_f64().unwrap();
                let difference = (found - expected).abs();
                assert!(difference <= tolerance, "{name} {found}: {test:#}");
            };
            near(scores.score, "score", 1e-9);
            near(scores.mean, "mean", 0.5);
            near(scores.interval, "ci", 0.5);
            if let Some(p) = scores.p {
                near(p, "p_value", 0.04);
            }
        }
    }
}
