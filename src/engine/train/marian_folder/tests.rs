use std::fs;
use std::io::Write as _;

use super::*;
use crate::data::safetensors;
use crate::testing::{assert_contains, assert_starts_with};
use crate::text::vocabulary::EOS;
use crate::train::checkpoint;

fn set(n: usize) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join(format!("../../tests/fixtures/parity-marian/set-{n}/model"))
}

/// Copies the folder of a published model.
fn copy(n: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(set(n)).unwrap().flatten() {
        fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    folder
}

/// Returns the error for a copy of set 1 after `change`; it must name `file`.
#[track_caller]
fn refused(file: &str, change: impl FnOnce(&Path), says: &str) {
    let folder = copy(1);
    change(folder.path());
    let message = checkpoint::load(folder.path())
        .err()
        .expect("it is refused")
        .to_string();
    let path = folder.path().join(file).display().to_string();
    assert_starts_with(&message, &path);
    assert_contains(&message, says);
}

fn replace(folder: &Path, file: &str, from: &str, to: &str) {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    fs::write(folder.join(file), text.replace(from, to)).unwrap();
}

#[test]
fn both_forms_of_the_weights_are_the_same_model() {
    let folder = copy(1);
    let one = checkpoint::load(folder.path()).unwrap();
    fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    let other = checkpoint::load(folder.path()).unwrap();
    assert_eq!(one.model.config, other.model.config);
    for (param, name, tensor) in one.params.iter() {
        assert_eq!(other.params.get(param), tensor, "{name}");
    }
}

#[test]
fn a_written_marian_folder_reads_back_to_the_bit() {
    for n in [1, 2] {
        let t = read(&set(n)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files(&t).unwrap() {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        for same in ["vocab.json", "source.spm", "target.spm"] {
            let written = fs::read(folder.path().join(same)).unwrap();
            let text = |bytes: Vec<u8>| {
                String::from_utf8_lossy(&bytes)
                    .split_whitespace()
                    .collect::<String>()
            };
            assert_eq!(
                text(written),
                text(fs::read(set(n).join(same)).unwrap()),
                "{same}"
            );
        }
        let tensors = |folder: &Path| {
            safetensors::read(&folder.join("model.safetensors"))
                .unwrap()
                .tensors
        };
        assert_eq!(tensors(folder.path()), tensors(&set(n)));
        let back = checkpoint::load(folder.path()).unwrap();
        assert_eq!(back.model.config, t.model.config);
        for (param, name, tensor) in t.params.iter() {
            assert_eq!(back.params.get(param), tensor, "{name}");
        }
        let line = "Straße – „Größe“ …";
        assert_eq!(back.pipeline.source_ids(line), t.pipeline.source_ids(line));
    }
}

#[test]
fn a_model_of_this_program_is_not_written() {
    let message = files(crate::train::built_in::BuiltIn::Phrasebook.translator())
        .unwrap_err()
        .to_string();
    assert_contains(&message, "its text is not cut by SentencePiece, and it has");
}

#[test]
fn the_languages_are_those_of_the_folder() {
    let code = |folder: &Path| read(folder).unwrap().pipeline.source.language;
    assert_eq!(code(&set(1)), Some("de".to_owned()));
    let folder = copy(1);
    fs::remove_file(folder.path().join(TOKENIZER)).unwrap();
    assert_eq!(code(folder.path()), None);
    let damaged = |folder: &Path| fs::write(folder.join(TOKENIZER), "{").unwrap();
    refused(TOKENIZER, damaged, "is damaged");
}

#[test]
fn all_missing_files_are_named_at_once() {
    let folder = copy(2);
    let lacks = |file: &str, names: &str| {
        fs::remove_file(folder.path().join(file)).unwrap();
        let message = checkpoint::load(folder.path()).err().unwrap().to_string();
        let start = folder.path().display();
        let why = "cannot be used: it is a published Marian model without";
        assert_starts_with(&message, &format!("{start} {why} {names}"));
    };
    lacks("vocab.json", "vocab.json; download");
    lacks("target.spm", "vocab.json, target.spm; download");
    lacks(WEIGHTS[0], "vocab.json, target.spm, its weights (");
}

#[test]
fn a_pointer_of_git_lfs_is_named_with_what_to_do_and_each_cause_once() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 298763432\n";
    for file in ["vocab.json", "source.spm", WEIGHTS[0], WEIGHTS[1]] {
        let folder = copy(1);
        if file == WEIGHTS[1] {
            fs::remove_file(folder.path().join(WEIGHTS[0])).unwrap();
        }
        let path = folder.path().join(file);
        fs::write(&path, pointer).unwrap();
        let message = checkpoint::load(folder.path()).err().unwrap().to_string();
        assert_starts_with(&message, &path.display().to_string());
        let cause =
            "it is a Git LFS pointer in place of the file of 298763432 bytes; run git lfs pull";
        assert_eq!(message.matches(cause).count(), 1, "{message}");
        assert!(!message.contains("damaged"), "{message}");
    }
}

#[test]
fn a_file_that_is_far_too_large_is_refused_by_its_size() {
    for (file, says) in [
        (
            WEIGHTS[0],
            "it is neither a file of torch.save nor one of safetensors",
        ),
        (WEIGHTS[1], "it has 16106127360 bytes, more than"),
    ] {
        let change = |folder: &Path| {
            fs::remove_file(folder.join(WEIGHTS[0])).unwrap();
            let mut sparse = fs::File::create(folder.join(file)).unwrap();
            if file == WEIGHTS[1] {
                sparse.write_all(b"PK\x03\x04").unwrap();
            }
            // Holes in a sparse file read as zeros, and an empty header is not JSON.
            sparse.set_len(15 << 30).unwrap();
        };
        refused(file, change, says);
    }
}

#[test]
fn a_file_cut_short_is_named() {
    let cut = |file: &'static str| {
        move |folder: &Path| {
            if file == WEIGHTS[1] {
                fs::remove_file(folder.join(WEIGHTS[0])).unwrap();
            }
            let bytes = fs::read(folder.join(file)).unwrap();
            fs::write(folder.join(file), &bytes[..bytes.len() / 2]).unwrap();
        }
    };
    refused("config.json", cut("config.json"), "it is not JSON: EOF");
    refused("vocab.json", cut("vocab.json"), "EOF");
    refused("source.spm", cut("source.spm"), "it is cut short");
    refused("target.spm", cut("target.spm"), "it is cut short");
    refused("model.safetensors", cut("model.safetensors"), "damaged");
    refused(
        "pytorch_model.bin",
        cut("pytorch_model.bin"),
        "it is not a whole zip file",
    );
}

#[test]
fn a_file_of_another_model_is_named_with_what_does_not_fit() {
    let other = |file: &'static str| {
        move |folder: &Path| {
            fs::copy(set(2).join(file), folder.join(file)).unwrap();
        }
    };
    refused(
        "vocab.json",
        other("vocab.json"),
        "it gives <pad> the id 651, and config.json says pad_token_id 693",
    );
    refused(
        "vocab.json",
        other("config.json"),
        "it has 694 words, and config.json says vocab_size 652",
    );
    for file in PIECES {
        refused(
            file,
            other(file),
            "pieces are among the words of its vocabulary: it belongs to another model",
        );
    }
    refused(
        "model.safetensors",
        other("model.safetensors"),
        "the tensor model.shared.weight is [652, 16] and must be [694, 24], according to the config.json beside it",
    );
}

