//! The engine beside PyTorch, through the command that anyone can run.

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
        .args(["parity", "--json"])
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
fn a_changed_tensor_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("attention.safetensors");
    let mut bytes = fs::read(fixtures("set-2").join("attention.safetensors")).unwrap();
    // The last four bytes are the last number of the last tensor, an output or an input: either way
    // the results part.
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
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words), "{said}");
    }
}
