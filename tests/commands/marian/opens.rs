//! State dicts and published models in all the forms in which people have them.

use std::fs;
use std::path::{Path, PathBuf};

use transformer_tutor::text::sentencepiece::SentencePiece;

use crate::support::{prints, refuses, says};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A copy of a folder.
fn copy(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(fixture(name)).unwrap().flatten() {
        fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    folder
}

#[test]
fn a_state_dict_is_the_same_model_in_every_form_in_which_people_save_it() {
    let folder = tempfile::tempdir().unwrap();
    let imported = |name: &str| {
        let out = folder.path().join("model.safetensors");
        let file = fixture("state-dicts").join(name);
        let words = ["tools", "weights", "import", "--force", "--heads", "2"];
        let paths = [&*text(&file), "--out", &*text(&out)];
        let report = prints(&[&words[..], &paths].concat());
        assert!(report.contains("layers 1, d_model 4, d_ff 6"), "{report}");
        fs::read(out).unwrap()
    };
    let expected = imported("expected.safetensors");
    for name in [
        "buffers.safetensors",
        "parallel.pt",
        "checkpoint.pth",
        "parameters.bin",
        "protocol-5.pt",
    ] {
        assert!(imported(name) == expected, "{name}");
    }
    // The first bytes decide, not the name.
    let renamed = folder.path().join("model.pt");
    fs::copy(fixture("state-dicts/expected.safetensors"), &renamed).unwrap();
    assert!(imported(&text(&renamed)) == expected);
}

#[test]
fn objects_of_another_program_are_refused_by_name() {
    let file = text(&fixture("state-dicts/refused.pt"));
    refuses(
        &["tools", "weights", "import", &file, "--out", "x"],
        &["argparse.Namespace", "it is refused", "model.state_dict()"],
    );
}

#[test]
fn a_missing_part_is_said_once() {
    let folder = copy("parity-marian/sharded/model");
    fs::remove_file(folder.path().join("vocab.json")).unwrap();
    let model = text(folder.path());
    let line = ["translate", "--model", &model, "Hello."];
    let cause = "it is a published Marian model without vocab.json; download what is missing\n";
    refuses(&line, &[cause]);
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 930040720\n";
    let whole = copy("parity-marian/separate/model");
    fs::write(whole.path().join("model.safetensors"), pointer).unwrap();
    let model = text(whole.path());
    refuses(
        &["translate", "--model", &model, "Hello."],
        &[
            "model.safetensors cannot be used: it is a Git LFS pointer in place of the file of 930040720 bytes; run git lfs \
           pull in its folder, or download the file\n",
        ],
    );
}

#[test]
fn a_file_in_place_of_a_folder_is_said_to_be_one() {
    let file = text(&fixture("state-dicts/parallel.pt"));
    refuses(
        &["translate", "--model", &file, "x"],
        &["parallel.pt cannot be used: it is a file, and a model is a folder"],
    );
    let file = text(&fixture("state-dicts/make.py"));
    refuses(
        &["tools", "weights", "import", &file, "--out", "x"],
        &["make.py cannot be used: it is neither a file of torch.save nor one of safetensors"],
    );
}

#[test]
fn separate_vocabularies_need_both_files_and_survive_being_written() {
    let folder = copy("parity-marian/separate/model");
    let model = text(folder.path());
    let out = text(&folder.path().join("out"));
    let line = ["--max-length", "8", "Wo ist das Haus?"];
    let translate = |model: &str| {
        let words = ["translate", "--model", model, "--penalty", "transformers"];
        says(&[&words[..], &line].concat()).0
    };
    prints(&[
        "tools", "weights", "export", &model, "--to", "marian", "--out", &out,
    ]);
    assert_eq!(translate(&out), translate(&model));
    for file in ["vocab.json", "target_vocab.json"] {
        let words = |folder: &str| -> serde_json::Value {
            let text = fs::read_to_string(Path::new(folder).join(file)).unwrap();
            serde_json::from_str(&text).unwrap()
        };
        assert_eq!(words(&out), words(&model), "{file}");
    }
    fs::remove_file(folder.path().join("target_vocab.json")).unwrap();
    refuses(
        &["translate", "--model", &model, "x"],
        &[
            "target_vocab.json cannot be used: it is missing; a model of separate vocabularies needs it",
        ],
    );
}

#[test]
fn byte_fallback_spells_unknown_characters() {
    let bytes = fs::read(fixture("published/byte-fallback.spm")).unwrap();
    let model = SentencePiece::parse(bytes).unwrap();
    // As SentencePiece 0.2.1 cuts it.
    assert_eq!(model.encode("犬"), ["▁", "<0xE7>", "<0x8A>", "<0xAC>"]);
    assert_eq!(
        model.encode("Der Hund ☃ é"),
        [
            "▁De", "r", "▁Hu", "nd", "▁", "<0xE2>", "<0x98>", "<0x83>", "▁", "<0xC3>", "<0xA9>"
        ]
    );
    let line = "Der Hund ☃ 犬 é";
    let pieces = model.encode(line);
    assert_eq!(model.decode(pieces.iter().map(String::as_str)), line);
}

#[test]
fn every_sentence_of_a_line_keeps_its_language_code_and_unknown_characters_their_bytes() {
    let folder = copy("published/multilingual");
    let [source, target] = ["source.spm", "target.spm"].map(|name| folder.path().join(name));
    fs::copy(source, target).unwrap();
    let model = text(folder.path());
    // Lines and their translations by transformers, among them a 犬 that is no piece.
    let expected = fs::read(folder.path().join("expected.json")).unwrap();
    let expected: [[String; 2]; 4] = serde_json::from_slice(&expected).unwrap();
    for [line, translation] in expected {
        let (stdout, stderr) = says(&["translate", "--model", &model, &line]);
        assert_eq!(stdout.trim_end(), translation, "{line}");
        assert!(!stderr.contains("does not know"), "{line}: {stderr}");
    }
}

#[test]
fn no_word_between_angle_quotes_is_lost() {
    for (quoted, plain, words) in [
        (
            "Er sagte: >>Komm her!<<",
            "Er sagte: »Komm her!«",
            &["said", "here"],
        ),
        (
            ">>Komm her<<, sagte er.",
            "»Komm her«, sagte er.",
            &["here", "said"],
        ),
        (
            "Das Buch >>Der Hund<< ist gut.",
            "Das Buch »Der Hund« ist gut.",
            &["book", "dog"],
        ),
        (
            "Ich habe >>keine Zeit<< und >>kein Geld<< mehr.",
            "Ich habe »keine Zeit« und »kein Geld« mehr.",
            &["time", "money"],
        ),
    ] {
        let translation = says(&["translate", quoted]);
        assert_eq!(translation, says(&["translate", plain]));
        for word in words {
            assert!(translation.0.contains(word), "{word}: {translation:?}");
        }
    }
}

#[test]
fn the_built_in_model_is_exported_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let out = text(&folder.path().join("ev"));
    prints(&[
        "tools", "weights", "export", "everyday", "--to", "marian", "--out", &out,
    ]);
    let line = "Wo ist der Bahnhof?";
    let exported = says(&["translate", "--model", &out, line]);
    assert_eq!(exported, says(&["translate", line]));
}

