//! The capstone: a whole Transformer from an empty file, in a folder with the contract, the trained weights and the
//! tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::eject::model;
use crate::data::output;
use crate::lesson::exercise::new_folder;
use crate::train::built_in::BuiltIn;
use recorded::recorded;

mod recorded;

/// The package's name, which tells that a folder holds a capstone.
const NAME: &str = "name = \"my-transformer\"";

const MANIFEST: &str = include_str!("ejected/manifest.toml");
const LOCK: &str = include_str!("ejected/lock.txt");
const CONTRACT: &str = include_str!("capstone/readme.md");
const EMPTY: &str = include_str!("capstone/lib.rs");
const TESTS: &str = include_str!("capstone/tests.rs");
const COMPARE: &str = include_str!("capstone/compare.rs");

/// True if the folder holds a capstone.
pub fn is_begun(folder: &Path) -> bool {
    let manifest = fs::read_to_string(folder.join("Cargo.toml"));
    manifest.is_ok_and(|text| text.contains(NAME)) && folder.join("tests").is_dir()
}

/// Writes the task into a new or empty folder. `Err` says what is in the way.
pub fn write(folder: &Path) -> Result<(), String> {
    let mut files = given()?;
    let mut add = |path: &str, text: &str| files.push((path.into(), text.into()));
    add("Cargo.toml", MANIFEST);
    add("Cargo.lock", LOCK);
    add(".gitignore", "/target\n");
    add("src/lib.rs", EMPTY);
    new_folder(folder, &files, |_| Ok(()))
}

/// Runs the tests of a capstone with cargo: they print the parts that are right, and what is wrong with the next one.
/// True if all pass. Files that are given are put back first if they were changed.
pub fn check(folder: &Path) -> Result<bool, String> {
    for (path, bytes) in given()? {
        let path = folder.join(path);
        if fs::read(&path).ok().as_ref() != Some(&bytes) {
            output::replace(&path, &bytes)
                .map_err(|e| format!("{} could not be put back: {e}", path.display()))?;
        }
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--offline", "--quiet", "--test", "capstone"])
        .current_dir(folder)
        .status();
    let status = status.map_err(|e| format!("cargo cannot be started: {e}"))?;
    Ok(status.success())
}

/// The files that the learner does not write: contract, weights and tests.
fn given() -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut files: Vec<(PathBuf, Vec<u8>)> = vec![
        ("README.md".into(), contract().into()),
        ("tests/capstone.rs".into(), TESTS.into()),
        ("tests/compare/mod.rs".into(), COMPARE.into()),
        (
            "tests/expected.txt".into(),
            recorded(BuiltIn::Everyday.translator()).into(),
        ),
    ];
    files.extend(model::files()?);
    Ok(files)
}

/// The contract, with the sizes of the translator.
fn contract() -> String {
    let config = &BuiltIn::Everyday.translator().model.config;
    let sizes = [
        ("encoder_layers", config.encoder_layers()),
        ("decoder_layers", config.layers),
        ("d_model", config.d_model),
        ("half", config.d_model / 2),
        ("d_ff", config.d_ff),
        ("heads", config.heads),
        ("d_k", config.d_model / config.heads),
        ("vocabulary", config.tgt_vocab),
    ];
    let with = |text: String, (name, size): (&str, usize)| {
        text.replace(&format!("{{{name}}}"), &size.to_string())
    };
    let epsilon = format!("{:e}", config.epsilon);
    let text = CONTRACT.replace("{epsilon}", &epsilon);
    sizes.into_iter().fold(text, with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capstone_is_an_empty_file_with_a_contract_weights_and_tests() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().join("capstone");
        assert!(!is_begun(&root));
        write(&root).expect("the folder is new");
        assert!(is_begun(&root));
        let lib = fs::read_to_string(root.join("src/lib.rs")).expect("it is there");
        assert!(lib.lines().all(|line| line.starts_with("//!")), "{lib}");
        let expected = fs::read_to_string(root.join("tests/expected.txt")).expect("it is there");
        assert_eq!(
            expected.matches("log_prob ").count(),
            recorded::SENTENCES.len()
        );
        let contract = fs::read_to_string(root.join("README.md")).expect("it is there");
        let tensors = fs::read_to_string(root.join("model/tensors.txt")).expect("it is there");
        let table = tensors
            .lines()
            .find_map(|line| line.strip_prefix("embed.table I8 "));
        let table = table.expect("it is listed").replace(' ', ", ");
        assert!(
            contract.contains(&format!("`embed.table [{table}]`")),
            "{contract}"
        );
        assert!(write(&root).is_err(), "it is not empty");
    }
}
