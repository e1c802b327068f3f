//! A published Marian model through the commands: translating, scoring, looking inside, exporting again.

use std::fs;
use std::path::{Path, PathBuf};

mod opens;

use crate::support::{prints, refuses, says};

fn model(set: usize) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join(format!("tests/fixtures/parity-marian/set-{set}/model"));
    path.to_string_lossy().into_owned()
}

#[test]
fn a_published_model_translates_scores_and_is_measured() {
    let (model, folder) = (model(2), tempfile::tempdir().unwrap());
    // The greedy translation in expected.json, limited to 24 tokens.
    let line = "Er hat Zugang zur amerikanischen Botschaft.";
    let greedy = [
        "translate",
        "--model",
        &model,
        "--beam",
        "1",
        "--penalty",
        "transformers",
        "--max-length",
        "23",
        line,
    ];
    assert_eq!(
        prints(&greedy),
        "French French Did Did Did Did Did open open open\n"
    );
    let (src, tgt) = (folder.path().join("a.de"), folder.path().join("a.en"));
    fs::write(&src, "Weißt du das?\n").unwrap();
    fs::write(&tgt, "Do you know this?\n").unwrap();
    let path = |path: &PathBuf| path.to_string_lossy().into_owned();
    let (src, tgt) = (path(&src), path(&tgt));
    let score = prints(&[
        "tools", "score", "--model", &model, "--src", &src, "--tgt", &tgt, "--json",
    ]);
    let score: serde_json::Value = serde_json::from_str(&score).unwrap();
    // The sum of target_log_probs of the third sentence there.
    let sum = score["log_prob"].as_f64().unwrap();
    assert!((sum + 41.818_202_73).abs() < 1e-3, "{sum}");
    assert_eq!(
        score["log_probs"].as_array().unwrap().len(),
        score["tokens"].as_array().unwrap().len()
    );
    let measured = prints(&[
        "evaluate", "--model", &model, "--src", &src, "--ref", &tgt, "--json",
    ]);
    let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
    assert_eq!(measured["sentences"], 1);
    assert!(
        (measured["nats"].as_f64().unwrap() + sum / 6.0).abs() < 1e-3,
        "{measured}"
    );
}

#[test]
fn a_published_model_is_looked_into() {
    for set in [1, 2] {
        let model = format!("model={}", model(set));
        for stage in ["decoding", "looking-inside", "playground"] {
            let shown = prints(&[
                "show",
                stage,
                "--set",
                &model,
                "--set",
                "sentence=Weißt du das?",
            ]);
            // The first piece begins a word, the others continue it.
            let has = |piece: &str| {
                let column = format!(":{piece}");
                let mut words = shown.split_whitespace();
                words.any(|word| word == piece || word.ends_with(&column))
            };
            assert!(has("W") && has("-t"), "{shown}");
        }
    }
}

#[test]
fn a_published_model_is_written_again_and_agrees_still() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (out, again) = (path("set/model"), path("again"));
    let printed = prints(&[
        "tools",
        "weights",
        "export",
        &model(1),
        "--to",
        "marian",
        "--out",
        &out,
    ]);
    assert!(
        printed.contains("model.safetensors; ") && printed.contains(", 694 words"),
        "{printed}"
    );
    let set = Path::new(&model(1)).parent().unwrap().to_owned();
    for name in ["expected.json", "expected.safetensors"] {
        fs::copy(set.join(name), folder.path().join("set").join(name)).unwrap();
    }
    assert!(prints(&["tools", "parity", &path("set")]).ends_with("6 of 6 cases agree\n"));
    prints(&[
        "tools", "weights", "export", &out, "--to", "marian", "--out", &again,
    ]);
    for entry in fs::read_dir(&out).unwrap().flatten() {
        let other = Path::new(&again).join(entry.file_name());
        assert_eq!(
            fs::read(entry.path()).unwrap(),
            fs::read(&other).unwrap(),
            "{}",
            other.display()
        );
    }
    // Other people's files are not overwritten.
    fs::write(Path::new(&again).join("config.json"), "mine").unwrap();
    refuses(
        &[
            "tools", "weights", "export", &out, "--to", "marian", "--out", &again,
        ],
        &["config.json"],
    );
}

/// A copy of the first published model with `language` as its source and two target languages.
fn multilingual(folder: &Path, language: &str) -> String {
    for entry in fs::read_dir(model(1)).unwrap().flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    let replace = |file: &str, changes: &[(&str, &str)]| {
        let mut text = fs::read_to_string(folder.join(file)).unwrap();
        for (from, to) in changes {
            assert!(text.contains(from), "{file} has no {from}");
            text = text.replace(from, to);
        }
        fs::write(folder.join(file), text).unwrap();
    };
    replace(
        "vocab.json",
        &[("\"9\"", "\">>fra<<\""), ("\"Y\"", "\">>por<<\"")],
    );
    replace(
        "tokenizer_config.json",
        &[("\"de\"", &format!("\"{language}\""))],
    );
    folder.to_string_lossy().into_owned()
}

/// The sentences that a line is split into.
fn cut(model: &str, line: &str) -> Vec<String> {
    let words = ["translate", "--model", model, "--max-length", "2", "--json"];
    let lines = prints(&[&words[..], &[line]].concat());
    let source = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["source"].as_str().unwrap().to_owned()
    };
    lines.lines().map(source).collect()
}

#[test]
fn a_lines_language_code_belongs_to_each_of_its_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let model = multilingual(folder.path(), "eng");
    assert_eq!(
        cut(&model, ">>por<< Good morning. How are you?"),
        [">>por<< Good morning.", ">>por<< How are you?"]
    );
    let words = ["translate", "--model", &model, "--max-length", "2"];
    let (_, err) = says(&[&words[..], &[">>deu<< Good."]].concat());
    assert!(err.contains("does not know '>>deu<<'"), "{err}");
}

#[test]
fn lines_are_cut_by_the_rules_of_the_models_source_language() {
    let folder = tempfile::tempdir().unwrap();
    let english = multilingual(folder.path(), "en");
    for line in [
        "See p. 5 and fig. 3, i.e. the end.",
        "He works at Apple Inc. in New York.",
        "No. 5 is alive.",
    ] {
        assert_eq!(cut(&english, line), [line]);
    }
    assert_eq!(
        cut(&english, "It was 5. Then go."),
        ["It was 5.", "Then go."]
    );
    let french = multilingual(folder.path(), "fr");
    for line in ["Voir p. ex. la fig. 3.", "Il est né av. J.-C. en 50."] {
        assert_eq!(cut(&french, line), [line]);
    }
    // The codes survive when a model is written again.
    let out = folder.path().join("out").to_string_lossy().into_owned();
    prints(&[
        "tools", "weights", "export", &french, "--to", "marian", "--out", &out,
    ]);
    let config = fs::read_to_string(Path::new(&out).join("tokenizer_config.json")).unwrap();
    assert!(config.contains("\"source_lang\": \"fr\""), "{config}");
}
