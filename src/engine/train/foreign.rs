//! Folders of translators in forms of other programs, which are not read, with what can be done about them.

use std::fs;
use std::path::Path;

/// The form of a folder of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Marian's own: `model.npz` and `decoder.yml`.
    Marian,
    /// Marian's 8-bit form for browsers, as Bergamot and Firefox use it.
    Bergamot,
    /// CTranslate2's: `model.bin` and its vocabularies.
    CTranslate2,
}

/// Returns the form of `folder`, if it is one of these and not that of Hugging Face's transformers.
pub fn kind(folder: &Path) -> Option<Kind> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<String> = names
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let is_there = |fits: &dyn Fn(&str) -> bool| names.iter().any(|name| fits(name));
    if is_there(&|name| name == "config.json") && is_there(&|name| name == "vocab.json") {
        return None;
    }
    // A package of Argos Translate has the model in a folder of its own.
    let packaged = folder.join("model/model.bin").is_file();
    let vocabulary = || is_there(&|name| name.contains("_vocabulary."));
    if packaged || is_there(&|name| name == "model.bin") && vocabulary() {
        return Some(Kind::CTranslate2);
    }
    if is_there(&|name| name.ends_with(".npz")) || is_there(&|name| name == "decoder.yml") {
        return Some(Kind::Marian);
    }
    let packed = |name: &str| name.contains("intgemm") && name.ends_with(".bin");
    is_there(&packed).then_some(Kind::Bergamot)
}

impl Kind {
    /// What `folder` is, and what can be done with it, in a sentence about "it".
    pub fn advice(self, folder: &Path) -> String {
        match self {
            Self::Marian => format!(
                "it is in Marian's native form (model.npz, decoder.yml); convert it with version 4 of transformers (pip \
                 install 'transformers<5' torch sentencepiece pyyaml): python -m \
                 transformers.models.marian.convert_marian_to_pytorch --src {} --dest NEW_FOLDER",
                folder.display()
            ),
            Self::Bergamot => {
                "it is in Marian's 8-bit form for browsers, which no program converts back; download the model as \
                 Hugging Face's transformers store it"
                    .to_owned()
            }
            Self::CTranslate2 => {
                "it is in the form of CTranslate2, which no program converts back; download the model that it was \
                 converted from, as Hugging Face's transformers store it"
                    .to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(names: &[&str]) -> Option<Kind> {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(folder.path().join(name), "").unwrap();
        }
        kind(folder.path())
    }

    #[test]
    fn folders_of_other_programs_are_known_by_their_files() {
        let native = ["model.npz", "decoder.yml", "source.spm", "target.spm"];
        assert_eq!(kind_of(&native), Some(Kind::Marian));
        let opus = [
            "opus.spm32k-spm32k.transformer-align.model1.npz.best-perplexity.npz",
            "opus.spm32k-spm32k.vocab.yml",
            "source.spm",
        ];
        assert_eq!(kind_of(&opus), Some(Kind::Marian));
        assert_eq!(
            kind_of(&["model.bin", "config.json", "shared_vocabulary.json"]),
            Some(Kind::CTranslate2)
        );
        assert_eq!(
            kind_of(&["model.deen.intgemm.alphas.bin", "vocab.deen.spm"]),
            Some(Kind::Bergamot)
        );
        // A folder that was converted in place is one of transformers.
        let converted = ["model.npz", "decoder.yml", "config.json", "vocab.json"];
        assert_eq!(kind_of(&converted), None);
        assert_eq!(kind_of(&["config.json", "source.spm"]), None);
    }
}