#[test]
fn configurations_that_do_not_fit_the_weights_are_named() {
    let says = |from: &'static str, to: &'static str| {
        move |folder: &Path| replace(folder, "config.json", from, to)
    };
    refused(
        "model.safetensors",
        says("\"encoder_layers\": 2", "\"encoder_layers\": 3"),
        "the tensor model.encoder.layers.2.",
    );
    refused(
        "model.safetensors",
        says("\"decoder_layers\": 3", "\"decoder_layers\": 2"),
        "is not a tensor of this model",
    );
    refused(
        "model.safetensors",
        says("\"decoder_ffn_dim\": 48", "\"decoder_ffn_dim\": 64"),
        "fc1.weight is [48, 24] and must be [64, 24]",
    );
    refused(
        "config.json",
        says("\"model_type\": \"marian\"", "\"model_type\": \"bert\""),
        "model_type is \"bert\"",
    );
    refused(
        "config.json",
        says("\"d_model\": 24", "\"d_model\": 2400000"),
        "the limit is",
    );
    refused(
        "config.json",
        says("\"pad_token_id\": 693", "\"pad_token_id\": 692"),
        "decoder_start_token_id is 693 and pad_token_id 692",
    );
}

#[test]
fn words_without_their_specials_are_refused() {
    refused(
        "vocab.json",
        |folder| replace(folder, "vocab.json", "\"<unk>\"", "\"<huh>\""),
        "it has no <unk>",
    );
    refused(
        "vocab.json",
        |folder| replace(folder, "vocab.json", "\"</s>\": 0", "\"</s>\": 1"),
        "the same id 1",
    );
}

#[test]
fn a_model_of_an_unknown_kind_is_refused_by_file() {
    // trainer_spec.model_type (field 3) is 1 for unigram. It follows the prefix (field 2).
    let strange = |folder: &Path| {
        let path = folder.join("source.spm");
        let mut bytes = fs::read(&path).unwrap();
        let prefix = b"/model/source";
        let at = bytes
            .windows(prefix.len())
            .position(|w| w == prefix)
            .unwrap()
            + prefix.len();
        assert_eq!(bytes[at..at + 2], [3 << 3, 1]);
        bytes[at + 1] = 9;
        fs::write(path, bytes).unwrap();
    };
    refused(
        "source.spm",
        strange,
        "it is of a kind that SentencePiece does not have",
    );
}

