//! Named tensors as PyTorch's users save them: a file of `torch.save` or of safetensors, as its first bytes say and
//! whatever it is called, or several such files with an index.

mod shards;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

pub use self::shards::{INDEX, Shards};
use super::safetensors::{self, ReadError, Shapes};
use super::{file, pytorch, signature};
use crate::tensor::Tensor;

/// A file whose names and shapes are known.
pub enum Opened {
    /// Written by safetensors.
    Safetensors(safetensors::Opened<File>),
    /// Written by `torch.save`.
    PyTorch(pytorch::Opened),
}

/// Opens a file; one of `torch.save` may have at most `most` bytes. Tensors of whole numbers are left out.
pub fn open(path: &Path, most: u64) -> Result<Opened, ReadError> {
    let failed = |source| ReadError::Io {
        path: path.into(),
        source,
    };
    let (start, length) = file::open(path, file::WEIGHTS).map_err(failed)?;
    if length.is_none() {
        // A pipe can be read only once. What comes from it is safetensors.
        return weights_of(path);
    }
    let mut first = Vec::new();
    let enough = signature::ENOUGH as u64;
    start.take(enough).read_to_end(&mut first).map_err(failed)?;
    if pytorch::is_one(&first) {
        return Ok(Opened::PyTorch(pytorch::open(path, most)?));
    }
    // A header of safetensors follows its length in eight bytes.
    if first.get(8) != Some(&b'{') && signature::no_tensors(&first).is_none() {
        return Err(ReadError::Foreign {
            path: path.into(),
            what: "it is neither a file of torch.save nor one of safetensors".to_owned(),
        });
    }
    weights_of(path)
}

/// Opens a file of safetensors.
fn weights_of(path: &Path) -> Result<Opened, ReadError> {
    let opened = safetensors::open(path)?;
    Ok(Opened::Safetensors(opened.without_whole_numbers()))
}

impl Opened {
    /// Shape of every tensor.
    pub fn shapes(&self) -> Shapes {
        match self {
            Self::Safetensors(file) => file.shapes(),
            Self::PyTorch(file) => file.shapes(),
        }
    }

    /// Reads the numbers.
    pub fn read(self) -> Result<BTreeMap<String, Tensor>, ReadError> {
        match self {
            Self::Safetensors(file) => Ok(file.read()?.tensors),
            Self::PyTorch(file) => file.read(),
        }
    }
}

/// Prefix that all names share, such as `module.` of `DataParallel`, in front of one of the `known` names. Empty if
/// there is none.
pub fn prefix<T>(all: &BTreeMap<String, T>, known: &[&str]) -> String {
    let before = |name: &str| {
        let prefixes = known.iter().filter_map(|known| name.strip_suffix(known));
        let mut prefixes = prefixes.filter(|prefix| prefix.ends_with('.'));
        prefixes.next().map(str::to_owned)
    };
    let prefix = all.keys().find_map(|name| before(name));
    let shared = prefix.filter(|prefix| all.keys().all(|name| name.starts_with(prefix)));
    shared.unwrap_or_default()
}

/// The same entries without their common prefix; see [`prefix`].
#[must_use]
pub fn without_prefix<T>(all: BTreeMap<String, T>, known: &[&str]) -> BTreeMap<String, T> {
    let length = prefix(&all, known).len();
    let all = all.into_iter();
    all.map(|(name, value)| (name[length..].to_owned(), value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_of_all_names_is_removed_and_one_of_some_is_kept() {
        let names = |names: &[&str]| -> BTreeMap<String, ()> {
            names.iter().map(|name| ((*name).to_owned(), ())).collect()
        };
        let bare = |all: &[&str]| -> Vec<String> {
            let all = without_prefix(names(all), &["embed.weight", "head.weight"]);
            all.into_keys().collect()
        };
        assert_eq!(
            bare(&["module.embed.weight", "module.norm.bias"]),
            ["embed.weight", "norm.bias"]
        );
        assert_eq!(
            bare(&["a._orig_mod.head.weight", "a._orig_mod.norm.bias"]),
            ["head.weight", "norm.bias"]
        );
        for kept in [
            ["embed.weight", "norm.bias"],
            ["module.embed.weight", "norm.bias"],
            ["myembed.weight", "mynorm.bias"],
            ["module.norm.bias", "module.norm.scale"],
        ] {
            assert_eq!(bare(&kept), kept);
        }
    }
}