#[test]
fn the_doctor_tells_what_a_model_is_and_what_can_be_done_with_it() {
    let doctor = |path: &Path| prints(&["doctor", &text(path)]);
    for (name, words) in [
        (
            "parity-marian/bpe/model",
            &[
                "a published Marian model",
                "byte-pair pieces of SentencePiece with byte fallback",
                "translate --model",
            ][..],
        ),
        (
            "parity-marian/separate/model",
            &["separate vocabularies", "unigram pieces of SentencePiece"],
        ),
        (
            "parity-marian/sharded/model",
            &["a published Marian model", "3 of them added later"],
        ),
        (
            "state-dicts/parallel.pt",
            &[
                "a state dict of an Annotated Transformer",
                "tools weights import",
            ],
        ),
    ] {
        let report = doctor(&fixture(name));
        for word in words {
            assert!(report.contains(word), "{word}: {report}");
        }
    }
    let report = doctor(Path::new("everyday"));
    assert!(report.contains("the everyday model that comes with the program"));
}

#[test]
fn the_doctor_names_what_is_missing_and_what_to_do() {
    let folder = copy("parity-marian/bpe/model");
    for name in ["vocab.json", "target.spm", "model.safetensors"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let doctor = |path: &Path| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
            .args(["doctor", "--json", &text(path)])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let problem = |report: &serde_json::Value| report["problem"].as_str().unwrap().to_owned();
    let report = problem(&doctor(folder.path()));
    assert!(
        report.contains("without vocab.json, target.spm, its weights ("),
        "{report}"
    );
    let native = tempfile::tempdir().unwrap();
    for name in ["model.npz", "decoder.yml"] {
        fs::write(native.path().join(name), "").unwrap();
    }
    let report = problem(&doctor(native.path()));
    assert!(
        report.contains("convert_marian_to_pytorch --src"),
        "{report}"
    );
    let report = problem(&doctor(&fixture("parity-marian/sharded/model/config.json")));
    assert!(report.contains("name its folder"), "{report}");
    let report = problem(&doctor(&fixture("state-dicts/refused.pt")));
    assert!(report.contains("argparse.Namespace"), "{report}");
    let text = problem(&doctor(&fixture("corpora/tatoeba.tsv")));
    assert!(text.contains("neither a file of torch.save"), "{text}");
    assert_eq!(doctor(Path::new("/nowhere"))["is"], "nothing");
}
