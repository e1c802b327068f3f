//! The capstone: a whole Transformer from an empty file, in a folder with the contract, the trained weights and the
//! tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::eject::model;
use crate::data::output;
use crate::decode::{DecodeOptions, translate};
use crate::lesson::exercise::new_folder;
use crate::train::built_in::BuiltIn;

/// The package's name, which tells that a folder holds a capstone.
const NAME: &str = "name = \"my-transformer\"";

const MANIFEST: &str = include_str!("ejected/manifest.toml");
const LOCK: &str = include_str!("ejected/lock.txt");
const CONTRACT: &str = include_str!("capstone/readme.md");
const EMPTY: &str = include_str!("capstone/lib.rs");
const TESTS: &str = include_str!("capstone/tests.rs");

/// Sentences that the tests translate.
const SENTENCES: [&str; 8] = [
    "Der Hund schläft im Garten.",
    "Wo ist der nächste Bahnhof?",
    "Kannst du mir bitte helfen?",
    "Er liest jeden Abend ein Buch.",
    "Die Kinder spielen auf der Straße.",
    "Wie viel kostet dieses Hemd?",
    "Im Winter wird es früh dunkel.",
    "Danke, das ist alles.",
];

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

/// Runs the tests of a capstone with cargo, which prints what they find. True if all pass. Files that are given are put
/// back first if they were changed.
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
        .args(["test", "--offline"])
        .current_dir(folder)
        .status();
    let status = status.map_err(|e| format!("cargo cannot be started: {e}"))?;
    Ok(status.success())
}

/// The files that the learner does not write: contract, weights and tests.
fn given() -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut files: Vec<(PathBuf, Vec<u8>)> = vec![
        ("README.md".into(), CONTRACT.into()),
        ("tests/capstone.rs".into(), TESTS.into()),
        ("tests/expected.txt".into(), expected().into()),
    ];
    files.extend(model::files()?);
    Ok(files)
}

/// One line per sentence: the ids of the source, those of its greedy translation, and its log-probability.
fn expected() -> String {
    let everyday = BuiltIn::Everyday.translator();
    let sources = SENTENCES.map(|line| everyday.pipeline.sentence(line).ids);
    let options = DecodeOptions::greedy();
    let found = translate(&everyday.model, &everyday.params, &sources, &options);
    let words = |ids: &[u32]| {
        let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        ids.join(" ")
    };
    let lines = sources.iter().zip(&found).map(|(src, hypotheses)| {
        let best = &hypotheses[0];
        format!(
            "{} : {} : {}\n",
            words(src),
            words(&best.ids),
            best.log_prob
        )
    });
    lines.collect()
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
        assert_eq!(expected.lines().count(), SENTENCES.len());
        assert!(root.join("model/tensors.bin").is_file());
        assert!(write(&root).is_err(), "it is not empty");
    }
}