#[test]
fn a_number_that_is_none_is_named() {
    refused(
        "model.safetensors",
        |folder| {
            let path = folder.join("model.safetensors");
            let mut file = safetensors::read(&path).unwrap();
            let name = "model.decoder.layers.1.fc1.bias";
            file.tensors.get_mut(name).unwrap().data_mut()[5] = f32::NAN;
            fs::write(&path, safetensors::to_bytes(&file)).unwrap();
        },
        "the tensor model.decoder.layers.1.fc1.bias holds NaN at [5]",
    );
}

#[test]
fn weights_in_several_files_are_the_same_model() {
    let one = read(&set(1)).unwrap();
    let folder = copy(1);
    let weights = folder.path().join(WEIGHTS[0]);
    let all = safetensors::read(&weights).unwrap();
    fs::remove_file(weights).unwrap();
    fs::remove_file(folder.path().join(WEIGHTS[1])).unwrap();
    let mut map = serde_json::Map::new();
    let mut files = [("a.safetensors", vec![]), ("b.safetensors", vec![])];
    for (n, (name, tensor)) in all.tensors.into_iter().enumerate() {
        let (file, part) = &mut files[n % 2];
        map.insert(name.clone(), (*file).into());
        part.push((name, tensor));
    }
    for (file, part) in files {
        let metadata = Default::default();
        let tensors = part.into_iter().collect();
        let part = safetensors::NamedTensors { metadata, tensors };
        fs::write(folder.path().join(file), safetensors::to_bytes(&part)).unwrap();
    }
    let index = serde_json::json!({"metadata": {}, "weight_map": map});
    fs::write(folder.path().join(INDEX[0]), index.to_string()).unwrap();
    let other = checkpoint::load(folder.path()).unwrap();
    for (param, name, tensor) in one.params.iter() {
        assert_eq!(other.params.get(param), tensor, "{name}");
    }
    fs::remove_file(folder.path().join("b.safetensors")).unwrap();
    let message = checkpoint::load(folder.path()).err().unwrap().to_string();
    assert_contains(
        &message,
        "the file b.safetensors, which is not in its folder",
    );
}

#[test]
fn tokens_that_were_added_are_cut_out_of_text_and_rows_without_a_word_stay_silent() {
    let folder = copy(1);
    replace(folder.path(), CONFIG, "694", "704");
    let path = folder.path().join(WEIGHTS[0]);
    let mut file = safetensors::read(&path).unwrap();
    let shared = &file.tensors["model.shared.weight"];
    let width = shared.last();
    let rows = [shared.data(), &vec![0.5; 10 * width]].concat();
    let shared = crate::tensor::Tensor::new(&[704, width], rows);
    file.tensors
        .retain(|name, _| name.starts_with("model.") && !name.contains("embed_tokens"));
    file.tensors
        .insert("model.shared.weight".to_owned(), shared);
    fs::write(&path, safetensors::to_bytes(&file)).unwrap();
    let added = r#"{"<new>": 694, "<silent>": 695}"#;
    fs::write(folder.path().join("added_tokens.json"), added).unwrap();
    let special = r#"{"additional_special_tokens": ["<silent>"]}"#;
    fs::write(folder.path().join("special_tokens_map.json"), special).unwrap();
    let t = read(folder.path()).unwrap();
    let side = &t.pipeline.source;
    let plain = |text: &str| side.tokens(text);
    let tokens = [plain("Das ist"), vec!["<new>".to_owned()], plain("gut.")].concat();
    assert_eq!(side.tokens("Das ist <new> gut."), tokens);
    let ids = t.pipeline.source_ids("<new><silent>");
    let theirs: Vec<u32> = ids
        .iter()
        .map(|id| side.ids.as_ref().unwrap().theirs(*id))
        .collect();
    assert_eq!(theirs, [694, 695, 0]);
    assert_eq!(t.pipeline.target.text(&ids), "<new>");
    // The row 700 has no word.
    let silent = side.ids.as_ref().unwrap().ours(700).unwrap();
    assert_eq!(t.pipeline.target.text(&[silent, EOS as u32]), "");
    let written: Vec<&str> = files(&t)
        .unwrap()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert!(written.contains(&TOKENIZER));
}

#[test]
fn a_folder_in_marians_native_form_is_named_with_the_command_that_converts_it() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "model.npz",
        "decoder.yml",
        "vocab.yml",
        "source.spm",
        "target.spm",
    ] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let message = checkpoint::load(folder.path()).err().unwrap().to_string();
    let command = format!(
        "convert_marian_to_pytorch --src {}",
        folder.path().display()
    );
    assert_contains(&message, "Marian's native form");
    assert_contains(&message, &command);
}

#[test]
fn a_folder_of_this_program_stays_one_whatever_lies_beside() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!is_one(folder.path()));
    for file in checkpoint::MODEL {
        fs::write(folder.path().join(file), "").unwrap();
    }
    assert!(!is_one(folder.path()));
    fs::write(folder.path().join("config.json"), "{}").unwrap();
    assert!(!is_one(folder.path()));
    assert!(is_one(&set(1)) && is_one(&set(2)));
}
