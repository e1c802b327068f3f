//! Weights in several files, with an index that gives the file of every tensor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Opened;
use crate::data::file;
use crate::data::safetensors::{ReadError, Shapes};
use crate::tensor::Tensor;

/// Files with an index, in the order in which they are preferred.
pub const INDEX: [&str; 2] = [
    "model.safetensors.index.json",
    "pytorch_model.bin.index.json",
];

/// Maximum number of files.
const FILES: usize = 10_000;

/// Several files whose names and shapes are known.
pub struct Shards {
    files: Vec<Opened>,
}

impl Shards {
    /// Opens one file.
    pub fn one(path: &Path, most: u64) -> Result<Self, ReadError> {
        Ok(Self {
            files: vec![super::open(path, most)?],
        })
    }

    /// Opens the files of an index, which are in its folder. Each file of `torch.save` may have at most `most` bytes.
    /// Fails if a file is missing, or does not have the tensors that the index says.
    pub fn indexed(index: &Path, most: u64) -> Result<Self, ReadError> {
        let refused = |why: String| ReadError::PyTorch {
            path: index.into(),
            why,
        };
        let text = file::text(index, file::WORDS).map_err(|source| ReadError::Io {
            path: index.into(),
            source,
        })?;
        let map = weight_map(&text).map_err(refused)?;
        let names: BTreeSet<&str> = map.values().map(String::as_str).collect();
        let mut files = Vec::new();
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for name in names {
            let path = beside(index, name).map_err(refused)?;
            let opened = super::open(&path, most)?;
            for tensor in opened.shapes().into_keys() {
                if let Some(other) = seen.insert(tensor.clone(), name) {
                    return Err(refused(format!(
                        "its files {other} and {name} both have the tensor {tensor}"
                    )));
                }
            }
            files.push(opened);
        }
        let missing = map
            .iter()
            .find(|(tensor, file)| seen.get(*tensor) != Some(&file.as_str()));
        match missing {
            Some((tensor, file)) => Err(refused(format!(
                "it says that {file} has the tensor {tensor}, and it does not; download both again"
            ))),
            None => Ok(Self { files }),
        }
    }

    /// Shape of every tensor.
    pub fn shapes(&self) -> Shapes {
        self.files.iter().flat_map(Opened::shapes).collect()
    }

    /// Reads the numbers of all files.
    pub fn read(self) -> Result<BTreeMap<String, Tensor>, ReadError> {
        let mut all = BTreeMap::new();
        for file in self.files {
            all.extend(file.read()?);
        }
        Ok(all)
    }
}

/// The file of every tensor.
fn weight_map(text: &str) -> Result<BTreeMap<String, String>, String> {
    let index: serde_json::Value =
        serde_json::from_str(text).map_err(|e| format!("it is not JSON: {e}"))?;
    let map = index.get("weight_map").ok_or("it has no weight_map")?;
    let map: BTreeMap<String, String> =
        serde_json::from_value(map.clone()).map_err(|e| format!("weight_map: {e}"))?;
    let files: BTreeSet<&String> = map.values().collect();
    match files.len() {
        0 => Err("its weight_map is empty".to_owned()),
        n if n > FILES => Err(format!("it names {n} files, more than {FILES}")),
        _ => Ok(map),
    }
}

/// Path of a file that must be in the folder of the index.
fn beside(index: &Path, name: &str) -> Result<PathBuf, String> {
    if name.contains(['/', '\\']) || name == ".." || name.is_empty() {
        return Err(format!(
            "it names the file {name:?}, and only files beside it are read"
        ));
    }
    let path = index.with_file_name(name);
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!(
            "it names the file {name}, which is not in its folder; download it too"
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::data::safetensors::{NamedTensors, to_bytes};
    use crate::testing::assert_starts_with;

    /// A folder with two files of one tensor each and this index.
    fn folder(index: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (file, name) in [("a.safetensors", "x"), ("b.safetensors", "y")] {
            let tensors = [(name.to_owned(), Tensor::new(&[2], vec![1.0, 2.0]))].into();
            let metadata = Default::default();
            let bytes = to_bytes(&NamedTensors { metadata, tensors });
            fs::write(folder.path().join(file), bytes).unwrap();
        }
        fs::write(folder.path().join(INDEX[0]), index).unwrap();
        folder
    }

    #[track_caller]
    fn refused(index: &str, says: &str) {
        let folder = folder(index);
        let path = folder.path().join(INDEX[0]);
        let message = Shards::indexed(&path, 1000).err().unwrap().to_string();
        assert_starts_with(&message, &path.display().to_string());
        assert!(message.contains(says), "{message}");
    }

    #[test]
    fn the_tensors_of_all_files_are_read() {
        let folder = folder(
            r#"{"metadata": {}, "weight_map": {"x": "a.safetensors", "y": "b.safetensors"}}"#,
        );
        let shards = Shards::indexed(&folder.path().join(INDEX[0]), 1000).unwrap();
        let names: Vec<String> = shards.shapes().into_keys().collect();
        assert_eq!(names, ["x", "y"]);
        assert_eq!(shards.read().unwrap()["y"].data(), [1.0, 2.0]);
    }

    #[test]
    fn an_index_that_does_not_fit_its_files_is_refused_with_what_is_wrong() {
        refused("{", "it is not JSON");
        refused("{}", "it has no weight_map");
        refused(r#"{"weight_map": {}}"#, "its weight_map is empty");
        refused(
            r#"{"weight_map": {"x": "c.safetensors"}}"#,
            "it names the file c.safetensors, which is not in its folder",
        );
        refused(
            r#"{"weight_map": {"x": "b.safetensors"}}"#,
            "it says that b.safetensors has the tensor x, and it does not",
        );
        for outside in ["../a.safetensors", "/etc/passwd", ".."] {
            refused(
                &format!(r#"{{"weight_map": {{"x": "{outside}"}}}}"#),
                "only files beside it are read",
            );
        }
    }
}
