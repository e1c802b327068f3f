//! The engine compared with PyTorch through the `parity` command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fixtures(set: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/parity")
        .join(set)
}

fn parity(folder: &Path) -> (Output, serde_json::Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(["tools", "parity", "--json"])
        .arg(folder)
        .output()
        .expect("the program starts");
    let report = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output, report)
}

#[test]
fn both_sets_of_pytorch_tensors_agree() {
    for (set, tensors_in_it) in [("set-1", 460), ("set-2", 346)] {
        let (output, report) = parity(&fixtures(set));
        assert!(output.status.success(), "{set}: {report:#}");
        let cases: Vec<&str> = report["cases"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["case"].as_str().unwrap())
            .collect();
        assert_eq!(
            cases,
            [
                "attention",
                "decoder_layer",
                "embeddings",
                "encoder_decoder",
                "encoder_layer",
                "feed_forward",
                "label_smoothing",
                "layer_norm",
                "masks",
                "multi_headed_attention",
                "noam_rate",
                "positional_encoding",
                "shared_weights_variant"
            ]
        );
        let tensors = |c: &serde_json::Value| c["tensors"].as_array().unwrap().len();
        let compared: usize = report["cases"]
            .as_array()
            .unwrap()
            .iter()
            .map(tensors)
            .sum();
        assert_eq!(compared, tensors_in_it, "{set}");
    }
}

#[test]
fn a_damaged_file_is_named_and_the_others_still_run() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["attention", "masks", "embeddings"] {
        let file = format!("{name}.safetensors");
        fs::copy(fixtures("set-2").join(&file), folder.path().join(&file)).unwrap();
    }
    let cut = folder.path().join("masks.safetensors");
    let bytes = fs::read(&cut).unwrap();
    fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    fs::write(folder.path().join("strange.safetensors"), b"not tensors").unwrap();
    let (output, report) = parity(folder.path());
    assert_eq!(output.status.code(), Some(1));
    let damaged = report["damaged"].to_string();
    assert!(
        damaged.contains("masks.safetensors") && damaged.contains("strange.safetensors"),
        "{damaged}"
    );
    assert_eq!(report["cases"].as_array().unwrap().len(), 2);
    assert!(
        report["cases"]
            .as_array()
            .unwrap()
            .iter()
            .all(|c| c["passed"] == true)
    );
}

#[test]
fn the_last_line_counts_the_files_that_could_not_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["attention", "masks"] {
        let file = format!("{name}.safetensors");
        fs::copy(fixtures("set-2").join(&file), folder.path().join(&file)).unwrap();
    }
    fs::write(folder.path().join("strange.safetensors"), b"not tensors").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(["tools", "parity"])
        .arg(folder.path())
        .output()
        .expect("the program starts");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = stdout.lines().last();
    assert_eq!(last, Some("2 of 3 cases agree; 1 could not be compared"));
}

#[test]
fn a_changed_tensor_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("attention.safetensors");
    let mut bytes = fs::read(fixtures("set-2").join("attention.safetensors")).unwrap();
    // The last four bytes are the last number of the last tensor, an output or an input: either way
    // the results differ.
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&9.0_f32.to_le_bytes());
    fs::write(&file, bytes).unwrap();
    let (output, report) = parity(folder.path());
    assert_eq!(output.status.code(), Some(1), "{report:#}");
    assert_eq!(report["passed"], false);
}

#[test]
fn an_empty_folder_and_a_missing_one_are_said() {
    let folder = tempfile::tempdir().unwrap();
    for (path, words) in [
        (folder.path().into(), "holds no .safetensors file"),
        (folder.path().join("no"), "cannot read the folder"),
    ] {
        let (output, _) = parity(&path);
        assert_eq!(output.status.code(), Some(1));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(words), "{stderr}");
    }
}

#[test]
fn both_published_models_agree_with_transformers_from_either_form_of_the_weights() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parity-marian");
    let pickled = tempfile::tempdir().unwrap();
    copy(&root.join("set-1"), pickled.path());
    fs::remove_file(pickled.path().join("model/model.safetensors")).unwrap();
    for folder in [
        root.join("set-1"),
        root.join("set-2"),
        pickled.path().into(),
    ] {
        let (output, report) = parity(&folder);
        assert!(output.status.success(), "{report:#}");
        let cases = report["cases"].as_array().unwrap().iter();
        let counts: Vec<(&str, usize)> = cases
            .map(|c| {
                let tensors = c["tensors"].as_array().unwrap();
                (c["case"].as_str().unwrap(), tensors.len())
            })
            .collect();
        assert_eq!(
            counts,
            [
                ("marian_ids", 32),
                ("marian_layers", 33),
                ("marian_log_probs", 16),
                ("marian_greedy", 32),
                ("marian_batch", 1),
                ("marian_beam", 32),
            ]
        );
    }
}

#[test]
fn models_of_other_forms_agree_with_transformers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parity-marian");
    for set in ["bpe", "separate", "sharded"] {
        let (output, report) = parity(&root.join(set));
        assert!(output.status.success(), "{set}: {report:#}");
        assert_eq!(report["cases"].as_array().unwrap().len(), 6, "{set}");
    }
}

#[test]
fn a_published_model_that_computes_something_else_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(
        &root.join("tests/fixtures/parity-marian/set-1"),
        folder.path(),
    );
    let config = folder.path().join("model/config.json");
    let text = fs::read_to_string(&config).unwrap();
    let other = text.replace("\"scale_embedding\": true", "\"scale_embedding\": false");
    assert_ne!(text, other);
    fs::write(&config, other).unwrap();
    let (output, report) = parity(folder.path());
    assert_eq!(output.status.code(), Some(1));
    let passed = |n: usize| report["cases"][n]["passed"].as_bool();
    assert_eq!(
        (passed(0), passed(1), passed(2)),
        (Some(true), Some(false), Some(false))
    );
}

/// Copies a folder and its subfolders.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
