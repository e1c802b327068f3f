//! Folders of translators in Marian's native form, which is not read, with what can be done about them.

use std::fs;
use std::path::Path;

/// Advice about a folder in Marian's native form (`model.npz`, `decoder.yml`), in a sentence about "it"; `None` for any
/// other folder. One that was converted in place is one of transformers.
pub fn advice(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<String> = names
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let has = |name: &str| names.iter().any(|one| one == name);
    let is_native = has("decoder.yml") || names.iter().any(|name| name.ends_with(".npz"));
    let is_converted = has("config.json") && has("vocab.json");
    (is_native && !is_converted).then(|| {
        format!(
            "it is in Marian's native form (model.npz, decoder.yml); convert it with version 4 of transformers (pip \
             install 'transformers<5' torch sentencepiece pyyaml): python -m \
             transformers.models.marian.convert_marian_to_pytorch --src {} --dest NEW_FOLDER",
            folder.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_native_folder_is_known_by_its_files_until_it_is_converted() {
        let is_native = |names: &[&str]| {
            let folder = tempfile::tempdir().unwrap();
            for name in names {
                fs::write(folder.path().join(name), "").unwrap();
            }
            advice(folder.path()).is_some()
        };
        assert!(is_native(&["model.npz", "decoder.yml", "source.spm"]));
        assert!(is_native(&["opus.spm32k.model1.npz.best-perplexity.npz"]));
        assert!(!is_native(&[
            "model.npz",
            "decoder.yml",
            "config.json",
            "vocab.json"
        ]));
        assert!(!is_native(&["config.json", "source.spm"]));
    }
}
